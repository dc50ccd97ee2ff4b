/** Small files of a project, read once and bounded. What cannot be read says nothing. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The text of a file, undefined when there is none. */
export function textOf(path: string, system: System): string | undefined {
  const file = system.read(path, CHOSEN.project_file_bytes);
  return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
}

/** A JSON object, comments allowed; empty for anything else. */
export function jsonOf(path: string, system: System): Fields {
  return parsed(textOf(path, system), (text) => Bun.JSONC.parse(text));
}

/** A TOML table; empty for anything else. */
export function tomlOf(path: string, system: System): Fields {
  return parsed(textOf(path, system), (text) => Bun.TOML.parse(text));
}

function parsed(text: string | undefined, parse: (text: string) => unknown): Fields {
  if (text === undefined) return {};
  try {
    return fieldsOf(parse(text));
  } catch {
    return {}; // The tool refuses such a manifest as well.
  }
}

/** The fields of an object, none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The texts of a list; a single text is a list of one. Undefined where neither stands. */
export function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

/** The values of `key = value` lines (`.npmrc`). */
export function valuesOf(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of (text ?? "").split(/\r?\n/)) {
    const equals = line.indexOf("=");
    if (equals > 0 && !/^\s{0,64}[#;]/.test(line)) found.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim());
  }
  return found;
}

/** A path below a folder without `.`, `..` and empty components. */
export function joined(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
