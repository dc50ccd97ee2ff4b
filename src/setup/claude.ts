/**
 * Claude Code's user settings: our entries in, out, and in step with the mode (L-148, L-150, L-151, L-153, D-21).
 *
 * Trust: the file belongs to the user and is changed with that user's rights alone. It is refused, untouched, when it
 * is not valid, read-only, somebody else's, or not a plain file. A link is kept and its target written.
 */
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import {
  applyInsertions,
  insertEntries,
  isBare,
  NO_CONTAINERS,
  readSettings,
  removeEntries,
  SettingsError,
  setFailRule,
  undoInsertions,
} from "./edit.ts";
import { checkEntries, entriesIn, type JsonObject, parseSettings } from "./entries.ts";
import { type Journal, journals, readJournal, removeJournal, settingsHash, writeJournal } from "./journal.ts";

/** What happened to one settings file. */
export interface SettingsChange {
  /** As the user knows it, links not followed. */
  readonly file: string;
  readonly change: "made" | "changed" | "unchanged" | "removed";
  /** Claude Code ignores the file as it now stands (a comment, a trailing comma, a wrong type): no hook in it runs. */
  readonly ignored: boolean;
}

/** What setup did, or would do. The texts are the file's own: they may hold credentials. */
export interface SetUp extends SettingsChange {
  readonly before: string;
  readonly after: string;
}

/** The settings file of the current user: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function claudeSettingsPath(system: System): string {
  const folder = system.environment.CLAUDE_CONFIG_DIR;
  return `${folder?.startsWith("/") ? folder.replace(/\/$/, "") : `${system.home}/.claude`}/settings.json`;
}

/** True when Claude Code has been used by this user: its folder or its state file is there. */
export function claudeIsHere(system: System): boolean {
  const path = claudeSettingsPath(system);
  return system.info(path.slice(0, path.lastIndexOf("/"))) !== undefined || system.info(`${system.home}/.claude.json`) !== undefined;
}

/** The settings text of a file, "" when there is none. Throws `SettingsError` when it may not be edited. */
export function readClaudeSettings(system: System, path: string): string {
  return open(system, path).text;
}

/**
 * Puts our entries into the settings file, or brings older ones up to date. Doing it twice changes nothing.
 * With `dryRun` nothing is written. Throws `SettingsError`, or the system's reason when a file cannot be written.
 */
export function setUpClaude(system: System, launcher: string, enforced: boolean, dryRun: boolean): SetUp {
  const path = claudeSettingsPath(system);
  return inFile(path, () => {
    const file = open(system, path);
    const check = checkEntries(settingsIn(file.text), launcher, enforced);
    const before = file.text;
    if (check.missing.length === 0 && check.different.length === 0) return { ...changed(path, "unchanged", before), before, after: before };
    const put = plan(system, file, launcher, enforced);
    if (!dryRun) {
      if (!file.exists) system.makeFolder(path.slice(0, path.lastIndexOf("/")));
      carryOut(system, file, put);
    }
    return { ...changed(path, file.exists ? "changed" : "made", put.text), before, after: put.text };
  });
}

/** Takes our entries out of the settings file and of every other one setup has written to. Throws like `setUpClaude`. */
export function removeClaude(system: System, dryRun: boolean): readonly SettingsChange[] {
  return settingsPaths(system).map((path) =>
    inFile(path, (): SettingsChange => {
      const file = open(system, path);
      const journal = readJournal(system, file.real);
      let change: SettingsChange["change"] = "unchanged";
      let { text } = file;
      if (holdsOurs(file.text)) {
        ({ text } = withoutEntries(system, file.text, journal));
        const bare = journal?.madeFile === true && isBare(text);
        change = bare ? "removed" : "changed";
        if (!dryRun && bare) system.remove(file.real);
        if (!dryRun && !bare) write(system, file, text);
      }
      if (!dryRun) removeJournal(system, file.real);
      return changed(path, change, text);
    }),
  );
}

/**
 * Brings `onFailure` in line with the mode wherever this user's settings carry our entries (D-21); changes nothing else.
 * Throws like `setUpClaude`.
 */
export function updateFailRule(system: System, enforced: boolean): readonly SettingsChange[] {
  return settingsPaths(system).map((path) =>
    inFile(path, (): SettingsChange => {
      const file = open(system, path);
      const launcher = entriesIn(settingsIn(file.text))[0]?.handler.command;
      if (typeof launcher !== "string") return changed(path, "unchanged", file.text);
      const text = mark(file.text) + setFailRule(withoutMark(file.text), enforced);
      if (text === file.text) return changed(path, "unchanged", text);
      // Where the file is as setup left it, the entries are put in anew, so that uninstall still restores it exactly.
      const put = plan(system, file, launcher, enforced);
      if (put.exact) carryOut(system, file, put);
      else write(system, file, text);
      return changed(path, "changed", text);
    }),
  );
}

/** True when a settings file of this user, or one setup has written to, carries our entries. Throws like `setUpClaude`. */
export function hasClaudeEntries(system: System): boolean {
  return settingsPaths(system).some((path) => inFile(path, () => holdsOurs(open(system, path).text)));
}

interface Plan {
  readonly text: string;
  /** Made when it is carried out: its hashes need the user's key, and a dry run makes none. */
  readonly journal: () => Journal;
  /** The file stood exactly as setup had left it. */
  readonly exact: boolean;
}

function plan(system: System, file: SettingsFile, launcher: string, enforced: boolean): Plan {
  const older = file.exists ? readJournal(system, file.real) : undefined;
  const { text: original, exact } = withoutEntries(system, file.text, older);
  const { insertions, containers } = insertEntries(withoutMark(original), launcher, enforced);
  const text = mark(original) + applyInsertions(withoutMark(original), insertions);
  const check = checkEntries(settingsIn(text), launcher, enforced);
  if (check.missing.length > 0 || check.different.length > 0)
    throw new SettingsError("the entries cannot be put in: the file has an unusual shape");
  const kept = exact ? NO_CONTAINERS : (older?.containers ?? NO_CONTAINERS);
  const journal = (): Journal => ({
    file: file.real,
    madeFile: older?.madeFile ?? !file.exists,
    before: settingsHash(system, original),
    after: settingsHash(system, text),
    insertions,
    containers: { hooks: containers.hooks || kept.hooks, events: [...new Set([...containers.events, ...kept.events])] },
  });
  return { text, journal, exact };
}

/** The journal first: a crash between the two leaves a file that does not match it, which uninstall handles. */
function carryOut(system: System, file: SettingsFile, { text, journal }: Plan): void {
  writeJournal(system, journal());
  write(system, file, text);
}

interface SettingsFile {
  readonly real: string;
  readonly exists: boolean;
  readonly text: string;
  readonly mode: number;
}

/** The current user's file and those the journals name, each once. */
function settingsPaths(system: System): readonly string[] {
  const own = claudeSettingsPath(system);
  const ownReal = system.realPath(own) ?? own;
  return [
    own,
    ...journals(system)
      .map((journal) => journal.file)
      .filter((file) => file !== ownReal),
  ];
}

function open(system: System, path: string): SettingsFile {
  const real = system.realPath(path);
  if (real === undefined) {
    if (system.info(path)) throw new SettingsError("the link leads nowhere");
    const folder = path.slice(0, path.lastIndexOf("/"));
    return { real: `${system.realPath(folder) ?? folder}/settings.json`, exists: false, text: "", mode: 0o600 };
  }
  const info = system.info(real);
  if (info?.kind !== "file") throw new SettingsError("not a regular file");
  if (system.platform !== "windows" && info.uid !== system.uid) throw new SettingsError("the file belongs to another user");
  if ((info.mode & 0o200) === 0) throw new SettingsError("the file is read-only");
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
function withoutEntries(system: System, text: string, journal: Journal | undefined): { readonly text: string; readonly exact: boolean } {
  if (journal && settingsHash(system, text) === journal.after) {
    const undone = undoInsertions(withoutMark(text), journal.insertions);
    const original = undone === undefined ? undefined : mark(text) + undone;
    if (original !== undefined && settingsHash(system, original) === journal.before) return { text: original, exact: true };
  }
  if (!holdsOurs(text)) return { text, exact: false };
  return { text: mark(text) + removeEntries(withoutMark(text), journal?.containers ?? NO_CONTAINERS), exact: false };
}

/** Errors name the file they are about. */
function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SettingsError(`${path}: ${error instanceof Error ? error.message : "cannot be edited"}`);
  }
}

function write(system: System, file: SettingsFile, text: string): void {
  system.replace(file.real, text, file.mode);
}

function changed(file: string, change: SettingsChange["change"], text: string): SettingsChange {
  return { file, change, ignored: text.trim() !== "" && parseSettings(text) === undefined };
}

/** Read leniently: entries in a file that Claude Code ignores are ours all the same. */
function settingsIn(text: string): JsonObject {
  return readSettings(withoutMark(text));
}

function holdsOurs(text: string): boolean {
  return entriesIn(settingsIn(text)).length > 0;
}

/** A byte order mark stays where it is; offsets do not count it. */
function mark(text: string): string {
  return text.startsWith("\uFEFF") ? "\uFEFF" : "";
}

function withoutMark(text: string): string {
  return text.slice(mark(text).length);
}
