/** Ignore rules: gitignore(5) patterns, and Git's own answer where a repository is there to ask. */
import type { System } from "../../system.ts";
import { Budget, Unfinished } from "./budget.ts";
import { Git } from "./process.ts";
import { splitPaths } from "./worktree.ts";

/**
 * What the lines of one ignore file say about a path below its folder, given as components: true hidden, false taken
 * back by a `!` line, undefined not mentioned. The last line that fits decides.
 */
export function ignores(lines: readonly string[], parts: readonly string[]): boolean | undefined {
  return ignoredBy(ignoreRules(lines), parts);
}

/** One line, read. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  readonly anchored: boolean;
  readonly glob: Bun.Glob;
}

/** The lines of an ignore file as rules, for many paths. */
export function ignoreRules(lines: readonly string[]): readonly IgnoreRule[] {
  return lines.flatMap((line) => ruleOf(line) ?? []);
}

/** What rules say about a path, as `ignores` does. */
export function ignoredBy(rules: readonly IgnoreRule[], parts: readonly string[]): boolean | undefined {
  const last = rules.findLast((rule) => fits(rule, parts));
  return last === undefined ? undefined : !last.negated;
}

/**
 * Which of these absolute paths Git does not track and ignores, by every rule it has. Empty outside a repository.
 * Throws `Unfinished` when Git gives no answer.
 */
export function ignoredByGit(folder: string, paths: readonly string[], system: System): ReadonlySet<string> {
  if (paths.length === 0) return new Set();
  const budget = new Budget(system);
  const git = new Git(system, budget, folder, {
    cwd: folder,
    globals: [],
    environment: {},
    subcommand: "check-ignore",
    args: [],
    stdin: [],
  });
  const finished = git.run(["check-ignore", "-z", "--stdin"], { stdin: paths.map((path) => `${path}\0`).join(""), ownPathspecs: true });
  return new Set([...splitPaths(finished.stdout)].filter((path) => path !== undefined));
}

/**
 * Files in and below a folder that Git tracks although an ignore rule names them, as paths below it. Nothing where Git
 * gives no answer.
 */
export function trackedAndIgnored(folder: string, system: System): readonly string[] {
  const invocation = { cwd: folder, globals: [], environment: {}, subcommand: "ls-files", args: [], stdin: [] };
  try {
    const git = new Git(system, new Budget(system), folder, invocation);
    const finished = git.run(["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"]);
    return finished.code === 0 ? [...splitPaths(finished.stdout)].filter((path) => path !== undefined) : [];
  } catch (problem) {
    if (problem instanceof Unfinished) return [];
    throw problem;
  }
}

function ruleOf(line: string): IgnoreRule | undefined {
  const negated = line.startsWith("!");
  const written = negated ? line.slice(1) : line;
  let end = written.length;
  while ((written[end - 1] === " " || written[end - 1] === "\t") && written[end - 2] !== "\\") end--;
  const pattern = written.slice(0, end);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const folderOnly = pattern.endsWith("/");
  const body = folderOnly ? pattern.slice(0, -1) : pattern;
  return { negated, folderOnly, anchored: body.includes("/"), glob: new Bun.Glob(body.startsWith("/") ? body.slice(1) : body) };
}

/** A folder's pattern hides what lies in it. */
function fits({ folderOnly, anchored, glob }: IgnoreRule, parts: readonly string[]): boolean {
  for (let depth = 1; depth <= parts.length; depth++) {
    if (folderOnly && depth === parts.length) break;
    if (glob.match(anchored ? parts.slice(0, depth).join("/") : (parts[depth - 1] ?? ""))) return true;
  }
  return false;
}
