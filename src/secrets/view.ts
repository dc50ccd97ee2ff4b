/** A text read in another way that still knows where each of its characters stands. */
import type { Range } from "./runs.ts";

/** The text as it reads in the other way, and the way back from its places to the original. */
export interface View {
  readonly text: string;
  /** The range of the original text that a range of this one stands for. */
  range(start: number, end: number): Range;
}

/** The text as it is. */
export function asIs(text: string): View {
  return { text, range: (start, end) => ({ start, end }) };
}

/** A view of a view's text, as a view of what that one is of. */
export function through(outer: View, inner: View): View {
  return {
    text: inner.text,
    range(start, end) {
      const within = inner.range(start, end);
      return outer.range(within.start, within.end);
    },
  };
}

/** Puts a view together from front to back. */
export class Composing {
  readonly #of: string;
  /** For each part: where it begins here and in the original, and where it ends there. One that is no copy is a single character. */
  readonly #here: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  /** The character a part stands for; "" for a copy. */
  readonly #signs: string[] = [];
  #length = 0;

  constructor(of: string) {
    this.#of = of;
  }

  get length(): number {
    return this.#length;
  }

  /** What stands there as it is. */
  copy(from: number, to: number): void {
    if (from < to) this.#part(from, to, "", to - from);
  }

  /** One character that the original writes in several. */
  sign(from: number, to: number, character: string): void {
    this.#part(from, to, character, 1);
  }

  /** Takes the last character back, unless a line begins behind it. */
  back(): void {
    const last = this.#here.length - 1;
    if (last < 0) return;
    const to = this.#to[last] as number;
    const sign = this.#signs[last] as string;
    if ((sign === "" ? this.#of.charAt(to - 1) : sign) === "\n") return;
    this.#length--;
    if (sign === "" && to - 1 > (this.#from[last] as number)) {
      this.#to[last] = to - 1;
      return;
    }
    for (const list of [this.#here, this.#from, this.#to]) list.pop();
    this.#signs.pop();
  }

  view(): View {
    const text = this.#signs.map((sign, part) => (sign === "" ? this.#of.slice(this.#from[part], this.#to[part]) : sign)).join("");
    const place = (at: number): { readonly start: number; readonly end: number } => {
      let low = 0;
      let high = this.#here.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((this.#here[middle] as number) <= at) low = middle + 1;
        else high = middle;
      }
      const part = low - 1;
      const from = this.#from[part] ?? 0;
      if (this.#signs[part] !== "") return { start: from, end: this.#to[part] ?? 0 };
      const start = from + at - (this.#here[part] as number);
      return { start, end: start + 1 };
    };
    return { text, range: (start, end) => ({ start: place(start).start, end: place(end - 1).end }) };
  }

  #part(from: number, to: number, sign: string, length: number): void {
    this.#here.push(this.#length);
    this.#from.push(from);
    this.#to.push(to);
    this.#signs.push(sign);
    this.#length += length;
  }
}
