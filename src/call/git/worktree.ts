/**
 * The working tree as `git add` and `git commit -a` would take it, found out without letting Git read a single file.
 *
 * Trust: a clean filter is a program the repository names, and Git runs it whenever it compares a file with the index.
 * So Git only lists (`ls-files -s -o`: index entries with their stat data, untracked paths, ignore rules, pathspecs),
 * and whether a file changed is worked out here as Git does it: stat data first, content when those leave a doubt.
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
}

interface Entry {
  readonly path: string;
  readonly oid: string;
  readonly kind: "file" | "link";
  /** Modified, size and time of the last comparison; undefined when Git printed none. */
  readonly stat: { readonly size: number; readonly mtime_ms: number } | undefined;
}

interface Listing {
  readonly tracked: readonly Entry[];
  readonly untracked: readonly string[];
}

/** Which part of the working tree is taken. */
export interface Choice {
  readonly specs: Pathspecs;
  /** Files not in the index: none, those that are not ignored, or all (`--force`). */
  readonly untracked: "none" | "standard" | "all";
}

/** What the working tree holds beyond the index. */
export function changes(repository: Repository, root: string, choice: Choice, coming: Coming): readonly Change[] {
  const { system, budget } = repository;
  const listing = list(repository, root, choice, coming);
  const found: Change[] = [];
  const known = new Set<string>();
  const indexTime = system.info(repository.git.variable("GIT_INDEX_FILE") ?? `${repository.folder}/index`)?.mtime_ms ?? 0;
  for (const entry of listing.tracked) {
    budget.walk();
    known.add(entry.path);
    const change = coming.has(entry.path) ? written(repository, entry, coming) : modified(repository, root, entry, indexTime);
    if (change !== undefined) found.push(change);
  }
  if (choice.untracked === "none") return found;
  for (const path of listing.untracked) {
    budget.walk();
    known.add(path);
    if (choice.untracked === "standard" && coming.hides(path)) continue;
    const content = coming.has(path) ? { bytes: coming.bytes(path) } : readFile(system, budget, `${root}/${path}`);
    if (content?.bytes !== undefined) found.push({ ...content, bytes: content.bytes, path, isNew: true });
  }
  const fresh = [...coming.paths()].filter((path) => !known.has(path) && covers(choice.specs, `${root}/${path}`, root, system));
  return [...found, ...arriving(repository.git, fresh, choice, coming)];
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
function written(repository: Repository, entry: Entry, coming: Coming): Change | undefined {
  const bytes = coming.bytes(entry.path);
  if (bytes === undefined || objectName(repository, bytes) === entry.oid) return undefined;
  return { path: entry.path, bytes, isNew: false };
}

/** A tracked file that differs from the index. */
function modified(repository: Repository, root: string, entry: Entry, indexTime: number): Change | undefined {
  const { system, budget } = repository;
  const path = `${root}/${entry.path}`;
  const info = system.info(path);
  if (info === undefined || (info.kind !== "file" && info.kind !== "link")) return undefined;
  const sameKind = info.kind === entry.kind;
  const sameSize = entry.stat !== undefined && entry.stat.size === info.size_bytes % 2 ** 32;
  // As Git: a file touched in the same moment as the index was written may have changed unseen.
  const settled = info.mtime_ms < indexTime - 2;
  if (sameKind && sameSize && settled && Math.floor(info.mtime_ms) === entry.stat?.mtime_ms) return undefined;
  const content = readFile(system, budget, path);
  if (content === undefined) return undefined;
  if (
    sameKind &&
    isObject(repository, info.kind === "link" ? new TextEncoder().encode(system.linkTarget(path) ?? "") : content.bytes, entry.oid)
  )
    return undefined;
  return { ...content, path: entry.path, isNew: false };
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

function list(repository: Repository, root: string, choice: Choice, coming: Coming): Listing {
  const args = ["ls-files", "-z", "-v", "-s", "--debug", "--full-name"];
  if (choice.untracked !== "none") args.push("-o");
  if (choice.untracked === "standard" && !coming.replacesIgnores) args.push("--exclude-standard");
  const whole = choice.specs.texts.length === 0;
  const finished = repository.git.run([...args, "--", ...(whole ? [":/"] : choice.specs.texts)], { ownPathspecs: whole });
  if (finished.code !== 0) {
    // Git's own `add` and `commit` refuse such paths as well, and then take nothing at all.
    if (/is outside repository|beyond a symbolic link/.test(finished.stderr)) return { tracked: [], untracked: [] };
    throw new Unfinished("the working tree could not be listed");
  }
  return parse(finished.stdout);
}

/** Output of `ls-files -z -v -s -o --debug`: `? path NUL` or `H mode oid stage TAB path NUL` and five lines of stat data. */
function parse(output: Uint8Array): Listing {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  const text = bytes.toString("latin1");
  const tracked: Entry[] = [];
  const untracked: string[] = [];
  const conflicted = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\0", at);
    if (end < 0) break;
    if (text[at] === "?") {
      const path = decodePath(bytes.subarray(at + 2, end));
      if (path === undefined) throw new Unfinished("a new file's name is not UTF-8");
      // A name with "/" at its end is a repository inside this one: only its commit id is taken.
      if (!path.endsWith("/")) untracked.push(path);
      at = end + 1;
      continue;
    }
    const tab = text.indexOf("\t", at);
    const [tag = "", mode = "", oid = "", stage = ""] = text.slice(at, tab).split(" ");
    const path = decodePath(bytes.subarray(tab + 1, end));
    at = end + 1;
    const stat =
      /^ {2}ctime: [^\n]{1,60}\n {2}mtime: (\d{1,20}):(\d{1,10})\n {2}dev: [^\n]{1,80}\n {2}uid: [^\n]{1,80}\n {2}size: (\d{1,20})\t[^\n]{1,60}\n/.exec(
        text.slice(at, at + 400),
      );
    if (stat !== null) at += stat[0].length;
    // Lower case: assume-unchanged; S: skip-worktree. Git takes no change of those.
    if (path === undefined || tag === "S" || tag === tag.toLowerCase() || mode === "160000" || conflicted.has(path)) continue;
    if (stage !== "0") conflicted.add(path);
    tracked.push({
      path,
      oid,
      kind: mode === "120000" ? "link" : "file",
      stat: stat === null ? undefined : { size: Number(stat[3]), mtime_ms: Number(stat[1]) * 1000 + Math.floor(Number(stat[2]) / 1e6) },
    });
  }
  return { tracked, untracked };
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
