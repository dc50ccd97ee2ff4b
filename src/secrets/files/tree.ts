/** Leaves of YAML and TOML documents: the parser gives the structure, a search gives the positions. */
import { CHOSEN } from "../../limits.ts";
import type { Leaf } from "./file.ts";

/** Every scalar of a YAML document; undefined when it does not parse or is a bare scalar. Documents of a stream are one after another. */
export function yamlLeaves(text: string): readonly Leaf[] | undefined {
  return parsed(text, (source) => Bun.YAML.parse(source), ":");
}

/** Every scalar of a TOML document; undefined when it does not parse. */
export function tomlLeaves(text: string): readonly Leaf[] | undefined {
  return parsed(text, (source) => Bun.TOML.parse(source), "=");
}

function parsed(text: string, parse: (text: string) => unknown, sign: ":" | "="): readonly Leaf[] | undefined {
  let tree: unknown;
  try {
    tree = parse(text);
  } catch {
    return undefined;
  }
  if (typeof tree !== "object" || tree === null) return undefined;
  const found: { path: string[]; value: string }[] = [];
  walk(tree, [], found);
  const next = new Map<string, number>();
  return found.map(({ path, value }) => {
    // Positions are looked up only when asked for: most leaves are no secrets.
    let range: readonly [number, number] | undefined;
    const locate = () => {
      if (range === undefined) {
        range = whereIs(text, path.at(-1) ?? "", value, sign, next.get(value) ?? 0);
        if (range[1] > 0) next.set(value, range[1]);
      }
      return range;
    };
    return {
      path,
      value,
      get start() {
        return locate()[0];
      },
      get end() {
        return locate()[1];
      },
    };
  });
}

function walk(node: unknown, path: string[], found: { path: string[]; value: string }[]): void {
  if (found.length > CHOSEN.credential_leaves || path.length > CHOSEN.credential_depth) return;
  if (typeof node === "object" && node !== null) {
    for (const [key, inner] of Object.entries(node)) walk(inner, [...path, key], found);
  } else if (node !== null && node !== undefined) found.push({ path, value: String(node) });
}

/** Where a value is written: beside its key if it can be, else anywhere, else nowhere. */
function whereIs(text: string, key: string, value: string, sign: string, from: number): readonly [number, number] {
  if (value === "") return [-1, -1];
  let first = -1;
  for (
    let tries = 0, at = text.indexOf(value, from);
    at >= 0 && tries < CHOSEN.credential_position_tries;
    tries++, at = text.indexOf(value, at + 1)
  ) {
    if (first < 0) first = at;
    const before = text.slice(Math.max(0, at - CHOSEN.credential_key_reach_chars), at);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const keyed = line.lastIndexOf(key);
    if (/^\d+$/.test(key) ? /[-[,]\s*["']?$/.test(line) : keyed >= 0 && line.indexOf(sign, keyed + key.length) >= 0)
      return [at, at + value.length];
  }
  if (first >= 0) return [first, first + value.length];
  return block(text, key, value);
}

/** A value folded or indented over several lines (`key: |`): the lines from its first to its last word. */
function block(text: string, key: string, value: string): readonly [number, number] {
  const lines = value.trim().split("\n");
  const head = lines[0]?.trim() ?? "";
  const tail = lines.at(-1)?.trim() ?? "";
  if (lines.length < 2 || head === "" || tail === "") return [-1, -1];
  const start = text.indexOf(head, Math.max(0, text.indexOf(key)));
  const end = start < 0 ? -1 : text.indexOf(tail, start + head.length);
  // Longer than the value and its indentation could be: another place.
  if (end < 0 || end - start > value.length + lines.length * 64) return [-1, -1];
  return [start, end + tail.length];
}
