/**
 * Agents this version does not protect, each with its reason (L-103 … L-105, D-30). `status` names those it finds by their
 * folders and programs; the whole list stands in the README.
 */
import type { System } from "../system.ts";
import { onPath } from "./others.ts";

/** An agent without protection. */
export interface Unsupported {
  readonly title: string;
  readonly reason: string;
}

interface Known extends Unsupported {
  /** Files or folders below the home that show it is used. */
  readonly files?: readonly string[];
  readonly programs?: readonly string[];
}

const LATER = "it has hooks, and this version does not support them yet";
const NONE = "no hook that could be used is known";

/** What those without a usable hook leave behind, where it is theirs alone. */
const FOUND_BY: Readonly<Record<string, Pick<Known, "files" | "programs">>> = {
  "Continue (IDE extension)": { files: [".continue"] },
  Trae: { files: [".trae"] },
  Plandex: { programs: ["plandex"] },
  Warp: { files: [".warp"], programs: ["warp-terminal"] },
  "Letta Code": { files: [".letta"], programs: ["letta"] },
  Tabby: { files: [".tabby"], programs: ["tabby"] },
  "Google Jules CLI": { programs: ["jules"] },
};

/** Every agent that is known and not protected. */
export const UNSUPPORTED: readonly Known[] = [
  ...later([
    ["GitHub Copilot CLI", [".copilot"], ["copilot"]],
    ["VS Code agent", [], []],
    ["Windsurf", [".codeium/windsurf"], ["windsurf"]],
    ["Cline (macOS and Linux)", [".cline"], ["cline"]],
    ["Kiro", [".kiro"], ["kiro", "kiro-cli"]],
    ["Goose", [".config/goose"], ["goose"]],
    ["Augment (Auggie)", [".augment"], ["auggie"]],
    ["Junie CLI", [".junie"], ["junie"]],
    ["Factory Droid", [".factory"], ["droid"]],
    ["Amp", [".config/amp"], []],
    ["OpenCode", [".config/opencode"], ["opencode"]],
    ["Cortex Code CLI", [".snowflake/cortex"], []],
    ["Qwen Code", [".qwen"], ["qwen"]],
    ["Kilo Code", [".kilocode"], ["kilocode"]],
    ["Crush", [".config/crush"], []],
    ["OpenHands", [".openhands"], ["openhands"]],
    ["Open Interpreter", [".config/open-interpreter"], []],
    ["gptme", [".config/gptme"], ["gptme"]],
    ["Kimi Code CLI", [".kimi"], []],
    ["Mistral Vibe", [".vibe"], []],
    ["Pi", [".pi/agent"], []],
    ["Grok CLI", [".grok"], ["grok"]],
    ["Tabnine CLI", [".tabnine/agent"], []],
  ]),
  {
    title: "Xcode coding assistant",
    reason: "it keeps a configuration of its own under ~/Library/Developer/Xcode/CodingAssistant/",
    files: ["Library/Developer/Xcode/CodingAssistant"],
  },
  {
    title: "Aider",
    reason: "it has no hook system, and commits by itself with --no-verify unless told otherwise",
    files: [".aider.conf.yml"],
    programs: ["aider"],
  },
  { title: "Zed", reason: "it has static rules per tool only", files: [".config/zed"], programs: ["zed"] },
  { title: "Cline on Windows", reason: "it has no hooks there" },
  { title: "Cursor on Windows", reason: "its hooks are not supported there" },
  { title: "Amazon Q Developer CLI", reason: "it is discontinued", files: [".aws/amazonq"] },
  ...[
    ...["Warp", "Roo Code", "Continue (IDE extension)", "Trae", "Void", "Plandex", "Qodo"],
    ...["GitHub Copilot in Visual Studio, JetBrains, Xcode and Eclipse", "JetBrains AI Assistant", "Gemini Code Assist"],
    ...["Android Studio Gemini", "Databricks Assistant", "Snowflake VS Code extension", "Sourcegraph Cody", "Letta Code", "Tabby"],
    ...["Raycast AI", "Google Jules CLI", "Pieces", "Flowise", "Dify", "LibreChat"],
  ].map((title) => ({ title, reason: NONE, ...FOUND_BY[title] })),
];

function later(rows: readonly (readonly [title: string, files: readonly string[], programs: readonly string[]])[]): readonly Known[] {
  return rows.map(([title, files, programs]) => ({ title, reason: LATER, files, programs }));
}

/** The unprotected agents found on this device for the current user. */
export function unsupportedHere(system: System): readonly Unsupported[] {
  return UNSUPPORTED.filter(
    ({ files = [], programs = [] }) =>
      files.some((name) => system.info(`${system.home}/${name}`) !== undefined) || programs.some((name) => onPath(system, name)),
  ).map(({ title, reason }) => ({ title, reason }));
}
