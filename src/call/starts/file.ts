/** Scripts that are files as a whole: what runs them, and where they lie. */
import type { System } from "../../system.ts";
import type { Argument } from "../effect.ts";
import { withProgram } from "../here.ts";
import { shellStart, spelled, type Start, type Started, textAt, variables } from "./start.ts";

/** A file as what starts it would read it. `language`: the interpreter it is given to; otherwise its first line or its name tells. */
export function fileStart(
  start: Pick<Start, "cwd" | "environment" | "stdin">,
  path: string,
  args: readonly Argument[],
  language: string | undefined,
  system: System,
): Started | undefined {
  const text = textAt(path, system);
  const interpreter = text === undefined ? undefined : (language ?? interpreterOf(path, text));
  if (text === undefined || interpreter === undefined) return undefined;
  const words = args.map(spelled).join(" ");
  const { cwd } = start;
  if (/sh$/.test(interpreter))
    return { ...shellStart(start, path, `${variables(start, text)}set -- ${words}\n${withOwnName(text, path)}`), whole: true };
  const command = interpreter === "php" ? "php" : `${interpreter.replace(/^(?:nodejs|tsx|ts-node|deno|bun)$/, "node")} - ${words}`;
  return { path, command: withProgram(command, text), cwd, program: true, whole: true };
}

/** Languages by the ending of a file's name. */
const ENDINGS: Readonly<Record<string, string>> = {
  py: "python3",
  js: "node",
  mjs: "node",
  cjs: "node",
  ts: "node",
  mts: "node",
  cts: "node",
  rb: "ruby",
  pl: "perl",
  php: "php",
  lua: "lua",
};

/** What runs a file that is started by its path: what its first line names, otherwise what its ending says, otherwise a shell. */
function interpreterOf(path: string, text: string): string | undefined {
  if (text.startsWith("#!")) {
    const first = text.slice(0, 200).split("\n", 1)[0] ?? "";
    return /\b(sh|bash|zsh|dash|ksh|fish|python|node|tsx|ruby|perl|php|lua|deno|bun)[\d.]{0,6}\b/.exec(first)?.[1];
  }
  return languageOf(path) ?? "sh";
}

/** The language of a program by the ending of its name. */
export function languageOf(path: string): string | undefined {
  return ENDINGS[path.slice(path.lastIndexOf(".") + 1)];
}

/** A script knows its own place: `cd "$(dirname "$0")"`, `. "${0%/*}/lib.sh"`. */
function withOwnName(text: string, path: string): string {
  if (!/^[\w./@+-]{1,1024}$/.test(path)) return text;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".";
  return text
    .replace(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, () => folder)
    .replace(/\$(?:0\b|\{0\}|\{BASH_SOURCE(?:\[0\])?(?::-\$0)?\}|BASH_SOURCE\b(?!\[))/g, () => path);
}

/** The first of these files that is there. */
export function firstOf(
  folder: string,
  names: readonly string[],
  system: System,
): { readonly path: string; readonly content: string } | undefined {
  for (const name of names) {
    const path = inFolder(folder, name);
    const content = textAt(path, system);
    if (content !== undefined) return { path, content };
  }
  return undefined;
}

/** A path as a tool takes it that runs in a folder. */
export function inFolder(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}
