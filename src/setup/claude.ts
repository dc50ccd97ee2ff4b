/**
 * Claude Code's user settings: our entries in, out, and in step with the mode (L-148, L-150, L-151, L-153, D-21).
 * Trust: as settings.ts.
 */
import type { System } from "../system.ts";
import { setFailRule } from "./edit.ts";
import { checkEntries, claudeItems, parseSettings } from "./entries.ts";
import { reviseEntries, type SettingsChange, type SettingsFile } from "./settings.ts";

/** Claude Code's settings file. */
export const CLAUDE_FILE: SettingsFile = {
  agent: "claude",
  path: claudeSettingsPath,
  items: (_, launcher, enforced) => claudeItems(launcher, enforced),
  isInPlace(_, settings, launcher, enforced) {
    const { missing, different } = checkEntries(settings, launcher, enforced);
    return missing.length === 0 && different.length === 0;
  },
  ignores: (text) => parseSettings(text) === undefined,
};

/** The settings file of the current user: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function claudeSettingsPath(system: System): string {
  const folder = system.environment.CLAUDE_CONFIG_DIR;
  return `${folder?.startsWith("/") ? folder.replace(/\/$/, "") : `${system.home}/.claude`}/settings.json`;
}

/** True when Claude Code has been used by this user: its folder or its state file is there. */
export function claudeIsHere(system: System): boolean {
  const path = claudeSettingsPath(system);
  return system.info(path.slice(0, path.lastIndexOf("/"))) !== undefined || system.info(`${system.home}/.claude.json`) !== undefined;
}

/**
 * Brings `onFailure` in line with the mode wherever this user's settings carry our entries (D-21); changes nothing else.
 * Throws like `putEntries`.
 */
export function updateFailRule(system: System, enforced: boolean): readonly SettingsChange[] {
  return reviseEntries(system, CLAUDE_FILE, (text) => setFailRule(text, enforced), { enforced });
}
