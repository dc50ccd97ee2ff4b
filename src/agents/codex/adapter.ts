/**
 * Codex's answers. Its schema is closed: one unknown field, an empty reason, a missing event name or exit 1, and the call
 * runs (observed). There is no ask; a result is hidden only by `block` with a reason, which the model then reads instead.
 *
 * Trust: the blocked command is repeated to the model by Codex, so that a value in it is known to it already; the reason
 * says what to do instead. A result whose redacted copy is longer than Codex passes on goes to a file; only redacted text does.
 */
import { CHOSEN } from "../../limits.ts";
import { type Adapter, type Answer, json, type Keep, refuse, SILENCE } from "../adapter.ts";
import { framed, resultText } from "../result.ts";
import { decode } from "./decode.ts";

export const codex: Adapter = {
  failsClosed: false,
  decode,
  async reply({ name }, { decision, message, output }, keep) {
    switch (name) {
      case "PreToolUse":
        if (decision === "block") return say({ hookEventName: name, permissionDecision: "deny", permissionDecisionReason: message });
        return note(name, message);
      case "PermissionRequest":
        return decision === "block" ? say({ hookEventName: name, decision: { behavior: "deny", message } }) : SILENCE;
      case "PostToolUse":
        if (output === undefined) return note(name, message);
        return json({ decision: "block", reason: await replacement(message, output.value, keep) });
      case "UserPromptSubmit":
        return decision === "block" ? json({ decision: "block", reason: message }) : note(name, message);
      default:
        return SILENCE;
    }
  },
  unreadable: (_, __, { why, facts }) => refuse(`leak0 stopped this step: the hook event could not be read (${why}). ${facts}`),
  failed: () => SILENCE,
};

/** What the model reads in place of the result: the redacted copy, or its beginning and where the rest lies. */
async function replacement(message: string, value: unknown, keep: Keep): Promise<string> {
  const text = resultText(value);
  const whole = framed(message, text);
  if (bytesOf(whole) <= CHOSEN.codex_reason_bytes) return whole;
  const path = await keep(text);
  const where = path === undefined ? "The rest could not be kept: narrow the command." : `All of it, with the values replaced: ${path}`;
  const beginning = cut(text, CHOSEN.codex_reason_bytes - bytesOf(framed(message, "")) - bytesOf(where) - 64);
  return framed(message, `${beginning}\n[leak0: this is the beginning only. ${where}]`);
}

/** The longest beginning of whole lines, or else of whole characters, within a number of bytes. */
function cut(text: string, bytes: number): string {
  const part = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, bytes)).subarray(0, bytes), { stream: true });
  const line = part.lastIndexOf("\n");
  return line > part.length / 2 ? part.slice(0, line) : part;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function note(name: string, message: string): Answer {
  return message === "" ? SILENCE : say({ hookEventName: name, additionalContext: message });
}

function say(hookSpecificOutput: Readonly<Record<string, unknown>>): Answer {
  return json({ hookSpecificOutput });
}
