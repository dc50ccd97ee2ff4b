/** SHA-256 and relatives, synchronously and without Node. */

/** SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256(covered: string | Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(covered).digest();
}

/** SHA-512 of bytes. */
export function sha512(covered: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha512").update(covered).digest();
}

/** RIPEMD-160 of several pieces. */
export function ripemd160(...pieces: (string | Uint8Array)[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("ripemd160");
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest();
}
