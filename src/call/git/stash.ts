/** `git stash`: the index, the changes of the working tree and, when asked, what is not tracked go into commits of their own. */
import type { GitInvocation } from "../effect.ts";
import { namedPaths, ofChange, workingTree } from "./add.ts";
import { droppedContent, stagedContent } from "./commit.ts";
import type { Line, Place } from "./line.ts";
import { texts } from "./message.ts";
import { parseOptions } from "./options.ts";
import { pathspecs } from "./pathspec.ts";
import type { Sink, Taken } from "./taking.ts";

const OPTIONS = [
  "p|patch",
  "k|keep-index",
  "S|staged",
  "u|include-untracked",
  "a|all",
  "q|quiet",
  "m|message=",
  "pathspec-from-file=",
  "pathspec-file-nul",
];

/** What a command that makes a stash puts into it. */
export function stashed(invocation: GitInvocation, place: Place, line: Line, taken: Sink): string | undefined {
  const parsed = parseOptions(invocation.args, OPTIONS);
  const [verb, ...rest] = parsed.operands;
  const words = verb?.text === "save" || verb?.text === "create" ? rest : [];
  taken.push(...texts("message", [...parsed.values("message"), ...words], line));
  const repository = line.repository(place);
  if (repository?.root === undefined) return undefined;
  const named = verb?.text === "save" || verb?.text === "create" ? [] : namedPaths({ ...parsed, operands: rest }, invocation, line);
  const specs = pathspecs(named, place.git.cwd, place.beyond);
  const asStash = (blobs: readonly Taken[]): Taken[] => blobs.map((blob) => ({ ...blob, where: "stash" }));
  taken.push(...asStash(stagedContent(repository, specs.texts)));
  if (parsed.has("staged")) return repository.root;
  taken.push(...asStash(droppedContent(repository, specs.texts)));
  const untracked = parsed.has("all") ? "all" : parsed.has("include-untracked") ? "standard" : "none";
  const found = workingTree(place, line, { specs, untracked });
  taken.push(...(found?.changes ?? []).map((change) => ofChange("stash", change)));
  return repository.root;
}
