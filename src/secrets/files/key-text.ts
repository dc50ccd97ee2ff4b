/**
 * Private keys as text in a credential file: where the block stands and what its bytes prove.
 *
 * Trust: the armour is a claim; only the bytes inside count. `proven` means that the key's own numbers fit each
 * other (OpenSSH: the two check numbers and the public half; RSA: n = p·q), so a made-up block is not one.
 */

import { CHOSEN } from "../../limits.ts";
import { isPrivateKeyDer } from "../der.ts";

/** A private key block in a text. */
export interface KeyBlock {
  readonly start: number;
  readonly end: number;
  readonly format: "openssh" | "pem";
  /** `proven` and `wellFormed` hold a usable key; `encrypted` needs its passphrase; `broken` is none. */
  readonly state: "proven" | "wellFormed" | "encrypted" | "broken";
}

const BEGIN = "-----BEGIN ";

/** Every private key block. `\n` written out counts as a line end, so blocks inside JSON are seen. */
export function keyBlocks(text: string): readonly KeyBlock[] {
  const found: KeyBlock[] = [];
  for (let at = text.indexOf(BEGIN), next: number; at >= 0; at = next) {
    next = text.indexOf(BEGIN, at + BEGIN.length);
    const label = /^-----BEGIN ((?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY)-----/.exec(text.slice(at, at + 80))?.[1];
    if (label === undefined) continue;
    const tail = `-----END ${label}-----`;
    // No block reaches over the next beginning, so a row of beginnings costs one pass over the text.
    const limit = Math.min(next < 0 ? text.length : next, at + CHOSEN.private_key_chars + tail.length);
    const inside = text.slice(at, limit).indexOf(tail);
    if (inside < 0) continue;
    const close = at + inside;
    const body = text
      .slice(at + BEGIN.length + label.length + 5, close)
      .replaceAll("\\n", "\n")
      .replaceAll("\\r", "");
    const format = label.startsWith("OPENSSH") ? "openssh" : "pem";
    found.push({ start: at, end: close + tail.length, format, state: stateOf(label, body) });
  }
  return found;
}

/** True for a text that is one usable private key and nothing else. */
export function isKeyText(value: string): boolean {
  const block = keyBlocks(value)[0];
  return block !== undefined && (block.state === "proven" || block.state === "wellFormed") && value.slice(0, block.start).trim() === "";
}

function stateOf(label: string, body: string): KeyBlock["state"] {
  if (label.startsWith("ENCRYPTED") || /Proc-Type:[ \t]{0,8}4,ENCRYPTED/.test(body)) return "encrypted";
  const base64 = body.replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]{40,}={0,2}$/.test(base64)) return "broken";
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  if (label.startsWith("OPENSSH")) return openSsh(bytes);
  return der(bytes, label.startsWith("RSA"));
}

/** RFC 4251 strings: a four-byte length, then the bytes. */
class Reader {
  #at: number;
  readonly #bytes: Uint8Array;
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }
  number(): number {
    const bytes = this.#bytes.subarray(this.#at, this.#at + 4);
    this.#at += 4;
    return bytes.length < 4 ? -1 : bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  }
  string(): Uint8Array | undefined {
    const length = this.number();
    if (length < 0 || length > this.#bytes.length - this.#at) return undefined;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

const ascii = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "" : Buffer.from(bytes).toString("latin1"));

/** PROTOCOL.key of OpenSSH: magic, cipher, key derivation, options, count, public key, private part. */
function openSsh(bytes: Uint8Array): KeyBlock["state"] {
  const magic = "openssh-key-v1\0";
  if (ascii(bytes.subarray(0, magic.length)) !== magic) return "broken";
  const outer = new Reader(bytes, magic.length);
  const cipher = ascii(outer.string());
  outer.string();
  outer.string();
  const count = outer.number();
  const publicKey = outer.string();
  const inner = outer.string();
  if (publicKey === undefined || inner === undefined || count < 1) return "broken";
  if (cipher !== "none") return "encrypted";
  const part = new Reader(inner, 0);
  if (part.number() !== part.number()) return "broken";
  const type = part.string();
  const wanted = new Reader(publicKey, 0).string();
  if (type === undefined || ascii(type) !== ascii(wanted)) return "broken";
  if (ascii(type) !== "ssh-ed25519") return "proven";
  const outside = new Reader(publicKey, 0);
  outside.string();
  const half = ascii(outside.string());
  const again = ascii(part.string());
  const secret = ascii(part.string());
  return half !== "" && again === half && secret.endsWith(half) ? "proven" : "broken";
}

/** One DER element's content; undefined when it does not fit. */
function element(bytes: Uint8Array, at: number, tag: number): { readonly content: Uint8Array; readonly next: number } | undefined {
  if (bytes[at] !== tag) return undefined;
  let length = bytes[at + 1] ?? 0;
  let start = at + 2;
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count < 1 || count > 3) return undefined;
    length = bytes.subarray(start, start + count).reduce((sum, byte) => sum * 256 + byte, 0);
    start += count;
  }
  return start + length <= bytes.length ? { content: bytes.subarray(start, start + length), next: start + length } : undefined;
}

/** PKCS#1, SEC 1 or PKCS#8. RSA proves itself by n = p·q. */
function der(bytes: Uint8Array, rsa: boolean): KeyBlock["state"] {
  const outer = element(bytes, 0, 0x30);
  if (outer === undefined || !isPrivateKeyDer(bytes)) return "broken";
  if (rsa) return rsaFits(outer.content) ? "proven" : "broken";
  const version = element(outer.content, 0, 0x02);
  const algorithm = version === undefined ? undefined : element(outer.content, version.next, 0x30);
  if (algorithm === undefined || !ascii(algorithm.content).includes("\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01")) return "wellFormed";
  const key = element(outer.content, algorithm.next, 0x04);
  const inside = key === undefined ? undefined : element(key.content, 0, 0x30);
  return inside !== undefined && rsaFits(inside.content) ? "proven" : "broken";
}

/** version, n, e, d, p, q … as INTEGERs. */
function rsaFits(content: Uint8Array): boolean {
  const numbers: bigint[] = [];
  for (let at = 0; numbers.length < 6; ) {
    const next = element(content, at, 0x02);
    if (next === undefined || next.content.length > CHOSEN.rsa_number_bytes) return false;
    numbers.push(next.content.length === 0 ? 0n : BigInt(`0x${Buffer.from(next.content).toString("hex")}`));
    at = next.next;
  }
  const [, n, , , p, q] = numbers;
  return n !== undefined && p !== undefined && q !== undefined && p > 1n && q > 1n && n === p * q;
}
