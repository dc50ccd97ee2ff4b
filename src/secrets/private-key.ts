/**
 * Private keys in text: PEM, OpenSSH, PGP and PuTTY blocks, each as one span from its first to its last line.
 *
 * Blocks are found as they are printed: with CRLF, indented, behind `+`, `> ` or line numbers, with `\n` written as two
 * characters inside JSON, as a JSON list of lines, on one line, or cut off. Encrypted keys, public keys and certificates are no finding.
 * Trust: the text is hostile. A block is looked at once and at most `CHOSEN.private_key_chars` of it.
 */
import { CHOSEN } from "../limits.ts";
import { isPrivateKeyDer } from "./der.ts";
import { isFreeBefore } from "./families/edge.ts";
import type { Family, Match } from "./families/family.ts";
import { openpgp } from "./openpgp.ts";
import { openssh } from "./openssh.ts";

const ID = "private-key";
/** Base64 characters that make a block without an end, or one that does not decode, a key and not a mention of one. */
const LEAST_BODY = 96;
/** Longest line of a key's body that is read backwards, what printing put before it included. */
const LONGEST_LINE = 512;

export const privateKey = (): readonly Family[] => [
  { id: ID, title: "private key", needles: ["-----BEGIN "], find: block },
  { id: ID, title: "private key", needles: ["-----END "], find: tail },
  { id: ID, title: "PuTTY private key", needles: ["PuTTY-User-Key-File-2", "PuTTY-User-Key-File-3"], find: putty },
  { id: ID, title: "private key", needles: ["LS0tLS1CRUdJTi"], find: encoded },
];

/** The key block that begins at `at`: from `-----BEGIN` to `-----END`, or to the end of the text when it was cut. */
export function block(text: string, at: number): Match | undefined {
  const begin = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,4})PRIVATE KEY( BLOCK)?-----/y;
  begin.lastIndex = at;
  const head = begin.exec(text);
  if (head === null) return undefined;
  const label = head[1] as string;
  if (label.includes("ENCRYPTED")) return undefined;
  const from = at + head[0].length;
  // The next beginning ends this block, and keeps a row of beginnings cheap.
  const again = text.indexOf("-----BEGIN ", from);
  const inside = asLines(text.slice(from, Math.min(from + CHOSEN.private_key_chars, again < 0 ? text.length : again)));
  const close = /-----END [A-Z0-9 ]{0,60}-----/.exec(inside);
  const whole = close !== null;
  const prefix = linePrefix(text, at);
  const length = close?.index ?? cutLength(inside, prefix);
  const content = inside.slice(0, length);
  if (/Proc-Type: ?4,ENCRYPTED/.test(content)) return undefined;
  const judged = judge(label, bodyOf(content, prefix), whole) ?? (whole ? judge(label, quotedBody(content), whole) : undefined);
  const end = from + length + (close?.[0].length ?? 0);
  return judged === undefined ? undefined : { start: at, end, value: unescaped(text.slice(at, end)), ...judged };
}

/** `"…","…"`: the items of a JSON list as the lines they are, every character at its place. */
function asLines(content: string): string {
  return content.includes('"')
    ? content.replace(/\\{0,4}"\s{0,8},\s{0,8}\\{0,4}"/g, (between) => `\n${" ".repeat(between.length - 1)}`)
    : content;
}

/** How far a block without an end reaches: to its last line of base64, over at most three lines of something else in between. */
function cutLength(content: string, prefix: string): number {
  let length = 0;
  let strange = 0;
  for (const line of content.matchAll(/([^\r\n\\]*)(?:\r?\n|\r|(?:\\\\?r)?\\\\?n|\\|$)/g)) {
    const bare = stripLine(line[1] as string, prefix);
    if (/^[A-Za-z0-9+/]{16,4096}={0,2}$/.test(bare) || (strange === 0 && /^[A-Za-z0-9+/]{1,16}={0,2}$/.test(bare))) {
      length = line.index + (line[1] as string).length;
      strange = 0;
    } else if (bare !== "" && !/^[A-Z][A-Za-z-]{1,20}: /.test(bare) && ++strange > 3) {
      break;
    }
    if (line.index + line[0].length >= content.length) break;
  }
  return length;
}

/** Inside a JSON string the same key gets the same hash as in its file. */
function unescaped(written: string): string {
  return written.includes("\n") ? written : written.replace(/(?:\\\\?r)?\\\\?n/g, "\n");
}

type Judged = Pick<Match, "grade" | "kind">;
const PROVEN: Judged = { grade: "credential", kind: "structure" };
const VENDOR: Judged = { grade: "vendor", kind: "structure" };
const PATTERN: Judged = { grade: "vendor", kind: "pattern" };

function judge(label: string, body: string, whole: boolean): Judged | undefined {
  const bytes = Buffer.from(body, "base64");
  if (label === "OPENSSH ") {
    const state = openssh(bytes);
    if (state === "encrypted") return undefined;
    if (state === "proven" && whole) return PROVEN;
    if (state !== "unreadable") return VENDOR;
  } else if (label === "PGP ") {
    const state = openpgp(bytes);
    if (state === "plain" && whole) return PROVEN;
    if (state !== "unreadable") return state === "plain" ? VENDOR : undefined;
  } else if (whole && isPrivateKeyDer(bytes)) {
    return VENDOR;
  }
  // Cut, or with something in between: still a key if that much of it is there.
  return looksLikeKey(body) ? PATTERN : undefined;
}

function looksLikeKey(body: string): boolean {
  return body.length >= LEAST_BODY && new Set(body).size >= 24;
}

/** The base64 of a block without what printing added to its lines. */
function bodyOf(content: string, prefix: string): string {
  let body = "";
  for (const line of content.split(/\r?\n|\r|(?:\\\\?r)?\\\\?n/)) {
    const bare = stripLine(line, prefix).replace(/ ?=[A-Za-z0-9+/]{4}$/, "");
    // Header lines (`Version: …`) and the checksum line of PGP are not part of it.
    if (/^[A-Za-z0-9+/][A-Za-z0-9+/ ]*={0,2}$/.test(bare)) body += bare.replace(/={1,2}$/, "").replaceAll(" ", "");
  }
  return body;
}

/** The base64 of a block whose lines are values of JSON objects: every quoted text that is long enough for one. */
function quotedBody(content: string): string {
  return content
    .split(/\\{0,4}"/)
    .filter((text) => /^[A-Za-z0-9+/]{16,4096}={0,2}$/.test(text))
    .join("");
}

/** What stands in front of `-----BEGIN` on its line: a diff's `+`, a quote's `> `, an indentation, a line number. */
function linePrefix(text: string, at: number): string {
  const line = text.slice(Math.max(0, at - 64), at);
  return line.slice(Math.max(line.lastIndexOf("\n"), line.lastIndexOf("\r")) + 1);
}

function stripLine(line: string, prefix: string): string {
  let bare = line;
  if (prefix !== "" && bare.startsWith(prefix)) bare = bare.slice(prefix.length);
  else if (/\d/.test(prefix)) bare = bare.replace(/^(?:[\w./-]{1,200}[:-])?\s{0,8}\d{1,7}(?:→|\t|[:|-]\s?|\s{1,2})/, "");
  else if (/^\s{0,16}[>|#*]/.test(prefix)) bare = bare.replace(/^\s{0,16}[>|#*]\s{0,4}/, "");
  // Quotes, commas and `+` of source code that joins the lines.
  return bare.trim().replace(/^["']|["'],?\s{0,2}\+?\\?$|[,\\]$/g, "");
}

/** The last lines of a key whose beginning is not in the text (`tail`, a window of a long output). */
function tail(text: string, at: number): Match | undefined {
  const close = /-----END (?!ENCRYPTED)(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
  close.lastIndex = at;
  const foot = close.exec(text);
  if (foot === null) return undefined;
  const prefix = linePrefix(text, at);
  const floor = Math.max(0, at - CHOSEN.private_key_chars);
  let start = at - prefix.length;
  let body = "";
  while (start > floor) {
    // A longer line is none of a key's.
    const back = text.slice(Math.max(floor, start - 1 - LONGEST_LINE), start - 1);
    const from = start - 1 - back.length + back.lastIndexOf("\n") + 1;
    const bare = stripLine(text.slice(from, start - 1), prefix);
    // PGP closes with a short checksum line, and the last line of base64 may be short.
    if (!/^[A-Za-z0-9+/]{16,128}={0,2}$/.test(bare) && !(body.length < 64 && /^=?[A-Za-z0-9+/=]{1,16}$/.test(bare))) break;
    body = bare + body;
    start = from;
  }
  if (body.length < 32 || new Set(body).size < 16) return undefined;
  // Where a beginning is the nearest mark in front, the block has been looked at already: encrypted ones have header lines there.
  const mark = text.lastIndexOf("-----", start - 1);
  if (mark >= floor && /-----BEGIN [A-Z0-9 ]{0,60}-----$/.test(text.slice(Math.max(0, mark - 80), mark + 5))) return undefined;
  const end = at + foot[0].length;
  return { start, end, value: text.slice(start, end), ...PATTERN };
}

/** PuTTY's own format, unencrypted, to the end of its check line or of the text. */
function putty(text: string, at: number): Match | undefined {
  // As with other blocks, the next beginning ends this one.
  const again = text.indexOf("PuTTY-User-Key-File-", at + 20);
  const content = text.slice(at, Math.min(at + CHOSEN.private_key_chars, again < 0 ? text.length : again));
  if (!/^PuTTY-User-Key-File-[23]: /.test(content) || !/Encryption: none/.test(content)) return undefined;
  const secret = content.indexOf("Private-Lines:");
  if (secret < 0) return undefined;
  const check = /Private-MAC: [\da-f]{40,64}/.exec(content.slice(secret));
  const end = at + (check === null ? content.length : secret + check.index + check[0].length);
  return { start: at, end, value: text.slice(at, end), ...VENDOR };
}

/** A whole PEM block in base64, as kubeconfig keeps it. */
function encoded(text: string, at: number): Match | undefined {
  if (!isFreeBefore(text, at, "base64")) return undefined;
  const run = /[A-Za-z0-9+/]{64,65536}={0,2}/y;
  run.lastIndex = at;
  const found = run.exec(text);
  if (found === null) return undefined;
  const decoded = Buffer.from(found[0], "base64").toString("latin1");
  const inside = block(decoded, decoded.indexOf("-----BEGIN "));
  if (inside === undefined || inside.start !== 0) return undefined;
  return { start: at, end: at + found[0].length, value: found[0], grade: inside.grade, kind: inside.kind };
}
