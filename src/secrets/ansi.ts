/** Terminal escape sequences in a text. Programs colour a match in the middle of a token. */
import type { Secret } from "./secret.ts";

/** A text without escape sequences that still knows where each of its characters stood. */
export interface Bare {
  readonly text: string;
  /** Offset in the original text of the character at this offset. */
  original(at: number): number;
}

let last: { readonly text: string; readonly bare: Bare } | undefined;

/**
 * Removes CSI sequences (colours, erasing), OSC sequences (titles, links) and two-character escapes; a text without any comes
 * back itself. Linear; the last text's answer is kept, since several detectors ask for the same one.
 */
export function stripAnsi(text: string): Bare {
  if (!text.includes("\u001b")) return { text, original: (at) => at };
  if (last?.text !== text) last = { text, bare: stripped(text) };
  return last.bare;
}

function stripped(text: string): Bare {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  const sequence = /\u001b(?:\[[\d;:?]{0,64}[@-~]|\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[()][\dA-Z]|[=>78cDEHMNOZ])/g;
  const pieces: string[] = [];
  /** For each piece: where it begins in the bare and in the original text. */
  const bare: number[] = [];
  const original: number[] = [];
  let length = 0;
  const keep = (from: number, to: number): void => {
    if (from === to) return;
    pieces.push(text.slice(from, to));
    bare.push(length);
    original.push(from);
    length += to - from;
  };
  let from = 0;
  for (const found of text.matchAll(sequence)) {
    keep(from, found.index);
    from = found.index + found[0].length;
  }
  if (from === 0) return { text, original: (at) => at };
  keep(from, text.length);
  return {
    text: pieces.join(""),
    original(at) {
      let low = 0;
      let high = bare.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((bare[middle] as number) <= at) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? at : (original[low - 1] as number) + at - (bare[low - 1] as number);
    },
  };
}

/** What `find` finds in the text without its escape sequences, with the ranges of the text as it is. */
export function onBareText(text: string, find: (bare: string) => readonly Secret[]): readonly Secret[] {
  const bare = stripAnsi(text);
  if (bare.text === text) return find(text);
  return find(bare.text).map((secret) =>
    secret.start < 0 ? secret : { ...secret, start: bare.original(secret.start), end: bare.original(secret.end - 1) + 1 },
  );
}
