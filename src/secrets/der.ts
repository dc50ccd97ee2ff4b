/**
 * Reads just enough DER to tell whether bytes are a private key: PKCS#1, PKCS#8, SEC 1.
 *
 * Trust: the bytes are hostile; every length is checked against what is there. That the numbers belong together
 * (n = p·q) is proved elsewhere; here a made-up structure of the right form passes.
 */

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Bytes the whole element takes. */
  readonly size: number;
}

const INTEGER = 0x02;
const OCTETS = 0x04;
const OBJECT = 0x06;
const SEQUENCE = 0x30;

/** One element at the start; undefined when the length is indefinite, absurd or beyond the end. */
function element(bytes: Uint8Array): Element | undefined {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return whole(bytes, tag, 2, first);
  const count = first & 0x7f;
  if (count === 0 || count > 3) return undefined;
  let length = 0;
  for (let at = 0; at < count; at++) length = length * 256 + (bytes[2 + at] ?? 0);
  return whole(bytes, tag, 2 + count, length);
}

function whole(bytes: Uint8Array, tag: number, header: number, length: number): Element | undefined {
  const size = header + length;
  return size > bytes.length ? undefined : { tag, content: bytes.subarray(header, size), size };
}

/** Elements one after another; undefined when something is left over or there are more than any key has. */
function elements(bytes: Uint8Array): readonly Element[] | undefined {
  const found: Element[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = element(rest);
    if (next === undefined || found.length >= 32) return undefined;
    found.push(next);
    rest = rest.subarray(next.size);
  }
  return found;
}

/** Whether the bytes are an unencrypted private key in one of the three forms. */
export function isPrivateKeyDer(bytes: Uint8Array): boolean {
  const outer = element(bytes);
  if (outer?.tag !== SEQUENCE || outer.size !== bytes.length) return false;
  const parts = elements(outer.content);
  if (parts === undefined || parts.length < 2) return false;
  const [version, second, third] = parts as [Element, Element, Element | undefined];
  if (version.tag !== INTEGER || version.content.length !== 1) return false;
  // PKCS#8: algorithm, then the key inside.
  if (second.tag === SEQUENCE) return elements(second.content)?.[0]?.tag === OBJECT && third?.tag === OCTETS && third.content.length >= 16;
  // SEC 1: version 1, then the number as octets.
  if (second.tag === OCTETS) return version.content[0] === 1 && second.content.length >= 16 && second.content.length <= 66;
  // PKCS#1 has eight numbers behind the version, the older DSA form five; the first is the modulus or the prime.
  return parts.every((part) => part.tag === INTEGER || part.tag === SEQUENCE) && parts.length >= 6 && second.content.length >= 48;
}
