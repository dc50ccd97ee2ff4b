/**
 * Proof B5 in the hook settings of Codex, Cursor, Gemini CLI and Antigravity CLI (L-023, U-012): an entry of ours taken
 * away, altered, moved where it loses its trust, or switched off. Claude Code's settings are selfprotect.ts's.
 *
 * Trust: the agent runs with the user's rights, so this stops the plain ways and says so.
 */
import { editsOf } from "../call/edits.ts";
import type { Edit, Effect } from "../call/effect.ts";
import { resolvePath } from "../call/path.ts";
import { CHOSEN } from "../limits.ts";
import { decode } from "../secrets/decode.ts";
import { hooksOff, readToml, weakensConfig } from "../setup/codex-config.ts";
import { holdsOurEntries } from "../setup/entries.ts";
import { holdsEntries, type OtherAgent, placedEntries, readAs, SHAPES, weakensEntries } from "../setup/shape.ts";
import type { Evidence, Finding } from "../verdict.ts";
import { shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

/** A file that decides over an agent's hooks: how it is recognised and compared. */
interface Settings {
  /** The file itself, below the user's, a project's or the system's folder. */
  readonly name: RegExp;
  /** Whether it holds what may be lost. */
  readonly holds: (text: string, path: string, at: Case) => boolean;
  readonly weakens: (before: string, after: string, path: string, at: Case) => boolean;
}

const KINDS: readonly Settings[] = [
  entries("codex", /(?:^|\/)\.codex\/hooks\.json$|^\/etc\/codex\/hooks\.json$/),
  entries("cursor", /(?:^|\/)\.cursor\/hooks\.json$|^\/etc\/cursor\/hooks\.json$/),
  entries("gemini", /(?:^|\/)\.gemini\/settings\.json$|^\/etc\/gemini-cli\/settings\.json$/),
  entries("antigravity", /(?:^|\/)\.gemini\/(?:config|antigravity-cli)\/hooks\.json$|(?:^|\/)[._]agents?\/hooks\.json$/),
  {
    name: /(?:^|\/)\.codex\/config\.toml$|^\/etc\/codex\/(?:config|requirements)\.toml$/,
    holds: (text, path, at) => trusts(text, path, at),
    weakens: (before, after, path, at) => weakensConfig(before, after, hooksFile(path), codexEntries(path, at)),
  },
];

function entries(agent: OtherAgent, name: RegExp): Settings {
  return {
    name,
    holds: (text) => holdsEntries(agent, text),
    weakens: (before, after) => weakensEntries(agent, before, after),
  };
}

/** The user's own files, for what takes whole folders away. */
const USER_FILES = [".codex/hooks.json", ".codex/config.toml", ".cursor/hooks.json", ".gemini/settings.json", ".gemini/config/hooks.json"];

/** Findings of B5 in the other agents' settings. */
export function agentSettings(at: Case): readonly Finding[] {
  const edited = new Map(
    editsOf(at.call.action).flatMap(({ path, edits }) => {
      const resolved = pathOf(at, path);
      return resolved === undefined || kindOf(at, resolved) === undefined ? [] : [[resolved, edits] as const];
    }),
  );
  const findings = at.effects.flatMap((effect) => (isOfFile(effect) ? ofFile(at, effect, edited) : []));
  for (const [path, edits] of edited) {
    const kind = kindOf(at, path);
    const before = contentOf(at, path) ?? "";
    let after = before;
    for (const edit of edits) {
      if (edit.old === "") after = after === "" ? edit.new : after;
      else after = edit.all ? after.replaceAll(edit.old, () => edit.new) : after.replace(edit.old, () => edit.new);
    }
    if (kind?.weakens(before, after, path, at)) findings.push(stop(at, path));
    else if (kind?.holds(before, path, at) && !isPlaced(before, edits)) findings.push(untold(at, path));
  }
  return [...findings, ...ofLooseEdit(at)];
}

/** Whether every text to be replaced stands in the file as it is, so that the result is known. */
function isPlaced(before: string, edits: readonly Edit[]): boolean {
  return edits.every(({ old }) => (old === "" ? before === "" : before.includes(old)));
}

/** Claude Code's settings are compared by selfprotect.ts as an exact tool changes them; a lenient one may do something else. */
function ofLooseEdit(at: Case): readonly Finding[] {
  const { action } = at.call;
  if (action.kind !== "edit" || !action.loose || !/settings[^/]*\.json$/.test(action.path)) return [];
  const path = pathOf(at, action.path);
  const before = path === undefined ? undefined : contentOf(at, path);
  if (path === undefined || before === undefined || !holdsOurEntries(before) || isPlaced(before, action.edits)) return [];
  return [untold(at, path)];
}

type FileEffect = Extract<Effect, { kind: "change" | "write" | "copy" }>;

function isOfFile(effect: Effect): effect is FileEffect {
  return effect.kind === "change" || effect.kind === "write" || effect.kind === "copy";
}

function ofFile(at: Case, effect: FileEffect, edited: ReadonlyMap<string, unknown>): readonly Finding[] {
  const target = effect.kind === "copy" ? effect.to.path : effect.file.path;
  if (target === undefined) return [];
  if (effect.kind === "change" && (effect.how === "remove" || effect.how === "move")) {
    const names = [target, at.system.realPath(target) ?? target];
    const lost = [...USER_FILES.map((name) => `${at.system.home}/${name}`), target].find(
      (file) => names.some((name) => file === name || file.startsWith(`${name}/`)) && holdsNow(at, file),
    );
    return lost === undefined ? [] : [stop(at, lost)];
  }
  const kind = kindOf(at, target);
  if (kind === undefined) return [];
  const before = contentOf(at, target) ?? "";
  if (effect.kind === "change") {
    if (edited.has(target) || !kind.holds(before, target, at)) return [];
    return [effect.how === "truncate" ? stop(at, target) : untold(at, target)];
  }
  if (effect.kind === "write" && edited.has(target)) return [];
  const after = effect.kind === "copy" ? copied(at, effect) : textOf(effect);
  if (after === undefined) return kind.holds(before, target, at) ? [untold(at, target)] : [];
  return kind.weakens(before, after, target, at) ? [stop(at, target)] : [];
}

function copied(at: Case, { file }: Extract<Effect, { kind: "copy" }>): string | undefined {
  return file.path === undefined ? undefined : contentOf(at, file.path);
}

/** The whole content a write leaves, when every source is text of the call. */
function textOf({ sources, append }: Extract<Effect, { kind: "write" }>): string | undefined {
  if (append || !sources.every((source) => source.from === "text")) return undefined;
  return sources.map((source) => (source.from === "text" ? source.text : "")).join("");
}

function kindOf(at: Case, path: string): Settings | undefined {
  const { CODEX_HOME: moved } = at.system.environment;
  const named = (name: string) => {
    const usual = moved?.startsWith("/") && name.startsWith(`${moved}/`) ? `/.codex${name.slice(moved.length)}` : name;
    return KINDS.find((kind) => kind.name.test(usual));
  };
  return named(path) ?? named(at.system.realPath(path) ?? path);
}

function holdsNow(at: Case, path: string): boolean {
  const kind = kindOf(at, path);
  const text = kind === undefined ? undefined : contentOf(at, path);
  return text !== undefined && kind?.holds(text, path, at) === true;
}

function hooksFile(config: string): string {
  return config.replace(/[^/]*$/, "hooks.json");
}

function codexEntries(config: string, at: Case) {
  const text = contentOf(at, hooksFile(config));
  return text === undefined ? [] : placedEntries(SHAPES.codex, readAs(SHAPES.codex, text));
}

/** Whether a config file trusts an entry of ours: what an unknown change of it may lose. */
function trusts(text: string, path: string, at: Case): boolean {
  const config = readToml(text);
  return config !== undefined && hooksOff(config) === undefined && weakensConfig(text, "", hooksFile(path), codexEntries(path, at));
}

function pathOf(at: Case, written: string): string | undefined {
  const { home, environment, platform } = at.system;
  return resolvePath(written, at.call.cwd, { home, environment, platform }).path;
}

function contentOf(at: Case, path: string): string | undefined {
  const read = at.system.read(path, CHOSEN.agent_settings_bytes);
  if (read?.cut) at.files.unread ??= "it changes a settings file that is too long to compare";
  return read === undefined ? undefined : decode(read.bytes).text;
}

const KEEP = "Make your change and leave the poisonzero entries as they are.";

function stop(at: Case, path: string): Finding {
  const what = `remove or change PoisonZero's hook entries in ${shown(at, path)}, or switch its hooks off`;
  return { decision: "block", rule: "leak0:hook_settings", proof: { name: "B5", evidence: evidence(at) }, what, next: KEEP };
}

function untold(at: Case, path: string): Finding {
  const what = `change ${shown(at, path)}, which PoisonZero's hooks depend on, with a result that cannot be told before`;
  return { decision: "ask", rule: "leak0:hook_settings", evidence: evidence(at), what, next: KEEP };
}

function evidence(at: Case): Evidence {
  const hash = at.session.shortHash("leak0:hook_settings");
  return { family: "self-protection", title: "PoisonZero's own protection", kind: "resolved path", hash };
}
