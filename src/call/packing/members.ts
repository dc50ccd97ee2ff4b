/** The packages of a Node workspace: where they lie, and which of them an option names. */
import type { System } from "../../system.ts";
import { globMatches } from "../shell/pattern.ts";
import { fieldsOf, joined, jsonOf, textOf, textsOf } from "./text.ts";

/** What looking for packages may cost. */
export interface Bounds {
  spend(amount: number): void;
  /** One more entry of a folder is looked at. */
  entry(): void;
  readonly spent: boolean;
}

/** The folder above (or this one) that lists workspaces. */
export function workspaceRoot(folder: string, system: System): string {
  for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
    if (workspacePatterns(at, system).length > 0) return at;
  return folder;
}

function workspacePatterns(folder: string, system: System): readonly string[] {
  const { workspaces } = jsonOf(`${folder}/package.json`, system);
  const stated =
    textsOf(workspaces) ?? textsOf(fieldsOf(workspaces)["packages"]) ?? textsOf(jsonOf(`${folder}/lerna.json`, system)["packages"]);
  if (stated !== undefined) return stated;
  const found: string[] = [];
  let listed = false;
  for (const line of (textOf(`${folder}/pnpm-workspace.yaml`, system) ?? "").split("\n", 1_000)) {
    if (/^\S/.test(line)) listed = line.startsWith("packages:");
    const item = listed ? /^\s{0,16}-\s{1,8}["']?([^"'#\s]{1,500})/.exec(line) : null;
    if (item !== null) found.push(item[1] as string);
  }
  return found;
}

/** How deep `**` reaches. */
const DEPTH = 5;

/** The packages a workspace lists, as far as the bounds let them be looked for. */
export function workspaceFolders(root: string, system: System, work: Bounds): readonly string[] {
  const found = new Set<string>();
  for (const pattern of workspacePatterns(root, system)) {
    if (pattern.startsWith("!")) continue;
    let folders = [root];
    for (const part of pattern.split("/")) {
      if (part === "" || part === ".") continue;
      folders = part === "**" ? below(folders, system, work) : folders.flatMap((folder) => inside(folder, part, system, work));
    }
    for (const folder of folders) if (system.info(`${folder}/package.json`)?.kind === "file") found.add(folder);
  }
  return [...found];
}

function inside(folder: string, part: string, system: System, work: Bounds): readonly string[] {
  work.entry();
  if (work.spent) return [];
  if (!part.includes("*")) return [`${folder}/${part}`];
  return system
    .list(folder)
    .filter((name) => {
      work.entry();
      work.spend(part.length * name.length);
      return !work.spent && name !== "node_modules" && !name.startsWith(".") && globMatches(part, name);
    })
    .map((name) => `${folder}/${name}`)
    .filter((path) => system.info(path)?.kind === "folder");
}

function below(folders: readonly string[], system: System, work: Bounds): string[] {
  const found = [...folders];
  let level: readonly string[] = folders;
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    level = level.flatMap((folder) => inside(folder, "*", system, work));
    found.push(...level);
  }
  return found;
}

/** Whether `-w`, `--filter` or `workspace` names this package: by its name or its folder. */
export function isNamed(
  member: string,
  { folder, name }: { readonly folder: string; readonly name: unknown },
  root: string,
  cwd: string,
): boolean {
  const bare = member
    .replace(/^(?:\.{3}\^?|!)/, "")
    .replace(/\^?\.{3}$/, "")
    .replace(/^\{(.{0,500})\}$/, "$1");
  if (globMatches(bare, String(name))) return true;
  const path = /^[./]/.test(bare) || bare.includes("/") ? bare : `./${bare}`;
  return [root, cwd].some((base) => folder === joined(base, path) || folder.startsWith(`${joined(base, path)}/`)) || folder === path;
}
