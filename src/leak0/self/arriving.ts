/**
 * What a call leaves in one file: text it writes, a copy, a member of an archive, or nothing at all.
 *
 * Trust: archives and folders are the agent's; their lists are read within bounds. What cannot be told stays unknown and
 * is never taken for harmless.
 */
import type { Effect, PathRef, Source } from "../../call/effect.ts";
import { CHOSEN } from "../../limits.ts";
import { archiveOf, type Entry } from "../../secrets/archive.ts";
import { decode } from "../../secrets/decode.ts";
import { matches } from "../hidden.ts";
import type { Case } from "../judgement.ts";
import { perCall } from "../per-call.ts";
import { within } from "./places.ts";

export type FileEffect = Extract<Effect, { kind: "change" | "write" | "copy" | "unpack" }>;

/** A file after the call: its text, no file any more, or something that cannot be told before. */
export type Arrival = { readonly text: string } | "gone" | "unknown";

/** Where a copy comes to lie, as the disk has it. */
export function landing(at: Case, { file, to, either }: Extract<Effect, { kind: "copy" }>): string | undefined {
  if (to.path === undefined || either !== true || kindOf(at, to.path) !== "folder") return to.path;
  return `${to.path}/${nameOf(file.path ?? file.written)}`;
}

/** The copies an effect stands for: each match of a glob, where the shell's glob is known on disk. */
export function copies(at: Case, effect: Extract<Effect, { kind: "copy" }>): readonly Extract<Effect, { kind: "copy" }>[] {
  const { file, to } = effect;
  if (file.path !== undefined || to.path === undefined || !/[*?[]/.test(file.written)) return [effect];
  const name = `/${nameOf(file.written)}`;
  const folder = to.path.endsWith(name) ? to.path.slice(0, -name.length) : undefined;
  const found = matches(at, file.written);
  at.files.work.spend(COPY_WORK * found.length);
  if (at.files.work.spent) {
    at.files.unread ??= "it copies more files than can be looked at";
    return [];
  }
  return found.map((path) => {
    const target = folder === undefined ? to : { written: to.written, path: `${folder}/${nameOf(path)}` };
    return { ...effect, file: { written: file.written, path }, to: target };
  });
}

/** What following one copy costs, as characters of a pattern. */
const COPY_WORK = 10_000;

/** What a copy or an archive leaves at a place below its target; undefined when it brings nothing there. */
export function arrivalAt(at: Case, effect: Extract<Effect, { kind: "copy" | "unpack" }>, place: string): Arrival | undefined {
  return effect.kind === "copy" ? ofCopy(at, effect, place) : ofArchive(at, effect, place);
}

/** The same copy or archive with its target under another name (a link followed). */
export function towards<E extends Extract<Effect, { kind: "copy" | "unpack" }>>(effect: E, target: string): E {
  if (effect.kind === "unpack") return { ...effect, folder: { ...effect.folder, path: target } };
  const { either: _, ...copy } = effect;
  return { ...copy, to: { ...effect.to, path: target } } as E;
}

function ofCopy(at: Case, effect: Extract<Effect, { kind: "copy" }>, place: string): Arrival | undefined {
  const to = landing(at, effect);
  if (to === undefined || !within(place, to)) return undefined;
  const from = effect.file.path;
  if (from === undefined) return place === to ? "unknown" : undefined;
  if (place === to && kindOf(at, from) !== "folder") return contentNow(at, from);
  const source = `${from}${place.slice(to.length)}`;
  if (kindOf(at, source) === undefined) return effect.mirror === true && kindOf(at, from) === "folder" ? "gone" : undefined;
  return contentNow(at, source);
}

function ofArchive(at: Case, effect: Extract<Effect, { kind: "unpack" }>, place: string): Arrival | undefined {
  const folder = effect.folder.path;
  if (folder === undefined || !within(place, folder)) return undefined;
  const wanted = place.slice(folder === "/" ? 1 : folder.length + 1);
  const archive = effect.archive?.path;
  const members = archive === undefined || at.files.work.spent || writtenHere(at, archive) ? undefined : membersOf(at, archive);
  if (members === undefined) {
    // Where the list is not known, only what is put right beside the file counts: unpacking into a home folder is everyday work.
    if (effect.members.length > 0) return effect.members.some((name) => landed(name, effect.strip) === wanted) ? "unknown" : undefined;
    return wanted.includes("/") ? undefined : "unknown";
  }
  const named = effect.members.map((one) => ({ path: bare(one), glob: new Bun.Glob(one) }));
  const { work } = at.files;
  const lands = (path: string): boolean => {
    work.spend(LANDING_WORK * (1 + named.length));
    return (
      !work.spent &&
      within(landed(path, effect.strip) ?? "", wanted) &&
      (named.length === 0 || named.some((one) => within(bare(path), one.path) || one.glob.match(path) || one.glob.match(`./${path}`)))
    );
  };
  work.spend(MEMBER_WORK * members.length);
  const fitting = members.filter(({ path }) => path.includes(nameOf(wanted)) && lands(path));
  if (work.spent) at.files.unread ??= "it unpacks more than can be looked at";
  // Of several in one place the last one is left.
  const last = fitting.at(-1);
  if (last === undefined) return undefined;
  const content = last.size > CHOSEN.agent_settings_bytes ? undefined : last.read();
  return content === undefined ? "unknown" : { text: decode(content).text };
}

/** What comparing the name of one member costs, and working out where it lands, as characters of a pattern. */
const MEMBER_WORK = 5;
const LANDING_WORK = 300;

/** The members of an archive in order, unpacked only when they are read; undefined when its list cannot be told cheaply. */
const membersOf = perCall(({ files, system }, path): readonly Entry[] | undefined => {
  const read = system.read(path, CHOSEN.archive_listed_bytes);
  const archive = read === undefined || read.cut ? undefined : archiveOf(read.bytes, files.room);
  const entries = archive === undefined ? [] : [...archive.entries];
  // One file in gzip is no list.
  const isList = archive?.complete === true && !entries.some((entry) => entry.plain && entry.path === "");
  return isList ? entries : undefined;
});

/** Where a member lies below the folder; undefined when nothing of its name is left, or it would leave the folder. */
function landed(name: string, strip: number | "flat"): string | undefined {
  const parts = bare(name).split("/");
  if (parts.includes("..")) return undefined;
  const left = strip === "flat" ? parts.slice(-1) : parts.slice(strip);
  return left.length === 0 ? undefined : left.join("/");
}

function bare(name: string): string {
  return name
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** A file's content as the call would find it: what it wrote there itself, otherwise what lies there. */
export function contentNow(at: Case, path: string): Arrival {
  const write = at.effects.findLast((effect) => effect.kind === "write" && effect.file.path === path);
  if (write?.kind === "write") {
    const text = write.append ? undefined : textOf(write.sources);
    return text === undefined ? "unknown" : { text };
  }
  if (writtenHere(at, path)) return "unknown";
  return onDisk(at, path);
}

const onDisk = perCall((at, path): Arrival => {
  const read = at.system.read(path, CHOSEN.agent_settings_bytes);
  return read === undefined || read.cut ? "unknown" : { text: decode(read.bytes).text };
});

/** Whether something earlier in the call leaves a content there that is not the one on disk. */
function writtenHere(at: Case, path: string): boolean {
  const there = (file: PathRef): boolean => file.path === path;
  return at.effects.some(
    (effect) =>
      ((effect.kind === "write" || effect.kind === "change") &&
        there(effect.file) &&
        !(effect.kind === "change" && isLeaving(effect.how))) ||
      (effect.kind === "copy" && there(effect.to)),
  );
}

/** `mv x y` takes x away after it was copied. */
function isLeaving(how: string): boolean {
  return how === "move" || how === "remove" || how === "permissions";
}

/** The text that stands in the call itself, when a flow is nothing else. */
export function textOf(sources: readonly Source[]): string | undefined {
  let text = "";
  for (const source of sources) {
    if (source.from !== "text") return undefined;
    text += source.text;
  }
  return text;
}

function kindOf(at: Case, path: string): string | undefined {
  return at.system.info(at.system.realPath(path) ?? path)?.kind;
}

function nameOf(path: string): string {
  const bareName = path.endsWith("/") ? path.slice(0, -1) : path;
  return bareName.slice(bareName.lastIndexOf("/") + 1);
}
