/**
 * Claude Code's managed settings: entries that root puts in for every user of the machine (L-148). They stand in a file of
 * our own beside the organisation's, so nothing of hers is touched and uninstalling is deleting that file.
 *
 * Observed on the real client: the file counts, also where the organisation allows managed hooks only, and whatever the user's
 * own settings switch off or how broken they are. An entry that stands in both places runs twice, so it stands in one.
 * Trust: the folder is the administrator's; a file there that holds anything else than our entries is refused, untouched.
 */
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import { claudeItems, entriesIn, hookSwitch, isObject, type JsonObject, type OurEntry, parseSettings } from "./entries.ts";
import { managedParts, organisationFile, ownManagedFile } from "./managed-folder.ts";
import { SettingsError } from "./edit.ts";
import type { SettingsChange, SetUp } from "./settings.ts";

/** Managed settings with entries of ours; undefined when no file there has any. */
export interface ManagedEntries {
  readonly file: string;
  readonly settings: JsonObject;
}

/** The managed settings that call PoisonZero. */
export function managedEntries(system: System): ManagedEntries | undefined {
  return managedFiles(system).find(({ settings }) => entriesIn(settings).length > 0);
}

/** The member by which the organisation switches hooks off, those of `ours` among them; undefined when none does. */
export function managedSwitch(system: System, ours: "managed" | "user"): string | undefined {
  return managedFiles(system)
    .map(({ settings }) => hookSwitch(ours === "managed" ? settings : withoutHooks(settings), ours === "user"))
    .find((member) => member !== undefined);
}

/** Puts our entries in for every user, or brings them up to date. Root only. Throws with the reason. */
export function putManaged(system: System, launcher: string, enforced: boolean, dryRun: boolean): SetUp {
  const file = ownManagedFile(system.platform);
  const before = ownText(system, file);
  const hooks = Object.fromEntries([...claudeItems(launcher, enforced)].map(([event, item]) => [event, [item]]));
  const after = `${JSON.stringify({ hooks }, null, 2)}\n`;
  const change = before === after ? "unchanged" : before === undefined ? "made" : "changed";
  if (change !== "unchanged" && !dryRun) {
    const folder = managedParts(system.platform);
    // Every user has to be able to read it, whatever root's umask is.
    system.makeFolder(folder.slice(0, folder.lastIndexOf("/")), 0o755);
    system.makeFolder(folder, 0o755);
    system.replace(file, after, 0o644);
  }
  return { file, change, ignored: false, before: before ?? "", after };
}

/** Takes them out again; undefined when there are none. Root only. Throws with the reason. */
export function removeManaged(system: System, dryRun: boolean): SettingsChange | undefined {
  const file = ownManagedFile(system.platform);
  if (ownText(system, file) === undefined) return undefined;
  if (!dryRun) system.remove(file);
  return { file, change: "removed", ignored: false };
}

/** Brings `onFailure` in line with the mode (D-21); undefined when there is nothing to change. Root only. Throws with the reason. */
export function updateManaged(system: System, enforced: boolean): SettingsChange | undefined {
  const launcher = launcherIn(ownText(system, ownManagedFile(system.platform)));
  if (launcher === undefined) return undefined;
  const { file, change } = putManaged(system, launcher, enforced, false);
  return change === "unchanged" ? undefined : { file, change, ignored: false };
}

function launcherIn(text: string | undefined): string | undefined {
  const command = entriesIn(text === undefined ? undefined : parseSettings(text))[0]?.handler.command;
  return typeof command === "string" ? command : undefined;
}

/** The text of our own file; undefined when it is not there. Throws when somebody has put something else into it. */
function ownText(system: System, file: string): string | undefined {
  if (system.info(file) === undefined) return undefined;
  const text = textOf(system, file);
  if (text === undefined || !isOursAlone(parseSettings(text)))
    throw new SettingsError(`${file}: it holds something else than PoisonZero's hook entries`);
  return text;
}

function isOursAlone(settings: JsonObject | undefined): boolean {
  if (settings === undefined || !isObject(settings.hooks) || Object.keys(settings).length !== 1) return false;
  const handlers = Object.values(settings.hooks).flatMap((groups) =>
    (Array.isArray(groups) ? groups : [undefined]).flatMap((group: unknown) =>
      isObject(group) && Array.isArray(group.hooks) ? (group.hooks as readonly unknown[]) : [undefined],
    ),
  );
  const ours: readonly OurEntry[] = entriesIn(settings);
  return handlers.length === ours.length;
}

function withoutHooks(settings: JsonObject): JsonObject {
  return { ...settings, hooks: {} };
}

/** Every managed file that can be read and counts, the organisation's first. */
function managedFiles(system: System): readonly ManagedEntries[] {
  const parts = managedParts(system.platform);
  const names = system.list(parts).filter((name) => name.endsWith(".json"));
  return [organisationFile(system.platform), ...names.sort().map((name) => `${parts}/${name}`)].flatMap((file) => {
    const text = textOf(system, file);
    const settings = text === undefined ? undefined : parseSettings(text);
    return settings === undefined ? [] : [{ file, settings }];
  });
}

function textOf(system: System, file: string): string | undefined {
  const read = system.read(file, CHOSEN.agent_settings_bytes);
  return read === undefined || read.cut ? undefined : new TextDecoder().decode(read.bytes);
}
