/**
 * The patch format Codex edits files with (`*** Begin Patch`), read for what it would do.
 * Trust: hostile text; lines that fit nowhere are passed over, as the tool itself is lenient about them.
 */
import type { Effect, PatchedFile, PathRef } from "./effect.ts";
import { textSource } from "./source.ts";

/** Files a patch changes, in its order; none for a text that is no patch. */
export function readPatch(text: string): readonly PatchedFile[] {
  const files: Reading[] = [];
  let file: Reading | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const header = HEADER.exec(line);
    if (header !== null) {
      file = { how: HOW[header[1] as keyof typeof HOW], path: (header[2] ?? "").trim(), added: [], hunks: [] };
      files.push(file);
    } else if (file !== undefined && /^\s*\*\*\* Move to:/.test(line)) file.to = line.slice(line.indexOf(":") + 1).trim();
    else if (file !== undefined && /^\s*\*\*\* End Patch/.test(line)) file = undefined;
    else if (file !== undefined && !line.startsWith("***")) take(file, line);
  }
  return files.filter(({ path }) => path !== "").map(finished);
}

const HEADER = /^\s{0,8}\*\*\* (Add|Update|Delete) File:(.*)$/;
const HOW = { Add: "add", Update: "update", Delete: "remove" } as const;

interface Reading {
  readonly how: PatchedFile["how"];
  readonly path: string;
  to?: string;
  readonly added: string[];
  readonly hunks: { old: string[]; new: string[] }[];
}

function take(file: Reading, line: string): void {
  if (line.startsWith("@@")) {
    file.hunks.push({ old: [], new: [] });
    return;
  }
  const sign = line.charAt(0);
  const text = line.slice(1);
  if (sign === "+") file.added.push(text);
  if (file.how !== "update") return;
  if (file.hunks.length === 0) file.hunks.push({ old: [], new: [] });
  const hunk = file.hunks.at(-1) as (typeof file.hunks)[number];
  if (sign !== "+") hunk.old.push(text);
  if (sign !== "-") hunk.new.push(text);
}

function finished({ how, path, to, added, hunks }: Reading): PatchedFile {
  const edits = hunks.flatMap(({ old, new: now }) =>
    old.length === 0 && now.length === 0 ? [] : [{ old: old.join("\n"), new: now.join("\n"), all: false }],
  );
  const text = added.map((line) => `${line}\n`).join("");
  return { how, path, text, edits, ...(to === undefined || to === "" ? {} : { to }) };
}

/** What a patch does to the files; `resolve` reads a path of it. */
export function patchEffects(files: readonly PatchedFile[], resolve: (path: string) => PathRef): readonly Effect[] {
  return files.flatMap((file): Effect[] => {
    const target = resolve(file.path);
    const sources = textSource(file.text);
    if (file.how === "add") return [{ kind: "write", file: target, sources, append: false }];
    if (file.how === "remove") return [{ kind: "change", file: target, how: "remove" }];
    const effects: Effect[] = [{ kind: "change", file: target, how: "edit" }];
    if (sources.length > 0) effects.push({ kind: "write", file: target, sources, append: true });
    if (file.to === undefined) return effects;
    return [...effects, { kind: "copy", file: target, to: resolve(file.to) }, { kind: "change", file: target, how: "move" }];
  });
}
