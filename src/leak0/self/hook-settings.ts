/**
 * A settings file of the agent on its way to lose our entries, or to switch every hook off (L-023).
 *
 * What the file will hold is worked out; a block needs that known. A content that cannot be told is a question where
 * entries of ours stand in the file today, where the command names a switch for all hooks, and where it comes from the net.
 */
import { SWITCH } from "../../setup/entries.ts";
import type { Finding } from "../../verdict.ts";
import { shown, type Words } from "../finding.ts";
import type { Case } from "../judgement.ts";
import { type Arrival, arrivalAt, copies, type FileEffect, landing, textOf, contentNow, towards } from "./arriving.ts";
import { question, stop } from "./finding.ts";
import { resolved, within } from "./places.ts";
import { contentOf, holds, isSettings, lossOf, settingsFiles } from "./settings.ts";

/** Findings of one effect on the settings files it touches, by name or within a folder. */
export function ofSettings(at: Case, effect: FileEffect): readonly Finding[] {
  switch (effect.kind) {
    case "unpack":
      return below(at, effect, effect.folder.path);
    case "copy":
      return copies(at, effect).flatMap((copy) => {
        const to = landing(at, copy);
        if (to === undefined) return [];
        return isSettings(at, to) ? judged(at, to, arrivalAt(at, copy, to), "write") : below(at, copy, to);
      });
    case "write":
      return effect.file.path !== undefined && effect.merges !== true && isSettings(at, effect.file.path)
        ? judged(at, effect.file.path, writtenText(at, effect, effect.file.path), "write")
        : [];
    case "change":
      return effect.file.path === undefined ? [] : ofChange(at, effect.file.path, effect.how);
  }
}

/** The edit tools give the change itself, so the file after it is known exactly. */
export function ofEdit(at: Case, path: string): readonly Finding[] {
  const { action } = at.call;
  if (action.kind !== "edit") return [];
  const before = contentOf(at, path) ?? "";
  // A lenient tool may find another place, or none, for what does not stand in the file as it is.
  const placed = !action.loose || action.edits.every(({ old }) => (old === "" ? before === "" : before.includes(old)));
  if (!placed) return judged(at, path, "unknown", "edit");
  let after = before;
  for (const edit of action.edits) {
    if (edit.old === "") after = after === "" ? edit.new : after;
    else after = edit.all ? after.replaceAll(edit.old, () => edit.new) : after.replace(edit.old, () => edit.new);
  }
  return judged(at, path, { text: after }, "edit");
}

/** Settings that a mount would cover, or that a mode would keep Claude Code from reading. */
export function lostBelow(at: Case, path: string): Finding | undefined {
  const names = [path, ...resolved(at, path)];
  const lost = settingsFiles(at).find((file) => names.some((name) => within(file, name)) && holds(at, file));
  return lost === undefined ? undefined : stop("leak0:hook_settings", at, words(at, lost));
}

function ofChange(at: Case, path: string, how: string): readonly Finding[] {
  if (how === "remove" || how === "move") {
    const lost = lostBelow(at, path);
    return lost === undefined ? [] : [lost];
  }
  if (how === "permissions") return [];
  if (!isSettings(at, path)) {
    // What a program puts into a folder may be anything; where Git does, its own content tells (checkout.ts).
    const fills = how === "edit" && !at.effects.some((effect) => effect.kind === "git");
    return fills
      ? settingsFiles(at)
          .filter((file) => file.slice(0, file.lastIndexOf("/")) === path)
          .flatMap((file) => judged(at, file, "unknown", "copy"))
      : [];
  }
  return judged(at, path, how === "truncate" ? { text: "" } : "unknown", "edit");
}

/** Everything a folder or an archive brings to the settings below its target. */
function below(at: Case, effect: Extract<FileEffect, { kind: "copy" | "unpack" }>, target: string | undefined): readonly Finding[] {
  if (target === undefined) return [];
  return [target, ...resolved(at, target)].flatMap((name) =>
    settingsFiles(at)
      .filter((file) => within(file, name))
      .flatMap((file) => judged(at, file, arrivalAt(at, towards(effect, name), file), effect.kind)),
  );
}

function writtenText(at: Case, effect: Extract<FileEffect, { kind: "write" }>, path: string): Arrival {
  const text =
    textOf(effect.sources) ??
    (effect.sources.length === 1 && effect.sources[0]?.from === "file" && effect.sources[0].plain
      ? ofFile(at, effect.sources[0].file.path, path)
      : undefined);
  // A change in place tells the text it brings in as well, not where it goes.
  const edited = at.effects.some(
    (other) =>
      other.kind === "change" &&
      other.how === "edit" &&
      (other.file.path === path || (other.file.path === undefined && other.file.written === effect.file.written)),
  );
  if (text === undefined || (effect.append && edited)) return "unknown";
  // A program whose output is not worked out leaves no sources either: nothing is emptied that held nothing of ours.
  if (effect.sources.length === 0 && !effect.append && !holds(at, path)) return "unknown";
  return { text: effect.append ? `${contentOf(at, path) ?? ""}${text}` : text };
}

/** `cat template > settings.json`: the other file as it stands. */
function ofFile(at: Case, from: string | undefined, path: string): string | undefined {
  if (from === undefined || from === path) return undefined;
  const arrival = contentNow(at, from);
  return typeof arrival === "string" ? undefined : arrival.text;
}

const DOINGS = {
  write: (file: string) => `write ${file}, which holds PoisonZero's hook entries, with content that cannot be told before`,
  edit: (file: string) => `edit ${file}, which holds PoisonZero's hook entries, with a result that cannot be told before`,
  copy: (file: string) => `copy over ${file}, which holds PoisonZero's hook entries, with content that cannot be told before`,
  unpack: (file: string) => `unpack an archive where ${file} holds PoisonZero's hook entries, which it may replace`,
} as const;

/** What an arrival means for a settings file. */
export function judged(at: Case, file: string, arrival: Arrival | undefined, doing: keyof typeof DOINGS): readonly Finding[] {
  if (arrival === undefined) return [];
  const ours = holds(at, file);
  if (arrival === "gone") return ours ? [stop("leak0:hook_settings", at, words(at, file))] : [];
  if (arrival !== "unknown") {
    const loss = lossOf(at, file, arrival.text);
    if (loss === undefined) return [];
    const what = `switch every hook off, PoisonZero's among them, in ${shown(at, file)}`;
    return [stop("leak0:hook_settings", at, loss === "off" ? { ...words(at, file), what } : words(at, file))];
  }
  const name = shown(at, file);
  const what = ours
    ? DOINGS[doing](name)
    : namesSwitch(at)
      ? `write ${name} with a command that names a switch for all hooks`
      : isDownloaded(at) && doing === "write"
        ? `write ${name}, settings of the agent, with content from the network`
        : undefined;
  return what === undefined ? [] : [question("leak0:hook_settings", at, { ...words(at, file), what })];
}

/** What such a command leaves in a settings file is for the person to see. */
function namesSwitch(at: Case): boolean {
  const { action } = at.call;
  return action.kind === "shell" && SWITCH.test(action.command);
}

/** The call asks another machine for something: what it then writes from nowhere known is the answer. */
function isDownloaded(at: Case): boolean {
  return at.effects.some((effect) => effect.kind === "send" && effect.destination.kind === "web");
}

function words(at: Case, file: string): Words {
  return {
    what: `remove or change PoisonZero's hook entries in ${shown(at, file)}`,
    next: "Make your change and leave the poisonzero entries as they are.",
  };
}
