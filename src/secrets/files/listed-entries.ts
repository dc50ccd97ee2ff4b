/**
 * An environment as tools list it inside something larger: `"NAME=value"` items and `[A=1 B=2]` of `docker inspect`, words
 * of a line (`docker history`, `ps e`), `name`/`value` pairs of a cluster's objects, headings over values (`kubectl describe`),
 * members of JSON, outputs that Terraform calls sensitive.
 */
import type { Entry } from "./dotenv.ts";

/** Listed variables, in no particular order. */
export function* listedEntries(text: string): Generator<Entry> {
  yield* quoted(text, /(?<!\\)"/g);
  yield* quoted(text, /\\"/g);
  yield* bracketed(text);
  yield* paired(text);
  yield* headed(text);
  yield* members(text);
  yield* sensitive(text);
}

/** Whether a text is a whole environment by the variables that every one has, whatever printed it. */
export function isEnvironment(text: string): boolean {
  return (
    text.includes("PATH=/") &&
    /(?:^|\s)PATH=\/[^\s:]{1,200}:\//m.test(text) &&
    /(?:^|\s)(?:HOME|PWD|HOSTNAME|SHELL|USER|LANG|TERM|SHLVL)=\S/m.test(text)
  );
}

/** A name, a line of dashes and the value (`kubectl describe`); a name over its value (`redis-cli config get`). */
function* headed(text: string): Generator<Entry> {
  for (const match of text.matchAll(/^ {0,40}([\w.-]{1,128}):\r?\n {0,40}----\r?\n([^\n]{8,4096})$/gm))
    yield at(match[1] ?? "", (match[2] ?? "").trimEnd(), match.index + match[0].trimEnd().length);
  for (const match of text.matchAll(/^(?:\d{1,6}\) )?"?(requirepass|masterauth)"?\r?\n(?:\d{1,6}\) )?"?([^\s"]{4,512})"?$/gm)) {
    const value = match[2] ?? "";
    yield at("PASSWORD", value, match.index + match[0].lastIndexOf(value) + value.length);
  }
}

/** `"JWT_SECRET": "value"`. */
function* members(text: string): Generator<Entry> {
  for (const match of text.matchAll(/"([A-Z][A-Z0-9_]{2,127})"\s{0,8}:\s{0,8}"([^"\\\n]{8,4096})"/g))
    yield at(match[1] ?? "", match[2] ?? "", match.index + match[0].length - 1);
}

/** `"sensitive": true, "type": "string", "value": "x"` of `terraform output -json`. */
function* sensitive(text: string): Generator<Entry> {
  for (const match of text.matchAll(
    /"sensitive"\s{0,8}:\s{0,8}true\s{0,8},(?:\s{0,200}"type"\s{0,8}:\s{0,8}[^,{}]{1,400},)?\s{0,200}"value"\s{0,8}:\s{0,8}"([^"\\\n]{8,4096})"/g,
  ))
    yield at("SECRET", match[1] ?? "", match.index + match[0].length - 1);
}

/** `"NAME=value"` between two quotes that follow each other, plain ones or (JSON inside JSON) escaped ones. */
function* quoted(text: string, quote: RegExp): Generator<Entry> {
  let from = -1;
  for (const { index, 0: mark } of text.matchAll(quote)) {
    if (from >= 0) yield* assignment(text, from, index);
    from = index + mark.length;
  }
}

/** `[PATH=/usr/bin DB_PASSWORD=x]`, a list as Go prints it; `ENV DB_PASSWORD=x`, `|1 NPM_TOKEN=x /bin/sh`, `node app.js DB_PASSWORD=x`. */
function* bracketed(text: string): Generator<Entry> {
  for (const { index, 0: word } of text.matchAll(/[^\s[\]"]+/g)) {
    const end = index + word.length;
    if (/[[ ]/.test(text[index - 1] ?? "") && /[ \]\r\n]/.test(text[end] ?? "\n")) yield* assignment(text, index, end);
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
