/**
 * Proof B5: switching leak0 off, or touching PoisonZero's hook entries and files, through the agent (L-023, L-024, U-012).
 *
 * Trust: the agent runs with the user's rights, so this stops the plain ways and says so; it is no boundary against a
 * program that writes these files by itself. The data directory is root's for that reason.
 */
import { resolvePath } from "../call/path.ts";
import type { Effect, Source } from "../call/effect.ts";
import type { Finding } from "../verdict.ts";
import { shown } from "./finding.ts";
import { matches } from "./hidden.ts";
import { type Case, worldOf } from "./judgement.ts";
import { arrivalAt, copies, type FileEffect, landing, towards } from "./self/arriving.ts";
import { ofGit } from "./self/checkout.ts";
import { question, stop } from "./self/finding.ts";
import { ofEdit, ofSettings } from "./self/hook-settings.ts";
import { holdsKey, isKey, isOwn, isProgram, mayBeOwn, ownBelow, resolved } from "./self/places.ts";
import { ofProgram, ofSearchAndKill } from "./self/programs.ts";
import { isSettings } from "./self/settings.ts";
import { ofLastingVariable, ofStart, ofStartupFile } from "./self/unhooked.ts";

/** Findings of B5. Checked before everything else (U-004). */
export function selfProtection(at: Case): readonly Finding[] {
  const findings: Finding[] = [];
  // An edit tool names the change itself, so the file after it is known; its effects would only say that it changes.
  const edited = editedSettings(at);
  for (const effect of at.effects) {
    switch (effect.kind) {
      case "run":
        findings.push(...ofProgram(at, effect), ...ofStart(at, effect), ...ofLastingVariable(at, effect));
        break;
      case "git":
        findings.push(...ofGit(at, effect.invocation));
        break;
      case "write":
      case "change":
      case "copy":
      case "unpack":
        findings.push(...ofOwnFile(at, effect), ...ofHiddenFile(at, effect), ...(edited === undefined ? ofSettings(at, effect) : []));
        findings.push(...ofStartupFile(at, effect));
        break;
    }
    findings.push(...ofKey(at, effect));
  }
  if (edited !== undefined) findings.push(...ofEdit(at, edited));
  const runs = at.effects.flatMap((effect) => (effect.kind === "run" ? [effect] : []));
  return [...findings, ...ofSearchAndKill(at, runs)];
}

/** The settings file an edit tool changes. */
function editedSettings(at: Case): string | undefined {
  const { action } = at.call;
  if (action.kind !== "edit") return undefined;
  const { path } = resolvePath(action.path, at.call.cwd, worldOf(at));
  return path !== undefined && isSettings(at, path) ? path : undefined;
}

const LEAVE_ALONE = "Leave them alone; the person manages them with the poisonzero command.";

/** A file of ours changed, replaced, removed or buried under what a copy or an archive brings. */
function ofOwnFile(at: Case, effect: FileEffect): readonly Finding[] {
  const blocked = (path: string): Finding =>
    stop("leak0:own_files", at, { what: `change PoisonZero's own files (${shown(at, path)})`, next: LEAVE_ALONE });
  switch (effect.kind) {
    case "write":
      return effect.file.path !== undefined && isOwn(at, effect.file.path, false) ? [blocked(effect.file.path)] : [];
    case "change": {
      const takesAway = effect.how === "remove" || effect.how === "move";
      return effect.file.path !== undefined && isOwn(at, effect.file.path, takesAway) ? [blocked(effect.file.path)] : [];
    }
    case "unpack":
      return effect.folder.path === undefined ? [] : ofTarget(at, effect, effect.folder.path, blocked);
    case "copy":
      return copies(at, effect).flatMap((copy) => {
        const to = landing(at, copy);
        return [...(to === undefined ? [] : ofTarget(at, copy, to, blocked)), ...ofSourceOfCopy(at, copy)];
      });
  }
}

function ofTarget(
  at: Case,
  effect: Extract<Effect, { kind: "copy" | "unpack" }>,
  target: string,
  blocked: (path: string) => Finding,
): readonly Finding[] {
  if (isOwn(at, target, false)) return [blocked(target)];
  return [target, ...resolved(at, target)].flatMap((name) =>
    ownBelow(at, name)
      .filter((place) => {
        const arrival = arrivalAt(at, towards(effect, name), place);
        return arrival !== undefined && (arrival !== "unknown" || effect.kind === "copy");
      })
      .map(blocked),
  );
}

/** Our folder or our program under another name. */
function ofSourceOfCopy(at: Case, { file }: Extract<Effect, { kind: "copy" }>): readonly Finding[] {
  if (file.path === undefined) return [];
  if (isProgram(at, file.path)) {
    const next = "Call it by its own name.";
    return [question("leak0:switch_off", at, { what: "copy or link the poisonzero program to another name", next })];
  }
  if (!isOwn(at, file.path, false) || at.system.info(at.system.realPath(file.path) ?? file.path)?.kind !== "folder") return [];
  return [question("leak0:own_files", at, { what: "copy or link PoisonZero's own folder", next: LEAVE_ALONE })];
}

/** A target only the shell knows: what it can stand for on disk, and our names in it. */
function ofHiddenFile(at: Case, effect: FileEffect): readonly Finding[] {
  const target = effect.kind === "copy" ? effect.to : effect.kind === "unpack" ? effect.folder : effect.file;
  if (target.path !== undefined) return [];
  const { written } = target;
  const entered = enteredFolders(at);
  for (const path of [at.call.cwd, ...entered].flatMap((folder) => matches(at, written, folder))) {
    const meant = { written, path };
    const known: FileEffect =
      effect.kind === "copy"
        ? { ...effect, to: meant }
        : effect.kind === "unpack"
          ? { ...effect, folder: meant }
          : { ...effect, file: meant };
    const found = [...ofOwnFile(at, known), ...ofSettings(at, known)];
    if (found.length > 0) return found;
  }
  if (effect.kind !== "change" && effect.kind !== "write") return [];
  // A glob alone has been looked up on disk; what a variable holds has not.
  const inside = /[$`]/.test(written) && entered.some((folder) => isOwn(at, folder, false) || folder.endsWith("/.claude"));
  if (!inside && !mayBeOwn(at, written)) return [];
  return [
    question("leak0:own_files", at, {
      what: "change files that may be PoisonZero's own (a path only the shell knows)",
      next: "Name the files.",
    }),
  ];
}

/** Folders the command line goes into. */
function enteredFolders(at: Case): readonly string[] {
  return at.effects.flatMap((effect) => {
    if (effect.kind !== "run" || !/^(?:cd|pushd)$/.test(effect.name)) return [];
    const folder = effect.args.find(({ text }) => !text.startsWith("-"));
    const path = folder?.exact === true ? resolvePath(folder.text, at.call.cwd, worldOf(at)).path : undefined;
    return path === undefined ? [] : [path];
  });
}

const TAKES_KEY = {
  what: "take the key of PoisonZero's hashes out of its place",
  next: "Nothing needs it but PoisonZero; look at it with ls -l at most.",
};

/** The key on its way into the conversation, to somebody else, or into another file; also inside our folder packed as a whole. */
function ofKey(at: Case, effect: Effect): readonly Finding[] {
  const carry = (sources: readonly Source[], holds: (at: Case, path: string) => boolean): boolean =>
    sources.some(
      (source) =>
        source.from === "file" &&
        (source.file.path === undefined ? matches(at, source.file.written) : [source.file.path]).some((path) => holds(at, path)),
    );
  switch (effect.kind) {
    case "show":
      if (carry(effect.sources, isKey)) return [stop("leak0:own_files", at, TAKES_KEY)];
      return carry(effect.sources, holdsKey) && findsKey(at) ? [question("leak0:own_files", at, TAKES_KEY)] : [];
    case "copy":
      return carry([{ from: "file", file: effect.file, plain: true }], isKey) ? [stop("leak0:own_files", at, TAKES_KEY)] : [];
    case "write":
      if (carry(effect.sources, isKey)) return [stop("leak0:own_files", at, TAKES_KEY)];
      return carry(effect.sources, holdsKey) ? [question("leak0:own_files", at, TAKES_KEY)] : [];
    case "send":
    case "publish": {
      const taken = effect.parts.some(({ sources }) => carry(sources, isKey) || carry(sources, holdsKey));
      return taken ? [stop("leak0:own_files", at, TAKES_KEY)] : [];
    }
    default:
      return [];
  }
}

/** Whether what the call picks of our folder can be the key: `find` with a name that fits, or with none. */
function findsKey(at: Case): boolean {
  const names = at.effects.flatMap((effect) =>
    effect.kind === "run" && /^g?find$/.test(effect.name)
      ? effect.args.filter((_, index, args) => /^-i?name$/.test(args[index - 1]?.text ?? ""))
      : [],
  );
  return names.length === 0 || names.some(({ text }) => new Bun.Glob(text).match("key"));
}
