/** Steps to hook events in the shapes the real client sends. */
import { join } from "node:path";
import type { Step } from "./case.ts";
import type { Places } from "./template.ts";

/** One event to be answered. */
export interface Ask {
  /** What stands on standard input. */
  readonly text: string;
  readonly name: string;
  /** What was delivered as the tool's result, when this event carries one. */
  readonly response?: unknown;
  readonly expected: string | undefined;
  /** Whether the expectations about message and result of the step belong to this event. */
  readonly last: boolean;
}

/** The events of one filled step, in order. `session` is the client's session id. */
export function asks(step: Step, places: Places, session: string): readonly Ask[] {
  const id = step.session === undefined ? session : `${session}-${step.session}`;
  const base = { session_id: id, transcript_path: join(places.home, ".claude/projects/p/t.jsonl"), cwd: places.repo, permission_mode: "default" };
  const make = (name: string, fields: Readonly<Record<string, unknown>>, expected: string | undefined, last: boolean): Ask => ({
    text: JSON.stringify({ ...base, hook_event_name: name, ...fields }),
    name,
    expected,
    last,
    ...("tool_response" in fields ? { response: fields["tool_response"] } : {}),
  });
  if (step.stdin !== undefined) return [{ text: step.stdin, name: "PreToolUse", expected: step.expect, last: true }];
  if (step.event !== undefined) return [make(String(step.event["hook_event_name"]), step.event, step.expect, true)];
  if (step.prompt !== undefined) return [make("UserPromptSubmit", { prompt: step.prompt }, step.expect, true)];
  if (step.batch !== undefined) {
    const calls = step.batch.map((one, index) => ({ ...tool(one, places), tool_use_id: `toolu_${index}`, tool_response: one.out ?? "" }));
    return [make("PostToolBatch", { tool_calls: calls }, step.expect, true)];
  }
  const call = { ...tool(step, places), tool_use_id: "toolu_0" };
  const result = step.out !== undefined || step.fails !== undefined;
  const before = make("PreToolUse", call, step.expect, !result);
  if (step.fails !== undefined) return [before, make("PostToolUseFailure", { ...call, error: step.fails, is_interrupt: false }, step.after, true)];
  return step.out === undefined ? [before] : [before, make("PostToolUse", { ...call, tool_response: response(step, places), duration_ms: 1 }, step.after, true)];
}

function tool(step: Step, places: Places): { tool_name: string; tool_input: unknown } {
  const path = (written: string) => (written.startsWith("~/") ? join(places.home, written.slice(2)) : written.startsWith("/") ? written : join(places.repo, written));
  if (step.bash !== undefined) return { tool_name: "Bash", tool_input: { command: step.bash, description: "Run a command" } };
  if (step.read !== undefined) return { tool_name: "Read", tool_input: { file_path: path(step.read) } };
  if (step.write !== undefined) return { tool_name: "Write", tool_input: { file_path: path(step.write), content: step.content ?? "" } };
  if (step.edit !== undefined) return { tool_name: "Edit", tool_input: { file_path: path(step.edit), old_string: step.old ?? "", new_string: step.new ?? "", replace_all: false } };
  if (step.fetch !== undefined) return { tool_name: "WebFetch", tool_input: { url: step.fetch, prompt: step.prompt ?? "Summarise" } };
  if (step.search !== undefined) return { tool_name: "WebSearch", tool_input: { query: step.search } };
  if (step.grep !== undefined) return { tool_name: "Grep", tool_input: { pattern: step.grep, path: path(step.path ?? "."), output_mode: step.mode ?? "content" } };
  if (step.mcp !== undefined) return { tool_name: `mcp__${step.mcp.replace("/", "__")}`, tool_input: step.input ?? {} };
  throw new Error(`a step without a call: ${JSON.stringify(step)}`);
}

function response(step: Step, places: Places): unknown {
  const text = step.out ?? "";
  const count = text.split("\n").length;
  if (step.bash !== undefined) return { stdout: text, stderr: step.err ?? "", interrupted: false, isImage: false, noOutputExpected: false };
  if (step.read !== undefined) return { type: "text", file: { filePath: join(places.repo, step.read), content: text, numLines: count, startLine: 1, totalLines: count } };
  if (step.fetch !== undefined) return { bytes: text.length, code: 200, codeText: "OK", result: text, durationMs: 10, url: step.fetch };
  if (step.grep !== undefined) return step.mode === "files_with_matches" ? { mode: step.mode, filenames: text.split("\n").filter(Boolean), numFiles: 1 } : { mode: "content", numFiles: 0, filenames: [], content: text, numLines: count };
  return [{ type: "text", text }];
}
