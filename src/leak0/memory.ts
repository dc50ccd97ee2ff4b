/**
 * Instruction and memory files: what stands in them, or is imported by them, is in the conversation from the next start
 * on, and no event tells of it. So a credential file on its way into one is brought into the conversation (D-17).
 */
import type { Effect, Source } from "../call/effect.ts";
import type { Finding } from "../verdict.ts";
import { showsSecret } from "./excerpt.ts";
import type { Look } from "./files.ts";
import { ask, block, evidenceOf, shown, the } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { mentions } from "./mentions.ts";

const NAMES = new Set([
  "CLAUDE.md",
  "CLAUDE.local.md",
  "AGENTS.md",
  "AGENTS.override.md",
  "GEMINI.md",
  "MEMORY.md",
  ".cursorrules",
  ".windsurfrules",
  "copilot-instructions.md",
]);
const AGENT_FOLDERS = new Set([".claude", ".cursor", ".codex", ".gemini"]);
const FOLDERS = new Set(["rules", "memory", "memories"]);

/** Whether agents read this file on every start. */
export function isMemoryFile(path: string): boolean {
  const names = path.split("/");
  if (NAMES.has(names.at(-1) ?? "")) return true;
  const agent = names.findIndex((name) => AGENT_FOLDERS.has(name));
  return agent >= 0 && names.slice(agent + 1).some((name) => FOLDERS.has(name));
}

/** Findings of every file that is copied, linked, printed or imported into a memory file. Text of the call itself is route 4. */
export function remembering(at: Case): readonly Finding[] {
  return at.effects.flatMap((effect) => {
    const target = targetOf(effect);
    if (target === undefined || !isMemoryFile(target)) return [];
    return looksInto(at, effect, target).flatMap((look) => ofLook(at, look, target));
  });
}

function targetOf(effect: Effect): string | undefined {
  return effect.kind === "copy" ? effect.to.path : effect.kind === "write" ? effect.file.path : undefined;
}

function looksInto(at: Case, effect: Effect, target: string): readonly Look[] {
  if (effect.kind === "copy") return effect.file.path === undefined ? [] : at.files.within(effect.file.path);
  if (effect.kind !== "write") return [];
  return effect.sources.flatMap((source) => ofSource(at, source, target));
}

function ofSource(at: Case, source: Source, target: string): readonly Look[] {
  if (source.from === "text") {
    const imported = mentions(at, withoutCode(source.text), target.slice(0, Math.max(1, target.lastIndexOf("/"))));
    return imported.flatMap((path) => at.files.look(path) ?? []);
  }
  if (source.from !== "file" || source.file.path === undefined) return [];
  return at.files.within(source.file.path).filter((look) => showsSecret(source, look));
}

/** An import inside code is an example of one. */
function withoutCode(text: string): string {
  const outside = (parts: readonly string[]): string => parts.filter((_, index) => index % 2 === 0).join(" ");
  return outside(text.split("```"))
    .split("\n")
    .map((line) => outside(line.split("`")))
    .join("\n");
}

function ofLook(at: Case, look: Look, target: string): readonly Finding[] {
  const proven = look.identified?.class === "PROVEN";
  const secret = look.identified?.secrets[0] ?? look.secrets.find(({ grade }) => grade === "token");
  if (secret === undefined) return [];
  const title = look.identified?.title ?? secret.title;
  const evidence = { ...evidenceOf(at, secret, look.path), title, kind: look.identified?.proof ?? secret.kind };
  const words = {
    what: `put ${the(title)} ${shown(at, look.path)} into ${shown(at, target)}, which is read into the conversation on every start`,
    next: "Name the file and what it is for, without its content and without an import.",
  };
  return [proven ? block("leak0:credential_file_read", "B1", evidence, words) : ask("leak0:secret_file_remembered", evidence, words)];
}
