/** What the filter looks for. The table is worked out while the program is built and stands in it as a constant. */
import type { Family } from "./family.ts";
import { familiesWith } from "./index.ts";
import { needleTable } from "./index.ts" with { type: "macro" };

const TABLE = needleTable();
let list: readonly string[] | undefined;
const found = new Map<string, readonly Family[]>();

/** Every needle of every family once; always the same array. */
export function needles(): readonly string[] {
  list ??= TABLE.needles.split("\n");
  return list;
}

/** The families to ask where this needle stands; several share `sk-` or `eyJ`. Builds their lists at the first call. */
export function familiesOf(needle: string): readonly Family[] {
  let families = found.get(needle);
  if (families === undefined) {
    const lists = TABLE.lists.split("\n")[needles().indexOf(needle)] ?? "";
    families = lists === "" ? [] : familiesWith(needle, lists.split(",").map(Number));
    found.set(needle, families);
  }
  return families;
}
