/**
 * The files a scan looks at: what was named, and everything below named folders, in order of their names.
 *
 * Trust: names and ignore files are hostile. Links are followed only where they were named; FIFOs, sockets and devices are
 * left out. `.git` is not looked into. Memory grows with the depth of the tree and one folder's names, not with its size.
 */
import { gitFolder } from "../call/git/folder.ts";
import { trackedAndIgnored } from "../call/git/index.ts";
import { Repositories } from "../leak0/places.ts";
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import { Ignoring, rulesIn } from "./ignore.ts";

/** A file to look at. */
export interface Entry {
  /** As it is shown: the named path and what lies below it. */
  readonly path: string;
  readonly absolute: string;
  /** Root of the repository it lies in, if any. */
  readonly root: string | undefined;
}

/** What was left out, counted while the tree is walked. */
export interface LeftOut {
  /** Files and whole folders that an ignore rule left out. */
  ignored: number;
  /** Files and folders that could not be looked at, as shown. */
  readonly unreadable: string[];
}

/** Something that was named and is not there. */
export class Missing extends Error {
  constructor(readonly path: string) {
    super(`there is no ${path}`);
  }
}

/** Every file of the named paths. `cwd` is absolute. Throws `Missing` at once when a path names nothing. */
export function filesOf(paths: readonly string[], cwd: string, ignoring: boolean, left: LeftOut, system: System): Iterable<Entry> {
  const roots = paths.map((path) => {
    const absolute = absoluteOf(path, cwd);
    const real = system.realPath(absolute);
    const info = real === undefined ? undefined : system.info(real);
    if (real === undefined || info === undefined) throw new Missing(path);
    return { path, absolute: real, info };
  });
  return (function* () {
    for (const root of roots) {
      if (root.info.kind === "folder") yield* below(root.absolute, prefixOf(root.path), ignoring, left, system);
      else if (root.info.kind === "file") yield { path: root.path, absolute: root.absolute, root: rootOf(root.absolute, system) };
      else left.unreadable.push(root.path);
    }
  })();
}

/** What stands before the names in a named folder: nothing for the current one. */
function prefixOf(path: string): string {
  const folder = path.split("/").filter((name, at) => name !== "." && (name !== "" || at === 0));
  const shown = folder.join("/");
  return shown === "" ? (path.startsWith("/") ? "/" : "") : `${shown}/`;
}

function absoluteOf(path: string, cwd: string): string {
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return `${cwd}/${path}`;
}

/** A folder still to be looked into. */
interface Folder {
  readonly absolute: string;
  /** What stands before the names in it. */
  readonly shown: string;
  readonly rules: Ignoring;
  readonly root: string | undefined;
}

/** At the root of the disk, what the kernel makes up as it is read: some of it has no end. Named by itself it is looked at. */
const KERNEL_FOLDERS = new Set(["dev", "proc", "sys"]);

function* below(root: string, shown: string, ignoring: boolean, left: LeftOut, system: System): Generator<Entry> {
  const rules = ignoring ? rulesAbove(root, system) : undefined;
  /** What Git tracks although a rule names it is part of its repository; it comes before the folder it lies in. */
  const tracked = new Set<string>();
  const trackedIn = function* (folder: Folder): Generator<Entry> {
    for (const path of trackedAndIgnored(folder.absolute, system)) {
      const info = system.info(`${folder.absolute}/${path}`);
      if (info?.kind !== "file" || tracked.has(`${folder.absolute}/${path}`)) continue;
      tracked.add(`${folder.absolute}/${path}`);
      yield file(folder, path);
    }
  };
  const top: Folder = { absolute: root === "/" ? "" : root, shown, rules: rules ?? Ignoring.nothing, root: rootOf(root, system) };
  if (rules !== undefined) yield* trackedIn(top);
  const stack: (Folder | Entry)[] = [top];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ("path" in next) {
      yield next;
      continue;
    }
    const entries = system.entries(next.absolute === "" ? "/" : next.absolute);
    if (entries === undefined) {
      left.unreadable.push(next.shown);
      continue;
    }
    const has = (wanted: string): boolean => entries.some(({ name }) => name === wanted);
    const folder = has(".git") ? { ...next, root: next.absolute } : next;
    const inside = ignoring ? rulesOf(folder, has, system) : folder.rules;
    if (ignoring && has(".git")) yield* trackedIn(folder);
    // Last first: the stack gives them back in order.
    for (const { name, kind } of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
      if (name === ".git" || (kind !== "folder" && kind !== "file")) continue;
      const isFolder = kind === "folder";
      if (isFolder && folder.absolute === "" && KERNEL_FOLDERS.has(name)) continue;
      if (tracked.size > 0 && tracked.has(`${folder.absolute}/${name}`)) continue;
      if (inside.ignores(name, isFolder)) left.ignored++;
      else stack.push(isFolder ? within(folder, name, inside) : file(folder, name));
    }
  }
}

/** The rules for what lies in a folder. In another repository only its own hold. */
function rulesOf(folder: Folder, has: (name: string) => boolean, system: System): Ignoring {
  const rules = has(".git")
    ? Ignoring.nothing.with(rulesAt(`${gitFolder(folder.absolute, system).common}/info/exclude`, system))
    : folder.rules;
  return has(".gitignore") ? rules.with(rulesAt(`${folder.absolute}/.gitignore`, system)) : rules;
}

function within(parent: Folder, name: string, rules: Ignoring): Folder {
  return { absolute: `${parent.absolute}/${name}`, shown: `${parent.shown}${name}/`, rules: rules.inside(name), root: parent.root };
}

function file(parent: Folder, name: string): Entry {
  return { path: parent.shown + name, absolute: `${parent.absolute}/${name}`, root: parent.root };
}

function rulesAt(path: string, system: System): ReturnType<typeof rulesIn> {
  const content = system.read(path, CHOSEN.ignore_file_bytes);
  return content === undefined ? [] : rulesIn(new TextDecoder().decode(content.bytes));
}

function rootOf(path: string, system: System): string | undefined {
  return new Repositories(system).rootOf(`${path}/.`);
}

/** The rules that the repository around a folder has for it; undefined outside any, and where the folder is its root. */
function rulesAbove(folder: string, system: System): Ignoring | undefined {
  const names: string[] = [];
  for (let at = folder; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    if (system.info(`${at}/.git`) === undefined) {
      names.unshift(at.slice(at.lastIndexOf("/") + 1));
      continue;
    }
    if (names.length === 0) return undefined;
    let rules = Ignoring.nothing.with(rulesAt(`${gitFolder(at, system).common}/info/exclude`, system));
    let path = at;
    for (const name of names) {
      rules = rules.with(rulesAt(`${path}/.gitignore`, system)).inside(name);
      path += `/${name}`;
    }
    return rules;
  }
  return undefined;
}
