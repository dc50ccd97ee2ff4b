/**
 * What the programs of a call would run that stands in files: scripts by their path or as an interpreter's operand, package
 * scripts, recipes of Makefile, justfile and Taskfile, Git hooks.
 *
 * Trust: all of it is repository content, read as text and never run; reads are bounded by the disk the caller hands in.
 */
import type { System } from "../../system.ts";
import type { Effect } from "../effect.ts";
import { makeRecipes } from "../makefile.ts";
import { asLeft } from "../packing/as-left.ts";
import { justRecipes, taskOf } from "../recipes.ts";
import { readOptions } from "../shell/options.ts";
import { hooksOf } from "./hooks.ts";
import { bunScript, interpreted } from "./operands.ts";
import { packageStarts, taskStarts } from "./packages.ts";
import { fileStart, firstOf, inFolder, shellStart, spelled, type Start, type Started, textAt } from "./start.ts";

export type { Started } from "./start.ts";

/** The scripts that these effects start. `rootOf`: the working tree a folder is in. */
export function startedBy(effects: readonly Effect[], rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  const found = effects.flatMap((effect) => startedByOne(effect, rootOf, system));
  // A script that earlier commands of the same line copy or write; whether those run is not known.
  const left = effects.some(({ kind }) => kind === "run") && effects.some(changesFiles) ? asLeft(effects, system) : undefined;
  return left === undefined ? found : [...found, ...effects.flatMap((effect) => startedByOne(effect, rootOf, left))];
}

function changesFiles({ kind }: Effect): boolean {
  return kind === "copy" || kind === "write";
}

function startedByOne(effect: Effect, rootOf: (folder: string) => string | undefined, system: System): readonly Started[] {
  if (effect.kind === "run" && effect.cwd !== undefined) return ofRun(effect as Start, system);
  if (effect.kind !== "git") return [];
  const { cwd } = effect.invocation;
  return cwd === undefined ? [] : hooksOf(effect.invocation, () => rootOf(cwd), system);
}

function ofRun(start: Start, system: System): readonly Started[] {
  if (start.path !== undefined) {
    const script = fileStart(start, start.path, start.args, undefined, system);
    if (script !== undefined) return [script];
  }
  switch (start.name) {
    case "npm":
    case "cnpm":
    case "pnpm":
    case "yarn":
    case "bun": {
      // Bun has a test runner of its own.
      if (start.name === "bun" && start.args[0]?.text === "test") return bunScript(start, system);
      const starts = packageStarts(start, system);
      if (!("program" in starts)) return starts;
      const file = start.name === "bun" ? bunScript(start, system) : [];
      return file.length > 0 ? file : ofRun(starts.program, system);
    }
    case "make":
    case "gmake":
      return ofMakefile(start, system);
    case "just": {
      const file = firstOf(start.cwd, ["justfile", "Justfile", ".justfile"], system);
      const words = start.args.map(({ text }) => text).filter((word) => !word.startsWith("-"));
      return file === undefined ? [] : [shellStart(start, file.path, justRecipes(file.content, words))];
    }
    case "task":
    case "go-task": {
      const file = firstOf(start.cwd, ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"], system);
      const names = start.args.map(({ text }) => text).filter((word) => !word.startsWith("-") && !word.includes("="));
      if (file === undefined) return [];
      return (names.length === 0 ? ["default"] : names).map((name) => shellStart(start, file.path, taskOf(file.content, name)));
    }
    default:
      return taskStarts(start, system) ?? interpreted(start, system) ?? [];
  }
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

function ofMakefile(start: Start, system: System): readonly Started[] {
  const options = readOptions(start.args, { short: "CfIoWE", long: "directory file makefile include-dir old-file what-if new-file eval" });
  let cwd = start.cwd;
  for (const folder of options.values("C", "directory")) cwd = inFolder(cwd, folder.text);
  const named = options.value("f", "file", "makefile")?.text;
  const file = firstOf(cwd, named === undefined ? MAKEFILES : [named], system);
  if (file === undefined) return [];
  const given = new Map<string, string>();
  for (const [name, value] of start.environment ?? []) given.set(name, value.exact ? value.text : spelled(value).replaceAll('"', ""));
  const targets: string[] = [];
  for (const { text } of options.operands) {
    const equals = /^(\w{1,200}):{0,3}=/.exec(text);
    if (equals !== null) given.set(equals[1] ?? "", text.slice(equals[0].length));
    // `-j 4`
    else if (!/^\d{1,4}$/.test(text)) targets.push(text);
  }
  const command = makeRecipes(file.content, {
    targets,
    given,
    include: (path) => textAt(inFolder(cwd, path), system),
  });
  return [shellStart({ cwd }, file.path, command)];
}
