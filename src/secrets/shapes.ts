/**
 * Secrets without a marker that a filter could look for, found by their length and proved by their check (D-13):
 * the old Azure DevOps token, Bitcoin private keys for import, XRP seeds, Solana key files. Beside them tokens that are known
 * by all their parts, and crates.io's.
 *
 * All checks have 32 bits or more; the ones with 16 (NATS, Stellar) are not on the list and stay vendor patterns.
 */
import { isAzureDevOps } from "./families/azure.ts";
import { base32 } from "./families/check/base32.ts";
import { base58, base58check, startsWith, XRP_ALPHABET } from "./families/check/base58.ts";
import { crc16 } from "./families/check/crc16.ts";
import { isKeyPair } from "./families/check/ed25519.ts";
import type { Budget } from "./families/family.ts";
import { isPlaceholderBody } from "./placeholders.ts";
import { DIGITS, kindOf, LETTERS } from "./runs.ts";
import type { Secret } from "./secret.ts";
import { surveyOf } from "./survey.ts";

/** Shortest and longest run that is looked at, in characters. */
const SHORTEST = 29;
const LONGEST = 88;
/** A crates.io token, and the part of an Airtable token behind its dot: as long as a digest, which has no dot in front. */
const CRATES = 35;
const AIRTABLE = 64;
const ALPHANUMERIC = kindOf(DIGITS + LETTERS);

type Named = Pick<Secret, "family" | "title" | "grade" | "kind">;
/** A name, and where the value stands when that is more than the run. */
type Found = Named & Partial<Pick<Secret, "start" | "end">>;
const proven = (family: string, title: string): Named => ({ family, title, grade: "token", kind: "checksum" });
const seen = (family: string, title: string): Named => ({ family, title, grade: "vendor", kind: "pattern" });

/** What can be found by shape. */
export const SHAPES = {
  devops: proven("azure", "Azure DevOps token"),
  bitcoin: proven("bitcoin", "Bitcoin private key"),
  xrp: proven("xrp", "XRP seed"),
  solana: proven("solana", "Solana key"),
  encryptedBitcoin: seen("bitcoin", "encrypted Bitcoin key"),
  stellar: seen("stellar", "Stellar seed"),
  nats: seen("nats", "NATS seed"),
  crates: seen("crates-io", "crates.io token"),
  airtable: seen("airtable", "Airtable token"),
  bitwarden: seen("bitwarden", "Bitwarden machine account token"),
} as const;

/** Everything found by shape. The budget is shared with the families. */
export function shapes(text: string, budget: Budget): readonly Secret[] {
  const secrets: Secret[] = [];
  runs(text, (start, end) => {
    const value = text.slice(start, end);
    const named = name(value, text, start, budget);
    if (named === undefined || isPlaceholderBody(value)) return;
    // Check data of 32 bits are boundary enough.
    if (named.start !== undefined && named.end !== undefined)
      secrets.push({ ...named, value: text.slice(named.start, named.end), start: named.start, end: named.end });
    else if (named.grade === "token" || isAlone(text, start, end)) secrets.push({ ...named, value, start, end });
  });
  arrays(text, (start, end) => {
    const value = text.slice(start, end);
    const bytes = value.match(/\d+/g)?.map(Number) ?? [];
    if (bytes.some((byte) => byte > 255) || new Set(bytes).size < 16 || budget.curves-- <= 0) return;
    if (isKeyPair(Uint8Array.from(bytes))) secrets.push({ ...SHAPES.solana, value, start, end });
  });
  return secrets;
}

function name(value: string, text: string, start: number, budget: Budget): Found | undefined {
  const { length } = value;
  const first = value.charAt(0);
  // The prefix begins words, so that the filter would stop at each of them.
  if (length === CRATES && value.startsWith("cio") && /[a-z]/.test(value.slice(3)) && /[A-Z]/.test(value) && /\d/.test(value))
    return SHAPES.crates;
  const beside = besideOthers(value, text, start);
  if (beside !== undefined) return beside;
  if (length === 52 && /^[a-z2-7]+$/.test(value)) return isAzureDevOps(value) ? SHAPES.devops : undefined;
  if ((length === 51 || length === 52) && /[5KL9c]/.test(first)) return isImportKey(value) ? SHAPES.bitcoin : undefined;
  if (length >= 29 && length <= 31 && first === "s") return isXrpSeed(value) ? SHAPES.xrp : undefined;
  if (length === 56 && first === "S") return isChecked16(value, 0x90) ? SHAPES.stellar : undefined;
  if (length === 58 && first === "S") return isChecked16(value, undefined) ? SHAPES.nats : undefined;
  if (length === 58 && value.startsWith("6P")) return base58check(value) ? SHAPES.encryptedBitcoin : undefined;
  if (
    length >= 86 &&
    length <= LONGEST &&
    isAlone(text, start, start + length) &&
    /priv|secret|solana|wallet|key/i.test(text.slice(Math.max(0, start - 48), start))
  ) {
    const bytes = base58(value);
    if (bytes?.length !== 64 || budget.curves-- <= 0) return undefined;
    return isKeyPair(bytes) ? SHAPES.solana : undefined;
  }
  return undefined;
}

/** Tokens whose middle is a run of these lengths and whose other parts are unmistakable: Airtable's and Bitwarden's. */
function besideOthers(value: string, text: string, start: number): Found | undefined {
  if (value.length === AIRTABLE && text.charAt(start - 1) === ".") {
    const from = start - 18;
    return /^pat[0-9A-Za-z]{14}\.[\da-f]{64}$/.test(text.slice(from, start + 64)) && isAlone(text, from, start + 64)
      ? { ...SHAPES.airtable, start: from, end: start + 64 }
      : undefined;
  }
  if (value.length === 30 && text.charAt(start - 1) === "." && text.charAt(start + 30) === ":") {
    const from = start - 39;
    const end = start + 55;
    return /^0\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[0-9A-Za-z]{30}:[0-9A-Za-z+/]{22}==$/.test(text.slice(from, end))
      ? { ...SHAPES.bitwarden, start: from, end }
      : undefined;
  }
  return undefined;
}

/** Version, 32 bytes, and a one behind them for a compressed key. */
function isImportKey(value: string): boolean {
  const payload = base58check(value);
  if (payload === undefined || (payload[0] !== 0x80 && payload[0] !== 0xef)) return false;
  return payload.length === 33 || (payload.length === 34 && payload[33] === 1);
}

function isXrpSeed(value: string): boolean {
  const payload = base58check(value, XRP_ALPHABET);
  if (payload === undefined) return false;
  return (payload.length === 17 && payload[0] === 0x21) || (payload.length === 19 && startsWith(payload, 0x01, 0xe1, 0x4b));
}

/** Base32 with CRC-16 at the end; Stellar fixes the first byte, NATS the first five bits. */
function isChecked16(value: string, version: number | undefined): boolean {
  if (!/^[A-Z2-7]+$/.test(value)) return false;
  const bytes = base32(value);
  if (bytes === undefined || bytes.length < 35) return false;
  const first = bytes[0] as number;
  if (version === undefined ? (first & 0xf8) !== 0x90 : first !== version) return false;
  const check = crc16(bytes.subarray(0, -2));
  return bytes.at(-2) === (check & 0xff) && bytes.at(-1) === check >> 8;
}

/** Maximal runs of letters and digits of the lengths above. */
function runs(text: string, take: (start: number, end: number) => void): void {
  surveyOf(text).stretches("shape", ALPHANUMERIC, SHORTEST, (first, end) => {
    if (isAlphanumeric(text, first - 1) || isAlphanumeric(text, end)) return;
    // The letters of an escape in front (`\n`, `%3D`) are not part of the run.
    const before = text.charAt(first - 1);
    const start = first + (before === "\\" ? 1 : before === "%" ? 2 : 0);
    if (isShapeLength(end - start) || (end - start === AIRTABLE && before === ".")) take(start, end);
  });
}

function isAlphanumeric(text: string, at: number): boolean {
  return ALPHANUMERIC.codes[text.charCodeAt(at)] === 1;
}

/** The hashes of builds and lockfiles have other lengths. native/scan/scan.c states them too (`is_key_length`). */
function isShapeLength(length: number): boolean {
  return (
    (length >= SHORTEST && length <= 31) ||
    length === CRATES ||
    length === 51 ||
    length === 52 ||
    length === 56 ||
    length === 58 ||
    (length >= 86 && length <= LONGEST)
  );
}

/** No `-`, `_`, `+`, `/` beside it: those make it a piece of something longer. The start of an address does not. */
function isAlone(text: string, start: number, end: number): boolean {
  const free = !/[_+/-]/.test(text.charAt(start - 1)) || text.startsWith("://", start - 3);
  return free && !/[\w+/=-]/.test(text.charAt(end));
}

/** JSON arrays of exactly 64 small numbers: how Solana keeps a key pair. */
function arrays(text: string, take: (start: number, end: number) => void): void {
  if (!surveyOf(text).numbers) return;
  const array = /\[(?:[ \t\r\n]{0,8}\d{1,3}[ \t\r\n]{0,8},){63}[ \t\r\n]{0,8}\d{1,3}[ \t\r\n]{0,8}\]/g;
  while (array.test(text)) take(text.lastIndexOf("[", array.lastIndex - 1), array.lastIndex);
}
