/**
 * Antigravity's hook event to calls. The payload names no event: the entry's command does.
 *
 * Trust: every byte is hostile. The client is closed and its builds spell arguments differently (`CommandLine`, `command`),
 * so a value is looked up under several keys, their case and underscores aside; what fits no tool is of kind "other".
 */
import type { Action, Edit } from "../../call/effect.ts";
import { absoluteFolder, type Event, type Fields, fieldsOf, isFields, textIn, type Told, type Unreadable } from "../adapter.ts";

/** Decodes one event. Only a tool about to run can be judged: neither prompts nor results are delivered. */
export function decode(text: string, { event, platform }: Told): Event | Unreadable {
  const read = fieldsOf(text);
  if (!("fields" in read)) return read;
  const { toolCall, workspacePaths: roots, conversationId } = read.fields;
  const name = event === "" && isFields(toolCall) ? "PreToolUse" : event;
  if (name !== "PreToolUse") return { name, calls: [] };
  const tool = isFields(toolCall) ? textIn(toolCall.name) : undefined;
  if (tool === undefined || !isFields(toolCall)) return { unreadable: "it names no tool" };
  const input = plain(toolCall.args);
  const workspace = Array.isArray(roots) ? absoluteFolder(roots[0]) : "";
  const cwd = absoluteFolder(pick(input, ["cwd", "workingdirectory", "directory"])) || workspace;
  const action = actionOf(tool, input, toolCall.args, platform === "windows" ? "powershell" : "bash");
  return { name, calls: [{ agent: "antigravity", stage: "before", session: textIn(conversationId) ?? "", cwd, tool, action }] };
}

const PATH = ["absolutepath", "targetfile", "filepath", "path", "file", "uri"];

function actionOf(tool: string, input: Fields, raw: unknown, dialect: "bash" | "powershell"): Action {
  const other: Action = { kind: "other", input: raw };
  const path = pick(input, PATH);
  const folder = pick(input, ["searchpath", "searchdirectory", "directorypath", ...PATH]) ?? ".";
  const content = pick(input, ["codecontent", "content", "filecontent", "text"]);
  const server = pick(input, ["servername", "server"]);
  const named = pick(input, ["toolname"]);
  switch (tool) {
    case "view_file":
    case "read_file":
    case "view_file_outline":
    case "view_code_item":
      return path === undefined ? other : { kind: "read", path };
    case "grep_search":
    case "code_search":
    case "codebase_search":
      return { kind: "search", path: folder, showsContent: true };
    case "list_dir":
    case "find_by_name":
      return { kind: "search", path: folder, showsContent: false };
    case "write_to_file":
    case "create_file":
      return path === undefined || content === undefined ? other : { kind: "write", path, content };
    case "replace_file_content":
    case "multi_replace_file_content":
    case "edit_file": {
      const edits = editsOf(input);
      return path === undefined || edits.length === 0 ? other : { kind: "edit", path, edits };
    }
    case "delete_file":
      return path === undefined ? other : { kind: "remove", path };
    case "search_web": {
      const query = pick(input, ["query"]);
      return query === undefined ? other : { kind: "search web", text: query };
    }
  }
  // A line typed into a running command goes to a shell unless something else runs in it.
  const typed = tool === "send_command_input" ? pick(input, ["input", "text", "chars"]) : undefined;
  const command = pick(input, ["commandline", "command", "cmd"]) ?? typed;
  if (command !== undefined) return { kind: "shell", dialect, command };
  if (server !== undefined && named !== undefined) return { kind: "mcp", server, tool: named, input: input.arguments ?? input.args ?? raw };
  const mcp = /^mcp_{1,2}([^_/]{1,64})(?:_{1,2}|\/)(.{1,128})$/.exec(tool);
  if (mcp !== null) return { kind: "mcp", server: mcp[1] ?? "", tool: mcp[2] ?? "", input: raw };
  // Last: a tool of a server may send more than the address.
  const url = pick(input, ["url"]);
  return url === undefined ? other : { kind: "fetch", url, text: "" };
}

function editsOf(input: Fields): readonly Edit[] {
  const chunks = input.replacementchunks;
  return (Array.isArray(chunks) ? chunks.map(plain) : [input]).flatMap((chunk): Edit[] => {
    const replacement = pick(chunk, ["replacementcontent", "newstring", "newcontent"]);
    if (replacement === undefined) return [];
    const all = chunk.allowmultiple === true;
    return [{ old: pick(chunk, ["targetcontent", "oldstring", "oldcontent"]) ?? "", new: replacement, all }];
  });
}

/** The fields under names without case and underscores. */
function plain(value: unknown): Fields {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.replaceAll("_", "").toLowerCase(), field]));
}

function pick(input: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = textIn(input[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}
