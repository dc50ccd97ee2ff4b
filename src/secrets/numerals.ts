/**
 * Rows of numbers that stand for characters: lists of bytes (`[103, 104, 112]`), `od -tu1`, `od -b`, `od`, `xxd -b`.
 *
 * Trust: the text is hostile. Only numbers of printable ASCII and line ends count, eight of them in a row at least.
 */
import type { Pieces } from "./writing.ts";

/** Between two numbers of a list: a comma, blanks, a line end with what `od` puts before the next line. */
const GAP = String.raw`(?:[,;][ \t]{0,8}|[ \t]{1,4}|[,;]?[ \t]{0,4}\r?\n(?:\d{7}(?=[ \t]))?[ \t]{0,32})`;
/** The same in `xxd -b`: the characters beside a line, and the next offset. */
const DUMPED = String.raw`(?: |  {1,64}[^\n]{0,12}\r?\n[\da-f]{8}: )`;

/** One way of writing bytes as numbers. */
interface Numeral {
  /** A row of enough numbers of printable ASCII. */
  readonly rows: RegExp;
  /** The row without what is no number. */
  readonly bare: (written: string) => string;
  readonly base: number;
  /** Each number is two bytes, the lower one in front. */
  readonly words?: true;
}

function row(one: string, gap: string, least: number, beside = ""): RegExp {
  return new RegExp(`${one}(?:${gap}${one}){${least - 1},65536}(?!\\w)${beside}`, "g");
}

const withoutOffsets = (written: string): string => written.replace(/\n\d{7}(?=[ \t])/g, " ");
/** Behind two blanks stand the characters. */
const withoutColumns = (written: string): string =>
  written
    .split("\n")
    .map((line) => line.replace(/^[\da-f]{8}: /, "").split("  ", 1)[0])
    .join(" ");

const NUMERALS: readonly Numeral[] = [
  { rows: row(String.raw`(?:[3-9]\d|1[0-2]\d)`, GAP, 8), bare: withoutOffsets, base: 10 },
  { rows: row(String.raw`(?:0[1-7][0-7]|1[0-7][0-7])`, GAP, 8), bare: withoutOffsets, base: 8 },
  { rows: row(String.raw`[01][0-7]{5}`, GAP, 4), bare: withoutOffsets, base: 8, words: true },
  {
    rows: row("0[01]{7}", DUMPED, 6, String.raw`(?:  {1,64}[^\n]{0,12})?`),
    bare: withoutColumns,
    base: 2,
  },
];

/** Rows of numbers that may be a text, and what they say. */
export function numerals(text: string, found: Pieces): void {
  for (const { rows, bare, base, words } of NUMERALS) {
    rows.lastIndex = 0;
    for (let hit = rows.exec(text); hit !== null; hit = rows.exec(text)) {
      const end = hit.index + hit[0].length;
      if (/[\w.]/.test(text.charAt(hit.index - 1))) {
        // The end of something longer; the row may begin behind it.
        rows.lastIndex = hit.index + (/^\d+/.exec(hit[0])?.[0].length ?? 1);
        continue;
      }
      const numbers = bare(hit[0]).match(/\d{2,8}/g) ?? [];
      const read = numbers.map((number) => Number.parseInt(number, base));
      const bytes = words === undefined ? read : read.flatMap((word) => [word & 0xff, word >> 8]);
      found.add(hit.index, end, Buffer.from(bytes).toString("latin1"));
    }
  }
}
