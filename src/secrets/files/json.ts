/**
 * JSON with the position of every value, comments and trailing commas allowed. `JSON.parse` tells no
 * positions, and redaction has to find the value as it is written. One pass, no recursion.
 */
import { CHOSEN } from "../../limits.ts";
import type { Leaf } from "./file.ts";

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** A JSON string's inside as its reader sees it. */
export function unescaped(written: string): string {
  if (!written.includes("\\")) return written;
  return written.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Every string, number and word of a JSON document in order; undefined when the text is not JSON or past the limits. */
export function jsonLeaves(text: string): readonly Leaf[] | undefined {
  const leaves: Leaf[] = [];
  /** Open containers: the key being filled in an object, the position in a list. */
  const open: (string | number)[] = [];
  const path = () => open.map(String);
  let at = 0;
  let expects: "value" | "key or end" | "colon" | "comma or end" | "nothing" = "value";
  const afterValue = () => (open.length === 0 ? "nothing" : "comma or end");
  while (at < text.length) {
    const sign = text.charAt(at);
    if (/\s/.test(sign)) {
      at++;
    } else if (sign === "/" && text[at + 1] === "/") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
    } else if (sign === "/" && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) return undefined;
      at = end + 2;
    } else if (sign === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) return undefined;
      const value = unescaped(text.slice(at + 1, end));
      if (expects === "key or end") {
        open[open.length - 1] = value;
        expects = "colon";
      } else if (expects === "value") {
        leaves.push({ path: path(), value, start: at + 1, end });
        expects = afterValue();
      } else return undefined;
      at = end + 1;
    } else if (sign === "{" || sign === "[") {
      if (expects !== "value" || open.length >= CHOSEN.credential_depth) return undefined;
      open.push(sign === "{" ? "" : 0);
      expects = sign === "{" ? "key or end" : "value";
      at++;
    } else if (sign === "}" || sign === "]") {
      const inner = open.pop();
      if (inner === undefined || (typeof inner === "string") !== (sign === "}")) return undefined;
      if (expects === "colon" || (expects === "value" && sign === "}")) return undefined;
      expects = afterValue();
      at++;
    } else if (sign === ",") {
      const inner = open.at(-1);
      if (expects !== "comma or end" || inner === undefined) return undefined;
      if (typeof inner === "number") open[open.length - 1] = inner + 1;
      expects = typeof inner === "number" ? "value" : "key or end";
      at++;
    } else if (sign === ":") {
      if (expects !== "colon") return undefined;
      expects = "value";
      at++;
    } else {
      const word = /[-+.\w]{1,64}/y;
      word.lastIndex = at;
      const value = word.exec(text)?.[0];
      if (value === undefined || expects !== "value" || open.length === 0 || !/^(?:-?\d[-+.\deE]*|true|false|null)$/.test(value))
        return undefined;
      leaves.push({ path: path(), value, start: at, end: at + value.length });
      expects = afterValue();
      at += value.length;
    }
    if (leaves.length > CHOSEN.credential_leaves) return undefined;
  }
  return expects === "nothing" ? leaves : undefined;
}

/** Index of the quote that ends a string begun before `from`; -1 when the line ends first. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
    else if (code === 0x0a) return -1;
  }
  return -1;
}
