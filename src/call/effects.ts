/**
 * The entry of this room: what one call would do. Pure: no file, clock or process is touched, so the
 * same call always means the same (design §2). Never throws for hostile input; what cannot be told is `uncertain`.
 */
import type { Call, Effect } from "./effect.ts";
import type { World } from "./path.ts";
import { powershellEffects } from "./powershell/effects.ts";
import { shellEffects } from "./shell/effects.ts";
import { toolEffects } from "./tools.ts";

export type { World } from "./path.ts";

/** Every effect of a call, in the order it would happen. */
export function effectsOf(call: Call, world: World): readonly Effect[] {
  if (call.action.kind !== "shell") return toolEffects(call, world);
  return call.action.dialect === "powershell"
    ? powershellEffects(call.action.command, call.cwd, world)
    : shellEffects(call.action.command, call.cwd, world);
}
