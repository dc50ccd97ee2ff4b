/** A container image that was built, or given another name, in a session. */
import type { Packing } from "../call/effect.ts";
import { CHOSEN } from "../limits.ts";

export interface BuiltImage {
  /** Its plain name; `$` stands in it for what only the shell knew. */
  readonly name: string;
  /** What it was built from: a folder with a Dockerfile, or one with a compose file. The disk may have changed since. */
  readonly packing: Packing;
}

/** An image as the session file holds it; undefined where it was not built from files at known places. */
export function imageRow({ name, packing }: BuiltImage): readonly string[] | undefined {
  const { tool, folder, file, target, members } = packing;
  if (!isTool(tool) || folder.path === undefined || (file !== undefined && file.path === undefined)) return undefined;
  const row = [name, tool, folder.path, file?.path ?? "", target ?? "", ...(Array.isArray(members) ? (members as string[]) : [])];
  return row.every((field) => field.length <= CHOSEN.list_glob_chars && !field.includes("\0")) ? row : undefined;
}

/** Reads a row of a session file; undefined for anything else. */
export function readImage(row: unknown): BuiltImage | undefined {
  if (!Array.isArray(row) || !row.every((field) => typeof field === "string")) return undefined;
  const [name = "", tool = "", folder = "", file = "", target = "", ...members] = row as string[];
  if (name === "" || !isTool(tool) || folder === "") return undefined;
  const packing: Packing = {
    tool,
    folder: { written: folder, path: folder },
    guessed: true,
    ...(file === "" ? {} : { file: { written: file, path: file } }),
    ...(target === "" ? {} : { target }),
    ...(members.length === 0 ? {} : { members }),
  };
  const image = { name, packing };
  return imageRow(image) === undefined ? undefined : image;
}

function isTool(tool: string): boolean {
  return tool === "docker" || tool === "compose" || tool === "built";
}
