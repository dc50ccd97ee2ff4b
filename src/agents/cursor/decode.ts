/**
 * Cursor's hook event to calls, IDE and CLI. Shell and MCP calls come twice: they are judged at the events of their own,
 * which can ask, and not at `preToolUse`.
 *
 * Trust: every byte is hostile; a tool input of the wrong shape becomes an action of kind "other".
 */
import type { Action, Call } from "../../call/effect.ts";
import { absoluteFolder, type Event, type Fields, fieldsOf, isFields, textIn, type Unreadable } from "../adapter.ts";

const NONE: Action = { kind: "other", input: {} };

/** Decodes one event. Events this product does not use come back with no calls. */
export function decode(text: string): Event | Unreadable {
  const read = fieldsOf(text);
  if (!("fields" in read)) return read;
  const { fields } = read;
  const name = textIn(fields.hook_event_name) ?? "";
  if (name === "") return { unreadable: "it names no event" };
  const base = {
    agent: "cursor",
    session: textIn(fields.session_id) ?? textIn(fields.conversation_id) ?? "",
    cwd: folderOf(fields),
  } as const;
  const one = (call: Omit<Call, keyof typeof base>, row?: string): Event => ({
    name,
    calls: [{ ...base, ...call }],
    ...(row === undefined ? {} : { row }),
  });
  switch (name) {
    case "preToolUse": {
      const tool = textIn(fields.tool_name);
      if (tool === undefined) return { unreadable: "it names no tool" };
      if (tool === "Shell" || tool.startsWith("MCP:")) return { name, calls: [] };
      return one({ stage: "before", tool, action: actionOf(tool, fields.tool_input) });
    }
    case "beforeShellExecution": {
      const command = textIn(fields.command);
      if (command === undefined) return { unreadable: "it names no command" };
      return one({ stage: "before", tool: "Shell", action: shell(command) });
    }
    case "beforeMCPExecution": {
      const tool = textIn(fields.tool_name);
      if (tool === undefined) return { unreadable: "it names no tool" };
      return one({ stage: "before", tool: `MCP:${tool}`, action: mcp(textIn(fields.mcp_server_name), tool, fields.tool_input) });
    }
    case "beforeReadFile":
    case "beforeTabFileRead": {
      const path = textIn(fields.file_path);
      if (path === undefined) return { unreadable: "it names no file" };
      return one({ stage: "before", tool: name === "beforeReadFile" ? "Read" : "TabRead", action: { kind: "read", path } });
    }
    case "postToolUse":
      return after(fields, one);
    case "beforeSubmitPrompt": {
      if (fields.prompt !== undefined && typeof fields.prompt !== "string") return { unreadable: "its prompt is no text" };
      return one({ stage: "prompt", tool: "prompt", action: NONE, prompt: fields.prompt ?? "", attached: attachedTo(fields) });
    }
    case "sessionStart":
    case "sessionEnd":
      return one({ stage: name === "sessionStart" ? "session start" : "session end", tool: "session", action: NONE });
    default:
      return { name, calls: [] };
  }
}

function after(fields: Fields, one: (call: Omit<Call, "agent" | "session" | "cwd">, row?: string) => Event): Event | Unreadable {
  const tool = textIn(fields.tool_name);
  if (tool === undefined) return { unreadable: "it names no tool" };
  const output = parsed(fields.tool_output);
  if (tool.startsWith("MCP:")) {
    return one({ stage: "after", tool, action: mcp(undefined, tool.slice(4), fields.tool_input), response: output }, "postToolUse (MCP)");
  }
  const action = actionOf(tool, fields.tool_input);
  if (tool === "Shell") {
    const response = isFields(output) && typeof output.output === "string" ? output.output : output;
    return one({ stage: "after", tool, action, response }, "postToolUse (Shell)");
  }
  // What was read is not delivered, only its length.
  return one(action.kind === "read" ? { stage: "after", tool, action, unseen: true } : { stage: "after", tool, action, response: output });
}

/** Tool names as Cursor spells them; the inputs of the writing tools are known from third parties only. */
function actionOf(tool: string, input: unknown): Action {
  const other: Action = { kind: "other", input };
  if (!isFields(input)) return other;
  const path = textIn(input.file_path) ?? textIn(input.path) ?? textIn(input.target_file);
  const content = textIn(input.content) ?? textIn(input.contents) ?? textIn(input.text);
  const edits = (Array.isArray(input.edits) ? input.edits : [input])
    .filter(isFields)
    .filter(({ new_string }) => typeof new_string === "string")
    .map(({ old_string, new_string, replace_all }) => ({
      old: textIn(old_string) ?? "",
      new: textIn(new_string) ?? "",
      all: replace_all === true,
    }));
  const url = textIn(input.url);
  const query = textIn(input.query) ?? textIn(input.search_term);
  switch (tool) {
    case "Read":
      return path === undefined ? other : { kind: "read", path };
    case "Grep":
      return { kind: "search", path: path ?? ".", showsContent: true };
    case "Glob":
    case "LS":
      return { kind: "search", path: path ?? ".", showsContent: false };
    case "Delete":
      return path === undefined ? other : { kind: "remove", path };
    case "Task":
      return other;
    default: {
      if (path !== undefined && edits.length > 0) return { kind: "edit", path, edits };
      if (path !== undefined && content !== undefined) return { kind: "write", path, content };
      if (url !== undefined) return { kind: "fetch", url, text: "" };
      if (query !== undefined && /web/i.test(tool)) return { kind: "search web", text: query };
      const command = textIn(input.command);
      return command === undefined ? other : shell(command);
    }
  }
}

function shell(command: string): Action {
  return { kind: "shell", dialect: "bash", command };
}

function mcp(server: string | undefined, tool: string, input: unknown): Action {
  return { kind: "mcp", server: server ?? "", tool, input: parsed(input) };
}

/** Inputs and results of MCP tools come as JSON inside a string. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The call's folder is often left empty; the workspace stands for it. */
function folderOf({ cwd, workspace_roots: roots }: Fields): string {
  const named = absoluteFolder(cwd);
  return named === "" && Array.isArray(roots) ? absoluteFolder(roots[0]) : named;
}

function attachedTo({ attachments }: Fields): readonly string[] {
  if (!Array.isArray(attachments)) return [];
  return attachments.filter(isFields).flatMap(({ file_path }) => {
    const path = absoluteFolder(file_path);
    return path === "" ? [] : [path];
  });
}
