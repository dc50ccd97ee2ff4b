/**
 * A text as a terminal shows it: without escape sequences, without what is printed over, without signs that have no width.
 * Programs colour a match in the middle of a token, and print bold letters twice.
 */
import type { Secret } from "./secret.ts";
import { asIs, Composing, type View } from "./view.ts";

/** Of shorter texts, words among them, nothing is kept. */
const KEPT_FROM = 1_024;

let last: { readonly text: string; readonly view: View } | undefined;

/**
 * Removes CSI sequences (colours, erasing), strings (titles, links, device control), two-character escapes, all of them in 7
 * or 8 bits, characters a backspace takes back, and signs without a width; a text without any comes back itself. Linear; the
 * last text's answer is kept, since several detectors ask for the same one.
 */
export function stripAnsi(text: string): View {
  if (text.length < KEPT_FROM) return mayHide(text) ? shown(text) : asIs(text);
  if (last?.text !== text) last = { text, view: mayHide(text) ? shown(text) : asIs(text) };
  return last.view;
}

/** C1 controls that begin a sequence, and what Unicode calls ignorable: soft hyphens, joiners, marks of direction, variation selectors, tags. */
const UNSEEN = /[\u0090\u0098\u009b\u009d-\u009f\p{DI}]/u;

function mayHide(text: string): boolean {
  if (text.includes("\u001b") || text.includes("\b")) return true;
  // Nearly every output is plain ASCII, which is told much faster.
  return Buffer.byteLength(text) !== text.length && UNSEEN.test(text);
}

function shown(text: string): View {
  const sequence =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
    /(?:\u001b\[|\u009b)[\d;:<=>?]{0,64}[ !-/]{0,4}[@-~]|(?:\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]{0,2048}(?:\u0007|\u001b\\|\u009c)|\u001b(?:[()*+][\dA-Z]|[=>78cDEHMNOZ])|[\b\p{DI}]/gu;
  const made = new Composing(text);
  let from = 0;
  for (const found of text.matchAll(sequence)) {
    made.copy(from, found.index);
    from = found.index + found[0].length;
    if (found[0] === "\b") made.back();
  }
  if (from === 0) return asIs(text);
  made.copy(from, text.length);
  return made.view();
}

/** What `find` finds in the text as it is shown, with the ranges of the text as it is. */
export function onBareText(text: string, find: (bare: string) => readonly Secret[]): readonly Secret[] {
  const bare = stripAnsi(text);
  return bare.text === text ? find(text) : placed(bare, find(bare.text));
}

/** The same secrets where they stand in the text the view is of. */
export function placed(view: View, secrets: readonly Secret[]): readonly Secret[] {
  return secrets.map((secret) => (secret.start < 0 ? secret : { ...secret, ...view.range(secret.start, secret.end) }));
}
