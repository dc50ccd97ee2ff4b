/** The README's table of what each agent lets PoisonZero do, made from the capability table (U-009). */
import { type Abilities, AGENTS, CAPABILITIES, TITLES } from "../../src/agents/capabilities.ts";

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

/** The table. */
export function capabilityTable(): string {
  const rows = AGENTS.flatMap((agent) =>
    Object.entries(CAPABILITIES[agent]).map(([event, row]) => [TITLES[agent], `\`${event}\``, ...COLUMNS.map(([, of]) => of(row))]),
  );
  const lines = [["agent", "event", ...COLUMNS.map(([title]) => title)], ["---", "---", ...COLUMNS.map(() => "---")], ...rows];
  return `\n${lines.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("  |", " |")).join("\n")}\n\n`;
}
