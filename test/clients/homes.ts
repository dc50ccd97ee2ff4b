/** What each client needs to run headless against the scripted model, and the script in its own tools. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustHash } from "../../src/setup/codex-config.ts";
import { placedEntries, SHAPES } from "../../src/setup/shape.ts";
import type { Client } from "./client.ts";
import type { ToolCall, Turn } from "./model.ts";

/** Where a run takes place. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly repo: string;
  /** The model's address. */
  readonly model: string;
  /** The MCP server `notes`, where the scenario has one. */
  readonly notes?: { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** A client's part of a run. */
export interface Home {
  /** Files below the home folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  args(prompt: string): readonly string[];
  /** A tool call of the script, which is written in Claude Code's tools; undefined for one the client does not have. */
  call(call: ToolCall, place: Place): ToolCall | undefined;
  /** Its hook settings, as a command of the script may name them. */
  readonly settings: string;
  /** What the person does once after setup. */
  confirm?(place: Place): void;
}

/** The client's home at a place. */
export function homeOf(client: Client, place: Place): Home {
  return { claude, codex, gemini, cursor: claude, antigravity: claude }[client.agent](place, client.codeMode === true);
}

/** The script in the client's own tools; undefined when it lacks one. */
export function turnsOf(client: Client, home: Home, place: Place, turns: readonly Turn[]): readonly Turn[] | undefined {
  const own: Turn[] = [];
  for (const turn of turns) {
    const calls = (turn.calls ?? []).map((call) => home.call(call, place));
    if (!calls.every((call) => call !== undefined)) return undefined;
    const spoken = turn.text === undefined ? {} : { text: turn.text };
    own.push(calls.length === 0 ? spoken : { ...spoken, calls: client.codeMode ? [inCode(calls)] : calls });
  }
  return own;
}

/** Code mode: the model writes JavaScript that calls the tools. */
function inCode(calls: readonly ToolCall[]): ToolCall {
  const lines = calls.map(({ name, namespace, input }, index) => {
    const tool = namespace === undefined ? name : `${namespace}__${name}`;
    return `const r${index} = await tools.${tool}(${JSON.stringify(input)});\ntext(r${index});`;
  });
  return { name: "exec", custom: true, input: lines.join("\n") };
}

function claude({ root, model, notes }: Place): Home {
  const mcp = join(root, "mcp.json");
  if (notes !== undefined) writeFileSync(mcp, JSON.stringify({ mcpServers: { notes: { type: "stdio", ...notes } } }));
  return {
    settings: "~/.claude/settings.json",
    files: { ".claude/settings.json": '{"skipWebFetchPreflight":true}\n' },
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "dummy-key",
      API_TIMEOUT_MS: "20000",
      ENABLE_TOOL_SEARCH: "false",
      IS_SANDBOX: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_BUG_COMMAND: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    args: (prompt) => [
      ...["-p", prompt, "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5"],
      ...["--permission-mode", "bypassPermissions", ...(notes === undefined ? [] : ["--mcp-config", mcp])],
    ],
    call: (call) => call,
  };
}

const field = (call: ToolCall, name: string) => String((call.input as Readonly<Record<string, unknown>>)[name] ?? "");
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const signed = (sign: string, text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}\n`)
    .join("");

function codex({ home, model, notes, repo }: Place, codeMode: boolean): Home {
  const server =
    notes === undefined
      ? []
      : [
          "[mcp_servers.notes]",
          `command = ${JSON.stringify(notes.command)}`,
          `args = ${JSON.stringify(notes.args)}`,
          `env = { ${Object.entries(notes.env)
            .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
            .join(", ")} }`,
        ];
  const config = [
    `model = "${codeMode ? "gpt-6.2-sol" : "gpt-5.5"}"`,
    'model_provider = "scripted"',
    "check_for_update_on_startup = false",
    'web_search = "disabled"',
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = "${model}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "supports_websockets = false",
    "[analytics]\nenabled = false\n[feedback]\nenabled = false",
    `[projects."${repo}"]\ntrust_level = "trusted"`,
    ...server,
  ];
  return {
    settings: "~/.codex/hooks.json",
    files: { ".codex/config.toml": `${config.join("\n")}\n` },
    env: { CODEX_HOME: join(home, ".codex"), SCRIPTED_KEY: "dummy", RUST_LOG: "error" },
    args: (prompt) => ["exec", "--skip-git-repo-check", "--json", "--dangerously-bypass-approvals-and-sandbox", prompt],
    call(call) {
      const path = field(call, "file_path");
      const shell = (cmd: string): ToolCall => ({ name: "exec_command", input: { cmd } });
      const patch = (text: string): ToolCall => ({ name: "apply_patch", custom: true, input: `*** Begin Patch\n${text}*** End Patch\n` });
      if (call.name.startsWith("mcp__notes__")) return { ...call, namespace: "mcp__notes", name: call.name.slice("mcp__notes__".length) };
      switch (call.name) {
        case "Bash":
          return shell(field(call, "command"));
        case "Read":
          return shell(`sed -n 1,400p ${quoted(path)}`);
        case "Write":
          return patch(`*** Add File: ${path}\n${signed("+", field(call, "content"))}`);
        case "Edit":
          return patch(`*** Update File: ${path}\n@@\n${signed("-", field(call, "old_string"))}${signed("+", field(call, "new_string"))}`);
        default:
          return undefined;
      }
    },
    confirm: trust,
  };
}

/** What Codex writes once the person has trusted the hooks in its review; the hash is computed as `status` does. */
function trust({ home }: Place): void {
  const file = join(home, ".codex/hooks.json");
  const entries = placedEntries(SHAPES.codex, JSON.parse(readFileSync(file, "utf8")));
  const snake = (event: string) => event.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
  const states = entries.map(
    (entry) => `[hooks.state."${file}:${snake(entry.event)}:${entry.place}"]\ntrusted_hash = "${trustHash(entry)}"\nenabled = true\n`,
  );
  const config = join(home, ".codex/config.toml");
  writeFileSync(config, `${readFileSync(config, "utf8")}\n${states.join("\n")}`);
}

function gemini({ model, notes }: Place): Home {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, enableAutoUpdateNotification: false, disableUpdateNag: true },
    ...(notes === undefined ? {} : { mcpServers: { notes: { ...notes, trust: true } } }),
  };
  return {
    settings: "~/.gemini/settings.json",
    files: { ".gemini/settings.json": `${JSON.stringify(settings, null, 2)}\n` },
    env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: model, GEMINI_TELEMETRY_ENABLED: "false", GEMINI_CLI_NO_RELAUNCH: "true" },
    args: (prompt) => ["-p", prompt, "-o", "json", "--skip-trust", "-m", "gemini-2.5-pro", "--yolo"],
    call(call) {
      const file_path = field(call, "file_path");
      if (call.name.startsWith("mcp__notes__")) return { ...call, name: `mcp_notes_${call.name.slice("mcp__notes__".length)}` };
      switch (call.name) {
        case "Bash":
          return { name: "run_shell_command", input: { command: field(call, "command"), description: "Run a command" } };
        case "Read":
          return { name: "read_file", input: { file_path } };
        case "Write":
          return { name: "write_file", input: { file_path, content: field(call, "content") } };
        case "Edit": {
          const [old_string, new_string] = [field(call, "old_string"), field(call, "new_string")];
          return { name: "replace", input: { file_path, instruction: "Change it", old_string, new_string } };
        }
        case "WebFetch":
          return { name: "web_fetch", input: { prompt: `Summarise ${field(call, "url")}` } };
        default:
          return undefined;
      }
    },
  };
}
