/**
 * Ed25519 key pairs that prove themselves: the public half follows from the seed (token-families.md §5).
 *
 * Plain arithmetic (RFC 8032) instead of Node's crypto, which the hook does not load. Some milliseconds per pair: callers
 * check the shape first and bound how often they ask. It runs in variable time, which is fine: the key is in the text already.
 */
import { sha512 } from "./sha256.ts";

type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];

/** Whether 64 bytes are a seed followed by its own public key. */
export function isKeyPair(bytes: Uint8Array): boolean {
  if (bytes.length !== 64) return false;
  const p = (1n << 255n) - 19n;
  const mod = (value: bigint): bigint => ((value % p) + p) % p;
  const d2 = 0x2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159n;
  const add = (a: Point, b: Point): Point => {
    const e1 = mod((a[1] - a[0]) * (b[1] - b[0]));
    const e2 = mod((a[1] + a[0]) * (b[1] + b[0]));
    const e3 = mod(d2 * a[3] * b[3]);
    const e4 = 2n * a[2] * b[2];
    const e = e2 - e1;
    const f = mod(e4 - e3);
    const g = mod(e4 + e3);
    const h = e2 + e1;
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  };
  const seed = bytes.slice(0, 32);
  const digest = sha512(seed).slice(0, 32);
  digest[0] = (digest[0] as number) & 248;
  digest[31] = ((digest[31] as number) & 127) | 64;
  let scalar = littleEndian(digest);
  const baseX = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
  const baseY = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;
  let power: Point = [baseX, baseY, 1n, mod(baseX * baseY)];
  let sum: Point = [0n, 1n, 1n, 0n];
  for (; scalar > 0n; scalar >>= 1n) {
    if (scalar & 1n) sum = add(sum, power);
    power = add(power, power);
  }
  // Compared without dividing: the stored y and sign against x/z and y/z.
  const stored = littleEndian(bytes.slice(32));
  const y = stored & ((1n << 255n) - 1n);
  if (mod(y * sum[2] - sum[1]) !== 0n) return false;
  const x = mod(sum[0] * inverse(sum[2], p));
  return (x & 1n) === stored >> 255n;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toReversed().toHex()}`);
}

/** Inverse modulo a prime, by Fermat. */
function inverse(value: bigint, p: bigint): bigint {
  let result = 1n;
  let square = value % p;
  for (let power = p - 2n; power > 0n; power >>= 1n) {
    if (power & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}
