/**
 * Bytes of any file or stream as text, so that an encoding cannot hide a secret.
 *
 * Trust: the bytes are hostile. Nothing here throws; what is no text at all comes out as Latin-1, byte for character,
 * in which ASCII tokens are still found.
 */

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "latin1";

/** A decoded text. A byte order mark is not part of `text`. */
export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Bytes looked at to tell UTF-16 without a mark from other binary data. */
const SAMPLE_BYTES = 4_096;

/** Decodes by byte order mark, else by the places of NUL bytes. Invalid sequences become U+FFFD, never an error. */
export function decode(bytes: Uint8Array): Decoded {
  const encoding = guess(bytes);
  return { text: decodeAs(bytes, encoding), encoding };
}

/** The same with the encoding given: for a part of something longer. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "latin1") return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (encoding === "utf-32le") return utf32(bytes);
  let decoder = decoders.get(encoding);
  if (decoder === undefined) decoders.set(encoding, (decoder = new TextDecoder(encoding)));
  return decoder.decode(bytes);
}

/** Decoders keep nothing between whole texts, and making one costs as much as decoding a short file. */
const decoders = new Map<Encoding, TextDecoder>();

function guess(bytes: Uint8Array): Encoding {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  if (bytes.subarray(0, length).indexOf(0) < 0) return "utf-8";
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at++) {
    if (bytes[at] === 0) at % 2 === 0 ? even++ : odd++;
  }
  // Western text in UTF-16 has a NUL in nearly every second byte and none in the others.
  const pairs = Math.floor(length / 2);
  if (odd * 10 >= pairs * 4 && even * 20 <= odd) return "utf-16le";
  if (even * 10 >= pairs * 4 && odd * 20 <= even) return "utf-16be";
  return "latin1";
}

/** UTF-32, little endian, with its mark. Values that are no character become U+FFFD. */
function utf32(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, true);
    pieces.push(point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point));
  }
  return pieces.join("");
}
