/** What `cargo package` takes (cargo's `PathSource::list_files`). */
import { ignoredBy, ignoreRules } from "../git/index.ts";
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Packing } from "../effect.ts";
import type { Packed } from "./chosen.ts";
import type { Work } from "./pattern.ts";
import { fieldsOf, textsOf, tomlOf } from "./text.ts";
import { RULE_WORK, walk } from "./walk.ts";

/** The crate in `folder`, or the members of its workspace; none where the manifest says it is not published. */
export function cratePackage(packing: Packing, folder: string, system: System, work: Work): readonly Packed[] {
  const manifest = tomlOf(`${folder}/Cargo.toml`, system);
  if (packing.members === undefined && "package" in manifest) return crate(folder, manifest["package"], system, work);
  const found = new Set<string>();
  for (const pattern of textsOf(fieldsOf(manifest["workspace"])["members"]) ?? []) {
    const star = pattern.indexOf("*");
    const base = star < 0 ? pattern : pattern.slice(0, Math.max(0, pattern.lastIndexOf("/", star)));
    if (star < 0) found.add(`${folder}/${base.replace(/^\.\//, "")}`);
    else for (const name of system.list(`${folder}/${base}`)) found.add(`${folder}/${base}/${name}`);
  }
  if ("package" in manifest) found.add(folder);
  return [...found].flatMap((one) => {
    const inner = fieldsOf(tomlOf(`${one}/Cargo.toml`, system)["package"]);
    const named = packing.members === "all" || packing.members === undefined || packing.members.includes(String(inner["name"]));
    return named && "name" in inner ? crate(one, inner, system, work) : [];
  });
}

function crate(folder: string, stated: unknown, system: System, work: Work): readonly Packed[] {
  const manifest = fieldsOf(stated);
  const publish = manifest["publish"];
  if (publish === false) return [];
  const elsewhere = textsOf(publish);
  if (elsewhere !== undefined && elsewhere.length === 0) return [];
  const only = textsOf(manifest["include"]);
  const without = ignoreRules(textsOf(manifest["exclude"]) ?? []);
  const within = ignoreRules(only ?? []);
  const inGit = inRepository(folder, system);
  const { readme, "license-file": license } = manifest;
  const shown =
    typeof readme === "string"
      ? readme
      : readme === false
        ? undefined
        : ["README.md", "README.txt", "README"].find((name) => system.info(`${folder}/${name}`)?.kind === "file");
  const always = ["Cargo.toml", "Cargo.lock", shown, license];
  const named = only !== undefined && only.length > 0;
  const { files, cut } = walk(
    folder,
    {
      // A list of files is taken whatever Git ignores.
      ...(named || !inGit ? {} : { git: true }),
      // A build folder goes only where somebody added it to Git.
      never: named ? /^target(?:\/|$)/ : inGit ? /(?:^|\/)\.git(?:\/|$)/ : /^target(?:\/|$)|(?:^|\/)\.git(?:\/|$)/,
      other: (relative) => system.info(`${folder}/${relative}/Cargo.toml`)?.kind === "file",
      takes: (relative) => {
        if (always.includes(relative)) return true;
        const parts = relative.split("/");
        work.spend(RULE_WORK * (within.length + without.length) * parts.length);
        if (named) return ignoredBy(within, parts) === true;
        if (!inGit && parts.some((part) => part.startsWith("."))) return ignoredBy(without, parts) === false;
        return ignoredBy(without, parts) !== true;
      },
    },
    system,
    work,
  );
  const [registry] = elsewhere ?? [];
  return [
    {
      folder,
      files: files.map((relative) => ({ relative, surely: !relative.startsWith("target/") })),
      cut,
      ...(registry === undefined || registry === "crates-io" ? {} : { registry: `https://${registry}.internal` }),
    },
  ];
}

/** Whether cargo goes by Git here: there is a repository, and it knows the manifest. */
function inRepository(folder: string, system: System): boolean {
  for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    if (system.info(`${at}/.git`) === undefined) continue;
    const index = system.read(`${at}/.git/index`, CHOSEN.git_list_bytes)?.bytes;
    // A worktree keeps its index elsewhere, and the fourth version shortens its paths: then nothing is said against it.
    if (index === undefined) return system.info(`${at}/.git`)?.kind !== "folder";
    return (
      index[7] === 4 ||
      Buffer.from(index.buffer, index.byteOffset, index.length).includes(`${`${folder}/Cargo.toml`.slice(at.length + 1)}\0`)
    );
  }
  return false;
}
