/**
 * Where a repository keeps its own files and what its configuration says, found without starting Git.
 *
 * Trust: `.git` may be a file of anybody's making that leads anywhere; what is read there is only compared or read as text.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";

/** Absolute folders; the same one but in a worktree. */
export interface GitFolder {
  /** HEAD and the index. */
  readonly own: string;
  /** Config, hooks, `info` and references: shared by all worktrees. */
  readonly common: string;
}

/** The folders of the repository with this root; a worktree and a submodule name theirs in a file `.git`. */
export function gitFolder(root: string, system: System): GitFolder {
  const path = `${root}/.git`;
  const named = /^gitdir:[ \t]*([^\r\n]{1,4096})/.exec(textAt(path, system))?.[1]?.trim();
  if (named === undefined) return { own: path, common: path };
  const own = absolute(root, named);
  const common = textAt(`${own}/commondir`, system).trim();
  return { own, common: common === "" ? own : absolute(own, common) };
}

/**
 * The value a setting has in a repository by Git's files, the last one that says it; includes and conditions are not followed.
 * `name` in lower case: `core.hookspath`.
 */
export function gitSetting(name: string, { own, common }: GitFolder, system: System): string | undefined {
  const { home, environment } = system;
  const files = [
    "/etc/gitconfig",
    ...(environment.GIT_CONFIG_GLOBAL === undefined
      ? [`${environment.XDG_CONFIG_HOME ?? `${home}/.config`}/git/config`, `${home}/.gitconfig`]
      : [environment.GIT_CONFIG_GLOBAL]),
    `${common}/config`,
    `${own}/config.worktree`,
  ];
  return files.map((file) => settingIn(textAt(file, system), name)).findLast((value) => value !== undefined);
}

function settingIn(config: string, name: string): string | undefined {
  const dot = name.indexOf(".");
  let section = "";
  let found: string | undefined;
  for (const written of config.split("\n")) {
    const head = /^[ \t]*\[[ \t]*([\w.-]{1,100})[ \t]*\]/.exec(written);
    const line = head === null ? written : written.slice(head[0].length);
    if (head !== null) section = (head[1] ?? "").toLowerCase();
    else if (/^[ \t]*\[/.test(written)) section = "";
    if (section !== name.slice(0, dot)) continue;
    const [, key, value] = /^[ \t]*([A-Za-z][\w-]{0,100})[ \t]*=(.{0,4096})/.exec(line) ?? [];
    if (key?.toLowerCase() === name.slice(dot + 1)) found = bare(value ?? "");
  }
  return found;
}

/** A value without the comment behind it and its quotes. */
function bare(value: string): string {
  return value
    .replace(/^((?:[^"#;]|"[^"]*")*)[#;].*$/, "$1")
    .trim()
    .replaceAll('"', "");
}

function textAt(path: string, system: System): string {
  const file = system.read(path, CHOSEN.project_file_bytes);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}

/** A path as Git writes it, from the folder it counts from. */
export function absolute(folder: string, path: string): string {
  return path.startsWith("/") || /^[A-Za-z]:[/\\]/.test(path) ? path : `${folder}/${path}`;
}
