/**
 * The parts of the README that are made from the data the product decides by: `bun test/scripts/readme.ts` writes them
 * anew, `bun run check` says when they are not current.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { capabilityTable } from "./capability-table.ts";
import { recognised } from "./recognised.ts";

/** The file, relative to the root. */
export const README_FILE = "README.md";

const PARTS: readonly { readonly begin: string; readonly end: string; readonly made: () => string }[] = [
  {
    begin: "<!-- made from src/agents/capabilities.ts: begin -->\n",
    end: "<!-- made from src/agents/capabilities.ts: end -->",
    made: capabilityTable,
  },
  { begin: "<!-- made from src/secrets: begin -->\n", end: "<!-- made from src/secrets: end -->", made: recognised },
];

/** The README with its made parts as they should be; throws when the two marks around one are missing. */
export function readme(text: string): string {
  return PARTS.reduce((whole, { begin, end, made }) => {
    const from = whole.indexOf(begin);
    const to = whole.indexOf(end);
    if (from < 0 || to < from) throw new Error(`${README_FILE} lacks the marks ${begin.trim()} and ${end}`);
    return whole.slice(0, from + begin.length) + made() + whole.slice(to);
  }, text);
}

if (import.meta.main) {
  const file = join(resolve(import.meta.dir, "../.."), README_FILE);
  writeFileSync(file, readme(readFileSync(file, "utf8")));
}
