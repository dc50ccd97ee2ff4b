/**
 * The corpus on the wires of the other agents: the same steps as their events, their answers read as strictly as their
 * clients do, and what a step's expectation becomes where an agent can do less (the capability table).
 */
import { join } from "node:path";
import type { Agent } from "../../src/call/effect.ts";
import { resultText } from "../../src/agents/result.ts";
import type { Step } from "./case.ts";
import type { Ask } from "./event.ts";
import type { Answer, Seen } from "./judge.ts";
import type { Places } from "./template.ts";

export type OtherAgent = Exclude<Agent, "claude">;
export const OTHER_AGENTS: readonly OtherAgent[] = ["codex", "cursor", "gemini", "antigravity"];

/** The events of one step in an agent's own shapes; undefined when the agent has no such step. */
export function otherAsks(agent: OtherAgent, step: Step, places: Places, session: string): readonly Ask[] | undefined {
  if (step.stdin !== undefined || step.event !== undefined || step.batch !== undefined || step.fails !== undefined) return undefined;
  const id = step.session === undefined ? session : `${session}-${step.session}`;
  return WIRES[agent](step, places, id);
}

type Wire = (step: Step, places: Places, session: string) => readonly Ask[] | undefined;

function ask(name: string, fields: unknown, expected: string, last: boolean, response?: unknown): Ask {
  return { text: JSON.stringify(fields), name, expected, last, ...(response === undefined ? {} : { response }) };
}

const pathOf = (places: Places, written: string) => (written.startsWith("~/") ? join(places.home, written.slice(2)) : written.startsWith("/") ? written : join(places.repo, written));
const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const printed = (step: Step) => `${step.out ?? ""}${step.err ?? ""}`;
const has = (expected: string | undefined, kind: string) => (expected ?? "silent").split("|").includes(kind);

/** What becomes of an expectation: each of its words by a table. */
function mapped(expected: string | undefined, table: Readonly<Record<string, string>>): string {
  const words = (expected ?? "silent").split("|").flatMap((word) => (table[word] ?? word).split("|"));
  return [...new Set(words)].join("|");
}

/** A note that waits for the result may come with whatever is said of the result. */
function withWaiting(before: string | undefined, after: string): string {
  return has(before, "note") || has(before, "ask") ? `${after}|note` : after;
}

const WIRES: Readonly<Record<OtherAgent, Wire>> = {
  codex(step, places, session) {
    const base = { session_id: session, turn_id: "t", transcript_path: null, cwd: places.repo, model: "m", permission_mode: "bypassPermissions" };
    if (step.prompt !== undefined && step.fetch === undefined) return [ask("UserPromptSubmit", { ...base, hook_event_name: "UserPromptSubmit", prompt: step.prompt }, step.prompt.includes("@") ? mapped(step.expect, { block: "block|silent", note: "note|silent" }) : (step.expect ?? "silent"), true)];
    const tool = codexTool(step, places);
    if (tool === undefined) return undefined;
    const before = ask("PreToolUse", { ...base, hook_event_name: "PreToolUse", ...tool, tool_use_id: "c" }, mapped(step.expect, { ask: "block|note" }), step.out === undefined);
    if (step.out === undefined) return [before];
    const response = step.mcp === undefined ? printed(step) : { content: [{ type: "text", text: step.out }], isError: false };
    return [before, ask("PostToolUse", { ...base, hook_event_name: "PostToolUse", ...tool, tool_response: response, tool_use_id: "c" }, step.after ?? "silent", true, response)];
  },

  gemini(step, places, session) {
    const base = { session_id: session, transcript_path: "/t", cwd: places.repo, timestamp: "2026-11-30T17:03:22.318Z" };
    if (step.prompt !== undefined && step.fetch === undefined) return [ask("BeforeAgent", { ...base, hook_event_name: "BeforeAgent", prompt: step.prompt }, step.expect ?? "silent", true)];
    const tool = geminiTool(step, places);
    const before = ask("BeforeTool", { ...base, hook_event_name: "BeforeTool", ...tool }, mapped(step.expect, { ask: "block|silent", note: "silent" }), step.out === undefined);
    if (step.out === undefined) return [before];
    const wrapped = (text: string, head = "") => `<untrusted_context>\n${head}${text}${head === "" ? "" : "\nProcess Group PGID: 1"}\n</untrusted_context>`;
    const text = step.out.endsWith("\n") && step.bash !== undefined ? printed(step).replace(/\n$/, "") : printed(step);
    const llmContent = step.bash !== undefined ? wrapped(text, "Output: ") : step.mcp !== undefined ? [{ text: wrapped(text) }] : text;
    const after = ask("AfterTool", { ...base, hook_event_name: "AfterTool", ...tool, tool_response: { llmContent, returnDisplay: text } }, withWaiting(step.expect, step.after ?? "silent"), true, llmContent);
    return [before, after];
  },

  cursor(step, places, session) {
    const base = { conversation_id: session, generation_id: "g", model: "m", session_id: session, cursor_version: "3.9.16", workspace_roots: [places.repo], user_email: null, transcript_path: null };
    if (step.prompt !== undefined && step.fetch === undefined) return [ask("beforeSubmitPrompt", { ...base, hook_event_name: "beforeSubmitPrompt", prompt: step.prompt, attachments: [] }, step.expect ?? "silent", true)];
    const last = step.out === undefined;
    const post = (tool_name: string, tool_input: unknown, output: unknown, table: Readonly<Record<string, string>>) =>
      ask("postToolUse", { ...base, hook_event_name: "postToolUse", tool_name, tool_input, tool_output: JSON.stringify(output), cwd: "" }, withWaiting(step.expect, mapped(step.after, table)), true, output);
    if (step.bash !== undefined) {
      const before = ask("beforeShellExecution", { ...base, hook_event_name: "beforeShellExecution", command: step.bash, cwd: places.repo, sandbox: false }, mapped(step.expect, { ask: "ask|block", note: "silent" }), last);
      return last ? [before] : [before, post("Shell", { command: step.bash, cwd: places.repo }, { output: printed(step), exitCode: 0 }, { redact: "note", withhold: "note" })];
    }
    if (step.mcp !== undefined) {
      const [server = "", tool = ""] = step.mcp.split("/");
      const before = ask("beforeMCPExecution", { ...base, hook_event_name: "beforeMCPExecution", tool_name: tool, tool_input: JSON.stringify(step.input ?? {}), mcp_server_name: server, command: "x" }, mapped(step.expect, { ask: "ask|block", note: "silent" }), last);
      return last ? [before] : [before, post(`MCP:${tool}`, step.input ?? {}, { content: [{ type: "text", text: step.out }], isError: false }, {})];
    }
    const tool = cursorTool(step, places);
    const before = ask("preToolUse", { ...base, hook_event_name: "preToolUse", ...tool, tool_use_id: "u", cwd: "" }, mapped(step.expect, { ask: "silent|block", note: "silent" }), last);
    // What was read is not delivered: the note is about the file as it lies there.
    const output = step.read === undefined ? printed(step) : { file_path: step.read, content_length: step.out?.length ?? 0 };
    return last ? [before] : [before, post(tool.tool_name, tool.tool_input, output, { redact: "note|silent", withhold: "note|silent", silent: step.read === undefined ? "silent" : "silent|note" })];
  },

  antigravity(step, places, session) {
    const args = antigravityTool(step, places);
    if (args === undefined) return undefined;
    const event = { conversationId: session, workspacePaths: [places.repo], transcriptPath: "/t", artifactDirectoryPath: "/a", modelName: "m", toolCall: args, stepIdx: 1 };
    // No result is delivered: what would be taken out of it may be asked about before the call.
    const taken = has(step.after, "redact") || has(step.after, "withhold");
    return [ask("PreToolUse", event, step.unseen ?? mapped(step.expect, { note: "silent", ...(taken ? { silent: "silent|ask" } : {}) }), true)];
  },
};

function codexTool(step: Step, places: Places): { tool_name: string; tool_input: unknown } | undefined {
  const path = (written: string) => pathOf(places, written);
  const lines = (sign: string, text: string) => text.split("\n").map((line) => `${sign}${line}`).join("\n");
  if (step.bash !== undefined) return { tool_name: "Bash", tool_input: { command: step.bash } };
  if (step.read !== undefined) return { tool_name: "Bash", tool_input: { command: `cat ${quote(path(step.read))}` } };
  if (step.write !== undefined) return { tool_name: "apply_patch", tool_input: { command: `*** Begin Patch\n*** Add File: ${path(step.write)}\n${lines("+", (step.content ?? "").replace(/\n$/, ""))}\n*** End Patch\n` } };
  if (step.edit !== undefined) return { tool_name: "apply_patch", tool_input: { command: `*** Begin Patch\n*** Update File: ${path(step.edit)}\n@@\n${lines("-", step.old ?? "")}\n${lines("+", step.new ?? "")}\n*** End Patch\n` } };
  if (step.mcp !== undefined) return { tool_name: `mcp__${step.mcp.replace("/", "__")}`, tool_input: step.input ?? {} };
  return undefined;
}

function geminiTool(step: Step, places: Places): Readonly<Record<string, unknown>> {
  const path = (written: string) => pathOf(places, written);
  if (step.bash !== undefined) return { tool_name: "run_shell_command", tool_input: { command: step.bash, description: "d" } };
  if (step.read !== undefined) return { tool_name: "read_file", tool_input: { file_path: path(step.read) } };
  if (step.write !== undefined) return { tool_name: "write_file", tool_input: { file_path: path(step.write), content: step.content ?? "" } };
  if (step.edit !== undefined) return { tool_name: "replace", tool_input: { file_path: path(step.edit), instruction: "i", old_string: step.old ?? "", new_string: step.new ?? "" } };
  if (step.fetch !== undefined) return { tool_name: "web_fetch", tool_input: { prompt: `Summarise ${step.fetch}` } };
  if (step.search !== undefined) return { tool_name: "google_web_search", tool_input: { query: step.search } };
  if (step.grep !== undefined) return { tool_name: "grep_search", tool_input: { pattern: step.grep, dir_path: path(step.path ?? ".") } };
  if (step.mcp !== undefined) {
    const [server_name = "", tool_name = ""] = step.mcp.split("/");
    return { tool_name: `mcp_${server_name}_${tool_name}`, tool_input: step.input ?? {}, mcp_context: { server_name, tool_name, command: "x", args: [] } };
  }
  throw new Error(`a step without a call: ${JSON.stringify(step)}`);
}

function cursorTool(step: Step, places: Places): { tool_name: string; tool_input: unknown } {
  const path = (written: string) => pathOf(places, written);
  if (step.read !== undefined) return { tool_name: "Read", tool_input: { file_path: path(step.read) } };
  if (step.write !== undefined) return { tool_name: "Write", tool_input: { file_path: path(step.write), content: step.content ?? "" } };
  if (step.edit !== undefined) return { tool_name: "Write", tool_input: { file_path: path(step.edit), old_string: step.old ?? "", new_string: step.new ?? "" } };
  if (step.fetch !== undefined) return { tool_name: "WebFetch", tool_input: { url: step.fetch } };
  if (step.search !== undefined) return { tool_name: "WebSearch", tool_input: { query: step.search } };
  if (step.grep !== undefined) return { tool_name: "Grep", tool_input: { pattern: step.grep, file_path: path(step.path ?? ".") } };
  throw new Error(`a step without a call: ${JSON.stringify(step)}`);
}

function antigravityTool(step: Step, places: Places): { name: string; args: unknown } | undefined {
  const path = (written: string) => pathOf(places, written);
  if (step.bash !== undefined) return { name: "run_command", args: { CommandLine: step.bash, Cwd: places.repo, WaitMsBeforeAsync: 500 } };
  if (step.read !== undefined) return { name: "view_file", args: { AbsolutePath: path(step.read) } };
  if (step.write !== undefined) return { name: "write_to_file", args: { TargetFile: path(step.write), CodeContent: step.content ?? "", Overwrite: true } };
  if (step.edit !== undefined) return { name: "replace_file_content", args: { TargetFile: path(step.edit), TargetContent: step.old ?? "", ReplacementContent: step.new ?? "", AllowMultiple: false } };
  if (step.fetch !== undefined) return { name: "read_url_content", args: { Url: step.fetch } };
  if (step.search !== undefined) return { name: "search_web", args: { query: step.search } };
  if (step.grep !== undefined) return { name: "grep_search", args: { Query: step.grep, SearchPath: path(step.path ?? ".") } };
  if (step.mcp !== undefined) return { name: `mcp_${step.mcp.replace("/", "_")}`, args: step.input ?? {} };
  return undefined;
}

const PLACEHOLDER = /\[leak0:[a-z0-9-]+:[0-9a-f]{8}\]/;
const FRAME = "\nThe tool ran. Its result, with only the values replaced:\n";

/** An answer as the agent's client reads it. Throws with the reason when the client would go on as if nothing was said. */
export function readOther(agent: OtherAgent, { stdout, stderr, code }: Answer, ask: Ask): Seen {
  if (code === 2) {
    if (stdout !== "" || stderr.trim() === "") throw new Error("exit 2 needs text on stderr and nothing on stdout");
    return { kind: "refused", message: stderr };
  }
  if (code !== 0 || stderr !== "") throw new Error(`exit code ${code}, ${stderr}`);
  if (stdout === "") return { kind: "silent", message: "" };
  const said = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  if (/"(?:permissionDecision|permission|decision)"\s*:\s*"allow"|updatedInput|updated_input|tool_input|suppressOutput/.test(stdout)) throw new Error(`allow or a changed input was printed: ${stdout}`);
  return READERS[agent](said, ask);
}

type Said = Readonly<Record<string, unknown>>;
type Reader = (said: Said, ask: Ask) => Seen;

/** Exactly these keys, each a text that is not empty. */
function texts(value: unknown, ...keys: readonly string[]): readonly string[] | undefined {
  if (typeof value !== "object" || value === null || Object.keys(value).sort().join() !== [...keys].sort().join()) return undefined;
  const found = keys.map((key) => (value as Said)[key]);
  return found.every((text): text is string => typeof text === "string" && text !== "") ? found : undefined;
}

function replaced(reason: string, ask: Ask): Seen {
  const at = reason.indexOf(FRAME);
  if (at === -1) throw new Error(`a result replaced without its frame: ${reason.slice(0, 200)}`);
  const output = reason.slice(at + FRAME.length);
  return { kind: PLACEHOLDER.test(output) ? "redact" : "withhold", message: reason.slice(0, at), output, ...(typeof ask.response === "string" ? {} : { response: resultText(ask.response) }) };
}

function nested(said: Said, name: string, ...keys: readonly string[]): readonly string[] | undefined {
  if (Object.keys(said).join() !== "hookSpecificOutput") return undefined;
  const found = texts(said["hookSpecificOutput"], "hookEventName", ...keys);
  return found?.[0] === name ? found.slice(1) : undefined;
}

const READERS: Readonly<Record<OtherAgent, Reader>> = {
  codex(said, ask) {
    const deny = nested(said, ask.name, "permissionDecision", "permissionDecisionReason");
    if (deny?.[0] === "deny" && ask.name === "PreToolUse") return { kind: "block", message: deny[1] ?? "" };
    const note = nested(said, ask.name, "additionalContext");
    if (note !== undefined) return { kind: "note", message: note[0] ?? "" };
    const block = texts(said, "decision", "reason");
    if (block?.[0] !== "block" || ask.name === "PreToolUse") throw new Error(`Codex runs the call on this: ${JSON.stringify(said).slice(0, 300)}`);
    return ask.name === "UserPromptSubmit" ? { kind: "block", message: block[1] ?? "" } : replaced(block[1] ?? "", ask);
  },
  gemini(said, ask) {
    const note = nested(said, ask.name, "additionalContext");
    if (note !== undefined && ask.name !== "BeforeTool") return { kind: "note", message: note[0] ?? "" };
    if (ask.name === "AfterTool") {
      const [decision, reason = ""] = texts(said, "decision", "reason") ?? [];
      if (decision === "deny") return replaced(reason, ask);
    }
    const [decision, reason = "", shown] = texts(said, "decision", "reason", "systemMessage") ?? [];
    if (decision !== "deny" || shown !== reason) throw new Error(`Gemini runs the call on this: ${JSON.stringify(said).slice(0, 300)}`);
    return { kind: "block", message: reason };
  },
  cursor(said, ask) {
    if (ask.name === "postToolUse") {
      const { updated_mcp_tool_output: output, additional_context: context, ...rest } = said;
      if (Object.keys(rest).length > 0 || (output === undefined && typeof context !== "string")) throw new Error(`not an answer: ${JSON.stringify(said)}`);
      const message = String(context ?? "");
      return output === undefined ? { kind: "note", message } : { kind: PLACEHOLDER.test(JSON.stringify(output)) ? "redact" : "withhold", message, output };
    }
    if (ask.name === "beforeSubmitPrompt") {
      if (said["continue"] === false) return { kind: "block", message: String(said["user_message"]) };
      return { kind: "note", message: String(said["additional_context"]) };
    }
    const [permission = "", message = "", agent] = texts(said, "permission", "user_message", "agent_message") ?? texts(said, "permission", "user_message") ?? [];
    const kind = { deny: "block", ask: "ask" }[permission];
    if (kind === undefined || (agent !== undefined && agent !== message)) throw new Error(`not an answer: ${JSON.stringify(said)}`);
    return { kind, message };
  },
  antigravity(said) {
    const [decision = "", message = ""] = texts(said, "decision", "reason") ?? [];
    const kind = { deny: "block", force_ask: "ask" }[decision];
    if (kind === undefined) throw new Error(`Antigravity denies on this: ${JSON.stringify(said)}`);
    return { kind, message };
  },
};
