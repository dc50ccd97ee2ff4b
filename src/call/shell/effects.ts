/** Entry of the shell room: the effects of one shell command. */
import type { Effect } from "../effect.ts";
import type { World } from "../path.ts";
import { Budget } from "./budget.ts";
import { type Core, Shell } from "./interpret.ts";
import { type Io, ShowSink, type Sink } from "./sink.ts";
import { Overlay, State } from "./state.ts";

/** Every effect of a bash, zsh or sh command run in `cwd` ("" when unknown). */
export function shellEffects(command: string, cwd: string, world: World): readonly Effect[] {
  const core: Core = {
    world,
    budget: new Budget(),
    overlay: new Overlay(),
    effects: [],
    doubts: new Set(),
    pending: [],
    pipes: new Map(),
    left: [],
    descriptor: FIRST_DESCRIPTOR,
  };
  const state = new State(cwd === "" ? undefined : cwd, new Map(), new Map(), new Map(), [], [], undefined);
  const shell = new Shell(core, state, (text) => text, false);
  const show = new ShowSink((effect) => shell.emit(effect));
  const io: Io = { stdin: [], out: new Map<number, Sink>([[1, show], [2, show]]), inputs: new Map() };
  try {
    shell.runText(command, io, { same: true, remote: false, environment: new Map() });
    for (const sink of core.left) sink.close();
  } catch {
    // Only nesting beyond the engine's stack gets here; what was found so far stands.
    shell.unread(command);
    shell.doubt("the command is nested too deeply");
  }
  return core.effects;
}

/** Above every descriptor a script is likely to open itself. */
const FIRST_DESCRIPTOR = 1000;
