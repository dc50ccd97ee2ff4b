/**
 * Codex's hook event to calls: CLI, `exec` and IDE extension share one engine, direct tools and code mode one shape.
 *
 * Trust: every byte is hostile; a tool input of the wrong shape becomes an action of kind "other", whose result is checked.
 */
import type { Action, Call, Stage } from "../../call/effect.ts";
import { readPatch } from "../../call/patch.ts";
import { quoted } from "../../call/shell/quoting.ts";
import { absoluteFolder, type Event, type Fields, fieldsOf, isFields, textIn, type Told, type Unreadable } from "../adapter.ts";

const STAGES: Readonly<Record<string, Stage>> = {
  PreToolUse: "before",
  PermissionRequest: "before",
  PostToolUse: "after",
  UserPromptSubmit: "prompt",
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
  const base = { agent: "codex", stage, session: textIn(fields.session_id) ?? "", cwd: absoluteFolder(fields.cwd) } as const;
  if (stage === "before" || stage === "after") {
    const tool = textIn(fields.tool_name);
    if (tool === undefined) return { unreadable: "it names no tool" };
    const action = actionOf(tool, fields.tool_input, platform === "windows" ? "powershell" : "bash");
    const call: Call = { ...base, tool, action, ...(stage === "after" ? { response: fields.tool_response } : {}) };
    return { name, calls: [call] };
  }
  const none = { kind: "other", input: {} } as const;
  if (stage !== "prompt") return { name, calls: [{ ...base, tool: "session", action: none }] };
  if (fields.prompt !== undefined && typeof fields.prompt !== "string") return { unreadable: "its prompt is no text" };
  return { name, calls: [{ ...base, tool: "prompt", action: none, prompt: fields.prompt ?? "" }] };
}

/** Tool names and inputs as Codex 0.171 spells them; the shell is always `Bash`, other spellings are those of its own tools. */
function actionOf(tool: string, input: unknown, dialect: "bash" | "powershell"): Action {
  const other: Action = { kind: "other", input };
  if (tool.startsWith("mcp__")) {
    const [, server = "", ...name] = tool.split("__");
    return { kind: "mcp", server, tool: name.join("__"), input };
  }
  if (!isFields(input)) return other;
  const command = commandOf(input);
  switch (tool) {
    case "apply_patch": {
      const patch = textIn(input.command) ?? textIn(input.input) ?? textIn(input.patch);
      const files = patch === undefined ? [] : readPatch(patch);
      const [file] = files;
      // What is no patch the tool refuses, unless it is a command line that brings one.
      if (file === undefined) return command === undefined ? other : { kind: "shell", dialect, command };
      const single = files.length === 1 && file.how === "update" && file.to === undefined && file.edits.length > 0;
      return single ? { kind: "edit", path: file.path, edits: file.edits, loose: true } : { kind: "patch", files };
    }
    case "view_image": {
      const path = textIn(input.path);
      return path === undefined ? other : { kind: "read", path };
    }
    case "read_mcp_resource":
      return { kind: "mcp", server: textIn(input.server) ?? "", tool, input };
    default:
      return command === undefined ? other : { kind: "shell", dialect, command };
  }
}

/** A command line, or a program with its arguments. */
function commandOf({ command, cmd }: Fields): string | undefined {
  const named = command ?? cmd;
  if (typeof named === "string") return named;
  if (!Array.isArray(named) || !named.every((word) => typeof word === "string") || named.length === 0) return undefined;
  const [program = "", flag = "", script] = named;
  if (script !== undefined && named.length === 3 && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-[a-z]{0,4}c$/.test(flag)) return script;
  return named.map(quoted).join(" ");
}
