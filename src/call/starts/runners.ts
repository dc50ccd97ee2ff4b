/** Task runners of other languages than JavaScript's, and the file in which the commands of their tasks stand. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { upTo } from "../text.ts";
import { fileStart, firstOf } from "./file.ts";
import { shellStart, type Start, type Started, variables } from "./start.ts";

/** How a runner's tasks are found. */
interface Runner {
  /** Files of which the first that is there counts. */
  readonly files: readonly string[];
  /** The language of a file that is a program; otherwise the tasks are read out of it. */
  readonly language?: string;
  /** Words in front of a task's name. */
  readonly verbs?: RegExp;
  /** A verb has to stand there. */
  readonly strict?: true;
  /** Where the tasks stand in a parsed file: names of tables, `*` for each of them. */
  readonly tables?: readonly string[];
  /** Without a name all tasks run. */
  readonly all?: true;
}

const PYPROJECT = ["pyproject.toml"];

/** The runner of this name; undefined for every other program. `index.ts` asks for these names only. */
function runnerOf(name: string): Runner | undefined {
  switch (name) {
    case "composer":
      return { files: ["composer.json"], verbs: /^(?:run|run-script)$/, tables: ["scripts"] };
    case "foreman":
    case "honcho":
    case "overmind":
    case "hivemind":
    case "goreman":
      return { files: ["Procfile", "Procfile.dev"], verbs: /^(?:start|s|run)$/, all: true };
    case "mise":
    case "rtx":
      return { files: ["mise.toml", ".mise.toml", ".config/mise.toml"], verbs: /^(?:run|r|watch)$/, tables: ["tasks"] };
    case "poe":
      return { files: PYPROJECT, tables: ["tool.poe.tasks"] };
    case "pdm":
      return { files: PYPROJECT, verbs: /^run$/, tables: ["tool.pdm.scripts"] };
    case "rye":
      return { files: PYPROJECT, verbs: /^run$/, strict: true, tables: ["tool.rye.scripts"] };
    case "hatch":
      return { files: [...PYPROJECT, "hatch.toml"], verbs: /^run$/, strict: true, tables: ["tool.hatch.envs.*.scripts", "envs.*.scripts"] };
    case "pixi":
      return { files: ["pixi.toml", ...PYPROJECT], verbs: /^run$/, strict: true, tables: ["tasks", "tool.pixi.tasks"] };
    case "task":
      return { files: PYPROJECT, tables: ["tool.taskipy.tasks"] };
    case "pipenv":
      return { files: ["Pipfile"], verbs: /^run$/, strict: true, tables: ["scripts"] };
    case "lefthook":
      return { files: ["lefthook.yml", ".lefthook.yml", "lefthook.yaml"], verbs: /^run$/, strict: true, tables: [""] };
    case "pre-commit":
    case "prek":
      return { files: [".pre-commit-config.yaml"], verbs: /^run$/, strict: true, tables: ["repos"], all: true };
    case "tox":
      return { files: ["tox.ini"], all: true };
    case "rake":
      return { files: ["Rakefile", "rakefile", "Rakefile.rb"], language: "ruby" };
    case "invoke":
    case "inv":
      return { files: ["tasks.py"], language: "python3" };
    case "fab":
      return { files: ["fabfile.py"], language: "python3" };
    case "nox":
      return { files: ["noxfile.py"], language: "python3" };
    default:
      return undefined;
  }
}

/** What a runner starts; undefined when the program is none, or has no such file here. */
export function runnerStarts(start: Start, system: System): readonly Started[] | undefined {
  const runner = runnerOf(start.name);
  const file = runner && firstOf(start.cwd, runner.files, system);
  if (runner === undefined || file === undefined) return undefined;
  if (runner.language !== undefined) {
    const program = fileStart(start, file.path, start.args, runner.language, system);
    return program === undefined ? [] : [program];
  }
  const words = start.args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
  const verb = runner.verbs?.test(words[0] ?? "") === true;
  if (!verb && runner.strict === true) return [];
  const names = verb ? words.slice(1) : words;
  const commands = tasksOf(runner, file, names);
  return commands === "" ? [] : [shellStart(start, file.path, variables(start, commands) + commands)];
}

/** Commands of the tasks that are named, one a line. */
function tasksOf(runner: Runner, { path, content }: { readonly path: string; readonly content: string }, names: readonly string[]): string {
  if (runner.tables === undefined) return path.endsWith(".ini") ? iniCommands(content) : procfileCommands(content, names);
  const document = parsed(path, content);
  const tables = runner.tables.flatMap((table) => at(document, table === "" ? [] : table.split(".")));
  if (runner.all === true) return tables.flatMap((table) => commandsIn(table)).join("\n");
  const wanted = names.slice(0, 1);
  const done = new Set<string>();
  const lines: string[] = [];
  for (let name = wanted.shift(); name !== undefined && done.size < CHOSEN.recipe_targets; name = wanted.shift()) {
    if (done.has(name)) continue;
    done.add(name);
    for (const command of tables.flatMap((table) => commandsIn(member(table, name as string)))) {
      // `@other` in composer.json; tasks that a task names are found by their names.
      const other = command.replace(/^@/, "");
      if (command.startsWith("@php ")) lines.push(command.slice(1));
      else if (tables.some((table) => member(table, other) !== undefined)) wanted.push(other);
      else lines.push(command);
    }
  }
  return lines.join("\n");
}

function parsed(path: string, content: string): unknown {
  try {
    if (path.endsWith(".json")) return JSON.parse(content);
    return /\.ya?ml$/.test(path) ? Bun.YAML.parse(content) : Bun.TOML.parse(content);
  } catch {
    return undefined; // The tool refuses it as well.
  }
}

function at(value: unknown, steps: readonly string[]): readonly unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined ? [] : [value];
  if (step === "*") return typeof value === "object" && value !== null ? Object.values(value).flatMap((one) => at(one, rest)) : [];
  return at(member(value, step), rest);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Fields of a task that hold commands, or what it needs. */
const COMMANDS = /^(?:cmd|shell|run|entry|sequence|composite|depends|depends_on|depends-on|deps|commands|jobs|hooks|group)$/;

/** The commands a task is written with: a text, a list, or a table with one of the usual fields. */
function commandsIn(task: unknown, depth = 0): readonly string[] {
  if (typeof task === "string") return [task];
  if (depth > 6 || typeof task !== "object" || task === null) return [];
  if (Array.isArray(task)) return task.flatMap((one) => commandsIn(one, depth + 1));
  return Object.entries(task).flatMap(([name, value]) => {
    if (COMMANDS.test(name)) return commandsIn(value, depth + 1);
    // Commands of a hook under names of their own.
    return typeof value === "object" ? commandsIn(value, depth + 1) : [];
  });
}

/** `web: node server.js`, of the processes that are named, or of all. */
function procfileCommands(content: string, names: readonly string[]): string {
  return content
    .split("\n")
    .flatMap((line) => {
      const name = upTo(line, ":");
      return name === line || name.startsWith("#") || (names.length > 0 && !names.includes(name))
        ? []
        : [line.slice(name.length + 1).trim()];
    })
    .join("\n");
}

/** `commands =` of every section of a tox.ini, with the lines that belong to it. */
function iniCommands(content: string): string {
  const lines: string[] = [];
  let inside = false;
  for (const line of content.split("\n")) {
    const key = /^(commands(?:_pre|_post)?)\s{0,8}=(.{0,4000})$/.exec(line);
    if (key !== null) {
      inside = true;
      lines.push(key[2] ?? "");
    } else if (/^\S/.test(line)) inside = false;
    else if (inside) lines.push(line);
  }
  return lines
    .map((line) => line.trim().replace(/^-\s{0,8}/, ""))
    .filter((line) => line !== "")
    .join("\n");
}
