/**
 * Patterns as package tools read them (minimatch with matchBase, dot and nocase), one component at a time.
 * Trust: patterns are repository content. Work is bounded by the product of the lengths, and what is not understood
 * (extended globs, classes by name) is told by `sure`, so that the caller can take it for what leaves nothing out.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { braceAlternatives } from "../shell/braces.ts";

/** How much looking and comparing is left for everything one call packs, counted in characters of pattern; the clock stands behind it (D-27). */
export class Work {
  #left: number = CHOSEN.pattern_work_chars;
  readonly #left_ms: () => number;

  constructor(clock?: Pick<System, "left_ms">) {
    this.#left_ms = () => clock?.left_ms() ?? Number.POSITIVE_INFINITY;
  }

  spend(amount: number): void {
    this.#left -= amount;
  }

  /** One more entry of a folder, or one more file, is looked at. */
  entry(): void {
    this.#left -= ENTRY_WORK;
  }

  get spent(): boolean {
    return this.#left < 0 || this.#left_ms() < CHOSEN.answer_ms;
  }
}

/** What listing and looking at one entry costs (measured: about 5 µs). */
const ENTRY_WORK = 400;

/** One line of an ignore file or one entry of a `files` list. */
export class Pattern {
  /** The line takes back what another hides. */
  readonly negated: boolean;
  /** False where the pattern has a part that is not understood; such a part matches nothing, or everything in a negated line. */
  readonly sure: boolean;
  /** A bare name, which counts in every folder. */
  readonly bare: boolean;
  readonly #alternatives: readonly (readonly Piece[])[];

  readonly #everywhere: boolean;
  readonly #work: Work | undefined;
  readonly #cost: number;

  /** `whole`: letter case counts, and a bare name counts at the top only. `plain`: braces are letters like others. */
  constructor(line: string, options: { readonly whole?: true; readonly plain?: true; readonly work?: Work } = {}) {
    let start = 0;
    while (line[start] === "!") start++;
    this.negated = start % 2 === 1;
    this.#everywhere = options.whole !== true;
    const body = this.#everywhere ? line.slice(start).toLowerCase() : line.slice(start);
    const long = body.length > CHOSEN.pattern_line_chars;
    const texts = long ? [""] : options.plain === true ? [body] : expanded(body);
    const alternatives = texts.map((text) => (long ? [new Wild("*()", this.negated)] : components(text, this.negated)));
    this.#alternatives = alternatives;
    this.#work = options.work;
    // A wildcard tries many places.
    this.#cost = texts.reduce((sum, text) => sum + text.length * (text.includes("*") ? 4 : 1), 1);
    this.sure = alternatives.every((pieces) => pieces.every((piece) => typeof piece !== "object" || piece.sure));
    this.bare = alternatives.some((pieces) => pieces.length <= (pieces[pieces.length - 1] === "" ? 2 : 1));
  }

  /** Whether a path (components; lower case unless `whole`; a trailing "" stands for a trailing slash) fits. `partial`: it may be the beginning of one that fits. */
  matches(path: readonly string[], partial = false): boolean {
    this.#work?.spend(this.#cost);
    return this.#alternatives.some((pieces) => {
      if (pieces.length !== 1 || !this.#everywhere) return fits(path, 0, pieces, 0, partial);
      let last = path.length - 1;
      while (last > 0 && path[last] === "") last--;
      return fits([path[last] ?? ""], 0, pieces, 0, partial);
    });
  }
}

/** A component: literal text, `**`, or wildcards. */
type Piece = string | typeof ANY_FOLDERS | Wild;
const ANY_FOLDERS = Symbol("**");

/** Lines of an ignore file as patterns; comments and empty lines are none. */
export function patterns(text: string, work?: Work): Pattern[] {
  const found: Pattern[] = [];
  for (const line of text.split(/\r?\n/, CHOSEN.ignore_lines)) {
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#")) found.push(new Pattern(trimmed, work === undefined ? {} : { work }));
  }
  return found;
}

/** Texts without braces; a pattern with too many stands for itself. */
function expanded(text: string): readonly string[] {
  if (!text.includes("{")) return [text];
  const done: string[] = [];
  let open = [text];
  while (open.length > 0) {
    const next: string[] = [];
    for (const one of open) {
      const brace = outerBrace(one);
      const inner = brace === undefined ? undefined : braceAlternatives(one.slice(brace.from, brace.to));
      if (brace === undefined || inner === undefined) done.push(one);
      else for (const alternative of inner) next.push(one.slice(0, brace.from) + alternative + one.slice(brace.to));
    }
    if (next.length + done.length > CHOSEN.pattern_alternatives) return [text];
    open = next;
  }
  return done;
}

/** The first brace that stands for alternatives. */
function outerBrace(text: string): { readonly from: number; readonly to: number } | undefined {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === "{") depth++;
      else if (text[at] === "}" && --depth === 0) {
        if (braceAlternatives(text.slice(from, at + 1)) !== undefined) return { from, to: at + 1 };
        break;
      }
    }
  }
  return undefined;
}

function components(text: string, unknown: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const part of text.split(/\/+/)) {
    const last = pieces[pieces.length - 1];
    if (part === "**") {
      if (last !== ANY_FOLDERS) pieces.push(ANY_FOLDERS);
    } else if (part === ".." && typeof last === "string" && last !== "" && last !== "." && last !== "..") pieces.pop();
    else pieces.push(/[*?[\\()]/.test(part) ? new Wild(part, unknown) : part);
  }
  return pieces;
}

/** Whether `path` from `fi` fits `pieces` from `pi`: as minimatch does it, without its repetitions. */
function fits(path: readonly string[], fi: number, pieces: readonly Piece[], pi: number, partial: boolean): boolean {
  // The places after the last `**` that a path's component may be at; one row is enough, since a later `**` makes an earlier one needless.
  let at = fi;
  let piece = pi;
  let star = -1;
  let retry = 0;
  for (;;) {
    if (piece < pieces.length && pieces[piece] === ANY_FOLDERS) {
      star = ++piece;
      retry = at;
      // At the end it takes all that is left; one that has nothing left to take is only begun.
      if (star === pieces.length) return at < path.length ? !dotted(path, at) : partial;
      continue;
    }
    if (at < path.length && piece < pieces.length && same(pieces[piece], path[at] ?? "")) {
      at++;
      piece++;
      continue;
    }
    if (at === path.length && piece === pieces.length) return true;
    if (piece === pieces.length && at === path.length - 1 && path[at] === "") return true;
    if (at === path.length && partial) return true;
    if (star < 0 || retry >= path.length || path[retry] === "." || path[retry] === "..") return false;
    at = ++retry;
    piece = star;
    if (at > path.length) return false;
    if (at === path.length) return partial;
  }
}

function dotted(path: readonly string[], from: number): boolean {
  for (let at = from; at < path.length; at++) if (path[at] === "." || path[at] === "..") return true;
  return false;
}

function same(piece: Piece | undefined, name: string): boolean {
  return typeof piece === "object" ? piece.matches(name) : piece === name;
}

type Step = string | { readonly from: readonly (readonly [low: string, high: string])[]; readonly not: boolean } | typeof STAR | typeof ONE;
const STAR = Symbol("*");
const ONE = Symbol("?");

/** A text with `*`, `?` and `[…]`, where they stand for any sign: a component, or a path whose wildcards reach over `/`. */
export class Wild {
  readonly sure: boolean;
  readonly #steps: readonly Step[] = [];
  readonly #otherwise: boolean;

  constructor(text: string, otherwise = false) {
    const steps = stepsOf(text);
    this.sure = steps !== undefined;
    this.#steps = steps ?? [];
    this.#otherwise = otherwise;
  }

  matches(name: string): boolean {
    if (!this.sure) return this.#otherwise;
    // A wildcard stands for a name, never for none.
    if (name === "" || name === "." || name === "..") return false;
    let step = 0;
    let at = 0;
    let star = -1;
    let retry = 0;
    while (at < name.length) {
      const one = this.#steps[step];
      if (one === STAR) {
        star = ++step;
        retry = at;
      } else if (one !== undefined && fitsOne(one, name[at] ?? "")) {
        step++;
        at++;
      } else if (star >= 0) {
        step = star;
        at = ++retry;
      } else return false;
    }
    while (this.#steps[step] === STAR) step++;
    return step === this.#steps.length;
  }
}

function fitsOne(step: Exclude<Step, typeof STAR>, char: string): boolean {
  if (step === ONE) return true;
  if (typeof step === "string") return step === char;
  return step.from.some(([low, high]) => char >= low && char <= high) !== step.not;
}

/** Undefined where the component has something that is not understood. */
function stepsOf(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\\") {
      if (++at < text.length) steps.push(text[at] as string);
      else steps.push("\\");
    } else if ("*?+@!".includes(char) && text[at + 1] === "(" && text.indexOf(")", at) > 0) return undefined;
    else if (char === "*") {
      if (steps[steps.length - 1] !== STAR) steps.push(STAR);
    } else if (char === "?") steps.push(ONE);
    else if (char === "[") {
      const close = text.indexOf("]", at + (text[at + 1] === "!" || text[at + 1] === "^" ? 3 : 2));
      if (close < 0) {
        steps.push(char);
        continue;
      }
      const inside = text.slice(at + 1, close);
      if (inside.includes("[:") || inside.includes("\\")) return undefined;
      const not = inside[0] === "!" || inside[0] === "^";
      const from: (readonly [string, string])[] = [];
      for (let one = not ? 1 : 0; one < inside.length; one++) {
        const low = inside[one] as string;
        if (inside[one + 1] === "-" && one + 2 < inside.length) {
          from.push([low, inside[one + 2] as string]);
          one += 2;
        } else from.push([low, low]);
      }
      steps.push({ from, not });
      at = close;
    } else steps.push(char);
  }
  return steps;
}
