/** What ignore files hide: by their lines alone, and by Git's own answer where a repository is there to ask. */
import type { System } from "../../system.ts";
import { Budget, Unfinished } from "./budget.ts";
import { type IgnoreRule, ignoreRule, ruleFits } from "./gitignore.ts";
import { Git } from "./process.ts";
import { splitPaths } from "./worktree.ts";

/**
 * What the lines of one ignore file say about a path below its folder, given as components: true hidden, false taken
 * back by a `!` line, undefined not mentioned. The last line that fits decides.
 */
export function ignores(lines: readonly string[], parts: readonly string[]): boolean | undefined {
  return ignoredBy(
    lines.flatMap((line) => ignoreRule(line) ?? []),
    parts,
  );
}

/** The lines of a package manager's ignore file as rules, for many paths. */
export function ignoreRules(lines: readonly string[]): readonly IgnoreRule[] {
  return lines.flatMap((line) => ignoreRule(line, true) ?? []);
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

/** A folder's pattern hides what lies in it. */
function fits(rule: IgnoreRule, parts: readonly string[]): boolean {
  return parts.some((name, at) => ruleFits(rule, rule.anchored ? parts.slice(0, at + 1).join("/") : "", name, at + 1 < parts.length));
}
