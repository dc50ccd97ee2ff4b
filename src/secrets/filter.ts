/**
 * Finds cheaply where secrets may stand in a text, so that only there the families' expressions run.
 *
 * Trust: the text is hostile, the needles are ours. The work is linear in the text whatever it holds. A failure or
 * too many finds make the answer incomplete, never clean (D-12).
 *
 * Contract for the needles: literal, case-sensitive, 3 to 200 ASCII characters, none of them a newline. A needle that
 * consists of letters, digits, `_` and `-`, begins with a letter or digit and ends in `_` or `-` (`ghp_`, `sk-ant-`)
 * is a token prefix: it counts only where eight characters of a body (letters, digits, `_ - . + / = % ~ : \`) follow
 * at once, which keeps words such as "task-" out. Any other needle (`AKIA`, `-----BEGIN `, `AccountKey=`) counts
 * wherever it stands. Hand over the same array every time: a long text is searched by a program made for the list.
 */
import { CHOSEN } from "../limits.ts";
import { type Find, Hits } from "./filter/hits.ts";
import { searchByIndexOf } from "./filter/index-of.ts";
import { type Found, WasmSearch } from "./filter/wasm.ts";

/** Where secrets may begin. */
export interface Candidates {
  /** UTF-16 offsets where a needle starts, ascending, each once. */
  readonly positions: readonly number[];
  /** Which needle stands where: ascending, at one place the longest first. */
  readonly finds: readonly Find[];
  /** False when there were too many or the search failed: the others are then only a part. */
  readonly complete: boolean;
}

/** The lists the program below was made for, and the program; undefined when it could not be made. */
let loaded:
  | { readonly needles: readonly string[]; readonly words: readonly string[]; readonly program: WasmSearch | undefined }
  | undefined;
const NO_WORDS: readonly string[] = [];
/** Units searched so far with `indexOf`, a fixed share per call included. */
let searched = 0;

function program(needles: readonly string[], words: readonly string[]): WasmSearch | undefined {
  if (loaded?.needles !== needles || loaded.words !== words) {
    let made: WasmSearch | undefined;
    try {
      made = new WasmSearch(needles, words);
    } catch {
      // No WebAssembly here (a hardened kernel, a JIT-less engine): `indexOf` finds the same, slower.
    }
    loaded = { needles, words, program: made };
  }
  return loaded?.program;
}

function answer(hits: Hits, complete: boolean, found?: Found): Examined {
  const finds = hits.finds();
  const positions: number[] = [];
  for (const { at } of finds) {
    if (at !== positions[positions.length - 1]) positions.push(at);
  }
  return { positions, finds, complete, found };
}

/** Every place in the text where a needle starts. Never throws. */
export function candidates(text: string, needles: readonly string[]): Candidates {
  const { positions, finds, complete } = examine(text, needles, NO_WORDS);
  return { positions, finds, complete };
}

/** Candidates, and what the same pass over the text tells besides; undefined where there was no such pass or it ended early. */
export interface Examined extends Candidates {
  readonly found: Found | undefined;
}

/**
 * Every place where a needle starts and, of a longer text, which of the words may stand in it. The contract for words:
 * as for needles, without the rule for token prefixes. Never throws.
 */
export function examine(text: string, needles: readonly string[], words: readonly string[]): Examined {
  // `indexOf` needs no start-up but passes over the text once per needle; the program pays from about 32 Ki units on.
  searched += text.length + CHOSEN.filter_call_units;
  if (searched > CHOSEN.filter_program_units) {
    const search = program(needles, words);
    if (search !== undefined) {
      try {
        const hits = new Hits(text);
        const found = search.survey(text, hits);
        return answer(hits, !hits.full, hits.full ? undefined : found);
      } catch {
        loaded = { needles, words, program: undefined };
      }
    }
  }
  const hits = new Hits(text);
  try {
    searchByIndexOf(text, needles, hits);
    return answer(hits, !hits.full);
  } catch {
    return answer(hits, false);
  }
}
