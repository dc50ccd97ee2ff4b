/** bech32 (BIP-173) without its 90-character cap, which key formats ignore. */

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The data bytes of a valid bech32 text in one case; undefined when the check does not hold or the padding is not zero. */
export function bech32(text: string): Uint8Array | undefined {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return undefined;
  const split = lower.lastIndexOf("1");
  if (split < 1 || lower.length - split < 7) return undefined;
  const values: number[] = [];
  for (let at = split + 1; at < lower.length; at++) {
    const value = ALPHABET.indexOf(lower[at] as string);
    if (value < 0) return undefined;
    values.push(value);
  }
  let check = 1;
  const take = (value: number): void => {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) check ^= GENERATORS[bit] as number;
  };
  for (let at = 0; at < split; at++) take(lower.charCodeAt(at) >> 5);
  take(0);
  for (let at = 0; at < split; at++) take(lower.charCodeAt(at) & 31);
  for (const value of values) take(value);
  return check === 1 ? bytesOf(values.slice(0, -6)) : undefined;
}

function bytesOf(groups: readonly number[]): Uint8Array | undefined {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const group of groups) {
    held = ((held << 5) | group) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return bits < 5 && (held & ((1 << bits) - 1)) === 0 ? Uint8Array.from(bytes) : undefined;
}
