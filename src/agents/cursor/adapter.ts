/**
 * Cursor's answers. `allow` is never printed: it may skip Cursor's own question. The model reads the person's message in
 * the current IDE and the agent's one elsewhere, so a reason stands in both. Only results of MCP tools can be changed.
 */
import { type Adapter, type Answer, json, refuse, SILENCE } from "../adapter.ts";
import { decode } from "./decode.ts";

export const cursor: Adapter = {
  failsClosed: false,
  decode,
  reply({ name, row }, { decision, message, output }) {
    switch (name) {
      case "preToolUse":
      case "beforeShellExecution":
      case "beforeMCPExecution":
        return decision === "block" || decision === "ask"
          ? json({ permission: decision === "block" ? "deny" : "ask", user_message: message, agent_message: message })
          : SILENCE;
      case "beforeReadFile":
      case "beforeTabFileRead":
        return decision === "block" ? json({ permission: "deny", user_message: message }) : SILENCE;
      case "postToolUse": {
        const changed = output !== undefined && row === "postToolUse (MCP)" ? { updated_mcp_tool_output: output.value } : {};
        return said({ ...changed, ...(message === "" ? {} : { additional_context: message }) });
      }
      case "beforeSubmitPrompt":
        if (decision === "block") return json({ continue: false, user_message: message });
        return message === "" ? SILENCE : json({ continue: true, additional_context: message });
      default:
        return SILENCE;
    }
  },
  unreadable: (_, __, { why, facts }) => refuse(`leak0 stopped this step: the hook event could not be read (${why}). ${facts}`),
  failed: () => SILENCE,
};

function said(answer: object): Answer {
  return Object.keys(answer).length === 0 ? SILENCE : json(answer);
}
