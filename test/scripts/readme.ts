/**
 * The part of the README that is made from the capability table: `bun test/scripts/readme.ts` writes it anew,
 * `bun run check` says when it is not current (U-009).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Abilities, AGENTS, CAPABILITIES, TITLES } from "../../src/agents/capabilities.ts";

export const README_FILE = "README.md";

const BEGIN = "<!-- made from src/agents/capabilities.ts: begin -->";
const END = "<!-- made from src/agents/capabilities.ts: end -->";

const COLUMNS: readonly (readonly [title: string, of: (row: Abilities) => string])[] = [
  ["block", ({ block }) => yes(block)],
  ["ask", ({ ask }) => (ask === "unreliable" ? "unreliable" : yes(ask))],
  ["note", ({ note }) => (note === "with the result" ? "later" : yes(note))],
  ["redact values", ({ redactValue }) => yes(redactValue)],
  ["replace whole", ({ replaceWhole }) => yes(replaceWhole)],
  ["input", ({ input }) => yes(input)],
  ["withhold", ({ withhold }) => yes(withhold)],
];

function yes(value: boolean): string {
  return value ? "yes" : "";
}

/** The table, with its marks. */
function table(): string {
  const rows = AGENTS.flatMap((agent) =>
    Object.entries(CAPABILITIES[agent]).map(([event, row]) => [TITLES[agent], `\`${event}\``, ...COLUMNS.map(([, of]) => of(row))]),
  );
  const lines = [["agent", "event", ...COLUMNS.map(([title]) => title)], ["---", "---", ...COLUMNS.map(() => "---")], ...rows];
  return [BEGIN, "", ...lines.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("  |", " |")), "", END].join("\n");
}

/** The README with its made part as it has to be; undefined when the marks are missing. */
export function readme(text: string): string | undefined {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  return begin === -1 || end < begin ? undefined : text.slice(0, begin) + table() + text.slice(end + END.length);
}

if (import.meta.main) {
  const file = join(resolve(import.meta.dir, "../.."), README_FILE);
  const made = readme(readFileSync(file, "utf8"));
  if (made === undefined)
    throw new Error(`${README_FILE} has no place for it. Next step: put the two marks of ${import.meta.path} into it.`);
  writeFileSync(file, made);
}
