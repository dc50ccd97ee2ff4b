/** What every shell of one call shares: the effects found, the budget, the disk as this call changed it. */
import type { Effect } from "../effect.ts";
import type { World } from "../path.ts";
import type { Budget } from "./budget.ts";
import type { Shell } from "./interpret.ts";
import type { Handler } from "./invocation.ts";
import type { ParsedScript } from "./parse.ts";
import type { CollectSink, Io, Sink } from "./sink.ts";
import type { Overlay } from "./state.ts";

/** A `>(…)` that waits for what is written to it. */
export interface PendingProcess {
  readonly path: string;
  readonly script: ParsedScript;
  readonly shell: Shell;
  readonly sink: CollectSink;
}

/** Shared by every shell of one call. */
export interface Core {
  readonly world: World;
  /** The handler of a program by its name. */
  readonly handlerOf: (name: string) => Handler | undefined;
  /** Runs PowerShell text in a shell's place. */
  readonly powershell: (text: string, shell: Shell, io: Io) => void;
  readonly budget: Budget;
  readonly overlay: Overlay;
  readonly effects: Effect[];
  readonly doubts: Set<string>;
  /** `>(…)` opened and not yet run. */
  readonly pending: PendingProcess[];
  /** Writers of `>(…)` by path. */
  readonly pipes: Map<string, Sink>;
  /** Files kept open by `exec >f`. */
  readonly left: Sink[];
  /** Next pretended descriptor of a process substitution. */
  descriptor: number;
}
