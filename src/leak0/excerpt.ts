/** What a command lets through of a file, where that can be told exactly, and whether any of it is secret. */
import type { Excerpt, Source } from "../call/effect.ts";
import { piecesOf } from "../secrets/pieces.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Look } from "./files.ts";

/** Whether what the source lets through of this file can hold any part of a secret; true whenever that cannot be told. */
export function showsSecret(source: Source, look: Look): boolean {
  if (source.from !== "file" || source.excerpt === undefined) return true;
  const printed = cut(look.text, source.excerpt);
  return printed === undefined || piecesOf(printed, look.secrets).length > 0 || scan(printed).secrets.length > 0;
}

/** Of secrets this file holds, those the source lets through: all of them whenever that cannot be told. */
export function shownOf<S extends { readonly secret: Secret }>(source: Source, look: Look, held: readonly S[]): readonly S[] {
  if (source.from !== "file" || source.excerpt === undefined || held.length === 0) return held;
  const printed = cut(look.text, source.excerpt);
  // What stands there in another spelling cannot be looked for.
  return printed === undefined
    ? held
    : held.filter(({ secret }) => !look.text.includes(secret.value) || piecesOf(printed, [secret]).length > 0);
}

/** The part of the text that comes through; undefined when the text is not of the kind the command reads. */
function cut(text: string, excerpt: Excerpt): string | undefined {
  switch (excerpt.kind) {
    case "lines with": {
      const fold = (value: string): string => (excerpt.ignoreCase ? value.toLowerCase() : value);
      const wanted = fold(excerpt.text);
      const comes = (line: string): boolean => (excerpt.start ? fold(line).startsWith(wanted) : fold(line).includes(wanted));
      return text.split("\n").filter(comes).join("\n");
    }
    case "first lines":
      return text.split("\n").slice(0, excerpt.count).join("\n");
    case "last lines":
      return excerpt.count === 0 ? "" : text.replace(/\n$/, "").split("\n").slice(-excerpt.count).join("\n");
    case "member":
      return member(text, excerpt.path);
  }
}

function member(text: string, path: readonly string[]): string | undefined {
  try {
    let value: unknown = JSON.parse(text);
    for (const name of path)
      value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}
