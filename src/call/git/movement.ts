/** How earlier commands of the line move HEAD, branches and the index before a later one looks at them. */
import type { Argument, GitInvocation } from "../effect.ts";
import { parseOptions } from "./options.ts";
import { covers, pathspecs } from "./pathspec.ts";
import type { System } from "../../system.ts";

/** Where references point when a later command runs, in revisions that can be read now. */
export interface Movement {
  /** What HEAD may hold. New commits of the line are not among them: their content is taken where they are made. */
  readonly heads: readonly string[];
  /** References the line makes or moves, by short name. */
  readonly made: ReadonlyMap<string, readonly string[]>;
  /** Something moves in a way that cannot be told: any reference may hold anything. */
  readonly hidden: boolean;
}

/** `isCommit` tells a branch from a file name where Git accepts both. */
export function movement(earlier: readonly GitInvocation[], isCommit: (revision: string) => boolean): Movement {
  let heads: readonly string[] = ["HEAD"];
  const made = new Map<string, readonly string[]>();
  let hidden = false;
  const meaning = (args: readonly Argument[]): string[] => {
    if (args.some((arg) => !arg.exact)) hidden = true;
    return args
      .filter((arg) => arg.exact)
      .flatMap(({ text }) => (text === "HEAD" || text === "@" ? heads : (made.get(text) ?? [text === "-" ? "@{-1}" : text])));
  };
  const make = (name: Argument | undefined, revisions: readonly string[]) => {
    if (name === undefined) return;
    if (name.exact) made.set(name.text.replace(/^refs\/(?:heads|tags)\//, ""), revisions);
    else hidden = true;
  };
  for (const { subcommand, args } of earlier) {
    if (subcommand === "checkout" || subcommand === "switch") {
      const parsed = parseOptions(args, ["b=", "B=", "c|create=", "C|force-create=", "orphan=", "t|track=?", "conflict=", "d|detach"]);
      const name = [...(subcommand === "checkout" ? ["b", "B"] : ["create", "force-create"]), "orphan"].flatMap((option) =>
        parsed.values(option),
      )[0];
      const [target] = parsed.operands;
      if (name !== undefined) {
        const start = target === undefined ? heads : meaning([target]);
        make(name, start);
        heads = start;
      } else if (target !== undefined && parsed.operands.length === 1 && parsed.dashes === undefined) {
        const to = meaning([target]);
        if (!target.exact) heads = [...heads, ...to];
        else if (made.has(target.text) || to.every(isCommit)) heads = to;
      }
    } else if (subcommand === "branch" || subcommand === "tag") {
      const parsed = parseOptions(args, [
        "d|delete",
        "D",
        "m|move",
        "M",
        "c|copy",
        "C",
        "u|set-upstream-to=",
        "message=",
        "F|file=",
        "local-user=",
        "track=?",
        ...(subcommand === "tag" ? ["m|message=", "u|local-user="] : []),
      ]);
      const operands = parsed.operands;
      if (parsed.has("delete") || parsed.has("D") || operands.length === 0) continue;
      const renames = subcommand === "branch" && ["move", "M", "copy", "C"].some((option) => parsed.has(option));
      if (renames) make(operands.at(-1), operands.length > 1 ? meaning(operands.slice(0, 1)) : heads);
      else make(operands[0], operands.length > 1 ? meaning(operands.slice(1, 2)) : heads);
    } else if (subcommand === "update-ref") {
      make(
        args.find((arg) => !arg.text.startsWith("-")),
        meaning(args.filter((arg) => !arg.text.startsWith("-")).slice(1, 2)),
      );
    } else if (["merge", "cherry-pick", "rebase", "reset", "pull"].includes(subcommand)) {
      const parsed = parseOptions(args, ["m=", "message=", "F|file=", "s|strategy=", "X|strategy-option=", "x|exec=", "onto="]);
      if (subcommand !== "pull") heads = [...new Set([...heads, ...meaning([...parsed.operands, ...parsed.values("onto")])])];
    }
  }
  return { heads, made, hidden };
}

/** Whether an earlier command of the line takes this path's staged content out of the index again (`rm --cached`, `reset`, `restore --staged`, `stash`). */
export function unstages(earlier: readonly GitInvocation[], path: string, root: string, system: System): boolean {
  return earlier.some(({ subcommand, args, cwd }) => {
    const parsed = parseOptions(args, ["s|source=", "S|staged", "soft", "pathspec-from-file=", "m|message="]);
    if (cwd === undefined || parsed.has("pathspec-from-file")) return false;
    if (subcommand === "stash")
      return parsed.operands[0] === undefined || (["push", "save"].includes(parsed.operands[0].text) && parsed.operands.length === 1);
    let named = parsed.operands;
    if (subcommand === "reset") {
      if (parsed.has("soft")) return false;
      if (parsed.dashes !== undefined) named = named.slice(parsed.dashes);
      else if (named[0] !== undefined && /^(?:HEAD|@)$/.test(named[0].text)) named = named.slice(1);
      if (named.length === 0) return true;
    } else if (subcommand === "restore" ? !parsed.has("staged") : subcommand !== "rm") {
      return false;
    }
    if (named.length === 0 || named.some((arg) => !arg.exact || arg.text.startsWith(":"))) return false;
    return covers(pathspecs(named, cwd, ""), `${root}/${path}`, root, system);
  });
}
