/**
 * The settings files that decide over the agents' hooks: which they are on this machine, and what a change of one loses.
 * Claude Code's entries are known by setup/entries.ts, the other agents' by setup/shape.ts.
 */
import { CHOSEN } from "../../limits.ts";
import { decode } from "../../secrets/decode.ts";
import { hooksOff, readToml, weakensConfig } from "../../setup/codex-config.ts";
import { holdsOurEntries, ourEntries, removesOurEntries, turnsHooksOff } from "../../setup/entries.ts";
import { organisationFile, ownManagedFile } from "../../setup/managed-folder.ts";
import { holdsEntries, type OtherAgent, placedEntries, programIn, readAs, SHAPES, switchedOff, weakensEntries } from "../../setup/shape.ts";
import type { Case } from "../judgement.ts";
import { perCall } from "../per-call.ts";

/** What a change takes away: `lost` an entry of ours (or the trust in it), `off` every hook at once. */
export type Loss = "lost" | "off";

/** How one kind of settings file is read. */
interface Kind {
  readonly name: RegExp;
  /** Whether it holds anything of ours today. */
  readonly holds: (at: Case, path: string, text: string) => boolean;
  readonly loss: (at: Case, path: string, before: string, after: string) => Loss | undefined;
  /** The programs its entries of ours start. */
  readonly programs: (text: string) => readonly string[];
}

/** The organisation's: the file, and the folder of its parts. */
const MANAGED_FILE =
  /^(?:\/etc\/claude-code|\/Library\/Application Support\/ClaudeCode|[A-Z]:\/Program Files\/ClaudeCode)\/managed-settings\.(?:json$|d\/)/;

const CLAUDE: Kind = {
  name: /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/,
  holds: (_, __, text) => holdsOurEntries(text),
  loss(_, path, before, after) {
    // A project's settings hold no entries of ours and can still switch every hook off.
    if (turnsHooksOff(before, after, MANAGED_FILE.test(path))) return "off";
    return removesOurEntries(before, after) ? "lost" : undefined;
  },
  programs: (text) => ourEntries(text).flatMap(({ handler }) => (typeof handler.command === "string" ? [handler.command] : [])),
};

const KINDS: readonly Kind[] = [
  CLAUDE,
  other("codex", /(?:^|\/)\.codex\/hooks\.json$|^\/etc\/codex\/hooks\.json$/),
  other("cursor", /(?:^|\/)\.cursor\/hooks\.json$|^\/etc\/cursor\/hooks\.json$/),
  other("gemini", /(?:^|\/)\.gemini\/settings\.json$|^\/etc\/gemini-cli\/settings\.json$/),
  other("antigravity", /(?:^|\/)\.gemini\/(?:config|antigravity-cli)\/hooks\.json$|(?:^|\/)[._]agents?\/hooks\.json$/),
  {
    name: /(?:^|\/)\.codex\/config\.toml$|^\/etc\/codex\/(?:config|requirements)\.toml$/,
    // Trust in entries of ours is what an unknown change of it may lose.
    holds: (at, path, text) => readToml(text) !== undefined && weakensConfig(text, "", hooksFile(path), codexEntries(at, path)),
    loss(at, path, before, after) {
      if (hooksOff(readToml(after)) !== undefined && hooksOff(readToml(before)) === undefined) return "off";
      return weakensConfig(before, after, hooksFile(path), codexEntries(at, path)) ? "lost" : undefined;
    },
    programs: () => [],
  },
];

function other(agent: OtherAgent, name: RegExp): Kind {
  const read = (text: string) => readAs(SHAPES[agent], text);
  return {
    name,
    holds: (_, __, text) => holdsEntries(agent, text),
    loss(_, __, before, after) {
      if (switchedOff(agent, read(after)) !== undefined && switchedOff(agent, read(before)) === undefined) return "off";
      return weakensEntries(agent, before, after) ? "lost" : undefined;
    },
    programs: (text) => placedEntries(SHAPES[agent], read(text)).flatMap(({ handler }) => programIn(handler) ?? []),
  };
}

/** Codex's `config.toml` speaks of the entries in the `hooks.json` beside it. */
function hooksFile(config: string): string {
  return `${config.slice(0, config.lastIndexOf("/"))}/hooks.json`;
}

function codexEntries(at: Case, config: string) {
  const text = contentOf(at, hooksFile(config));
  return text === undefined ? [] : placedEntries(SHAPES.codex, readAs(SHAPES.codex, text));
}

/** Claude Code's files whose entries count for this call, there or not. */
export function claudeFiles(at: Case): readonly string[] {
  const { home, environment } = at.system;
  const folders = [
    environment.CLAUDE_CONFIG_DIR,
    home === "" ? undefined : `${home}/.claude`,
    at.call.cwd === "" ? undefined : `${at.call.cwd}/.claude`,
  ];
  const user = folders.flatMap((folder) => (folder === undefined ? [] : [`${folder}/settings.json`, `${folder}/settings.local.json`]));
  return [...new Set([...user, organisationFile(at.system.platform), ownManagedFile(at.system.platform)])];
}

/** The user's files of the other agents. */
const USER_FILES = [".cursor/hooks.json", ".gemini/settings.json", ".gemini/config/hooks.json"];

/** Files of every agent whose entries count for this call, there or not. */
export function settingsFiles(at: Case): readonly string[] {
  const { home } = at.system;
  if (home === "") return claudeFiles(at);
  const codex = codexFolder(at) ?? `${home}/.codex`;
  return [...claudeFiles(at), `${codex}/hooks.json`, `${codex}/config.toml`, ...USER_FILES.map((name) => `${home}/${name}`)];
}

function codexFolder(at: Case): string | undefined {
  const { CODEX_HOME: folder } = at.system.environment;
  return folder?.startsWith("/") ? folder.replace(/\/$/, "") : undefined;
}

/** A path without links, of which one call may name the same a thousand times; undefined for one that is not there. */
export const realPath = perCall((at, path): string | undefined => at.system.realPath(path));

/** The kind of a settings file, of whichever project, also through a link; undefined for any other file. */
function kindOf(at: Case, path: string): Kind | undefined {
  const named = (name: string): Kind | undefined => {
    if (MANAGED_FILE.test(name) || claudeFiles(at).includes(name)) return CLAUDE;
    const folder = codexFolder(at);
    const usual = folder !== undefined && name.startsWith(`${folder}/`) ? `/.codex${name.slice(folder.length)}` : name;
    return KINDS.find((kind) => kind.name.test(usual));
  };
  const kind = named(path);
  if (kind !== undefined) return kind;
  const real = realPath(at, path);
  return real === undefined || real === path ? undefined : named(real);
}

/** Whether a path is a settings file. */
export function isSettings(at: Case, path: string): boolean {
  return kindOf(at, path) !== undefined;
}

/** Whether something of ours stands in a settings file now. */
export const holds = perCall((at, path) => {
  const content = contentOf(at, path);
  return content !== undefined && kindOf(at, path)?.holds(at, path, content) === true;
});

const losses = perCall(() => new Map<string, Loss | undefined>());

/** What a settings file that comes to hold this text takes away, if anything. */
export function lossOf(at: Case, path: string, after: string): Loss | undefined {
  const known = losses(at, path);
  if (known.has(after)) return known.get(after);
  const before = contentOf(at, path) ?? "";
  const { work } = at.files;
  work.spend(SETTINGS_WORK * (before.length + after.length));
  if (work.spent) at.files.unread ??= "it changes settings more often than can be compared";
  const loss = work.spent ? undefined : kindOf(at, path)?.loss(at, path, before, after);
  known.set(after, loss);
  return loss;
}

/** What comparing one character of settings costs, as characters of a pattern. */
const SETTINGS_WORK = 10;

/** The programs that entries of ours in a settings file start. */
export function programsIn(at: Case, path: string): readonly string[] {
  const content = contentOf(at, path);
  return content === undefined ? [] : (kindOf(at, path)?.programs(content) ?? []);
}

/** A settings file's text; undefined when there is none. */
export const contentOf = perCall((at, path): string | undefined => {
  const read = at.system.read(path, CHOSEN.agent_settings_bytes);
  // Nobody's settings are that long: what does not fit counts as unread, and the call is asked about (doubt.ts).
  if (read?.cut) at.files.unread ??= "it changes a settings file that is too long to compare";
  return read === undefined ? undefined : decode(read.bytes).text;
});
