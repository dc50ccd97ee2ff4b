/** leak0's policy on this device: mode, own lists, and whether people may approve (L-117 … L-143). Hook path. */
import type { System } from "../system.ts";
import { type Leak0Lists, NO_LISTS, parseLists, parseObject } from "./lists.ts";
import { onCloud, type ProductPolicy, readProfile, resolveMode } from "./mode.ts";
import { readSettings, trustsDataFolder } from "./settings-file.ts";

/** leak0's whole policy. The lists are empty while the mode is off. */
export interface Leak0Policy extends ProductPolicy, Leak0Lists {
  /** L-077 … L-080: people at the device may approve secret files; always true on private devices. */
  readonly userMayApprove: boolean;
}

/** leak0's policy on this device. Never throws. */
export function resolveLeak0(system: System): Leak0Policy {
  const problems: string[] = [];
  const { mode, source, cloud, profile } = resolveMode(system, "leak0", problems);
  const base = { mode, source, cloud, problems, userMayApprove: profile?.userMayApprove !== false };
  if (mode === "off") return { ...base, ...NO_LISTS };
  if (cloud) return { ...base, ...(profile ? lists(profile, "leak0.profile", problems) : NO_LISTS) };
  return { ...base, ...localLists(system, problems) };
}

/** leak0's own lists as they stand on this device, whatever the mode is; what does not count is added to `problems`. */
export function readLists(system: System, problems: string[] = []): Leak0Lists {
  if (!trustsDataFolder(system)) return NO_LISTS;
  if (!onCloud(system)) return localLists(system, problems);
  const profile = readProfile(system, "leak0.profile", problems);
  return profile ? lists(profile, "leak0.profile", problems) : NO_LISTS;
}

function localLists(system: System, problems: string[]): Leak0Lists {
  const name = "leak0.local.json";
  const { text, problem } = readSettings(system, name);
  if (problem) problems.push(problem);
  if (text === undefined) return NO_LISTS;
  const value = parseObject(text);
  if (value) return lists(value, name, problems);
  problems.push(`${name} is not a JSON object`);
  return NO_LISTS;
}

function lists(value: Readonly<Record<string, unknown>>, name: string, problems: string[]): Leak0Lists {
  const parsed = parseLists(value);
  if (typeof parsed !== "string") return parsed;
  problems.push(`${name}: ${parsed}`);
  return NO_LISTS;
}
