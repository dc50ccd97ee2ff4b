/** A program that starts, the script it would run, and what the call hands to it: arguments and variables. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument, Effect, Source } from "../effect.ts";
import { withProgram } from "../here.ts";
import { quoted } from "../shell/quoting.ts";

/** A script and how it is started. */
export interface Started {
  /** The file it stands in, absolute. */
  readonly path: string;
  /** What a shell would be given for it. */
  readonly command: string;
  readonly cwd: string;
  /** A program in another language: read by its strings and calls only. */
  readonly program: boolean;
  /** The file as a whole is the script; only its arguments may differ from start to start. */
  readonly whole?: true;
  /** Run by a test runner, which sets the variables itself and answers for the servers. */
  readonly test?: true;
}

/** A program that starts in a folder that is known. */
export type Start = Extract<Effect, { kind: "run" }> & { readonly cwd: string };

/** A text for a shell as a script. */
export function shellStart({ cwd }: Pick<Start, "cwd">, path: string, command: string): Started {
  return { path, command, cwd, program: false };
}

/** A file as what starts it would read it. `language`: the interpreter it is given to; otherwise its first line or its name tells. */
export function fileStart(
  start: Pick<Start, "cwd" | "environment">,
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
};

/** What runs a file that is started by its path: what its first line names, otherwise what its ending says, otherwise a shell. */
function interpreterOf(path: string, text: string): string | undefined {
  if (text.startsWith("#!")) {
    const first = text.slice(0, 200).split("\n", 1)[0] ?? "";
    return /\b(sh|bash|zsh|dash|ksh|fish|python|node|tsx|ruby|perl|php|deno|bun)[\d.]{0,6}\b/.exec(first)?.[1];
  }
  return languageOf(path) ?? "sh";
}

/** The language of a program by the ending of its name. */
export function languageOf(path: string): string | undefined {
  return ENDINGS[path.slice(path.lastIndexOf(".") + 1)];
}

/** A script knows its own place: `cd "$(dirname "$0")"`. */
function withOwnName(text: string, path: string): string {
  return /^[\w./@+-]{1,1024}$/.test(path)
    ? text.replace(/\$(?:0\b|\{0\}|\{BASH_SOURCE(?:\[0\])?\}|BASH_SOURCE\b(?!\[))/g, () => path)
    : text;
}

/** Lines that set what the call hands to a script in variables, of those that it names. */
export function variables({ environment }: Pick<Start, "environment">, text: string): string {
  if (environment === undefined) return "";
  let lines = "";
  for (const [name, value] of [...environment].slice(0, CHOSEN.started_variables))
    if (text.includes(name) && /^\w{1,256}$/.test(name)) lines += `export ${name}=${spelled(value)}\n`;
  return lines;
}

/** A word for a shell: as it stands, or by where it comes from when only the shell knows it. */
export function spelled({ text, exact, sources }: Argument): string {
  const pieces = exact ? [] : sources.map(piece);
  return pieces.length === 0 || pieces.includes(undefined) ? quoted(text) : `"${pieces.join("")}"`;
}

function piece(source: Source): string | undefined {
  if (source.from === "environment") return source.name === undefined ? "$(env)" : `$${source.name}`;
  return source.from === "file" && source.file.path !== undefined ? `$(cat ${quoted(source.file.path)})` : undefined;
}

/** The text of a script; undefined for a binary or one that is too long to be one. */
export function textAt(path: string, system: System): string | undefined {
  const file = system.read(path, CHOSEN.script_chars);
  if (file === undefined || file.cut || file.bytes.includes(0)) return undefined;
  return new TextDecoder().decode(file.bytes);
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
