/**
 * Trying an entry as the agent would: its own command, with an event that carries a made-up secret and one that does not
 * (U-016). Nothing of the events is carried out, and nothing is remembered of them: the home they name cannot exist, so
 * no key, log or session of the person is touched.
 *
 * Trust: the settings may have been written by the agent. Only a command that reads exactly as setup writes it is run, and
 * the caller has made sure that nobody else can have changed the program it names. Each run is bounded in time.
 */
import type { Agent } from "../call/effect.ts";
import { CHOSEN, SPECIFIED } from "../limits.ts";
import { commandLine, type PlacedEntry, programIn } from "../setup/shape.ts";
import type { System } from "../system.ts";
import { brokenPromise } from "./promise.ts";
import { madeUpSecret, PLAIN, sampleOf } from "./sample.ts";

/** A home that no process can make: a device is no folder. */
const NO_HOME = "/dev/null/poisonzero-doctor";

/** An entry of ours as the agent would start it. */
export interface Command {
  /** The program its command names. */
  readonly program: string;
  readonly argv: readonly string[];
}

/** What the agent would start for an entry; undefined when it is not exactly what setup writes. */
export function commandOf(system: System, agent: Agent, { event, handler }: PlacedEntry): Command | undefined {
  const { command, args } = handler;
  if (typeof command !== "string") return undefined;
  // Claude Code starts a command with arguments directly; every other line goes through a shell.
  if (agent === "claude")
    return Bun.deepEquals(args, ["hook", "claude"]) ? { program: command, argv: [command, "hook", "claude"] } : undefined;
  const program = programIn(handler);
  if (program === undefined || command !== commandLine(agent, event, program, system.platform)) return undefined;
  const words = ["hook", agent, ...(agent === "antigravity" ? [event] : [])];
  return { program, argv: system.platform === "windows" ? [program, ...words] : ["/bin/sh", "-c", command] };
}

/** What is wrong with an entry's answers, in words for a person; undefined when they are as promised. */
export function tryEntry(system: System, agent: Agent, { event }: PlacedEntry, { argv }: Command, enforced: boolean): string | undefined {
  const sample = sampleOf(agent, event);
  if (sample === undefined) return undefined;
  const words = sample.telling ? [undefined, madeUpSecret(system)] : [undefined];
  for (const secret of words) {
    const finished = system.run(argv, {
      cwd: system.platform === "windows" ? (system.environment.SystemRoot ?? "C:\\") : "/",
      environment: { ...system.environment, HOME: NO_HOME, USERPROFILE: NO_HOME },
      stdin: new TextEncoder().encode(`${JSON.stringify(sample.payload(secret ?? PLAIN))}\n`),
      time_ms_max: SPECIFIED.entry_before_s * 1_000,
      stdout_bytes_max: CHOSEN.doctor_answer_bytes,
    });
    const broken = brokenPromise({ agent, event, row: sample.row, secret, enforced }, finished);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
