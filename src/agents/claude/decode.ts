/**
 * Claude Code's hook event (one JSON value on standard input) to calls.
 *
 * Trust: every byte is hostile. Nothing is assumed of a field but what is checked here; a tool input of the
 * wrong shape becomes an action of kind "other", which does nothing that could be judged; its result is checked.
 */
import type { Action, Call, Stage, Literal } from "../../call/effect.ts";
import { absoluteFolder, type Event, type Fields, fieldsOf, isFields, textIn as text, type Unreadable } from "../adapter.ts";

const STAGES: Readonly<Record<string, Stage>> = {
  PreToolUse: "before",
  PostToolUse: "after",
  PostToolUseFailure: "failed",
  PostToolBatch: "batch",
  UserPromptSubmit: "prompt",
  SessionStart: "session start",
  SessionEnd: "session end",
};

/** Decodes one event: a `PostToolBatch` holds one call per tool result, any other event exactly one. */
export function decode(text: string): Event | Unreadable {
  const read = fieldsOf(text);
  if (!("fields" in read)) return read;
  const event = eventOf(read.fields);
  // Cursor runs the hooks of Claude Code's settings, too.
  return typeof read.fields.cursor_version === "string" && "calls" in event ? { ...event, runBy: "cursor" } : event;
}

function eventOf(value: Fields): Event | Unreadable {
  const name = value.hook_event_name;
  if (typeof name !== "string" || name === "") return { unreadable: "it names no event" };
  const stage = STAGES[name];
  if (stage === undefined) return { name, calls: [] };

  const base = {
    agent: "claude",
    stage,
    session: typeof value.session_id === "string" ? value.session_id : "",
    cwd: absoluteFolder(value.cwd),
  } as const;
  switch (stage) {
    case "before":
    case "after":
    case "failed":
      if (typeof value.tool_name !== "string") return { unreadable: "it names no tool" };
      return {
        name,
        calls: [
          {
            ...base,
            tool: value.tool_name,
            action: action(value.tool_name, value.tool_input),
            response: stage === "failed" ? value.error : value.tool_response,
          },
        ],
      };
    case "batch":
      return { name, calls: batch(value.tool_calls).map((call) => ({ ...base, ...call })) };
    case "prompt":
      if (value.prompt !== undefined && typeof value.prompt !== "string") return { unreadable: "its prompt is no text" };
      return {
        name,
        calls: [
          { ...base, tool: "prompt", action: { kind: "other", input: {} }, prompt: typeof value.prompt === "string" ? value.prompt : "" },
        ],
      };
    case "session start":
    case "session end":
      return { name, calls: [{ ...base, tool: "session", action: { kind: "other", input: {} } }] };
  }
}

function batch(calls: unknown): readonly Pick<Call, "tool" | "action" | "response">[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isFields).map((call) => {
    const tool = typeof call.tool_name === "string" ? call.tool_name : "";
    return { tool, action: action(tool, call.tool_input), response: call.tool_response };
  });
}

/** Tool names and inputs as Claude Code 2.1 spells them; older spellings (`Task`, `MultiEdit`, `NotebookRead`) still occur. */
function action(tool: string, input: unknown): Action {
  const other: Action = { kind: "other", input };
  if (tool.startsWith("mcp__")) {
    const [, server = "", ...name] = tool.split("__");
    return { kind: "mcp", server, tool: name.join("__"), input };
  }
  if (!isFields(input)) return other;
  const path = text(input.file_path) ?? text(input.notebook_path) ?? text(input.path);
  switch (tool) {
    case "Bash":
    case "PowerShell":
    case "PreSkillShellCommand": {
      const command = text(input.command);
      return command === undefined ? other : { kind: "shell", dialect: tool === "PowerShell" ? "powershell" : "bash", command };
    }
    case "Read":
    case "NotebookRead":
      return path === undefined ? other : { kind: "read", path };
    case "Grep":
      return {
        kind: "search",
        path: path ?? ".",
        showsContent: input.output_mode === "content",
        ...onlyLinesWith(input.pattern, input, input["-i"] === true),
      };
    case "Glob":
    case "LS":
      return { kind: "search", path: path ?? ".", showsContent: false };
    case "Write": {
      const content = text(input.content);
      return path === undefined || content === undefined ? other : { kind: "write", path, content };
    }
    case "Edit":
      return path === undefined ? other : edit(path, [input], other);
    case "MultiEdit":
      return path === undefined || !Array.isArray(input.edits) ? other : edit(path, input.edits, other);
    case "NotebookEdit": {
      const source = text(input.new_source);
      return path === undefined || source === undefined ? other : { kind: "edit", path, edits: [{ old: "", new: source, all: false }] };
    }
    case "WebFetch": {
      const url = text(input.url);
      return url === undefined ? other : { kind: "fetch", url, text: text(input.prompt) ?? "" };
    }
    case "WebSearch": {
      const query = text(input.query);
      return query === undefined ? other : { kind: "search web", text: query };
    }
    case "ReadMcpResourceTool": {
      const server = text(input.server);
      return server === undefined ? other : { kind: "mcp", server, tool: "read_resource", input: { uri: input.uri } };
    }
    default: {
      // A tool of another version that takes a command line (`Monitor`) starts it like Bash does.
      const command = text(input.command);
      return command === undefined ? other : { kind: "shell", dialect: "bash", command };
    }
  }
}

/** A pattern that is a plain text, where nothing but the lines with it is shown: no field asks for lines around them. */
function onlyLinesWith(pattern: unknown, input: Fields, ignoreCase: boolean): { readonly only?: Literal } {
  const around = ["-A", "-B", "-C", "context", "multiline"].some((name) => Boolean(input[name]));
  if (around || typeof pattern !== "string" || pattern === "" || /[\\^$.*+?()[\]{}|\n]/.test(pattern)) return {};
  return { only: { text: pattern, ignoreCase } };
}

function edit(path: string, edits: readonly unknown[], other: Action): Action {
  const read = edits
    .filter(isFields)
    .map((one) => ({ old: text(one.old_string) ?? "", new: text(one.new_string) ?? "", all: one.replace_all === true }));
  return read.length === 0 ? other : { kind: "edit", path, edits: read };
}
