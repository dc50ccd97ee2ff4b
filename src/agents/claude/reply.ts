/**
 * A judgement to Claude Code's answer, in exactly the shapes the real client honours.
 *
 * Trust: stdout must be empty or one JSON value; a missing or wrong `hookEventName`, a bare string as a tool's
 * output or any text before the JSON makes the client go on as if nothing was said (observed). `allow` is never
 * printed: it would skip the client's own permission checks.
 */
import type { Judgement } from "../../leak0/judgement.ts";
import { type Answer, json, SILENCE } from "../adapter.ts";

/** The answer to one event. `name` is the event's own name and must come back in the answer. */
export function reply(name: string, judgement: Judgement): Answer {
  const { decision, message, output } = judgement;
  switch (name) {
    case "PreToolUse":
      if (decision === "block") return say({ hookEventName: name, permissionDecision: "deny", permissionDecisionReason: message });
      if (decision === "ask") return say({ hookEventName: name, permissionDecision: "ask", permissionDecisionReason: message });
      return note(name, message);
    case "PostToolUse":
      if (output === undefined) return note(name, message);
      return say({
        hookEventName: name,
        updatedToolOutput: withoutSavedCopy(output.value),
        ...(message === "" ? {} : { additionalContext: message }),
      });
    case "PostToolBatch":
      return decision === "block" ? json({ decision: "block", reason: message }) : SILENCE;
    case "UserPromptSubmit":
      if (decision !== "block") return note(name, message);
      return json({ decision: "block", reason: message, hookSpecificOutput: { hookEventName: name, suppressOriginalPrompt: true } });
    case "PostToolUseFailure":
      return note(name, message);
    default:
      return SILENCE;
  }
}

/** Where the client saved the whole output of a long command: the raw text, which the model is told to read. */
const SAVED_COPY = ["persistedOutputPath", "persistedOutputSize", "rawOutputPath"];

/** Without these fields the model sees the replacement only (observed). */
function withoutSavedCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return SAVED_COPY.some((field) => field in value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !SAVED_COPY.includes(name)))
    : value;
}

/** Ends the run before the next request to the model: the only way to keep a result back that cannot be rewritten. */
export function endRun(message: string): Answer {
  return json({ continue: false, stopReason: message });
}

function note(name: string, message: string): Answer {
  return message === "" ? SILENCE : say({ hookEventName: name, additionalContext: message });
}

function say(hookSpecificOutput: Readonly<Record<string, unknown>>): Answer {
  return json({ hookSpecificOutput });
}
