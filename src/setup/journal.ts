/**
 * What setup did to a settings file, so that uninstall can undo it: `~/.poisonzero/setup/<agent>-<name>.json`, version 1.
 *
 * Settings files may hold credentials, so the journal keeps no copy of one: only what was put in (our own entries), where,
 * and keyed hashes of the file before and after. Trust: the user's own file; a forged one can only misplace a cut, and
 * the result is accepted only when its hash is the one from before.
 */
import type { Agent } from "../call/effect.ts";
import { CHOSEN } from "../limits.ts";
import { closedTo } from "../refusal.ts";
import { userSubfolder } from "../session/folder.ts";
import { keyedHash, userKey } from "../session/key.ts";
import type { System } from "../system.ts";
import { type Containers, type Insertion, SettingsError } from "./edit.ts";
import { isObject } from "./entries.ts";

/** One settings file setup has written to. */
export interface Journal {
  /** Absolute path of the file itself, links resolved. */
  readonly file: string;
  /** The file did not exist before. */
  readonly madeFile: boolean;
  readonly before: string;
  readonly after: string;
  readonly insertions: readonly Insertion[];
  readonly containers: Containers;
}

/** Keyed hash of a settings text. */
export function settingsHash(system: System, text: string): string {
  return keyedHash(userKey(system), "settings file", text);
}

/** The journal of one settings file; undefined when there is none that can be read. */
export function readJournal(system: System, agent: Agent, file: string): Journal | undefined {
  if (!system.info(`${system.home}/.poisonzero/setup`)) return undefined;
  const path = journalPath(system, agent, file);
  return path === undefined ? undefined : parse(system, path);
}

/** Every journal of this user for one agent. */
export function journals(system: System, agent: Agent): readonly Journal[] {
  if (!system.info(`${system.home}/.poisonzero/setup`)) return [];
  const folder = userSubfolder(system, "setup");
  if (folder === undefined) return [];
  const names = system.list(folder).filter((name) => name.startsWith(`${agent}-`) && /-[0-9a-f]{16}\.json$/.test(name));
  return names.map((name) => parse(system, `${folder}/${name}`)).filter((journal) => journal !== undefined);
}

/** Keeps a journal. Throws with the reason. */
export function writeJournal(system: System, agent: Agent, journal: Journal): void {
  const path = journalPath(system, agent, journal.file);
  if (path === undefined || !userKey(system).stored)
    throw new SettingsError(
      "the folder ~/.poisonzero cannot be written, and without its journal setup could not be undone",
      closedTo(`${system.home}/.poisonzero`, system).next,
    );
  system.replace(path, `${JSON.stringify({ v: 1, ...journal })}\n`, 0o600);
}

/** Forgets a journal. */
export function removeJournal(system: System, agent: Agent, file: string): void {
  if (!system.info(`${system.home}/.poisonzero/setup`)) return;
  const path = journalPath(system, agent, file);
  if (path !== undefined) system.remove(path);
}

function journalPath(system: System, agent: Agent, file: string): string | undefined {
  const folder = userSubfolder(system, "setup");
  return folder && `${folder}/${agent}-${settingsHash(system, file).slice(0, 16)}.json`;
}

function parse(system: System, path: string): Journal | undefined {
  if (system.info(path)?.kind !== "file") return undefined;
  const content = system.read(path, CHOSEN.agent_settings_bytes);
  if (!content || content.cut) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(content.bytes));
  } catch {
    return undefined;
  }
  if (!isObject(value) || value.v !== 1) return undefined;
  const { file, madeFile, before, after, insertions, containers } = value;
  if (typeof file !== "string" || typeof madeFile !== "boolean" || typeof before !== "string" || typeof after !== "string")
    return undefined;
  if (!Array.isArray(insertions) || !insertions.every(isInsertion)) return undefined;
  if (!isObject(containers) || typeof containers.hooks !== "boolean" || !Array.isArray(containers.events)) return undefined;
  const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter((item) => typeof item === "string") : []);
  const { hooks, events, beside } = containers;
  return { file, madeFile, before, after, insertions, containers: { hooks, events: texts(events), beside: texts(beside) } };
}

function isInsertion(value: unknown): value is Insertion {
  return isObject(value) && Number.isInteger(value.at) && typeof value.text === "string";
}
