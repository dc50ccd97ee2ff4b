/** `git commit`: the index against HEAD, the working tree where the command takes it, and the message (L-044). */
import type { GitInvocation } from "../effect.ts";
import { kept, namedPaths, ofChange, unflags, workingTree } from "./add.ts";
import { Unfinished } from "./budget.ts";
import type { Line, Place } from "./line.ts";
import { textFiles, texts } from "./message.ts";
import { arrivals, unstages } from "./movement.ts";
import { measure, readObjects } from "./objects.ts";
import { parseOptions } from "./options.ts";
import { pathspecs } from "./pathspec.ts";
import { emptyTree, type Repository } from "./repository.ts";
import type { Sink, Taken } from "./taking.ts";
import { readFile } from "./worktree.ts";

const OPTIONS = [
  "a|all",
  "p|patch",
  "interactive",
  "m|message=",
  "F|file=",
  "t|template=",
  "c|reedit-message=",
  "C|reuse-message=",
  "fixup=",
  "squash=",
  "author=",
  "date=",
  "trailer=",
  "cleanup=",
  "S|gpg-sign=?",
  "u|untracked-files=?",
  "i|include",
  "o|only",
  "s|signoff",
  "n|no-verify",
  "v|verbose",
  "q|quiet",
  "e|edit",
  "amend",
  "allow-empty",
  "allow-empty-message",
  "dry-run",
  "short",
  "branch",
  "porcelain",
  "long",
  "status",
  "null",
  "reset-author",
  "pathspec-from-file=",
  "pathspec-file-nul",
  "no-post-rewrite",
];

/** What `git commit` records. `earlier` are the line's commands before it. */
export function committed(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  place: Place | undefined,
  line: Line,
  taken: Sink,
): string | undefined {
  const parsed = parseOptions(invocation.args, OPTIONS);
  if (["dry-run", "short", "porcelain", "long"].some((option) => parsed.has(option))) return undefined;
  for (const option of ["message", "author", "trailer"]) taken.push(...texts("message", parsed.values(option), line));
  taken.push(...textFiles("message", [...parsed.values("file"), ...parsed.values("template")], invocation.stdin, invocation.cwd, line));
  if (place === undefined) throw new Unfinished("the folder is only known at run time");

  const repository = line.repository(place);
  const created = place.created !== undefined && repository?.root !== place.created;
  if (repository?.root === undefined || created) return undefined;
  const named = namedPaths(parsed, invocation, line);
  const whole = parsed.hidden || ["all", "patch", "interactive"].some((option) => parsed.has(option));
  const specs = pathspecs(whole ? [] : named, place.git.cwd, place.beyond);
  const onlyNamed = named.length > 0 && !whole && !parsed.has("include");
  const { root } = repository;
  const changes =
    whole || named.length > 0
      ? kept(
          workingTree(place, line, { specs, untracked: "none", unflagged: unflags(earlier) })?.changes ?? [],
          invocation,
          earlier,
          root,
          line,
        )
      : [];
  taken.push(...changes.map((change) => ofChange("commit", change)));
  const replaced = new Set(changes.map(({ path }) => path));
  const blobs = staged(repository, root, onlyNamed ? specs.texts : []);
  const paths = blobs.map(({ path }) => path ?? "");
  // A file that is gone is committed as gone.
  const isGone = (path: string): boolean => parsed.has("all") && earlier.length === 0 && line.system.info(`${root}/${path}`) === undefined;
  for (const blob of blobs) {
    if (isGone(blob.path ?? "")) continue;
    // What `-a` takes in is staged again, unless it is no longer tracked.
    const gone = (!parsed.has("all") || blob.isNew) && unstages(earlier, blob.path ?? "", paths, root, line.system);
    if (!replaced.has(blob.path ?? "") && !gone) taken.push(blob);
  }
  taken.push(...arrived(repository, earlier, line));
  return repository.root;
}

/** Content out of Git's own store that earlier commands of the line lay into the index or the working tree. */
function arrived(repository: Repository, earlier: readonly GitInvocation[], line: Line): readonly Taken[] {
  return arrivals(earlier).flatMap((arrival): readonly Taken[] => {
    if ("blob" in arrival) {
      const bytes = readObjects(repository.git, [arrival.blob], repository.budget).get(arrival.blob)?.bytes;
      return bytes === undefined ? [] : [{ where: "commit", path: arrival.path, bytes, text: undefined, isNew: true }];
    }
    const { tree, paths, invocation, base = repository.head ?? emptyTree(repository) } = arrival;
    if (!tree.exact) throw new Unfinished("a revision is only known at run time");
    const place = line.place(invocation);
    const found = measure(repository.git, [tree.text]).get(tree.text);
    if (place === undefined || found === undefined || found.type === "blob") return [];
    const specs = pathspecs(paths, place.git.cwd, place.beyond);
    const git = line.repository(place)?.git ?? repository.git;
    if (arrival.base !== undefined && measure(git, [base]).size === 0) return [];
    return contents(repository, differing({ ...repository, git }, base, specs.texts, found.oid));
  });
}

/** The index, or what it is about to become, holds what `git stash` would keep. */
export function stagedContent(repository: Repository, specs: readonly string[] = []): readonly Taken[] {
  return repository.root === undefined ? [] : staged(repository, repository.root, specs);
}

/** Files of HEAD that the index has no more, as they stand in the working tree. */
export function droppedContent(repository: Repository, specs: readonly string[]): readonly Taken[] {
  const { git, system, budget, head, root } = repository;
  if (head === undefined || root === undefined) return [];
  const args = [
    "diff-index",
    "--cached",
    "-z",
    "--name-only",
    "--no-relative",
    "--no-renames",
    "--diff-filter=D",
    "--ignore-submodules=all",
  ];
  const listed = new TextDecoder().decode(git.must([...args, head, "--", ...specs]));
  return listed.split("\0").flatMap((path): readonly Taken[] => {
    const content = path === "" ? undefined : readFile(system, budget, `${root}/${path}`);
    return content === undefined ? [] : [{ where: "commit", path, text: undefined, isNew: false, ...content }];
  });
}

interface Difference {
  readonly path: string;
  readonly oid: string;
  readonly link: boolean;
  readonly isNew: boolean;
}

/** Content of the index that HEAD does not have at that path; during a merge only what the merged side does not have either. */
function staged(repository: Repository, root: string, specs: readonly string[]): readonly Taken[] {
  let differences = differing(repository, repository.head ?? emptyTree(repository), specs);
  if (differences.length > 0 && repository.system.info(`${repository.folder}/MERGE_HEAD`) !== undefined) {
    const merged = new Map(differing(repository, "MERGE_HEAD", specs).map((entry) => [entry.path, entry]));
    differences = differences
      .filter(({ path }) => merged.has(path))
      .map((entry) => ({ ...entry, isNew: entry.isNew && merged.get(entry.path)?.isNew === true }));
  }
  return contents(repository, differences, root);
}

/** The objects behind differences; a link of the working tree (`root`) stands for the file it points to. */
function contents(repository: Repository, differences: readonly Difference[], root?: string): readonly Taken[] {
  const objects = readObjects(
    repository.git,
    differences.filter(({ link }) => !link).map(({ oid }) => oid),
    repository.budget,
  );
  return differences.flatMap(({ path, oid, link, isNew }): Taken[] => {
    repository.budget.walk();
    if (link && root === undefined) return [];
    const content = link ? readFile(repository.system, repository.budget, `${root}/${path}`) : { bytes: objects.get(oid)?.bytes };
    if (content?.bytes === undefined) {
      // Of what another revision brings in, a partial clone may hold nothing: it came from the other side.
      if (link || root === undefined) return [];
      throw new Unfinished("the repository is damaged or incomplete");
    }
    return [{ where: "commit", path, text: undefined, isNew, ...content, bytes: content.bytes }];
  });
}

/**
 * What the index, or the tree `to`, has and `tree` has not. Both commands compare objects only: no working-tree file is
 * opened, no filter runs.
 */
function differing(repository: Repository, tree: string, specs: readonly string[], to?: string): readonly Difference[] {
  const args = [
    ...(to === undefined ? ["diff-index", "--cached", "--ita-invisible-in-index"] : ["diff-tree"]),
    "--raw",
    "-z",
    "-r",
    "--no-renames",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "--diff-filter=AMT",
  ];
  const output = new TextDecoder().decode(repository.git.must([...args, tree, ...(to === undefined ? [] : [to]), "--", ...specs]));
  const fields = output.split("\0");
  const found: Difference[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode = "", , oid = "", status = ""] = (fields[index] ?? "").split(" ");
    if (mode === "160000") continue;
    found.push({ path: fields[index + 1] ?? "", oid, link: mode === "120000", isNew: status.startsWith("A") });
  }
  return found;
}
