/**
 * `.env` files: entries with positions, and which of them hold a secret. `util.parseEnv` reads the same
 * files but tells neither positions nor the earlier ones of repeated names.
 */
import { onBareText } from "../ansi.ts";
import type { Secret } from "../secret.ts";
import { isSecretValue, passwordInUrl } from "./entry-value.ts";
import { isToken } from "./literal.ts";
import { isKeyName, isSecretName } from "./name.ts";

/** `NAME=value` as it is written. */
export interface Entry {
  readonly name: string;
  /** What a program gets: inside the quotes, `\n` in double quotes turned to a line feed. */
  readonly value: string;
  /** Half-open UTF-16 range of the value as written, without its quotes. */
  readonly start: number;
  readonly end: number;
}

/** Every entry in order, repeated names included. Lines that are none are skipped; never fails. */
export function entriesOf(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  /** Quotes that nothing closes from here on: looked for once. */
  const unclosed = new Set<string>();
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const feed = lineEnd(text, at);
    const entry = readEntry(text, at, feed, unclosed);
    if (entry !== undefined) entries.push(entry);
    // A quoted value may have taken further lines.
    at = entry !== undefined && entry.end > feed ? lineEnd(text, entry.end) + 1 : feed + 1;
  }
  return entries;
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed < 0 ? text.length : feed;
}

function readEntry(text: string, at: number, feed: number, unclosed: Set<string>): Entry | undefined {
  const head = /^[ \t\r]*(?:export[ \t]+)?([\w.-]{1,256})(?:[ \t]*=|:[ \t])/.exec(text.slice(at, Math.min(feed, at + 400)));
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  let start = at + head[0].length;
  while (start < feed && isBlank(text, start)) start++;
  const quote = text[start];
  if ((quote === '"' || quote === "'" || quote === "`") && !unclosed.has(quote)) {
    const close = closing(text, start + 1, quote);
    if (close < 0) unclosed.add(quote);
    if (close >= 0) {
      const written = text.slice(start + 1, close);
      const value = written.replaceAll("\r\n", "\n");
      return { name, value: quote === '"' ? value.replace(/\\n/g, "\n").replace(/\\r/g, "\r") : value, start: start + 1, end: close };
    }
  }
  const hash = text.slice(start, feed).indexOf("#");
  let end = hash >= 0 ? start + hash : feed;
  while (end > start && isBlank(text, end - 1)) end--;
  return { name, value: text.slice(start, end), start, end };
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** The quote that ends a value: a `\` takes the next character along. -1 when there is none. */
function closing(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== "\\" || at === from) return at;
  }
  return -1;
}

/** What is secret of a name and its value, as a field of an environment with ranges in the text they stand in. */
export function secretOf(entry: Entry): readonly Secret[] {
  return asSecret(secretRange(entry));
}

/** The secret part of an entry: the password of a URL, or the whole value when its name says secret. */
function secretRange(entry: Entry): { readonly start: number; readonly end: number; readonly value: string } | undefined {
  const url = passwordInUrl(entry.value);
  if (url !== undefined) {
    // Escapes would shift the range; a URL has none.
    if (entry.end - entry.start !== entry.value.length) return { ...entry };
    return { start: entry.start + url.start, end: entry.start + url.end, value: entry.value.slice(url.start, url.end) };
  }
  const named = isSecretName(entry.name)
    ? isSecretValue(entry.value)
    : isKeyName(entry.name) && isToken(entry.value, 16) && isSecretValue(entry.value) && !isPublicKeyValue(entry.name, entry.value);
  if (named) return { start: entry.start, end: entry.end, value: entry.value };
  return connectionPassword(entry);
}

/** Words and numbers with joints between them: `order-2024-01-01-000123`, `uploads/2024/user-default.png`. */
function isPlanned(value: string): boolean {
  const parts = value.split(/[-_/.:]/);
  return parts.length > 1 && parts.every((part) => /^(?:[A-Za-z][a-z]{0,24}|[A-Z]{2,24}|\d{1,12})$/.test(part));
}

/** What a name that only ends in KEY holds of no secret: an object's or a record's name, and the fingerprint of a signing key. */
function isPublicKeyValue(name: string, value: string): boolean {
  return isPlanned(value) || (/(?:^|_)(?:GPG|PGP)_KEYS?$/i.test(name) && /^(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})$/i.test(value));
}

/** `Server=…;Password=…;` and `AccountKey=…`: connection strings under any name. */
function connectionPassword(entry: Entry): { readonly start: number; readonly end: number; readonly value: string } | undefined {
  const hit = /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|secret)=([^;\s"']{8,512})(?=;|$|\s)/i.exec(entry.value);
  const value = hit?.[1];
  if (
    hit === null ||
    value === undefined ||
    !entry.value.includes(";") ||
    !isSecretValue(value) ||
    entry.end - entry.start !== entry.value.length
  )
    return undefined;
  const start = entry.start + hit.index + hit[0].length - value.length;
  return { start, end: start + value.length, value };
}

/**
 * The values of a `.env` text that are secret by their name (grade "field"), in order: entries, entries that are
 * commented out, and entries as a tool prints them (`secretLines`), also in colour or with a NUL between them
 * (`env -0`, /proc/…/environ). Tokens with a format of their own are the scan's.
 * Only for text known to be of that kind: source code holds such lines too.
 */
export function secretEntries(text: string): readonly Secret[] {
  return onBareText(text, (bare) => entriesIn(bare.includes("\0") ? bare.replaceAll("\0", "\n") : bare));
}

function entriesIn(text: string): readonly Secret[] {
  const found = entriesOf(text).flatMap((entry) => asSecret(secretRange(entry)));
  const ends = found.map((secret) => secret.end);
  let at = 0;
  const others = secretLines(text).filter((secret) => {
    while (at < found.length && (ends[at] ?? 0) <= secret.start) at++;
    const next = found[at];
    return next === undefined || next.start >= secret.end;
  });
  return [...found, ...others].sort((a, b) => a.start - b.start);
}

function asSecret(range: { readonly start: number; readonly end: number; readonly value: string } | undefined): readonly Secret[] {
  if (range === undefined) return [];
  return [
    {
      family: "env",
      title: "Secret in an environment file",
      grade: "field",
      kind: "field",
      value: range.value,
      start: range.start,
      end: range.end,
    },
  ];
}

/** What stands before an entry when a tool prints it: line numbers, a file name, a diff's sign; and the sign of a comment. */
const DECORATION =
  /^(?:[^\s=:"']{0,256}[:-])?[ \t]{0,10}(?:\d{1,7}[:\t→|-]?)?[ \t]{0,10}[+\- ]?[ \t]{0,10}#?[ \t]{0,10}(?=(?:export[ \t]+|declare -x[ \t]+|set -gx[ \t]+)?[A-Za-z_][\w.]{0,255}[= ])/;

/**
 * Secret entries in printed lines of environment-like text: output of `env` or `set`, `cat -n .env`,
 * `git diff` of one, `grep -rn KEY .env`. Line by line, so a quoted value ends with its line.
 */
export function secretLines(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = lineEnd(text, at);
    const line = text.slice(at, Math.min(feed, at + 66_000));
    if (line.includes("=") || line.includes("set -gx")) {
      const skip = DECORATION.exec(line)?.[0].length ?? 0;
      const body = line.slice(skip).replace(/^(?:declare -x|set -gx)[ \t]+/, (word) => "export ".padEnd(word.length));
      const shell = body.startsWith("export ") && !body.includes("=") ? body.replace(/^(export[ \t]+\w+) /, "$1=") : body;
      const entry = readEntry(shell, 0, shell.length, new Set());
      const secret = asSecret(entry === undefined ? undefined : secretRange(entry));
      for (const one of secret) found.push({ ...one, start: one.start + at + skip, end: one.end + at + skip });
    }
    at = feed + 1;
  }
  return found;
}

const TEMPLATE = /\.(?:example|sample|template|dist|tpl|tmpl|defaults?|schema)$/;

/** `.env`, `.env.production`, `app.env`, `.envrc`, `.dev.vars`; not `.env.example` and its like, nor `environment.ts`. */
export function isSecretFileName(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  if (TEMPLATE.test(name) || /\.env\.[\w-]*(?:example|sample|template)/.test(name) || /^(?:example|sample|template)\.env$/.test(name))
    return false;
  return /^\.env(?:$|[.-]\S)/.test(name)
    ? !/\.(?:[cm]?[jt]sx?|py|rb|go|rs|md|json|ya?ml|php|java|sh|d\.ts)$/.test(name)
    : /^[\w.-]*\.env$|^\.envrc$|^\.dev\.vars(?:$|\.)|^\.flaskenv$|^\.env_/.test(name);
}
