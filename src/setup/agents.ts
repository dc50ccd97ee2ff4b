/**
 * The agents on this device and how far each is protected (L-102, L-134): the same facts for `status` and setup.
 * Trust: reads the user's settings and Claude Code's managed ones; nothing is run.
 */
import type { Agent } from "../call/effect.ts";
import type { Mode } from "../policy/mode.ts";
import type { System } from "../system.ts";
import { CLAUDE_FILE, claudeIsHere, claudeSettingsPath } from "./claude.ts";
import {
  checkEntries,
  CLAUDE_EVENTS,
  entriesIn,
  hookSwitch,
  isWellFormed,
  type JsonObject,
  type OurEntry,
  parseSettings,
} from "./entries.ts";
import { whyIgnored } from "./ignored.ts";
import { installationProblem } from "./launcher.ts";
import { hindranceOf, isHere, OTHER_FILES, protectionOf } from "./others.ts";
import { managedEntries, managedSwitch } from "./managed.ts";
import { readSettingsFile, type SettingsFile } from "./settings.ts";
import { checkShape, type OtherAgent, readAs, SHAPES } from "./shape.ts";

/** One agent found on the device. */
export interface AgentProtection {
  readonly agent: Agent;
  readonly title: string;
  readonly state: "protected" | "partly protected" | "not protected";
  /** Why it is not fully protected, in words for a person; empty for a protected one. */
  readonly reasons: readonly string[];
}

/** One agent's part in setup, status and uninstall. */
export interface AgentSetup {
  readonly file: SettingsFile;
  /** Where its entries count from: the user's file, or the organisation's where that holds them. Throws when it cannot be read. */
  inForce(system: System): { readonly path: string; readonly settings: JsonObject | undefined };
  /** Whether the agent has been used by this user, or is installed. */
  isHere(system: System): boolean;
  /** Why the entries cannot run; undefined when they can, or would if they were there. Never throws. */
  hindrance(system: System): Hindrance | undefined;
  /** Which events lack an entry and whose is not as setup writes it, whatever launcher it names. `enforced`: as below. */
  check(
    system: System,
    settings: JsonObject,
    enforced: boolean,
  ): { readonly missing: readonly string[]; readonly different: readonly string[] };
  /** `enforced`: leak0 or exec0 is in enforce (D-21). */
  protection(system: System, leak0: Mode, enforced: boolean): AgentProtection;
}

function other(agent: OtherAgent): AgentSetup {
  return {
    file: OTHER_FILES[agent],
    inForce(system) {
      const path = OTHER_FILES[agent].path(system);
      return { path, settings: readAs(SHAPES[agent], readSettingsFile(system, path)) };
    },
    isHere: (system) => isHere(system, agent),
    hindrance: (system) => hindranceOf(system, agent),
    check: (system, settings) => checkShape(agent, settings, undefined, system.platform),
    protection: (system, leak0) => protectionOf(system, agent, leak0),
  };
}

/** Every agent, in the order people read them. */
export const AGENT_SETUPS: Readonly<Record<Agent, AgentSetup>> = {
  claude: {
    file: CLAUDE_FILE,
    inForce: claudeInForce,
    isHere: claudeIsHere,
    hindrance: claudeHindrance,
    check: (_, settings, enforced) => checkEntries(settings, undefined, enforced),
    protection: claudeProtection,
  },
  codex: other("codex"),
  cursor: other("cursor"),
  gemini: other("gemini"),
  antigravity: other("antigravity"),
};

/** Every agent found for the current user. `enforced`: leak0 or exec0 is in enforce (D-21). Never throws. */
export function protection(system: System, leak0: Mode, enforced: boolean): readonly AgentProtection[] {
  return Object.values(AGENT_SETUPS)
    .filter((agent) => agent.isHere(system))
    .map((agent) => agent.protection(system, leak0, enforced));
}

/** What keeps hook entries of an agent from running, whatever the mode is. */
export interface Hindrance {
  /** In words for a person, with file and line. */
  readonly text: string;
  /** No entry runs at all; else those of some events do. */
  readonly all: boolean;
}

/** Entries the organisation keeps for every user count in the place of the user's own. */
function claudeInForce(system: System): { readonly path: string; readonly settings: JsonObject | undefined } {
  const managed = managedEntries(system);
  if (managed !== undefined) return { path: managed.file, settings: managed.settings };
  const path = claudeSettingsPath(system);
  const text = readSettingsFile(system, path);
  return { path, settings: text.trim() === "" ? {} : parseSettings(text) };
}

/** Why the entries that count for the current user cannot run; undefined when they can, or would if they were there. */
export function claudeHindrance(system: System): Hindrance | undefined {
  if (managedEntries(system) !== undefined) {
    const off = managedSwitch(system, "managed");
    return off === undefined ? undefined : { text: `the organisation's managed settings switch all hooks off (${off})`, all: true };
  }
  const path = claudeSettingsPath(system);
  let text: string;
  try {
    text = readSettingsFile(system, path);
  } catch (error) {
    return { text: `${path}: ${error instanceof Error ? error.message : "the file cannot be read"}`, all: true };
  }
  const why = whyIgnored(text);
  if (why !== undefined) return { text: `${path}: ${why}; Claude Code ignores the whole file, so no hook in it runs`, all: true };
  if (managedSwitch(system, "user") !== undefined)
    return {
      text: "the organisation's managed settings switch users' hooks off; entries of its own run: sudo poisonzero setup --all-users",
      all: true,
    };
  const settings = parseSettings(text);
  const off = hookSwitch(settings, false);
  if (off !== undefined) return { text: `${path} switches all hooks off (${off})`, all: true };
  if (!settings) return undefined;
  const { missing } = checkEntries(settings, undefined, false);
  const dropped = CLAUDE_EVENTS.map(({ event }) => event).filter((event) => !missing.includes(event) && !isWellFormed(settings, event));
  return dropped.length === 0
    ? undefined
    : { text: `${path}: Claude Code ignores the list for ${dropped.join(", ")}, one of its entries is malformed`, all: false };
}

function claudeProtection(system: System, leak0: Mode, enforced: boolean): AgentProtection {
  const agent = { agent: "claude", title: "Claude Code" } as const;
  const not = (reason: string): AgentProtection => ({ ...agent, state: "not protected", reasons: [reason] });
  const hindrance = claudeHindrance(system);
  if (hindrance?.all) return not(hindrance.text);
  const { settings } = claudeInForce(system);
  const entries = entriesIn(settings);
  if (entries.length === 0) return not("no hook entries: run poisonzero setup");
  const setup = managedEntries(system) === undefined ? "poisonzero setup" : "sudo poisonzero setup --all-users";
  const gone = missingProgram(system, entries);
  if (leak0 === "off" && !gone) return not("leak0 is off: sudo poisonzero leak0 enforce");
  if (gone && !enforced) return not(`${gone}, so nothing is checked. Install poisonzero again, or run ${setup}`);
  const { missing, different } = checkEntries(settings, undefined, enforced);
  const reasons: string[] = hindrance ? [hindrance.text] : [];
  if (missing.length > 0) reasons.push(`no hook entry for ${missing.join(", ")}: run ${setup}`);
  if (different.length > 0) reasons.push(`hook entry changed for ${different.join(", ")}: run ${setup}`);
  if (gone)
    reasons.push(
      `${gone}, so Claude Code blocks every call and prompt. Install poisonzero again, run ${setup}, or let it go on unprotected: sudo poisonzero leak0 off`,
    );
  if (leak0 === "observe") reasons.push("leak0 is in observe mode: hits are logged, nothing is stopped");
  return { ...agent, state: reasons.length === 0 ? "protected" : "partly protected", reasons };
}

/** Why a program that an entry of ours names would not run; undefined when all of them would, as far as can be told. */
function missingProgram(system: System, entries: readonly OurEntry[]): string | undefined {
  const commands = new Set(entries.map(({ handler }) => String(handler.command)));
  return [...commands]
    .filter((command) => command.startsWith("/") && !/\s/.test(command))
    .map((command) => installationProblem(system, command))
    .find((problem) => problem !== undefined);
}
