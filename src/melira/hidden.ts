/**
 * Text inside a text: Unicode tags, base64, hex, spaced and reversed letters, leet, rot13. What can be read is read; what looks
 * encoded but says nothing is left out, because source maps, certificates and lock files are full of it.
 *
 * Trust: the text is hostile. Every form has one linear pass, and what is kept is bounded in number, size and nesting.
 */

/** One piece that was hidden, with its place in the text it was found in. */
export interface HiddenPiece {
  readonly form: HiddenForm;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export const HIDDEN_FORMS = [
  "tags",
  "selectors",
  "reversed",
  "base64",
  "hex",
  "binary",
  "numbers",
  "spaced",
  "leet",
  "rot13",
  "markup",
  "split",
] as const;
export type HiddenForm = (typeof HIDDEN_FORMS)[number];

/** Pieces kept of one text, their size together, and how often what was decoded is decoded again. */
const PIECES = 200;
const CHARS = 256 * 1024;
const DEPTH = 2;
/** Forms that are looked for line by line are looked for in this much of a text, in UTF-16 units. */
const LINES_CHARS = 256 * 1024;
/** Runs of one form that are tried; each costs at most a few µs. */
const TRIES = 20_000;

const TAG_RUN = /[\u{e0020}-\u{e007e}]{4,}/gu;
const SELECTOR_RUN = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,}/gu;
const ESCAPES = /(?:\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}){8,}/g;
const OVERRIDDEN = /\u202e[^\u202c\u202e\n]{8,4096}/g;
const BASE64 = /[A-Za-z0-9+/_-]{24,}(?:\r?\n[A-Za-z0-9+/_-]{24,})*/g;
const HEX = /(?:[0-9a-fA-F]{2}){16,}/g;
const SPACED_HEX = /(?:(?:0x)?[0-9a-fA-F]{2}[ ,:]{1,2}){11,}(?:0x)?[0-9a-fA-F]{2}/g;
const BINARY = /(?:[01]{8} ?){6,}/g;
const NUMBERS = /(?:[0-9]{2,3}[ ,]{1,2}){11,}[0-9]{2,3}/g;
/** The beginning of letters set apart; how far they go is found step by step. */
const SPACED = /(?<![\p{L}\d])(?:[\p{L}\d][ .·\-_*|/]{1,3}){4}[\p{L}\d](?![\p{L}\d])/gu;
const SPACED_LEAST = 12;
const SPACED_GAP = 8;
const SPACED_MOST = 16_384;
const BETWEEN = /[ .·\-_*|/]/;
const SPLIT_BY_TAG = /[A-Za-z]<\/?[A-Za-z][^<>]{0,200}>[A-Za-z]/;
const TAG = /<\/?[A-Za-z!][^<>]{0,500}>/g;
const LEET_WORD = /[A-Za-z][0-9@$!|]+[A-Za-z]|\b[0-9@$][A-Za-z]{2,}/g;
const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
};
const WORDS = /[a-z]{2,}/g;
const LETTERS = /\p{L}{2,}/gu;
const UNPRINTABLE = /[^\P{C}\n\r\t]/gu;

/** What nearly every English sentence has one of: tells rot13 and reversed text from both being nonsense. */
const COMMON = new Set(
  "the and you your for with this that all from are not have will must any previous instructions ignore system user tool please send file run execute command now then when prompt new into them all as is it to of in on or an be by do if me my no so up us we he at".split(
    " ",
  ),
);
const SURE = 4;

/** Every readable piece hidden in the text, and in those again, up to the limits. */
export function hiddenIn(text: string): readonly HiddenPiece[] {
  const found: HiddenPiece[] = [];
  let chars = 0;
  const keep = (form: HiddenForm, piece: string, start: number, end: number): void => {
    if (found.length >= PIECES || chars + piece.length > CHARS) return;
    chars += piece.length;
    found.push({ form, text: piece, start, end });
  };
  look(text, keep);
  for (let from = 0, depth = 1; depth < DEPTH; depth++) {
    const to = found.length;
    for (const { text: inner, start, end } of found.slice(from, to)) look(inner, (form, piece) => keep(form, piece, start, end));
    from = to;
  }
  return found;
}

type Keep = (form: HiddenForm, piece: string, start: number, end: number) => void;

function look(text: string, keep: Keep): void {
  invisible(text, keep);
  // A JSON or Python string that holds such characters as escapes.
  each(text, ESCAPES, (run, at) => invisible(unescaped(run), (form, piece) => keep(form, piece, at, at + run.length)));
  each(text, OVERRIDDEN, (run, at) => keep("reversed", backwards(run.slice(1)), at, at + run.length));
  each(text, BASE64, (run, at) => fromBase64(run, at, keep));
  each(text, HEX, (run, at) => readable("hex", UTF8.decode(Uint8Array.fromHex(run)), at, at + run.length, keep));
  each(text, SPACED_HEX, (run, at) => {
    const digits = run.replace(/0x/g, "").replace(/[^0-9a-fA-F]+/g, "");
    if (digits.length % 2 === 0) readable("hex", UTF8.decode(Uint8Array.fromHex(digits)), at, at + run.length, keep);
  });
  each(text, BINARY, (run, at) => {
    const bytes = run.match(/[01]{8}/g)?.map((bits) => Number.parseInt(bits, 2)) ?? [];
    readable("binary", UTF8.decode(Uint8Array.from(bytes)), at, at + run.length, keep);
  });
  each(text, NUMBERS, (run, at) => {
    const codes = run.match(/[0-9]+/g)?.map(Number) ?? [];
    if (codes.every((code) => code < 256)) readable("numbers", String.fromCharCode(...codes.slice(0, 4096)), at, at + run.length, keep);
  });
  spaced(text, keep);
  lines(text, keep);
}

function invisible(text: string, keep: Keep): void {
  each(text, TAG_RUN, (run, at) => keep("tags", shifted(run, -0xe0000), at, at + run.length));
  each(text, SELECTOR_RUN, (run, at) => readable("selectors", UTF8.decode(selectorBytes(run)), at, at + run.length, keep, 2));
}

function unescaped(run: string): string {
  return run.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (_, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? "0", 16);
    // Two halves of one character come one after the other, so that they fit together again.
    return code > 0x10ffff ? "" : code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
  });
}

const UTF8 = new TextDecoder("utf-8", { fatal: false });

function each(text: string, pattern: RegExp, take: (run: string, at: number) => void): void {
  let tries = 0;
  for (const match of text.matchAll(pattern)) {
    take(match[0], match.index);
    if (++tries >= TRIES) return;
  }
}

/** Keeps what a person could read: nearly all printable, and words in it. */
function readable(form: HiddenForm, piece: string, start: number, end: number, keep: Keep, most = 5): void {
  if (piece.length < 8) return;
  const strange = (piece.match(UNPRINTABLE)?.length ?? 0) + (piece.match(/\ufffd/g)?.length ?? 0);
  if (strange * 100 <= piece.length * most && words(piece) >= 3) keep(form, piece, start, end);
}

function words(text: string): number {
  return text.match(LETTERS)?.length ?? 0;
}

function fromBase64(run: string, at: number, keep: Keep): void {
  const compact = run.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  // A look at the beginning settles nearly all of them.
  const probe = bytesOf(compact.slice(0, 64));
  if (probe === undefined) return;
  const wide = probe.length >= 8 && probe[1] === 0 && probe[3] === 0;
  let strange = 0;
  for (const byte of probe) if (byte < 9 || (byte > 13 && byte < 32) || byte === 127) strange++;
  if (!wide && strange > 1) return;
  const bytes = bytesOf(compact.slice(0, CHARS));
  if (bytes === undefined) return;
  readable("base64", wide ? UTF16.decode(bytes) : UTF8.decode(bytes), at, at + run.length, keep);
}

const UTF16 = new TextDecoder("utf-16le");

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64.slice(0, base64.length - (base64.length % 4 === 1 ? 1 : 0)), { lastChunkHandling: "loose" });
  } catch {
    return undefined;
  }
}

function shifted(run: string, by: number): string {
  let text = "";
  for (const character of run) text += String.fromCharCode((character.codePointAt(0) ?? 0) + by);
  return text;
}

/** One byte in each variation selector, as smuggling tools write it. */
function selectorBytes(run: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    bytes.push(code < 0xfe10 ? code - 0xfe00 : code - 0xe0100 + 16);
  }
  return Uint8Array.from(bytes);
}

function backwards(run: string): string {
  return [...run].reverse().join("");
}

/**
 * Letters set apart, put together again: the first gap is the one between letters, any other is one between words. Characters that
 * are no letters may stand between them, so that a sentence does not end at its first comma.
 */
function spaced(text: string, keep: Keep): void {
  let done = 0;
  each(text, SPACED, (begun, at) => {
    if (at < done) return;
    const first = /^.([^\p{L}\d]+)/u.exec(begun)?.[1] ?? " ";
    let joined = "";
    let letters = 0;
    let place = at;
    while (place < text.length) {
      const letter = String.fromCodePoint(text.codePointAt(place) ?? 0);
      joined += letter;
      letters++;
      place += letter.length;
      let end = place;
      while (
        end < text.length &&
        end - place < SPACED_GAP &&
        (BETWEEN.test(text[end] as string) ? first.includes(text[end] as string) || text[end] === " " : false)
      )
        end++;
      const gap = text.slice(place, end);
      if (gap === "" || joined.length > SPACED_MOST || end === text.length || text[end] === "\n") break;
      joined += gap === first ? "" : " ";
      place = end;
    }
    done = place;
    if (letters >= SPACED_LEAST) keep("spaced", joined, at, place);
  });
}

/** Forms that show only in a line's words. */
function lines(text: string, keep: Keep): void {
  const part = text.length > LINES_CHARS ? text.slice(0, LINES_CHARS) : text;
  let from = 0;
  for (const line of part.split("\n")) {
    const start = from;
    from += line.length + 1;
    if (line.length < 16) continue;
    const end = start + line.length;
    for (let at = 0; at < line.length; at += 2_000) {
      const piece = line.length <= 2_000 ? line : line.slice(at, at + 2_000);
      lineForms(piece, start + at, Math.min(end, start + at + 2_000), keep);
    }
  }
}

function lineForms(line: string, start: number, end: number, keep: Keep): void {
  if (SPLIT_BY_TAG.test(line)) keep("markup", line.replace(TAG, ""), start, end);
  const leet = line.match(LEET_WORD)?.length ?? 0;
  if (leet >= 3) {
    const plain = line.replace(/[0134578@$!|]/g, (sign) => LEET[sign] ?? sign);
    if (common(plain) >= SURE - 1 && common(plain) > common(line)) keep("leet", plain, start, end);
  }
  const plainly = common(line);
  if (plainly >= SURE) return;
  const turned = line.replace(/[A-Za-z]/g, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode((code & 31) > 13 ? code - 13 : code + 13);
  });
  if (common(turned) >= Math.max(SURE, plainly + 2)) keep("rot13", turned, start, end);
  const back = backwards(line);
  if (common(back) >= Math.max(SURE, plainly + 2)) keep("reversed", back, start, end);
}

/** Short lines of words in a row, as one line: a sentence written down the page. Lists of names come along; they say nothing. */
export function splitLines(text: string): readonly HiddenPiece[] {
  const found: HiddenPiece[] = [];
  let run: string[] = [];
  let start = 0;
  let at = 0;
  const close = (): void => {
    if (run.length >= SPLIT_LINES && found.length < SPLIT_PIECES) found.push({ form: "split", text: run.join(" "), start, end: at });
    run = [];
  };
  // The last line has its end added, so that a run there is closed as any other.
  for (const line of `${text}\n\n`.split("\n")) {
    const said = line.length > 2 * SPLIT_CHARS ? "" : line.trim();
    if (said === "" || said.length > SPLIT_CHARS || run.length >= SPLIT_LINES_MOST || !SHORT_LINE.test(said)) close();
    else {
      if (run.length === 0) start = at;
      run.push(said);
    }
    at += line.length + 1;
    if (found.length >= SPLIT_PIECES) break;
  }
  return found;
}
/** At most three words, no code. */
const SHORT_LINE = /^[^\s{}=<>;|\\]+(?: [^\s{}=<>;|\\]+){0,2}$/;
const SPLIT_CHARS = 48;
const SPLIT_LINES = 5;
const SPLIT_LINES_MOST = 200;
const SPLIT_PIECES = 24;

function common(line: string): number {
  let count = 0;
  for (const [word] of line.toLowerCase().matchAll(WORDS)) if (COMMON.has(word)) count++;
  return count;
}
