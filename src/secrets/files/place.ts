/**
 * Where a path points in the terms of credential files, by its spelling alone: nothing is resolved on disk.
 *
 * Notation of a place: `~/x` in a home folder; `$XDG/x` `$DATA/x` `$AS/x` `%AD%/x` `%LAD%/x` in the user's
 * configuration, data, Application Support, Roaming and Local folder; `/x` absolute; `**\/x` under any folder,
 * a repository's copy of a home included. `*` stands for a part of one name, a middle `**` for any folders.
 *
 * Trust: the path is hostile; it may be relative, Windows or POSIX, mixed in case, or take a detour. Treating
 * two spellings alike costs nothing, since content has to confirm.
 */
import type { Home } from "./file.ts";
import { FILE_OVERRIDES, FOLDER_OVERRIDES } from "./override.ts";

/** One reading of a path. */
interface Spot {
  readonly names: readonly string[];
  /** What `names` is relative to. */
  readonly root: "home" | "root" | "anywhere";
}

/** Every reading of a path: in a home folder, by an environment override, from the root, as written. */
export interface Spots {
  readonly readings: readonly Spot[];
  /** Windows and macOS paths: names differ by case only for the eye. */
  readonly fold: boolean;
}

/** A place made ready for matching. */
export interface Place {
  readonly root: "home" | "root" | "anywhere";
  readonly names: readonly string[];
}

const SHORT_ROOTS: readonly (readonly [string, string])[] = [
  ["$XDG/", "**/.config/"],
  ["$DATA/", "**/.local/share/"],
  ["$AS/", "**/Library/Application Support/"],
  ["%AD%/", "**/AppData/Roaming/"],
  ["%LAD%/", "**/AppData/Local/"],
];

/** Reads the notation. */
export function place(notation: string): Place {
  const short = SHORT_ROOTS.find(([prefix]) => notation.startsWith(prefix));
  const full = short === undefined ? notation : short[1] + notation.slice(short[0].length);
  if (full.startsWith("~/")) return { root: "home", names: full.slice(2).split("/") };
  if (full.startsWith("**/")) return { root: "anywhere", names: full.slice(3).split("/") };
  return { root: "root", names: full.slice(1).split("/") };
}

/** Folders of the shape a home has, as leading names; `*` is the user. */
const HOMES: readonly (readonly string[])[] = [
  ["root"],
  ["home", "*"],
  ["var", "home", "*"],
  ["export", "home", "*"],
  ["users", "*"],
  ["documents and settings", "*"],
  ["var", "root"],
];

/** Words a shell or a configuration writes for the home folder. */
const HOME_WORDS = /^(?:~[\w.-]{0,64}|%userprofile%|\$home|\$\{home\}|\$env:userprofile|\$env:home|%homedrive%%homepath%)$/i;

/** The readings of a path. */
export function spotsOf(path: string, home: Home): Spots {
  const { names, absolute, windows } = split(path);
  const lower = names.map((name) => name.toLowerCase());
  const fold = windows || lower[0] === "users";
  const readings: Spot[] = [{ names, root: absolute ? "root" : "anywhere" }];
  const under = (length: number) => readings.push({ names: names.slice(length), root: "home" });

  const first = lower[0] ?? "";
  if (!absolute && HOME_WORDS.test(first)) under(1);
  else if (!absolute && /^(?:%appdata%|\$env:appdata)$/.test(first))
    readings.push({ names: ["AppData", "Roaming", ...names.slice(1)], root: "home" });
  else if (!absolute && /^(?:%localappdata%|\$env:localappdata)$/.test(first))
    readings.push({ names: ["AppData", "Local", ...names.slice(1)], root: "home" });
  if (absolute) {
    const own = absoluteNames(home.folder) ?? [];
    if (own.length > 0 && begins(names, own, fold)) under(own.length);
    for (const shape of HOMES) if (begins(lower, shape, false)) under(shape.length);
    for (const [variable, target] of FOLDER_OVERRIDES) {
      const folder = absoluteNames(home.environment[variable]);
      if (folder !== undefined && folder.length > 0 && begins(names, folder, fold))
        readings.push({ names: [...target.split("/"), ...names.slice(folder.length)], root: "home" });
    }
    for (const [variable, target] of FILE_OVERRIDES) {
      for (const file of listed(variable, home.environment[variable])) {
        const other = absoluteNames(file);
        if (other !== undefined && other.length === names.length && begins(names, other, fold))
          readings.push({ names: target.split("/"), root: "home" });
      }
    }
  }
  return { readings, fold };
}

/** True when one reading of the path is this place. */
export function isAt(spots: Spots, at: Place): boolean {
  return spots.readings.some(({ names, root }) => {
    if (at.root === "home") return root === "home" && fits(at.names, 0, names, 0, spots.fold);
    if (at.root === "root") return root === "root" && fits(at.names, 0, names, 0, spots.fold);
    return ends(at.names, names, spots.fold);
  });
}

/** True when the path is this place of a person's home or of the system, and not a copy in some folder. */
export function isOwn(spots: Spots, at: Place): boolean {
  return spots.readings.some(
    ({ names, root }) =>
      root !== "anywhere" && (at.root === "root" ? root === "root" : root === "home") && fits(at.names, 0, names, 0, spots.fold),
  );
}

/** Names of a path, detours undone. */
function split(path: string): { readonly names: string[]; readonly absolute: boolean; readonly windows: boolean } {
  if (path.startsWith("/") && !path.includes("\\") && !/^\/(?:\/|.\/|mnt\/|cygdrive\/)/.test(path)) return settle(path, false);
  let rest = path.replaceAll("\\", "/").replace(/::\$DATA$/i, "");
  let windows = false;
  // `\\?\C:\…`, `\\.\C:\…`, `\\wsl$\Ubuntu\home\…`, `\\server\c$\Users\…`
  rest = rest.replace(/^\/\/[?.]\//, "");
  rest = rest.replace(/^\/\/(?:wsl\$|wsl\.localhost)\/[^/]{1,255}/i, "");
  const share = /^\/\/[^/]{1,255}\/[A-Za-z]\$/.exec(rest)?.[0];
  if (share !== undefined) {
    windows = true;
    rest = rest.slice(share.length);
  }
  // `C:`, and the same drive seen from WSL, Cygwin and Git Bash.
  const drive = /^(?:[A-Za-z]:(?=\/)|\/mnt\/[A-Za-z](?=\/)|\/cygdrive\/[A-Za-z](?=\/)|\/[A-Za-z](?=\/users\/))/i.exec(rest)?.[0];
  if (drive !== undefined) {
    windows = true;
    rest = rest.slice(drive.length);
  }
  return settle(rest, windows);
}

function settle(rest: string, windows: boolean): { readonly names: string[]; readonly absolute: boolean; readonly windows: boolean } {
  const absolute = rest.startsWith("/");
  const names: string[] = [];
  for (const name of rest.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") names.pop();
    else names.push(windows ? withoutEndDots(name) : name);
  }
  if (absolute && !windows) while (names.splice(0, detour(names)).length > 0);
  return { names, absolute, windows };
}

/** Windows ignores dots and spaces at the end of a name. */
function withoutEndDots(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
  return name.slice(0, end);
}

/** How many leading names only lead back to the root. */
function detour(names: readonly string[]): number {
  const [first, second, third] = names;
  if (first === "proc" && second !== undefined && /^(?:self|thread-self|\d{1,10})$/.test(second)) {
    if (third === "root") return 3;
    if (third === "task" && names[4] === "root") return 5;
  }
  if (first === "System" && second === "Volumes" && third === "Data") return 3;
  return first === "private" && /^(?:etc|var|tmp)$/.test(second ?? "") ? 1 : 0;
}

function absoluteNames(path: string | undefined): readonly string[] | undefined {
  if (path === undefined || path === "") return undefined;
  const { names, absolute } = split(path);
  return absolute ? names : undefined;
}

/** KUBECONFIG names several files; a Windows list is split by `;`, since `:` stands in its paths. */
function listed(variable: string, value: string | undefined): readonly string[] {
  if (value === undefined || value === "") return [];
  if (variable !== "KUBECONFIG") return [value];
  return value.split(value.includes(";") || /^[A-Za-z]:[\\/]/.test(value) ? ";" : ":").slice(0, 100);
}

/** Last names, each between `/`, of all files and folders that variables of the environment name as credentials' places. */
export function namesMovedTo(environment: Home["environment"]): readonly string[] {
  const paths = [
    ...FOLDER_OVERRIDES.map(([variable]) => environment[variable]),
    ...FILE_OVERRIDES.flatMap(([variable]) => listed(variable, environment[variable])),
  ];
  return paths.flatMap((path) => absoluteNames(path)?.at(-1) ?? []).map((name) => `/${name}/`);
}

function begins(names: readonly string[], start: readonly string[], fold: boolean): boolean {
  return names.length >= start.length && start.every((name, at) => name === "*" || same(name, names[at] ?? "", fold));
}

function ends(pattern: readonly string[], names: readonly string[], fold: boolean): boolean {
  // A `**` inside takes any number of names: try every start. Otherwise there is one.
  const starts = pattern.includes("**") ? names.map((_, at) => at) : [names.length - pattern.length];
  return starts.some((start) => start >= 0 && fits(pattern, 0, names, start, fold));
}

function fits(pattern: readonly string[], at: number, names: readonly string[], from: number, fold: boolean): boolean {
  const name = pattern[at];
  if (name === undefined) return from === names.length;
  if (name === "**") {
    for (let next = from; next <= names.length; next++) if (fits(pattern, at + 1, names, next, fold)) return true;
    return false;
  }
  const actual = names[from];
  return actual !== undefined && same(name, actual, fold) && fits(pattern, at + 1, names, from + 1, fold);
}

function same(pattern: string, name: string, fold: boolean): boolean {
  if (!pattern.includes("*"))
    return pattern === name || (fold && (pattern.toLowerCase() === name.toLowerCase() || isShortName(name, pattern)));
  const parts = (fold ? pattern.toLowerCase() : pattern).split("*");
  const text = fold ? name.toLowerCase() : name;
  const head = parts[0] ?? "";
  const tail = parts.at(-1) ?? "";
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Windows' 8.3 name of a long name: `CREDEN~1` is `credentials`, `AWS~1` is `.aws`, `CONFIG~1.JSO` is `config.json`. */
function isShortName(short: string, long: string): boolean {
  const parts = /^([^~.]{1,6})~\d{1,3}(?:\.([^.]{1,3}))?$/.exec(short);
  if (parts === null) return false;
  const bare = long.replace(/^\.+/, "").replaceAll(" ", "");
  const dot = bare.lastIndexOf(".");
  const stem = (dot < 0 ? bare : bare.slice(0, dot)).replaceAll(".", "");
  const extension = dot < 0 ? "" : bare.slice(dot + 1, dot + 4);
  return stem.slice(0, 6).toLowerCase() === parts[1]?.toLowerCase() && extension.toLowerCase() === (parts[2] ?? "").toLowerCase();
}
