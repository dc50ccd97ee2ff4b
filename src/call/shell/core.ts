/** What every shell of one call shares: the effects found, the budget, the disk as this call changed it. */
import type { Effect, Packing, Part } from "../effect.ts";
import type { Mount } from "./mounts.ts";
import type { World } from "../path.ts";
import type { Budget } from "./budget.ts";
import type { Shell } from "./interpret.ts";
import type { Handler, Invocation } from "./invocation.ts";
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

/** Something this call made or uploaded, by the name under which a later command sends it or opens it to everyone. */
export interface Made {
  readonly what: "package" | "image" | "container" | "object";
  readonly name: string;
  readonly packing?: Packing;
  readonly parts?: readonly Part[];
  /** What a container has of this machine. */
  readonly places?: readonly Mount[];
}

/** Shared by every shell of one call. */
export interface Core {
  readonly world: World;
  /** The handler of a program by its name. */
  readonly handlerOf: (name: string) => Handler | undefined;
  /** Puts what substitutions brought into a program's arguments on its outputs, where it prints or quotes them. */
  readonly echo: (invocation: Invocation, known: boolean) => void;
  /** Whether a program puts a secret into a store of secrets: then nothing else is to be told of it. */
  readonly keeps: (invocation: Invocation) => boolean;
  /** Tells what a program that is not known may send to an address it is given. */
  readonly contact: (invocation: Invocation) => void;
  /** Tells what the variables set in front of a program start or contact. */
  readonly hooks: (invocation: Invocation) => void;
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
  readonly made: Made[];
  /** Files kept open by `exec >f`. */
  readonly left: Sink[];
  /** The `&&` chain the command at hand belongs to, and how many there were. */
  chain: number;
  chains: number;
  /** Next pretended descriptor of a process substitution. */
  descriptor: number;
}
