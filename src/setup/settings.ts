/**
 * An agent's settings file: our entries in and out (L-148, L-150, L-151).
 *
 * Trust: the file belongs to the user and is changed with that user's rights alone. It is refused, untouched, when it
 * is not valid, read-only, somebody else's, or not a plain file. A link is kept and its target written. The agent writes it,
 * too: what it wrote since the file was read is not lost, the change is made again on top of it.
 */
import type { Agent } from "../call/effect.ts";
import { CHOSEN } from "../limits.ts";
import { closedTo, refusalOf } from "../refusal.ts";
import type { System } from "../system.ts";
import {
  applyInsertions,
  insertEntries,
  isBare,
  NO_CONTAINERS,
  readSettings,
  removeEntries,
  SettingsError,
  undoInsertions,
} from "./edit.ts";
import type { JsonObject } from "./entries.ts";
import { type Journal, journals, readJournal, removeJournal, settingsHash, writeJournal } from "./journal.ts";
import { placedEntries, type Shape, SHAPES } from "./shape.ts";

/** What happened to one settings file. */
export interface SettingsChange {
  /** As the user knows it, links not followed. */
  readonly file: string;
  readonly change: "made" | "changed" | "unchanged" | "removed";
  /** The agent ignores the file as it now stands (a comment, a trailing comma, a wrong type): no hook in it runs. */
  readonly ignored: boolean;
}

/** What setup did, or would do. The texts are the file's own: they may hold credentials. */
export interface SetUp extends SettingsChange {
  readonly before: string;
  readonly after: string;
}

/** What is particular to one agent's file. */
export interface SettingsFile {
  readonly agent: Agent;
  /** The current user's file. */
  path(system: System): string;
  /** What setup puts into each event's list. `enforced`: leak0 or exec0 is in enforce (D-21). */
  items(system: System, launcher: string, enforced: boolean): ReadonlyMap<string, JsonObject>;
  /** Whether every entry stands as setup writes it. */
  isInPlace(system: System, settings: JsonObject, launcher: string, enforced: boolean): boolean;
  /** Whether the agent ignores this text as a whole. */
  ignores(text: string): boolean;
}

/** The settings text of a file, "" when there is none. Throws `SettingsError` when it may not be edited. */
export function readSettingsFile(system: System, path: string): string {
  return open(system, path).text;
}

/**
 * Puts our entries into the settings file, or brings older ones up to date. Doing it twice changes nothing.
 * With `dryRun` nothing is written. Throws `SettingsError`, or the system's reason when a file cannot be written.
 */
export function putEntries(system: System, of: SettingsFile, launcher: string, enforced: boolean, dryRun: boolean): SetUp {
  const path = of.path(system);
  return inFile(system, path, () => {
    const file = open(system, path);
    const before = file.text;
    if (of.isInPlace(system, settingsIn(before), launcher, enforced))
      return { ...changed(of, path, "unchanged", before), before, after: before };
    const put = plan(system, of, file, launcher, enforced);
    if (!dryRun) {
      if (!file.exists) system.makeFolder(path.slice(0, path.lastIndexOf("/")));
      carryOut(system, of.agent, file, put);
    }
    return { ...changed(of, path, file.exists ? "changed" : "made", put.text), before, after: put.text };
  });
}

/** Takes our entries out of the settings file and of every other one setup has written to. Throws like `putEntries`. */
export function takeOut(system: System, of: SettingsFile, dryRun: boolean): readonly SettingsChange[] {
  return settingsPaths(system, of).map((path) =>
    inFile(system, path, (): SettingsChange => {
      const file = open(system, path);
      const journal = readJournal(system, of.agent, file.real);
      let change: SettingsChange["change"] = "unchanged";
      let { text } = file;
      if (holdsOurs(of, file.text)) {
        ({ text } = withoutEntries(system, of, file.text, journal));
        const bare = journal?.madeFile === true && isBare(text);
        change = bare ? "removed" : "changed";
        if (!dryRun && bare) {
          confirmUnchanged(system, file);
          system.remove(file.real);
        }
        if (!dryRun && !bare) write(system, file, text);
      }
      if (!dryRun) removeJournal(system, of.agent, file.real);
      return changed(of, path, change, text);
    }),
  );
}

/**
 * Changes our entries where they stand, by `edit` over a text without a byte order mark, in every file of this user that
 * carries them. `renewed` puts them in anew where the file is as setup left it, so that uninstall still restores it exactly.
 * Throws like `putEntries`.
 */
export function reviseEntries(
  system: System,
  of: SettingsFile,
  edit: (text: string) => string,
  renewed: { readonly enforced: boolean },
): readonly SettingsChange[] {
  return settingsPaths(system, of).map((path) =>
    inFile(system, path, (): SettingsChange => {
      const file = open(system, path);
      const launcher = entriesOf(of, file.text)[0]?.handler.command;
      if (typeof launcher !== "string") return changed(of, path, "unchanged", file.text);
      const text = mark(file.text) + edit(withoutMark(file.text));
      if (text === file.text) return changed(of, path, "unchanged", text);
      const put = plan(system, of, file, launcher, renewed.enforced);
      if (put.exact) carryOut(system, of.agent, file, put);
      else write(system, file, text);
      return changed(of, path, "changed", text);
    }),
  );
}

/** True when a settings file of this user, or one setup has written to, carries our entries. Throws like `putEntries`. */
export function hasEntries(system: System, of: SettingsFile): boolean {
  return settingsPaths(system, of).some((path) => inFile(system, path, () => holdsOurs(of, open(system, path).text)));
}

interface Plan {
  readonly text: string;
  /** Made when it is carried out: its hashes need the user's key, and a dry run makes none. */
  readonly journal: () => Journal;
  /** The one of the change before. */
  readonly older: Journal | undefined;
  /** The file stood exactly as setup had left it. */
  readonly exact: boolean;
}

function plan(system: System, of: SettingsFile, file: OpenFile, launcher: string, enforced: boolean): Plan {
  const older = file.exists ? readJournal(system, of.agent, file.real) : undefined;
  const { text: original, exact } = withoutEntries(system, of, file.text, older);
  const { insertions, containers } = insertEntries(withoutMark(original), of.items(system, launcher, enforced), shapeOf(of));
  const text = mark(original) + applyInsertions(withoutMark(original), insertions);
  if (!of.isInPlace(system, settingsIn(text), launcher, enforced))
    throw new SettingsError("the entries cannot be put in: the file has an unusual shape");
  const kept = exact ? NO_CONTAINERS : (older?.containers ?? NO_CONTAINERS);
  const journal = (): Journal => ({
    file: file.real,
    madeFile: older?.madeFile ?? !file.exists,
    before: settingsHash(system, original),
    after: settingsHash(system, text),
    insertions,
    containers: {
      hooks: containers.hooks || kept.hooks,
      events: [...new Set([...containers.events, ...kept.events])],
      beside: [...new Set([...(containers.beside ?? []), ...(kept.beside ?? [])])],
    },
  });
  return { text, journal, older, exact };
}

/** The journal first: a crash between the two leaves a file that does not match it, which uninstall handles. */
function carryOut(system: System, agent: Agent, file: OpenFile, { text, journal, older }: Plan): void {
  writeJournal(system, agent, journal());
  try {
    write(system, file, text);
  } catch (error) {
    // What was not put in is nothing to take out.
    if (older === undefined) removeJournal(system, agent, file.real);
    else writeJournal(system, agent, older);
    throw error;
  }
}

interface OpenFile {
  readonly real: string;
  readonly exists: boolean;
  readonly text: string;
  readonly mode: number;
}

/** The current user's file and those the journals name, each once. */
function settingsPaths(system: System, of: SettingsFile): readonly string[] {
  const own = of.path(system);
  const ownReal = system.realPath(own) ?? own;
  return [
    own,
    ...journals(system, of.agent)
      .map((journal) => journal.file)
      .filter((file) => file !== ownReal),
  ];
}

function open(system: System, path: string): OpenFile {
  const real = system.realPath(path);
  if (real === undefined) {
    if (system.info(path)) throw new SettingsError("the link leads nowhere");
    const slash = path.lastIndexOf("/");
    return {
      real: `${system.realPath(path.slice(0, slash)) ?? path.slice(0, slash)}${path.slice(slash)}`,
      exists: false,
      text: "",
      mode: 0o600,
    };
  }
  const info = system.info(real);
  if (info?.kind !== "file") throw new SettingsError("not a regular file");
  if (system.platform !== "windows" && info.uid !== system.uid)
    throw new SettingsError("the file belongs to another user", closedTo(real, system).next);
  if ((info.mode & 0o200) === 0) throw new SettingsError("the file is read-only", closedTo(real, system).next);
  const content = system.read(real, CHOSEN.agent_settings_bytes);
  if (!content || content.cut) throw new SettingsError(content ? "the file is too large" : "the file cannot be read");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content.bytes);
    return { real, exists: true, text, mode: info.mode & 0o777 };
  } catch {
    throw new SettingsError("the file is not valid UTF-8");
  }
}

/** Exactly as it was before setup when nothing changed since, else with our entries cut out. */
function withoutEntries(
  system: System,
  of: SettingsFile,
  text: string,
  journal: Journal | undefined,
): { readonly text: string; readonly exact: boolean } {
  if (journal && settingsHash(system, text) === journal.after) {
    const undone = undoInsertions(withoutMark(text), journal.insertions);
    const original = undone === undefined ? undefined : mark(text) + undone;
    if (original !== undefined && settingsHash(system, original) === journal.before) return { text: original, exact: true };
  }
  if (!holdsOurs(of, text)) return { text, exact: false };
  const rest = removeEntries(withoutMark(text), journal?.containers ?? NO_CONTAINERS, shapeOf(of));
  return { text: mark(text) + rest, exact: false };
}

/** Another program wrote the file after it was read. */
class Overtaken extends SettingsError {
  constructor() {
    super("another program is changing the file: try again");
  }
}

/** Work that is overtaken is done once more, with the file as it is then. Errors name the file they are about. */
function inFile<T>(system: System, path: string, work: () => T): T {
  try {
    try {
      return work();
    } catch (error) {
      if (error instanceof Overtaken) return work();
      throw error;
    }
  } catch (error) {
    const { words, next } = refusalOf(error, system);
    throw new SettingsError(`${path}: ${words}`, next);
  }
}

function write(system: System, file: OpenFile, text: string): void {
  confirmUnchanged(system, file);
  system.replace(file.real, text, file.mode);
}

/** Throws when the file is not the one that was read any more. */
function confirmUnchanged(system: System, { real, exists, text }: OpenFile): void {
  const now = open(system, real);
  if (now.exists !== exists || now.text !== text) throw new Overtaken();
}

function changed(of: SettingsFile, file: string, change: SettingsChange["change"], text: string): SettingsChange {
  return { file, change, ignored: text.trim() !== "" && of.ignores(text) };
}

/** Read leniently: entries in a file that the agent ignores are ours all the same. */
function settingsIn(text: string): JsonObject {
  return readSettings(withoutMark(text));
}

function entriesOf(of: SettingsFile, text: string) {
  return placedEntries(shapeOf(of), settingsIn(text));
}

function holdsOurs(of: SettingsFile, text: string): boolean {
  return entriesOf(of, text).length > 0;
}

function shapeOf({ agent }: SettingsFile): Shape {
  return SHAPES[agent];
}

/** A byte order mark stays where it is; offsets do not count it. */
function mark(text: string): string {
  return text.startsWith("\uFEFF") ? "\uFEFF" : "";
}

function withoutMark(text: string): string {
  return text.slice(mark(text).length);
}
