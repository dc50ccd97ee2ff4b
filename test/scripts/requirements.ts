/**
 * Which requirement is proved where: `bun run requirements`.
 *
 * Prints every requirement ID that a test name or a corpus case names, sorted, with file and line.
 *   --missing FILE    also prints the IDs of FILE (one or more anywhere on a line) that no test names, and exits 1 if any
 *   --json            {"L-015": ["test/corpus/reading.jsonl:3", …], …}
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const ROOT = resolve(import.meta.dir, "../..");
const ID = /\b(?:[A-Z]{1,2})-\d{2,3}\b/g;
/** `L-117 … L-122` stands for all of them. */
const RANGE = /\b([A-Z]{1,2})-(\d{2,3})\s*(?:…|\.\.\.?|to)\s*(?:\1-)?(\d{2,3})\b/g;
/** The first string of `test(…)`, `describe(…)` and of the call behind `test.each(…)`. */
const NAME = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\s*\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;

/** IDs in a text, ranges written out. */
function idsOf(text: string): string[] {
  const ranges = [...text.matchAll(RANGE)].flatMap(([, letters, from, to]) => {
    const first = Number(from);
    const count = Math.min(Number(to) - first, 200);
    return Array.from(
      { length: Math.max(0, count) + 1 },
      (_, i) => `${letters}-${String(first + i).padStart((from as string).length, "0")}`,
    );
  });
  return [...new Set([...ranges, ...(text.match(ID) ?? [])])];
}

/** ID to the places that name it. */
function collect(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  const add = (id: string, place: string): void => {
    const list = places.get(id) ?? [];
    if (!list.includes(place)) list.push(place);
    places.set(id, list);
  };
  for (const file of [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].sort()) {
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const match of text.matchAll(NAME)) {
      const line = text.slice(0, match.index).split("\n").length;
      for (const id of idsOf(match[2] as string)) add(id, `${file}:${line}`);
    }
  }
  for (const file of [...new Bun.Glob("test/corpus/**/*.jsonl").scanSync(ROOT)].sort()) {
    for (const [i, line] of readFileSync(join(ROOT, file), "utf8").split("\n").entries()) {
      if (line.trim() === "") continue;
      const { requirements } = JSON.parse(line) as { requirements?: unknown };
      if (Array.isArray(requirements)) for (const id of requirements.flatMap((one) => idsOf(String(one)))) add(id, `${file}:${i + 1}`);
    }
  }
  return places;
}

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { missing: { type: "string" }, json: { type: "boolean", default: false } },
});
const places = collect();
const sorted = [...places.keys()].sort();
if (values.json) console.log(JSON.stringify(Object.fromEntries(sorted.map((id) => [id, places.get(id)]))));
else {
  for (const id of sorted) {
    const list = places.get(id) as string[];
    console.log(`${id.padEnd(6)} ${list.slice(0, 3).join("  ")}${list.length > 3 ? `  and ${list.length - 3} more` : ""}`);
  }
  console.log(`${sorted.length} requirements are named by a test`);
}
if (values.missing !== undefined) {
  const missing = [...new Set(readFileSync(values.missing, "utf8").match(ID) ?? [])].filter((id) => !places.has(id)).sort();
  console.log(missing.length === 0 ? "none is missing" : `no test names: ${missing.join(" ")}`);
  if (missing.length > 0) process.exitCode = 1;
}
