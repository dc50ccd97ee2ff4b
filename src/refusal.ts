/** What the operating system refused, for people: in plain words, and the command that helps where there is one. */
import { quoted } from "./call/shell/quoting.ts";
import type { System } from "./system.ts";

export interface Refusal {
  readonly words: string;
  /** A command line for a shell, for the person. */
  readonly next: string | undefined;
}

/** A caught error in words. One that names its own way on (`next`) keeps what it says. */
export function refusalOf(error: unknown, system: System): Refusal {
  if (!(error instanceof Error)) return { words: "unknown error", next: undefined };
  const { code, path, next } = error as Error & { readonly code?: unknown; readonly path?: unknown; readonly next?: unknown };
  if (typeof next === "string") return { words: error.message, next };
  const place = typeof path === "string" && path.startsWith("/") ? nearest(path, system) : undefined;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return place === undefined ? { words: "this user has no right to do it", next: undefined } : closedTo(place, system);
    case "EROFS":
      return { words: "the disk is mounted read-only", next: place && `findmnt -T ${quoted(place)}` };
    case "ENOSPC":
      return { words: "the disk is full", next: place && `df -h ${quoted(place)}` };
    case "EDQUOT":
      return { words: "this user's share of the disk is used up", next: "quota -s" };
    default:
      return { words: error.message, next: undefined };
  }
}

/** Why this user cannot change a file or folder that is there. */
export function closedTo(place: string, system: System): Refusal {
  const info = system.info(place);
  const name = quoted(place);
  if (system.uid !== 0 && info !== undefined && info.uid !== system.uid)
    return { words: `${place} belongs to another user`, next: `sudo chown "$(id -un)" ${name}` };
  if (info !== undefined && (info.mode & 0o200) === 0)
    return { words: `${place} is closed to writing`, next: `chmod ${info.kind === "folder" ? "u+rwx" : "u+rw"} ${name}` };
  return { words: `the system refuses to change ${place}`, next: `ls -ld ${name}; lsattr -d ${name}` };
}

/** The file itself, else the folder in which it would be: temporary files and new folders are refused for where they would stand. */
function nearest(path: string, system: System): string {
  let at = path;
  while (at !== "" && system.info(at) === undefined) at = at.slice(0, at.lastIndexOf("/"));
  return at === "" ? "/" : at;
}
