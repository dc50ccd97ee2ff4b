/**
 * Text into the numbers the reader network reads. `models/melira/tokens.py` is its twin: the same ids on every text, or what
 * was learned means nothing here (golden rows prove it).
 *
 * Four ids per token, which the network looks up in one table and adds: the word, its first four characters, its last three, and
 * its shape (case, digits, length, whether a space stands before it). Scripts without spaces give overlapping pairs of characters.
 * Words are hashed, so there is no vocabulary to ship; an unknown word still has a known beginning and end.
 */

/** Rows of the network's table. */
export const TABLE_ROWS = 65_536;
/** Ids below are fixed meanings; hashes start here. */
export const HASHES_FROM = 64;
/** Ids per token. */
export const WIDTH = 4;

/** What a text is; the same rule is harmless in a file and an attack in a change nobody asked for. */
export const KINDS = ["tool", "file", "memory", "command"] as const;
export type Kind = (typeof KINDS)[number];

/** The id that stands for a kind. */
export function kindId(kind: Kind): number {
  return 48 + KINDS.indexOf(kind);
}

/** Tokens of one text. */
export interface Tokens {
  /** WIDTH ids for each. */
  readonly ids: Int32Array;
  /** Where each begins in the text, in UTF-16 units; one more for the end of the last. */
  readonly starts: Int32Array;
  readonly count: number;
}

const SHAPE = {
  lower: 1,
  capital: 2,
  upper: 3,
  mixed: 4,
  withDigits: 5,
  number: 6,
  longNumber: 7,
  long: 8,
  foreignLower: 9,
  foreignOther: 10,
  pair: 11,
  mark: 12,
  marks: 13,
  manyMarks: 14,
  line: 15,
  lines: 16,
} as const;

const SEED = { word: 0x811c9dc5, head: 0x1b873593, tail: 0x68e31da4, mark: 0x2545f491 } as const;

const LONG_WORD = 24;
const LONG_NUMBER = 4;
const HEAD = 4;
const TAIL = 3;

const SPACE = 0;
const LINE = 1;
const MARK = 2;
const WORD = 3;
const PAIR = 4;

/** Marks and symbols above ASCII; every other character there belongs to a word or a pair. Both ends belong to a range. */
const MARK_RANGES: readonly (readonly [number, number])[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x206f],
  [0x20a0, 0x20cf],
  [0x2100, 0x2bff],
  [0x3000, 0x3004],
  [0x3008, 0x3030],
  [0xd800, 0xf8ff],
  [0xfe10, 0xfe6f],
  [0xff00, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xfff0, 0xffff],
];
/** Scripts that put no space between words. */
const PAIR_RANGES: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3005, 0x3007],
  [0x3031, 0x9fff],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
];

const CLASS = new Uint8Array(0x10000).fill(WORD);
CLASS.fill(MARK, 0, 0x80);
CLASS.fill(SPACE, 0, 0x21);
CLASS[0x0a] = LINE;
CLASS.fill(WORD, 0x30, 0x3a);
CLASS.fill(WORD, 0x41, 0x5b);
CLASS.fill(WORD, 0x61, 0x7b);
CLASS[0x7f] = SPACE;
for (const [from, to] of PAIR_RANGES) CLASS.fill(PAIR, from, to + 1);
for (const [from, to] of MARK_RANGES) CLASS.fill(MARK, from, to + 1);
CLASS[0xa0] = SPACE;
CLASS.fill(SPACE, 0x2000, 0x200b);
CLASS.fill(SPACE, 0x2028, 0x202a);
CLASS[0x202f] = SPACE;
CLASS[0x205f] = SPACE;
CLASS[0x3000] = SPACE;

function finish(hash: number): number {
  let h = hash ^ (hash >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  h ^= h >>> 15;
  return HASHES_FROM + ((h >>> 0) % (TABLE_ROWS - HASHES_FROM));
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Grows as needed; one for each text. */
class Sink {
  ids: Int32Array;
  starts: Int32Array;
  count = 0;

  constructor(tokens: number) {
    this.ids = new Int32Array(tokens * WIDTH);
    this.starts = new Int32Array(tokens + 1);
  }

  add(start: number, word: number, head: number, tail: number, shape: number): void {
    if ((this.count + 1) * WIDTH > this.ids.length) {
      const ids = new Int32Array(this.ids.length * 2);
      ids.set(this.ids);
      this.ids = ids;
      const starts = new Int32Array(this.ids.length / WIDTH + 1);
      starts.set(this.starts);
      this.starts = starts;
    }
    const at = this.count * WIDTH;
    this.ids[at] = word;
    this.ids[at + 1] = head;
    this.ids[at + 2] = tail;
    this.ids[at + 3] = shape;
    this.starts[this.count++] = start;
  }
}

/** The tokens of a canonical text, at most `most` of them. Time and memory are linear in its length. */
export function tokenise(text: string, most = Number.POSITIVE_INFINITY): Tokens {
  const length = text.length;
  const sink = new Sink(Math.min(most, Math.max(16, length >> 2)) + 1);
  let at = 0;
  /** 1 when nothing stands between this token and the one before. */
  let glued = 0;
  while (at < length && sink.count < most) {
    const unit = text.charCodeAt(at);
    const kind = CLASS[unit] as number;
    const from = at;
    if (kind === SPACE) {
      at++;
      glued = 0;
    } else if (kind === LINE) {
      let lines = 0;
      while (at < length && (CLASS[text.charCodeAt(at)] as number) <= LINE) if (text.charCodeAt(at++) === 0x0a) lines++;
      const shape = (lines > 1 ? SHAPE.lines : SHAPE.line) * 2;
      sink.add(from, shape, shape, shape, shape);
      glued = 0;
    } else if (kind === MARK) {
      while (at < length && text.charCodeAt(at) === unit) at++;
      const run = at - from;
      const id = finish(mix(SEED.mark, unit));
      sink.add(from, id, id, id, (run === 1 ? SHAPE.mark : run < 4 ? SHAPE.marks : SHAPE.manyMarks) * 2 + glued);
      glued = 1;
    } else if (kind === PAIR) {
      at++;
      const next = at < length ? text.charCodeAt(at) : 0;
      const paired = CLASS[next] === PAIR && next !== 0;
      const second = paired ? next : 0;
      const word = finish(mix(mix(SEED.word, unit), second));
      sink.add(from, word, finish(mix(SEED.head, unit)), finish(mix(SEED.tail, second)), SHAPE.pair * 2 + glued);
      // The last character of a run is the second half of a pair already.
      if (paired && (at + 1 >= length || CLASS[text.charCodeAt(at + 1)] !== PAIR)) at++;
      glued = 1;
    } else {
      at = addWord(sink, text, from, glued);
      glued = 1;
    }
  }
  sink.starts[sink.count] = at;
  return { ids: sink.ids.subarray(0, sink.count * WIDTH), starts: sink.starts.subarray(0, sink.count + 1), count: sink.count };
}

/** Adds the word that begins at `from`; answers where it ends. */
function addWord(sink: Sink, text: string, from: number, glued: number): number {
  const length = text.length;
  let at = from;
  let upper = 0;
  let lower = 0;
  let digits = 0;
  let foreign = 0;
  for (; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (CLASS[unit] !== WORD) break;
    if (unit > 0x7f) foreign++;
    else if (unit < 0x3a) digits++;
    else if (unit < 0x5b) upper++;
    else lower++;
  }
  const size = at - from;
  if (size === digits && size > LONG_NUMBER) {
    const id = finish(mix(mix(SEED.word, 0x23), Math.min(size, LONG_WORD)));
    sink.add(from, id, id, id, SHAPE.longNumber * 2 + glued);
    return at;
  }
  if (size > LONG_WORD && foreign === 0) {
    // A hash, a key or a blob: what it is made of says more than its characters.
    const made = (digits > 0 ? 1 : 0) + (upper > 0 ? 2 : 0) + (lower > 0 ? 4 : 0) + (size > 64 ? 8 : 0);
    const id = finish(mix(mix(SEED.word, 0x40), made));
    sink.add(from, id, id, id, SHAPE.long * 2 + glued);
    return at;
  }
  const cut = Math.min(size, LONG_WORD);
  const shape = shapeOf(size, upper, lower, digits, foreign, text, from, at);
  let word: number = SEED.word;
  let head: number = SEED.head;
  let tail: number = SEED.tail;
  if (foreign > 0) {
    const folded = text.slice(from, from + cut).toLowerCase();
    for (let i = 0; i < folded.length; i++) {
      const unit = folded.charCodeAt(i);
      word = mix(word, unit);
      if (i < HEAD) head = mix(head, unit);
      if (i >= folded.length - TAIL) tail = mix(tail, unit);
    }
  } else {
    for (let i = 0; i < cut; i++) {
      const raw = text.charCodeAt(from + i);
      const unit = raw >= 0x41 && raw <= 0x5a ? raw + 32 : raw;
      word = mix(word, unit);
      if (i < HEAD) head = mix(head, unit);
      if (i >= cut - TAIL) tail = mix(tail, unit);
    }
  }
  sink.add(from, finish(word), finish(head), finish(tail), shape * 2 + glued);
  return at;
}

function shapeOf(
  size: number,
  upper: number,
  lower: number,
  digits: number,
  foreign: number,
  text: string,
  from: number,
  to: number,
): number {
  if (foreign > 0) {
    const word = text.slice(from, Math.min(to, from + LONG_WORD));
    return word === word.toLowerCase() ? SHAPE.foreignLower : SHAPE.foreignOther;
  }
  if (digits === size) return SHAPE.number;
  if (digits > 0) return SHAPE.withDigits;
  if (upper === 0) return SHAPE.lower;
  if (lower === 0 && size > 1) return SHAPE.upper;
  const first = text.charCodeAt(from);
  return upper === 1 && first < 0x5b ? SHAPE.capital : SHAPE.mixed;
}
