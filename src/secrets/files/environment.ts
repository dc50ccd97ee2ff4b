/**
 * Which entries of an environment are secret (grade "field"): by their name, as a URL's password, in a connection string.
 * Tokens with a format of their own are the scan's. Only for text known to be an environment: source code holds such
 * lines too.
 */
import { onBareText } from "../ansi.ts";
import { BROWSER_NAME } from "../families/clouds.ts";
import { disjoint } from "../pieces.ts";
import type { Secret } from "../secret.ts";
import { type Entry, entriesOf, printedEntries } from "./dotenv.ts";
import { isSecretValue, passwordInUrl } from "./entry-value.ts";
import { listedEntries } from "./listed-entries.ts";
import { isToken } from "./literal.ts";
import { isKeyName, isSecretName } from "./name.ts";

/** The secrets of a `.env` text, in order: of its entries, of those commented out, and of entries as a tool prints them. */
export function secretEntries(text: string): readonly Secret[] {
  return onEntries(text, inLines);
}

/** The secrets of printed lines alone: start-up files and histories, whose commands may hold quotes that nothing closes. */
export function secretLines(text: string): readonly Secret[] {
  return [...printedEntries(text)].flatMap(secretOf);
}

/** The secrets of an environment however it was printed: in lines, or as items and pairs of something larger. In order, not overlapping. */
export function environmentSecrets(text: string): readonly Secret[] {
  return onEntries(text, (bare) => disjoint([...inLines(bare), ...[...listedEntries(bare)].flatMap(secretOf)]));
}

/** Whether a variable's value is secret by itself: its name says so and its value does not deny it. */
export function isSecretEntry(name: string, value: string): boolean {
  // Google's key of a web page is made to be shown.
  if (BROWSER_NAME.test(name) && value.startsWith("AIza")) return false;
  if (isSecretName(name)) return isSecretValue(value);
  return isKeyName(name) && isToken(value, 16) && isSecretValue(value) && !isPublicKeyValue(name, value);
}

/** Words and numbers with joints between them: `order-2024-01-01-000123`, `uploads/2024/user-default.png`. */
function isPlanned(value: string): boolean {
  const parts = value.split(/[-_/.:]/);
  return parts.length > 1 && parts.every((part) => /^(?:[A-Za-z][a-z]{0,24}|[A-Z]{2,24}|\d{1,12})$/.test(part));
}

/** What a name that only ends in KEY holds of no secret: an object's or a record's name, the fingerprint of a signing key. */
function isPublicKeyValue(name: string, value: string): boolean {
  return isPlanned(value) || (/(?:^|_)(?:GPG|PGP)_KEYS?$/i.test(name) && /^(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})$/i.test(value));
}

/** Entries may be in colour, or have a NUL between them (`env -0`, /proc/…/environ). */
function onEntries(text: string, find: (text: string) => readonly Secret[]): readonly Secret[] {
  return onBareText(text, (bare) => find(bare.includes("\0") ? bare.replaceAll("\0", "\n") : bare));
}

function inLines(text: string): readonly Secret[] {
  const found = entriesOf(text).flatMap(secretOf);
  let at = 0;
  const others = secretLines(text).filter((secret) => {
    while (at < found.length && (found[at]?.end ?? 0) <= secret.start) at++;
    const next = found[at];
    return next === undefined || next.start >= secret.end;
  });
  return [...found, ...others].sort((a, b) => a.start - b.start);
}

function secretOf(entry: Entry): readonly Secret[] {
  const range = secretRange(entry);
  return range === undefined ? [] : [{ family: "env", title: "Secret in an environment file", grade: "field", kind: "field", ...range }];
}

interface SecretRange {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The secret part of an entry: the password of a URL, or the whole value when its name says secret. */
function secretRange({ name, value, start, end }: Entry): SecretRange | undefined {
  const url = passwordInUrl(value);
  if (url !== undefined) {
    // Escapes would shift the range; a URL has none.
    if (end - start !== value.length) return { start, end, value };
    return { start: start + url.start, end: start + url.end, value: value.slice(url.start, url.end) };
  }
  return isSecretEntry(name, value) ? { start, end, value } : connectionPassword({ name, value, start, end });
}

/** `Server=…;Password=…;` and `AccountKey=…`: connection strings under any name. */
function connectionPassword(entry: Entry): SecretRange | undefined {
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
