/**
 * One pass over a text that tells every detector where it need not look: which needles and words stand in it, and where
 * it has long unbroken stretches.
 *
 * Trust: the text is hostile. What a survey denies is not there; what it allows has still to be found. Detectors behave
 * the same with and without it, only the time differs. A short text is not surveyed: there each question is asked of the text.
 */
import { needles } from "./families/needles.ts";
import { examine } from "./filter.ts";
import type { Find } from "./filter/hits.ts";
import { MARKS } from "./filter/wasm.ts";
import { type Kind, stretches } from "./runs.ts";

/** What is known of one text. */
export interface Survey {
  /** Where the families' needles stand (`filter.ts`). */
  readonly finds: readonly Find[];
  /** False when there were too many, or the search failed. */
  readonly complete: boolean;
  /** Whether the word stands in the text. */
  has(word: string): boolean;
  /** The announced words of three characters and more that may stand in the text; undefined when they were not looked for. */
  readonly present: readonly string[] | undefined;
  /**
   * Stretches of at least `least` characters of a kind (`runs.ts`) in which what is asked for may stand: printable ASCII in
   * base64, base64 backwards or hex, and base32 of one case, 24 characters of it or more; a key that is known by its length alone (`shapes.ts`). Some may be parts.
   */
  stretches(what: keyof typeof MARKS, kind: Kind, least: number, take: (start: number, end: number) => void): void;
  /** Whether a row of hex digits in groups may stand in it, parted by blanks, colons or commas. */
  readonly groups: boolean;
  /** Whether a row of single characters may stand in it, parted by blanks, line ends or commas. */
  readonly singles: boolean;
  /** Whether a list of decimal numbers, parted by commas and white space, may stand in it: 32 characters of it or more. */
  readonly numbers: boolean;
  /** Whether a run of a token's characters may go on over a line end in it (`folds.ts`). */
  readonly folds: boolean;
}

const announced: (() => Iterable<string>)[] = [];
let words: readonly string[] | undefined;
let numbers = new Map<string, number>();

/** Has words looked for in every survey, from the next one on. Called once by each module that asks for them; `list` is read later. */
export function announce(list: () => Iterable<string>): void {
  announced.push(list);
  words = undefined;
}

/** Whether a survey looks for a word that was announced: shorter ones cannot be looked for together. */
export function isSurveyed(word: string): boolean {
  return word.length >= 3;
}

/** The announced words that are looked for, each once. */
function wordList(): readonly string[] {
  if (words === undefined) {
    words = [...new Set(announced.flatMap((list) => [...list()]))].filter(isSurveyed);
    numbers = new Map(words.map((word, number) => [word, number]));
  }
  return words;
}

interface Kept {
  readonly text: string;
  readonly survey: Survey;
}

let last: Kept | undefined;
let other: Kept | undefined;

/**
 * The survey of this text; the last two are kept, since several detectors look at the same text one after the other, and in colours
 * at the text without them as well.
 */
export function surveyOf(text: string): Survey {
  if (last?.text === text) return last.survey;
  if (other?.text === text) {
    [last, other] = [other, last];
    return last.survey;
  }
  const { finds, complete, found } = examine(text, needles(), wordList());
  const known = new Map<string, boolean>();
  const stands = (word: string): boolean => {
    let answer = known.get(word);
    if (answer === undefined) known.set(word, (answer = text.includes(word)));
    return answer;
  };
  const survey: Survey = {
    finds,
    complete,
    has(word) {
      const number = found === undefined ? undefined : numbers.get(word);
      const seen = number === undefined ? undefined : found?.seen[number];
      if (seen === undefined) return stands(word);
      return seen > 0 && (text.startsWith(word, seen - 1) || stands(word));
    },
    present: found === undefined ? undefined : wordList().filter((_, number) => found.seen[number] !== 0),
    stretches(what, kind, least, take) {
      if (found === undefined) stretches(text, kind, least, take);
      else for (const range of found.stretches) if (range.marks & MARKS[what]) stretches(text, kind, least, take, range);
    },
    groups: found?.groups ?? true,
    singles: found?.singles ?? true,
    numbers: found?.numbers ?? true,
    folds: found?.folds ?? true,
  };
  other = last;
  last = { text, survey };
  return survey;
}
