/** Base58, plain and with the four check bytes of Bitcoin and its relatives. */
import { sha256 } from "./sha256.ts";

const BITCOIN = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The order the XRP ledger uses. */
export const XRP_ALPHABET = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

/** Longest text that is decoded, in characters; the work grows with its square. */
const LONGEST = 200;

/** The bytes a base58 text stands for; undefined when it holds another character or is too long for a key. */
export function base58(text: string, alphabet = BITCOIN): Uint8Array | undefined {
  if (text.length > LONGEST) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    let carry = alphabet.indexOf(character);
    if (carry < 0) return undefined;
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] as number) * 58;
      bytes[at] = carry & 0xff;
      carry >>= 8;
    }
    while (carry > 0) {
      bytes.push(carry & 0xff);
      carry >>= 8;
    }
  }
  for (let at = 0; at < text.length && text[at] === alphabet[0]; at++) bytes.push(0);
  return Uint8Array.from(bytes.reverse());
}

/** The payload in front of the four check bytes (double SHA-256); undefined when they do not hold. */
export function base58check(text: string, alphabet = BITCOIN): Uint8Array | undefined {
  const bytes = base58(text, alphabet);
  if (bytes === undefined || bytes.length < 5) return undefined;
  const payload = bytes.subarray(0, -4);
  const check = sha256(sha256(payload));
  return bytes.subarray(-4).every((byte, at) => byte === check[at]) ? payload : undefined;
}

/** Whether bytes begin with these. */
export function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}
