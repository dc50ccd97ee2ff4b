/**
 * What counts as a candidate, the same for every way of looking for one.
 */
import { CHOSEN } from "../../limits.ts";

/** A needle that stands in the text. */
export interface Find {
  /** UTF-16 offset of its first character. */
  readonly at: number;
  readonly needle: string;
}

/** Units of a body that must follow a token prefix: a shorter value is never a token (D-20). */
const BODY_UNITS = 8;

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || // a-z
    (unit >= 65 && unit <= 90) || // A-Z
    (unit >= 48 && unit <= 57) || // 0-9
    unit === 95 || // _
    unit === 45 // -
  );
}

/** Letters, digits and `_ - . + / = % ~ : \`: base64, base64url, JWTs, percent escapes and backslash escapes. */
function isBodyUnit(unit: number): boolean {
  return (
    isWordUnit(unit) ||
    unit === 46 ||
    unit === 43 ||
    unit === 47 ||
    unit === 61 ||
    unit === 37 ||
    unit === 126 ||
    unit === 58 ||
    unit === 92
  );
}

/** Whether the needle is a token prefix whose body follows at once (the contract in filter.ts). */
function isTokenPrefix(needle: string): boolean {
  const last = needle.charCodeAt(needle.length - 1);
  const first = needle.charCodeAt(0);
  if ((last !== 95 && last !== 45) || first === 95 || first === 45) return false;
  for (let i = 0; i < needle.length; i++) {
    if (!isWordUnit(needle.charCodeAt(i))) return false;
  }
  return true;
}

/** Collects confirmed candidates of one text. */
export class Hits {
  readonly #text: string;
  readonly #finds: Find[] = [];
  #full = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** True once the limit is passed: looking on is pointless, the text is uncertain. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * Takes one place where the needle may stand. It is checked on the text itself, because the search may have run on
   * a copy in which every UTF-16 unit was cut to its low byte.
   */
  offer(at: number, needle: string): void {
    if (!this.#text.startsWith(needle, at)) return;
    if (isTokenPrefix(needle)) {
      const body = at + needle.length;
      for (let i = body; i < body + BODY_UNITS; i++) {
        if (!isBodyUnit(this.#text.charCodeAt(i))) return;
      }
    }
    if (this.#finds.length === CHOSEN.filter_hits) this.#full = true;
    else this.#finds.push({ at, needle });
  }

  /** Ascending; at one place the longest needle first. */
  finds(): readonly Find[] {
    if (this.#finds.length > 1) this.#finds.sort((a, b) => a.at - b.at || b.needle.length - a.needle.length);
    return this.#finds;
  }
}
