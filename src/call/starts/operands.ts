/** Interpreters and the script that stands among their words. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument } from "../effect.ts";
import { familyOf, type Switches, switchesOf, switchWord } from "../switches.ts";
import { globMatches } from "../shell/pattern.ts";
import { upTo } from "../text.ts";
import { fileStart, inFolder, languageOf } from "./file.ts";
import { runnerStarts } from "./runners.ts";
import { type Start, type Started, textAt } from "./start.ts";

/** How an interpreter finds its script. */
interface Interpreter {
  readonly language: string;
  /** How its short options are read, where they stand together. */
  readonly switches?: Switches | undefined;
  /** Other options whose value is the next word. */
  readonly values: RegExp;
  /** Other options with which no file is run: what stands in the command itself is read there. */
  readonly inline: RegExp;
  /** Options that name a script which runs before the other one. */
  readonly loads?: RegExp;
  /** Words in front of the script. */
  readonly verbs?: RegExp;
  /** Any file among the words is a script, as for a test runner. */
  readonly all?: true;
  /** The ending of the file's name decides about the language. */
  readonly ending?: true;
}

const NEVER = /^$/;

const SHELL: Interpreter = { language: "bash", values: /^[-+]\w{0,16}[oO]$|^--(?:rcfile|init-file)$/, inline: /^-[a-zA-Z]{0,16}[cns]/ };
const SOURCED: Interpreter = { language: "bash", values: NEVER, inline: NEVER };
const PYTHON: Interpreter = {
  language: "python3",
  switches: switchesOf("python3"),
  values: /^--check-hash-based-pycs$/,
  inline: NEVER,
};
const NODE: Interpreter = {
  language: "node",
  values:
    /^-[rCPO]$|^--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|title|watch-path|preload|config|import-map|project|tsconfig|cert|location)$/,
  inline: /^-(?:e|p|pe|c)$|^--(?:eval|print|run|check)\b/,
  loads: /^-r$|^--(?:require|import|loader|experimental-loader|preload)(?==|$)/,
  verbs: /^(?:watch|run|serve)$/,
};
const RUBY: Interpreter = { language: "ruby", switches: switchesOf("ruby"), values: NEVER, inline: NEVER, loads: /^-r/ };
const PERL: Interpreter = { language: "perl", switches: switchesOf("perl"), values: NEVER, inline: NEVER };
const PHP: Interpreter = { language: "php", switches: switchesOf("php"), values: NEVER, inline: /^-S|^--(?:run|process-code)\b/ };
const LUA: Interpreter = { language: "lua", switches: switchesOf("lua"), values: NEVER, inline: NEVER };
const TESTS: Interpreter = { language: "python3", values: /^-[kmpcno]$/, inline: NEVER, all: true };
const RUNNER: Interpreter = {
  language: "node",
  values: /^-[rwexin]$|^--(?:require|watch|ext|exec|ignore|delay|name|interpreter)$/,
  inline: NEVER,
  verbs: /^(?:start|restart)$/,
  ending: true,
};

/** Modules of Python that run the script behind them. */
const PYTHON_RUNNERS = /^(?:pdb|ipdb|cProfile|profile|trace|coverage|debugpy|pytest|runpy|memory_profiler|line_profiler|viztracer)$/;

/** How the program of this name finds its script; undefined for every other program. `index.ts` asks for these names only. */
function interpreterOf(name: string): Interpreter | undefined {
  switch (familyOf(name)) {
    case "shell":
      return SHELL;
    case "python":
      return PYTHON;
    case "node":
    case "node runner":
      return NODE;
    case "ruby":
      return RUBY;
    case "perl":
      return PERL;
    case "php":
      return PHP;
    case "lua":
      return LUA;
    default:
      return runnerOf(name);
  }
}

/** Programs that run scripts of another interpreter. */
function runnerOf(name: string): Interpreter | undefined {
  switch (name) {
    case "source":
    case ".":
      return SOURCED;
    case "nodemon":
    case "pm2":
    case "forever":
      return RUNNER;
    case "pytest":
    case "py.test":
      return TESTS;
    case "kernprof":
    case "viztracer":
    case "coverage":
      return {
        ...PYTHON,
        switches: { code: "", values: "oWm", last: "m" },
        values: /^--(?:source|omit|include|rcfile|concurrency|data-file|context)$/,
        verbs: /^run$/,
      };
    default:
      return undefined;
  }
}

/** What the script of an interpreter of this name is written in; undefined for every other program. */
export function languageRunBy(name: string): string | undefined {
  return interpreterOf(name)?.language;
}

/** The scripts an interpreter is given; undefined when the program is none. */
export function interpreted(start: Start, system: System): readonly Started[] | undefined {
  const interpreter = interpreterOf(start.name);
  return interpreter && scriptsAmong(start, start.args, interpreter, system);
}

/** The script that Bun is given by its file: `bun s.ts`, `bun run s.ts`, `bun test s.test.ts`. */
export function bunScript(start: Start, system: System): readonly Started[] {
  const tests = start.args.some(({ text }) => text === "test");
  return scriptsAmong(start, start.args, { ...NODE, verbs: /^(?:run|test)$/, ending: true, ...(tests ? { all: true } : {}) }, system);
}

function scriptsAmong(start: Start, args: readonly Argument[], interpreter: Interpreter, system: System): readonly Started[] {
  const { inline, switches, values, verbs, language } = interpreter;
  const found: Started[] = [];
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at] as Argument;
    const rest = args.slice(at + 1);
    if (inline.test(text)) break;
    if (interpreter.loads?.test(text) === true) found.push(...loaded(start, text, rest[0], language, system));
    const word = switches && switchWord(switches, text);
    if (word?.letter !== undefined) {
      if (switches?.code.includes(word.letter) === true) break;
      if (switches?.last?.includes(word.letter) === true) return moduleStart(start, text.slice(word.from ?? text.length), rest, system);
      if (word.from === undefined) at++;
    } else if (values.test(text)) at++;
    else if ((text.startsWith("-") && text !== "-") || verbs?.test(text) === true) continue;
    else {
      const operand = args[at] as Argument;
      for (const path of pathsOf(operand, language, start.cwd, system)) {
        const known = interpreter.ending === true || interpreter.all === true ? languageOf(path) : language;
        const script = known === undefined ? undefined : fileStart(start, path, interpreter.all === true ? [] : rest, known, system);
        if (script === undefined) continue;
        found.push(interpreter.all === true ? { ...script, test: true } : script);
        if (operand.exact) break;
      }
      if (interpreter.all === undefined || found.length >= CHOSEN.started_files) break;
    }
  }
  return found;
}

/** A script that an option names, which is one of this folder where it is written as a path. */
function loaded(start: Start, option: string, next: Argument | undefined, language: string, system: System): readonly Started[] {
  const [head] = /^(?:--[\w-]{1,40}=|-r(?=.))/.exec(option) ?? [];
  const name = (head === undefined ? (next?.exact === true ? next.text : "") : option.slice(head.length)).replace(/^file:(?:\/\/)?/, "");
  if (!/^(?:\.{0,2}\/|~\/)/.test(name)) return [];
  const paths = pathsOf({ text: name, exact: true, sources: [] }, language, start.cwd, system);
  for (const path of language === "ruby" ? [...paths, ...paths.map((one) => `${one}.rb`)] : paths) {
    const script = fileStart(start, path, [], language, system);
    if (script !== undefined) return [script];
  }
  return [];
}

/** `python -m package.module`, below the folder it runs in or those it is told to look in. */
function moduleStart(start: Start, glued: string, rest: readonly Argument[], system: System): readonly Started[] {
  const [first, ...behind] = rest;
  const name = glued === "" ? (first?.text ?? "") : glued;
  const args = glued === "" ? behind : rest;
  if (PYTHON_RUNNERS.test(name))
    return interpreted({ ...start, name: /^(?:pytest|coverage)$/.test(name) ? name : "python3", args }, system) ?? [];
  const runner = runnerStarts({ ...start, name: name.replace("_", "-").replace("poethepoet", "poe"), args }, system);
  if (runner !== undefined) return runner;
  if (!/^\w{1,100}(?:\.\w{1,100}){0,10}$/.test(name)) return [];
  const path = start.environment?.get("PYTHONPATH");
  const folders = path?.exact === true ? path.text.split(":").map((one) => inFolder(start.cwd, one)) : [];
  for (const folder of [start.cwd, ...folders]) {
    const module = `${folder}/${name.replaceAll(".", "/")}`;
    const script =
      fileStart(start, `${module}.py`, args, "python3", system) ?? fileStart(start, `${module}/__main__.py`, args, "python3", system);
    if (script !== undefined) return [script];
  }
  return [];
}

/** The files a word may stand for, likeliest first: one that is written out, or those a pattern fits. */
function pathsOf({ text, exact }: Argument, language: string, cwd: string, system: System): readonly string[] {
  if (text === "-") return [];
  // `pytest test_a.py::test_b`
  const path = upTo(text.startsWith("~/") ? `${system.home}/${text.slice(2)}` : inFolder(cwd, text), "::");
  if (exact && language === "node") return [path, `${path}.js`, `${path}.ts`, ...mainOf(path, system), `${path}/index.js`];
  if (exact) return language === "python3" ? [path, `${path}/__main__.py`] : [path];
  const cut = path.lastIndexOf("/");
  const folder = path.slice(0, cut);
  const pattern = path.slice(cut + 1);
  if (!/[*?]/.test(pattern) || /[*?$`{[]/.test(folder) || /[$`{[]/.test(pattern)) return [];
  return system
    .list(folder)
    .filter((name) => globMatches(pattern, name))
    .slice(0, CHOSEN.started_files)
    .map((name) => `${folder}/${name}`);
}

/** The file that stands for a folder: what its package.json names. */
function mainOf(folder: string, system: System): readonly string[] {
  const main = /"main"\s{0,16}:\s{0,16}"([^"\\]{1,1024})"/.exec(textAt(`${folder}/package.json`, system) ?? "")?.[1];
  if (main === undefined) return [];
  const path = `${folder}/${main.replace(/^\.\//, "")}`;
  return [path, `${path}.js`, `${path}/index.js`];
}
