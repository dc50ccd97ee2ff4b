/** exec0's mode on this device: the same files and rules as leak0, under exec0's names (E-046). Hook path. */
import type { System } from "../system.ts";
import { type ProductPolicy, resolveMode } from "./mode.ts";

/** exec0's mode. Never throws. */
export function resolveExec0(system: System): ProductPolicy {
  return resolveMode(system, "exec0", []);
}
