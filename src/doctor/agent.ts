/**
 * One agent's health: its settings, its entries, whether they answer as promised, and whether the agent has called (U-016).
 * The last two are different facts: an entry that works is no proof that the agent uses it.
 *
 * Trust: the settings are the user's and may have been written by the agent; only commands exactly as setup writes them are
 * run, and only programs that nobody else could have changed.
 */
import { dirname, join } from "node:path";
import { TITLES } from "../agents/capabilities.ts";
import { auditTail } from "../audit/reading.ts";
import type { Agent } from "../call/effect.ts";
import { CHOSEN } from "../limits.ts";
import type { Mode } from "../policy/mode.ts";
import { dayOf, lastCall } from "../session/seen.ts";
import { AGENT_SETUPS } from "../setup/agents.ts";
import { installationProblem } from "../setup/launcher.ts";
import { hasEntries } from "../setup/settings.ts";
import { type PlacedEntry, placedEntries, programIn, SHAPES } from "../setup/shape.ts";
import type { System } from "../system.ts";
import { type Fact, fine, note, problem } from "./fact.ts";
import { rightsFacts } from "./installation.ts";
import { type Command, commandOf, tryEntry } from "./probe.ts";

/** What is known of one agent. */
export interface AgentHealth {
  readonly agent: Agent;
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Its entries were tried and answered as promised; undefined when none could be tried. */
  readonly adapterWorks: boolean | undefined;
  /** The day it last called, in UTC; undefined when it was never seen. */
  readonly seen: string | undefined;
}

/** The modes and programs an agent's entries are compared with. */
export interface Expected {
  readonly leak0: Mode;
  /** leak0 or exec0 is in enforce (D-21). */
  readonly enforced: boolean;
  /** This installation's launcher; undefined when this program was started without one. */
  readonly launcher: string | undefined;
}

/** Looks at one agent of the current user and tries its entries. */
export function agentHealth(system: System, agent: Agent, expected: Expected): AgentHealth {
  const { hindrance, check } = AGENT_SETUPS[agent];
  const facts: Fact[] = [];
  const hindered = hindrance(system);
  if (hindered !== undefined) facts.push(hindranceFact(hindered.text));
  const { path, settings } = inForce(system, agent);
  const managed = path !== AGENT_SETUPS[agent].file.path(system);
  const setup = managed ? "sudo poisonzero setup --all-users" : `poisonzero setup --agent ${agent}`;
  const entries = placedEntries(SHAPES[agent], settings);
  const day = seenOn(system, agent);
  const seen = seenFact(agent, day, entries.length > 0);
  const health = (more: readonly Fact[], adapterWorks?: boolean): AgentHealth => ({
    ...{ agent, title: TITLES[agent], adapterWorks, seen: day },
    facts: [...facts, ...more, seen],
  });
  if (entries.length === 0) return health(hindered === undefined ? [problem("entries", `no hook entries in ${path}`, setup)] : []);
  const { missing, different } = check(system, settings ?? {}, expected.enforced);
  if (missing.length > 0) facts.push(problem("entries", `no hook entry for ${missing.join(", ")} in ${path}`, setup));
  if (different.length > 0) facts.push(problem("entries", `hook entry changed for ${different.join(", ")} in ${path}`, setup));
  if (missing.length + different.length === 0) facts.push(fine("entries", `${count(entries.length, "entry", "entries")} in ${path}`));
  if (managed) facts.push(...twiceFacts(system, agent));
  const stale = programsOf(entries).flatMap((program) => staleFacts(system, program, expected.launcher, setup));
  facts.push(...stale);
  if (stale.some(({ check, state }) => state === "problem" && check === "program rights"))
    return health([note("adapter", "adapter not tried: somebody else could have changed the program")]);
  if (programsOf(entries).some((program) => installationProblem(system, program) !== undefined)) return health([], false);
  return tried(system, agent, entries, expected.leak0, health);
}

type Report = (more: readonly Fact[], adapterWorks?: boolean) => AgentHealth;

function tried(system: System, agent: Agent, entries: readonly PlacedEntry[], leak0: Mode, health: Report): AgentHealth {
  const runnable = entries.flatMap((entry): (readonly [PlacedEntry, Command])[] => {
    const command = commandOf(system, agent, entry);
    return command === undefined ? [] : [[entry, command]];
  });
  const wrong = new Map<string, string[]>();
  for (const [entry, command] of runnable) {
    const broken = tryEntry(system, agent, entry, command, leak0 === "enforce");
    if (broken === undefined) continue;
    wrong.set(broken, [...(wrong.get(broken) ?? []), entry.event]);
    // Each further one would take as long.
    if (broken.includes("in time")) break;
  }
  const next = "install poisonzero again, then poisonzero doctor";
  const facts = [...wrong].map(([what, events]) => problem("adapter", `adapter does not work: ${events.join(", ")}: it ${what}`, next));
  if (facts.length > 0) return health(facts, false);
  if (runnable.length === 0) return health([note("adapter", "adapter not tried: no entry is as setup writes it")]);
  const tries = `${count(runnable.length, "entry answers", "entries answer")} as promised`;
  return health([fine("adapter", `adapter works: ${tries}${MEANING[leak0]}`)], true);
}

const MEANING: Readonly<Record<Mode, string>> = {
  enforce: ", a made-up secret is stopped and a harmless step goes on",
  observe: "; leak0 observes, so everything goes on",
  off: "; leak0 is off, so nothing is checked",
};

function inForce(system: System, agent: Agent) {
  try {
    return AGENT_SETUPS[agent].inForce(system);
  } catch {
    // Named by the hindrance.
    return { path: AGENT_SETUPS[agent].file.path(system), settings: undefined };
  }
}

/** Claude Code starts an entry of the organisation's and one of the user's own alike, each once. */
function twiceFacts(system: System, agent: Agent): readonly Fact[] {
  const { file } = AGENT_SETUPS[agent];
  let own = false;
  try {
    own = hasEntries(system, file);
  } catch {
    // A file that cannot be read starts nothing.
  }
  if (!own) return [];
  const text = `hook entries in ${file.path(system)} as well, so every step is checked twice`;
  return [problem("entries", text, `poisonzero uninstall --agent ${agent}`)];
}

/** Codex's own confirmation is named as the step it is. */
function hindranceFact(text: string): Fact {
  const typed = text.indexOf(": start codex");
  return typed === -1
    ? problem("settings", text, "correct that, then poisonzero doctor")
    : problem("settings", text.slice(0, typed), text.slice(typed + 2));
}

function programsOf(entries: readonly PlacedEntry[]): readonly string[] {
  return [
    ...new Set(entries.flatMap(({ handler }) => (Array.isArray(handler.args) ? String(handler.command) : (programIn(handler) ?? [])))),
  ];
}

/** Whether an entry leads to this installation: gone, open to others, or another version. */
function staleFacts(system: System, program: string, launcher: string | undefined, setup: string): readonly Fact[] {
  const gone = installationProblem(system, program);
  if (gone !== undefined)
    return [problem("entry program", `the entries start a program that cannot run: ${gone}`, `install poisonzero again, or ${setup}`)];
  if (launcher === undefined || system.realPath(program) === system.realPath(launcher)) return [];
  const open = rightsFacts(system, program).filter(({ state }) => state === "problem");
  const same = isSameProgram(system, program, launcher);
  const text = `the entries start ${program}, ${same ? "a copy of this installation" : "another version than this one"} (${launcher})`;
  return [...open, same ? note("entry program", text) : problem("entry program", text, setup)];
}

/** Two installations with the same bytes are the same version. */
function isSameProgram(system: System, one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => {
    const name = system.platform === "windows" ? "poisonzero.exe" : "poisonzero";
    return join(dirname(system.realPath(path) ?? path), "libexec", name);
  }) as [string, string];
  const size = system.info(system.realPath(a) ?? a)?.size_bytes ?? 0;
  if (size !== system.info(system.realPath(b) ?? b)?.size_bytes) return false;
  for (let at = 0; at < size; at += CHOSEN.doctor_compared_bytes) {
    const [mine, theirs] = [a, b].map((path) => system.read(path, CHOSEN.doctor_compared_bytes, at)?.bytes);
    if (!mine || !theirs || Buffer.compare(mine, theirs) !== 0) return false;
  }
  return true;
}

/** The later of what the hook itself remembers and what the log holds. */
function seenOn(system: System, agent: Agent): string | undefined {
  const logged = auditTail(system, CHOSEN.audit_follow_entries).entries.findLast((entry) => entry.agent === agent);
  const days = [lastCall(system, agent), logged && Date.parse(logged.time)].filter((time) => time !== undefined).map(dayOf);
  return days.sort().at(-1);
}

function seenFact(agent: Agent, day: string | undefined, entered: boolean): Fact {
  if (day !== undefined) return fine("seen", `seen called by the agent on ${day} (UTC)`);
  const next = entered ? `: start ${TITLES[agent]} and let it run a command` : "";
  return note("seen", `not seen called by the agent yet${next}`);
}

function count(number: number, one: string, more: string): string {
  return `${number} ${number === 1 ? one : more}`;
}
