/**
 * Whether a whole string is a valid token of the closed list (D-13), worked out a second time and in another way than in `src/`.
 *
 * Where the product makes the check and compares texts, this takes the written check apart and compares numbers: digits are
 * read with BigInt, bech32 is divided as a polynomial over GF(32), Marvin32 runs on 64-bit integers, keys are derived by
 * OpenSSL's code. It knows nothing of needles, boundaries, placeholders.
 */
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const BASE62 = DIGITS + UPPER + LOWER;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE58_XRP = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";
const BASE64 = `${UPPER}${LOWER}${DIGITS}+/`;
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** The number a text writes in an alphabet's digits; undefined when another character is in it. */
function numberIn(text: string, alphabet: string): bigint | undefined {
  let value = 0n;
  const base = BigInt(alphabet.length);
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * base + BigInt(digit);
  }
  return value;
}

/** CRC-32 by the polynomial as it is written in the standard, most significant bit first, with the bits of bytes and result turned round. */
function crc32(text: string | Uint8Array): bigint {
  const turned = (value: number, bits: number): number => {
    let result = 0;
    for (let bit = 0; bit < bits; bit++) if (value & (1 << bit)) result |= 1 << (bits - 1 - bit);
    return result;
  };
  let rest = -1;
  for (const byte of typeof text === "string" ? Buffer.from(text, "latin1") : text) {
    rest ^= turned(byte, 8) << 24;
    for (let bit = 0; bit < 8; bit++) rest = rest < 0 ? (rest << 1) ^ 0x04c11db7 : rest << 1;
  }
  return BigInt(~turned(rest, 32) >>> 0);
}

const digest = (algorithm: string, ...pieces: (string | Uint8Array)[]): Buffer => {
  const hash = createHash(algorithm);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
};

const bigEndian = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
const littleEndian = (bytes: Uint8Array): bigint => bigEndian(Uint8Array.from(bytes).reverse());

/** Bytes of a base-58 text, leading zeros kept. */
function bytes58(text: string, alphabet = BASE58): Buffer | undefined {
  const value = numberIn(text, alphabet);
  if (value === undefined) return undefined;
  const hex = value === 0n ? "" : value.toString(16);
  const zeros = text.length - text.replace(new RegExp(`^${alphabet[0]}+`), "").length;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex")]);
}

function payload58(text: string, alphabet = BASE58): Buffer | undefined {
  const bytes = bytes58(text, alphabet);
  if (bytes === undefined || bytes.length < 5) return undefined;
  const payload = bytes.subarray(0, -4);
  return digest("sha256", digest("sha256", payload)).subarray(0, 4).equals(bytes.subarray(-4)) ? payload : undefined;
}

// GF(32) with x^5 + x^3 + 1.
function times(a: number, b: number): number {
  let result = 0;
  for (let bit = 0; bit < 5; bit++) if ((b >> bit) & 1) result ^= a << bit;
  for (let bit = 8; bit >= 5; bit--) if ((result >> bit) & 1) result ^= 0b101001 << (bit - 5);
  return result;
}
const PRODUCTS = Array.from({ length: 32 }, (_, a) => Array.from({ length: 32 }, (_, b) => times(a, b)));

/** Number of data bytes of a valid bech32 text; undefined when the rest of the division is not 1 or the padding not zero. */
function bech32Bytes(text: string, hrp: string): Buffer | undefined {
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${hrp}1`)) return undefined;
  const data = [...lower.slice(hrp.length + 1)].map((character) => BECH32.indexOf(character));
  if (data.includes(-1) || data.length < 6) return undefined;
  const codes = [...hrp].map((character) => character.charCodeAt(0));
  const polynomial = [1, ...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...data];
  const generator = [29, 22, 20, 21, 29, 18];
  for (let at = 0; at + 6 < polynomial.length; at++) {
    const lead = polynomial[at] as number;
    if (lead === 0) continue;
    generator.forEach((coefficient, place) => {
      polynomial[at + 1 + place] = (polynomial[at + 1 + place] as number) ^ ((PRODUCTS[lead] as number[])[coefficient] as number);
    });
  }
  if (polynomial.slice(-6).join() !== "0,0,0,0,0,1") return undefined;
  const bits = data
    .slice(0, -6)
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  const whole = bits.length - (bits.length % 8);
  if (/1/.test(bits.slice(whole)) || bits.length - whole > 4) return undefined;
  return Buffer.from((bits.slice(0, whole).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function marvin32(name: string, data: Uint8Array): bigint {
  const mask = 0xffffffffn;
  const seed = bigEndian(Buffer.from(name, "latin1"));
  let low = seed & mask;
  let high = seed >> 32n;
  const turn = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & mask;
  const padded = [...data, 0x80];
  while (padded.length % 4 !== 0) padded.push(0);
  const words = Array.from({ length: padded.length / 4 }, (_, at) => littleEndian(Uint8Array.from(padded.slice(4 * at, 4 * at + 4))));
  for (const word of [...words, 0n]) {
    low = (low + word) & mask;
    high ^= low;
    low = (turn(low, 20n) + high) & mask;
    high = turn(high, 9n) ^ low;
    low = (turn(low, 27n) + high) & mask;
    high = turn(high, 19n);
  }
  return low ^ high;
}

/** Signature of an Azure key, decoded size, seeds. */
const AZURE: readonly (readonly [signature: string, size: number, seeds: string])[] = [
  ["+ASt", 64, "Default0"],
  ["ACDb", 64, "MastRW00 MastRO00 Encryp00 Resour00 SysAll00 SystRO00 SystRW00"],
  ["+ABa", 64, "AbAcct00"],
  ["+AMC", 64, "Classic0"],
  ["APIM", 64, "Tenant00 IoTHub00 GitKey00 Gatewy00"],
  ["+ASb", 32, "Send0000 Listen00 Manage00"],
  ["+AEh", 32, "Send0000 Listen00 Manage00"],
  ["+ARm", 32, "Send0000 Listen00 Manage00"],
  ["AIoT", 32, "IoTHub00 DpsKey00 Device00"],
  ["AzCa", 32, "Access00"],
  ["AZEG", 32, "Default0"],
  ["AzFu", 40, "Functi00 Master00 System00"],
  ["AzSe", 39, "Query000 PAdmin00"],
  ["+ACR", 39, "ACRDflt0"],
];

/** Spare bits of the last character carry nothing; they are dropped, as the issuer's own decoder drops them. */
function isAzure(text: string): boolean {
  const bare = text.replace(/=+$/, "");
  const found = AZURE.find(([signature, size]) => bare.length === Math.ceil((size * 8) / 6) && bare.slice(-10, -6) === signature);
  if (found === undefined) return false;
  const [signature, size, seeds] = found;
  const urlSafe = signature.startsWith("Az") && size !== 32;
  const value = numberIn(bare, urlSafe ? `${BASE64.slice(0, 62)}-_` : BASE64);
  if (value === undefined) return false;
  const padding = text.length - bare.length;
  const wanted = (3 - (size % 3)) % 3;
  if (padding !== wanted && !(signature === "AzFu" && padding === 0)) return false;
  const bits = value >> BigInt(bare.length * 6 - size * 8);
  const bytes = Buffer.from(bits.toString(16).padStart(size * 2, "0"), "hex");
  return seeds.split(" ").some((seed) => marvin32(seed, bytes.subarray(0, -4)) === littleEndian(bytes.subarray(-4)));
}

function isAzureDevOps(text: string): boolean {
  const value = numberIn(text, `${LOWER}234567`);
  if (value === undefined || text.length !== 52) return false;
  const bytes = Buffer.from((value >> 4n).toString(16).padStart(64, "0"), "hex");
  const rest = Buffer.concat([bytes.subarray(0, 2), bytes.subarray(3, 7), bytes.subarray(9, 22), bytes.subarray(23)]);
  const written = bigEndian(Uint8Array.of(bytes[2] as number, bytes[7] as number, bytes[8] as number, bytes[22] as number));
  return [0xe0b9692dn, 0x1019f92en].includes(crc32(rest) ^ written);
}

function isKeyPair(bytes: Uint8Array): boolean {
  if (bytes.length !== 64) return false;
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytes.subarray(0, 32)]),
    format: "der",
    type: "pkcs8",
  });
  return createPublicKey(key)
    .export({ format: "der", type: "spki" })
    .subarray(-32)
    .equals(Buffer.from(bytes.subarray(32)));
}

function isRoutable(text: string): boolean {
  const parts =
    /^(.*?gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|wt|soat|ffct)-)(?:t\d_)?([\w-]{27,300})(?:\.01)?\.([\da-z]{2})([\da-z]{7})$/.exec(text);
  if (parts === null || !/^(?:[0-9A-Za-z][\w-]{0,31}-)?gl[a-z]+-$/.test(parts[1] as string)) return false;
  const base36 = DIGITS + LOWER;
  const plain = numberIn(parts[3] as string, base36) === BigInt((parts[2] as string).length);
  // What looks like a runner's type may as well begin the payload.
  const typed = /gl[a-z]+-t\d_/.test(text) && numberIn(parts[3] as string, base36) === BigInt((parts[2] as string).length + 3);
  return (plain || typed) && numberIn(parts[4] as string, base36) === crc32(text.slice(0, -7));
}

const tail = (text: string, digits: number, alphabet = BASE62): bigint | undefined => numberIn(text.slice(-digits), alphabet);
const hex = (text: string): bigint | undefined => (/^[\da-f]{8}$/.test(text) ? BigInt(`0x${text}`) : undefined);
const HEX = (text: string): bigint | undefined => (/^[\dA-F]{8}$/.test(text) ? BigInt(`0x${text}`) : undefined);
/** Six digits over what stands between prefix and check. */
const body62 = (text: string, prefix: string): boolean => tail(text, 6) === crc32(text.slice(prefix.length, -6));

type Rule = readonly [layout: RegExp, holds: (text: string, prefix: string) => boolean];

/** A layout whose first group is the prefix, and what its check has to be. */
const RULES: readonly Rule[] = [
  [/^(gh[opsu]_)[0-9A-Za-z]{36}$/, body62],
  [/^(ghr_)[0-9A-Za-z]{76}$/, body62],
  [
    /^(github_pat_)[0-9A-Za-z]{22}_[0-9A-Za-z]{59}$/,
    (text) => numberIn(text.slice(77, 85), `${UPPER}234567`) === bigEndian(digest("sha256", text.slice(0, 77)).subarray(0, 5)),
  ],
  [/^(npm_)[0-9A-Za-z]{36}$/, body62],
  [/^(glsa_)[0-9A-Za-z]{32}_[\da-f]{8}$/, (text) => littleEndian(Buffer.from(text.slice(-8), "hex")) === crc32(text.slice(0, -9))],
  [/^(ATATT3xFfGF0|ATCTT3xFfGN0)[\w-]{100,300}=[\dA-F]{8}$/, (text) => HEX(text.slice(-8)) === crc32(text.slice(0, -8))],
  [/^(ATBB)[0-9A-Za-z]{24}[\dA-F]{8}$/, (text) => HEX(text.slice(-8)) === crc32(text.slice(0, -8))],
  [
    /^(cflt)[0-9A-Za-z+/]{60}$/,
    (text) => {
      const check = tail(text, 6, BASE64) as bigint;
      const bytes = Buffer.from((check >> 4n).toString(16).padStart(8, "0"), "hex");
      return (check & 15n) === 0n && littleEndian(bytes) === crc32(text.slice(4, -6));
    },
  ],
  [/^(cfut_|cfk_)[0-9A-Za-z]{40}[\da-f]{8}$/, (text, prefix) => hex(text.slice(-8)) === crc32(text.slice(prefix.length, -8))],
  [/^(vc[piark]_)[\w-]{50}[0-9A-Za-z]{6}$/, body62],
  [/^(zpka_)[\da-z]{32}_[\da-fA-F]{8}$/, (text) => hex(text.slice(-8).toLowerCase()) === crc32(text.slice(5, -9))],
  [/^(jsr[dpw]_)[0-9A-Za-z]{35}$/, (text) => tail(text, 6) === crc32(text.slice(0, -6))],
  [/^(polar_(?:oat|pat|at_u|at_o|rt_u|rt_o|cs|crt|us|mst|cst)_)[0-9A-Za-z]{43}$/, body62],
  [/^(sy[tr]_)[0-9A-Za-z+/]{1,344}_[A-Za-z]{20}_[0-9A-Za-z]{6}$/, (text) => tail(text, 6) === crc32(text.slice(0, -7))],
  [/^(m(?:at|ar|ct|cr)_)[0-9A-Za-z]{30}_[0-9A-Za-z]{6}$/, (text) => tail(text, 6) === crc32(text.slice(0, -7))],
  [/^(rbp_)[0-9A-Za-z]{251}$/, (text) => [tail(text, 6), tail(text, 6, DIGITS + LOWER + UPPER)].includes(crc32(text.slice(4, -6)))],
  [
    /^(sb_secret_)[\w-]{22}_[\w-]{8}$/,
    (text) => Buffer.from(text.slice(-8), "base64url").equals(digest("sha256", `supabase-self-hosted|${text.slice(0, -9)}`).subarray(0, 6)),
  ],
  [/^(AGE-SECRET-KEY-1)[02-9AC-HJ-NP-Z]+$/, (text) => bech32Bytes(text, "age-secret-key-")?.length === 32],
  [/^(AGE-SECRET-KEY-PQ-1)[02-9AC-HJ-NP-Z]+$/, (text) => bech32Bytes(text, "age-secret-key-pq-")?.length === 32],
  [/^(nsec1)[02-9ac-hj-np-z]+$/, (text) => bech32Bytes(text, "nsec")?.length === 32],
  [
    /^(suiprivkey1)[02-9ac-hj-np-z]+$/,
    (text) => {
      const bytes = bech32Bytes(text, "suiprivkey");
      return bytes?.length === 33 && (bytes[0] as number) <= 2;
    },
  ],
  [
    /^((?:ed25519e?_sk|(?:root|acct|addr)_xsk)1)[02-9ac-hj-np-z]+$/,
    (text, prefix) => [32, 64, 96, 128].includes(bech32Bytes(text, prefix.slice(0, -1))?.length ?? 0),
  ],
  [/^(secret-extended-key-main1)[02-9ac-hj-np-z]+$/, (text) => bech32Bytes(text, "secret-extended-key-main")?.length === 169],
  [
    /^([xtyzuv]prv)[1-9A-HJ-NP-Za-km-z]{107}$/,
    (text) => {
      const payload = payload58(text);
      return payload?.length === 78 && payload[45] === 0;
    },
  ],
  [
    /^([5KL9c])[1-9A-HJ-NP-Za-km-z]{50,51}$/,
    (text) => {
      const payload = payload58(text);
      return (payload?.[0] === 0x80 || payload?.[0] === 0xef) && (payload.length === 33 || (payload.length === 34 && payload[33] === 1));
    },
  ],
  [
    /^(s)[1-9A-HJ-NP-Za-km-z]{28,30}$/,
    (text) => {
      const hex = payload58(text, BASE58_XRP)?.toString("hex") ?? "";
      return /^(?:21.{32}|01e14b.{32})$/.test(hex);
    },
  ],
  [
    /^(PVT_[KR]1_)[1-9A-HJ-NP-Za-km-z]+$/,
    (text, prefix) => {
      const bytes = bytes58(text.slice(prefix.length));
      return (
        bytes?.length === 36 && digest("ripemd160", bytes.subarray(0, 32), prefix.slice(4, 6)).subarray(0, 4).equals(bytes.subarray(32))
      );
    },
  ],
  [
    /^(edsk|spsk|p2sk)[1-9A-HJ-NP-Za-km-z]{50,94}$/,
    (text, prefix) => {
      const hex = payload58(text)?.toString("hex") ?? "";
      const short = { edsk: "0d0f3a07", spsk: "11a2e0c9", p2sk: "1051eebd" }[prefix] as string;
      return (hex.length === 72 && hex.startsWith(short)) || (prefix === "edsk" && hex.length === 136 && hex.startsWith("2bf64e07"));
    },
  ],
  [/^()[1-9A-HJ-NP-Za-km-z]{86,88}$/, (text) => isKeyPair(bytes58(text) ?? new Uint8Array())],
  [/^(k4\.secret\.)[\w-]{86}$/, (text) => isKeyPair(Buffer.from(text.slice(10), "base64url"))],
  [
    /^(\[)(?:\d{1,3},){63}\d{1,3}\]$/,
    (text) => {
      const numbers = text.slice(1, -1).split(",").map(Number);
      return numbers.every((number) => number < 256) && isKeyPair(Uint8Array.from(numbers));
    },
  ],
];

/** Whether the whole text is a valid token of D-13. */
export function isValid(text: string): boolean {
  for (const [layout, holds] of RULES) {
    const prefix = layout.exec(text)?.[1];
    if (prefix !== undefined && holds(text, prefix)) return true;
  }
  return isAzure(text) || isAzureDevOps(text) || isRoutable(text);
}
