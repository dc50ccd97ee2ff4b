/**
 * Texts of one flow put together: a token may be split over literals of a program or over values of a tool's input, in
 * pieces of any length.
 *
 * Trust: the texts are hostile. The work is bounded and linear in the texts; past the bound what was found stands.
 */
import { CHOSEN } from "../limits.ts";
import type { Budget } from "./families/family.ts";
import { familiesOf } from "./families/needles.ts";
import type { Range } from "./runs.ts";
import type { Secret } from "./secret.ts";
import { surveyOf } from "./survey.ts";

/** A secret in a text put together, and the parts of it in the single texts. */
export interface Parted {
  readonly secret: Secret;
  readonly parts: readonly (Range & { readonly text: number })[];
}

/** No token goes on behind one of these. */
const STOPS = /[^\w.+/=:~-]/;

/** The texts of one flow as one text, in which a place leads back to the texts it lies in. */
export class Joined {
  /** The texts one behind the other; of long ones both ends, on lines of their own. */
  readonly text: string;
  /** Where each of them begins, and the end. */
  readonly #starts: readonly number[];
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    const most = CHOSEN.joined_chars;
    const parts = texts.map((text) => (text.length > 2 * most ? `${text.slice(0, most)}\n${text.slice(-most)}` : text));
    let length = 0;
    this.#starts = [0, ...parts.map((part) => (length += part.length))];
    this.text = parts.join("");
    this.#texts = texts;
  }

  /** Of secrets of the whole those that stand in several of its texts. */
  *parted(secrets: Iterable<Secret>): Generator<Parted> {
    for (const secret of secrets) {
      const parts = this.#texts.flatMap((_, text) => {
        const from = this.#starts[text] ?? 0;
        const to = this.#starts[text + 1] ?? 0;
        if (secret.start >= to || secret.end <= from || from === to) return [];
        const start = this.#place(text, Math.max(0, secret.start - from));
        return [{ text, start, end: this.#place(text, Math.min(to, secret.end) - 1 - from) + 1 }];
      });
      if (parts.length > 1) yield { secret, parts };
    }
  }

  /** Where a character of a text's part in the whole stands in the text. */
  #place(text: number, at: number): number {
    const most = CHOSEN.joined_chars;
    const { length } = this.#texts[text] ?? "";
    return length <= 2 * most || at < most ? at : length - most + (at - most - 1);
  }

  /**
   * Tokens with check data that begin in one text and end in another one. A token begins and ends where it likes: with the
   * texts before the one it begins in left out, each end of a text behind it is tried.
   */
  *tokens(): Generator<Secret> {
    const budget: Budget = { curves: CHOSEN.curve_checks };
    let work: number = CHOSEN.joined_work_chars;
    let index = 0;
    for (const { at, needle } of surveyOf(this.text).finds) {
      while ((this.#starts[index + 1] ?? Infinity) <= at) index++;
      const families = familiesOf(needle).filter(({ id }) => id !== "private-key");
      const from = this.#starts[index] ?? 0;
      let start = this.#starts[index + 1] ?? this.text.length;
      if (STOPS.test(this.text.slice(at, Math.min(start, at + CHOSEN.joined_token_chars)))) continue;
      for (let next = index + 2; next < this.#starts.length; next++) {
        const end = this.#starts[next] ?? 0;
        if (start - at > CHOSEN.joined_token_chars || (work -= end - at) < 0) break;
        const window = this.text.slice(from, end);
        const found = families.map((family) => ({ family, match: family.find(window, at - from, needle, budget) }));
        const one = found.find(({ match }) => match?.grade === "token");
        if (one?.match !== undefined) {
          const { start: begin, end: stop } = one.match;
          yield { family: one.family.id, title: one.family.title, ...one.match, start: from + begin, end: from + stop };
          break;
        }
        if (STOPS.test(this.text.slice(start, Math.min(end, start + CHOSEN.joined_token_chars)))) break;
        start = end;
      }
      if (work < 0) return;
    }
  }
}
