/**
 * Antigravity CLI's answers: `decision` is required before a tool, and an empty output, `{}` or any other exit code
 * denies the tool, so the launcher gives the neutral answer (D-22, D-23). `force_ask` asks also where the person once
 * chose to allow always. There is no field for a note (L-099).
 */
import { type Adapter, json, refuse, SILENCE } from "../adapter.ts";
import { decode } from "./decode.ts";

export const antigravity: Adapter = {
  failsClosed: false,
  decode,
  reply({ name }, { decision, message }) {
    if (name !== "PreToolUse" || (decision !== "block" && decision !== "ask")) return SILENCE;
    return json({ decision: decision === "block" ? "deny" : "force_ask", reason: message });
  },
  unreadable: (_, { event }, { why, facts }) =>
    event === "" || event === "PreToolUse"
      ? refuse(`leak0 blocked this call: the hook event could not be read (${why}). ${facts}`)
      : SILENCE,
  failed: () => SILENCE,
};
