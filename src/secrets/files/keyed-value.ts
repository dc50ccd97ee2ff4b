/**
 * `key = value` in any dress a credential file or its print-out has: INI, YAML, JSON, JSON inside JSON, shell,
 * TypeScript, with line numbers or a diff's signs before it. One forward pass per key.
 */
import { CHOSEN } from "../../limits.ts";
import { unescaped } from "./json.ts";

/** A value beside a key, with its position as written; the escapes of a quoted value are undone. */
export interface KeyedValue {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The values that stand at a key. `key` is matched as a whole word. */
export function* valuesAt(text: string, key: string): Generator<KeyedValue> {
  for (let at = text.indexOf(key); at >= 0; ) {
    const found = isWordBefore(text, at) ? undefined : valueAfter(text, at + key.length);
    if (found !== undefined) yield found;
    at = text.indexOf(key, Math.max(at + key.length, found?.end ?? 0));
  }
}

function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const code = text.charCodeAt(at - 1);
  // `\n` written out ends in a letter but is no part of the key.
  if (code === 0x6e && text.charCodeAt(at - 2) === 0x5c) return false;
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

const OPENING = /\\{0,3}["']?[ \t]{0,40}(?:=>|:=|[=:])[ \t]{0,100}(?:(?:Bearer|Basic|token) )?(?:\\{0,3}(["'`]))?/y;

function valueAfter(text: string, from: number): KeyedValue | undefined {
  OPENING.lastIndex = from;
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = from + opening[0].length;
  const limit = Math.min(text.length, start + CHOSEN.keyed_value_chars);
  const quote = opening[1];
  let end = start;
  if (quote !== undefined) {
    while (end < limit && text[end] !== quote && text.charCodeAt(end) !== 0x0a) end++;
    // JSON inside JSON: the quote's own backslash is no part of the value.
    while (end > start && text[end] === quote && text[end - 1] === "\\") end--;
  } else {
    while (end < limit && text.charCodeAt(end) > 0x20 && !"\"'`<>".includes(text.charAt(end))) end++;
    // `\n` or `\r\n` written out ends a line of an escaped text.
    const written = text.slice(start, end).indexOf("\\n");
    if (written >= 0) end = start + written;
    if (text.slice(end - 2, end) === "\\r") end -= 2;
    while (end > start && ",;)}]".includes(text.charAt(end - 1))) end--;
  }
  if (end === start) return undefined;
  const written = text.slice(start, end);
  return { value: quote === '"' ? unescaped(written) : written, start, end };
}
