/**
 * Whether a hook's reply is what the capability table promises (U-009, U-016). Read as strictly as the agents do: what
 * they would not understand does not count.
 */
import { type Fields, isFields } from "../agents/adapter.ts";
import { type Abilities, abilities } from "../agents/capabilities.ts";
import type { Agent } from "../call/effect.ts";
import type { Finished } from "../system.ts";

/** What was asked. */
export interface Asked {
  readonly agent: Agent;
  readonly event: string;
  /** The capability table's row. */
  readonly row: string;
  /** The made-up secret in the event; undefined when it holds none. */
  readonly secret: string | undefined;
  /** Under enforce a secret is answered; otherwise everything goes on (L-118, L-119). */
  readonly enforced: boolean;
}

/** What is wrong with a reply, in words for a person; undefined when it is as promised. */
export function brokenPromise(asked: Asked, { code, cut, stdout, stderr }: Finished): string | undefined {
  const text = new TextDecoder().decode(stdout);
  if (cut) return "gives no answer in time";
  // What it says about itself; anything but plain text is left out.
  const said =
    /[^\n]*/
      .exec(stderr)?.[0]
      .replace(/[^\x20-\x7e]/g, "")
      .slice(0, 200) ?? "";
  if (code === null) return `cannot be started (${said})`;
  if (asked.secret !== undefined && `${text}${stderr}`.includes(asked.secret.slice(4))) return "repeats the made-up secret in its answer";
  if (code !== 0) return `ends with exit code ${code}: ${said}`;
  const reply = parse(text);
  if (reply === undefined) return "answers with something that is no JSON object";
  const silent = isSilent(asked.agent, text, reply);
  if (asked.secret === undefined) return silent ? undefined : "does not let a harmless step go on";
  const can = abilities(asked.agent, asked.row);
  const promised = asked.enforced && Object.values(can).some((ability) => ability === true);
  if (!promised) return silent ? undefined : "says something where it has nothing to say";
  return keeps(asked, can, reply, text) ? undefined : missed(can);
}

function keeps({ agent, event }: Asked, can: Abilities, reply: Fields, text: string): boolean {
  if (can.block) return stops(agent, event, reply);
  if (can.redactValue || can.replaceWhole) return text.includes("[leak0:");
  if (can.withhold) return reply.continue === false || reply.decision === "block";
  return noted(event, reply);
}

function missed(can: Abilities): string {
  if (can.block) return "lets a made-up secret out";
  if (can.redactValue || can.replaceWhole) return "does not replace a made-up secret in a result";
  return can.withhold ? "does not keep a made-up secret back" : "does not say that a result holds a secret";
}

/** The agent would stop the step. */
function stops(agent: Agent, event: string, reply: Fields): boolean {
  const { hookSpecificOutput: specific } = reply;
  switch (agent) {
    case "claude":
    case "codex":
      if (event === "UserPromptSubmit") return reply.decision === "block";
      return isFields(specific) && specific.hookEventName === event && specific.permissionDecision === "deny";
    case "cursor":
      return event === "beforeSubmitPrompt" ? reply.continue === false : reply.permission === "deny";
    case "gemini":
    case "antigravity":
      return reply.decision === "deny";
  }
}

function noted(event: string, { hookSpecificOutput: specific, additional_context: said }: Fields): boolean {
  if (typeof said === "string" && said !== "") return true;
  return isFields(specific) && specific.hookEventName === event && typeof specific.additionalContext === "string";
}

/** D-23: the agent's own way to say nothing. */
function isSilent(agent: Agent, text: string, reply: Fields): boolean {
  if (agent === "cursor") return text.trim() === "{}";
  if (agent === "antigravity") return Object.keys(reply).length === 1 && reply.decision === "";
  return text.trim() === "";
}

/** The answer as an object, empty for an empty one; undefined for everything else. */
function parse(text: string): Fields | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
