/** The agent's own folder kept in Git: commands that put a committed settings file back, or clear an uncommitted one away. */
import type { Argument, GitInvocation } from "../../call/effect.ts";
import { ignoredByGit, printed, Unfinished } from "../../call/git/index.ts";
import { resolvePath } from "../../call/path.ts";
import { literal, sliceArgument } from "../../call/source.ts";
import { decode } from "../../secrets/decode.ts";
import type { Finding } from "../../verdict.ts";
import type { Case } from "../judgement.ts";
import type { Arrival } from "./arriving.ts";
import { judged } from "./hook-settings.ts";
import { within } from "./places.ts";
import { holds, settingsFiles } from "./settings.ts";

/** Findings of a Git command in the folder of the agent's settings. */
export function ofGit(at: Case, invocation: GitInvocation): readonly Finding[] {
  const { cwd } = invocation;
  const change = cwd === undefined ? undefined : changeOf(invocation);
  if (cwd === undefined || change === undefined) return [];
  return settingsFiles(at).flatMap((file) => {
    const root = at.files.repositories.rootOf(file);
    if (root === undefined || !within(cwd, root)) return [];
    const meant =
      change.paths.length === 0 ||
      change.paths.some((path) => /[*?[:]/.test(path) || within(file, resolvePath(path, cwd, at.system).path ?? ""));
    // A project's own settings hold nothing of ours, and what another revision has there can switch every hook off.
    if (!holds(at, file) && (change.revision === undefined || change.paths.length === 0)) return [];
    return meant ? judged(at, file, after(at, invocation, change, root, file), "write") : [];
  });
}

/** What is put into the working tree: from which revision, at which paths (all without any). */
interface Change {
  readonly revision: Argument | undefined;
  readonly paths: readonly string[];
}

/** Undefined for a command that leaves changed files alone: a branch that is only switched to does, or is refused. */
function changeOf({ subcommand, args }: GitInvocation): Change | undefined {
  const dashes = args.findIndex(({ text }) => text === "--");
  const before = args.slice(0, dashes < 0 ? undefined : dashes);
  const operands = before.filter(({ text }) => !text.startsWith("-"));
  const behind = dashes < 0 ? [] : args.slice(dashes + 1).map(({ text }) => text);
  const has = (...names: readonly string[]): boolean => before.some(({ text }) => names.includes(text));
  switch (subcommand) {
    case "reset":
      return has("--hard", "--merge") ? { revision: operands[0], paths: [] } : undefined;
    case "checkout": {
      if (behind.length > 0) return { revision: operands[0], paths: behind };
      if (operands.at(-1)?.text === ".") return { revision: operands.length > 1 ? operands[0] : undefined, paths: ["."] };
      return has("-f", "--force") ? { revision: operands[0], paths: [] } : undefined;
    }
    case "switch":
      return has("-f", "--force", "--discard-changes") ? { revision: operands[0], paths: [] } : undefined;
    case "restore": {
      if (has("--staged", "-S") && !has("--worktree", "-W")) return undefined;
      const source = before.findIndex(({ text }) => text === "-s" || text === "--source");
      const glued = before.find(({ text }) => text.startsWith("--source="));
      const revision = glued === undefined ? before[source + 1] : sliceArgument(glued, "--source=".length);
      const named = source < 0 ? operands : operands.filter((operand) => operand !== revision);
      return { revision: source < 0 && glued === undefined ? undefined : revision, paths: [...named.map(({ text }) => text), ...behind] };
    }
    case "stash":
      return operands.length === 0 || /^(?:push|save)$/.test(operands[0]?.text ?? "") ? { revision: undefined, paths: behind } : undefined;
    case "clean": {
      const removes = before.some(({ text }) => /^-\w{0,4}f|^--force$/.test(text)) && !has("-n", "--dry-run");
      return removes ? { revision: undefined, paths: [...operands.map(({ text }) => text), ...behind] } : undefined;
    }
    default:
      return undefined;
  }
}

function after(
  at: Case,
  { subcommand, args, ...place }: GitInvocation,
  { revision }: Change,
  root: string,
  file: string,
): Arrival | undefined {
  const name = revision === undefined ? "HEAD" : revision.text;
  if (revision?.exact === false) return "unknown";
  try {
    const blob = literal(`${name}:${file.slice(root.length + 1)}`);
    const committed = printed([{ ...place, cwd: root, subcommand: "show", args: [blob] }], () => true, at.system)[0];
    if (subcommand !== "clean") return committed === undefined ? undefined : { text: decode(committed.bytes).text };
    if (committed !== undefined) return undefined;
    const ignored = ignoredByGit(root, [file], at.system).has(file);
    return !ignored || args.some(({ text }) => /^-\w{0,4}[xX]/.test(text)) ? "gone" : undefined;
  } catch (problem) {
    if (!(problem instanceof Unfinished)) throw problem;
    return "unknown";
  }
}
