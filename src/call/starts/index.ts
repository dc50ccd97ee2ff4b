/**
 * What the programs of a call would run that stands in files: scripts by their path or as an interpreter's operand, package
 * scripts, recipes of Makefile, justfile and Taskfile, tasks of other runners, Git hooks.
 *
 * Trust: all of it is repository content, read as text and never run; reads are bounded by the disk the caller hands in.
 */
import type { System } from "../../system.ts";
import type { Argument, Effect } from "../effect.ts";
import { packageScript } from "../recipes.ts";
import { TOP_LEVEL_TEXT } from "../source.ts";
import { packageFolder, shellStart, type Start, type Started, textAt, variables } from "./start.ts";

export type { Started } from "./start.ts";

/** The rest of this room, loaded at first use: everyday calls do without. */
function room(): typeof import("./kinds.ts") {
  return require("./kinds.ts");
}

/** The scripts that these effects start. `rootOf`: the working tree a folder is in. */
export function startedBy(effects: readonly Effect[], rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  const found = effects.flatMap((effect) => startedByOne(effect, rootOf, system));
  if (effects.some(takesIn)) found.push(...room().calledFunctions(effects, system));
  // A script that earlier commands of the same line copy or write; whether those run is not known.
  if (!effects.some(changesFiles) || !effects.some(mayStart)) return found;
  const left = room().asLeft(effects, system);
  return left === undefined ? found : [...found, ...effects.flatMap((effect) => startedByOne(effect, rootOf, left))];
}

/** Whether a file is read into the shell itself, whose functions the commands behind it may call. */
function takesIn(effect: Effect): boolean {
  return effect.kind === "run" && (effect.name === "." || effect.name === "source");
}

function changesFiles({ kind }: Effect): boolean {
  return kind === "copy" || kind === "write";
}

function mayStart(effect: Effect): boolean {
  return (
    effect.kind === "run" && (effect.path !== undefined || starts(effect.name) || (effect.name === "go" && effect.args[0]?.text === "run"))
  );
}

/** Whether the effect may start anything that stands in a file. */
export function mayStartScript(effect: Effect): boolean {
  return mayStart(effect) || hasHooks(effect);
}

function hasHooks(effect: Effect): boolean {
  return effect.kind === "git" && HOOKED.includes(` ${effect.invocation.subcommand} `);
}

function startedByOne(effect: Effect, rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  if (effect.kind === "run") {
    if (!mayStart(effect)) return NONE;
    const start =
      effect.top || effect.args.some(isAtTop) || effect.path?.startsWith(TOP_LEVEL_TEXT) ? room().atTop(effect, rootOf) : effect;
    if (!isPlaced(start)) return NONE;
    if (start.name === "cargo") return builtWith(start, system);
    return everydayScript(start, system) ?? room().ofRun(start, system);
  }
  if (effect.kind !== "git" || !hasHooks(effect)) return NONE;
  const { cwd } = effect.invocation;
  return cwd === undefined ? NONE : room().hooksOf(effect.invocation, () => rootOf(cwd), system);
}

/** Whether a word begins with the top folder of the repository, which Git tells. */
function isAtTop({ text, exact }: Argument): boolean {
  return !exact && text.startsWith(TOP_LEVEL_TEXT);
}

function isPlaced(effect: Extract<Effect, { kind: "run" }>): effect is Start {
  return effect.cwd !== undefined;
}

const NONE: readonly Started[] = [];

/** Git's commands that hooks belong to. */
const HOOKED = " am commit cherry-pick revert merge pull rebase push checkout switch ";

/** `npm test`, `pnpm run build`: a script of the package this folder is in. Undefined for every other start. */
function everydayScript(start: Start, system: System): readonly Started[] | undefined {
  const { name, args, cwd } = start;
  const [verb, script] = args;
  if (start.path !== undefined || args.length > 2 || !" npm pnpm yarn bun ".includes(` ${name} `)) return undefined;
  const named = script === undefined && verb?.text === "test" && name !== "bun" ? verb : verb?.text === "run" ? script : undefined;
  if (named === undefined || named.text.startsWith("-")) return undefined;
  const folder = packageFolder(cwd, system);
  // Yarn, pnpm and Bun start a program where no script has the name.
  if (folder === undefined) return name === "npm" ? NONE : undefined;
  const path = `${folder}/package.json`;
  const command = packageScript(textAt(path, system) ?? "", named.text);
  if (command === "") return undefined;
  const own = shellStart({ cwd: folder }, path, variables(start, command) + command);
  const settings = name === "bun" ? undefined : textAt(`${folder}/.npmrc`, system);
  return settings !== undefined && SETTING.test(settings) ? [own, ...room().npmSettings(folder, command, settings)] : [own];
}

/** Settings of npm that name what it starts. */
const SETTING = /script-?shell|node-options/i;

/** Cargo's settings are looked for in each folder up to the root, and most have none. */
function builtWith({ cwd }: Start, system: System): readonly Started[] {
  for (let folder = cwd; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/"))))
    if ((textAt(`${folder}/.cargo/config.toml`, system) ?? textAt(`${folder}/.cargo/config`, system)) !== undefined)
      return room().cargoSettings(cwd, system);
  return NONE;
}

/** Programs that may start a script; one text, which costs a start less than a switch of its words. */
const STARTING =
  " sh bash zsh dash ksh mksh ash fish rbash yash source . node nodejs node-dev tsx ts-node ts-node-dev tsnd vite-node " +
  "esno esrun jiti babel-node electron deno nodemon pm2 forever ruby jruby perl php lua luajit crontab pytest py.test kernprof viztracer " +
  "coverage docker podman nerdctl cargo npm cnpm pnpm yarn bun make gmake just task go-task run-s run-p npm-run-all npm-run-all2 nr turbo lerna nx " +
  "composer foreman honcho overmind hivemind goreman mise rtx poe pdm rye hatch pixi pipenv lefthook pre-commit prek tox rake invoke inv fab nox zx ";

function starts(name: string): boolean {
  return STARTING.includes(` ${name} `) || name.startsWith("py") || name.startsWith("ipython");
}
