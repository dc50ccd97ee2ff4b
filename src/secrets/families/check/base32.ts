/** Base32 of RFC 4648 without padding. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes of a base32 text in either case; bits that fill no byte are dropped. Undefined for any other character. */
export function base32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const character of text.toUpperCase()) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return undefined;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

/** The first 5 bytes as eight upper-case base32 characters. */
export function base32OfFive(bytes: Uint8Array): string {
  let value = 0n;
  for (let at = 0; at < 5; at++) value = (value << 8n) | BigInt(bytes[at] as number);
  let text = "";
  for (let place = 35n; place >= 0n; place -= 5n) text += ALPHABET[Number((value >> place) & 31n)];
  return text;
}
