/** Where Claude Code looks for the organisation's settings, which count for every user. Hook path: no package, no system. */
import type { System } from "../system.ts";

const FOLDERS: Readonly<Record<System["platform"], string>> = {
  linux: "/etc/claude-code",
  darwin: "/Library/Application Support/ClaudeCode",
  windows: "C:/Program Files/ClaudeCode",
};

/** The organisation's own file. */
export function organisationFile(platform: System["platform"]): string {
  return `${FOLDERS[platform]}/managed-settings.json`;
}

/** Further files beside it: one for each program that adds to them. */
export function managedParts(platform: System["platform"]): string {
  return `${FOLDERS[platform]}/managed-settings.d`;
}

/** The one that is PoisonZero's alone. */
export function ownManagedFile(platform: System["platform"]): string {
  return `${managedParts(platform)}/poisonzero.json`;
}
