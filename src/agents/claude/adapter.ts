/** Claude Code: the one agent whose check fails closed (L-153). */
import { type Adapter, fieldsOf, refuse, SILENCE } from "../adapter.ts";
import { decode } from "./decode.ts";
import { endRun, reply } from "./reply.ts";

/** Events of a tool that has run; the name stands near the beginning, before the tool's own data. */
const AFTERWARDS = /"hook_event_name"\s{0,8}:\s{0,8}"(?:PostToolUse|PostToolUseFailure|PostToolBatch)"/;
const HEAD_CHARS = 64 * 1024;

export const claude: Adapter = {
  failsClosed: true,
  decode,
  // Most calls end here.
  reply: (event, judgement) => (judgement.decision === "allow" ? SILENCE : reply(event.name, judgement)),
  unreadable(text, _, { why, facts }) {
    // A result that already happened is not hidden by a refusal; only the end of the run keeps it from the model (observed).
    return AFTERWARDS.test(text.slice(0, HEAD_CHARS))
      ? endRun(`leak0 ended this run: a tool's result could not be read (${why}). ${facts}`)
      : refuse(`leak0 blocked this call: it would run unchecked: the hook event could not be read (${why}). ${facts}`);
  },
  async failed(name, text, { why, facts }) {
    const reason = `leak0 could not check this step, and it is stopped because leak0 is on: it would go unchecked (${why}). ${facts}`;
    if (name === "PostToolUse") {
      const read = fieldsOf(text);
      const response = "fields" in read ? read.fields.tool_response : undefined;
      if (response !== undefined) {
        const { withhold } = await import("../../leak0/withhold.ts");
        const value = withhold(response, "[leak0 withheld this output: it could not be checked.]");
        return reply(name, { decision: "redact", message: reason, findings: [], output: { value } });
      }
    }
    if (name === "PostToolBatch") return endRun(reason);
    return name === "" || name === "PreToolUse" || name === "UserPromptSubmit" ? refuse(reason) : SILENCE;
  },
};
