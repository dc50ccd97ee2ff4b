/**
 * Ignore rules as Git has them (gitignore(5)): the rules of one file, and what several files say together.
 *
 * Trust: ignore files come with the repository and are hostile. A rule can only leave files out of a scan; that some were
 * left out is said.
 */
import { type IgnoreRule, ignoreRule, ruleFits } from "../call/git/index.ts";

/** The rules of one ignore file, for what lies below its folder. */
export type Rules = readonly IgnoreRule[];

/** Reads an ignore file. Lines that are no pattern are left out. */
export function rulesIn(text: string): Rules {
  return text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap((line) => ignoreRule(line) ?? []);
}

/** What rules say of a path below their folder: true ignored, false taken back, undefined nothing. The last rule that fits counts. */
function said(rules: Rules, path: string, name: string, folder: boolean): boolean | undefined {
  const last = rules.findLast((rule) => ruleFits(rule, path, name, folder));
  return last === undefined ? undefined : !last.negated;
}

/** Ignore files that hold for a folder: its own, then those of the folders above it. */
export class Ignoring {
  readonly #rules: Rules;
  /** From the rules' folder to the folder this stands for, with `/` behind each name. */
  readonly #below: string;
  readonly #outer: Ignoring | undefined;

  private constructor(rules: Rules, below: string, outer: Ignoring | undefined) {
    this.#rules = rules;
    this.#below = below;
    this.#outer = outer;
  }

  /** Nothing is ignored. */
  static readonly nothing = new Ignoring([], "", undefined);

  /** Further rules for the same folder, which count before the ones it has. */
  with(rules: Rules): Ignoring {
    return rules.length === 0 ? this : new Ignoring(rules, "", this);
  }

  /** The same rules for a folder inside this one. */
  inside(name: string): Ignoring {
    return this === Ignoring.nothing ? this : new Ignoring(this.#rules, `${this.#below}${name}/`, this.#outer?.inside(name));
  }

  /** Whether an entry of the folder is ignored. */
  ignores(name: string, folder: boolean): boolean {
    return said(this.#rules, this.#below + name, name, folder) ?? this.#outer?.ignores(name, folder) ?? false;
  }
}
