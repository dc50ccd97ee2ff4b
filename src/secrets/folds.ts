/**
 * What was folded at a terminal's width, in a table's cell or by a narrow wrap: runs of a token's characters that end a line and
 * go on in the next one, behind indentation, a frame, a line number.
 *
 * Trust: the text is hostile. Each line is looked at once; what is put together holds no more than the text.
 */
import { CHOSEN } from "../limits.ts";
import { DIGITS, kindOf, LETTERS, type Range } from "./runs.ts";
import { surveyOf } from "./survey.ts";
import { Composing, type View } from "./view.ts";

const BODY = kindOf(`${DIGITS}${LETTERS}_+/=.~:-`);
/** What may stand between both parts behind the line end: what printing puts before a line. */
const BEFORE_LINE = /[ \t]{0,80}(?:\d{1,7}(?:[\t→:]|[ \t]{0,2}[│|]) ?|(?:[+>|│┃]|# )[ \t]{0,80})?/y;
/** A date or a time of day begins a line of a log. */
const TIME = /\d\d(?:\d\d)?[-:/]\d/y;
/** What may begin a line that does not begin with a part itself. */
const FRAMES = "+>#|│┃0123456789";
const RUN = /[\w+/=.~:-]{0,16777216}/y;
/** Shortest run that is put together, in characters. */
const SHORTEST = 20;
/** As many full lines with nothing between them are a file, whose base64 is read where base64 is, or a list. */
const BLOCK_LINES = 8;
const BLOCK_WIDTH = 40;

/** Runs that go on over line ends, each without them; `\n` written out is one, too. */
export function foldedRuns(text: string, take: (run: View) => void): void {
  const lines = new Ends(text);
  if (!lines.written && !surveyOf(text).folds) return;
  const chain = new Chain(text, take);
  for (let end = lines.next(); end !== undefined && chain.given < CHOSEN.folded_runs; end = lines.next()) {
    const next = nextBehind(text, chain.floor, end);
    if (next !== undefined) chain.join(next);
    chain.floor = Math.max(chain.floor, end.end);
  }
  chain.end();
}

/** The text with its folded runs joined where they stand; a line that begins with a name of its own is none of them. */
export function unfolded(text: string): View {
  const made = new Composing(text);
  const lines = new Ends(text);
  let from = 0;
  for (let end = lines.next(); end !== undefined; end = lines.next()) {
    const next = nextBehind(text, from, end);
    if (next === undefined || NAMED.test(text.slice(next.from, next.to + 4))) continue;
    made.copy(from, next.stop);
    from = next.from;
  }
  made.copy(from, text.length);
  return made.view();
}

/** `name = `, `name: `, `name=`. */
const NAMED = /^[\w.-]{2,100} {0,2}[:=]/;

interface Next {
  /** Where the run stops in front of the line end. */
  readonly stop: number;
  /** Where it goes on. */
  readonly from: number;
  readonly to: number;
}

/** What goes on behind a line end; undefined when nothing does. */
function nextBehind(text: string, floor: number, { start, end }: Range): Next | undefined {
  let stop = start;
  while (stop > floor && isPadding(text.charCodeAt(stop - 1))) stop--;
  if (stop === floor || !isBody(text, stop - 1)) return undefined;
  let from = end;
  while (isBlank(text.charCodeAt(from))) from++;
  const first = text.charAt(from);
  TIME.lastIndex = from;
  if (TIME.test(text)) return undefined;
  if (FRAMES.includes(first)) {
    BEFORE_LINE.lastIndex = end;
    BEFORE_LINE.test(text);
    from = BEFORE_LINE.lastIndex;
  }
  // The armour of a key and the flags of a command.
  if (text.startsWith("--", stop - 2) || text.startsWith("--", from)) return undefined;
  let to = from;
  while (to < from + SHORTEST && isBody(text, to)) to++;
  if (to === from) return undefined;
  if (to === from + SHORTEST) {
    RUN.lastIndex = to;
    RUN.test(text);
    to = RUN.lastIndex;
    if (isListedDigest(text, from, to)) return undefined;
  }
  return { stop, from, to };
}

/** A line of `sha256sum`, `git ls-tree`, `git log`: a whole digest and something about it. */
function isListedDigest(text: string, from: number, to: number): boolean {
  return DIGESTS.includes(to - from) && isBlank(text.charCodeAt(to)) && /^[\da-f]+$/.test(text.slice(from, to));
}

/** Lengths of digests in hex. */
const DIGESTS = [32, 40, 56, 64, 96, 128];

/** Line ends of a text, in order. */
class Ends {
  readonly #text: string;
  /** Line ends are written out, too. */
  readonly written: boolean;
  #at = 0;
  #feed: number;
  #escape: number;

  constructor(text: string) {
    this.#text = text;
    this.written = text.includes("\\") && text.includes("\\n");
    this.#feed = text.indexOf("\n");
    this.#escape = this.written ? text.indexOf("\\n") : -1;
  }

  next(): Range | undefined {
    if (this.#feed >= 0 && this.#feed < this.#at) this.#feed = this.#text.indexOf("\n", this.#at);
    if (this.#escape >= 0 && this.#escape < this.#at) this.#escape = this.#text.indexOf("\\n", this.#at);
    const isFeed = this.#feed >= 0 && (this.#escape < 0 || this.#feed < this.#escape);
    const place = isFeed ? this.#feed : this.#escape;
    if (place < 0) return undefined;
    this.#at = place + (isFeed ? 1 : 2);
    const start = !isFeed && this.#text.startsWith("\\r", place - 2) ? place - 2 : place;
    return { start, end: this.#at };
  }
}

/** Parts of one run that follow each other. */
class Chain {
  readonly #text: string;
  readonly #take: (run: View) => void;
  #parts: Part[] = [];
  /** Nothing in front of this place is looked at again. */
  floor = 0;
  /** Runs put together so far. */
  given = 0;

  constructor(text: string, take: (run: View) => void) {
    this.#text = text;
    this.#take = take;
  }

  /** The run that stops there goes on. */
  join({ stop, from, to }: Next): void {
    if (this.#parts.at(-1)?.end !== stop) {
      this.end();
      let start = stop - 1;
      while (start > this.floor && isBody(this.#text, start - 1)) start--;
      // Most line ends stand between two words.
      if (to - from + stop - start < SHORTEST && !endsLine(this.#text, to)) return;
      this.#parts.push({ start, end: stop, bare: false });
    }
    this.#parts.push({ start: from, end: to, bare: from - stop <= 2 });
    this.floor = from;
  }

  end(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    // Of a file in between only the lines beside the others count.
    let first = 0;
    for (let at = 0; at < parts.length; ) {
      const stop = endOfBlock(parts, at);
      if (stop - at > BLOCK_LINES) {
        this.#give(parts.slice(first, at + 1));
        first = stop - 1;
      }
      at = stop;
    }
    this.#give(parts.slice(first));
  }

  #give(parts: readonly Part[]): void {
    if (parts.length < 2 || !isMixed(this.#text, parts)) return;
    const made = new Composing(this.#text);
    for (const { start, end } of parts) made.copy(start, end);
    this.given++;
    this.#take(made.view());
  }
}

interface Part extends Range {
  /** Nothing but the line end stands in front of it. */
  readonly bare: boolean;
}

/** Where lines of one width end that begin at this one: behind it where there are none. */
function endOfBlock(parts: readonly Part[], first: number): number {
  const width = (part: Part): number => part.end - part.start;
  const wide = width(parts[first] as Part);
  let at = first + 1;
  if (wide < BLOCK_WIDTH) return at;
  while (at < parts.length && (parts[at] as Part).bare && width(parts[at] as Part) === wide) at++;
  return at;
}

/** Long enough, and with as many digits and capitals as a token, base64, base32 or hex has: words and names have few. */
function isMixed(text: string, parts: readonly Part[]): boolean {
  let length = 0;
  let digits = 0;
  let capitals = 0;
  for (const { start, end } of parts) {
    length += end - start;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code >= 48 && code <= 57) digits++;
      else if (code >= 65 && code <= 90) capitals++;
    }
  }
  return length >= SHORTEST && digits > 0 && (digits + capitals) * 5 >= length;
}

function isBody(text: string, at: number): boolean {
  return BODY.codes[text.charCodeAt(at)] === 1;
}

function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || isPadding(code);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Blanks, a frame's side or a backslash at the end of a line. */
function isPadding(code: number): boolean {
  return isBlank(code) || code === 13 || code === 124 || code === 92 || code === 0x2502 || code === 0x2503;
}
