/**
 * Other spellings of outgoing data (token-families.md §9.6): what it says once decoded, and how it reads put together again.
 *
 * Trust: the text is hostile. At most `CHOSEN.decodings` layers are undone and at most `CHOSEN.decoded_chars` characters
 * are made; past that the answer is incomplete.
 */
import { CHOSEN } from "../limits.ts";

/** What decoding made of a text, and whether all of it was made before a bound was met. */
export interface Forms {
  readonly texts: readonly string[];
  readonly complete: boolean;
}

/** Every text that one or two decodings of this one give (percent, JSON, base64, base32, hex), each once, without the text itself. */
export function decodedForms(text: string): Forms {
  const seen = new Set([text]);
  let layer = [text];
  let left = CHOSEN.decoded_chars;
  for (let depth = 0; depth < CHOSEN.decodings; depth++) {
    const next: string[] = [];
    for (const form of layer) {
      for (const made of [percent(form), json(form), ...base64(form), ...hex(form), ...base32(form), ...labels(form)]) {
        if (made === undefined || made.length < 8 || seen.has(made)) continue;
        left -= made.length;
        if (left < 0) return { texts: [...seen].slice(1), complete: false };
        seen.add(made);
        next.push(made);
      }
    }
    layer = next;
  }
  return { texts: [...seen].slice(1), complete: true };
}

/**
 * The text backwards, with its lines joined in pairs, with neighbouring literals joined, and with what stands one character
 * at a time put together. Words that never belonged together meet in these, so only what proves itself counts in them.
 */
export function respelled(text: string): readonly string[] {
  if (text.length > CHOSEN.spaced_chars) return [];
  const lines = text.split(/\r?\n/);
  const joined = lines.length === 1 ? [] : [inPairs(lines, 0), inPairs(lines, 1)];
  const literals = text.replace(/["'`]\s{0,20}(?:[+.,]\s{0,20})?["'`]/g, "");
  return [text.split("").reverse().join(""), ...joined, ...(literals === text ? [] : [literals]), ...thinned(text)];
}

/** Lines joined two by two, the first one alone for `from` 1: whatever was broken once is whole in one of both. */
function inPairs(lines: readonly string[], from: number): string {
  const pairs = lines.slice(0, from);
  for (let at = from; at < lines.length; at += 2) pairs.push((lines[at] as string).trimEnd() + (lines[at + 1] ?? "").trimStart());
  return pairs.join("\n");
}

/** Shortest row of single characters that is put together. */
const ROW = 16;

/** Rows of single characters with the same one to three signs between them. */
function* thinned(text: string): Generator<string> {
  for (let at = 0; at + 2 * ROW <= text.length; at++) {
    const gap = gapBehind(text, at);
    if (gap === "") continue;
    let row = text.charAt(at);
    let end = at + 1;
    while (text.startsWith(gap, end) && end + gap.length < text.length) {
      row += text.charAt(end + gap.length);
      end += gap.length + 1;
    }
    if (row.length < ROW) continue;
    yield row;
    at = end - 1;
  }
}

/** What stands between the characters of a row that begins at `at`; "" when none does. */
function gapBehind(text: string, at: number): string {
  for (let length = 1; length <= 3; length++) {
    if (isLetter(text.charCodeAt(at + length))) return "";
    const gap = text.slice(at + 1, at + 1 + length);
    if (text.startsWith(gap, at + 2 + length) && text.startsWith(gap, at + 3 + 2 * length)) return gap;
  }
  return "";
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** `%41` and `+` undone byte by byte; what is no escape stays. */
function percent(text: string): string | undefined {
  if (!/%[\dA-Fa-f]{2}/.test(text)) return undefined;
  return text.replace(/(?:%[\dA-Fa-f]{2}){1,1024}/g, (run) => {
    const bytes = Uint8Array.fromHex(run.replaceAll("%", ""));
    return new TextDecoder().decode(bytes);
  });
}

/** `\n`, `\"`, `\/`, `\u0041` undone. */
function json(text: string): string | undefined {
  if (!text.includes("\\")) return undefined;
  const made = text.replace(
    /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(["\\/bfnrt]))/g,
    (_, unicode?: string, byte?: string, letter?: string) => {
      const code = unicode ?? byte;
      return code === undefined ? (ESCAPES[letter as string] ?? (letter as string)) : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
  return made === text ? undefined : made;
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Runs of base64 of either alphabet, line breaks inside allowed, whose bytes are text. `/` may also separate a path's parts. */
function* base64(text: string): Generator<string> {
  for (const found of text.matchAll(/[\w+/-]{16,}={0,2}(?:\r?\n[\w+/-]{4,}={0,2}){0,2000}/g)) {
    const run = found[0].replace(/\s/g, "");
    const made = asText(Buffer.from(run, "base64"));
    if (made !== undefined) yield made;
    else if (run.includes("/")) {
      for (const part of run.split("/")) {
        const inside = part.length < 16 ? undefined : asText(Buffer.from(part, "base64"));
        if (inside !== undefined) yield inside;
      }
    }
  }
}

/** Runs of hex whose bytes are text. */
function* hex(text: string): Generator<string> {
  for (const found of text.matchAll(/(?:[\dA-Fa-f]{2}){12,}/g)) {
    const made = asText(Buffer.from(found[0], "hex"));
    if (made !== undefined) yield made;
  }
}

/** Runs of base32 in capitals or small letters, line breaks inside allowed, whose bytes are text. */
function* base32(text: string): Generator<string> {
  for (const found of text.matchAll(/(?:[A-Z2-7]{20,}={0,6}(?:\r?\n[A-Z2-7]{4,}={0,6}){0,2000}|[a-z2-7]{20,})/g)) {
    const made = asText(fromBase32(found[0].replace(/\s/g, "").toLowerCase()));
    if (made !== undefined) yield made;
  }
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

/** Bytes of lower-case base32 up to its padding. */
function fromBase32(run: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((run.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < run.length; index++) {
    const digit = DIGITS.indexOf(run.charAt(index));
    if (digit < 0) break;
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes[at++] = (held >> (bits -= 8)) & 0xff;
  }
  return bytes.subarray(0, at);
}

/** Longest text in which names are looked at. */
const NAMING_CHARS = 16 * 1024;

/** Long names with their dots taken out: a name's labels hold 63 characters at most. Names stand in short texts. */
function* labels(text: string): Generator<string> {
  if (text.length > NAMING_CHARS || !text.includes(".")) return;
  for (const name of text.split(/[^\w.-]/)) {
    const names = name.split(".");
    if (names.length < 3) continue;
    // All in front of the domain, without the numbers that put parts in order.
    const front = names.slice(0, -2);
    const ordered = front.map((label) => label.replace(/^\d{1,3}-|-\d{1,3}$/g, "")).join("");
    for (const whole of new Set([front.join(""), ordered, front.slice(0, -1).join("")])) if (whole.length >= 16) yield whole;
    if ((names[0] as string).length < 8) continue;
    for (let first = 0; first < 2 && names.length - first > 2; first++) {
      const long = names.slice(first).filter((label) => label.length >= 8);
      if (long.length > 0) yield long.join("");
    }
  }
}

/**
 * The bytes as text when nearly all of them are printable ASCII, or their beginning when that is long; random bytes are
 * neither.
 */
function asText(bytes: Uint8Array): string | undefined {
  let printable = 0;
  let beginning = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (!((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9)) continue;
    if (printable === at) beginning++;
    printable++;
  }
  if (bytes.length < 8) return undefined;
  if (printable * 10 >= bytes.length * 9) return Buffer.from(bytes).toString("latin1");
  return beginning >= 16 ? Buffer.from(bytes.subarray(0, beginning)).toString("latin1") : undefined;
}
