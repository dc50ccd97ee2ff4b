/** What a command lets through of a file, where that can be told exactly, and whether any of it is secret. */
import type { Excerpt, LinePattern, Source, Span } from "../call/effect.ts";
import { queried } from "../call/query.ts";
import { piecesOf } from "../secrets/pieces.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Look } from "./files.ts";

/** Whether what the source lets through of this file can hold any part of a secret; true whenever that cannot be told. */
export function showsSecret(source: Source, look: Look): boolean {
  if (source.from !== "file" || source.excerpt === undefined) return true;
  const printed = cut(look.text, source.excerpt);
  return (
    printed === undefined ||
    look.secrets.some((secret) => shows(look.text, printed, secret)) ||
    scan(textOf(look.text, printed)).secrets.length > 0
  );
}

/** Of secrets this file holds, those the source lets through: all of them whenever that cannot be told. */
export function shownOf<S extends { readonly secret: Secret; readonly look?: Look | undefined }>(
  source: Source,
  look: Look,
  held: readonly S[],
): readonly S[] {
  if (source.from !== "file" || source.excerpt === undefined || held.length === 0) return held;
  const { excerpt } = source;
  if (excerpt.kind === "entry")
    return held.filter((one) => one.look === undefined || one.look === look || one.look.path === `/${excerpt.name}`);
  const printed = cut(look.text, excerpt);
  // What stands there in another spelling cannot be looked for.
  return printed === undefined ? held : held.filter(({ secret }) => !look.text.includes(secret.value) || shows(look.text, printed, secret));
}

/** Half-open range of a text. */
type Range = readonly [number, number];

/** What comes through: pieces of the text as they stand there, or a text that was made of it. */
type Printed = readonly Range[] | string;

function textOf(text: string, printed: Printed): string {
  return typeof printed === "string" ? printed : printed.map(([start, end]) => text.slice(start, end)).join("\n");
}

/** The text that comes through of a file; all of it whenever that cannot be told. */
export function printedOf(source: Source, { text }: Look): string {
  if (source.from !== "file" || source.excerpt === undefined) return text;
  const pieces = piecesBy(text, source.excerpt);
  if (pieces !== undefined) return pieces.map((piece) => (typeof piece === "string" ? piece : text.slice(...piece))).join("");
  const printed = cut(text, source.excerpt);
  return printed === undefined ? text : textOf(text, printed);
}

/** Whether any character of a secret comes through, at one of the places where it stands. */
function shows(text: string, printed: Printed, secret: Secret): boolean {
  if (typeof printed === "string") return piecesOf(printed, [secret]).length > 0;
  const places = placesOf(text, secret);
  return places.length === 0 || places.some(([start, end]) => printed.some(([from, to]) => start < to && from < end));
}

/** Places of one value that are looked up. */
const PLACES_MOST = 64;

/** Where a secret stands, its armour left out; nothing when that is not known. */
function placesOf(text: string, { value, start, end }: Secret): readonly Range[] {
  const found: Range[] = start < 0 ? [] : [[start, end]];
  const step = Math.max(1, value.length);
  for (let at = text.indexOf(value); at >= 0 && found.length < PLACES_MOST; at = text.indexOf(value, at + step))
    found.push([at, at + step]);
  return found.flatMap(([from, to]) =>
    linesOf(text.slice(from, to)).flatMap(([first, last]): readonly Range[] =>
      isArmour(text.slice(from + first, Math.min(from + last, from + first + ARMOUR_CHARS))) ? [] : [[from + first, from + last]],
    ),
  );
}

/** `-----BEGIN PRIVATE KEY-----`, and nothing behind it: in JSON the whole key stands on one line. */
function isArmour(line: string): boolean {
  return /^-----[A-Z0-9 ]{3,60}-----\r?$/.test(line);
}

/** More than the longest such line has. */
const ARMOUR_CHARS = 100;

/** Lines a pattern is compared with are at most that long, since it may cost the square of it, and so many that the whole stays small. */
const LINE_CHARS_MAX = 4_096;
const TEXT_CHARS_MAX = 256 * 1024;

/** The part of the text that comes through; undefined when the text is not of the kind the command reads. */
function cut(text: string, excerpt: Excerpt): Printed | undefined {
  switch (excerpt.kind) {
    case "lines with": {
      const fold = (value: string): string => (excerpt.ignoreCase ? value.toLowerCase() : value);
      const wanted = fold(excerpt.text);
      const comes = (line: string): boolean => (excerpt.start ? fold(line).startsWith(wanted) : fold(line).includes(wanted));
      return linesOf(text).filter(([start, end]) => comes(text.slice(start, end)));
    }
    case "lines matching":
      return byLine(text, excerpt.pattern, (line, pattern) => (line.search(pattern) >= 0 === excerpt.inverted ? [] : [[0, line.length]]));
    case "matches":
      return byLine(text, excerpt.pattern, (line, pattern) => found(line, pattern));
    case "replaced":
      return rangesIn(piecesBy(text, excerpt));
    case "first lines":
      return linesOf(text).slice(0, excerpt.count);
    case "last lines":
      return excerpt.count === 0 ? [] : linesOf(text.replace(/\n$/, "")).slice(-excerpt.count);
    case "first bytes":
      // Never fewer characters than bytes.
      return [[0, excerpt.count]];
    case "lines":
      return chosen(linesOf(text), [excerpt.span]);
    case "fields":
      return linesOf(text).flatMap(([start, end]) => {
        const fields = fieldsOf(text.slice(start, end), excerpt.separator);
        const kept = fields.length === 1 && excerpt.whole ? fields : chosen(fields, excerpt.spans);
        return kept.map(([from, to]) => [start + from, start + to] as const);
      });
    case "columns":
      return linesOf(text).flatMap(([start, end]) =>
        excerpt.spans.map(([first, last]) => [start + first - 1, last === 0 ? end : Math.min(end, start + last)] as const),
      );
    case "member":
      return member(text, excerpt.path);
    case "entry":
      return undefined;
    case "query":
      return query(text, excerpt.program, excerpt.language);
    case "then": {
      const whole = inSteps(text, excerpt.steps);
      return whole && runsOf(whole.places);
    }
  }
}

/** A range of a text, or a text that the command puts in. */
type Piece = Range | string;

function rangesIn(pieces: readonly Piece[] | undefined): readonly Range[] | undefined {
  return pieces?.filter((piece) => typeof piece !== "string");
}

/** What comes out of a step, in order; undefined when that cannot be told. */
function piecesBy(text: string, step: Excerpt): readonly Piece[] | undefined {
  const lines = linesOf(text);
  if (text.length > TEXT_CHARS_MAX) return undefined;
  switch (step.kind) {
    case "replaced": {
      if (lines.some(([start, end]) => end - start > LINE_CHARS_MAX)) return undefined;
      const pattern = new RegExp(step.pattern.source, step.pattern.ignoreCase ? "dgi" : "dg");
      return joined(lines.map(([start, end]) => replacedLine(text.slice(start, end), pattern, step).map((piece) => moved(piece, start))));
    }
    case "fields":
    case "columns": {
      const between = step.kind === "fields" ? [step.separator] : [];
      return joined(
        lines.map(([start, end]) =>
          (rangesOf(text.slice(start, end), step) ?? []).flatMap((range, index) => [...(index === 0 ? [] : between), moved(range, start)]),
        ),
      );
    }
    case "then": {
      const whole = inSteps(text, step.steps);
      return whole && [whole.text];
    }
    default:
      return rangesOf(text, step)?.flatMap((range, index) => (index === 0 ? [range] : ["\n", range]));
  }
}

function rangesOf(text: string, step: Excerpt): readonly Range[] | undefined {
  const printed = cut(text, step);
  return typeof printed === "string" ? undefined : printed;
}

function moved(piece: Piece, by: number): Piece {
  return typeof piece === "string" ? piece : [piece[0] + by, piece[1] + by];
}

function joined(lines: readonly (readonly Piece[])[]): readonly Piece[] {
  return lines.flatMap((line, index) => (index === 0 ? line : ["\n", ...line]));
}

function replacedLine(line: string, pattern: RegExp, { by, all }: Extract<Excerpt, { kind: "replaced" }>): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    pieces.push([at, match.index]);
    for (const part of by) {
      const place = typeof part === "number" ? match.indices?.[part] : part;
      if (place !== undefined) pieces.push(place);
    }
    at = match.index + match[0].length;
    if (!all) break;
  }
  return [...pieces, [at, line.length]];
}

/** What comes out of several steps, and where each character of it stands in the text, -1 for what a command put in. */
function inSteps(text: string, steps: readonly Excerpt[]): { readonly text: string; readonly places: readonly number[] } | undefined {
  let left = text;
  let places: readonly number[] = Array.from({ length: text.length }, (_, index) => index);
  for (const step of steps) {
    const pieces = piecesBy(left, step);
    if (pieces === undefined) return undefined;
    const before = places;
    places = pieces.flatMap((piece) => (typeof piece === "string" ? Array<number>(piece.length).fill(-1) : before.slice(...piece)));
    left = pieces.map((piece) => (typeof piece === "string" ? piece : left.slice(...piece))).join("");
  }
  return { text: left, places };
}

/** Places as ranges. */
function runsOf(places: readonly number[]): readonly Range[] {
  const runs: [number, number][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === place) last[1]++;
    else if (place >= 0) runs.push([place, place + 1]);
  }
  return runs;
}

/** The lines of a text without their ends. */
function linesOf(text: string): readonly Range[] {
  const lines: Range[] = [];
  let start = 0;
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", start)) {
    lines.push([start, feed]);
    start = feed + 1;
  }
  return [...lines, [start, text.length]];
}

function fieldsOf(line: string, separator: string): readonly Range[] {
  if (separator === "") return [...line.matchAll(/[^ \t]+/g)].map(({ index, 0: word }) => [index, index + word.length] as const);
  const fields: Range[] = [];
  let start = 0;
  for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, start)) {
    fields.push([start, at]);
    start = at + separator.length;
  }
  return [...fields, [start, line.length]];
}

function chosen(items: readonly Range[], wanted: readonly Span[]): readonly Range[] {
  return items.filter((_, index) => wanted.some(([first, last]) => index + 1 >= first && (last === 0 || index + 1 <= last)));
}

function found(line: string, pattern: RegExp): readonly Range[] {
  return [...line.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length] as const);
}

function byLine(
  text: string,
  { source, ignoreCase }: LinePattern,
  of: (line: string, pattern: RegExp) => readonly Range[],
): readonly Range[] | undefined {
  const lines = linesOf(text);
  if (text.length > TEXT_CHARS_MAX || lines.some(([start, end]) => end - start > LINE_CHARS_MAX)) return undefined;
  const pattern = new RegExp(source, ignoreCase ? "gi" : "g");
  return lines.flatMap(([start, end]) => of(text.slice(start, end), pattern).map(([from, to]) => [start + from, start + to] as const));
}

function query(text: string, program: string, language: "JSON" | "YAML"): string | undefined {
  let document: unknown;
  try {
    document = language === "JSON" ? JSON.parse(text) : Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
  return queried(program, document)
    ?.map((value) => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null")))
    .join("\n");
}

function member(text: string, path: readonly string[]): string | undefined {
  try {
    let value: unknown = JSON.parse(text);
    for (const name of path)
      value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}
