/**
 * Finds known secret values in a text piece by piece: a value cut by `head -c`, `cut` or a line wrap still shows
 * runs of its characters, and no run of `value_piece_chars` may pass (D-25).
 */
import { SPECIFIED } from "../limits.ts";
import type { Grade, Secret } from "./secret.ts";

const PIECE = SPECIFIED.value_piece_chars;

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
      for (let at = 0; at + PIECE <= line.length; at++) {
        const piece = line.slice(at, at + PIECE);
        if (!REPEATED.test(piece)) owners.set(piece, secret);
      }
    }
  }
  return (text) => (owners.size + short.length === 0 ? [] : finds(text, owners, short));
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
      found.push({ ...owner, start: at, end });
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
