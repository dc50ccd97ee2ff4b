/**
 * Gemini CLI's answers: flat `decision` and `reason`; a nested permission decision is ignored (observed). A question would
 * end a headless run without a word, so none is asked here (D-14); `additionalContext` counts after a tool only.
 *
 * Trust: standard output is decoded in pieces by the client, so everything that is not ASCII is written as an escape.
 */
import { type Adapter, type Answer, json, refuse, SILENCE } from "../adapter.ts";
import { framed, resultText } from "../result.ts";
import { decode } from "./decode.ts";

export const gemini: Adapter = {
  failsClosed: false,
  decode,
  reply({ name, frame }, { decision, message, output }) {
    switch (name) {
      case "BeforeTool":
        return decision === "block" ? ascii({ decision: "deny", reason: message, systemMessage: message }) : SILENCE;
      case "AfterTool": {
        if (output === undefined) return note(name, message);
        const text = `${frame?.before ?? ""}${resultText(output.value)}${frame?.after ?? ""}`;
        return ascii({ decision: "deny", reason: framed(message, text) });
      }
      case "BeforeAgent":
        return decision === "block" ? ascii({ decision: "deny", reason: message, systemMessage: message }) : note(name, message);
      default:
        return SILENCE;
    }
  },
  unreadable: (_, __, { why, facts }) => refuse(`leak0 stopped this step: the hook event could not be read (${why}). ${facts}`),
  failed: () => SILENCE,
};

function note(name: string, message: string): Answer {
  return message === "" ? SILENCE : ascii({ hookSpecificOutput: { hookEventName: name, additionalContext: message } });
}

function ascii(value: unknown): Answer {
  const { stdout, ...answer } = json(value);
  const escaped = stdout.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { ...answer, stdout: escaped };
}
