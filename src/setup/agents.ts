/**
 * The agents on this device and how far each is protected (L-102, L-134): the same facts for `status` and setup.
 * Trust: reads the user's settings and Claude Code's managed ones; nothing is run.
 */
import { CHOSEN } from "../limits.ts";
import type { Mode } from "../policy/mode.ts";
import type { System } from "../system.ts";
import { claudeIsHere, claudeSettingsPath, readClaudeSettings } from "./claude.ts";
import { checkEntries, CLAUDE_EVENTS, holdsOurEntries, isWellFormed, type JsonObject, ourEntries, parseSettings } from "./entries.ts";

/** One agent found on the device. */
export interface AgentProtection {
  readonly agent: string;
  readonly title: string;
  readonly state: "protected" | "partly protected" | "not protected";
  /** Why it is not fully protected, in words for a person; empty for a protected one. */
  readonly reasons: readonly string[];
}

/** Agents this version knows of and has no hook for, with the folder that shows they are used. */
const WITHOUT_HOOK = [
  { agent: "codex", title: "Codex", folders: [".codex"] },
  { agent: "cursor", title: "Cursor", folders: [".cursor"] },
  { agent: "gemini", title: "Gemini CLI", folders: [".gemini/settings.json", ".gemini/tmp"] },
  { agent: "antigravity", title: "Antigravity CLI", folders: [".gemini/antigravity-cli", ".gemini/antigravity", ".antigravity"] },
] as const;

const MANAGED_SETTINGS = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  windows: "C:/Program Files/ClaudeCode/managed-settings.json",
} as const;

/** Every agent found for the current user. `enforced`: leak0 or exec0 is in enforce (D-21). Never throws. */
export function protection(system: System, leak0: Mode, enforced: boolean): readonly AgentProtection[] {
  const others = WITHOUT_HOOK.filter(({ folders }) => folders.some((folder) => system.info(`${system.home}/${folder}`)));
  return [
    ...(claudeIsHere(system) ? [claudeProtection(system, leak0, enforced)] : []),
    ...others.map(({ agent, title }) => ({ agent, title, state: "not protected" as const, reasons: ["this version has no hook for it"] })),
  ];
}

function claudeProtection(system: System, leak0: Mode, enforced: boolean): AgentProtection {
  const agent = { agent: "claude", title: "Claude Code" };
  const blocked = claudeBlocked(system, leak0);
  if (blocked) return { ...agent, state: "not protected", reasons: [blocked] };
  const text = readClaudeSettings(system, claudeSettingsPath(system));
  const settings = parseSettings(text) as JsonObject;
  const { missing, different } = checkEntries(settings, undefined, enforced);
  const dropped = CLAUDE_EVENTS.map(({ event }) => event).filter((event) => !missing.includes(event) && !isWellFormed(settings, event));
  const reasons: string[] = [];
  if (dropped.length > 0) reasons.push(`Claude Code ignores the list for ${dropped.join(", ")}: one of its entries is malformed`);
  if (missing.length > 0) reasons.push(`no hook entry for ${missing.join(", ")}: run poisonzero setup`);
  if (different.length > 0) reasons.push(`hook entry changed for ${different.join(", ")}: run poisonzero setup`);
  const gone = ourEntries(text)
    .map(({ handler }) => String(handler.command))
    .find((command) => command.startsWith("/") && !/\s/.test(command) && !system.realPath(command));
  if (gone !== undefined) reasons.push("a hook entry names a program that is not there: run poisonzero setup");
  if (leak0 === "observe") reasons.push("leak0 is in observe mode: hits are logged, nothing is stopped");
  return { ...agent, state: reasons.length === 0 ? "protected" : "partly protected", reasons };
}

/** Why Claude Code is not protected at all; undefined when at least one of our entries runs. */
function claudeBlocked(system: System, leak0: Mode): string | undefined {
  let text: string;
  try {
    text = readClaudeSettings(system, claudeSettingsPath(system));
  } catch (error) {
    return `its settings cannot be used: ${error instanceof Error ? error.message : "unreadable"}`;
  }
  const settings = parseSettings(text);
  if (!settings && text.trim() !== "") return "Claude Code ignores its settings file: comments, trailing commas or a wrong type in it";
  if (!holdsOurEntries(text)) return "no hook entries: run poisonzero setup";
  const managed = system.read(MANAGED_SETTINGS[system.platform], CHOSEN.agent_settings_bytes);
  const rules = managed && parseSettings(new TextDecoder().decode(managed.bytes));
  if (rules?.allowManagedHooksOnly === true || rules?.disableAllHooks === true)
    return "the organisation's managed settings switch users' hooks off";
  if (settings?.disableAllHooks === true) return "its settings switch all hooks off (disableAllHooks)";
  return leak0 === "off" ? "leak0 is off: sudo poisonzero leak0 enforce" : undefined;
}
