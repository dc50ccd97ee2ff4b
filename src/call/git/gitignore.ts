/**
 * One line of an ignore file, as Git reads it (gitignore(5)).
 *
 * Trust: ignore files come with the repository and are hostile. Patterns are matched by `Bun.Glob`, whose work no pattern
 * can blow up.
 */

/** One pattern. */
export interface IgnoreRule {
  /** A `!` rule takes back. */
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Holds for the path from the ignore file's folder on; otherwise for a name at any depth. */
  readonly anchored: boolean;
  /** A pattern without any special character. */
  readonly plain: string | undefined;
  readonly glob: Bun.Glob | undefined;
}

/** Reads a line; undefined when it is no pattern. `braces`: `{a,b}` means either and a tab is a blank, as for package managers and not for Git. */
export function ignoreRule(line: string, braces = false): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  let pattern = withoutEndBlanks(line.endsWith("\r") ? line.slice(0, -1) : line, braces ? " \t" : " ");
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "" || isBroken(pattern)) return undefined;
  const plain = (braces ? /[*?[\]\\{]/ : /[*?[\]\\]/).test(pattern) ? undefined : pattern;
  return { negated, foldersOnly, anchored, plain, glob: plain === undefined ? new Bun.Glob(asBunGlob(pattern, braces)) : undefined };
}

/** Blanks at the end do not count, unless a `\` stands before them. */
function withoutEndBlanks(line: string, blanks: string): string {
  let end = line.length;
  while (end > 0 && blanks.includes(line[end - 1] ?? "") && line[end - 2] !== "\\") end--;
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
function asBunGlob(pattern: string, braces: boolean): string {
  const names = pattern.split("/").map((name) => (name === "**" ? name : name.replace(/\*{2,1024}/g, "*")));
  return names
    .join("/")
    .replace(/\\.|[{}]/gs, (found) => (found.length === 1 && !braces ? `\\${found}` : found))
    .replace(/^!/, "\\!");
}

/** Whether a rule names an entry: by its path from the ignore file's folder on, and its name. */
export function ruleFits({ foldersOnly, anchored, plain, glob }: IgnoreRule, path: string, name: string, folder: boolean): boolean {
  if (foldersOnly && !folder) return false;
  const subject = anchored ? path : name;
  return plain === undefined ? glob?.match(subject) === true : plain === subject;
}
