/**
 * The working tree as `git add` and `git commit -a` would take it.
 *
 * Trust: a clean filter is a program the repository names. Git only says which files differ from the index by their stat data
 * (`diff-files`, all filters taken away) and which are not tracked; whether the content of those differs is worked out here.
 * Names that are not UTF-8 cannot be opened through `System`: new ones leave the check unfinished, known ones are
 * looked at when they are committed or pushed, as objects.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { type Budget, Unfinished } from "./budget.ts";
import { isBinary } from "./content.ts";
import { covers, inside, type Pathspecs } from "./pathspec.ts";
import type { Coming } from "./pending.ts";
import type { Git } from "./process.ts";
import type { Repository } from "./repository.ts";

/** A file whose content a command would take from the working tree. */
export interface Change {
  /** Relative to the root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Not in the index. */
  readonly isNew: boolean;
  readonly link?: string;
  /** It may be taken or not. */
  readonly unsure?: true;
}

/** A tracked file. */
interface Entry {
  readonly path: string;
  readonly oid: string;
  readonly kind: "file" | "link";
}

/** Which part of the working tree is taken. */
export interface Choice {
  readonly specs: Pathspecs;
  /** Files not in the index: none, those that are not ignored, or all (`--force`). */
  readonly untracked: "none" | "standard" | "all";
  /** Also tracked files whose changes Git takes no notice of at the moment (assume-unchanged, skip-worktree). */
  readonly unflagged?: boolean;
}

/** What the working tree holds beyond the index. */
export function changes(repository: Repository, root: string, choice: Choice, coming: Coming): readonly Change[] {
  const { system, budget } = repository;
  const whole = choice.specs.texts.length === 0;
  const specs = whole ? [":/"] : choice.specs.texts;
  const differing = listed(repository, ["diff-files", ...RAW, "--", ...specs], { ownPathspecs: whole, compares: true });
  // Git's own `add` and `commit` refuse such paths as well, and then take nothing at all.
  if (differing === undefined) return [];
  const found: Change[] = [];
  const known = new Set<string>();
  const converted: { readonly entry: Entry; readonly change: Change }[] = [];
  const flagged = choice.unflagged === true ? flaggedEntries(repository, specs, whole) : [];
  for (const entry of [...parse(differing), ...flagged]) {
    budget.walk();
    if (known.has(entry.path) || coming.has(entry.path)) continue;
    known.add(entry.path);
    const change = modified(repository, root, entry);
    if (change === undefined) continue;
    if (mayBeConverted(change)) converted.push({ entry, change });
    else found.push(change);
  }
  found.push(...reallyChanged(repository, root, converted));
  const written = [...coming.paths()].filter((path) => covers(choice.specs, `${root}/${path}`, root, system));
  for (const entry of tracked(repository, written)) {
    known.add(entry.path);
    const change = rewritten(repository, entry, coming);
    if (change !== undefined) found.push(change);
  }
  if (choice.untracked === "none") return found;
  const ignoring = choice.untracked === "standard" && !coming.replacesIgnores ? ["--exclude-standard"] : [];
  const untracked = listed(repository, ["ls-files", "-z", "-o", ...ignoring, "--full-name", "--", ...specs], { ownPathspecs: whole });
  for (const path of splitPaths(untracked ?? new Uint8Array())) {
    budget.walk();
    if (path === undefined) throw new Unfinished("a new file's name is not UTF-8");
    // A name with "/" at its end is a repository inside this one: only its commit id is taken.
    if (path.endsWith("/")) continue;
    known.add(path);
    if (choice.untracked === "standard" && coming.hides(path)) continue;
    const content = coming.has(path) ? { bytes: coming.bytes(path) } : readFile(system, budget, `${root}/${path}`);
    if (content?.bytes !== undefined) found.push({ ...content, bytes: content.bytes, path, isNew: true });
  }
  if (ignoring.length > 0) found.push(...revealed(repository, root, specs, whole, coming));
  const fresh = written.filter((path) => !known.has(path));
  return [...found, ...arriving(repository.git, fresh, choice, coming)];
}

/** Tracked files that are no longer in the working tree, relative to the root. */
export function missing(repository: Repository, choice: Choice): readonly string[] {
  const whole = choice.specs.texts.length === 0;
  const args = ["ls-files", "-z", "-d", "--full-name", "--", ...(whole ? [":/"] : choice.specs.texts)];
  return [...splitPaths(listed(repository, args, { ownPathspecs: whole }) ?? new Uint8Array())].filter((path) => path !== undefined);
}

/** Ignored files that the line's changes to ignore files bring to light, or may. */
function revealed(repository: Repository, root: string, specs: readonly string[], whole: boolean, coming: Coming): readonly Change[] {
  if (!coming.mayReveal && !coming.takesBack) return [];
  const { system, budget } = repository;
  // Folders that are ignored as a whole are left out where nobody can say what is left of the rules: packages, build output.
  const folded = coming.takesBack ? [] : ["--directory"];
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", ...folded, "--full-name", "--", ...specs];
  const ignored = listed(repository, args, { ownPathspecs: whole });
  return [...splitPaths(ignored ?? new Uint8Array())].flatMap((path): Change[] => {
    budget.walk();
    if (path === undefined || path.endsWith("/") || coming.has(path) || coming.hides(path)) return [];
    const surely = coming.reveals(path);
    if (!surely && !coming.mayReveal) return [];
    const content = readFile(system, budget, `${root}/${path}`);
    return content?.bytes === undefined
      ? []
      : [{ ...content, bytes: content.bytes, path, isNew: true, ...(surely ? {} : { unsure: true }) }];
  });
}

const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/** A listing; undefined where Git says that such paths cannot be meant. */
function listed(
  { git }: Repository,
  args: readonly string[],
  options: { readonly ownPathspecs: boolean; readonly compares?: boolean },
): Uint8Array | undefined {
  const finished = git.run(args, options);
  if (finished.code === 0) return finished.stdout;
  if (/is outside repository|beyond a symbolic link/.test(finished.stderr)) return undefined;
  throw new Unfinished("the working tree could not be listed");
}

/** What lies in a folder that becomes a repository in this very line. */
export function firstChanges(
  place: { readonly git: Git; readonly beyond: string },
  around: { readonly system: System; readonly budget: Budget },
  root: string,
  choice: Choice,
  coming: Coming,
): readonly Change[] {
  if (choice.untracked === "none") return [];
  const { git } = place;
  const { system, budget } = around;
  const found: Change[] = [];
  const known = new Set<string>();
  const ignoring = choice.untracked === "all" || coming.replacesIgnores ? [] : ["--exclude-standard"];
  // Outside a repository this is the one command that lists files under Git's own ignore rules; every file has a line that matches "".
  const onDisk = place.beyond === "" && inside(git.cwd, root);
  const finished = onDisk
    ? git.run(["grep", "--no-index", ...ignoring, "--no-textconv", "-l", "-z", "-e", "", "--", ...choice.specs.texts], { alone: true })
    : undefined;
  if (finished !== undefined && finished.code !== 0 && finished.code !== 1) throw new Unfinished("the folder could not be listed");
  const base = git.cwd === root ? "" : `${git.cwd.slice(root.length + 1)}/`;
  // It passes over symbolic links; those in the folder itself are looked up.
  const links = onDisk ? system.list(git.cwd).filter((name) => system.info(`${git.cwd}/${name}`)?.kind === "link") : [];
  const listed = finished === undefined ? [] : [...splitPaths(finished.stdout)];
  for (const name of [...listed, ...links]) {
    budget.walk();
    if (name === undefined) throw new Unfinished("a new file's name is not UTF-8");
    const path = base + name;
    if (known.has(path) || path.startsWith(".git/")) continue;
    known.add(path);
    if (choice.untracked !== "all" && coming.hides(path)) continue;
    const content = coming.has(path) ? { bytes: coming.bytes(path) } : readFile(system, budget, `${root}/${path}`);
    if (content?.bytes !== undefined) found.push({ ...content, bytes: content.bytes, path, isNew: true });
  }
  for (const path of coming.paths()) {
    if (known.has(path) || coming.hides(path) || !covers(choice.specs, `${root}/${path}`, root, system)) continue;
    const bytes = coming.bytes(path);
    if (bytes !== undefined) found.push({ path, bytes, isNew: true });
  }
  return found;
}

/** Files the line creates: not on disk yet, so Git can only be asked whether it ignores them. */
function arriving(git: Git, paths: readonly string[], choice: Choice, coming: Coming): readonly Change[] {
  if (paths.length === 0) return [];
  let ignored = new Set<string>();
  if (choice.untracked === "standard") {
    const stdin = paths.map((path) => `:/${path}\0`).join("");
    const finished = git.run(["check-ignore", "-z", "--stdin", "--no-index"], { stdin, ownPathspecs: true });
    ignored = new Set([...splitPaths(finished.stdout)].map((path) => (path ?? "").slice(":/".length)));
  }
  return paths.flatMap((path) => {
    if (choice.untracked === "standard" && (coming.hides(path) || (ignored.has(path) && !coming.replacesIgnores))) return [];
    const bytes = coming.bytes(path);
    return bytes === undefined ? [] : [{ path, bytes, isNew: true }];
  });
}

/** A tracked file the line rewrites. */
function rewritten(repository: Repository, entry: Entry, coming: Coming): Change | undefined {
  const bytes = coming.bytes(entry.path);
  if (bytes === undefined || objectName(repository, bytes) === entry.oid) return undefined;
  return { path: entry.path, bytes, isNew: false };
}

/** A tracked file that differs from the index. */
function modified(repository: Repository, root: string, entry: Entry): Change | undefined {
  const { system, budget } = repository;
  const path = `${root}/${entry.path}`;
  const kind = system.info(path)?.kind;
  if (kind !== "file" && kind !== "link") return undefined;
  const content = readFile(system, budget, path);
  if (content === undefined) return undefined;
  if (
    kind === entry.kind &&
    isObject(repository, kind === "link" ? new TextEncoder().encode(system.linkTarget(path) ?? "") : content.bytes, entry.oid)
  )
    return undefined;
  return { ...content, path: entry.path, isNew: false };
}

/** Whether Git may store something else than the file's bytes: another encoding, or an id that it fills in. */
function mayBeConverted({ bytes, link }: Change): boolean {
  return link === undefined && (bytes.indexOf(0) >= 0 || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("$Id"));
}

/** Of files that may be converted those that differ from the index also as Git would store them. */
function reallyChanged(
  { git }: Repository,
  root: string,
  candidates: readonly { readonly entry: Entry; readonly change: Change }[],
): readonly Change[] {
  const asked = candidates.filter(({ entry }) => !entry.path.includes("\n"));
  if (asked.length === 0) return candidates.map(({ change }) => change);
  const stdin = asked.map(({ entry }) => `${root}/${entry.path}\n`).join("");
  const finished = git.run(["hash-object", "--stdin-paths"], { stdin, compares: true });
  const names = new TextDecoder().decode(finished.stdout).split("\n");
  // A file that cannot be read ends the answer: what has none counts as changed.
  const same = new Set(asked.flatMap(({ entry }, index) => (names[index] === entry.oid ? [entry.path] : [])));
  return candidates.flatMap(({ entry, change }) => (same.has(entry.path) ? [] : [change]));
}

/** Whether bytes are this blob, as they are or after the built-in line-ending conversion (D-29). */
function isObject(repository: Repository, bytes: Uint8Array, oid: string): boolean {
  if (objectName(repository, bytes) === oid) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return text.includes("\r\n") && objectName(repository, Buffer.from(text.replaceAll("\r\n", "\n"), "latin1")) === oid;
}

function objectName(repository: Repository, bytes: Uint8Array): string {
  return new Bun.CryptoHasher(repository.hash).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/**
 * A file's content within the limits: large binary content only to its beginning, large text not at all (`Unfinished`).
 * A link gives what it points to, when that is a file. Undefined when there is nothing Git would read.
 */
export function readFile(system: System, budget: Budget, path: string): { readonly bytes: Uint8Array; readonly link?: string } | undefined {
  const info = system.info(path);
  if (info?.kind === "link") {
    const link = system.realPath(path);
    if (link === undefined || system.info(link)?.kind !== "file") return undefined;
    const target = system.read(link, CHOSEN.credential_file_bytes);
    if (target === undefined) return undefined;
    budget.read(target.bytes.length);
    return { bytes: target.bytes, link };
  }
  if (info?.kind !== "file") return undefined;
  const start = system.read(path, CHOSEN.git_binary_bytes);
  if (start === undefined) return undefined;
  budget.read(start.bytes.length);
  if (!start.cut || isBinary(start.bytes)) return { bytes: start.bytes };
  const whole = system.read(path, CHOSEN.git_text_bytes);
  if (whole === undefined || whole.cut) throw new Unfinished("a text file is too large to be checked");
  budget.read(whole.bytes.length);
  return { bytes: whole.bytes };
}

/** Output of `diff-files --raw -z`: `:mode mode oid oid status NUL path NUL`. */
function* parse(output: Uint8Array): Iterable<Entry> {
  let header: string | undefined;
  for (const text of splitPaths(output)) {
    if (header === undefined) {
      header = text ?? "";
      continue;
    }
    const [mode = "", , oid = "", , status = ""] = header.slice(1).split(" ");
    header = undefined;
    if (text !== undefined && status !== "D" && mode !== "160000") yield { path: text, oid, kind: mode === "120000" ? "link" : "file" };
  }
}

/** Which of these paths are in the index; without those whose changes Git takes no notice of. */
function tracked({ git }: Repository, paths: readonly string[]): readonly Entry[] {
  if (paths.length === 0) return [];
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const output = git.must(["ls-files", "-z", "-v", "-s", "--full-name", "--", ...literal], { ownPathspecs: true });
  return entriesOf(output, (tag) => /^[A-RT-Z]$/.test(tag));
}

/** Tracked files whose changes Git takes no notice of. */
function flaggedEntries({ git }: Repository, specs: readonly string[], ownPathspecs: boolean): readonly Entry[] {
  return entriesOf(git.must(["ls-files", "-z", "-v", "-s", "--full-name", "--", ...specs], { ownPathspecs }), (tag) =>
    /^[a-zS]$/.test(tag),
  );
}

/** Entries of `ls-files -v -s -z` by their tag; lower case: assume-unchanged, S: skip-worktree. */
function entriesOf(output: Uint8Array, wanted: (tag: string) => boolean): readonly Entry[] {
  return [...splitPaths(output)].flatMap((entry): Entry[] => {
    const match = /^([A-Za-z]) (\d{6}) ([0-9a-f]{40,64}) \d\t(.*)$/s.exec(entry ?? "");
    if (match === null || !wanted(match[1] ?? "") || match[2] === "160000") return [];
    return [{ path: match[4] ?? "", oid: match[3] ?? "", kind: match[2] === "120000" ? "link" : "file" }];
  });
}

/** NUL-separated paths; undefined for one that is not UTF-8. */
export function* splitPaths(output: Uint8Array): Iterable<string | undefined> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    const stop = end < 0 ? output.length : end;
    if (stop > at) yield decodePath(output.subarray(at, stop));
    at = stop + 1;
  }
}

function decodePath(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
