/**
 * The entry of this room: what one call would do. Pure: no file, clock or process is touched, so the
 * same call always means the same (design §2). Never throws for hostile input; what cannot be told is `uncertain`.
 */
import type { Call, Effect } from "./effect.ts";
import type { World } from "./path.ts";
import { PowerShell } from "./powershell/reader.ts";
import { Budget } from "./shell/budget.ts";
import { contact } from "./shell/commands/contact.ts";
import { environmentHooks } from "./shell/commands/hooks.ts";
import { keepsSecret } from "./shell/commands/secret-stores.ts";
import { echoArguments } from "./shell/commands/echoed.ts";
import { handlerOf } from "./shell/commands/table.ts";
import { everydayEffects } from "./shell/everyday.ts";
import type { Core } from "./shell/core.ts";
import { freshState, Shell } from "./shell/interpret.ts";
import { type Io, ShowSink, type Sink } from "./shell/sink.ts";
import { Overlay } from "./shell/state.ts";
import { toolEffects } from "./tools.ts";

export type { World } from "./path.ts";

/** Descriptors of process substitutions start above every one a script is likely to open itself. */
const FIRST_DESCRIPTOR = 1000;

/** Every effect of a call, in the order it would happen. `budget`: the work it may cause. */
export function effectsOf(call: Call, world: World, budget: Budget = new Budget()): readonly Effect[] {
  const { action } = call;
  return action.kind === "shell"
    ? commandEffects(action.dialect, action.command, call.cwd, world, budget)
    : toolEffects(call, world, (command) => commandEffects("bash", command, call.cwd, world, budget));
}

/** Every effect of a command run in `cwd` ("" when unknown). */
function commandEffects(dialect: "bash" | "powershell", command: string, cwd: string, world: World, budget: Budget): readonly Effect[] {
  const everyday = dialect === "bash" ? everydayEffects(command, cwd) : undefined;
  if (everyday !== undefined) return everyday;
  const core: Core = {
    world,
    handlerOf,
    echo: echoArguments,
    keeps: keepsSecret,
    contact,
    hooks: environmentHooks,
    powershell: (text, shell, io) => new PowerShell(shell).script(text, io),
    budget,
    overlay: new Overlay(),
    effects: [],
    doubts: new Set(),
    pending: [],
    pipes: new Map(),
    made: [],
    left: [],
    chain: 0,
    chains: 0,
    descriptor: FIRST_DESCRIPTOR,
  };
  const shell = new Shell(core, freshState(cwd === "" ? undefined : cwd), (text) => text, false);
  const show = new ShowSink((effect) => shell.emit(effect));
  const io: Io = {
    stdin: [],
    out: new Map<number, Sink>([
      [1, show],
      [2, show],
    ]),
    inputs: new Map(),
  };
  try {
    if (dialect === "powershell") core.powershell(command, shell, io);
    else shell.runText(command, io, { same: true, remote: false, environment: new Map() });
    for (const sink of core.left) sink.close();
  } catch {
    // Only nesting beyond the engine's stack gets here; what was found so far stands.
    shell.unread(command);
    shell.unreadPart("the command is nested too deeply");
  }
  return core.effects;
}
