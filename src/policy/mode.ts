/**
 * The operating mode of a product and where it comes from (L-117 … L-122, L-133, L-140 … L-143, E-046, U-008).
 *
 * Trust: only files of the data directory that belong to the administrator count (settings-file.ts). A torn,
 * foreign or oversized file reads as "not set"; `problems` says so.
 *
 * Private device (no file `cloud` in the data directory): the local switch `leak0mode`, else off; a profile is
 * ignored (L-133). Cloud device (file `cloud`, written at enrolment): the profile, else off; local settings do
 * not count (L-121).
 */
import type { System } from "../system.ts";
import { parseObject } from "./lists.ts";
import { readSettings, trustsDataFolder } from "./settings-file.ts";

/** What a product does with a hit. */
export const MODES = ["enforce", "observe", "off"] as const;
export type Mode = (typeof MODES)[number];

/** Who decided the mode. */
export type ModeSource = "local" | "profile" | "default";

/** A product's mode, for the hook and for `status`. */
export interface ProductPolicy {
  readonly mode: Mode;
  readonly source: ModeSource;
  /** True on a device steered from the console. */
  readonly cloud: boolean;
  /** Settings that were found and do not count, in words for a person; no path, no content. */
  readonly problems: readonly string[];
}

/** True on a device steered from the console. */
export function onCloud(system: System): boolean {
  return system.info(`${system.dataFolder}/cloud`)?.kind === "file";
}

/** A product's mode and, on a Cloud device, its profile as parsed. */
export interface Resolved extends ProductPolicy {
  readonly profile: Readonly<Record<string, unknown>> | undefined;
}

/** Works out a product's mode; further problems may be added to `problems` by the caller. Never throws. */
export function resolveMode(system: System, product: "leak0" | "exec0", problems: string[]): Resolved {
  const unset: Resolved = { mode: "off", source: "default", cloud: false, profile: undefined, problems };
  if (!trustsDataFolder(system)) {
    if (system.info(system.dataFolder)) problems.push("the data directory does not belong to the administrator alone");
    return unset;
  }
  if (!onCloud(system)) {
    const mode = readMode(system, `${product}mode`, problems);
    return mode ? { ...unset, mode, source: "local" } : unset;
  }
  const name = `${product}.profile`;
  const profile = readProfile(system, name, problems);
  if (profile?.mode === undefined) return { ...unset, cloud: true, profile };
  if (isMode(profile.mode)) return { mode: profile.mode, source: "profile", cloud: true, profile, problems };
  problems.push(`${name} names no known mode`);
  return { ...unset, cloud: true, profile };
}

/** The switch file holds one word and a newline (L-141). */
function readMode(system: System, name: string, problems: string[]): Mode | undefined {
  const { text, problem } = readSettings(system, name);
  if (problem) problems.push(problem);
  if (text === undefined) return undefined;
  const word = text.trim();
  if (isMode(word)) return word;
  problems.push(`${name} names no known mode`);
  return undefined;
}

/** A Cloud profile as parsed, or undefined when there is none that counts. */
export function readProfile(system: System, name: string, problems: string[]): Readonly<Record<string, unknown>> | undefined {
  const { text, problem } = readSettings(system, name);
  if (problem) problems.push(problem);
  if (text === undefined) return undefined;
  const profile = parseObject(text);
  if (!profile) problems.push(`${name} is not a JSON object`);
  return profile;
}

function isMode(value: unknown): value is Mode {
  return MODES.includes(value as Mode);
}
