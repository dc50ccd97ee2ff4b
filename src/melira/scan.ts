/**
 * The fast look over a text that is too long to be read whole: which parts are most worth reading. Hashed five-character runs and
 * words in ones, twos and threes, each with a learned weight. It never clears and never alarms; it only chooses.
 *
 * Text is taken in blocks of 64 UTF-16 units, lower-cased, with runs of white space as one space. models/melira/scan.ts trains
 * the table with these very functions.
 */

export const SCAN_BITS = 20;
export const BLOCK = 64;
/** Blocks in a window. */
export const SPAN = 4;

const SHIFT = 32 - SCAN_BITS;
const FOLD = new Uint8Array(128);
const IN_WORD = new Uint8Array(256);
for (let i = 0; i < 128; i++) FOLD[i] = i >= 65 && i <= 90 ? i + 32 : i < 33 || i === 127 ? 32 : i;
for (let i = 0; i < 256; i++) IN_WORD[i] = (i >= 97 && i <= 122) || (i >= 48 && i <= 57) || i >= 128 ? 1 : 0;

/** Calls `take` with the features of each block; the array is used again for the next. */
export function blocks(text: string, take: (block: number, features: Uint32Array, count: number) => void): void {
  const length = text.length;
  const features = new Uint32Array(BLOCK * 4 + 8);
  let count = 0;
  let block = 0;
  let next = BLOCK;
  let c1 = 32;
  let c2 = 0;
  let c3 = 0;
  let c4 = 0;
  let word = 0;
  let before = 0;
  let earlier = 0;
  for (let i = 0; i < length; i++) {
    if (i === next) {
      take(block++, features, count);
      count = 0;
      next += BLOCK;
    }
    const unit = text.charCodeAt(i);
    // Above ASCII a character counts as one of 128.
    const c = unit < 128 ? (FOLD[unit] as number) : 128 | ((unit ^ (unit >>> 7)) & 127);
    if (c === 32 && c1 === 32) continue;
    const five = (c4 | (c3 << 8) | (c2 << 16) | (c1 << 24)) ^ Math.imul(c, 0x9e3779b1);
    features[count++] = Math.imul(five, 0x85ebca6b) >>> SHIFT;
    if (IN_WORD[c]) word = (Math.imul(word ^ c, 0x01000193) + 1) | 0;
    else if (word !== 0) {
      features[count++] = Math.imul(word, 0x9e3779b1) >>> SHIFT;
      features[count++] = Math.imul(word ^ Math.imul(before, 0x27d4eb2f), 0x85ebca6b) >>> SHIFT;
      features[count++] = Math.imul(word ^ Math.imul(before, 0x165667b1) ^ Math.imul(earlier, 0x2545f491), 0xc2b2ae35) >>> SHIFT;
      earlier = before;
      before = word;
      word = 0;
    }
    c4 = c3;
    c3 = c2;
    c2 = c1;
    c1 = c;
  }
  take(block, features, count);
}

/** A part of a text; both ends in UTF-16 units, the second one not part of it. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Read on both sides of a chosen window. */
const AROUND = 3 * BLOCK;

/** The parts most worth reading, at most `budget` units together, in the text's order. Two that touch are one. */
export function bestParts(text: string, table: Int8Array, budget: number): readonly Part[] {
  const sums = new Int32Array(Math.ceil(text.length / BLOCK) + 1);
  blocks(text, (block, features, count) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += table[features[i] as number] as number;
    sums[block] = sum;
  });
  const total = sums.length;
  // Windows that overlap by half; each is worth the sum of its blocks.
  const windows = new Float64Array(Math.ceil(total / (SPAN / 2)));
  for (let w = 0; w < windows.length; w++) {
    let sum = 0;
    for (let b = w * (SPAN / 2); b < Math.min(total, w * (SPAN / 2) + SPAN); b++) sum += sums[b] as number;
    // The number of the window rides along below the sum, so that one sort of plain numbers does it.
    windows[w] = sum * 0x100000 + (0xfffff - w);
  }
  windows.sort();
  const taken = new Uint8Array(total);
  let left = budget / BLOCK;
  for (let i = windows.length - 1; i >= 0 && left > 0; i--) {
    const packed = windows[i] as number;
    const w = 0xfffff - (((packed % 0x100000) + 0x100000) % 0x100000);
    const from = Math.max(0, w * (SPAN / 2) - AROUND / BLOCK);
    const to = Math.min(total, w * (SPAN / 2) + SPAN + AROUND / BLOCK);
    for (let b = from; b < to; b++) {
      if (taken[b] === 1) continue;
      taken[b] = 1;
      left--;
    }
  }
  const parts: Part[] = [];
  for (let b = 0; b < total; b++) {
    if (taken[b] === 0) continue;
    let end = b;
    while (end < total && taken[end] === 1) end++;
    parts.push({ start: b * BLOCK, end: Math.min(text.length, end * BLOCK) });
    b = end;
  }
  return parts;
}
