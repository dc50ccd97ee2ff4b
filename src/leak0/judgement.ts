/** What leak0 concludes about one event, and what its rules may use to get there. */
import type { Call, Effect } from "../call/effect.ts";
import type { World } from "../call/path.ts";
import type { Leak0Policy } from "../policy/leak0.ts";
import type { Session } from "../session/session.ts";
import type { System } from "../system.ts";
import type { Decision, Finding } from "../verdict.ts";
import type { Files } from "./files.ts";

/** The conclusion an adapter turns into its agent's answer. */
export interface Judgement {
  /** At stage `batch` a `block` ends the turn (D-16); at stage `after` only `redact` and `note` occur. */
  readonly decision: Decision;
  /** Text for the agent, "" when nothing is to be said. Never holds a value. */
  readonly message: string;
  /** Stage `after`: the tool's result in its own shape with values replaced, or withheld. */
  readonly output?: { readonly value: unknown };
  readonly findings: readonly Finding[];
}

/** Everything a rule may look at: one call, its effects, and the doors to evidence. */
export interface Case {
  readonly call: Call;
  readonly effects: readonly Effect[];
  readonly system: System;
  readonly policy: Leak0Policy;
  readonly files: Files;
  readonly session: Session;
}

/** What reading a call may know of the machine. */
export function worldOf({ system }: { readonly system: System }): World {
  return {
    // Most calls ask for neither, and the environment is read when it is asked for.
    get home() {
      return system.home;
    },
    get environment() {
      return system.environment;
    },
    platform: system.platform,
  };
}

/** Nothing to say. */
export const ALLOW: Judgement = { decision: "allow", message: "", findings: [] };
