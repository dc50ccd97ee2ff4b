/**
 * The parts of the README that are made from the sources: `bun test/scripts/readme.ts` writes them anew, `bun run check`
 * says when they are not current (U-009, L-103 … L-105).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Abilities, AGENTS, CAPABILITIES, TITLES } from "../../src/agents/capabilities.ts";
import { FAILURES, type Failure, type Outcome } from "../../src/agents/failures.ts";
import { MODES } from "../../src/policy/mode.ts";
import { UNSUPPORTED } from "../../src/setup/unsupported.ts";
import { recognised } from "./recognised.ts";

/** The file, relative to the root. */
export const README_FILE = "README.md";

/** A part stands between two marks that name the file it is made from. */
const PARTS: Readonly<Record<string, () => string>> = {
  "src/agents/failures.ts": failures,
  "src/agents/capabilities.ts": capabilities,
  "src/setup/unsupported.ts": unsupported,
  "src/secrets": () => recognised().trim(),
};

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

function capabilities(): string {
  const rows = AGENTS.flatMap((agent) =>
    Object.entries(CAPABILITIES[agent]).map(([event, row]) => [TITLES[agent], `\`${event}\``, ...COLUMNS.map(([, of]) => of(row))]),
  );
  return table(["agent", "event", ...COLUMNS.map(([title]) => title)], rows);
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  blocked: "**blocked**",
  refused: "**refused** by the agent",
  "goes on": "goes on",
  unhooked: "no hook is started",
  checked: "checked as ever",
  asked: "you are asked",
};

/** One line for each failure and the modes that come to the same. */
function failures(): string {
  const rows = Object.values<Failure>(FAILURES).flatMap(({ what, comes }) => {
    const words = (mode: (typeof MODES)[number]) => AGENTS.map((agent) => OUTCOMES[comes[mode][agent]]);
    const lines = new Map<string, string[]>();
    for (const mode of MODES) {
      const key = words(mode).join(" | ");
      lines.set(key, [...(lines.get(key) ?? []), mode]);
    }
    return [...lines].map(([cells, modes], at) => [at === 0 ? what : "", modes.length === MODES.length ? "any" : modes.join(", "), cells]);
  });
  return table(["what fails", "leak0 is in", ...AGENTS.map((agent) => TITLES[agent])], rows);
}

function unsupported(): string {
  const reasons = [...new Set(UNSUPPORTED.map(({ reason }) => reason))];
  const titles = (why: string) => UNSUPPORTED.filter(({ reason }) => reason === why).map(({ title }) => title);
  return table(
    ["not protected", "because"],
    reasons.map((reason) => [titles(reason).join(", "), reason]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`.replaceAll("  |", " |")).join("\n");
}

/** The README with its made parts as they have to be; undefined when a mark is missing. */
export function readme(text: string): string | undefined {
  let made: string | undefined = text;
  for (const [file, part] of Object.entries(PARTS)) {
    const [begin, end] = [`<!-- made from ${file}: begin -->`, `<!-- made from ${file}: end -->`];
    const from: number = made?.indexOf(begin) ?? -1;
    const to: number = made?.indexOf(end) ?? -1;
    made = made === undefined || from === -1 || to < from ? undefined : `${made.slice(0, from)}${begin}\n\n${part()}\n\n${made.slice(to)}`;
  }
  return made;
}

if (import.meta.main) {
  const file = join(resolve(import.meta.dir, "../.."), README_FILE);
  const made = readme(readFileSync(file, "utf8"));
  if (made === undefined)
    throw new Error(`${README_FILE} has no place for them. Next step: put the marks that ${import.meta.path} looks for into it.`);
  writeFileSync(file, made);
}
