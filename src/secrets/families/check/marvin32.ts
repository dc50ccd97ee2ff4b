/** Marvin32, the .NET hash that Azure's identifiable keys end with (token-families.md §2 and §4). */

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** Marvin32 of `bytes`; the seed is an eight-character name read as a big-endian number. Unsigned. */
export function marvin32(seed: string, bytes: Uint8Array): number {
  let high = word(seed, 0);
  let low = word(seed, 4);
  const mix = (): void => {
    high ^= low;
    low = rotate(low, 20);
    low = (low + high) | 0;
    high = rotate(high, 9);
    high ^= low;
    low = rotate(low, 27);
    low = (low + high) | 0;
    high = rotate(high, 19);
  };
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    low = (low + littleEndian(bytes, at)) | 0;
    mix();
  }
  // The rest, closed with 0x80, makes the last word.
  let tail = 0x80;
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | (bytes[at] as number);
  low = (low + tail) | 0;
  mix();
  mix();
  return (low ^ high) >>> 0;
}

function word(name: string, at: number): number {
  return (name.charCodeAt(at) << 24) | (name.charCodeAt(at + 1) << 16) | (name.charCodeAt(at + 2) << 8) | name.charCodeAt(at + 3);
}

/** Four bytes, least significant first, as a signed number. */
function littleEndian(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}
