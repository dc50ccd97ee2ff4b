/**
 * Values that several strings of one result hold together: the head at the end of what a command printed, the tail in its
 * errors; text blocks of an MCP answer (L-110).
 */
import { Joined } from "../secrets/joined.ts";
import type { Range } from "../secrets/runs.ts";
import type { Scan, Secret } from "../secrets/secret.ts";
import { stringsOf } from "../secrets/split-key.ts";

/** Strings of one result that are put together. */
const STRINGS_MOST = 2_000;

/** For each string of the result the parts of such values in it; `known` finds values that are known already. */
export function acrossStrings(response: unknown, known: (text: string) => Scan): ReadonlyMap<string, readonly Secret[]> {
  const parts = new Map<string, Secret[]>();
  if (typeof response !== "object" || response === null) return parts;
  const { lists, all } = stringsOf(response);
  for (const texts of orders(lists, all)) {
    // A line end behind the head is no part of it.
    const joined = new Joined(texts.map((text) => text.trim()));
    for (const { secret, parts: places } of joined.parted([...joined.tokens(), ...known(joined.text).secrets])) {
      if (!isShared(secret, places)) continue;
      for (const { text: index, start, end } of places) {
        const text = texts[index] as string;
        const lead = text.length - text.trimStart().length;
        const one = { ...secret, start: lead + start, end: lead + end };
        const here = parts.get(text);
        if (here === undefined) parts.set(text, [one]);
        else here.push(one);
      }
    }
  }
  return parts;
}

/** Part of a printed file's value, it takes more than a character that happens to be the same. */
const SHARE = 4;

/** Whether a value really stands in several strings: a whole one does. */
function isShared({ kind, value, start, end }: Secret, parts: readonly Range[]): boolean {
  return kind === "hash match" || end - start >= value.length || parts.filter(({ start, end }) => end - start >= SHARE).length > 1;
}

/** The strings as they are written, two of them the other way round too, and those of like items. */
function orders(lists: readonly (readonly string[])[], all: readonly string[]): readonly (readonly string[])[] {
  const filled = (texts: readonly string[]): readonly string[] => texts.filter((text) => text.trim() !== "").slice(0, STRINGS_MOST);
  const written = filled(all);
  if (written.length < 2) return [];
  const like = lists.map(filled).filter((list) => list.length > 1 && list.length < written.length);
  return [written, ...(written.length === 2 ? [[written[1] as string, written[0] as string]] : []), ...like];
}
