/** `git add`, `stage`, `update-index`, `hash-object`: content taken into the index or the object store (L-043). */
import type { Argument, GitInvocation } from "../effect.ts";
import type { Line, Place } from "./line.ts";
import { contentOf } from "./message.ts";
import { discards } from "./movement.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { type Pathspecs, pathspecs } from "./pathspec.ts";
import { Coming } from "./pending.ts";
import type { Sink, Taken } from "./taking.ts";
import { type Change, type Choice, changes, firstChanges } from "./worktree.ts";

/** The options of `add` that decide what is taken. */
function addChoice(invocation: GitInvocation, place: Place, line: Line): Choice | undefined {
  const parsed = parseOptions(invocation.args, [
    "n|dry-run",
    "f|force",
    "A|all",
    "no-ignore-removal",
    "u|update",
    "p|patch",
    "e|edit",
    "i|interactive",
    "N|intent-to-add",
    "refresh",
    "renormalize",
    "chmod=",
    "pathspec-from-file=",
    "pathspec-file-nul",
  ]);
  if (parsed.has("dry-run") || parsed.has("refresh")) return undefined;
  const named = namedPaths(parsed, invocation, line);
  const whole = ["all", "no-ignore-removal", "update", "patch", "edit", "interactive", "renormalize"].some((option) => parsed.has(option));
  if (named.length === 0 && !whole && !parsed.hidden) return undefined;
  const onlyTracked = ["update", "patch", "edit", "renormalize"].some((option) => parsed.has(option));
  return {
    specs: pathspecs(named, place.git.cwd, place.beyond),
    untracked: onlyTracked && !parsed.hidden ? "none" : parsed.has("force") ? "all" : "standard",
  };
}

/** Paths given as operands or through `--pathspec-from-file`. A list only known at run time becomes one hidden argument. */
export function namedPaths(parsed: Parsed, invocation: GitInvocation, line: Line): readonly Argument[] {
  const listed = parsed.values("pathspec-from-file").flatMap((file): Argument[] => {
    const content = contentOf(file, invocation.stdin, invocation.cwd, line);
    if (content.text === "" || content.rest.length > 0) return [{ text: "", exact: false, sources: [] }];
    const nul = parsed.has("pathspec-file-nul");
    return content.text
      .split(nul ? "\0" : /\r?\n/)
      .filter((text) => text !== "")
      .map((text) => (nul || !text.startsWith('"') ? { text, exact: true, sources: [] } : { text: "", exact: false, sources: [] }));
  });
  return [...parsed.operands, ...listed];
}

/** What `git add` stages. */
export function added(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  place: Place,
  line: Line,
  taken: Sink,
): string | undefined {
  const choice = addChoice(invocation, place, line);
  if (choice === undefined) return undefined;
  const found = workingTree(place, line, { ...choice, unflagged: unflags(earlier) });
  if (found === undefined) return undefined;
  taken.push(...kept(found.changes, invocation, earlier, found.root, line).map((change) => ofChange("index", change)));
  return found.root;
}

/** Changes that an earlier command of the line does not throw away again. */
export function kept(
  changes: readonly Change[],
  { chain }: GitInvocation,
  all: readonly GitInvocation[],
  root: string,
  line: Line,
): readonly Change[] {
  const tracked = changes.filter(({ isNew }) => !isNew).map(({ path }) => path);
  // Only commands that have surely succeeded: a checkout refuses in the middle of a merge.
  const earlier = all.filter((before) => before.chain === chain);
  if (tracked.length === 0 || earlier.length === 0) return changes;
  const written = new Coming(line.pending, root, line.system);
  return changes.filter(({ path, isNew }) => isNew || written.has(path) || !discards(earlier, path, tracked, root, line.system));
}

/** Whether earlier commands of the line may take the marks off files whose changes Git takes no notice of. */
export function unflags(earlier: readonly GitInvocation[]): boolean {
  return earlier.some(({ subcommand }) => ["rm", "update-index", "read-tree", "reset", "sparse-checkout"].includes(subcommand));
}

/** Changes of the working tree a place lies in; undefined when there is none. */
export function workingTree(
  place: Place,
  line: Line,
  choice: Choice,
): { readonly root: string; readonly changes: readonly Change[] } | undefined {
  const repository = line.repository(place);
  if (place.created !== undefined && repository?.root !== place.created) {
    const root = line.system.realPath(place.created) ?? place.created;
    const coming = new Coming(line.pending, root, line.system);
    return { root, changes: firstChanges(place, line, root, choice, coming) };
  }
  if (repository?.root === undefined) return undefined;
  const coming = new Coming(line.pending, repository.root, line.system);
  return { root: repository.root, changes: changes(repository, repository.root, choice, coming) };
}

export function ofChange(where: Taken["where"], change: Change): Taken {
  return {
    where,
    path: change.path,
    bytes: change.bytes,
    text: undefined,
    isNew: change.isNew,
    ...(change.link === undefined ? {} : { link: change.link }),
    ...(change.unsure === undefined ? {} : { unsure: change.unsure }),
  };
}

/** `update-index` takes named files whether ignored or not. */
export function indexed(invocation: GitInvocation, place: Place, line: Line, taken: Sink): string | undefined {
  const parsed = parseOptions(invocation.args, [
    "add",
    "remove",
    "force-remove",
    "refresh",
    "really-refresh",
    "cacheinfo=",
    "chmod=",
    "stdin",
    "z",
    "index-version=",
    "assume-unchanged",
    "skip-worktree",
  ]);
  if (["assume-unchanged", "skip-worktree", "force-remove"].some((option) => parsed.has(option))) return undefined;
  if (parsed.operands.length === 0 && !parsed.has("stdin")) return undefined;
  const literal = parsed.operands.map((arg) => (arg.exact ? { ...arg, text: `:(literal)${arg.text}` } : arg));
  const specs: Pathspecs = parsed.has("stdin") ? { texts: [], cwd: place.git.cwd } : pathspecs(literal, place.git.cwd, "");
  const found = workingTree(place, line, { specs, untracked: !parsed.has("add") ? "none" : specs.texts.length === 0 ? "standard" : "all" });
  taken.push(...(found?.changes ?? []).map((change) => ofChange("index", change)));
  return found?.root;
}

/** `hash-object -w` stores any file it names. */
export function hashed(invocation: GitInvocation, line: Line, taken: Sink): void {
  const parsed = parseOptions(invocation.args, ["w", "t=", "path=", "stdin", "stdin-paths", "no-filters", "literally"]);
  if (!parsed.has("w")) return;
  const named = parsed.has("stdin-paths")
    ? line
        .flow(invocation.stdin)
        .text.split("\n")
        .map((text): Argument => ({ text, exact: text !== "", sources: [] }))
    : parsed.operands;
  const files = parsed.has("stdin") ? [{ text: "-", exact: true, sources: [] }, ...named] : named;
  for (const file of files) {
    const { text } = contentOf(file, invocation.stdin, invocation.cwd, line);
    const path = file.text === "-" ? parsed.values("path")[0]?.text : file.text;
    if (text !== "") taken.push({ where: "index", path: path ?? "", bytes: new TextEncoder().encode(text), text: undefined, isNew: true });
  }
}
