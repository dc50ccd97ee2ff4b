/**
 * An environment as tools list it inside something larger: `"NAME=value"` items and `[A=1 B=2]` of `docker inspect`, words
 * of a line (`docker history`, `ps e`), `name`/`value` pairs of a cluster's objects, headings over values (`kubectl describe`),
 * members of JSON, outputs that Terraform calls sensitive.
 *
 * Only for text known to hold an environment: other texts hold such pairs, too.
 */
import type { Secret } from "../secret.ts";
import { secretOf } from "./dotenv.ts";

/** Secret values of listed variables (grade "field"), in no particular order. */
export function listedEntries(text: string): readonly Secret[] {
  return [
    ...quoted(text, /(?<!\\)"/g),
    ...quoted(text, /\\"/g),
    ...bracketed(text),
    ...paired(text),
    ...headed(text),
    ...members(text),
    ...sensitive(text),
  ];
}

/** Whether a text is a whole environment by the variables that every one has, whatever printed it. */
export function isEnvironment(text: string): boolean {
  return /(?:^|\s)PATH=\/[^\s:]{1,200}:\//m.test(text) && /(?:^|\s)(?:HOME|PWD|HOSTNAME|SHELL|USER|LANG|TERM|SHLVL)=\S/m.test(text);
}

/** A name, a line of dashes and the value (`kubectl describe`); a name over its value (`redis-cli config get`). */
function headed(text: string): readonly Secret[] {
  const described = [...text.matchAll(/^ {0,40}([\w.-]{1,128}):\r?\n {0,40}----\r?\n([^\n]{8,4096})$/gm)];
  const configured = [...text.matchAll(/^(?:\d{1,6}\) )?"?(requirepass|masterauth)"?\r?\n(?:\d{1,6}\) )?"?([^\s"]{4,512})"?$/gm)];
  return [
    ...described.flatMap((match) => at(match[1], match[2]?.trimEnd(), match.index + match[0].trimEnd().length)),
    ...configured.flatMap((match) => {
      const value = match[2] ?? "";
      return at("PASSWORD", value, match.index + match[0].lastIndexOf(value) + value.length);
    }),
  ];
}

/** `"JWT_SECRET": "value"`. */
function members(text: string): readonly Secret[] {
  return [...text.matchAll(/"([A-Z][A-Z0-9_]{2,127})"\s{0,8}:\s{0,8}"([^"\\\n]{8,4096})"/g)].flatMap((match) =>
    at(match[1], match[2], match.index + match[0].length - 1),
  );
}

/** `"sensitive": true, "type": "string", "value": "x"` of `terraform output -json`. */
function sensitive(text: string): readonly Secret[] {
  return [
    ...text.matchAll(
      /"sensitive"\s{0,8}:\s{0,8}true\s{0,8},(?:\s{0,200}"type"\s{0,8}:\s{0,8}[^,{}]{1,400},)?\s{0,200}"value"\s{0,8}:\s{0,8}"([^"\\\n]{8,4096})"/g,
    ),
  ].flatMap((match) => at("SECRET", match[1], match.index + match[0].length - 1));
}

/** `"NAME=value"` between two quotes that follow each other, plain ones or (JSON inside JSON) escaped ones. */
function quoted(text: string, quote: RegExp): readonly Secret[] {
  const found: Secret[] = [];
  let from = -1;
  for (const { index, 0: mark } of text.matchAll(quote)) {
    if (from >= 0) found.push(...assignment(text, from, index));
    from = index + mark.length;
  }
  return found;
}

/** `[PATH=/usr/bin DB_PASSWORD=x]`, a list as Go prints it; `ENV DB_PASSWORD=x`, `|1 NPM_TOKEN=x /bin/sh`, `node app.js DB_PASSWORD=x`. */
function bracketed(text: string): readonly Secret[] {
  return [...text.matchAll(/[^\s[\]"]+/g)].flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    return /[[ ]/.test(text[index - 1] ?? "") && /[ \]\r\n]/.test(text[end] ?? "\n") ? assignment(text, index, end) : [];
  });
}

/** The secret of `NAME=value` that takes exactly this range. */
function assignment(text: string, start: number, end: number): readonly Secret[] {
  if (end - start > LONGEST) return [];
  const written = text.slice(start, end);
  const name = written.includes("\n") ? undefined : /^([A-Za-z_][\w.-]{0,127})=/.exec(written)?.[1];
  return name === undefined ? [] : at(name, written.slice(name.length + 1), end);
}

/** Longest variable with its value, in characters. */
const LONGEST = 4_300;

/** `"name": "X", "value": "y"` and `- name: X` with `value: y` in the next line. */
function paired(text: string): readonly Secret[] {
  const json = [
    ...text.matchAll(
      /"[Nn]ame"\s{0,4}:\s{0,4}"([\w.-]{1,128})"\s{0,200},\s{0,200}"[Vv]alue"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\[^\n]){8,4096})"/g,
    ),
  ].flatMap((match) => at(match[1], match[2], match.index + match[0].length - 1));
  const yaml = [
    ...text.matchAll(
      /\bname: {0,4}["']?([\w.-]{1,128})["']?[ \t]{0,8}\r?\n[ \t]{0,200}value: {0,4}(["']?)([^\s"'][^\r\n"']{7,4096})\2[ \t]{0,8}$/gm,
    ),
  ].flatMap((match) => {
    const value = match[3] ?? "";
    return at(match[1], value, match.index + match[0].lastIndexOf(value) + value.length);
  });
  return [...json, ...yaml];
}

/** The secret of one pair whose value ends at `end`. */
function at(name: string | undefined, value: string | undefined, end: number): readonly Secret[] {
  return name === undefined || value === undefined ? [] : secretOf({ name, value, start: end - value.length, end });
}
