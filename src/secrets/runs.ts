/**
 * Long unbroken stretches of one kind of characters, found without looking at every character.
 *
 * Trust: the text is hostile; each character is looked at a bounded number of times. Of a stretch of `least` characters
 * every `least`-th place lies inside: only from there on neighbours are looked at, which in ordinary text ends at the
 * next blank. It is several times faster than a pattern, and needs no time to be compiled.
 */

/** A kind of characters. */
export interface Kind {
  /** 1 at every ASCII code that belongs to it. */
  readonly codes: Uint8Array;
}

export const DIGITS = "0123456789";
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The kind of these characters, all of them ASCII. */
export function kindOf(characters: string): Kind {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return { codes };
}

/** A stretch of a text, half open. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Calls `take` with every maximal stretch of at least `least` characters of the kind, in order; `within` is where to look. */
export function stretches(
  text: string,
  { codes: kind }: Kind,
  least: number,
  take: (start: number, end: number) => void,
  within: Range = { start: 0, end: text.length },
): void {
  const length = within.end;
  let floor = within.start;
  for (let probe = floor + least - 1; probe < length; ) {
    if (kind[text.charCodeAt(probe)] !== 1) {
      floor = probe + 1;
      probe += least;
      continue;
    }
    let start = probe;
    while (start > floor && kind[text.charCodeAt(start - 1)] === 1) start--;
    if (start === floor || probe - start + 1 >= least) {
      let end = probe + 1;
      while (end < length && kind[text.charCodeAt(end)] === 1) end++;
      if (end - start >= least) take(start, end);
      floor = end;
      probe = end + least;
      continue;
    }
    // The stretch begins here: the next place to look at is the last one it needs.
    floor = start;
    probe = start + least - 1;
  }
}
