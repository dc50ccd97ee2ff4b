/** CRC-32 as in zlib and PNG, and the ways issuers write it (token-families.md §2). */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** CRC-32 of the ASCII text or the bytes, as an unsigned number. */
export function crc32(covered: string | Uint8Array): number {
  return Bun.hash.crc32(covered);
}

/** Six digits: 0-9, A-Z, a-z. */
export function base62(value: number): string {
  let text = "";
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) text = DIGITS.charAt(rest % 62) + text;
  return text;
}

/** Seven digits: 0-9, a-z. */
export function base36(value: number): string {
  return value.toString(36).padStart(7, "0");
}

/** Eight lower-case hex digits, most significant byte first. */
export function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

/** Eight lower-case hex digits, least significant byte first. */
export function hexReversed(value: number): string {
  return hex(((value & 0xff) * 0x1000000 + ((value & 0xff00) << 8) + ((value >>> 8) & 0xff00) + (value >>> 24)) >>> 0);
}

/** The four bytes, least significant first. */
export function littleEndian(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);
}
