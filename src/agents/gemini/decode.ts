/**
 * Gemini CLI's hook event to calls.
 *
 * Trust: every byte is hostile; a tool input of the wrong shape becomes an action of kind "other", whose result is checked.
 */
import type { Action, Call, Stage } from "../../call/effect.ts";
import { CHOSEN } from "../../limits.ts";
import { absoluteFolder, type Event, type Fields, fieldsOf, isFields, textIn, type Told, type Unreadable } from "../adapter.ts";

const STAGES: Readonly<Record<string, Stage>> = {
  BeforeTool: "before",
  AfterTool: "after",
  BeforeAgent: "prompt",
  SessionStart: "session start",
  SessionEnd: "session end",
};

/** Decodes one event. Events this product does not use come back with no calls. */
export function decode(text: string, { platform }: Told): Event | Unreadable {
  const read = fieldsOf(text);
  if (!("fields" in read)) return read;
  const { fields } = read;
  const name = textIn(fields.hook_event_name) ?? "";
  if (name === "") return { unreadable: "it names no event" };
  const stage = STAGES[name];
  if (stage === undefined) return { name, calls: [] };
  const base = { agent: "gemini", stage, session: textIn(fields.session_id) ?? "", cwd: absoluteFolder(fields.cwd) } as const;
  if (stage === "before" || stage === "after") {
    const tool = textIn(fields.tool_name);
    if (tool === undefined) return { unreadable: "it names no tool" };
    const acts = { tool, ...actOf(tool, fields, base.cwd, platform === "windows" ? "powershell" : "bash") };
    if (stage === "before") return { name, calls: [{ ...base, ...acts }] };
    const { response, frame } = resultOf(tool, fields.tool_response);
    return { name, calls: [{ ...base, ...acts, response }], ...(frame === undefined ? {} : { frame }) };
  }
  const none = { kind: "other", input: {} } as const;
  if (stage !== "prompt") return { name, calls: [{ ...base, tool: "session", action: none }] };
  if (fields.prompt !== undefined && typeof fields.prompt !== "string") return { unreadable: "its prompt is no text" };
  return { name, calls: [{ ...base, tool: "prompt", action: none, prompt: fields.prompt ?? "" }] };
}

type Act = Pick<Call, "action"> & { readonly cwd: string };

/** A call's action and the folder it runs in. */
function actOf(tool: string, event: Fields, cwd: string, dialect: "bash" | "powershell"): Act {
  const { tool_input: input, mcp_context: mcp } = event;
  if (isFields(mcp) || tool.startsWith("mcp_")) {
    const server = (isFields(mcp) ? textIn(mcp.server_name) : undefined) ?? tool.split("_")[1] ?? "";
    const name = (isFields(mcp) ? textIn(mcp.tool_name) : undefined) ?? tool.split("_").slice(2).join("_");
    return { cwd, action: { kind: "mcp", server, tool: name, input } };
  }
  if (!isFields(input)) return { cwd, action: { kind: "other", input } };
  const folder = textIn(input.dir_path) ?? textIn(input.directory);
  if (tool !== "run_shell_command") return { cwd, action: actionOf(tool, input, folder, dialect) };
  const within = folder === undefined || folder === "" ? cwd : absoluteFolder(folder) || (cwd === "" ? "" : `${cwd}/${folder}`);
  return { cwd: within, action: actionOf(tool, input, folder, dialect) };
}

/** Tool names and inputs as Gemini CLI 0.61 spells them; older spellings (`absolute_path`, `search_file_content`) still occur. */
function actionOf(tool: string, input: Fields, folder: string | undefined, dialect: "bash" | "powershell"): Action {
  const other: Action = { kind: "other", input };
  const path = textIn(input.file_path) ?? textIn(input.absolute_path) ?? textIn(input.path);
  switch (tool) {
    case "read_file":
      return path === undefined ? other : { kind: "read", path };
    case "read_many_files": {
      const [first, ...more] = list(input.include).concat(list(input.paths));
      return first === undefined ? other : { kind: "read", path: first, more };
    }
    case "write_file": {
      const content = textIn(input.content);
      return path === undefined || content === undefined ? other : { kind: "write", path, content };
    }
    case "replace": {
      const edit = { old: textIn(input.old_string) ?? "", new: textIn(input.new_string) ?? "", all: input.allow_multiple === true };
      return path === undefined ? other : { kind: "edit", path, edits: [edit] };
    }
    case "save_memory": {
      const fact = textIn(input.fact);
      return fact === undefined ? other : { kind: "edit", path: "~/.gemini/GEMINI.md", edits: [{ old: "", new: fact, all: false }] };
    }
    case "grep_search":
    case "search_file_content":
      return { kind: "search", path: folder ?? path ?? ".", showsContent: true };
    case "glob":
    case "list_directory":
      return { kind: "search", path: folder ?? path ?? ".", showsContent: false };
    case "web_fetch": {
      const text = textIn(input.prompt) ?? textIn(input.url);
      if (text === undefined) return other;
      const [url, ...more] = addresses(text);
      // The text goes to the model's own service; what leaves are the addresses in it.
      return url === undefined ? { kind: "search web", text } : { kind: "fetch", url, text: "", more };
    }
    case "google_web_search": {
      const query = textIn(input.query);
      return query === undefined ? other : { kind: "search web", text: query };
    }
    default: {
      const command = textIn(input.command);
      return command === undefined ? other : { kind: "shell", dialect, command };
    }
  }
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** The addresses in a text, each once. */
function addresses(text: string): readonly string[] {
  const found = text.matchAll(/\bhttps?:\/\/[^\s<>"'`]{1,8192}/g).map(([url]) => url.replace(/[.,;:!?)\]}]{1,8}$/, ""));
  return [...new Set(found)].slice(0, CHOSEN.attachments);
}

const OPEN = "<untrusted_context>\n";
const CLOSE = "\n</untrusted_context>";
const SHELL = "Output: ";
/** What the client writes behind a command's output, a line each. */
const TRAILER = /^(?:Exit Code|Error|Signal|Background PIDs|Process Group PGID): /;

/** The result as the model gets it, with the client's own wrapping set aside so that the tool's text can be compared. */
function resultOf(tool: string, response: unknown): { readonly response: unknown; readonly frame?: NonNullable<Event["frame"]> } {
  if (!isFields(response)) return { response };
  const { llmContent } = response;
  if (typeof llmContent !== "string" || tool !== "run_shell_command") return { response: llmContent };
  let start = llmContent.startsWith(OPEN) ? OPEN.length : 0;
  let end = llmContent.endsWith(CLOSE) ? llmContent.length - CLOSE.length : llmContent.length;
  if (!llmContent.startsWith(SHELL, start)) return { response: llmContent };
  start += SHELL.length;
  for (;;) {
    const line = llmContent.lastIndexOf("\n", end - 1);
    if (line < start || !TRAILER.test(llmContent.slice(line + 1, Math.min(end, line + 64)))) break;
    end = line;
  }
  const body = llmContent.slice(start, end);
  return { response: body === "(empty)" ? "" : body, frame: { before: llmContent.slice(0, start), after: llmContent.slice(end) } };
}
