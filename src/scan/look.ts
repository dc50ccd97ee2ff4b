/**
 * One file, or one stream, to the places where secrets stand in it.
 *
 * Trust: content and names are hostile. A long file is looked at in parts that overlap, so memory stays the same whatever
 * its size. Nothing that leaves this file holds a value: lines are shown with every value on them replaced.
 */
import { isBinary } from "../call/git/index.ts";
import { Exemptions } from "../leak0/exempting.ts";
import { isExcluded, isListed } from "../leak0/lists.ts";
import { relaxation } from "../leak0/places.ts";
import { CHOSEN } from "../limits.ts";
import type { Leak0Lists } from "../policy/lists.ts";
import { decode, decodeAs, type Encoding } from "../secrets/decode.ts";
import { piecesOf } from "../secrets/pieces.ts";
import { redactText } from "../secrets/redact.ts";
import { scan } from "../secrets/scan.ts";
import type { System } from "../system.ts";
import { type Content, evidenceInFile, evidenceInText, type Guarded } from "./evidence.ts";
import type { Sighting } from "./sighting.ts";
import type { Entry } from "./tree.ts";

/** What one file came to. */
export interface Looked {
  readonly sightings: readonly Sighting[];
  /** Findings that the repository's exemption list leaves out. */
  readonly exempt: number;
  /** Bytes looked at. */
  readonly bytes: number;
  /** Why it was not looked at to its end; undefined when it was. */
  readonly open: "unreadable" | "too many places" | "binary beyond its beginning" | undefined;
}

/** A repository's exemption list with a mistake in it, so that it exempts nothing. */
export interface Broken {
  readonly root: string;
  /** Completes ".leak0-exempt …". */
  readonly why: string;
}

/** What a looker has to know. */
export interface LookerOptions {
  readonly system: System;
  readonly lists: Leak0Lists;
  /** The short hash of a value. */
  readonly hash: (value: string) => string;
  /** Whether the repositories' exemption lists count. */
  readonly exempting: boolean;
}

/** Looks at files with one user's key and lists. */
export class Looker {
  readonly #system: System;
  readonly #lists: Leak0Lists;
  readonly #exemptions: Exemptions | undefined;
  /** One place for the bytes of all files, one after the other: making a new one each time costs more than reading. */
  readonly #room = new Uint8Array(CHOSEN.credential_file_bytes + 1);
  readonly hash: (value: string) => string;

  constructor({ system, lists, hash, exempting }: LookerOptions) {
    this.#system = system;
    this.#lists = lists;
    this.#exemptions = exempting ? new Exemptions(system) : undefined;
    this.hash = hash;
  }

  /** Exemption lists that count for nothing and were not told before. */
  brokenLists(): Broken[] {
    return this.#exemptions?.broken.splice(0) ?? [];
  }

  file(entry: Entry): Looked {
    const { home } = this.#system;
    if (isExcluded([entry.absolute], this.#lists, home)) return { sightings: [], exempt: 0, bytes: 0, open: undefined };
    const whole = isListed([entry.absolute], this.#lists, home) ? CHOSEN.scan_listed_bytes : CHOSEN.credential_file_bytes;
    const first = this.#system.read(entry.absolute, whole, 0, this.#room);
    if (first === undefined) return { sightings: [], exempt: 0, bytes: 0, open: "unreadable" };
    if (isBinary(first.bytes)) {
      const { bytes, cut } = first.cut ? (this.#system.read(entry.absolute, CHOSEN.git_binary_bytes) ?? first) : first;
      const looked = this.#whole(entry, "binary", bytes);
      return cut ? { ...looked, open: "binary beyond its beginning" } : looked;
    }
    return first.cut ? this.#inParts(entry, first.bytes) : this.#whole(entry, "text", first.bytes);
  }

  /** Text that comes from no file. */
  stream(path: string): Parts {
    return new Parts(new Reader(path, "text", this.hash, () => false));
  }

  #whole(entry: Entry, content: Content, bytes: Uint8Array): Looked {
    const { text } = decode(bytes);
    const { secrets, complete } = evidenceInFile(entry.absolute, text, content, this.#lists, this.#system);
    const open = complete ? undefined : "too many places";
    if (secrets.length === 0) return { sightings: [], exempt: 0, bytes: bytes.length, open };
    const reader = this.#reader(entry, content);
    const sightings = reader.sightings(text, secrets, 0, text.length);
    return { sightings, exempt: reader.exempt, bytes: bytes.length, open };
  }

  #inParts(entry: Entry, first: Uint8Array): Looked {
    const reader = this.#reader(entry, "text");
    const parts = new Parts(reader);
    const sightings = [...parts.take(first, false)];
    let at = first.length;
    for (;;) {
      const next = this.#system.read(entry.absolute, CHOSEN.scan_window_bytes, at, this.#room);
      if (next === undefined) return { sightings, exempt: reader.exempt, bytes: at, open: "unreadable" };
      sightings.push(...parts.take(next.bytes, !next.cut));
      at += next.bytes.length;
      if (!next.cut) break;
    }
    return { sightings, exempt: reader.exempt, bytes: at, open: parts.complete ? undefined : "too many places" };
  }

  #reader({ path, absolute, root }: Entry, content: Content): Reader {
    const exemptions = this.#exemptions;
    if (exemptions === undefined || root === undefined) return new Reader(path, content, this.hash, () => false);
    const relative = absolute.slice(root.length + 1);
    // D-04: as in the hook, the content of a credential file is left alone in test folders only.
    const spared = ({ rule, value }: Guarded): boolean =>
      (!CREDENTIAL_RULES.has(rule) || relaxation(relative) === "test") && exemptions.has(root, { path: relative, rule, value });
    return new Reader(path, content, this.hash, spared);
  }
}

const CREDENTIAL_RULES: ReadonlySet<string> = new Set(["leak0:credential_file_read", "leak0:credential_content_written"]);

/** A text too long to be held at once. What was taken is looked at with a little of what stands before and behind it. */
export class Parts {
  readonly #reader: Reader;
  #encoding: Encoding | undefined;
  /** Bytes kept: `#done` of them were looked at and stand before the next part. */
  #kept = new Uint8Array();
  #done = 0;
  complete = true;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Takes the next bytes, and says what was found in what could be looked at by now; at the end that is all of it. */
  take(bytes: Uint8Array, last: boolean): readonly Sighting[] {
    const whole = new Uint8Array(this.#kept.length + bytes.length);
    whole.set(this.#kept);
    whole.set(bytes, this.#kept.length);
    this.#encoding ??= decode(whole).encoding;
    const encoding = this.#encoding;
    const end = last ? whole.length : Math.max(this.#done, cut(whole, whole.length - CHOSEN.scan_behind_bytes, encoding));
    const before = decodeAs(whole.subarray(0, this.#done), encoding);
    const middle = decodeAs(whole.subarray(this.#done, end), encoding);
    const text = before + middle + decodeAs(whole.subarray(end), encoding);
    const { secrets, complete } = evidenceInText(text, "text");
    this.complete &&= complete;
    const sightings = this.#reader.sightings(text, secrets, before.length, before.length + middle.length);
    const from = last ? whole.length : cut(whole, end - CHOSEN.scan_before_bytes, encoding);
    this.#kept = whole.slice(from);
    this.#done = end - from;
    return sightings;
  }
}

/** How far back a line's end is looked for, in bytes. */
const LINE_BYTES = 4 * 1024;

/** A place near `at` where a text may be cut: behind a line, else between two characters. */
function cut(bytes: Uint8Array, at: number, encoding: Encoding): number {
  if (at <= 0) return 0;
  if (encoding === "utf-32le") return at - (at % 4);
  if (encoding.startsWith("utf-16")) return at - (at % 2);
  const line = bytes.subarray(0, at).lastIndexOf(10);
  if (line >= at - LINE_BYTES) return line + 1;
  let place = at;
  while (place > at - 4 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}

/** Follows lines and columns through the parts of one text. */
class Reader {
  readonly #path: string;
  readonly #content: Content;
  readonly #hash: (value: string) => string;
  readonly #spared: (secret: Guarded) => boolean;
  /** Findings that were left out because they are spared. */
  exempt = 0;
  #shown: string | undefined;
  #line = 1;
  /** Characters of the present line that stand before the present place. */
  #column = 0;

  constructor(path: string, content: Content, hash: (value: string) => string, spared: (secret: Guarded) => boolean) {
    this.#path = path;
    this.#content = content;
    this.#hash = hash;
    this.#spared = spared;
  }

  /** Secrets that begin in [from, to) of the text, with their places; goes on to `to`. */
  sightings(text: string, secrets: readonly Guarded[], from: number, to: number): readonly Sighting[] {
    const seen: Sighting[] = [];
    let at = from;
    const goTo = (place: number): void => {
      for (let feed = text.indexOf("\n", at); feed >= 0 && feed < place; feed = text.indexOf("\n", at)) {
        this.#line++;
        this.#column = 0;
        at = feed + 1;
      }
      this.#column += place - at;
      at = place;
    };
    for (const [index, secret] of secrets.entries()) {
      if (secret.start >= to || (secret.start >= 0 && secret.start < from)) continue;
      if (this.#spared(secret)) {
        this.exempt++;
        continue;
      }
      const placed = secret.start >= 0;
      if (placed) goTo(secret.start);
      const feed = placed ? text.slice(secret.start, secret.end).includes("\n") : true;
      const column = placed ? this.#column + 1 : 1;
      seen.push({
        path: (this.#shown ??= printable(this.#path, this.#hash)),
        line: placed ? this.#line : 1,
        column,
        end_column: feed ? undefined : column + secret.end - secret.start,
        family: secret.family,
        title: secret.title,
        proof: secret.kind,
        hash: this.#hash(secret.value),
        rule: secret.rule,
        excerpt: placed && this.#content === "text" ? excerpt(text, index, secrets, this.#hash) : undefined,
      });
    }
    goTo(to);
    return seen;
  }
}

/** A path as it may be shown: a value in it is replaced. */
export function printable(path: string, hash: (value: string) => string): string {
  return redactText(path, scan(path).secrets, hash);
}

/** What stands round a secret on its line, every value replaced. `all` is in order; `index` is the secret's place among them. */
function excerpt(text: string, index: number, all: readonly Guarded[], hash: (value: string) => string): string {
  const secret = all[index] as Guarded;
  const before = text.slice(Math.max(0, secret.start - CHOSEN.scan_excerpt_before_chars), secret.start);
  const behind = text.slice(secret.end, secret.end + CHOSEN.scan_excerpt_behind_chars);
  const feed = behind.indexOf("\n");
  let from = secret.start - before.length + before.lastIndexOf("\n") + 1;
  let to = secret.end + (feed < 0 ? behind.length : feed);
  // The cut must not leave a piece of another value.
  let first = index;
  for (let other = all[first - 1]; other !== undefined && other.end > from; other = all[first - 1]) {
    from = Math.min(from, other.start);
    first--;
  }
  let last = index;
  for (let other = all[last + 1]; other !== undefined && other.start >= 0 && other.start < to; other = all[last + 1]) {
    to = Math.max(to, other.end);
    last++;
  }
  const near = all.slice(first, last + 1).map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
  const line = redactText(text.slice(from, to), near, hash);
  return (
    redactText(line, piecesOf(line, near), hash)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing may move a terminal's cursor or turn its text round
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, " ")
      .trim()
  );
}
