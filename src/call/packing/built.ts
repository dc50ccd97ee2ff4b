/** What was built before: the files a pattern names, and what a Python source distribution would hold. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { type Chosen, partly } from "./chosen.ts";
import type { Packing } from "../effect.ts";
import { Pattern, Wild, type Work } from "./pattern.ts";
import { fieldsOf, textOf, tomlOf } from "./text.ts";
import { walk } from "./walk.ts";

/**
 * Files that `dist/x.whl`, `dist/*` and the like stand for; a folder stands for what lies in it. What a pattern stands for
 * is only known at run time (L-109): such a file is not sure.
 */
export function builtFiles(folder: string, patterns: readonly string[], system: System, work: Work): Chosen {
  const found = new Map<string, boolean>();
  let cut = false;
  for (const pattern of patterns) {
    const sure = !/[*?[]/.test(pattern);
    let level: readonly string[] = [pattern.startsWith("/") ? "" : folder];
    for (const part of pattern.split("/")) {
      if (part === "" || part === ".") continue;
      level = part === "**" ? foldersBelow(level, system, work) : level.flatMap((at) => named(at, part, system, work));
      cut ||= work.spent;
      if (level.length > CHOSEN.glob_matches) {
        level = level.slice(0, CHOSEN.glob_matches);
        cut = true;
      }
    }
    for (const path of level) {
      const kind = system.info(path)?.kind;
      if (kind === "file") found.set(path, sure);
      else if (kind === "folder") {
        const inside = walk(path, {}, system, work);
        cut ||= inside.cut;
        for (const inner of inside.files) found.set(`${path}/${inner}`, sure);
      }
    }
  }
  const files = [...found].map(([path, surely]) => ({
    relative: path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path,
    surely,
  }));
  return { files, cut };
}

function named(folder: string, part: string, system: System, work: Work): readonly string[] {
  if (part === "..") return [folder.slice(0, Math.max(0, folder.lastIndexOf("/")))];
  if (!/[*?[]/.test(part)) return [`${folder}/${part}`];
  const glob = new Wild(part, true);
  return system
    .list(folder === "" ? "/" : folder)
    .filter((name) => {
      work.entry();
      work.spend(part.length * name.length);
      return !work.spent && glob.matches(name) && (part.startsWith(".") || !name.startsWith("."));
    })
    .map((name) => `${folder}/${name}`);
}

/** How deep `**` reaches. */
const DEPTH = 8;

function foldersBelow(folders: readonly string[], system: System, work: Work): readonly string[] {
  const found = [...folders];
  let level = folders;
  for (let depth = 0; depth < DEPTH && level.length > 0 && found.length < CHOSEN.glob_matches; depth++) {
    level = level.flatMap((at) =>
      named(at, "*", system, work).filter((path) => !path.endsWith("/node_modules") && system.info(path)?.kind === "folder"),
    );
    found.push(...level);
  }
  return found;
}

/** What a build here and now would put into a package: what Git does not ignore for the backends that take all of it, otherwise the modules. */
export function pythonSource(folder: string, system: System, work: Work): Chosen {
  const project = tomlOf(`${folder}/pyproject.toml`, system);
  const build = fieldsOf(project["build-system"]);
  const backend = `${String(build["build-backend"] ?? "")} ${String(build["requires"] ?? "")}`;
  const never = /^dist\/|(?:^|\/)(?:\.git|\.venv|__pycache__|\.tox|node_modules)(?:\/|$)/;
  const all = /hatchling|setuptools.scm|setuptools_scm|pbr|flit_scm/.test(backend);
  if (all) return partly(walk(folder, { git: true, never }, system, work));
  const builds = ["pyproject.toml", "setup.py", "setup.cfg"].some((name) => system.info(`${folder}/${name}`) !== undefined);
  if (!builds) return { files: [], cut: false };
  const isPackage = (top: string): boolean => top === "src" || system.info(`${folder}/${top}/__init__.py`) !== undefined;
  return partly(
    walk(
      folder,
      {
        git: true,
        never,
        // Names that setuptools leaves out when it looks for packages by itself.
        other: (relative) =>
          !relative.includes("/") &&
          (!isPackage(relative) || /^(?:tests?|docs?|examples?|scripts|tools|build|benchmarks?|ci|bin|debian)$/.test(relative)),
        takes: (relative) => relative.endsWith(".py") && relative !== "setup.py" && relative !== "conftest.py" && relative !== "noxfile.py",
      },
      system,
      work,
    ),
  );
}

/** What `gem build` would take: the files Git knows, or those its patterns name, as far as the specification's text tells. */
export function gem(folder: string, packing: Packing, system: System, work: Work): Chosen {
  const spec = packing.file?.path === undefined ? undefined : textOf(packing.file.path, system);
  if (spec === undefined) return { files: [], cut: false };
  const globs = [...spec.matchAll(/["']([^"'\n]{1,500})["']/g)].map((match) => new Pattern(match[1] ?? "", { whole: true, work }));
  const all = spec.includes("git ls-files");
  return partly(
    walk(
      folder,
      {
        git: true,
        never: /(?:^|\/)\.git(?:\/|$)/,
        takes: (relative) => all || globs.some((glob) => !work.spent && glob.matches(relative.split("/"))),
      },
      system,
      work,
    ),
  );
}
