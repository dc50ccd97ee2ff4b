/** Choosing the secret fields out of a parsed document. */
import type { Field, Leaf } from "./file.ts";

/** A key of a path pattern is exact, `*` is any one key, `**` any number of keys. */
function fits(pattern: readonly string[], at: number, path: readonly string[], from: number): boolean {
  if (at === pattern.length) return from === path.length;
  const key = pattern[at];
  if (key === "**") {
    for (let skip = from; skip <= path.length; skip++) if (fits(pattern, at + 1, path, skip)) return true;
    return false;
  }
  return from < path.length && (key === "*" || key === path[from]) && fits(pattern, at + 1, path, from + 1);
}

/** The leaves at a path written with dots: `users.*.user.token`. Keys that hold a dot match only `*`. */
export function at(leaves: readonly Leaf[], path: string): readonly Leaf[] {
  const pattern = path.split(".");
  return leaves.filter((leaf) => fits(pattern, 0, leaf.path, 0));
}

/** The value of the first leaf at a path. */
export function valueAt(leaves: readonly Leaf[], path: string): string | undefined {
  return at(leaves, path)[0]?.value;
}

/** Leaves that pass a test of their value, as fields. */
export function fieldsAt(
  leaves: readonly Leaf[],
  paths: readonly string[],
  test: (value: string) => boolean,
  password = false,
): readonly Field[] {
  return paths.flatMap((path) =>
    at(leaves, path)
      .filter((leaf) => test(leaf.value))
      .map((leaf) => field(leaf, password)),
  );
}

export function field(leaf: Pick<Leaf, "value" | "start" | "end">, password = false): Field {
  return { value: leaf.value, start: leaf.start, end: leaf.end, password };
}

/** A part of a text as a field. */
export function span(text: string, start: number, end: number, password = false): Field {
  return { value: text.slice(start, end), start, end, password };
}

/** The one value a file of a single line holds, white space around it dropped. */
export function wholeLine(text: string, test: (value: string) => boolean): readonly Field[] {
  const value = text.trim();
  if (value === "" || value.length > 8192 || /\s/.test(value) || !test(value)) return [];
  const start = text.indexOf(value);
  return [span(text, start, start + value.length)];
}
