/**
 * What the programs of a call would run that stands in files: scripts by their path or as an interpreter's operand, package
 * scripts, recipes of Makefile, justfile and Taskfile, Git hooks.
 *
 * Trust: all of it is repository content, read as text and never run; reads are bounded by the disk the caller hands in.
 */
import type { System } from "../../system.ts";
import type { Effect } from "../effect.ts";
import { packageScript } from "../recipes.ts";
import { packageFolder, shellStart, type Start, type Started, textAt, variables } from "./start.ts";

export type { Started } from "./start.ts";

/** The rest of this room, loaded at first use: everyday calls do without. */
function room(): typeof import("./kinds.ts") {
  return require("./kinds.ts");
}

/** The scripts that these effects start. `rootOf`: the working tree a folder is in. */
export function startedBy(effects: readonly Effect[], rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  const found = effects.flatMap((effect) => startedByOne(effect, rootOf, system));
  // A script that earlier commands of the same line copy or write; whether those run is not known.
  if (!effects.some(changesFiles) || !effects.some(mayStart)) return found;
  const left = room().asLeft(effects, system);
  return left === undefined ? found : [...found, ...effects.flatMap((effect) => startedByOne(effect, rootOf, left))];
}

function changesFiles({ kind }: Effect): boolean {
  return kind === "copy" || kind === "write";
}

function mayStart(effect: Effect): boolean {
  return effect.kind === "run" && (effect.path !== undefined || starts(effect.name));
}

function startedByOne(effect: Effect, rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  if (effect.kind === "run") {
    if (effect.cwd === undefined || !mayStart(effect)) return NONE;
    const start = effect as Start;
    return everydayScript(start, system) ?? room().ofRun(start, system);
  }
  if (effect.kind !== "git" || !HOOKED.includes(` ${effect.invocation.subcommand} `)) return NONE;
  const { cwd } = effect.invocation;
  return cwd === undefined ? NONE : room().hooksOf(effect.invocation, () => rootOf(cwd), system);
}

const NONE: readonly Started[] = [];

/** Git's commands that hooks belong to. */
const HOOKED = " am commit cherry-pick revert merge pull rebase push checkout switch ";

/** `npm test`, `pnpm run build`: a script of the package this folder is in. Undefined for every other start. */
function everydayScript(start: Start, system: System): readonly Started[] | undefined {
  const { name, args, cwd } = start;
  const [verb, script] = args;
  if (start.path !== undefined || args.length > 2 || !/^(?:npm|pnpm|yarn|bun)$/.test(name)) return undefined;
  const named = script === undefined && verb?.text === "test" && name !== "bun" ? verb : verb?.text === "run" ? script : undefined;
  if (named === undefined || named.text.startsWith("-")) return undefined;
  const folder = packageFolder(cwd, system);
  // Yarn, pnpm and Bun start a program where no script has the name.
  if (folder === undefined) return name === "npm" ? NONE : undefined;
  const path = `${folder}/package.json`;
  const command = packageScript(textAt(path, system) ?? "", named.text);
  return command === "" ? undefined : [shellStart({ cwd: folder }, path, variables(start, command) + command)];
}

/** Whether the program of this name may start a script; a plain switch, since every command comes through here. */
function starts(name: string): boolean {
  switch (name) {
    case "sh":
    case "bash":
    case "zsh":
    case "dash":
    case "ksh":
    case "mksh":
    case "ash":
    case "fish":
    case "rbash":
    case "yash":
    case "source":
    case ".":
    case "node":
    case "nodejs":
    case "node-dev":
    case "tsx":
    case "ts-node":
    case "ts-node-dev":
    case "tsnd":
    case "vite-node":
    case "esno":
    case "esrun":
    case "jiti":
    case "babel-node":
    case "electron":
    case "deno":
    case "nodemon":
    case "pm2":
    case "forever":
    case "ruby":
    case "jruby":
    case "perl":
    case "php":
    case "pytest":
    case "py.test":
    case "kernprof":
    case "viztracer":
    case "coverage":
    case "npm":
    case "cnpm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "make":
    case "gmake":
    case "just":
    case "task":
    case "go-task":
    case "run-s":
    case "run-p":
    case "npm-run-all":
    case "npm-run-all2":
    case "nr":
    case "turbo":
    case "lerna":
    case "nx":
      return true;
    default:
      return name.startsWith("py") || name.startsWith("ipython");
  }
}
