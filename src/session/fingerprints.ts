/**
 * Fingerprints of secret values and how they are found again inside a text (B3, D-19, L-170).
 *
 * Trust: a stored fingerprint holds no part of a value: a keyed hash of 96 bits, the length, and a masked 32-bit
 * number of the value's middle window, which is noise without the key. The window makes finding cheap: one pass
 * over the text with a rolling number, and a keyed hash only where the number agrees.
 */
import { SPECIFIED } from "../limits.ts";
import type { Grade } from "../secrets/secret.ts";
import { keyedHash, type UserKey } from "./key.ts";

/** A remembered value. */
export interface Known {
  readonly family: string;
  readonly title: string;
  readonly grade: Grade;
}

/** A remembered value as the session file holds it. */
export interface Fingerprint extends Known {
  /** First 24 hex characters of the keyed hash. */
  readonly hash: string;
  /** UTF-16 length of the value. */
  readonly length: number;
  /** Rolling number of the middle window, masked. */
  readonly window: number;
}

/** Where a remembered value stands in a text: half-open UTF-16 range. */
export interface Sighting {
  readonly fingerprint: Fingerprint;
  readonly start: number;
  readonly end: number;
}

/** Characters of the window: no remembered value is shorter. */
const WINDOW = SPECIFIED.remembered_value_chars;
const HASH_CHARS = 24;

/** Fingerprint of a value of at least 8 characters. */
export function fingerprint(key: UserKey, value: string, known: Known): Fingerprint {
  const hash = valueHash(key, value);
  const rolling = roll(factorOf(key), value, middle(value.length));
  const window = (rolling ^ maskOf(key, hash)) >>> 0;
  return { hash, length: value.length, window, family: known.family, title: known.title, grade: known.grade };
}

/** The hash part of a fingerprint. */
export function valueHash(key: UserKey, value: string): string {
  return keyedHash(key, "value", value).slice(0, HASH_CHARS);
}

/** Finds fingerprinted values in texts; built once per process from the session file. */
export class Finder {
  readonly #key: UserKey;
  readonly #factor: number;
  /** Candidates by rolling number. */
  readonly #windows = new Map<number, Fingerprint[]>();
  /** One byte per upper half of a rolling number: most positions end here. */
  readonly #filter = new Uint8Array(1 << 16);

  constructor(key: UserKey, fingerprints: readonly Fingerprint[]) {
    this.#key = key;
    this.#factor = factorOf(key);
    for (const print of fingerprints) {
      const rolling = (print.window ^ maskOf(key, print.hash)) >>> 0;
      const same = this.#windows.get(rolling);
      if (same) same.push(print);
      else this.#windows.set(rolling, [print]);
      this.#filter[rolling >>> 16] = 1;
    }
  }

  /** Every remembered value in the text: leftmost first, the longest of several at one place, not overlapping. */
  find(text: string): readonly Sighting[] {
    if (this.#windows.size === 0 || text.length < WINDOW) return [];
    const hits: Sighting[] = [];
    const factor = this.#factor;
    const leaving = power(factor, WINDOW - 1);
    let rolling = roll(factor, text, 0);
    for (let at = 0; ; at++) {
      if (this.#filter[rolling >>> 16] === 1) this.#confirm(text, at, rolling, hits);
      if (at + WINDOW >= text.length) break;
      const without = rolling - Math.imul(text.charCodeAt(at), leaving);
      rolling = (Math.imul(without, factor) + text.charCodeAt(at + WINDOW)) >>> 0;
    }
    return withoutOverlaps(hits);
  }

  #confirm(text: string, at: number, rolling: number, hits: Sighting[]): void {
    for (const print of this.#windows.get(rolling) ?? []) {
      const start = at - middle(print.length);
      const end = start + print.length;
      if (start < 0 || end > text.length) continue;
      if (valueHash(this.#key, text.slice(start, end)) === print.hash) hits.push({ fingerprint: print, start, end });
    }
  }
}

function withoutOverlaps(hits: Sighting[]): Sighting[] {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return hits.filter((hit) => {
    if (hit.start < end) return false;
    end = hit.end;
    return true;
  });
}

/** The middle says most: prefixes and ends are shared by whole families (`sk-…`, `-----BEGIN`). */
function middle(length: number): number {
  return (length - WINDOW) >> 1;
}

function roll(factor: number, text: string, start: number): number {
  let rolling = 0;
  for (let at = start; at < start + WINDOW; at++) rolling = (Math.imul(rolling, factor) + text.charCodeAt(at)) | 0;
  return rolling >>> 0;
}

function power(factor: number, exponent: number): number {
  let result = 1;
  for (let n = 0; n < exponent; n++) result = Math.imul(result, factor);
  return result;
}

function factorOf(key: UserKey): number {
  return Number.parseInt(keyedHash(key, "window", "").slice(0, 8), 16) | 1;
}

function maskOf(key: UserKey, hash: string): number {
  return Number.parseInt(keyedHash(key, "window mask", hash).slice(0, 8), 16);
}
