/** What was built before: the files a pattern names, and what a Python source distribution would hold. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { globMatches } from "../shell/pattern.ts";
import { type Chosen, partly } from "./chosen.ts";
import type { Packing } from "../effect.ts";
import { Pattern } from "./pattern.ts";
import { fieldsOf, textOf, tomlOf } from "./text.ts";
import { walk } from "./walk.ts";

/** Files that `dist/*` and the like stand for; a folder stands for what lies in it. */
export function builtFiles(folder: string, patterns: readonly string[], system: System): Chosen {
  const found = new Set<string>();
  let cut = false;
  for (const pattern of patterns) {
    let level = pattern.startsWith("/") ? ["/"] : [folder];
    for (const part of pattern.split("/")) {
      if (part === "" || part === ".") continue;
      level = level.flatMap((at) => {
        const here = at === "/" ? "" : at;
        if (!/[*?[]/.test(part)) return [`${here}/${part}`];
        // A class of characters is taken for any character.
        const glob = part.replace(/\[[^\]]{1,100}\]/g, "?");
        return system
          .list(at)
          .filter((name) => globMatches(glob, name) && (part.startsWith(".") || !name.startsWith(".")))
          .map((name) => `${here}/${name}`);
      });
      if (level.length > CHOSEN.glob_matches) {
        level = level.slice(0, CHOSEN.glob_matches);
        cut = true;
      }
    }
    for (const path of level) {
      const kind = system.info(path)?.kind;
      if (kind === "file") found.add(path);
      else if (kind === "folder") for (const inner of walk(path, {}, system).files) found.add(`${path}/${inner}`);
    }
  }
  return {
    files: [...found].map((path) => ({ relative: path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path, surely: true })),
    cut,
  };
}

/** What a build here and now would put into a source distribution, for the backends that take whatever Git does not ignore. */
export function pythonSource(folder: string, system: System): Chosen {
  const project = tomlOf(`${folder}/pyproject.toml`, system);
  const build = fieldsOf(project["build-system"]);
  const backend = `${String(build["build-backend"] ?? "")} ${String(build["requires"] ?? "")}`;
  if (!/hatchling|setuptools.scm|setuptools_scm|pbr|flit_scm/.test(backend)) return { files: [], cut: false };
  return partly(walk(folder, { git: true, never: /^dist\/|(?:^|\/)(?:\.git|\.venv|__pycache__|\.tox|node_modules)(?:\/|$)/ }, system));
}

/** What `gem build` would take: the files Git knows, or those its patterns name, as far as the specification's text tells. */
export function gem(folder: string, packing: Packing, system: System): Chosen {
  const spec = packing.file?.path === undefined ? undefined : textOf(packing.file.path, system);
  if (spec === undefined) return { files: [], cut: false };
  const globs = [...spec.matchAll(/["']([^"'\n]{1,500})["']/g)].map((match) => new Pattern(match[1] ?? "", { whole: true }));
  const all = spec.includes("git ls-files");
  return partly(
    walk(
      folder,
      { git: true, never: /(?:^|\/)\.git(?:\/|$)/, takes: (relative) => all || globs.some((glob) => glob.matches(relative.split("/"))) },
      system,
    ),
  );
}
