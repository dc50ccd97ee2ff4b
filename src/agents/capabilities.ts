/**
 * What each agent lets a hook do, per event (U-009). Replies, `status` and the README's table are driven by
 * this table and nothing else knows an agent's abilities. Source: agent-hooks reference, observed on the real clients.
 */
import type { Agent } from "../call/effect.ts";

/** What a hook's answer can make the agent do at one event. */
export interface Abilities {
  /** Stop the call or the prompt before it happens. */
  readonly block: boolean;
  /**
   * Pause and ask the person in the agent's own dialog (L-049); `unreliable`: current builds may let the call run without
   * asking, so that a question which must not be lost is not left to it (D-14).
   */
  readonly ask: boolean | "unreliable";
  /** Give the model a text (L-006); `with the result`: only after the tool has run, so the note waits for that event. */
  readonly note: boolean | "with the result";
  /** Replace values inside the result and keep the rest as the agent's own result (L-089, D-15). */
  readonly redactValue: boolean;
  /** Replace the whole result with a text of ours, which may be the redacted copy (L-089, D-15). */
  readonly replaceWhole: boolean;
  /** The person's own input is seen here and can be stopped (L-090). */
  readonly input: boolean;
  /** Keep a result from the model altogether: in its place, or by ending the turn (D-16, L-094, L-098). */
  readonly withhold: boolean;
  /** Files the prompt's text names with `@` go with it. */
  readonly attaches?: true;
  /** The event whose waiting notes are said here. */
  readonly notesOf?: string;
}

const NOTHING: Abilities = {
  block: false,
  ask: false,
  note: false,
  redactValue: false,
  replaceWhole: false,
  input: false,
  withhold: false,
};
const VALUE = { redactValue: true, withhold: true };
const WHOLE = { replaceWhole: true, withhold: true };
const LATER = "with the result";
const PROMPT = { block: true, input: true };

/** An event of an agent, or the part of it that concerns some tools, with what can be done there. */
type Events = Readonly<Record<string, Abilities>>;

/** Events by the agents' own names; an event that is not listed is answered with silence. */
export const CAPABILITIES: Readonly<Record<Agent, Events>> = {
  claude: {
    PreToolUse: { ...NOTHING, block: true, ask: true, note: true },
    PostToolUse: { ...NOTHING, ...VALUE, note: true },
    PostToolUseFailure: { ...NOTHING, note: true },
    PostToolBatch: { ...NOTHING, withhold: true },
    UserPromptSubmit: { ...NOTHING, ...PROMPT, note: true, attaches: true },
    SessionStart: NOTHING,
    SessionEnd: NOTHING,
  },
  codex: {
    PreToolUse: { ...NOTHING, block: true, note: true },
    // Comes behind PreToolUse, which has said what there is to say.
    PermissionRequest: { ...NOTHING, block: true, note: LATER },
    PostToolUse: { ...NOTHING, ...WHOLE, note: true },
    UserPromptSubmit: { ...NOTHING, ...PROMPT, note: true },
    SessionStart: NOTHING,
    SessionEnd: NOTHING,
  },
  cursor: {
    // Shell and MCP calls are judged at the events of their own, which can ask.
    preToolUse: { ...NOTHING, block: true, note: LATER },
    beforeShellExecution: { ...NOTHING, block: true, ask: "unreliable", note: LATER },
    beforeMCPExecution: { ...NOTHING, block: true, ask: "unreliable", note: LATER },
    beforeReadFile: { ...NOTHING, block: true, note: LATER },
    beforeTabFileRead: { ...NOTHING, block: true },
    postToolUse: { ...NOTHING, note: true, notesOf: "preToolUse" },
    "postToolUse (Shell)": { ...NOTHING, note: true, notesOf: "beforeShellExecution" },
    "postToolUse (MCP)": { ...NOTHING, ...VALUE, note: true, notesOf: "beforeMCPExecution" },
    beforeSubmitPrompt: { ...NOTHING, ...PROMPT, note: true, attaches: true },
    sessionStart: NOTHING,
    sessionEnd: NOTHING,
  },
  gemini: {
    BeforeTool: { ...NOTHING, block: true, note: LATER },
    AfterTool: { ...NOTHING, ...WHOLE, note: true, notesOf: "BeforeTool" },
    BeforeAgent: { ...NOTHING, ...PROMPT, note: true, attaches: true },
    SessionStart: NOTHING,
    SessionEnd: NOTHING,
  },
  antigravity: {
    PreToolUse: { ...NOTHING, block: true, ask: true },
  },
};

/** The agents' names for people. */
export const TITLES: Readonly<Record<Agent, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  antigravity: "Antigravity CLI",
};

/** The agents' ids, in the order people read them. */
export const AGENTS = Object.keys(TITLES) as readonly Agent[];

/** What no answer of a hook can do in an agent, for `status`: an agent with one of these is partly protected at best (L-095, L-097, V-028). */
export const LIMITS: Readonly<Record<Agent, readonly string[]>> = {
  claude: [],
  codex: [],
  cursor: [
    "what commands print and files hold cannot be changed in Cursor: a value in it gives a note, only results of MCP tools are redacted",
    "Cursor's own question is not reliable in current builds: questions about Git are blocks there",
    "Cursor's print mode (cursor-agent -p) shows hooks no prompt: what is typed there is not checked",
  ],
  gemini: [],
  antigravity: ["Antigravity shows hooks neither prompts nor results: only calls are checked, before they run"],
};

/** Abilities of an agent at one of its events; none for what the table does not list. */
export function abilities(agent: Agent, event: string): Abilities {
  return CAPABILITIES[agent][event] ?? NOTHING;
}

/** Whether an agent shows hooks what its tools return: where it does not, a value is seen before the call or never. */
export function showsResults(agent: Agent): boolean {
  const rows = Object.values(CAPABILITIES[agent]);
  return rows.some(({ redactValue, replaceWhole, withhold }) => redactValue || replaceWhole || withhold);
}
