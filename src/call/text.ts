/** Cutting texts at a mark, without patterns that look back over what they already saw. */
import { CHOSEN } from "../limits.ts";

/** The text before the first `mark`, the whole text without one. */
export function upTo(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

/** The text without any of these characters at its end. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** A string literal in program code. */
export interface Literal {
  /** Its value, the common escapes resolved. */
  readonly value: string;
  /** Half-open range including the quotes. */
  readonly start: number;
  readonly end: number;
}

/** String literals of a program in order; comments (`#`, or `//` with `slashes`) are skipped. One pass. */
export function stringLiterals(code: string, slashes: boolean): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  while (at < code.length && found.length < CHOSEN.code_literals) {
    const char = code[at];
    if (char === "#" && !slashes && (at === 0 || /[\s;]/.test(code[at - 1] ?? ""))) {
      const line = code.indexOf("\n", at);
      at = line < 0 ? code.length : line;
    } else if (slashes && char === "/" && code[at + 1] === "/" && code[at - 1] !== ":") {
      const line = code.indexOf("\n", at);
      at = line < 0 ? code.length : line;
    } else if (char === '"' || char === "'" || char === "`") {
      const triple = code.startsWith(char.repeat(3), at) && char !== "`";
      const mark = triple ? char.repeat(3) : char;
      const end = literalEnd(code, at + mark.length, mark);
      if (end < 0) {
        at += mark.length;
        continue;
      }
      found.push({ value: unescaped(code.slice(at + mark.length, end)), start: at, end: end + mark.length });
      at = end + mark.length;
    } else at++;
  }
  return found;
}

/** The closing quote; -1 when the literal does not end on its line (or, for long forms, at all). */
function literalEnd(code: string, from: number, mark: string): number {
  for (let at = from; at < code.length; at++) {
    const char = code[at];
    if (char === "\\") at++;
    else if (mark.length === 3 ? code.startsWith(mark, at) : char === mark) return at;
    else if (char === "\n" && mark.length === 1 && mark !== "`") return -1;
  }
  return -1;
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([^]))/g, (_whole, hex?: string, unicode?: string, other?: string) => {
    if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode ?? "0", 16));
    if (other === "n") return "\n";
    if (other === "t") return "\t";
    return other ?? "";
  });
}
