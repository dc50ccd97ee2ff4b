/** `split` and its kin: one file becomes several. */
import { CHOSEN } from "../../../limits.ts";
import { literal, transformed } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import type { Options } from "../options.ts";

/** Every piece holds a part of what is split: all of their names count. */
export function split(invocation: Invocation): void {
  const byContext = invocation.name === "csplit";
  const options = invocation.options(
    byContext
      ? { short: "fbn", long: "prefix suffix-format digits" }
      : { short: "abClnt", long: "suffix-length bytes line-bytes lines number additional-suffix filter separator" },
  );
  const sources = transformed(invocation.readAll(options.operands.slice(0, 1)));
  if (sources.length === 0) return;
  const command = options.value("filter");
  if (command !== undefined)
    return invocation.shell.runText(
      command.text,
      { ...invocation.io, stdin: sources },
      { same: false, remote: false, environment: new Map() },
    );
  // `-n 2/3` prints that piece.
  if (/^(?:[lr]\/)?\d{1,9}\/\d{1,9}$/.test(options.value("n", "number")?.text ?? "") && !byContext) return invocation.print(sources);
  const prefix = (byContext ? options.value("f", "prefix") : options.operands[1]) ?? literal(byContext ? "xx" : "x");
  for (const suffix of byContext ? contextSuffixes(options) : suffixes(options)) {
    const { written, path } = invocation.file({ ...prefix, text: prefix.text + suffix });
    invocation.shell.writeFile({ written, path }, sources, false);
  }
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

const DIGITS = "0123456789";

const HEX_DIGITS = `${DIGITS}abcdef`;

/** `aa`, `ab` …, or numbers from a first one on (`-d`, `-x`); how many there will be is not known. */
function suffixes(options: Options): readonly string[] {
  const hex = options.has("x", "hex-suffixes");
  const numeric = options.has("d", "numeric-suffixes");
  const digits = hex ? HEX_DIGITS : numeric ? DIGITS : ALPHABET;
  const first = Number.parseInt(options.value("numeric-suffixes", "hex-suffixes")?.text ?? "0", digits.length) || 0;
  const parts = Number(options.value("n", "number")?.text.replace(/^.{0,20}\//, "") ?? Number.NaN);
  const length = Number(options.value("a", "suffix-length")?.text ?? 0) || Math.max(2, lengthFor(parts, digits.length));
  const count = Math.min(CHOSEN.split_pieces, parts > 0 ? parts : CHOSEN.split_pieces, digits.length ** Math.min(length, 3));
  const after = options.value("additional-suffix")?.text ?? "";
  return Array.from({ length: count }, (_, index) => suffix(first + index, digits, length) + after);
}

/** Digits that many pieces need. */
function lengthFor(parts: number, base: number): number {
  return parts > 1 ? Math.ceil(Math.log(parts) / Math.log(base)) : 1;
}

function suffix(number: number, digits: string, length: number): string {
  let text = "";
  for (let left = number; text.length < Math.min(length, CHOSEN.split_suffix_chars); left = Math.floor(left / digits.length))
    text = (digits[left % digits.length] as string) + text;
  return text;
}

function contextSuffixes(options: Options): readonly string[] {
  const format = /^([^%]{0,100})%0?(\d?)d([^%]{0,100})$/.exec(options.value("b", "suffix-format")?.text ?? "");
  const length = Number(format?.[2] || (options.value("n", "digits")?.text ?? 2)) || 2;
  return Array.from(
    { length: CHOSEN.split_pieces },
    (_, index) => (format?.[1] ?? "") + String(index).padStart(Math.min(length, CHOSEN.split_suffix_chars), "0") + (format?.[3] ?? ""),
  );
}
