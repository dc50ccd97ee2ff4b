/**
 * PoisonZero's hook entries in a Claude Code settings file: what they look like, and whether a change weakens them.
 *
 * Trust: both texts may come from the agent (a Write or Edit before it happens, B5). Hook path: no package, no system.
 *
 * A text is read as Claude Code 2.1.332 reads it (observed on the real client): strict JSON, a byte order mark is fine,
 * of two members of one name the last counts. A comment, a trailing comma or text behind the object switches every hook
 * of the file off; so does a wrong type in `model` or `permissions`. One malformed group or handler switches off its event.
 */
import { SPECIFIED } from "../limits.ts";

/** The events PoisonZero is called at. `failClosed`: the entry may carry `onFailure: "block"` (D-21). */
export const CLAUDE_EVENTS = [
  { event: "PreToolUse", timeout_s: SPECIFIED.entry_before_s, failClosed: true },
  { event: "PostToolUse", timeout_s: SPECIFIED.entry_after_s, failClosed: false },
  { event: "PostToolUseFailure", timeout_s: SPECIFIED.entry_after_s, failClosed: false },
  { event: "PostToolBatch", timeout_s: SPECIFIED.entry_after_s, failClosed: false },
  { event: "UserPromptSubmit", timeout_s: SPECIFIED.entry_before_s, failClosed: true },
  { event: "SessionStart", timeout_s: SPECIFIED.entry_before_s, failClosed: false },
  { event: "SessionEnd", timeout_s: SPECIFIED.entry_before_s, failClosed: false },
] as const;

export type ClaudeEvent = (typeof CLAUDE_EVENTS)[number]["event"];
export type JsonObject = Readonly<Record<string, unknown>>;

/** One of our handlers where it stands: its event, its group without the list of handlers, and itself. */
export interface OurEntry {
  readonly event: string;
  readonly group: JsonObject;
  readonly handler: JsonObject;
}

/** How far a settings file calls PoisonZero at every event. */
export interface EntryCheck {
  /** Events without an entry of ours. */
  readonly missing: readonly ClaudeEvent[];
  /** Events whose entry differs from what setup writes: matcher, launcher, timeout, onFailure, further fields. */
  readonly different: readonly ClaudeEvent[];
  /** The file switches all hooks off. */
  readonly hooksOff: boolean;
}

/** The handler setup writes for an event: exec form, so that no shell and no PATH is involved. */
export function claudeHandler(event: ClaudeEvent, launcher: string, enforced: boolean): JsonObject {
  const row = CLAUDE_EVENTS.find((candidate) => candidate.event === event);
  const handler = { type: "command", command: launcher, args: ["hook", "claude"], timeout: row?.timeout_s };
  return row?.failClosed && enforced ? { ...handler, onFailure: "block" } : handler;
}

/** What setup puts into each event's list. */
export function claudeItems(launcher: string, enforced: boolean): ReadonlyMap<string, JsonObject> {
  return new Map(CLAUDE_EVENTS.map(({ event }) => [event, { hooks: [claudeHandler(event, launcher, enforced)] }]));
}

/** A settings text as Claude Code reads it; undefined when it ignores the whole file. */
export function parseSettings(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { model, permissions } = value;
  if (model !== undefined && typeof model !== "string") return undefined;
  if (permissions === undefined) return value;
  if (!isObject(permissions)) return undefined;
  return [permissions.allow, permissions.ask, permissions.deny].every((rules) => rules === undefined || Array.isArray(rules))
    ? value
    : undefined;
}

/** Every entry of ours in a settings text. */
export function ourEntries(text: string): readonly OurEntry[] {
  // A name may be written with JSON escapes; anything else without our name holds nothing of ours.
  if (!text.includes("poisonzero") && !text.includes("\\u")) return [];
  return entriesIn(parseSettings(text));
}

/** True when a settings text calls PoisonZero at any event. */
export function holdsOurEntries(text: string): boolean {
  return ourEntries(text).length > 0;
}

/**
 * True when the change of a settings file takes PoisonZero's entries away or weakens them: entry gone or altered
 * (command, arguments, matcher, `if`, `async`, `once` …), timeout lowered, `onFailure` removed, hooks switched off,
 * file made unreadable. False when `before` holds none of ours.
 */
export function removesOurEntries(before: string, after: string): boolean {
  const entries = ourEntries(before);
  if (entries.length === 0) return false;
  const settings = parseSettings(after);
  if (!settings || turnsHooksOff(before, after)) return true;
  const remaining = entriesIn(settings);
  return !entries.every((entry) => isWellFormed(settings, entry.event) && remaining.some((candidate) => atLeast(candidate, entry)));
}

/**
 * True when the change switches all hooks off, in whichever settings file of Claude Code it is made. `managed`: it is one
 * of the organisation's.
 */
export function turnsHooksOff(before: string, after: string, managed = false): boolean {
  if (!SWITCH.test(after) && !after.includes("\\u")) return false;
  const settings = parseSettings(after);
  return hookSwitch(settings, managed) !== undefined && hookSwitch(parseSettings(before), managed) === undefined;
}

/** Variables that make Claude Code start without any hook when they are set. */
export const UNHOOKING_VARIABLES = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"] as const;

/** Words that every text which switches the hooks off holds, unless it is written with escapes. */
export const SWITCH = /disableAllHooks|allowManagedHooksOnly|strictPluginOnlyCustomization|CLAUDE_CODE_S(?:IMPLE|AFE_MODE)/;

/** Whether a variable set to this is on. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && !/^(?:0|false|no|off|)$/i.test(value));
}

/** The member by which settings switch all hooks off, ours among them; undefined when they do not. */
export function hookSwitch(settings: JsonObject | undefined, managed: boolean): string | undefined {
  if (settings === undefined) return undefined;
  if (settings.disableAllHooks === true) return "disableAllHooks";
  if (managed && entriesIn(settings).length === 0) {
    if (settings.allowManagedHooksOnly === true) return "allowManagedHooksOnly";
    const { strictPluginOnlyCustomization: strict } = settings;
    if (strict === true || list(strict).includes("hooks")) return "strictPluginOnlyCustomization";
  }
  const { env } = settings;
  return isObject(env) ? UNHOOKING_VARIABLES.find((name) => isOn(env[name])) : undefined;
}

/** Compares settings with what setup would write. Without a known launcher any path to one is right. */
export function checkEntries(settings: JsonObject | undefined, launcher: string | undefined, enforced: boolean): EntryCheck {
  const entries = entriesIn(settings);
  const missing: ClaudeEvent[] = [];
  const different: ClaudeEvent[] = [];
  for (const { event } of CLAUDE_EVENTS) {
    const here = entries.filter((entry) => entry.event === event);
    if (here.length === 0) missing.push(event);
    else if (here.length > 1 || !here.every((entry) => isAsWritten(entry, event, launcher, enforced))) different.push(event);
  }
  return { missing, different, hooksOff: hookSwitch(settings, false) !== undefined };
}

/** Every entry of ours in parsed settings. */
export function entriesIn(settings: JsonObject | undefined): readonly OurEntry[] {
  if (!isObject(settings?.hooks)) return [];
  return Object.entries(settings.hooks).flatMap(([event, groups]) =>
    list(groups)
      .filter(isObject)
      .flatMap(({ hooks, ...group }) =>
        list(hooks)
          .filter(isOurHandler)
          .map((handler) => ({ event, group, handler })),
      ),
  );
}

/** False when Claude Code ignores an event's whole list because of one malformed group or handler in it. */
export function isWellFormed(settings: JsonObject, event: string): boolean {
  const groups = isObject(settings.hooks) ? settings.hooks[event] : undefined;
  return (
    Array.isArray(groups) &&
    groups.every((group) => {
      if (!isObject(group) || !Array.isArray(group.hooks)) return false;
      return (group.matcher === undefined || typeof group.matcher === "string") && group.hooks.every(isHandler);
    })
  );
}

const HANDLER_TYPES: readonly unknown[] = ["command", "prompt", "agent", "http", "mcp_tool"];

function isHandler(handler: unknown): boolean {
  if (!isObject(handler) || !HANDLER_TYPES.includes(handler.type)) return false;
  if (handler.timeout !== undefined && typeof handler.timeout !== "number") return false;
  if (handler.type !== "command") return true;
  return typeof handler.command === "string" && (handler.args === undefined || Array.isArray(handler.args));
}

/** True for a handler that starts PoisonZero's Claude hook, in exec form or as a shell line. */
export function isOurHandler(handler: unknown): handler is JsonObject {
  if (!isObject(handler) || typeof handler.command !== "string") return false;
  if (handler.type !== undefined && handler.type !== "command") return false;
  if (!Array.isArray(handler.args)) return SHELL_LINE.test(handler.command);
  return /(?:^|[\\/])poisonzero(?:\.exe)?$/.test(handler.command) && handler.args[0] === "hook" && handler.args[1] === "claude";
}

const SHELL_LINE =
  /^\s*(?:"(?:[^"]*[\\/])?poisonzero(?:\.exe)?"|'(?:[^']*[\\/])?poisonzero(?:\.exe)?'|(?:[^\s"']*[\\/])?poisonzero(?:\.exe)?)\s+hook\s+claude(?:\s|$)/;

/** True for a plain JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `other` calls PoisonZero wherever `entry` did, and no weaker. */
function atLeast(other: OurEntry, entry: OurEntry): boolean {
  if (other.event !== entry.event) return false;
  const { matcher: otherMatcher, ...otherGroup } = other.group;
  const { matcher, ...group } = entry.group;
  if (!matchesAll(otherMatcher) && otherMatcher !== matcher) return false;
  const { timeout: otherTimeout, onFailure: otherOnFailure, statusMessage: _, ...otherHandler } = other.handler;
  const { timeout, onFailure, statusMessage: __, ...handler } = entry.handler;
  if (onFailure === "block" && otherOnFailure !== "block") return false;
  if (otherTimeout !== undefined && otherTimeout !== timeout) {
    if (typeof otherTimeout !== "number" || typeof timeout !== "number" || otherTimeout < timeout) return false;
  }
  return Bun.deepEquals(otherGroup, group) && Bun.deepEquals(otherHandler, handler);
}

/** As setup writes it. */
function isAsWritten(entry: OurEntry, event: ClaudeEvent, launcher: string | undefined, enforced: boolean): boolean {
  const { statusMessage: _, ...handler } = entry.handler;
  const { matcher, ...group } = entry.group;
  const command = launcher ?? String(handler.command);
  return matchesAll(matcher) && Object.keys(group).length === 0 && Bun.deepEquals(handler, claudeHandler(event, command, enforced));
}

function matchesAll(matcher: unknown): boolean {
  return matcher === undefined || matcher === "" || matcher === "*";
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
