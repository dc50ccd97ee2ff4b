/**
 * Secrets that a text shows in another writing: base64, base32, hex, dumps, rows of numbers, escapes of single characters,
 * folded, written backwards, one character at a time, compressed. For outputs: every find has a place, the whole written run or
 * the characters of it.
 *
 * A text is first looked through for runs that can only be written ASCII: in its base64 every fourth character is one
 * of 26, in its hex every second digit one of a few. Images, digests, identifiers and minified code hold next to none, and
 * only such runs are decoded. What they hold is then scanned in one go.
 * Trust: the text is hostile. Runs, decoded characters and unpacked archives are counted; a search that a limit ended says
 * `complete: false`. The same text gives the same answer.
 */
import { CHOSEN } from "../limits.ts";
import { placed, stripAnsi } from "./ansi.ts";
import { isPrivateKeyDer } from "./der.ts";
import { escapedWords } from "./escapes.ts";
import { base32 } from "./families/check/base32.ts";
import { secretsInText } from "./files/layouts.ts";
import { foldedRuns, unfolded } from "./folds.ts";
import { numerals } from "./numerals.ts";
import { scan } from "./scan.ts";
import { DIGITS, type Kind, kindOf, LETTERS } from "./runs.ts";
import type { Scan, Secret } from "./secret.ts";
import { announce, surveyOf } from "./survey.ts";
import { type Piece, Pieces } from "./writing.ts";

/** Finds values that are known already. */
export type Known = (text: string) => Scan;
const NOTHING: Scan = { secrets: [], complete: true };

/** What a text is, as far as it decides how it is read. */
export interface Reading {
  readonly known: Known;
  /**
   * It was printed: what did not fit into a line goes on in the next one, and rows of numbers are dumps. What lies in a file is
   * not folded, and its tables of numbers are many (looking for both costs a scan of sources a third of its time).
   */
  readonly printed: boolean;
}

const STORED: Reading = { known: () => NOTHING, printed: false };

/** Shortest text whose writing could hold a secret, in characters of the writing. */
const SHORTEST = 24;

/**
 * Runs of the text that hold a secret in another writing, or a value that is known already, in order, not overlapping.
 * `value`, `family`, `grade` and `kind` are those of the best secret inside; `start` and `end` cover the whole run, for
 * replacing it.
 */
export function scanEncoded(text: string, reading: Reading = STORED): Scan {
  if (text.length < SHORTEST) return NOTHING;
  const bare = stripAnsi(text);
  const of = (shown: string): Scan => look(shown, CHOSEN.decodings, CHOSEN.encoded_chars, reading);
  if (bare.text === text) return of(text);
  // Colours inside a writing are none of it; a title or what is printed over may be one itself.
  const shown = of(bare.text);
  const inner = HIDING.test(text) ? of(text) : NOTHING;
  return { secrets: apart([...inner.secrets, ...placed(bare, shown.secrets)]), complete: inner.complete && shown.complete };
}

/** What a terminal does not show and a whole writing may stand in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const HIDING = /[\b\u0090\u0098\u009d-\u009f]|\u001b[P\]X^_]/;

function look(text: string, depth: number, room: number, reading: Reading): Scan {
  const found = new Pieces(room);
  base64(text, found);
  hex(text, found);
  ofBase32(text, found);
  // Nobody prints a megabyte one character at a time, or in a narrow window; looking for it costs as much as everything else.
  if (text.length <= CHOSEN.spaced_chars) {
    spaced(text, found);
    if (reading.printed) {
      if (surveyOf(text).numbers) numerals(text, found);
      foldedRuns(text, (run) => found.addView(run, true));
    }
  }
  percent(text, found);
  backwards(text, found);
  archives(text, found);
  escapedWords(text, (word) => found.addView(word));
  const keys = [...keyBytes(text), ...(reading.printed ? foldedPair(text) : [])];
  if (found.all.length === 0 && keys.length === 0) return { secrets: [], complete: found.complete };
  const inner = inside(found.all, depth, room, reading);
  return { secrets: apart([...inner.secrets, ...keys]), complete: found.complete && inner.complete };
}

/** An AWS key whose identifier stands beside it and that is folded: it proves itself by its place alone. */
function foldedPair(text: string): readonly Secret[] {
  if (text.length > CHOSEN.spaced_chars || !["AKIA", "ASIA"].some((word) => surveyOf(text).has(word))) return [];
  const view = unfolded(text);
  return view.text.length === text.length ? [] : placed(view, secretsInText(view.text)).filter(({ grade }) => grade === "credential");
}

/** Between two decoded pieces: no token spans it. */
const BETWEEN = "\n\n";

/** Looks through all pieces as one text: most of a scan's cost does not depend on its length. */
function inside(pieces: readonly Piece[], depth: number, room: number, reading: Reading): Scan {
  const text = pieces.map((piece) => piece.text).join(BETWEEN);
  const scanned = scan(text);
  const layouts = secretsInText(text);
  const earlier = reading.known(text);
  const values = earlier.secrets.filter(({ value }) => isDistinct(value));
  const deeper = depth > 1 ? look(text, depth - 1, room, reading) : NOTHING;
  const direct = new Set<Secret>([...scanned.secrets, ...layouts]);
  const hits = [...direct, ...values, ...deeper.secrets].sort((a, b) => a.start - b.start);
  const secrets: Secret[] = [];
  let next = 0;
  let from = 0;
  /** Hits that reach into the next piece: halves of a value, each written by itself. */
  let reaching: readonly Secret[] = [];
  for (const piece of pieces) {
    const end = from + piece.text.length;
    const here = [...reaching];
    while ((hits[next]?.start ?? end) < from) next++;
    for (; (hits[next]?.start ?? end) < end; next++) here.push(hits[next] as Secret);
    for (const hit of here) {
      if (piece.joined && direct.has(hit) && hit.grade !== "token") continue;
      const first = Math.max(0, hit.start - from);
      const last = Math.min(piece.text.length, hit.end - from);
      secrets.push({ ...hit, ...(piece.view?.range(first, last) ?? { start: piece.start, end: piece.end }) });
    }
    from = end + BETWEEN.length;
    reaching = here.filter((hit) => hit.end > from);
  }
  return { secrets, complete: scanned.complete && earlier.complete && deeper.complete };
}

/** No number and no row of a few characters: those come together by chance where numbers and zeros are read as text. */
function isDistinct(value: string): boolean {
  const letters = value.replace(/[^\dA-Za-z]+/g, "");
  return new Set(letters).size >= 6 && (/[A-Za-z]/.test(letters) || letters.length >= 16);
}

const RANK = { token: 0, credential: 1, vendor: 2, field: 3 } as const;

/** In order; of runs that touch each other one remains, over the range of both. */
function apart(secrets: readonly Secret[]): readonly Secret[] {
  const kept: Secret[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || secret.start >= last.end) {
      kept.push(secret);
      continue;
    }
    const better = RANK[secret.grade] < RANK[last.grade] ? secret : last;
    kept[kept.length - 1] = { ...better, start: last.start, end: Math.max(last.end, secret.end) };
  }
  return kept;
}

/**
 * Patterns of single characters over and over, written out and made at their first use: of such a one the engine looks
 * only at every tenth character or so where it can (measured: 0.1 to 1 ms per MiB, with a count in braces 2 ms).
 */
function either(...patterns: readonly (readonly [one: string, times: number])[]): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(patterns.map(([one, times]) => one.repeat(times)).join("|"), "g");
    made.lastIndex = 0;
    return made;
  };
}

/** Calls `take` where the pattern fits; `take` returns where to go on. */
function each(text: string, pattern: RegExp, take: (at: number, written: string) => number): void {
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    pattern.lastIndex = Math.max(take(hit.index, hit[0]), hit.index + hit[0].length);
  }
}

/** The same for a writing whose finds are at least `least` characters of one kind: it is looked for where a survey says that it may stand. */
function eachWithin(
  text: string,
  what: "base64" | "hex" | "base32" | "backwards",
  kind: Kind,
  least: number,
  pattern: RegExp,
  take: (at: number, written: string) => number,
): void {
  let from = 0;
  surveyOf(text).stretches(what, kind, least, (start, end) => {
    for (let at = Math.max(from, start); end - at >= least; at = from) {
      const inside = text.slice(at, end);
      pattern.lastIndex = 0;
      const hit = pattern.exec(inside);
      if (hit === null) return;
      from = Math.max(take(at + hit.index, hit[0]), at + hit.index + hit[0].length);
    }
  });
}

// ---- base64 ----

/** Six groups of four base64 characters that stand for printable ASCII and line feeds, in either alphabet. */
const QUADS = either(["[CDI-Za-f][AC-HQS-Xgi-nwy-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9_+/-]", 6]);
/** The same written backwards. */
const QUADS_BACKWARDS = either(["[A-Za-z0-9_+/-][ABEFIJMNQRUVYZcdghklopstwx014589][AC-HQS-Xgi-nwy-z0-3][CDI-Za-f]", 6]);
const BASE64 = kindOf(`${DIGITS}${LETTERS}_+/-`);
/** How far in front of such groups the run is decoded too, in characters: a secret may begin between other bytes. */
const BEFORE = 64;
/** Shortest first line of a wrapped run: tools wrap at 60, 64, 70 or 76. */
const WRAPPED = 40;
const RUN = /[\w+/-]{0,16777216}={0,2}/y;
/** The next line of a wrapped run: what printing puts before it, then nothing but base64. Line ends may be written out. */
const NEXT =
  /(?:\r?\n|(?:\\r)?\\n)[ \t]{0,16}(?:\d{1,7}(?:[\t→:]|[ \t]{0,2}[│|] ?)|[+>|] ?|#[ \t])?[ \t]{0,8}([\w+/-]{1,4096}={0,2})(?=["',]{0,2}(?:[\r\n]|\\[nr]|$)|["'`])/y;

interface Run {
  readonly start: number;
  readonly end: number;
  /** Its characters without line ends. */
  readonly body: string;
}

/** The run around `at`, and the lines it goes on over. */
function runAt(text: string, at: number): Run {
  let start = at;
  while (start > 0 && at - start < BEFORE && isBase64(text.charCodeAt(start - 1))) start--;
  /** The lines of a diff begin with a `+` that is none of theirs. */
  const signed = text.charAt(start) === "+" && (start === 0 || text.charAt(start - 1) === "\n");
  RUN.lastIndex = at;
  RUN.exec(text);
  let end = RUN.lastIndex;
  const lines = [text.slice(start, end)];
  let width = end - start;
  while (width >= WRAPPED && !text.startsWith("=", end - 1)) {
    NEXT.lastIndex = end;
    let line = NEXT.exec(text)?.[1];
    if (line === undefined || line.length > Math.max(width, 128)) break;
    if (!signed && text.charAt(NEXT.lastIndex - line.length - 1) === "+") line = `+${line}`;
    lines.push(line);
    end = NEXT.lastIndex;
    if (line.length < (signed && lines.length === 2 ? width - 1 : width)) break;
    width = line.length;
  }
  return { start, end, body: lines.join("") };
}

function base64(text: string, found: Pieces): void {
  eachWithin(text, "base64", BASE64, 24, QUADS(), (at) => {
    const run = runAt(text, at);
    const shift = (at - run.start) % 4;
    found.add(run.start + shift, run.end, asText(Buffer.from(run.body.slice(shift), "base64")));
    // Repeated groups look alike from other places too: the run's own beginning is the likelier one.
    if (shift !== 0) found.add(run.start, run.end, asText(Buffer.from(run.body, "base64")));
    return run.end;
  });
  eachWithin(text, "backwards", BASE64, 24, QUADS_BACKWARDS(), (at) => {
    RUN.lastIndex = at;
    RUN.exec(text);
    const end = text.startsWith("=", RUN.lastIndex - 1) ? text.indexOf("=", at) : RUN.lastIndex;
    // Its end comes first.
    let start = at;
    while (start > 0 && at - start < CHOSEN.keyed_value_chars && isBase64(text.charCodeAt(start - 1))) start--;
    const shift = (end - at) % 4;
    const body = reversed(text.slice(start, end));
    found.add(start, end - shift, asText(Buffer.from(body.slice(shift), "base64")));
    if (shift !== 0) found.add(start, end, asText(Buffer.from(body, "base64")));
    return end;
  });
}

// ---- base32 ----

const BASE32 = kindOf(`${LETTERS}234567`);
const OF_32 = either(["[A-Z2-7]", 24], ["[a-z2-7]", 24]);
const RUN_OF_32 = /[A-Z2-7]{24,16777216}|[a-z2-7]{24,16777216}/y;
/** A line of it behind the first one. */
const LINE_OF_32 = /^(?:[A-Z2-7]+|[a-z2-7]+)={0,2}$/;
/** Characters in a row that make it a text. */
const READABLE = /[\n\r\t -~]{8}/;

function ofBase32(text: string, found: Pieces): void {
  eachWithin(text, "base32", BASE32, 24, OF_32(), (at) => {
    RUN_OF_32.lastIndex = at;
    let body = RUN_OF_32.exec(text)?.[0] ?? "";
    let end = at + body.length;
    const width = body.length;
    for (let full = width >= WRAPPED; full; ) {
      NEXT.lastIndex = end;
      const line = NEXT.exec(text)?.[1];
      if (line === undefined || line.length > width || !LINE_OF_32.test(line)) break;
      body += line;
      end = NEXT.lastIndex;
      full = line.length === width;
    }
    while (text.startsWith("=", end)) end++;
    const said = asText(base32(body.replaceAll("=", "")) ?? new Uint8Array());
    if (READABLE.test(said)) found.add(at, end, said);
    return end;
  });
}

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 47 ||
    code === 95
  );
}

/** Byte for character: only ASCII matters here. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

// ---- private keys as bytes ----

/** How the DER of an unencrypted private key begins in base64: PKCS#1, PKCS#8 and SEC 1 of all usual sizes. */
const KEY_STARTS = /M(?:II|IG|HcCAQE|C4CAQA|FECAQE)/g;
const KEY_WORDS = ["MII", "MIG", "MHcCAQE", "MC4CAQA", "MFECAQE"];

/** Base64 of a private key without its armour. With it, the key is found as a block. */
function keyBytes(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  const survey = surveyOf(text);
  if (!KEY_WORDS.some((word) => survey.has(word))) return secrets;
  KEY_STARTS.lastIndex = 0;
  each(text, KEY_STARTS, (at) => {
    if (at > 0 && isBase64(text.charCodeAt(at - 1)) && !/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at))) return at;
    const run = runAt(text, at);
    const body = run.body.slice(at - run.start);
    if (isPrivateKeyDer(Buffer.from(body, "base64"))) {
      secrets.push({
        family: "private-key",
        title: "private key",
        grade: "vendor",
        kind: "structure",
        value: body,
        start: at,
        end: run.end,
      });
    }
    return run.end;
  });
  return secrets;
}

// ---- compressed ----

/** How gzip begins in base64. */
const GZIP = "H4sI";

/** gzip in base64, unpacked. */
function archives(text: string, found: Pieces): void {
  let left: number = CHOSEN.encoded_archive_chars;
  if (!surveyOf(text).has(GZIP)) return;
  for (let at = text.indexOf(GZIP); at >= 0; ) {
    const run = runAt(text, at);
    if (run.body.length >= SHORTEST && (at === 0 || !isBase64(text.charCodeAt(at - 1)))) {
      left -= run.body.length;
      if (left < 0) found.cut();
      else {
        try {
          found.add(at, run.end, asText(Bun.gunzipSync(Buffer.from(run.body, "base64"))));
        } catch {
          // No gzip, or cut off: nothing can be read from it.
        }
      }
    }
    at = text.indexOf(GZIP, Math.max(at + 4, run.end));
  }
}

// ---- hex ----

/** Printable ASCII in hex: together, in pairs, in fours. */
const TOGETHER = either(["[2-7][0-9a-fA-F]", 12]);
const GROUPS = either(["[2-7][0-9a-fA-F][ :,]", 8], ["[2-7][0-9a-fA-F][2-7][0-9a-fA-F] ", 4]);
/** As escapes of a programming language. */
const ESCAPES = either(["\\\\x[2-7][0-9a-fA-F]", 8]);
const NUMBERS = /(?:0x[2-7][\da-fA-F],\s?){8}/y;
const COMMA = 44;
const HEXADECIMAL = kindOf(`${DIGITS}abcdefABCDEF`);
const HEX = /[\da-fA-F]{0,16777216}/y;
const APART = /(?:(?:\\x|0x)?[\da-fA-F]{2}(?:,\s{1,40}|[ :,]{0,2})){0,1048576}/y;
/** A line of `xxd`, `hexdump`, `od`: an offset, then bytes in pairs or fours. What a printer puts before it is kept apart. */
const ROW =
  /(?:[ \t]{0,8}\d{1,7}(?:[\t→:]|[ \t]{0,2}[│|]))?[ \t]{0,8}([\da-fA-F]{6,16})(?::? {1,3}|:?\t)((?:[\da-fA-F]{2}(?:[\da-fA-F]{2})?(?: {1,2}|(?=[\r\n]|$))){1,64})/y;
/** Rows in front of the first readable one that are read too: a secret may begin in a row with other bytes. */
const ROWS_BEFORE = 4;

function hex(text: string, found: Pieces): void {
  const take = (at: number, written: string): number => dump(text, at, found) ?? plainHex(text, at, written, found);
  eachWithin(text, "hex", HEXADECIMAL, 24, TOGETHER(), take);
  if (text.length <= CHOSEN.spaced_chars && surveyOf(text).groups) each(text, GROUPS(), take);
  if (text.includes("\\x")) each(text, ESCAPES(), take);
  for (let at = text.indexOf("0x"); at >= 0; ) {
    NUMBERS.lastIndex = at;
    // Most numbers are no row of bytes, which one character says.
    const written = text.charCodeAt(at + 4) === COMMA ? NUMBERS.exec(text)?.[0] : undefined;
    at = text.indexOf("0x", written === undefined ? at + 2 : Math.max(take(at, written), at + written.length));
  }
}

/** Bytes that stand beside each other, over several lines when they are full ones (`xxd -p`). Returns where they end. */
function plainHex(text: string, at: number, first: string, found: Pieces): number {
  if (!/^[\da-fA-F]+$/.test(first)) {
    APART.lastIndex = at;
    const written = APART.exec(text)?.[0] ?? first;
    const digits = written.replace(/\\x|0x|[\s:,]/g, "");
    found.add(at, at + written.length, asText(Buffer.from(digits, "hex")));
    if (/^[\da-fA-F]{4} /.test(first)) found.add(at, at + written.length, asText(Buffer.from(swapped(digits), "hex")));
    return at + written.length;
  }
  let start = at;
  while (at - start < BEFORE && isHex(text.charCodeAt(start - 1)) && isHex(text.charCodeAt(start - 2))) start -= 2;
  HEX.lastIndex = at;
  HEX.exec(text);
  let end = HEX.lastIndex;
  const lines = [text.slice(start, end)];
  const width = end - start;
  for (let full = width >= WRAPPED; full; ) {
    NEXT.lastIndex = end;
    const line = NEXT.exec(text)?.[1];
    if (line === undefined || line.length > width || !/^[\da-fA-F]+$/.test(line)) break;
    lines.push(line);
    end = NEXT.lastIndex;
    full = line.length === width;
  }
  found.add(start, end, asText(Buffer.from(lines.join(""), "hex")));
  // Backwards the digits of a byte change places, and pairs of others look the same.
  let before = start;
  while (start - before < BEFORE && isHex(text.charCodeAt(before - 1))) before--;
  if (lines.length === 1) found.add(before, end, asText(Buffer.from(reversed(text.slice(before, end)), "hex")));
  return end;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

/** `hexdump` and `od -x` print words with their low byte behind. */
function swapped(digits: string): string {
  return digits.replace(/(..)(..)/g, "$2$1");
}

interface Row {
  readonly offset: number;
  readonly digits: string;
  /** In fours: maybe words with their bytes swapped. */
  readonly fours: boolean;
  readonly end: number;
}

function rowAt(text: string, at: number): Row | undefined {
  ROW.lastIndex = at;
  const row = ROW.exec(text);
  if (row === null) return undefined;
  return {
    offset: Number.parseInt(row[1] as string, 16),
    digits: (row[2] as string).replaceAll(" ", ""),
    fours: /^\w{4}\b/.test(row[2] as string),
    end: lineEnd(text, ROW.lastIndex),
  };
}

/** Longest line of a dump, in characters. */
const LINE = 512;

function lineEnd(text: string, from: number): number {
  const feed = text.slice(from, from + LINE).indexOf("\n");
  return feed < 0 ? Math.min(text.length, from + LINE) : from + feed;
}

function lineStart(text: string, at: number): number {
  const floor = Math.max(0, at - LINE);
  return floor + text.slice(floor, at).lastIndexOf("\n") + 1;
}

/** The dump whose row holds `at`, with the column of characters beside it. Returns where it ends; undefined when it is none. */
function dump(text: string, at: number, found: Pieces): number | undefined {
  let start = lineStart(text, at);
  const first = rowAt(text, start);
  if (first === undefined) return undefined;
  const rows = [first];
  for (let before = 0; before < ROWS_BEFORE && start > 0; before++) {
    const from = lineStart(text, start - 1);
    const row = rowAt(text, from);
    if (row === undefined) break;
    rows.unshift(row);
    start = from;
  }
  let end = first.end;
  for (let row = rowAt(text, end + 1); row !== undefined && row.end > end; row = rowAt(text, end + 1)) {
    rows.push(row);
    end = row.end;
  }
  let digits = "";
  for (const [index, row] of rows.entries()) {
    // Where the column of characters looks like bytes, the next offset tells how many there are.
    const bytes = (rows[index + 1]?.offset ?? row.offset + 16) - row.offset;
    digits += bytes > 0 && bytes <= 64 ? row.digits.slice(0, 2 * bytes) : row.digits;
  }
  found.add(start, end, asText(Buffer.from(digits, "hex")));
  if (first.fours) found.add(start, end, asText(Buffer.from(swapped(digits), "hex")));
  return end;
}

// ---- one character at a time ----

/** Characters apart by a blank, a line end, a comma or both; `od -c` puts three blanks between them and writes line ends out. */
const SINGLE = either(["[!-~][ \\n,]", 20], ["[!-~], ", 16], ["   [!-~]", 8]);
const MORE = /(?:\d{7}(?: {2,3}|\r?\n)|\\[nrt0](?: {1,3}|\r?\n)|[!-~](?:[ \r\n]{1,9}|, ?)){0,1048576}[!-~]?/y;

function spaced(text: string, found: Pieces): void {
  const take = (at: number): number => {
    let start = at;
    while (text.charCodeAt(start) === 32) start++;
    // The last character of a word in front is not the first of the row.
    if (start > 0 && text.charCodeAt(start - 1) > 32) start += 2;
    MORE.lastIndex = start;
    const written = MORE.exec(text)?.[0] ?? "";
    // The offsets of `od -c` are no part of it.
    const characters = written
      .replace(/\d{7}(?=\s)|, /g, "")
      .replace(/[ \r\n]+/g, "")
      .replace(/\\[nrt0]/g, "\n");
    found.add(start, start + written.length, characters);
    return start + written.length;
  };
  if (surveyOf(text).singles) each(text, SINGLE(), take);
}

// ---- percent ----

/** Words with percent escapes that stand for letters, digits and the joints of tokens. */
function percent(text: string, found: Pieces): void {
  let covered = 0;
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", Math.max(at + 1, covered))) {
    if (!isHex(text.charCodeAt(at + 1)) || !isHex(text.charCodeAt(at + 2))) continue;
    const escape = text.slice(at + 1, at + 3);
    // `%20`, `%2F`, `%3D` and the like stand beside a token; these stand inside one.
    if (!/^(?:[46][1-9a-fA-F]|[57][\daA]|5[fF]|3\d|2[deDE])$/.test(escape)) continue;
    let start = at;
    while (start > covered && at - start < CHOSEN.keyed_value_chars && isWritten(text.charCodeAt(start - 1))) start--;
    let end = at + 3;
    while (end - at < CHOSEN.keyed_value_chars && isWritten(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST) {
      found.add(
        start,
        end,
        text.slice(start, end).replace(/%[\da-fA-F]{2}/g, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16))),
      );
    }
    covered = end;
  }
}

/** Characters of a URL's parts; `&`, `?`, `=`, `/` and `:` end one. */
function isWritten(code: number): boolean {
  return isBase64(code) ? code !== 47 : code === 37 || code === 46 || code === 126;
}

// ---- backwards ----

/** Beginnings of tokens and keys, written backwards. */
const REVERSED_WORDS = [
  "_phg",
  "_ohg",
  "_shg",
  "_uhg",
  "_rhg",
  "_tap_buhtig",
  "_mpn",
  "-taplg",
  "-tna-ks",
  "-jorp-ks",
  "-bxox",
  "-pxox",
  "_evil_ks",
  "_evil_kr",
  "azIA",
  "_aslg",
  "AIKA",
  "AISA",
];
const REVERSED = new RegExp(REVERSED_WORDS.join("|"), "g");

const REVERSED_KEY = "-----YEK ETAVIRP ";

announce(() => [...KEY_WORDS, GZIP, REVERSED_KEY, ...REVERSED_WORDS]);

/** Lines that were reversed as a whole (`rev`). */
function backwards(text: string, found: Pieces): void {
  const survey = surveyOf(text);
  if (survey.has(REVERSED_KEY)) {
    // The lines of a key belong together.
    found.add(0, text.length, text.split("\n").map(reversed).join("\n"));
    return;
  }
  // Of a short text nothing is known yet: there the pattern itself costs less than each word.
  if (survey.present !== undefined && !REVERSED_WORDS.some((word) => survey.has(word))) return;
  REVERSED.lastIndex = 0;
  each(text, REVERSED, (at) => {
    // A token has more in front of its end.
    if (!/^[\w-]{16}$/.test(text.slice(at - 16, at))) return at;
    const before = text.slice(Math.max(0, at - CHOSEN.keyed_value_chars), at);
    const start = at - before.length + before.lastIndexOf("\n") + 1;
    const after = text.slice(at, at + CHOSEN.keyed_value_chars).indexOf("\n");
    const end = after < 0 ? Math.min(text.length, at + CHOSEN.keyed_value_chars) : at + after;
    found.add(start, end, reversed(text.slice(start, end)));
    return end;
  });
}

function reversed(line: string): string {
  return [...line].reverse().join("");
}
