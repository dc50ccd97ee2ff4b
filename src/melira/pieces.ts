/**
 * Text into the pieces of words that the judge reads: whole words where they are known, else the longest known pieces of them. Training
 * takes its ids from here as well (models/melira/excerpts.ts), so there is no twin to keep alike.
 */

/** What is read around a place, in characters on each side; more never fits. */
const REACH = 480;
/** Pieces the judge reads at once, the two ends included; it was trained with these. */
export const PIECES = 72;

/** Ids that stand for no piece; MASK is only used in training. */
const SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"] as const;
const [UNKNOWN, BEGIN, END] = [0, 1, 2] as const;

/** Words, single signs, and characters of scripts that put no space between words. */
const WORDS = /[\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3400-\u9fff\uf900-\ufaff])[\p{L}\p{N}])+|[^\s\p{L}\p{N}]/gu;

export class Pieces {
  readonly #ids = new Map<string, number>();
  readonly #longest: number;

  /** `list`: one piece a line, in the order of their ids after the special ones; pieces inside a word begin with "##". */
  constructor(list: string) {
    const pieces = list.split("\n").filter((piece) => piece !== "");
    for (const [i, piece] of pieces.entries()) this.#ids.set(piece, i + SPECIAL.length);
    this.#longest = pieces.reduce((most, piece) => Math.max(most, piece.length), 0);
  }

  /** The ids of what stands around a place of a canonical text, at most PIECES of them. */
  around(text: string, at: number): Int32Array {
    const before = this.#read(text.slice(Math.max(0, at - REACH), at));
    const after = this.#read(text.slice(at, at + REACH));
    const room = PIECES - 2;
    const left = Math.min(before.length, Math.max(room >> 1, room - after.length));
    const right = Math.min(after.length, room - left);
    return Int32Array.from([BEGIN, ...before.slice(before.length - left), ...after.slice(0, right), END]);
  }

  /** The pieces of a text as they are written in the list. */
  split(text: string): string[] {
    const out: string[] = [];
    for (const [word] of fold(text).matchAll(WORDS)) this.#take(word, (piece) => out.push(piece));
    return out;
  }

  #read(text: string): number[] {
    return this.split(text).map((piece) => this.#ids.get(piece) ?? UNKNOWN);
  }

  /** The longest piece first, and so on behind it; a character that is in no piece stands alone. */
  #take(word: string, give: (piece: string) => void): void {
    for (let at = 0; at < word.length; ) {
      let end = Math.min(word.length, at + this.#longest);
      const mark = at > 0 ? "##" : "";
      while (end > at && !this.#ids.has(mark + word.slice(at, end))) end--;
      give(end > at ? mark + word.slice(at, end) : (SPECIAL[UNKNOWN] as string));
      at = end > at ? end : at + 1;
    }
  }
}

/** Small letters without their marks. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
}
