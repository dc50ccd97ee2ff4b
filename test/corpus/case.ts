/** The corpus as data: what a case is, and reading the files. The format is described in README.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One layer of a setup. */
export interface Layer {
  readonly home?: Readonly<Record<string, string | null>>;
  readonly files?: Readonly<Record<string, string | null>>;
  readonly git?: readonly string[];
  readonly late?: Readonly<Record<string, string | null>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly then?: readonly string[];
  readonly mode?: string | null;
  readonly local?: unknown;
  readonly repo?: string;
}

export interface Step {
  readonly bash?: string;
  readonly read?: string;
  readonly write?: string;
  readonly content?: string;
  readonly edit?: string;
  readonly old?: string;
  readonly new?: string;
  readonly fetch?: string;
  readonly search?: string;
  readonly grep?: string;
  readonly path?: string;
  readonly mode?: string;
  readonly mcp?: string;
  readonly input?: unknown;
  readonly prompt?: string;
  readonly batch?: readonly Step[];
  readonly event?: Readonly<Record<string, unknown>>;
  readonly stdin?: string;
  readonly out?: string;
  readonly err?: string;
  readonly fails?: string;
  readonly session?: string;
  readonly expect?: string;
  readonly after?: string;
  readonly unseen?: string;
  readonly proof?: string;
  readonly kind?: string;
  readonly rule?: string;
  readonly says?: readonly string[];
  readonly keeps?: readonly string[];
  readonly audit?: string;
}

export interface Case {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly setup: string | ({ readonly on: string } & Layer);
  readonly steps: readonly Step[];
  readonly twin?: string;
}

const KINDS = new Set(["silent", "note", "ask", "block", "redact", "withhold", "turn ended", "refused"]);

/** What `expect` or `after` accepts; an unknown word is a mistake in the corpus. */
export function kindsOf(expected: string | undefined): readonly string[] {
  const kinds = (expected ?? "silent").split("|");
  for (const kind of kinds) if (!KINDS.has(kind)) throw new Error(`unknown expectation ${kind}`);
  return kinds;
}

function lines<T>(file: string): readonly T[] {
  return readFileSync(join(import.meta.dir, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** A setup that cases share; `on` names the one it is built upon. */
export type Setup = Layer & { readonly id: string; readonly on?: string };

/** The shared setups by name. */
export function loadSetups(): ReadonlyMap<string, Setup> {
  return new Map(lines<Setup>("setups.jsonl").map((setup) => [setup.id, setup]));
}

/** Every case by file; ids are unique over all files. */
export function loadCases(): ReadonlyMap<string, readonly Case[]> {
  const files = readdirSync(import.meta.dir).filter((name) => name.endsWith(".jsonl") && name !== "setups.jsonl");
  return new Map(files.sort().map((name) => [name, lines<Case>(name)]));
}
