/**
 * Fingerprints of secret values (D-19, L-170).
 *
 * Trust: a stored fingerprint holds no part of a value: a keyed hash of 96 bits, lengths, and for every spelling a keyed
 * number of eight characters, hidden by a keyed permutation: noise without the key.
 */
import type { Grade } from "../secrets/secret.ts";
import { keyedHash, type UserKey } from "./key.ts";
import { normal, type Size, SPELLINGS } from "./spellings.ts";

/** A remembered value. */
export interface Known {
  readonly family: string;
  readonly title: string;
  readonly grade: Grade;
}

/**
 * One fingerprint: hash (12 bytes), lengths of the value as seen and in normal form, dropped bytes in front of the first kept
 * one, index of its kind (32-bit numbers, little endian), then a hidden number for every spelling, 0 where there is none.
 */
export type Record = Uint8Array;

const HASH_BYTES = 12;
/** Where the hidden numbers stand in a record. */
export const WINDOWS_AT = HASH_BYTES + 16;
/** Bytes of a record. */
export const RECORD_BYTES = WINDOWS_AT + 4 * SPELLINGS.length;

/** Fingerprint of a value of at least 8 characters, with kind 0. */
export function fingerprint(key: UserKey, value: string): Record {
  const bytes = bytesOf(value);
  const hash = valueHash(key, bytes);
  const record = new Uint8Array(RECORD_BYTES);
  record.set(Buffer.from(hash, "hex"));
  const view = new DataView(record.buffer);
  const letters = normal(bytes);
  view.setUint32(HASH_BYTES, bytes.length, true);
  view.setUint32(HASH_BYTES + 4, letters.length, true);
  view.setUint32(HASH_BYTES + 8, Math.max(0, bytes.indexOf(letters.charAt(0))), true);
  const { factor, added, factors } = secretsOf(key);
  const tweak = view.getInt32(0);
  for (const [index, spelling] of SPELLINGS.entries()) {
    const window = spelling.window(bytes);
    if (window === undefined) continue;
    let x = numberOf(factor, window) ^ (tweak + Math.imul(index, 0x9e3779b9));
    for (let round = 0; round < ROUNDS; round++) {
      x = Math.imul(x + (added[round] as number), factors[round] as number);
      x ^= x >>> 16;
    }
    view.setInt32(WINDOWS_AT + 4 * index, x, true);
  }
  return record;
}

/** The lengths a record states, and the dropped bytes in front of its value. */
export function sizeOf(record: Record): Size & { readonly lead: number } {
  const view = new DataView(record.buffer, record.byteOffset, RECORD_BYTES);
  return {
    whole: view.getUint32(HASH_BYTES, true),
    letters: view.getUint32(HASH_BYTES + 4, true),
    lead: view.getUint32(HASH_BYTES + 8, true),
  };
}

/** The hash a record holds, as hex. */
export function hashOf(record: Record): string {
  return Buffer.from(record.buffer, record.byteOffset, HASH_BYTES).toString("hex");
}

/** Index of the record's kind. */
export function kindOf(record: Record): number {
  return new DataView(record.buffer, record.byteOffset, RECORD_BYTES).getUint32(HASH_BYTES + 12, true);
}

/** The record with another kind. */
export function withKind(record: Record, kind: number): Record {
  const copy = new Uint8Array(record);
  new DataView(copy.buffer).setUint32(HASH_BYTES + 12, kind, true);
  return copy;
}

/** The hash of a value given as bytes of UTF-8, one character each. */
export function valueHash(key: UserKey, bytes: string): string {
  return keyedHash(key, "value", normal(bytes)).slice(0, 2 * HASH_BYTES);
}

/** A text as bytes of UTF-8, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

const ROUNDS = 4;

/** What hides the numbers: the odd factor of 64 bits they are made with, and a permutation of 32-bit numbers with 256 bits of key. */
export interface Secrets {
  readonly factor: bigint;
  readonly added: Int32Array;
  readonly factors: Int32Array;
  readonly inverses: Int32Array;
}

const known = new WeakMap<UserKey, Secrets>();

/** The key's secrets for windows. */
export function secretsOf(key: UserKey): Secrets {
  let secrets = known.get(key);
  if (secrets === undefined) {
    const hex = keyedHash(key, "window mask", "");
    const words = Int32Array.from({ length: 2 * ROUNDS }, (_, at) => Number.parseInt(hex.slice(8 * at, 8 * at + 8), 16) | 0);
    const factors = words.slice(ROUNDS).map((word) => word | 1);
    const factor = BigInt(`0x${keyedHash(key, "window", "").slice(0, 16)}`) | 1n;
    secrets = { factor, added: words.slice(0, ROUNDS), factors, inverses: factors.map(inverse) };
    known.set(key, secrets);
  }
  return secrets;
}

/** Of an odd number modulo 2³². Each step doubles the bits that are right, three at first. */
function inverse(odd: number): number {
  let x = odd;
  for (let step = 0; step < 4; step++) x = Math.imul(x, 2 - Math.imul(odd, x));
  return x;
}

/** The upper half of the product of a window, read as a number of 64 bits, and the factor. */
function numberOf(factor: bigint, window: string): number {
  const eight = Buffer.from(window, "latin1").readBigUInt64BE();
  return Number(BigInt.asUintN(32, (eight * factor) >> 32n)) | 0;
}
