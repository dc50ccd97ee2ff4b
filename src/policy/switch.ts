/**
 * Writing the local switch (L-135, L-136, L-141). Command line only.
 * Trust: called after the caller's rights were checked; the data directory must end up readable by every user's hook
 * and writable by the administrator alone, or the setting would not count.
 */
import type { System } from "../system.ts";
import { type Mode, resolveMode } from "./mode.ts";
import { trustsDataFolder } from "./settings-file.ts";

/** Sets leak0's local switch. Throws, in words for a person, when it cannot be written or would not count. */
export function writeLeak0Mode(system: System, mode: Mode): void {
  system.makeFolder(system.dataFolder, 0o755);
  if (!trustsDataFolder(system))
    throw new Error(`the data directory ${system.dataFolder} must belong to root and be writable by nobody else`);
  system.replace(`${system.dataFolder}/leak0mode`, `${mode}\n`, 0o644);
  const problems: string[] = [];
  if (resolveMode(system, "leak0", problems).mode !== mode) throw new Error(problems[0] ?? "the setting was written and does not count");
}

/** Removes leak0's local switch; the profile or off applies again. Throws when it cannot be removed. */
export function clearLeak0Mode(system: System): void {
  system.remove(`${system.dataFolder}/leak0mode`);
}
