/**
 * What a tool makes of a folder before it sends it: the files of a package, an image, a site. Facts by each tool's own
 * rules; whether they may go is for the products.
 * Trust: manifests and ignore files are repository content. What they hide from the package is hidden from strangers as
 * well; what cannot be read hides nothing.
 */
import type { System } from "../../system.ts";
import type { Packing } from "../effect.ts";
import { builtFiles, gem, pythonSource } from "./built.ts";
import { cratePackage } from "./cargo.ts";
import { type Chosen, type Packed, partly } from "./chosen.ts";
import { composed, image } from "./docker.ts";
import { extension } from "./extension.ts";
import { Work } from "./pattern.ts";
import { nodePackages } from "./workspaces.ts";
import { site } from "./site.ts";
import { RULE_WORK, walk } from "./walk.ts";
import { fieldsOf, jsonOf, textsOf } from "./text.ts";
import { ignoredBy, ignoreRules } from "../git/index.ts";

export { asLeft } from "./as-left.ts";
export { Work } from "./pattern.ts";
export type { Packed } from "./chosen.ts";

/** Everything a packing stands for, within the work that is left for the whole call; empty when the tool would refuse, or takes no file of the folder. */
export function packed(packing: Packing, system: System, work: Work = new Work(system)): readonly Packed[] {
  const folder = packing.folder.path;
  if (folder === undefined) return [];
  work.spend(MANIFEST_WORK);
  const made = work.spent ? [] : chosen(packing, folder, system, work);
  return work.spent && made.every(({ cut }) => !cut) ? [...made, { folder, files: [], cut: true }] : made;
}

/** What reading manifests and ignore files of one package costs at most, as characters of a pattern. */
const MANIFEST_WORK = 100_000;

function chosen(packing: Packing, folder: string, system: System, work: Work): readonly Packed[] {
  const one = (chosen: Chosen): readonly Packed[] => [{ folder, ...chosen }];
  switch (packing.tool) {
    case "npm":
    case "cnpm":
    case "pnpm":
    case "yarn":
    case "berry":
    case "bun":
    case "lerna":
      return nodePackages(packing, folder, system, work);
    case "cargo":
      return cratePackage(packing, folder, system, work);
    case "docker":
      return image(packing, folder, system, work);
    case "repository":
      return one(partly(walk(folder, { git: true, never: /(?:^|\/)\.git(?:\/|$)/ }, system, work)));
    case "compose":
      return composed(packing, folder, system, work);
    case "gem":
      return one(gem(folder, packing, system, work));
    case "vsce":
    case "ovsx":
      return one(extension(folder, system, work));
    case "jsr":
    case "deno":
      return one(denoPackage(folder, system, work));
    case "dart":
    case "flutter":
    case "pub":
      return one(partly(walk(folder, { git: true, ignoreFiles: [".pubignore"], never: HIDDEN }, system, work)));
    case "python":
      return one(pythonSource(folder, system, work));
    case "built":
      return one(builtFiles(folder, packing.members === "all" ? [] : (packing.members ?? []), system, work));
    default:
      return site(packing.tool, folder, system, work);
  }
}

const HIDDEN = /(?:^|\/)\./;

function denoPackage(folder: string, system: System, work: Work): Chosen {
  const manifest =
    ["jsr.json", "deno.json", "deno.jsonc"].map((name) => jsonOf(`${folder}/${name}`, system)).find((one) => "name" in one) ?? {};
  const publish = fieldsOf(manifest["publish"]);
  const only = textsOf(publish["include"])?.map(anchored);
  const taken = ignoreRules(only ?? []);
  const without = [...(textsOf(manifest["exclude"]) ?? []), ...(textsOf(publish["exclude"]) ?? [])].map(anchored);
  const left = ignoreRules(without);
  return partly(
    walk(
      folder,
      {
        git: true,
        never: /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/,
        takes: (relative) => {
          const parts = relative.split("/");
          work.spend(RULE_WORK * (taken.length + left.length) * parts.length);
          return (only === undefined || ignoredBy(taken, parts) === true) && ignoredBy(left, parts) !== true;
        },
      },
      system,
      work,
    ),
  );
}

/** A pattern that counts from the package's own folder; `.` and `./` mean all of it. */
function anchored(pattern: string): string {
  const negated = pattern.startsWith("!") ? "!" : "";
  const bare = pattern.slice(negated.length).replace(/^(?:\.?\/)/, "");
  return `${negated}${bare === "" || bare === "." ? "*" : `/${bare}`}`;
}
