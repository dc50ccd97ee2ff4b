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
import { CHOSEN } from "../limits.ts";
import { type FileClass, type Identified, isSecretFileName } from "../secrets/files/index.ts";
import type { Copy } from "../session/copy.ts";
import { carried, strength } from "./carried.ts";
import type { Case } from "./judgement.ts";

/** Characters of a copy that stand for it as a value. */
const VALUE_CHARS = 4_096;

/** What this call would add to the session's copies, and which of them it would replace. */
export function madeCopies(at: Case): readonly Copy[] {
  const known = new Map<string, Copy>();
  for (const copy of at.session.copies) if (isThere(copy, at)) known.set(copy.path, copy);
  const made = new Map<string, Copy>();
  const add = (path: string, from: Pick<Copy, "of" | "class">): void => {
    const copy = { path, of: from.of, class: from.class };
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
    if (from !== undefined) {
      add(path, from);
      const inside = effect.kind === "copy" && effect.file.path !== undefined ? `${path}/${baseName(effect.file.path)}` : undefined;
      if (inside !== undefined && at.system.info(at.system.realPath(path) ?? path)?.kind === "folder") add(inside, from);
    } else if (!(effect.kind === "write" && effect.append)) drop(path);
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
function originOf(at: Case, effect: Effect, known: ReadonlyMap<string, Copy>): Pick<Copy, "of" | "class"> | undefined {
  const sources: readonly Source[] =
    effect.kind === "write" ? effect.sources : effect.kind === "copy" ? [{ from: "file", file: effect.file, plain: true }] : [];
  let found: Pick<Copy, "of" | "class"> | undefined;
  for (const source of sources) {
    if (source.from === "git content" && !source.plain && packsSecret(at, source)) return { of: targetOf(effect) ?? "", class: "PROVEN" };
    if (source.from !== "file" || source.file.path === undefined) continue;
    const { path } = source.file;
    const secret = known.get(path) ?? (source.plain ? renamed(at, path, targetOf(effect)) : worst(at, path));
    if (secret !== undefined && (found === undefined || secret.class === "PROVEN")) found = secret;
  }
  return found;
}

/** The worst secret file a path stands for. */
function worst(at: Case, path: string): Pick<Copy, "of" | "class"> | undefined {
  let found: Pick<Copy, "of" | "class"> | undefined;
  for (const look of at.files.within(path)) {
    if (look.identified === undefined || (found !== undefined && look.identified.class !== "PROVEN")) continue;
    found = { of: look.path, class: look.identified.class };
    if (found.class === "PROVEN") break;
  }
  return found;
}

/** A file that is known by its name, copied as it is to a name that says nothing. */
function renamed(at: Case, path: string, to: string | undefined): Pick<Copy, "of" | "class"> | undefined {
  // What its content tells needs no memory, and is not opened for it.
  if (to === undefined || !(isSecretFileName(path) || at.files.isKnownPlace(path))) return undefined;
  const look = at.files.look(path);
  if (look?.identified === undefined) return undefined;
  const there = at.files.lookAt(to, look.text).identified;
  return there === undefined || there.class !== look.identified.class ? { of: look.path, class: look.identified.class } : undefined;
}

/** Whether `git archive`, `bundle` or `fast-export` packs something proven. What cannot be found out is no copy (D-12). */
function packsSecret(at: Case, source: Source): boolean {
  try {
    return carried(at, [source], true).some((one) => ["B1", "B2"].includes(strength(one) ?? ""));
  } catch (problem) {
    if (problem instanceof Unfinished) return false;
    throw problem;
  }
}

/** Whether the file at a remembered path still is the copy. */
export function isThere(copy: Copy, at: Place): boolean {
  return copy.until === undefined || copy.until === stampOf(copy.path, at);
}

interface Place {
  readonly session: Pick<Case["session"], "shortHash">;
  readonly system: Case["system"];
}

/** Tells one content of a file from the next; a new time alone (`touch`) is none. Of a long file, where and how long it is. */
function stampOf(path: string, { session, system }: Place): string {
  const info = system.info(path);
  if (info === undefined) return "none";
  const content = info.kind === "file" ? system.read(path, CHOSEN.credential_file_bytes) : undefined;
  if (content === undefined || content.cut) return `${info.mtime_ms} ${info.size_bytes}`;
  return `${info.size_bytes} ${session.shortHash(Buffer.from(content.bytes).toString("latin1"))}`;
}

/** What a remembered copy is when its content does not say so. */
export function copyOf(text: string, kind: FileClass): Identified {
  const proven = kind === "PROVEN";
  const title = proven ? "a changed copy of a credential file" : "a copy of a file with secrets";
  const value = text.slice(0, VALUE_CHARS);
  const secret = { family: "copy", title, value, start: 0, end: value.length };
  return {
    id: "copy",
    title,
    class: kind,
    proof: "resolved path",
    secrets: [proven ? { ...secret, grade: "credential", kind: "resolved path" } : { ...secret, grade: "field", kind: "field" }],
  };
}
