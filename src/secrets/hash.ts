/**
 * Names for a value that do not reveal it: both are keyed, so nobody without the key can try candidates (L-008, D-24, D-25).
 *
 * Trust: `key` is the user's random key (D-24); with a guessable key a short password could be found again.
 */
import { SPECIFIED } from "../limits.ts";

/** Eight lower-case hex characters of HMAC-SHA256, for messages and placeholders. Equal for equal values on one device. */
export function shortHash(key: Uint8Array, value: string): string {
  return hmac(key, "short", value).slice(0, SPECIFIED.short_hash_chars);
}

/** 32 hex characters (128 bits) of HMAC-SHA256, to recognise a value again. Unrelated to `shortHash` of the same value. */
export function fingerprint(key: Uint8Array, value: string): string {
  return hmac(key, "fingerprint", value).slice(0, 32);
}

function hmac(key: Uint8Array, purpose: string, value: string): string {
  // The purpose ends in NUL, so no value under one purpose equals a value under the other.
  return new Bun.CryptoHasher("sha256", key).update(`${purpose}\0${value}`).digest("hex");
}
