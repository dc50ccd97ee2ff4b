/** Where a repository keeps its own files (gitrepository-layout(5)). Trust: repository content; it may name any folder, which is only read. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";

/** The folder with the config, hooks and info of the repository at `root`; a worktree and a submodule name it in a file `.git`. */
export function gitFolder(root: string, system: System): string {
  const path = `${root}/.git`;
  const own = /^gitdir:[ \t]*([^\r\n]{1,4096})/.exec(text(path, system))?.[1];
  if (own === undefined) return path;
  const folder = absolute(root, own.trim());
  const common = text(`${folder}/commondir`, system).trim();
  return common === "" ? folder : absolute(folder, common);
}

function text(path: string, system: System): string {
  const file = system.read(path, CHOSEN.project_file_bytes);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}

function absolute(folder: string, path: string): string {
  return path.startsWith("/") || /^[A-Za-z]:[/\\]/.test(path) ? path : `${folder}/${path}`;
}
