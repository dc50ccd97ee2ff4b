/** Programs that a package manager's settings beside the project have it start: `.npmrc`, `.cargo/config.toml`. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import { quoted } from "../shell/quoting.ts";
import { shellStart, type Started, textAt } from "./start.ts";

/** What `.npmrc` of a package has npm and pnpm start around a script of it: the shell, and options of Node. */
export function npmSettings(folder: string, script: string, settings: string): readonly Started[] {
  const lines: string[] = [];
  for (const written of settings.split("\n", CHOSEN.ignore_lines)) {
    const [, name = "", value = ""] = /^\s{0,16}(script-shell|scriptShell|node-options)\s{0,16}=\s{0,16}(\S.{0,1000})$/.exec(written) ?? [];
    const bare = value.trim().replace(/^"(.{0,1000})"$/, "$1");
    if (name === "") continue;
    lines.push(name === "node-options" ? `NODE_OPTIONS=${quoted(bare)} node --version` : `${byPath(bare)} -c ${quoted(script)}`);
  }
  return lines.length === 0 ? [] : [shellStart({ cwd: folder }, `${folder}/.npmrc`, lines.join("\n"))];
}

/** Where Cargo looks for its settings, the nearest folder first: each with what it says. */
function* cargoFiles(cwd: string, system: System): Generator<{ readonly path: string; readonly folder: string; readonly text: string }> {
  for (let folder = cwd; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    for (const name of ["config.toml", "config"]) {
      const path = `${folder}/.cargo/${name}`;
      const text = textAt(path, system);
      if (text === undefined) continue;
      yield { path, folder, text };
      break;
    }
  }
}

/** The programs that Cargo's settings put around the compiler and around what it builds. */
export function cargoSettings(cwd: string, system: System): readonly Started[] {
  const found: Started[] = [];
  for (const { path, folder, text } of cargoFiles(cwd, system)) {
    const { build, target } = parsed(text);
    const targets = Object.values(fields(target)).map(fields);
    const programs = [
      ...["rustc", "rustc-wrapper", "rustc-workspace-wrapper", "rustdoc"].map((name) => fields(build)[name]),
      ...targets.flatMap(({ runner, linker }) => [runner, linker]),
    ];
    const lines = programs.flatMap((program) => {
      const words = Array.isArray(program)
        ? program.filter((word) => typeof word === "string")
        : typeof program === "string"
          ? program.split(" ")
          : [];
      return words.length === 0 ? [] : [[byPath(words[0] ?? ""), ...words.slice(1).map(quoted)].join(" ")];
    });
    if (lines.length > 0) found.push(shellStart({ cwd: folder }, path, lines.join("\n")));
  }
  return found;
}

/** A program as a shell in the settings' own folder would be given it. */
function byPath(program: string): string {
  return quoted(program.includes("/") && !/^(?:\.{0,2}\/|~)/.test(program) ? `./${program}` : program);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return fields(Bun.TOML.parse(text));
  } catch {
    return {}; // Cargo refuses it as well.
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
