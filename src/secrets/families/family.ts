/**
 * What a token family is: where to look for it, how it is laid out, what proves it.
 *
 * A new format is one entry in one of the lists beside this file, usually one line of `vendor(…)`, and its issuer's layout
 * in `test/labelled/formats.ts`: from that the tests make the samples that must and must not match. Rules for the parts:
 * - `needles` are literal, at least three characters, without `/` (some serializers write `\/`), and so rare that
 *   ordinary text does not hold them by the thousand.
 * - `pattern` is sticky, linear and of bounded length, and begins at the needle unless `starts` says otherwise.
 *   A group named `value` narrows the secret; a group named `body` is what a placeholder would fill.
 * - Only families on the closed list of D-13 have `proof`. A check outside that list is `check` alone.
 */
import { isPlaceholder, isPlaceholderBody } from "../placeholders.ts";
import type { Grade } from "../secret.ts";
import type { ProofKind } from "../../verdict.ts";
import { type Edge, isFreeAfter, isFreeBefore } from "./edge.ts";

/** A secret in a text, before it gets its family's name. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The value with escapes undone, for hashing; usually the text between `start` and `end`. */
  readonly value: string;
  readonly grade: Grade;
  readonly kind: ProofKind;
}

/** What the scan knows of a family. */
export interface Family {
  /** As in `[leak0:<id>:…]`: lower case, digits, `-`. Several families of one issuer share it. */
  readonly id: string;
  /** For people: "GitHub personal access token". */
  readonly title: string;
  readonly needles: readonly string[];
  /** Looks at one place where a needle starts. Undefined means "not mine". Never throws. */
  find(text: string, at: number, needle: string, budget: Budget): Match | undefined;
}

/** What one scan may still spend on checks that take milliseconds. */
export interface Budget {
  /** Key pairs that may still be derived; below zero the scan is incomplete. */
  curves: number;
}

/** A family laid out by a pattern. */
export interface Format {
  readonly id: string;
  readonly title: string;
  readonly needles: readonly string[];
  readonly pattern: RegExp;
  /** What may not touch the value; `word` unless said. */
  readonly edge?: Edge;
  /** Where the pattern may begin for a needle at `at`; `[at]` unless said. A proven match comes before an unproven one. */
  readonly starts?: (text: string, at: number) => readonly number[];
  /** Undoes escapes inside the matched text. */
  readonly unescape?: (value: string) => string;
  /** Recomputes check data that prove the type (D-13); without success the value is a vendor pattern. */
  readonly proof?: (value: string, body: string, budget: Budget) => boolean;
  /** Refuses values: check data or structure outside D-13 that a real value always has. */
  readonly check?: (value: string, body: string) => boolean;
  /** True where what stands around an unproven value says that it is made to be shown, such as a key in a web page. */
  readonly isPublic?: (text: string, start: number, end: number) => boolean;
  /** How the finding is named when nothing proves it; `pattern` unless said. */
  readonly kind?: ProofKind;
  /** True when the marker itself is unmistakable, so that bodies need no mixture of characters; so by itself for long prefixes. */
  readonly plain?: boolean;
}

/** A format together with its search; tests make samples from the format. */
export type FormatFamily = Family & Format;

export function format(spec: Format): FormatFamily {
  return { ...spec, find: (text, at, needle, budget) => find(spec, text, at, needle, budget) };
}

/** A vendor's format without a check: title, needles, pattern. The short way for most entries. */
export function vendor(id: string, title: string, needles: readonly string[], pattern: RegExp, more: Partial<Format> = {}): FormatFamily {
  return format({ id, title, needles, pattern, ...more });
}

function find(spec: Format, text: string, at: number, needle: string, budget: Budget): Match | undefined {
  const edge = spec.edge ?? "word";
  let unproven: Match | undefined;
  for (const begin of spec.starts?.(text, at) ?? [at]) {
    if (begin < 0) continue;
    // Looked at first: it costs nothing. A value with a proof needs no boundary, check data are one: `x-ghp_…`, `_ghp_…`.
    const free = isFreeBefore(text, begin, edge);
    if (!free && spec.proof === undefined) continue;
    spec.pattern.lastIndex = begin;
    const found = spec.pattern.exec(text);
    if (found === null) continue;
    const written = found.groups?.["value"] ?? found[0];
    const start = begin + found[0].lastIndexOf(written);
    const end = start + written.length;
    // An ellipsis behind it says that somebody cut it short.
    const alone = free && isFreeAfter(text, end, edge) && !/^(?:…|\.{3})/.test(text.slice(end, end + 3));
    if (!alone && spec.proof === undefined) continue;
    const value = spec.unescape?.(written) ?? written;
    const body = found.groups?.["body"] ?? (written.startsWith(needle) ? value.slice(needle.length) : value);
    const judged = judge(spec, value, body, needle, budget);
    if (judged?.grade === "token") return { start, end, value, ...judged };
    if (judged !== undefined && alone && spec.isPublic?.(text, start, end) !== true) unproven ??= { start, end, value, ...judged };
  }
  return unproven;
}

function judge(spec: Format, value: string, body: string, needle: string, budget: Budget): Pick<Match, "grade" | "kind"> | undefined {
  if (isPlaceholderBody(body)) return undefined;
  if (spec.proof?.(value, body, budget)) return { grade: "token", kind: "checksum" };
  if (isPlaceholder(value) || isPlaceholder(body)) return undefined;
  if (looksTyped(body)) return undefined;
  if (spec.plain !== true && isIdentifier(body)) return undefined;
  const plain = spec.plain ?? (spec.edge !== "open" && needle.length >= LONG_PREFIX);
  if (!plain && !isMixed(body)) return undefined;
  if (spec.check !== undefined && !spec.check(value, body)) return undefined;
  return { grade: "vendor", kind: spec.kind ?? "pattern" };
}

/** A prefix of this many characters does not begin words or identifiers by chance. */
const LONG_PREFIX = 7;

/** Whether a value looks machine-made rather than written by a person. Only for values that nothing proves. */
export function looksRandom(body: string): boolean {
  return !looksTyped(body) && !isIdentifier(body) && isMixed(body);
}

/** Elided, masked in part, or a run in alphabet order inside. */
function looksTyped(body: string): boolean {
  // In a long value a short run is chance.
  const filled = body.length < 100 ? /([xX0*])\1{5}/ : /([xX0*])\1{15}/;
  return /\.{3}|…/.test(body) || filled.test(body) || hasTypedRun(body);
}

/**
 * A name from somebody's code behind a short prefix (`fw_updateFirmwareVersion2`): three words or more make up most of it.
 * One random value in ten thousand looks so.
 */
function isIdentifier(body: string): boolean {
  if (!/[a-z][A-Z][a-z]/.test(body)) return false;
  let words = 0;
  let covered = 0;
  for (const [word] of body.matchAll(/[A-Z][a-z]{3,}|[a-z]{4,}/g)) {
    if (!/[aeiouy]/i.test(word) || /[^aeiouy]{5}/i.test(word)) continue;
    words++;
    covered += word.length;
  }
  return words >= 3 && covered * 10 >= body.length * 7;
}

/** Two kinds of characters at least; where `-`, `_` or `.` cut the body into pieces, no words, or enough digits among them. */
function isMixed(body: string): boolean {
  const lower = /[a-z]/.test(body);
  const upper = /[A-Z]/.test(body);
  const digit = /\d/.test(body);
  if (Number(lower) + Number(upper) + Number(digit) < 2) return false;
  if (!/[-_.]/.test(body)) return digit || (lower && upper);
  if (lower && upper && !/[a-z]{6}|[A-Z]{6}/.test(body)) return true;
  return digit && ((lower && upper) || /^[\dA-Fa-f_.-]+$/.test(body) || /^[\dA-Z_.-]+$/.test(body) || /\d.{0,40}\d.{0,40}\d/.test(body));
}

/** Seven characters that follow each other (`3456789`, `AbCdEfG`, `7890123`) or letters and digits in turn (`a1b2c3d4`); hex has shorter ones by chance. */
function hasTypedRun(body: string): boolean {
  const text = body.toLowerCase();
  let steps = 0;
  let turns = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1);
    steps = code === before + 1 || (before === 0x39 && code === 0x30) ? steps + 1 : 0;
    turns = at >= 2 && code === text.charCodeAt(at - 2) + 1 && code !== before + 1 ? turns + 1 : 0;
    if (steps >= 6 || turns >= 6) return true;
  }
  return false;
}
