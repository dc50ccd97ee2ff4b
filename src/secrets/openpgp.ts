/**
 * Reads an OpenPGP secret key packet far enough to tell whether a passphrase protects it (RFC 4880 §5.5.3, RFC 9580).
 *
 * Trust: the bytes are hostile; reading past the end gives "unreadable".
 */

/** Numbers in front of the secret part, by algorithm: RSA, Elgamal, DSA. */
const NUMBERS: Readonly<Record<number, number>> = { 1: 2, 2: 2, 3: 2, 16: 3, 17: 4 };
/** Bytes of the native public keys: X25519, X448, Ed25519, Ed448. */
const NATIVE: Readonly<Record<number, number>> = { 25: 32, 26: 56, 27: 32, 28: 57 };

/** What the first packet is. Only version 4, which every tool exports, is read. */
export function openpgp(bytes: Uint8Array): "plain" | "protected" | "unreadable" {
  const at = endOfPublicPart(bytes);
  const usage = at === undefined ? undefined : bytes[at];
  if (usage === undefined) return "unreadable";
  return usage === 0 ? "plain" : "protected";
}

function endOfPublicPart(bytes: Uint8Array): number | undefined {
  const header = headerSize(bytes);
  if (header === undefined || bytes[header] !== 4) return undefined;
  // Version, four bytes of time, then the algorithm.
  const algorithm = bytes[header + 5] ?? 0;
  const start = header + 6;
  const native = NATIVE[algorithm];
  if (native !== undefined) return start + native;
  const numbers = NUMBERS[algorithm];
  if (numbers !== undefined)
    return skip(
      bytes,
      start,
      Array.from({ length: numbers }, () => number),
    );
  // ECDSA and EdDSA: curve and point; ECDH has its key derivation behind them.
  if (algorithm === 19 || algorithm === 22) return skip(bytes, start, [sized, number]);
  if (algorithm === 18) return skip(bytes, start, [sized, number, sized]);
  return undefined;
}

/** Size of the header of a secret key or subkey packet in the new or the old format. */
function headerSize(bytes: Uint8Array): number | undefined {
  const [first = 0, second = 0] = bytes;
  if ((first & 0x80) === 0) return undefined;
  const isNew = (first & 0x40) !== 0;
  const tag = isNew ? first & 0x3f : (first >> 2) & 0x0f;
  if (tag !== 5 && tag !== 7) return undefined;
  if (isNew) return second < 192 ? 2 : second < 224 ? 3 : 6;
  return [2, 3, 5, 1][first & 3];
}

type Size = (bytes: Uint8Array, at: number) => number;
/** A number with its length in bits in front. */
const number: Size = (bytes, at) => 2 + Math.ceil((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) / 8);
/** Octets with their length in one byte in front. */
const sized: Size = (bytes, at) => 1 + (bytes[at] ?? 0);

function skip(bytes: Uint8Array, start: number, sizes: readonly Size[]): number {
  return sizes.reduce((at, size) => at + size(bytes, at), start);
}
