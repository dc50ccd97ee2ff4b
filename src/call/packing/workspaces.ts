/** Which packages a Node publish command stands for, and where the project itself says they go. */
import type { System } from "../../system.ts";
import type { Packing } from "../effect.ts";
import type { Packed } from "./chosen.ts";
import { isNamed, workspaceFolders, workspaceRoot } from "./members.ts";
import { nodePackage } from "./node.ts";
import type { Work } from "./pattern.ts";
import { type Fields, fieldsOf, joined, jsonOf, textOf, valuesOf } from "./text.ts";

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
            return !work.spent && isNamed(member, { folder: one, name }, root, folder);
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
