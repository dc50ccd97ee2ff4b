/** Brace expansion of one `{…}` as text. */
import { CHOSEN } from "../../limits.ts";

/**
 * The alternatives of `{a,b}` or `{1..9}`, still shell text; undefined when it is no brace expansion or
 * yields more words than are followed.
 */
export function braceAlternatives(text: string): string[] | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  const inside = text.slice(1, -1);
  const alternatives = splitCommas(inside);
  if (alternatives.length > 1) return alternatives.length > CHOSEN.word_fields ? undefined : alternatives;
  const range = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inside);
  return range === null ? undefined : rangeValues(range[1] ?? "", range[2] ?? "", range[3]);
}

/** Top-level commas only: quotes, nested braces and parentheses keep theirs. */
function splitCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "'" || char === '"') {
      const close = text.indexOf(char, at + 1);
      if (close > 0) at = close;
    } else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Whether a brace expansion counts: however long, it stands for numbers or letters only. */
export function isRange(text: string): boolean {
  return /^\{-?\w{1,9}\.\.-?\w{1,9}(?:\.\.-?\d{1,9})?\}$/.test(text);
}

function rangeValues(first: string, last: string, step: string | undefined): string[] | undefined {
  const letters = !/\d/.test(first);
  if (letters !== !/\d/.test(last)) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const by = Math.max(1, Math.abs(Number(step ?? 1)));
  if (Math.abs(to - from) / by >= CHOSEN.word_fields) return undefined;
  const width = !letters && /^-?0\d/.test(first) ? first.length : 0;
  const values: string[] = [];
  for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? by : -by) {
    values.push(letters ? String.fromCharCode(at) : String(at).padStart(width, "0"));
  }
  return values;
}
