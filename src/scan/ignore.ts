/**
 * Ignore rules as Git has them (gitignore(5)): the rules of one file, and what several files say together.
 *
 * Trust: ignore files come with the repository and are hostile. Patterns are matched by `Bun.Glob`, whose work no pattern
 * can blow up. A rule can only leave files out of a scan; that some were left out is said.
 */

interface Rule {
  /** A `!` rule takes back. */
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Holds for the path from the ignore file's folder on; otherwise for a name at any depth. */
  readonly anchored: boolean;
  /** A pattern without any special character. */
  readonly plain: string | undefined;
  readonly glob: Bun.Glob | undefined;
}

/** The rules of one ignore file, for what lies below its folder. */
export type Rules = readonly Rule[];

/** Reads an ignore file. Lines that are no pattern are left out. */
export function rulesIn(text: string): Rules {
  return text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap((line) => rule(line.endsWith("\r") ? line.slice(0, -1) : line));
}

function rule(line: string): readonly Rule[] {
  if (line.startsWith("#")) return [];
  let pattern = withoutEndBlanks(line);
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "" || isBroken(pattern)) return [];
  const plain = /[*?[\]\\]/.test(pattern) ? undefined : pattern;
  return [{ negated, foldersOnly, anchored, plain, glob: plain === undefined ? new Bun.Glob(asBunGlob(pattern)) : undefined }];
}

/** Blanks at the end do not count, unless a `\` stands before them. */
function withoutEndBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}

/** A `\` at the end, or a `[` that nothing closes: Git takes such a pattern to fit nothing. */
function isBroken(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") {
      if (++at === pattern.length) return true;
    } else if (pattern[at] === "[") {
      // A `]` at the very beginning stands for itself.
      const first = at + (/[!^]/.test(pattern.charAt(at + 1)) ? 2 : 1);
      const close = pattern.indexOf("]", first + 1);
      if (close < 0) return true;
      at = close;
    }
  }
  return false;
}

/** Git knows no `{a,b}` and no leading `!` in a glob, and `**` only as a whole name. */
function asBunGlob(pattern: string): string {
  const names = pattern.split("/").map((name) => (name === "**" ? name : name.replace(/\*{2,1024}/g, "*")));
  return names
    .join("/")
    .replace(/\\.|[{}]/gs, (found) => (found.length === 1 ? `\\${found}` : found))
    .replace(/^!/, "\\!");
}

/** What rules say of a path below their folder: true ignored, false taken back, undefined nothing. The last rule that fits counts. */
function said(rules: Rules, path: string, name: string, folder: boolean): boolean | undefined {
  for (let at = rules.length - 1; at >= 0; at--) {
    const { negated, foldersOnly, anchored, plain, glob } = rules[at] as Rule;
    if (foldersOnly && !folder) continue;
    const subject = anchored ? path : name;
    if (plain === undefined ? glob?.match(subject) : plain === subject) return !negated;
  }
  return undefined;
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
