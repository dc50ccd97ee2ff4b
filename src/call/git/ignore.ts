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
  let hidden: boolean | undefined;
  for (const written of lines) {
    const negated = written.startsWith("!");
    if (matches(negated ? written.slice(1) : written, parts)) hidden = !negated;
  }
  return hidden;
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

/** One pattern; a folder's hides what lies in it. */
function matches(written: string, parts: readonly string[]): boolean {
  let end = written.length;
  while ((written[end - 1] === " " || written[end - 1] === "\t") && written[end - 2] !== "\\") end--;
  const pattern = written.slice(0, end);
  if (pattern === "" || pattern.startsWith("#")) return false;
  const folderOnly = pattern.endsWith("/");
  const body = folderOnly ? pattern.slice(0, -1) : pattern;
  const anchored = body.includes("/");
  const glob = new Bun.Glob(body.startsWith("/") ? body.slice(1) : body);
  for (let depth = 1; depth <= parts.length; depth++) {
    if (folderOnly && depth === parts.length) break;
    if (glob.match(anchored ? parts.slice(0, depth).join("/") : (parts[depth - 1] ?? ""))) return true;
  }
  return false;
}
