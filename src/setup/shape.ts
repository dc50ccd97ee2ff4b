/**
 * PoisonZero's entries in the hook settings of the agents: where they stand and, for every agent but Claude Code
 * (entries.ts), what they look like and whether a change weakens them (L-148, L-154, U-003).
 *
 * Trust: both texts of a change may come from the agent (B5). Hook path: no package, no system. A command line here is a
 * promise: Codex ties the person's trust to every character of it, so it stays the same across versions.
 */
import type { Agent } from "../call/effect.ts";
import { quoted } from "../call/shell/quoting.ts";
import { CHOSEN, SPECIFIED } from "../limits.ts";
import type { System } from "../system.ts";
import { isObject, isOurHandler, type JsonObject, type OurEntry } from "./entries.ts";

export type OtherAgent = Exclude<Agent, "claude">;

/** How hook entries stand in an agent's settings file. */
export interface Shape {
  /** Member of the root object that holds a list for each event. */
  readonly container: string;
  /** Handlers stand in the lists themselves, not in groups inside them. */
  readonly flat: boolean;
  /** Members the agent wants beside the lists, in a container that setup makes. */
  readonly inside: JsonObject;
  /** Members the agent wants beside the container. */
  readonly beside: JsonObject;
  /** The agent reads over comments. */
  readonly comments: boolean;
  readonly isOurs: (handler: unknown) => boolean;
}

/** One event PoisonZero is called at, with the time limit in the agent's own unit. */
interface Row {
  readonly event: string;
  readonly timeout: number;
  /** A matcher where the agent wants one to match every tool. */
  readonly matcher?: string;
}

const BEFORE = SPECIFIED.entry_before_s;
const AFTER = SPECIFIED.entry_after_s;

/** Events by agent. Nothing is entered where nothing could be answered and nothing has to be remembered. */
const ROWS: Readonly<Record<OtherAgent, readonly Row[]>> = {
  codex: [
    { event: "PreToolUse", timeout: BEFORE },
    { event: "PostToolUse", timeout: AFTER },
    { event: "UserPromptSubmit", timeout: BEFORE },
    { event: "SessionStart", timeout: BEFORE },
    { event: "SessionEnd", timeout: CHOSEN.codex_session_end_s },
  ],
  // Events that only the IDE knows are left out: the command line tool is said to drop a file with an event it does not know.
  cursor: [
    { event: "preToolUse", timeout: BEFORE },
    { event: "beforeShellExecution", timeout: BEFORE },
    { event: "beforeMCPExecution", timeout: BEFORE },
    { event: "beforeReadFile", timeout: BEFORE },
    { event: "postToolUse", timeout: AFTER },
    { event: "beforeSubmitPrompt", timeout: BEFORE },
    { event: "sessionStart", timeout: BEFORE },
    { event: "sessionEnd", timeout: BEFORE },
  ],
  // Milliseconds here.
  gemini: [
    { event: "BeforeTool", timeout: BEFORE * 1_000, matcher: "*" },
    { event: "AfterTool", timeout: AFTER * 1_000, matcher: "*" },
    { event: "BeforeAgent", timeout: BEFORE * 1_000 },
    { event: "SessionStart", timeout: BEFORE * 1_000 },
    { event: "SessionEnd", timeout: BEFORE * 1_000 },
  ],
  antigravity: [{ event: "PreToolUse", timeout: BEFORE, matcher: "*" }],
};

/** The shape of each agent's file. */
export const SHAPES: Readonly<Record<Agent, Shape>> = {
  claude: { container: "hooks", flat: false, inside: {}, beside: {}, comments: false, isOurs: isOurHandler },
  codex: { container: "hooks", flat: false, inside: {}, beside: {}, comments: false, isOurs: ours("codex") },
  cursor: { container: "hooks", flat: true, inside: {}, beside: { version: 1 }, comments: true, isOurs: ours("cursor") },
  gemini: { container: "hooks", flat: false, inside: {}, beside: {}, comments: true, isOurs: ours("gemini") },
  antigravity: {
    container: "poisonzero",
    flat: false,
    inside: { enabled: true },
    beside: {},
    comments: false,
    isOurs: ours("antigravity"),
  },
};

/** What setup puts into each event's list, in this order. */
export function itemsOf(agent: OtherAgent, launcher: string, platform: System["platform"]): ReadonlyMap<string, JsonObject> {
  return new Map(ROWS[agent].map((row) => [row.event, itemOf(agent, row, launcher, platform)]));
}

function itemOf(agent: OtherAgent, { event, timeout, matcher }: Row, launcher: string, platform: System["platform"]): JsonObject {
  const command = commandLine(agent, event, launcher, platform);
  switch (agent) {
    case "cursor":
      return { command, timeout };
    case "gemini":
      return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", name: "poisonzero", command, timeout }] };
    default:
      return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, timeout }] };
  }
}

/** The line the agent's shell runs. Antigravity's payload names no event, so the line does. */
export function commandLine(agent: OtherAgent, event: string, launcher: string, platform: System["platform"]): string {
  const plain = platform === "windows" ? /^[\w.:\\/-]+$/ : /^[\w./-]+$/;
  const program = plain.test(launcher) ? launcher : platform === "windows" ? `"${launcher}"` : quoted(launcher);
  return `${program} hook ${agent}${agent === "antigravity" ? ` ${event}` : ""}`;
}

const LINE =
  /^\s*(?:"((?:[^"]*[\\/])?poisonzero(?:\.exe)?)"|'((?:[^']*[\\/])?poisonzero(?:\.exe)?)'|((?:[^\s"']*[\\/])?poisonzero(?:\.exe)?))\s+hook\s+([a-z]{1,16})(?:\s|$)/;

function ours(agent: OtherAgent): (handler: unknown) => boolean {
  return (handler) => {
    if (!isObject(handler) || (handler.type !== undefined && handler.type !== "command")) return false;
    return typeof handler.command === "string" && LINE.exec(handler.command)?.[4] === agent;
  };
}

/** The program an entry of ours starts; undefined when its line is not ours. */
export function programIn(handler: JsonObject): string | undefined {
  const match = typeof handler.command === "string" ? LINE.exec(handler.command) : null;
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** An entry of ours, with its place in the event's list: Codex's trust hangs on it. */
export interface PlacedEntry extends OurEntry {
  readonly place: string;
}

/** Every entry of ours in a settings value. */
export function placedEntries(shape: Shape, settings: JsonObject | undefined): readonly PlacedEntry[] {
  const container = settings?.[shape.container];
  if (!isObject(container)) return [];
  return Object.entries(container).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((item: unknown, index): PlacedEntry[] => {
      if (shape.flat) return isObject(item) && shape.isOurs(item) ? [{ event, group: {}, handler: item, place: `${index}` }] : [];
      if (!isObject(item) || !Array.isArray(item.hooks)) return [];
      const { hooks, ...group } = item;
      return (hooks as readonly unknown[]).flatMap((handler, inner) =>
        isObject(handler) && shape.isOurs(handler) ? [{ event, group, handler, place: `${index}:${inner}` }] : [],
      );
    }),
  );
}

/** A settings text as the agent reads it; undefined when it ignores the whole file. A blank one is empty settings. */
export function readAs(shape: Shape, text: string): JsonObject | undefined {
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (bare.trim() === "") return {};
  try {
    const value: unknown = shape.comments ? Bun.JSONC.parse(bare) : JSON.parse(bare);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The member for which an agent ignores a whole settings file that is not blank; undefined when it does not. */
export function refusedFor(agent: OtherAgent, settings: JsonObject): string | undefined {
  switch (agent) {
    case "codex":
      return Object.keys(settings).find((name) => name !== "hooks" && name !== "description");
    case "cursor":
      return Number.isInteger(settings.version) ? undefined : "version";
    case "antigravity":
      return "enabled" in settings ? "enabled" : undefined;
    default:
      return undefined;
  }
}

/** Which events lack an entry, and where it differs from what setup writes. Without a known launcher any path to one is right. */
export function checkShape(
  agent: OtherAgent,
  settings: JsonObject | undefined,
  launcher: string | undefined,
  platform: System["platform"],
): { readonly missing: readonly string[]; readonly different: readonly string[] } {
  const entries = placedEntries(SHAPES[agent], settings);
  const missing: string[] = [];
  const different: string[] = [];
  for (const event of ROWS[agent].map((row) => row.event)) {
    const here = entries.filter((entry) => entry.event === event);
    const [entry] = here;
    if (entry === undefined) missing.push(event);
    else if (here.length > 1 || !isAsWritten(agent, entry, launcher ?? programIn(entry.handler) ?? "", platform)) different.push(event);
  }
  return { missing, different };
}

function isAsWritten(agent: OtherAgent, { event, group, handler }: PlacedEntry, launcher: string, platform: System["platform"]): boolean {
  const wanted = itemsOf(agent, launcher, platform).get(event);
  if (wanted === undefined) return false;
  const { statusMessage: _, ...written } = handler;
  if (SHAPES[agent].flat) return Bun.deepEquals(written, wanted);
  const { matcher, ...rest } = group;
  const { hooks, matcher: __, ...wantedRest } = wanted;
  return matchesAll(matcher) && Bun.deepEquals(rest, wantedRest) && Bun.deepEquals(written, (hooks as readonly unknown[])[0]);
}

function matchesAll(matcher: unknown): boolean {
  return matcher === undefined || matcher === "" || matcher === "*";
}

/**
 * True when the change of a settings file takes an entry of ours away, alters it, moves it where that loses its trust,
 * switches hooks off, or makes the agent ignore the file. False when `before` holds none of ours and nothing is switched off.
 */
export function weakensEntries(agent: OtherAgent, before: string, after: string): boolean {
  const shape = SHAPES[agent];
  const was = readAs(shape, before);
  const is = readAs(shape, after);
  if (switchedOff(agent, is) !== undefined && switchedOff(agent, was) === undefined) return true;
  const entries = placedEntries(shape, was);
  if (entries.length === 0) return false;
  if (was !== undefined && is !== undefined && refusedFor(agent, is) !== undefined && refusedFor(agent, was) === undefined) return true;
  const remaining = placedEntries(shape, is);
  return !entries.every((entry) => remaining.some((other) => isAtLeast(agent, other, entry)));
}

/**
 * True when a settings text calls PoisonZero at every event setup enters it at, whatever the tool, and the agent reads it.
 * Whether its programs are there is another question.
 */
export function callsEverywhere(agent: OtherAgent, settings: JsonObject, platform: System["platform"]): boolean {
  if (refusedFor(agent, settings) !== undefined || switchedOff(agent, settings) !== undefined) return false;
  const entries = placedEntries(SHAPES[agent], settings);
  return (
    checkShape(agent, settings, undefined, platform).missing.length === 0 &&
    entries.every(({ group, handler }) => matchesAll(group.matcher) && matchesAll(handler.matcher))
  );
}

/** True when a settings text calls PoisonZero at any event. */
export function holdsEntries(agent: OtherAgent, text: string): boolean {
  return placedEntries(SHAPES[agent], readAs(SHAPES[agent], text)).length > 0;
}

function isAtLeast(agent: OtherAgent, other: PlacedEntry, entry: PlacedEntry): boolean {
  if (other.event !== entry.event || (agent === "codex" && other.place !== entry.place)) return false;
  const { matcher: otherMatcher, ...otherGroup } = other.group;
  const { matcher, ...group } = entry.group;
  if (otherMatcher !== matcher && !(agent !== "codex" && matchesAll(otherMatcher))) return false;
  const { timeout: otherTimeout, ...otherHandler } = other.handler;
  const { timeout, ...handler } = entry.handler;
  const longer = agent !== "codex" && typeof otherTimeout === "number" && typeof timeout === "number" && otherTimeout >= timeout;
  return (longer || otherTimeout === timeout) && Bun.deepEquals(otherGroup, group) && Bun.deepEquals(otherHandler, handler);
}

/** The member by which a settings file switches its hooks, ours among them, off; undefined when it does not. */
export function switchedOff(agent: OtherAgent, settings: JsonObject | undefined): string | undefined {
  if (settings === undefined) return undefined;
  switch (agent) {
    case "gemini": {
      const { hooksConfig: config } = settings;
      if (!isObject(config)) return undefined;
      if (config.enabled === false) return "hooksConfig.enabled";
      const off: readonly unknown[] = Array.isArray(config.disabled) ? config.disabled : [];
      return off.some((name) => typeof name === "string" && /poisonzero/.test(name)) ? "hooksConfig.disabled" : undefined;
    }
    case "antigravity": {
      const { poisonzero: own } = settings;
      return isObject(own) && own.enabled === false ? "poisonzero.enabled" : undefined;
    }
    default:
      return undefined;
  }
}
