/**
 * Files an AI agent's client reads for itself: what it runs when one is used, and when it starts a session.
 *
 * Trust: the content is hostile and only read as text; lengths and counts are bounded.
 */
import { CHOSEN } from "../limits.ts";
import { quoted } from "./shell/quoting.ts";

/** How a client uses a file of its own. */
export interface ClientFile {
  /** When its text, or what its commands print, comes into the conversation; completes "which is read into the conversation …". */
  readonly when: string;
  /** Its own text comes in; of settings only what their hooks print does. */
  readonly text: boolean;
  /** The files it names with `@` come in for certain. */
  readonly imports: boolean;
  /** Commands in it are run, and what they print comes in. */
  readonly runs: boolean;
}

const NAMES = new Set([
  "CLAUDE.md",
  "CLAUDE.local.md",
  "AGENTS.md",
  "AGENTS.override.md",
  "GEMINI.md",
  "MEMORY.md",
  ".cursorrules",
  ".windsurfrules",
  "copilot-instructions.md",
]);
const AGENT_FOLDERS = new Set([".claude", ".cursor", ".codex", ".gemini"]);
const ALWAYS = new Set(["rules", "memory", "memories"]);
const ON_USE = new Set(["commands", "skills", "prompts"]);
const BY_NAME = new Set(["agents", "output-styles"]);

/** What a client does with a file at this place; undefined for a file of no client. */
export function clientFile(path: string): ClientFile | undefined {
  const names = path.split("/");
  const last = names.at(-1) ?? "";
  if (NAMES.has(last)) return ON_START;
  const at = names.findIndex((name) => AGENT_FOLDERS.has(name));
  if (at < 0) return undefined;
  const below = names.slice(at + 1);
  if (below.some((name) => ALWAYS.has(name))) return ON_START;
  if (/^(?:settings(?:\.local)?|hooks)\.json$/.test(last)) return { when: "by its hook", text: false, imports: false, runs: true };
  if (!/\.(?:md|mdc|toml)$/.test(last)) return undefined;
  // What else lies in a skill's folder is read by the agent itself.
  if (below.some((name) => ON_USE.has(name)) && (!below.includes("skills") || last === "SKILL.md"))
    return { when: "when it is used", text: true, imports: true, runs: /^\.(?:claude|gemini)$/.test(names[at] ?? "") };
  return below.some((name) => BY_NAME.has(name)) ? { when: "when it is chosen", text: true, imports: false, runs: false } : undefined;
}

const ON_START: ClientFile = { when: "on every start", text: true, imports: true, runs: false };

/** Commands of one file that are looked at. */
const COMMANDS_MOST = 64;

/** The command lines whose output a client puts into the conversation, as far as the file writes them out. */
export function commandsInto(path: string, text: string): readonly string[] {
  const file = clientFile(path);
  if (file?.runs !== true || text.length > CHOSEN.script_chars) return [];
  return (file.text ? shellLines(text) : hookCommands(text)).slice(0, COMMANDS_MOST);
}

/** ``!`command` `` and `!{command}` in a prompt, and a fenced block of them. */
function shellLines(text: string): readonly string[] {
  const blocks = text.split("```").filter((part, index) => index % 2 === 1 && part.startsWith("!"));
  const inline = [...text.matchAll(/!`([^`\n]{1,4000})`|!\{([^{}\n]{1,4000})\}/g)].map((match) => match[1] ?? match[2] ?? "");
  return [...inline, ...blocks.map((block) => block.slice(1))];
}

/** Events at which what a hook prints goes to the model. */
const TELLING = /^(?:SessionStart|UserPromptSubmit|UserPromptExpansion|SubagentStart|BeforeAgent|Setup)$/;

function hookCommands(text: string): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const hooks = isFields(parsed) ? parsed["hooks"] : undefined;
  if (!isFields(hooks)) return [];
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > 8) return;
    const { command, args } = value as { readonly command?: unknown; readonly args?: unknown };
    const words = Array.isArray(args) ? args.filter((word): word is string => typeof word === "string") : [];
    if (typeof command === "string") found.push([command, ...words.map(quoted)].join(" "));
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  for (const [event, entries] of Object.entries(hooks)) if (TELLING.test(event)) walk(entries, 0);
  return found;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
