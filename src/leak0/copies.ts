/**
 * Copies of secret files: what a call makes of one (`base64 F > x`, `tar czf x F`, `cp .env notes.txt`) is the same file
 * from then on, and so is what a later call makes of that (L-110, credential-files.md §15). Paths are remembered for the
 * session, since nothing in such a file need be recognisable.
 *
 * Trust: what a call would do is not what it did. A path that it would overwrite or remove stays a copy for as long as its
 * content is the same; what only writes into it, or behind its end, leaves it a copy.
 */
import type { Effect, Source } from "../call/effect.ts";
import { Unfinished } from "../call/git/index.ts";
import { baseName } from "../call/path.ts";
import { type FileClass, isSecretFileName } from "../secrets/files/index.ts";
import type { Copy } from "../session/copy.ts";
import { carried, strength } from "./carried.ts";
import { isThere, stampOf } from "./copied.ts";
import { showsSecret } from "./excerpt.ts";
import type { Look } from "./files.ts";
import type { Case } from "./judgement.ts";
import { relaxation } from "./places.ts";
import { isSample } from "./samples.ts";

/** What went into a copy. */
type Origin = Pick<Copy, "of" | "class" | "sealed">;

/** What this call would add to the session's copies, and which of them it would replace. */
export function madeCopies(at: Case): readonly Copy[] {
  const known = new Map<string, Copy>();
  for (const copy of at.session.copies) if (isThere(copy, at)) known.set(copy.path, copy);
  const made = new Map<string, Copy>();
  const add = (path: string, from: Origin): void => {
    const copy: Copy = { path, of: from.of, class: from.class, ...(from.sealed ? { sealed: true } : {}) };
    known.set(path, copy);
    made.set(path, copy);
  };
  const drop = (path: string): void => {
    const copy = known.get(path);
    if (copy === undefined) return;
    known.delete(path);
    made.set(path, { ...copy, until: stampOf(path, at) });
  };
  for (const effect of at.effects) {
    const path = targetOf(effect);
    if (path === undefined) continue;
    const from = originOf(at, effect, known);
    const source = effect.kind === "copy" ? effect.file.path : undefined;
    const into = source !== undefined && at.system.info(at.system.realPath(path) ?? path)?.kind === "folder";
    const places = into ? [path, `${path}/${baseName(source)}`] : [path];
    const inside = source === undefined ? [] : leaving(at, source, path);
    for (const place of places) for (const one of inside) add(place + one.of.slice(source?.length), one);
    // Copies that earlier calls put into a folder go along with it.
    if (source !== undefined)
      for (const copy of [...known.values()])
        if (copy.path.startsWith(`${source}/`)) for (const place of places) add(place + copy.path.slice(source.length), copy);
    if (from !== undefined) for (const place of places) add(place, from);
    else if (!(effect.kind === "write" && effect.append)) drop(path);
  }
  return [...made.values()];
}

/** The file an effect would fill, replace or take away. */
function targetOf(effect: Effect): string | undefined {
  if (effect.kind === "write") return effect.file.path;
  if (effect.kind === "copy") return effect.to.path;
  return effect.kind === "change" && (effect.how === "remove" || effect.how === "move") ? effect.file.path : undefined;
}

/** The secret file whose content an effect would put there; undefined when it puts none, or plainly under its own name. */
function originOf(at: Case, effect: Effect, known: ReadonlyMap<string, Copy>): Origin | undefined {
  const sources: readonly Source[] =
    effect.kind === "write" ? effect.sources : effect.kind === "copy" ? [{ from: "file", file: effect.file, plain: true }] : [];
  let found: Origin | undefined;
  for (const source of sources) {
    if (source.from === "ciphertext") {
      const inside = source.of.flatMap((one) =>
        one.from === "file" && one.file.path !== undefined ? (worst(at, one, one.file.path) ?? []) : [],
      );
      if (inside[0] !== undefined) found ??= { ...(inside.find((one) => one.class === "PROVEN") ?? inside[0]), sealed: true };
      continue;
    }
    if (source.from === "git content" && !source.plain && packsSecret(at, source)) return { of: targetOf(effect) ?? "", class: "PROVEN" };
    if (source.from !== "file" || source.file.path === undefined || source.maybe === true) continue;
    const { path } = source.file;
    const secret = still(at, known.get(path)) ?? (source.plain ? renamed(at, source, path, targetOf(effect)) : worst(at, source, path));
    if (secret !== undefined && (found === undefined || found.sealed || secret.class === "PROVEN")) found = secret;
  }
  return found;
}

/** A copy that an earlier call made, unless nothing of the secret file is in it; what is yet to be made may hold anything. */
function still(at: Case, copy: Copy | undefined): Copy | undefined {
  if (copy === undefined || copy.sealed || !at.session.copies.includes(copy)) return copy;
  const look = at.files.look(copy.path);
  return look === undefined || look.text === "" || look.secrets.length > 0 ? copy : undefined;
}

/** The worst secret file a path stands for of which something comes through. */
function worst(at: Case, source: Source, path: string): Origin | undefined {
  let found: Origin | undefined;
  for (const look of at.files.within(path)) {
    const kind = classOf(at, look);
    if (kind !== undefined && !showsSecret(source, look)) continue;
    if (kind === undefined || (found !== undefined && kind !== "PROVEN")) continue;
    found = { of: look.path, class: kind };
    if (kind === "PROVEN") break;
  }
  return found;
}

/** What a copy of a file is; one from among samples proves nothing (L-034). */
function classOf(at: Case, look: Look): FileClass | undefined {
  const secret = look.identified?.secrets[0];
  if (secret === undefined) return undefined;
  return isSample(at, { secret, look, wholeFile: true }) ? "QUESTION" : look.identified?.class;
}

/** Whether samples belong at one of two places only: where a copy comes from then decides, not where it lies. */
function relaxes(at: Case, path: string, to: string): boolean {
  const [from, there] = [path, to].map((one) => relaxation(at.files.repositories.relative(at.system.realPath(one) ?? one)));
  return from !== there;
}

/** The secret files of a folder that is copied to where samples belong, or from there. */
function leaving(at: Case, folder: string, to: string): readonly Origin[] {
  if (at.system.info(at.system.realPath(folder) ?? folder)?.kind !== "folder" || !relaxes(at, `${folder}/.`, `${to}/.`)) return [];
  return at.files.within(folder).flatMap((look) => {
    const kind = classOf(at, look);
    return kind === undefined ? [] : [{ of: look.path, class: kind }];
  });
}

/** A file that is known by its name, copied as it is to a name that says nothing. */
function renamed(at: Case, source: Source, path: string, to: string | undefined): Origin | undefined {
  // What its content tells needs no memory, and is not opened for it.
  const moved = to !== undefined && relaxes(at, path, to);
  if (to === undefined || !(moved || isSecretFileName(path) || at.files.isKnownPlace(path))) return undefined;
  const look = at.files.look(path);
  const kind = look && classOf(at, look);
  if (look?.identified === undefined || kind === undefined || !showsSecret(source, look)) return undefined;
  const there = at.files.lookAt(to, look.text).identified;
  return moved || there === undefined || there.class !== look.identified.class ? { of: look.path, class: kind } : undefined;
}

/** Whether `git archive`, `bundle` or `fast-export` packs something proven. What cannot be found out is no copy (D-12). */
function packsSecret(at: Case, source: Source): boolean {
  try {
    return carried(at, { sources: [source] }, true).some((one) => one.samples !== true && ["B1", "B2"].includes(strength(one) ?? ""));
  } catch (problem) {
    if (problem instanceof Unfinished) return false;
    throw problem;
  }
}
