/**
 * Finds known secret values in a text piece by piece: a value cut by `head -c`, `cut` or a line wrap still shows
 * runs of its characters, and no run of `value_piece_chars` may pass (D-25).
 */
import { SPECIFIED } from "../limits.ts";
import { needles } from "./families/needles.ts";
import type { Grade, Secret } from "./secret.ts";

const PIECE = SPECIFIED.value_piece_chars;

/** A piece needs this many characters that are not the issuer's: `sk_test_` and what begins a sample behind it is no part of a value. */
const OWN_CHARS = 3;

/** A piece of one repeated character is too common to be told from ordinary text. */
const REPEATED = /^(.)\1{7}$/;

/**
 * Every maximal run of at least 8 characters of any of the values, as secrets of the value's family with ranges in `text`,
 * ascending and disjoint. Values shorter than 8 characters are looked for whole. Linear in `text`.
 */
export function piecesOf(text: string, known: readonly Secret[]): readonly Secret[] {
  return pieceFinder(known)(text);
}

/** The same for many texts: the values are taken apart once. */
export function pieceFinder(known: readonly Secret[]): (text: string) => readonly Secret[] {
  const owners = new Map<string, Secret>();
  const short: Secret[] = [];
  for (const secret of known) {
    // Line breaks split a multi-line key differently when it is indented, wrapped or escaped.
    for (const line of secret.value.split(/\r?\n|\\n/)) {
      if (line.startsWith("-----")) continue; // the armour of a key is no part of it
      if (line.length < PIECE) {
        if (line === secret.value && line.length >= 4) short.push(secret);
        continue;
      }
      const from = Math.max(0, prefixOf(line) + OWN_CHARS - PIECE);
      for (let at = from; at + PIECE <= line.length; at++) {
        const piece = line.slice(at, at + PIECE);
        if (!REPEATED.test(piece)) owners.set(piece, secret);
      }
    }
  }
  return (text) => (owners.size + short.length === 0 ? [] : finds(text, owners, short));
}

/** How many characters in front are the issuer's: every value of the kind has them, and every sample. */
function prefixOf(value: string): number {
  let length = 0;
  for (const needle of needles()) if (needle.length > length && /[_-]$/.test(needle) && value.startsWith(needle)) length = needle.length;
  return length;
}

function finds(text: string, owners: ReadonlyMap<string, Secret>, short: readonly Secret[]): readonly Secret[] {
  const found: Secret[] = [];
  if (owners.size > 0) {
    for (let at = 0; at + PIECE <= text.length; ) {
      const owner = owners.get(text.slice(at, at + PIECE));
      if (owner === undefined) {
        at++;
        continue;
      }
      let end = at + PIECE;
      while (end < text.length && owners.has(text.slice(end + 1 - PIECE, end + 1))) end++;
      found.push({ ...owner, start: widened(text, at, owner.value), end });
      at = end;
    }
  }
  for (const secret of short) {
    for (let at = text.indexOf(secret.value); at >= 0; at = text.indexOf(secret.value, at + secret.value.length)) {
      found.push({ ...secret, start: at, end: at + secret.value.length });
    }
  }
  return disjoint(found);
}

/** The start of a piece together with what stands of the issuer's characters in front of it. */
function widened(text: string, at: number, value: string): number {
  let inside = value.indexOf(text.slice(at, at + PIECE));
  while (inside > 0 && at > 0 && text[at - 1] === value[inside - 1] && text[at - 1] !== "\n") {
    inside--;
    at--;
  }
  return at;
}

const RANK: Readonly<Record<Grade, number>> = { token: 0, credential: 1, vendor: 2, field: 3 };

/**
 * Sorted by start; of overlapping finds one remains: the better proven one, widened over the other so that no character
 * of either is left.
 */
export function disjoint<S extends Secret>(secrets: readonly S[]): readonly S[] {
  const sorted = secrets.filter((secret) => secret.start >= 0).toSorted((a, b) => a.start - b.start || b.end - a.end);
  const result: S[] = [];
  for (const secret of sorted) {
    const last = result.at(-1);
    if (last === undefined || secret.start >= last.end) {
      result.push(secret);
      continue;
    }
    const better = RANK[secret.grade] < RANK[last.grade] ? secret : last;
    result[result.length - 1] = { ...better, start: last.start, end: Math.max(last.end, secret.end) };
  }
  return result;
}
