/** Which packages a Node publish command stands for, and where the project itself says they go. */
import type { System } from "../../system.ts";
import type { Packing } from "../effect.ts";
import { globMatches } from "../shell/pattern.ts";
import type { Packed } from "./chosen.ts";
import { joined, nodePackage } from "./node.ts";
import type { Work } from "./pattern.ts";
import { type Fields, fieldsOf, jsonOf, textOf, textsOf, valuesOf } from "./text.ts";

/** The packages that go; none for one that is marked private, which every manager refuses to publish. */
export function nodePackages(packing: Packing, folder: string, system: System, work: Work): readonly Packed[] {
  const { tool, members } = packing;
  const root = workspaceRoot(folder, system);
  // Inside a workspace npm works as if it had been named from the root, whose ignore files then count as well.
  const within = packing.here === true && tool === "npm" && root !== folder && workspaceFolders(root, system, work).includes(folder);
  if (members === undefined) return onePackage(packing, folder, within ? root : undefined, system, work);
  const all = workspaceFolders(root, system, work);
  const chosen =
    members === "all"
      ? all
      : all.filter((one) => {
          const { name } = jsonOf(`${one}/package.json`, system);
          return members.some((member) => {
            work.entry();
            return !work.spent && names(member, one, root, folder, name);
          });
        });
  // A filter that fits nothing here may be of a kind that is not understood.
  const found = chosen.length === 0 && members !== "all" ? all : chosen;
  const whole = found.length === 0 || tool === "lerna" ? [folder, ...found] : found;
  return whole.flatMap((one) => onePackage(packing, one, one === root ? undefined : root, system, work));
}

function onePackage({ tool, open }: Packing, folder: string, root: string | undefined, system: System, work: Work): readonly Packed[] {
  const manifest = jsonOf(`${folder}/package.json`, system);
  if (manifest["private"] === true || !("name" in manifest)) return [];
  const config = fieldsOf(manifest["publishConfig"]);
  const name = String(manifest["name"]);
  const scope = name.startsWith("@") ? name.slice(0, Math.max(0, name.indexOf("/"))) : undefined;
  const registry = registryOf(folder, root, scope, config, system);
  const inner = config["directory"];
  // pnpm and lerna publish what was built into another folder.
  const place = typeof inner === "string" && /^(?:pnpm|lerna)$/.test(tool) ? joined(folder, inner) : folder;
  const invited = scope !== undefined && open !== true && config["access"] !== "public";
  return [
    {
      folder: place,
      ...nodePackage(place, root, system, work, tool),
      ...(registry === undefined ? {} : { registry }),
      ...(invited ? { restricted: true } : {}),
    },
  ];
}

function registryOf(
  folder: string,
  root: string | undefined,
  scope: string | undefined,
  config: Fields,
  system: System,
): string | undefined {
  const stated = (scope === undefined ? undefined : config[`${scope}:registry`]) ?? config["registry"];
  if (typeof stated === "string") return stated;
  for (const place of [folder, root, system.home]) {
    if (place === undefined || place === "") continue;
    const settings = valuesOf(textOf(`${place}/.npmrc`, system));
    const named = (scope === undefined ? undefined : settings.get(`${scope}:registry`)) ?? settings.get("registry");
    if (named !== undefined) return named;
    const berry = /^npm(?:PublishRegistry|RegistryServer):[ \t]{1,16}["']?([^"'\s]{1,2000})/m.exec(
      textOf(`${place}/.yarnrc.yml`, system) ?? "",
    );
    if (berry !== null) return berry[1];
  }
  return undefined;
}

/** The folder above (or this one) that lists workspaces. */
function workspaceRoot(folder: string, system: System): string {
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

function workspaceFolders(root: string, system: System, work: Work): readonly string[] {
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

function inside(folder: string, part: string, system: System, work: Work): readonly string[] {
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

function below(folders: readonly string[], system: System, work: Work): string[] {
  const found = [...folders];
  let level: readonly string[] = folders;
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    level = level.flatMap((folder) => inside(folder, "*", system, work));
    found.push(...level);
  }
  return found;
}

/** Whether `-w`, `--filter` or `workspace` names this package: by its name or its folder. */
function names(member: string, folder: string, root: string, cwd: string, name: unknown): boolean {
  const bare = member
    .replace(/^(?:\.{3}\^?|!)/, "")
    .replace(/\^?\.{3}$/, "")
    .replace(/^\{(.{0,500})\}$/, "$1");
  if (globMatches(bare, String(name))) return true;
  const path = /^[./]/.test(bare) || bare.includes("/") ? bare : `./${bare}`;
  return [root, cwd].some((base) => folder === joined(base, path) || folder.startsWith(`${joined(base, path)}/`)) || folder === path;
}
