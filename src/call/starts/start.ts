/** A program that starts, the script it would run, and what the call hands to it: arguments and variables. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument, Effect, Source } from "../effect.ts";
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

/** Lines that set what the call hands to a script: in variables, of those that it names, and on its standard input. */
export function variables({ environment, stdin = [] }: Pick<Start, "environment" | "stdin">, text: string): string {
  const input = stdin.flatMap((source) => {
    const content = piece(source);
    return content === undefined ? [] : [source.from === "file" && !source.plain ? `${content.slice(0, -1)} | base64)` : content];
  });
  let lines = input.length === 0 ? "" : `exec <<< "${input.join("")}"\n`;
  if (environment === undefined) return lines;
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

/** This folder, or the nearest above it with a package.json; undefined when there is none. */
export function packageFolder(folder: string, system: System): string | undefined {
  for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/"))))
    if (textAt(`${at}/package.json`, system) !== undefined) return at;
  return undefined;
}
