/** Keys of wallets whose words everybody knows: what Hardhat, Anvil, Ganache and Truffle start with, derived as they do it (BIP-32, m/44'/60'/0'/0/i). */
import { createHmac, pbkdf2Sync } from "node:crypto";

/** The words by the tool that prints them. */
export const PUBLISHED_WORDS = {
  anvil: "test test test test test test test test test test test junk",
  ganache: "myth like bonus scare over problem client lizard pioneer submit female collect",
  truffle: "candy maple cake sugar pudding cream honey rich smooth crumble sweet treat",
} as const;

const PRIME = 2n ** 256n - 2n ** 32n - 977n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const BASE: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];

/** Undefined: the point at infinity. */
type Point = readonly [bigint, bigint] | undefined;

/** The private keys of the first accounts, 64 lower-case hex digits each. */
export function walletKeys(words: string, count: number): readonly string[] {
  const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
  let node: Buffer = createHmac("sha512", "Bitcoin seed").update(seed).digest();
  for (const index of [0x8000002c, 0x8000003c, 0x80000000, 0]) node = child(node, index);
  const account = node;
  return Array.from({ length: count }, (_, index) => child(account, index).subarray(0, 32).toString("hex"));
}

function child(node: Buffer, index: number): Buffer {
  const key = node.subarray(0, 32);
  const number = Buffer.alloc(4);
  number.writeUInt32BE(index);
  const data = Buffer.concat([index >= 0x80000000 ? Buffer.concat([Buffer.of(0), key]) : publicKey(key), number]);
  const made = createHmac("sha512", node.subarray(32)).update(data).digest();
  const sum = (numberOf(made.subarray(0, 32)) + numberOf(key)) % ORDER;
  return Buffer.concat([bytes(sum), made.subarray(32)]);
}

/** The compressed point that belongs to a key. */
function publicKey(key: Buffer): Buffer {
  let left = numberOf(key);
  let sum: Point;
  for (let power = BASE; left > 0n; left >>= 1n, power = plus(power, power)) if (left & 1n) sum = plus(sum, power);
  const [x, y] = sum ?? [0n, 0n];
  return Buffer.concat([Buffer.of(y & 1n ? 3 : 2), bytes(x)]);
}

function plus(one: Point, other: Point): Point {
  if (one === undefined || other === undefined) return one ?? other;
  const [[x1, y1], [x2, y2]] = [one, other];
  if (x1 === x2 && y1 !== y2) return undefined;
  const slope = mod(x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1) : (y2 - y1) * inverse(x2 - x1));
  const x = mod(slope * slope - x1 - x2);
  return [x, mod(slope * (x1 - x) - y1)];
}

function mod(value: bigint): bigint {
  return ((value % PRIME) + PRIME) % PRIME;
}

function inverse(value: bigint): bigint {
  let [a, b, x, y] = [mod(value), PRIME, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return mod(x);
}

const numberOf = (part: Uint8Array): bigint => BigInt(`0x${Buffer.from(part).toString("hex")}`);
const bytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, "0"), "hex");
