/** Every target the build knows. */
import { linuxX64 } from "./linux-x64.ts";
import type { Target } from "./target.ts";

export const TARGETS: readonly Target[] = [linuxX64];

/** The target this machine is, or undefined when there is none yet. */
export function hostTarget(): Target | undefined {
  return TARGETS.find((target) => target.name === `${process.platform}-${process.arch}`);
}
