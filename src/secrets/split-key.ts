/**
 * A private key whose lines stand in several strings of one result: text blocks of an MCP answer, items of a list, pieces
 * of a stream. No string alone shows it; put together they do.
 *
 * Trust: the result is hostile. It is walked once, and only one that names a key at all is put together.
 */
import { privateKey } from "./private-key.ts";
import type { Secret } from "./secret.ts";

/** What a string of a key's beginning or end holds even when the mark itself is cut. */
const MARK = /-----|PuTTY-User/;
const WHOLE = /-----BEGIN [A-Z ]{0,40}-----[^-]{0,65536}-----END /;

/** The keys that several strings of a JSON value hold together, without a place: their lines are to be looked for piece by piece. */
export function splitKeys(json: unknown): readonly Secret[] {
  if (typeof json !== "object" || json === null) return [];
  const { lists, all } = stringsOf(json);
  // A stream beside an empty one is a text by itself.
  if (all.filter((text) => text !== "").length < 2 || !all.some((text) => MARK.test(text))) return [];
  const parts = lists.filter((list) => list.length > 1 && list.some((text) => MARK.test(text)));
  // Lines one by one, or a text that was cut anywhere.
  const found = parts.flatMap((list) => [...keysIn(list.join("\n"), anyRun), ...keysIn(list.join(""), anyRun)]);
  // What has its beginning and its end among like items was judged there, as a public or an encrypted key is.
  if (found.length > 0 || parts.some((list) => list.join("\n").search(WHOLE) >= 0)) return found.map(({ secret }) => secret);
  // Under different names, other texts stand between the lines: only a key with its end, and only what looks like its lines.
  return keysIn(all.join("\n"), lineOfKey).flatMap(({ secret, whole }) => (whole ? [secret] : []));
}

export interface Strings {
  /** Strings that stand at the same place of like items: `[].text`, `lines[]`. */
  readonly lists: readonly (readonly string[])[];
  readonly all: readonly string[];
}

/** Every string of a JSON value in the order it is written, keys left out, without recursion. */
export function stringsOf(json: unknown): Strings {
  const places = new Map<string, number>();
  const lists = new Map<number, string[]>();
  const all: string[] = [];
  const stack: { readonly value: unknown; readonly place: number }[] = [{ value: json, place: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, place } = next;
    if (typeof value === "string") {
      all.push(value);
      const list = lists.get(place);
      if (list === undefined) lists.set(place, [value]);
      else list.push(value);
    } else if (typeof value === "object" && value !== null) {
      const children = Array.isArray(value) ? value.map((child): [string, unknown] => ["[]", child]) : Object.entries(value);
      for (const [name, child] of children.reverse()) {
        const key = `${place} ${name}`;
        const below = places.get(key) ?? places.size + 1;
        places.set(key, below);
        stack.push({ value: child, place: below });
      }
    }
  }
  return { lists: [...lists.values()], all };
}

interface Found {
  readonly secret: Secret;
  /** Its end is there as well. */
  readonly whole: boolean;
}

/** Keys of a text put together, each with the runs of base64 in it that `counts` lets through as its lines. */
function keysIn(text: string, counts: (run: string) => boolean): readonly Found[] {
  const found: Found[] = [];
  for (const family of privateKey()) {
    for (const needle of family.needles) {
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
        const match = family.find(text, at, needle, { curves: 0 });
        if (match === undefined) continue;
        const written = text.slice(match.start, match.end);
        const runs = written.replace(/-----[A-Z ]{3,60}-----/g, "\n").match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? [];
        const value = runs.filter(counts).join("\n");
        const { grade, kind } = match;
        if (value !== "")
          found.push({
            secret: { family: family.id, title: family.title, grade, kind, value, start: -1, end: -1 },
            whole: written.includes("-----END "),
          });
      }
    }
  }
  return found;
}

function anyRun(): boolean {
  return true;
}

/** Long and mixed, as only a line of a key among names and words is. */
function lineOfKey(run: string): boolean {
  return run.length >= 16 && /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}
