/**
 * An environment as tools list it inside something larger: `"NAME=value"` items and `[A=1 B=2]` of `docker inspect`,
 * `name`/`value` pairs of a cluster's objects.
 */
import type { Entry } from "./dotenv.ts";

/** Listed variables, in no particular order. */
export function* listedEntries(text: string): Generator<Entry> {
  yield* quoted(text, /(?<!\\)"/g);
  yield* quoted(text, /\\"/g);
  yield* bracketed(text);
  yield* paired(text);
}

/** `"NAME=value"` between two quotes that follow each other, plain ones or (JSON inside JSON) escaped ones. */
function* quoted(text: string, quote: RegExp): Generator<Entry> {
  let from = -1;
  for (const { index, 0: mark } of text.matchAll(quote)) {
    if (from >= 0) yield* assignment(text, from, index);
    from = index + mark.length;
  }
}

/** `[PATH=/usr/bin DB_PASSWORD=x]`, a list as Go prints it. */
function* bracketed(text: string): Generator<Entry> {
  for (const { index, 0: word } of text.matchAll(/[^\s[\]"]+/g)) {
    const end = index + word.length;
    if (/[[ ]/.test(text[index - 1] ?? "") && /[ \]]/.test(text[end] ?? "")) yield* assignment(text, index, end);
  }
}

/** `NAME=value` that takes exactly this range. */
function* assignment(text: string, start: number, end: number): Generator<Entry> {
  if (end - start > LONGEST) return;
  const written = text.slice(start, end);
  const name = written.includes("\n") ? undefined : /^([A-Za-z_][\w.-]{0,127})=/.exec(written)?.[1];
  if (name !== undefined) yield at(name, written.slice(name.length + 1), end);
}

/** Longest variable with its value, in characters. */
const LONGEST = 4_300;

/** `"name": "X", "value": "y"` and `- name: X` with `value: y` in the next line. */
function* paired(text: string): Generator<Entry> {
  for (const match of text.matchAll(
    /"[Nn]ame"\s{0,4}:\s{0,4}"([\w.-]{1,128})"\s{0,200},\s{0,200}"[Vv]alue"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\[^\n]){8,4096})"/g,
  ))
    yield at(match[1], match[2], match.index + match[0].length - 1);
  for (const match of text.matchAll(
    /\bname: {0,4}["']?([\w.-]{1,128})["']?[ \t]{0,8}\r?\n[ \t]{0,200}value: {0,4}(["']?)([^\s"'][^\r\n"']{7,4096})\2[ \t]{0,8}$/gm,
  ))
    yield at(match[1], match[3], match.index + match[0].lastIndexOf(match[3] ?? "") + (match[3] ?? "").length);
}

/** The entry whose value ends at `end`. */
function at(name = "", value = "", end: number): Entry {
  return { name, value, start: end - value.length, end };
}
