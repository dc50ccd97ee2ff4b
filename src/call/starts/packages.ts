/**
 * Scripts of a package.json: those a package manager is told to run, those it runs by itself when it installs, packs and
 * publishes, and those that task runners start by their names.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument } from "../effect.ts";
import { type Bounds, isNamed, workspaceFolders, workspaceRoot } from "../packing/members.ts";
import { denoTask, packageScript, scriptNames } from "../recipes.ts";
import { managerOptions } from "../shell/commands/node-packages.ts";
import type { Options } from "../shell/options.ts";
import { firstOf, inFolder } from "./file.ts";
import { npmSettings } from "./settings.ts";
import { packageFolder, shellStart, spelled, type Start, type Started, textAt, variables } from "./start.ts";

/** Verbs of package managers that are no script's name. */
const VERBS =
  /^(?:i|in|it|install|install-test|ci|clean-install|add|remove|rm|uninstall|un|update|up|upgrade|outdated|ls|list|link|init|create|exec|dlx|audit|view|info|config|cache|why|login|logout|whoami|version|help|pm|patch|store|import|dedupe|prune|rebuild|rb|root|bin|publish|pack|get|set|owner|dist-tag|access|fund|doctor|plugin|global|self-update|setup|env|server)$/;

function isVerb(manager: string, word: string): boolean {
  return VERBS.test(word) || (word === "x" && /^(?:npm|bun)$/.test(manager));
}

/** Scripts that run by themselves with a verb; each with those before and after it. */
function lifecycle(verb: string): readonly string[] | undefined {
  switch (verb) {
    case "i":
    case "in":
    case "install":
    case "ci":
    case "clean-install":
    case "add":
    case "link":
    case "rebuild":
    case "rb":
      return ["install", "prepare", "dependencies"];
    case "it":
    case "install-test":
      return ["install", "prepare", "dependencies", "test"];
    case "publish":
      return ["prepublishOnly", "prepare", "pack", "publish"];
    case "pack":
      return ["prepare", "pack"];
    case "version":
      return ["version"];
    case "t":
    case "tst":
      return ["test"];
    case "restart":
      return ["restart", "stop", "start"];
    default:
      return undefined;
  }
}

/** What a package manager runs: scripts, or a program where what it is told to run is no script of the package. */
export function packageStarts(start: Start, system: System): readonly Started[] | { readonly program: Start } {
  const options = managerOptions(start.name, start.args);
  let words = options.operands;
  let members = membersOf(options, start.name);
  if (words[0]?.text === "workspace" && words[1] !== undefined) {
    members = [words[1].text];
    words = words.slice(2);
  } else if (/^(?:workspaces|recursive|multi|m)$/.test(words[0]?.text ?? "")) {
    members = "all";
    words = words.slice(words[1]?.text === "foreach" ? 2 : 1);
  }
  if (words[0]?.text === "npm" && start.name === "yarn") words = words.slice(1);
  const runs = /^(?:run|run-script|rum|urn)$/.test(words[0]?.text ?? "");
  const named = words[runs ? 1 : 0];
  const name = named?.text ?? (start.name === "yarn" && !runs && !options.has("version", "v", "help", "h") ? "install" : undefined);
  if (name === undefined) return [];
  const names = (runs ? undefined : lifecycle(name)) ?? (runs || !isVerb(start.name, name) ? [name] : []);
  if (names.length === 0) return [];
  const given = argumentsBehind(start, words, named);
  const base = options.value("prefix", "C", "cwd", "dir")?.text;
  const folder = base === undefined ? start.cwd : inFolder(start.cwd, base);
  const found = foldersOf(folder, members, system).flatMap((place) => scriptsIn(start, place, names, given, system));
  const mayBeProgram = start.name === "bun" || (start.name !== "npm" && !runs);
  const isProgram = mayBeProgram && members === undefined && named !== undefined && (runs || !isVerb(start.name, name));
  if (isProgram && found.every(({ command }) => command === "")) {
    const { path: _, ...rest } = start;
    return { program: { ...rest, name, args: given } };
  }
  return found;
}

/** What a script is given beside its name: npm takes its own options out of it. */
function argumentsBehind({ name, args }: Start, words: readonly Argument[], named: Argument | undefined): readonly Argument[] {
  if (named === undefined) return [];
  if (name === "npm") return words.slice(words.indexOf(named) + 1);
  return args.slice(args.indexOf(named) + 1).filter(({ text }, at) => at > 0 || text !== "--");
}

function membersOf(options: Options, manager: string): readonly string[] | "all" | undefined {
  const chosen = options.values(...(manager === "npm" ? ["w", "workspace"] : ["filter", "F", "filter-prod"])).map(({ text }) => text);
  if (chosen.length > 0) return chosen;
  const every = options.has("workspaces", "ws", "recursive") || (manager === "pnpm" && options.has("r"));
  // `-ws` is read letter by letter.
  return every || (manager === "npm" && options.value("w")?.text === "s") ? "all" : undefined;
}

/** The folders whose package.json counts. */
function foldersOf(folder: string, members: readonly string[] | "all" | undefined, system: System): readonly string[] {
  if (members === undefined) return [packageFolder(folder, system) ?? folder];
  const root = workspaceRoot(folder, system);
  const all = workspaceFolders(root, system, new FewFolders());
  const chosen = members === "all" ? all : all.filter((one) => members.some((member) => isNamed(member, named(one, system), root, folder)));
  // A filter that fits nothing here may be of a kind that is not understood.
  return (chosen.length === 0 ? all : chosen).slice(0, CHOSEN.started_packages);
}

function named(folder: string, system: System): { readonly folder: string; readonly name: unknown } {
  const name = /"name"\s{0,16}:\s{0,16}"([^"\\]{1,214})"/.exec(textAt(`${folder}/package.json`, system) ?? "")?.[1];
  return { folder, name };
}

/** Looking for packages ends after as many entries as one folder that is sent. */
class FewFolders implements Bounds {
  #left: number = CHOSEN.folder_entries;

  spend(): void {}

  entry(): void {
    this.#left--;
  }

  get spent(): boolean {
    return this.#left < 0;
  }
}

function scriptsIn(start: Start, folder: string, names: readonly string[], given: readonly Argument[], system: System): readonly Started[] {
  const path = `${folder}/package.json`;
  const content = textAt(path, system);
  if (content === undefined) return [];
  const settings = start.name === "bun" ? undefined : textAt(`${folder}/.npmrc`, system);
  return names.flatMap((name) => {
    const script = packageScript(content, name, given.map(spelled).join(" "));
    const own = shellStart({ cwd: folder }, path, script === "" ? "" : variables(start, script) + script);
    return script === "" || settings === undefined ? [own] : [own, ...npmSettings(folder, script, settings)];
  });
}

/** Runners of scripts by their names: `run-s a b:*`, `turbo run a`, `node --run a`, `deno task a`. Undefined for other programs. */
export function taskStarts(start: Start, system: System): readonly Started[] | undefined {
  const words = start.args.map(({ text }) => text);
  const operands = words.filter((word) => !word.startsWith("-"));
  switch (start.name) {
    case "run-s":
    case "run-p":
    case "npm-run-all":
    case "npm-run-all2": {
      const folder = packageFolder(start.cwd, system) ?? start.cwd;
      const known = scriptNames(textAt(`${folder}/package.json`, system) ?? "");
      const names = operands.flatMap((operand) => known.filter((name) => fits(operand.split(" ", 1)[0] ?? "", name)));
      return scriptsIn(start, folder, names, [], system);
    }
    case "nr":
      return scriptsIn(start, packageFolder(start.cwd, system) ?? start.cwd, operands.slice(0, 1), start.args.slice(1), system);
    case "turbo":
    case "lerna":
    case "nx":
      return inAll(start, operands, system);
    case "node": {
      const at = words.findIndex((word) => /^--run(?:=|$)/.test(word));
      if (at < 0) return undefined;
      const name = words[at]?.slice("--run=".length) || words[at + 1] || "";
      const dashes = words.indexOf("--");
      return scriptsIn(
        start,
        packageFolder(start.cwd, system) ?? start.cwd,
        [name],
        dashes < 0 ? [] : start.args.slice(dashes + 1),
        system,
      );
    }
    case "deno": {
      if (operands[0] !== "task" || operands[1] === undefined) return undefined;
      const config = firstOf(start.cwd, ["deno.json", "deno.jsonc"], system);
      const task = config === undefined ? "" : denoTask(config.content, operands[1]);
      if (config === undefined || task === "")
        return scriptsIn(start, packageFolder(start.cwd, system) ?? start.cwd, [operands[1]], start.args.slice(2), system);
      return [shellStart(start, config.path, variables(start, task) + task)];
    }
    default:
      return undefined;
  }
}

/** `build:*` stands for one more part of a name, `build:**` for all. */
function fits(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const [front = "", ...rest] = pattern.split("*");
  return name.startsWith(front) && name.endsWith(rest[rest.length - 1] ?? "");
}

/** A task that every package of a workspace may have. */
function inAll(start: Start, operands: readonly string[], system: System): readonly Started[] {
  const named = operands[0] === "run" || operands[0] === "run-many" || operands[0] === "affected" ? operands.slice(1) : operands;
  const targets = start.args.flatMap(({ text }) => /^--targets?=(.{1,200})$/.exec(text)?.[1]?.split(",") ?? []);
  // `nx run package:task`
  const names = [...named.map((word) => word.split(":")[start.name === "nx" && word.includes(":") ? 1 : 0] ?? ""), ...targets];
  const root = workspaceRoot(start.cwd, system);
  const folders = [root, ...workspaceFolders(root, system, new FewFolders())].slice(0, CHOSEN.started_packages);
  return folders.flatMap((folder) => scriptsIn(start, folder, names, [], system));
}
