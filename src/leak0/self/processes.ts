/**
 * Is a pattern that picks processes aimed at ours? It is tried on our own command lines, not guessed from its words.
 * Trust: the pattern comes from the agent; what could take long to match is not matched at all.
 */

/** How our processes appear in a process list: the program's name, and whole lines. */
const OUR_NAME = "poisonzero";
const OUR_LINES = [
  "poisonzero hook claude",
  "/usr/local/bin/poisonzero hook claude",
  "/opt/poisonzero/libexec/poisonzero hook claude",
  "/opt/poisonzero/poisonzero service",
];
/** Everyday lines: a pattern that fits one of them is not about us. */
const OTHERS = [
  "/usr/local/bin/node server.js",
  "node webhook.js",
  "/opt/app/bin/app",
  "/usr/libexec/app",
  "app service",
  "claude",
  "bash",
  "python3 -m http.server",
];

/** How a program reads its pattern. */
export interface Reading {
  /** The whole command line is searched, not only the program's name. */
  readonly lines: boolean;
  /** It must match as a whole. */
  readonly whole: boolean;
  readonly ignoreCase: boolean;
}

const PATTERN_CHARS = 128;
/** Repetitions that are tried; with them on lines of 50 characters matching stays short. */
const REPETITIONS = 3;

/**
 * `ours`: a pattern that picks ours by our own name and no everyday process. `unclear`: by other words of our command
 * lines (`zero`, `hook claude`), or one that is too odd to try and names us.
 */
export type Aim = "ours" | "unclear";

/** What a regular expression picks, as far as it concerns us. */
export function aimOf(pattern: string, { lines, whole, ignoreCase }: Reading): Aim | undefined {
  const expression = compiled(pattern, whole, ignoreCase);
  if (expression === undefined) return /poison/i.test(pattern) ? "unclear" : undefined;
  const names = lines ? OUR_LINES : [OUR_NAME];
  if (OTHERS.some((line) => expression.test(line))) return undefined;
  const matched = names.flatMap((line) => expression.exec(line)?.[0] ?? []);
  if (matched.length === 0) return undefined;
  return matched.some((text) => text.includes("oison")) ? "ours" : "unclear";
}

/** Whether a name with `*` and `?` (a unit, a package, an image) stands for us and not for everything. */
export function namesUs(word: string): boolean {
  const lower = word.toLowerCase();
  if (lower.includes("poisonzero")) return true;
  if (!/[*?[]/.test(lower) || lower.length > PATTERN_CHARS) return false;
  const glob = new Bun.Glob(lower);
  return ["poisonzero", "poisonzero.service", "poisonzero.exe"].some((name) => glob.match(name)) && !glob.match("nginx.service");
}

function compiled(pattern: string, whole: boolean, ignoreCase: boolean): RegExp | undefined {
  if (pattern === "" || pattern.length > PATTERN_CHARS) return undefined;
  // A repeated group can take for ever; so can many repetitions in a row.
  if (/\)[*+?{]|\\[1-9]|\(\?/.test(pattern) || (pattern.match(/[*+{]/g)?.length ?? 0) > REPETITIONS) return undefined;
  const translated = pattern.replace(/\[:\w{1,10}:\]/g, "\\w");
  try {
    return new RegExp(whole ? `^(?:${translated})$` : translated, ignoreCase ? "i" : "");
  } catch {
    return undefined;
  }
}
