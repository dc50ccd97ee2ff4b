/** The scripts that one program starts, by the kind of program. Loaded at first use: most calls start nothing of the kind. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Effect } from "../effect.ts";
import { makeRecipes } from "../makefile.ts";
import { justRecipes, scheduledCommands, taskOf } from "../recipes.ts";
import { readOptions } from "../shell/options.ts";
import { TOP_LEVEL_TEXT } from "../source.ts";
import { containedScript } from "./containers.ts";
import { fileStart, firstOf, inFolder } from "./file.ts";
import { bunScript, interpreted } from "./operands.ts";
import { packageStarts, taskStarts } from "./packages.ts";
import { runnerStarts } from "./runners.ts";
import { shellStart, spelled, type Start, type Started, textAt } from "./start.ts";

export { asLeft } from "../packing/as-left.ts";
export { hooksOf } from "./hooks.ts";

export { calledFunctions } from "./functions.ts";
export { cargoSettings, npmSettings } from "./settings.ts";

type Run = Extract<Effect, { kind: "run" }>;

/** A start in or below the top folder of the repository, as Git tells it: the same with that folder's path. */
export function atTop(run: Run, rootOf: (folder: string) => string | undefined): Run {
  const from = run.cwd ?? run.top?.cwd;
  const root = from === undefined ? undefined : rootOf(from);
  if (root === undefined) return run;
  const settled = (text: string): string => (text.startsWith(TOP_LEVEL_TEXT) ? root + text.slice(TOP_LEVEL_TEXT.length) : text);
  const known = (text: string): boolean => text.startsWith(TOP_LEVEL_TEXT) && !/[$`*?[]/.test(text.slice(TOP_LEVEL_TEXT.length));
  const cwd = run.cwd ?? (run.top === undefined || run.top.sub === "" ? root : `${root}/${run.top.sub}`);
  return {
    ...run,
    cwd,
    args: run.args.map((arg) => (known(arg.text) ? { text: settled(arg.text), exact: true, sources: [] } : arg)),
    ...(run.path === undefined ? {} : { path: settled(run.path) }),
  };
}

/** The scripts a program starts. */
export function ofRun(start: Start, system: System): readonly Started[] {
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
      if (file === undefined) return runnerStarts(start, system) ?? [];
      return (names.length === 0 ? ["default"] : names).map((name) => shellStart(start, file.path, taskOf(file.content, name)));
    }
    case "crontab": {
      const file = start.args.find(({ text, exact }) => exact && !text.startsWith("-"));
      const table = file && firstOf(start.cwd, [file.text], system);
      return table === undefined ? [] : [shellStart(start, table.path, scheduledCommands(table.content))];
    }
    case "docker":
    case "podman":
    case "nerdctl":
      return containedScript(start, system);
    case "go":
      return goPrograms(start, system);
    default:
      return taskStarts(start, system) ?? runnerStarts(start, system) ?? interpreted(start, system) ?? [];
  }
}

/** `go run x.go y.go`, `go run ./cmd/x`: the files themselves, or those of the folder; read as what is written like them. */
function goPrograms(start: Start, system: System): readonly Started[] {
  const words = start.args.slice(1).filter(({ text, exact }) => exact && !text.startsWith("-"));
  const first = inFolder(start.cwd, words[0]?.text ?? ".");
  const files = first.endsWith(".go")
    ? words.filter(({ text }) => text.endsWith(".go")).map(({ text }) => inFolder(start.cwd, text))
    : system
        .list(first)
        .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
        .map((name) => `${first}/${name}`);
  return files.slice(0, CHOSEN.started_files).flatMap((path) => fileStart(start, path, [], "node", system) ?? []);
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
