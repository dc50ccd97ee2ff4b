/**
 * Paths as calls name them, made absolute without touching the disk.
 *
 * Trust: the written form is hostile. A path that cannot be told stays `undefined`, it is never guessed:
 * a hidden path proves nothing (L-109). Links, 8.3 names and letter case need the disk and belong to the caller (L-017, L-018).
 */
import { CHOSEN } from "../limits.ts";
import type { PathRef } from "./effect.ts";
import { trimEnd } from "./text.ts";

/** What a call's meaning depends on besides its own text. */
export interface World {
  /** The user's home folder, absolute; "" when there is none. */
  readonly home: string;
  /** The environment the agent's commands inherit. */
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: "linux" | "darwin" | "windows";
}

/** The reference of a path whose value is only known at run time. */
export function hiddenPath(written: string): PathRef {
  return { written, path: undefined };
}

/**
 * Resolves a written path against `cwd` (absolute, or "" / undefined when not known).
 * Understands `~`, `~user`, `file://`, `%USERPROFILE%`, drive letters, UNC, mixed slashes and `/proc/self/{cwd,root}`.
 * Windows paths come out with forward slashes: `C:/Users/x`, `//server/share`.
 */
export function resolvePath(written: string, cwd: string | undefined, world: World): PathRef {
  const path = absolute(written, cwd, world, 0);
  return { written, path };
}

/** Doors to a process's folder and root. */
const PROC = /^\/+proc\/+(?:self|thread-self|\d{1,10})\/+(?:task\/+\d{1,10}\/+)?(cwd|root)(?=\/|$)/;

function absolute(written: string, cwd: string | undefined, world: World, hops: number): string | undefined {
  if (written === "" || written.includes("\0") || hops > CHOSEN.proc_hops) return undefined;
  let text = fromFileUrl(written);
  if (text === undefined) return undefined;
  if (text.includes("%")) {
    text = expandPercent(text, world);
  }
  const windowsForm = (text[1] === ":" && /^[A-Za-z]:(?:[\\/]|$)/.test(text)) || text.startsWith("\\\\");
  if (text.includes("\\")) text = text.replaceAll("\\", "/");
  if (text.startsWith("~")) {
    const expanded = expandTilde(text, world);
    if (expanded === undefined) return undefined;
    text = expanded;
  }
  if (text.startsWith("//?/") || text.startsWith("//./")) text = text.slice(4).replace(/^UNC\//i, "//");
  if (world.platform === "windows") {
    const bash = /^\/(?:mnt\/|cygdrive\/)?([A-Za-z])(?=\/|$)/.exec(text);
    if (bash !== null) text = `${bash[1]}:${text.slice(bash[0].length)}`;
  }
  const proc = text.includes("/proc/") ? PROC.exec(text) : null;
  if (proc !== null) {
    const rest = text.slice(proc[0].length);
    if (proc[1] === "root") return absolute(rest === "" ? "/" : rest, cwd, world, hops + 1);
    return cwd ? absolute(cwd + rest, cwd, world, hops + 1) : undefined;
  }
  if (!isAbsolute(text)) {
    if (!cwd) return undefined;
    const base = cwd.includes("\\") ? cwd.replaceAll("\\", "/") : cwd;
    if (!isAbsolute(base)) return undefined;
    text = `${base}/${text}`;
  }
  return normalise(text, windowsForm || world.platform === "windows");
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || (path[1] === ":" && /^[A-Za-z]:(?:\/|$)/.test(path));
}

/** The local path of a `file:` URL, the text itself for anything else, undefined for a file URL of another machine's making. */
function fromFileUrl(text: string): string | undefined {
  if (text[4] !== ":" || !/^file:/i.test(text)) return text;
  const match = /^file:(?:\/\/(?:localhost)?(?=\/)|(?=\/(?!\/)))([^?#]*)/i.exec(text);
  if (match === null) return /^file:\/\//i.test(text) ? undefined : text;
  let path: string;
  try {
    path = decodeURIComponent(match[1] ?? "");
  } catch {
    path = match[1] ?? "";
  }
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function expandPercent(text: string, world: World): string {
  return text.replace(/%([A-Za-z_][A-Za-z0-9_()]{0,63})%/g, (whole, name: string) => {
    const upper = name.toUpperCase();
    if (upper === "USERPROFILE" || upper === "HOME") return world.home === "" ? whole : world.home;
    if (upper === "HOMEDRIVE" && world.platform !== "windows") return "";
    if (upper === "HOMEPATH" && world.platform !== "windows") return world.home;
    const value = variable(world.environment, upper);
    if (value !== undefined) return value;
    if (upper === "APPDATA") return `${world.home}/AppData/Roaming`;
    if (upper === "LOCALAPPDATA") return `${world.home}/AppData/Local`;
    return whole;
  });
}

/** An environment variable by name, letter case ignored (Windows). */
function variable(environment: Readonly<Record<string, string>>, upper: string): string | undefined {
  const direct = environment[upper];
  if (direct !== undefined) return direct;
  for (const [name, value] of Object.entries(environment)) if (name.toUpperCase() === upper) return value;
  return undefined;
}

/** `~`, `~/x` and `~user/x`; undefined when no home is known. A name such as `~1` or `~+` stays what it is. */
export function expandTilde(text: string, world: World): string | undefined {
  const end = text.indexOf("/");
  const user = end < 0 ? text.slice(1) : text.slice(1, end);
  const rest = end < 0 ? "" : text.slice(end);
  const home = world.home.replaceAll("\\", "/");
  if (user === "") return home === "" ? undefined : home + rest;
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(user)) return text;
  if (home !== "" && (user === world.environment.USER || home.endsWith(`/${user}`))) return home + rest;
  if (user === "root") return (world.platform === "darwin" ? "/var/root" : "/root") + rest;
  if (world.platform === "windows") return `C:/Users/${user}${rest}`;
  return `${world.platform === "darwin" ? "/Users" : "/home"}/${user}${rest}`;
}

/** Removes `.`, `..` and doubled slashes; on Windows forms also stream suffixes and trailing dots and spaces. */
function normalise(path: string, windows: boolean): string {
  let prefix = "";
  let rest = path;
  const drive = path[1] === ":" ? /^([A-Za-z]):/.exec(path) : null;
  if (drive !== null) {
    prefix = `${(drive[1] ?? "").toUpperCase()}:`;
    rest = path.slice(2);
  } else if (windows && path.startsWith("//")) {
    prefix = "/";
  }
  const parts: string[] = [];
  for (const part of rest.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else if (drive !== null || windows) {
      const clean = trimEnd(part.replace(/::?\$DATA$/i, ""), ". ");
      if (clean !== "") parts.push(clean);
    } else parts.push(part);
  }
  return `${prefix}/${parts.join("/")}`;
}

/** The last component of a path, "" for a root. */
export function baseName(path: string): string {
  const trimmed = trimEnd(path, "\\/");
  const cut = Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("\\"));
  return trimmed.slice(cut + 1);
}

/** A path below a reference: hidden stays hidden. */
export function below(folder: PathRef, name: string): PathRef {
  const written = folder.written.endsWith("/") ? folder.written + name : `${folder.written}/${name}`;
  if (folder.path === undefined) return { written, path: undefined };
  return { written, path: folder.path.endsWith("/") ? folder.path + name : `${folder.path}/${name}` };
}

/** The file at a `file:` address. */
export function fileAt(address: string, cwd: string, world: World): PathRef | undefined {
  const bare = address.replace(/^view-source:/i, "");
  if (!/^file:\//i.test(bare) || address.length > 4_096) return undefined;
  const file = resolvePath(bare, cwd, world);
  return file.path === undefined ? undefined : file;
}
