/**
 * What each agent lets a hook do, per event (U-009). Replies, `status` and the README's table are driven by
 * this table and nothing else knows an agent's abilities. Source: agent-hooks reference, observed on the real clients.
 */
import type { Agent } from "../call/effect.ts";

/** What a hook's answer can make the agent do at one event. */
export interface Abilities {
  /** Stop the call or the prompt before it happens. */
  readonly block: boolean;
  /** Pause and ask the person in the agent's own dialog (L-049). */
  readonly ask: boolean;
  /** Give the model a text (L-006). */
  readonly note: boolean;
  /** Replace values inside the result and keep the rest (L-089, D-15). */
  readonly redact: boolean;
  /** End the turn before the next request to the model (D-16). */
  readonly endTurn: boolean;
}

const NOTHING: Abilities = { block: false, ask: false, note: false, redact: false, endTurn: false };

/** Events by the agent's own names; an event that is not listed is answered with silence. */
export const CAPABILITIES: Partial<Record<Agent, Readonly<Record<string, Abilities>>>> = {
  claude: {
    PreToolUse: { ...NOTHING, block: true, ask: true, note: true },
    PostToolUse: { ...NOTHING, note: true, redact: true },
    PostToolUseFailure: { ...NOTHING, note: true },
    PostToolBatch: { ...NOTHING, endTurn: true },
    UserPromptSubmit: { ...NOTHING, block: true, note: true },
    SessionStart: { ...NOTHING, note: true },
    SessionEnd: NOTHING,
  },
};

/** Abilities of an agent at one of its events; none for what the table does not list. */
export function abilities(agent: Agent, event: string): Abilities {
  return CAPABILITIES[agent]?.[event] ?? NOTHING;
}
