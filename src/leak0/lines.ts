/** What a search prints of a file, where that is known: the lines that hold its literal text. */
import type { Source } from "../call/effect.ts";
import { piecesOf } from "../secrets/pieces.ts";
import { scan } from "../secrets/scan.ts";
import type { Look } from "./files.ts";

/** Whether what the source lets through of this file can hold any part of a secret; true whenever that cannot be told. */
export function showsSecret(source: Source, look: Look): boolean {
  if (source.from !== "file" || source.lines === undefined) return true;
  const { text, start, ignoreCase } = source.lines;
  const fold = (value: string): string => (ignoreCase ? value.toLowerCase() : value);
  const wanted = fold(text);
  const printed = look.text
    .split("\n")
    .filter((line) => (start ? fold(line).startsWith(wanted) : fold(line).includes(wanted)))
    .join("\n");
  return piecesOf(printed, look.secrets).length > 0 || scan(printed).secrets.length > 0;
}
