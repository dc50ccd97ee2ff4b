/**
 * What is read of a text: the text in one spelling, and beside it what was hidden in it. Each is a stream the network reads by itself,
 * and the worst one counts.
 */
import { canonical } from "./canonical.ts";
import { type HiddenForm, type HiddenPiece, hiddenIn, splitLines } from "./hidden.ts";
import type { Kind } from "./tokens.ts";

/** One text to read, with the way back to the original. */
export interface Stream {
  readonly name: "text" | "hidden" | "added";
  readonly text: string;
  /** Where in the original a place of this stream came from. */
  origin(at: number): number;
}

export interface Reading {
  readonly streams: readonly Stream[];
  /** Forms of hiding that were met, for a message. */
  readonly forms: readonly HiddenForm[];
  /** Text in characters nobody sees has no honest use: the score is never below this. */
  readonly floor: number;
}

/** Invisible text of this length is an alarm by itself: the longest honest run, a flag's, has six. */
const INVISIBLE_CHARS = 8;
const INVISIBLE_FLOOR = 0.6;

/** A change to a file as `diff` writes it. */
const DIFF = /^(?:@@ |diff --git |\+\+\+ )/m;
/** Lines around added ones that are read with them. */
const CONTEXT = 3;

/** Everything there is to read of a text. Linear in its length. */
export function readingOf(text: string, kind: Kind): Reading {
  const main = canonical(text);
  const streams: Stream[] = [{ name: "text", text: main.text, origin: main.origin }];
  const split = splitLines(main.text).map(
    (piece): HiddenPiece => ({ ...piece, start: main.origin(piece.start), end: main.origin(piece.end) }),
  );
  const hidden = [...hiddenIn(text), ...split];
  if (hidden.length > 0) {
    const starts: number[] = [];
    const parts: string[] = [];
    let at = 0;
    for (const piece of hidden) {
      const readable = canonical(piece.text).text;
      starts.push(at);
      parts.push(readable);
      at += readable.length + 2;
    }
    streams.push({
      name: "hidden",
      text: parts.join("\n\n"),
      origin: (place) => hidden[starts.findLastIndex((start) => start <= place)]?.start ?? 0,
    });
  }
  if (kind === "memory" && DIFF.test(text)) {
    const added = addedLines(main.text);
    streams.push({ name: "added", text: added.text, origin: (place) => main.origin(added.origin(place)) });
  }
  const invisible = hidden.some(({ form, text: piece }) => (form === "tags" || form === "selectors") && piece.length >= INVISIBLE_CHARS);
  return { streams, forms: [...new Set(hidden.map(({ form }) => form))], floor: invisible ? INVISIBLE_FLOOR : 0 };
}

/** The added lines of a diff without their signs, and those around them. */
function addedLines(diff: string): { readonly text: string; origin(at: number): number } {
  const lines = diff.split("\n");
  const wanted = new Uint8Array(lines.length);
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith("+") || line.startsWith("+++")) continue;
    for (let k = Math.max(0, i - CONTEXT); k <= Math.min(lines.length - 1, i + CONTEXT); k++) wanted[k] = 1;
  }
  const parts: string[] = [];
  const starts: number[] = [];
  const places: number[] = [];
  let from = 0;
  let written = 0;
  for (const [i, line] of lines.entries()) {
    const removed = line.startsWith("-");
    if (wanted[i] === 1 && !removed && !line.startsWith("@@") && !line.startsWith("+++")) {
      const text = line.startsWith("+") || line.startsWith(" ") ? line.slice(1) : line;
      starts.push(written);
      places.push(from + line.length - text.length);
      parts.push(text);
      written += text.length + 1;
    }
    from += line.length + 1;
  }
  return {
    text: parts.join("\n"),
    origin: (at) => {
      const i = starts.findLastIndex((start) => start <= at);
      return i < 0 ? 0 : (places[i] ?? 0) + at - (starts[i] ?? 0);
    },
  };
}
