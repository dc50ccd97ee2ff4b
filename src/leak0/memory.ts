/**
 * Files an agent's client reads for itself (instructions, memory, commands, skills, hooks): what stands in them, is
 * imported by them or printed by their commands comes into the conversation, and no event tells of it. So a credential
 * file on its way into one is brought into the conversation (D-17).
 */
import type { Call, Effect } from "../call/effect.ts";
import { editsOf } from "../call/edits.ts";
import { effectsOf } from "../call/effects.ts";
import { type ClientFile, clientFile, commandsInto } from "../call/prompt-file.ts";
import { CHOSEN } from "../limits.ts";
import type { Finding } from "../verdict.ts";
import { showsSecret } from "./excerpt.ts";
import type { Look } from "./files.ts";
import { ask, block, evidenceOf, shown, the } from "./finding.ts";
import { type Case, worldOf } from "./judgement.ts";
import { mentions, named } from "./mentions.ts";
import { landing } from "./self/arriving.ts";

/** Imports of imports that are followed, as Claude Code does. */
const IMPORTS_MAX = 5;
/** Files that import each other and are looked at. */
const IMPORTERS_MAX = 50;

/** Whether agents read this file on every start, or when it is used. */
export function isMemoryFile(path: string): boolean {
  return clientFile(path)?.text === true;
}

/** A file that comes into the conversation; `sure`: nothing about it depends on what the client makes of an import. */
interface Brought {
  readonly look: Look;
  readonly sure: boolean;
}

/** Findings of every file that is copied, linked, printed or imported into such a file. Text of the call itself is route 4. */
export function remembering(at: Case): readonly Finding[] {
  let imports: ReadonlySet<string> | undefined;
  return at.effects.flatMap((effect) => {
    const target = targetOf(at, effect);
    if (target === undefined || !mayBring(effect, target)) return [];
    const real = at.system.realPath(target) ?? target;
    const file = clientFile(target) ?? ((imports ??= importsOf(at)).has(real) || imports.has(target) ? IMPORTED : undefined);
    if (file === undefined) return [];
    const found = new Map(broughtInto(at, effect, target, file).map((one) => [one.look, one]));
    return [...found.values()].flatMap((one) => ofLook(at, one, target, file));
  });
}

const IMPORTED: ClientFile = { when: "on every start, imported by an instruction file", text: true, imports: true, runs: false };

function targetOf(at: Case, effect: Effect): string | undefined {
  return effect.kind === "copy" ? landing(at, effect) : effect.kind === "write" ? effect.file.path : undefined;
}

/** Whether an effect can bring a file in at all: most writes are a text without an import or a command. */
function mayBring(effect: Effect, target: string): boolean {
  if (effect.kind !== "write") return effect.kind === "copy";
  return clientFile(target)?.text === false || effect.sources.some((source) => source.from !== "text" || /[@!]/.test(source.text));
}

/** What comes into the conversation by what an effect leaves at a place. */
function broughtInto(at: Case, effect: Effect, target: string, file: ClientFile): readonly Brought[] {
  const own = (looks: readonly Look[]): readonly Brought[] => (file.text ? looks.map((look) => ({ look, sure: true })) : []);
  if (effect.kind === "copy") {
    const looks = effect.file.path === undefined ? [] : at.files.within(effect.file.path);
    return [...own(looks), ...looks.flatMap(({ text }) => broughtBy(at, text, target, file))];
  }
  if (effect.kind !== "write") return [];
  const whole = settingsAfter(at, effect, file, target);
  if (whole !== undefined) return broughtBy(at, whole, target, file);
  return effect.sources.flatMap((source) => {
    if (source.from === "text") return broughtBy(at, source.text, target, file);
    if (source.from !== "file" || source.file.path === undefined) return [];
    const looks = at.files.within(source.file.path);
    const inside = source.plain ? looks.flatMap(({ text }) => broughtBy(at, text, target, file)) : [];
    return [...own(looks.filter((look) => showsSecret(source, look))), ...inside];
  });
}

/** The files that a text at this place brings in: imported ones, theirs in turn, and what its commands print. */
function broughtBy(at: Case, text: string, target: string, file: ClientFile, depth = IMPORTS_MAX): readonly Brought[] {
  if (text.length > CHOSEN.script_chars) return [];
  const printed = commandsInto(target, text).flatMap((command) => printedBy(at, command).map((look) => ({ look, sure: true })));
  if (!file.text || !text.includes("@")) return printed;
  const imported = mentions(at, withoutCode(text), folderOf(target), (path) => arriving(at, path).length > 0);
  const looks = imported.flatMap((path) => [at.files.look(path) ?? [], arriving(at, path)].flat());
  const further =
    depth <= 1 ? [] : looks.flatMap((look) => (look.identified === undefined ? broughtBy(at, look.text, look.path, file, depth - 1) : []));
  return [...printed, ...looks.map((look) => ({ look, sure: file.imports })), ...further];
}

/** What the same call copies to a place. */
function arriving(at: Case, path: string): readonly Look[] {
  return at.effects.flatMap((effect) => {
    if (effect.kind === "copy" && landing(at, effect) === path)
      return effect.file.path === undefined ? [] : at.files.within(effect.file.path);
    if (effect.kind !== "write" || effect.file.path !== path) return [];
    return effect.sources.flatMap((source) =>
      source.from === "file" && source.file.path !== undefined
        ? at.files.within(source.file.path).filter((look) => showsSecret(source, look))
        : [],
    );
  });
}

/** The secret files a command prints. */
function printedBy(at: Case, command: string): readonly Look[] {
  const call: Call = { ...at.call, action: { kind: "shell", dialect: "bash", command } };
  const sources = effectsOf(call, worldOf(at)).flatMap((effect) => (effect.kind === "show" ? effect.sources : []));
  return sources.flatMap((source) =>
    source.from === "file" && source.file.path !== undefined
      ? at.files.within(source.file.path, 1).filter((look) => showsSecret(source, look))
      : [],
  );
}

/** Settings after an edit: their hooks can only be read in the whole. */
function settingsAfter(at: Case, effect: Effect, { text: own }: ClientFile, target: string): string | undefined {
  const edits = editsOf(at.call.action).flatMap((one) => one.edits);
  if (effect.kind !== "write" || own || edits.length === 0) return undefined;
  const file = at.system.read(target, CHOSEN.agent_settings_bytes);
  let text = file === undefined ? "" : new TextDecoder().decode(file.bytes);
  for (const edit of edits) text = edit.all ? text.replaceAll(edit.old, () => edit.new) : text.replace(edit.old, () => edit.new);
  return text;
}

/** What the instruction files of this project and of the person import, by themselves and through others; links followed. */
function importsOf(at: Case): ReadonlySet<string> {
  const root = at.call.cwd === "" ? undefined : at.files.repositories.rootOf(`${at.call.cwd}/.`);
  const folders = [...new Set([at.call.cwd, root ?? ""])].filter((folder) => folder !== "");
  let next: readonly string[] = [
    ...folders.flatMap((folder) => INSTRUCTIONS.map((name) => `${folder}/${name}`)),
    `${at.system.home}/.claude/CLAUDE.md`,
    `${at.system.home}/.gemini/GEMINI.md`,
  ];
  const found = new Set<string>();
  const seen = new Set<string>();
  for (let depth = 0; depth < IMPORTS_MAX && next.length > 0; depth++) {
    const imported = new Set<string>();
    for (const path of next) {
      const real = at.system.realPath(path);
      if (real === undefined || seen.has(real) || seen.size >= IMPORTERS_MAX) continue;
      seen.add(real);
      const file = at.system.read(real, CHOSEN.script_chars);
      if (file !== undefined)
        for (const one of named(at, withoutCode(new TextDecoder().decode(file.bytes)), folderOf(path))) imported.add(one);
    }
    for (const path of imported) found.add(path).add(at.system.realPath(path) ?? path);
    next = [...imported];
  }
  return found;
}

const INSTRUCTIONS = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"];

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** An import inside code is an example of one. */
function withoutCode(text: string): string {
  const outside = (parts: readonly string[]): string => parts.filter((_, index) => index % 2 === 0).join(" ");
  return outside(text.split("```"))
    .split("\n")
    .map((line) => outside(line.split("`")))
    .join("\n");
}

function ofLook(at: Case, { look, sure }: Brought, target: string, file: ClientFile): readonly Finding[] {
  const proven = look.identified?.class === "PROVEN";
  const secret = look.identified?.secrets[0] ?? look.secrets.find(({ grade }) => grade === "token");
  if (secret === undefined) return [];
  const title = look.identified?.title ?? secret.title;
  const evidence = { ...evidenceOf(at, secret, look.path), title, kind: look.identified?.proof ?? secret.kind };
  const words = {
    what: `put ${the(title)} ${shown(at, look.path)} into ${shown(at, target)}, which is read into the conversation ${file.when}`,
    next: "Name the file and what it is for, without its content, an import or a command that prints it.",
  };
  return [
    proven && sure ? block("leak0:credential_file_read", "B1", evidence, words) : ask("leak0:secret_file_remembered", evidence, words),
  ];
}
