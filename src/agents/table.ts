/** The agents this build has an adapter for. Claude Code's is part of the hook path; the others are loaded when they call. */
import type { Agent } from "../call/effect.ts";
import type { Adapter } from "./adapter.ts";
import { claude } from "./claude/adapter.ts";

const OTHERS: Partial<Record<Agent, () => Promise<Adapter>>> = {
  codex: async () => (await import("./codex/adapter.ts")).codex,
  cursor: async () => (await import("./cursor/adapter.ts")).cursor,
  gemini: async () => (await import("./gemini/adapter.ts")).gemini,
  antigravity: async () => (await import("./antigravity/adapter.ts")).antigravity,
};

/** Whether a word of the command line names an agent with an adapter. */
export function isAgent(word: string | undefined): word is Agent {
  return word === "claude" || (word !== undefined && Object.hasOwn(OTHERS, word));
}

/** The adapter of an agent; awaited only where it has to be loaded. */
export function adapterOf(agent: Agent): Adapter | Promise<Adapter> {
  return OTHERS[agent]?.() ?? claude;
}
