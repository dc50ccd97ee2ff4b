/**
 * Codex, Cursor, Gemini CLI and Antigravity CLI: where their user's hook settings lie, whether they are used here, and what
 * keeps the entries in them from running (L-102, L-148, L-149).
 * Trust: reads the user's settings and the organisation's; nothing is run.
 */
import { LIMITS, TITLES } from "../agents/capabilities.ts";
import { FAILURES } from "../agents/failures.ts";
import { CHOSEN } from "../limits.ts";
import type { Mode } from "../policy/mode.ts";
import type { System } from "../system.ts";
import type { AgentProtection, Hindrance } from "./agents.ts";
import { hooksOff, isTrusted, readToml } from "./codex-config.ts";
import { isObject } from "./entries.ts";
import { lineOf, whyNotJson } from "./ignored.ts";
import { installationProblem, launcherProblem } from "./launcher.ts";
import { readSettingsFile, type SettingsFile } from "./settings.ts";
import { checkShape, itemsOf, type OtherAgent, placedEntries, programIn, readAs, refusedFor, SHAPES, switchedOff } from "./shape.ts";

/** What shows that an agent is used: folders and files below the home, programs on PATH. */
const TRACES: Readonly<Record<OtherAgent, { readonly files: readonly string[]; readonly programs: readonly string[] }>> = {
  codex: { files: [".codex"], programs: ["codex"] },
  cursor: { files: [".cursor"], programs: ["cursor", "cursor-agent"] },
  gemini: { files: [".gemini/settings.json", ".gemini/tmp"], programs: ["gemini"] },
  antigravity: {
    files: [".gemini/antigravity-cli", ".gemini/antigravity", ".gemini/config", ".antigravity"],
    programs: ["agy", "antigravity"],
  },
};

/** Whether an agent has been used by this user, or is installed. */
export function isHere(system: System, agent: OtherAgent): boolean {
  const { files, programs } = TRACES[agent];
  if (agent === "codex" && system.info(codexFolder(system)) !== undefined) return true;
  return files.some((name) => system.info(`${system.home}/${name}`) !== undefined) || programs.some((name) => onPath(system, name));
}

/** Whether PATH leads to a program of this name. */
export function onPath(system: System, name: string): boolean {
  const windows = system.platform === "windows";
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  const folders = (system.environment.PATH ?? "").split(windows ? ";" : ":").filter((folder) => /^(?:\/|[A-Za-z]:[\\/])/.test(folder));
  return folders.some((folder) => names.some((file) => system.info(system.realPath(`${folder}/${file}`) ?? "")?.kind === "file"));
}

function codexFolder(system: System): string {
  const named = system.environment.CODEX_HOME;
  return named?.startsWith("/") ? named.replace(/\/$/, "") : `${system.home}/.codex`;
}

/** The settings file of each agent. */
export const OTHER_FILES: Readonly<Record<OtherAgent, SettingsFile>> = {
  codex: fileOf("codex", (system) => `${codexFolder(system)}/hooks.json`),
  cursor: fileOf("cursor", (system) => `${system.home}/.cursor/hooks.json`),
  gemini: fileOf("gemini", (system) => `${system.home}/.gemini/settings.json`),
  antigravity: fileOf("antigravity", (system) => `${system.home}/.gemini/config/hooks.json`),
};

function fileOf(agent: OtherAgent, path: (system: System) => string): SettingsFile {
  return {
    agent,
    path,
    items: (system, launcher) => itemsOf(agent, launcher, system.platform),
    isInPlace(system, settings, launcher) {
      const { missing, different } = checkShape(agent, settings, launcher, system.platform);
      const { beside } = SHAPES[agent];
      return missing.length === 0 && different.length === 0 && Object.keys(beside).every((name) => name in settings);
    },
    ignores: (text) => whyIgnoredBy(agent, text) !== undefined,
  };
}

/** Why an agent ignores a settings text as a whole, with the line; undefined when it does not. */
export function whyIgnoredBy(agent: OtherAgent, text: string): string | undefined {
  const broken = whyNotJson(text, SHAPES[agent].comments);
  if (broken !== undefined) return broken;
  const settings = readAs(SHAPES[agent], text) ?? {};
  const odd = text.trim() === "" ? undefined : refusedFor(agent, settings);
  if (odd === undefined) return undefined;
  return `line ${lineOf(text, Math.max(0, text.indexOf(`"${odd}"`)))}: "${odd}" ${REFUSED[agent]}`;
}

/** What is wrong with the member an agent ignores a whole file for. */
const REFUSED: Readonly<Record<OtherAgent, string>> = {
  codex: "is none of the two members Codex knows",
  cursor: "is no whole number",
  gemini: "may not stand there",
  antigravity: "may not stand at the top",
};

/** Why the entries of an agent cannot run, whatever the mode is; undefined when they can, or would if they were there. */
export function hindranceOf(system: System, agent: OtherAgent): Hindrance | undefined {
  if (agent === "cursor" && system.platform === "windows") return { text: "Cursor on Windows is not supported by this version", all: true };
  const path = OTHER_FILES[agent].path(system);
  let text: string;
  try {
    text = readSettingsFile(system, path);
  } catch (error) {
    return { text: `${path}: ${error instanceof Error ? error.message : "the file cannot be read"}`, all: true };
  }
  const why = whyIgnoredBy(agent, text);
  if (why !== undefined) return { text: `${path}: ${why}; ${TITLES[agent]} ignores the whole file, so no hook in it runs`, all: true };
  const off = switchedOff(agent, readAs(SHAPES[agent], text));
  if (off !== undefined) return { text: `${path} switches the hooks off (${off})`, all: true };
  return agent === "codex" ? codexHindrance(system, path, text) : undefined;
}

const CODEX_REQUIREMENTS = {
  linux: "/etc/codex/requirements.toml",
  darwin: "/etc/codex/requirements.toml",
  windows: "C:/ProgramData/OpenAI/Codex/requirements.toml",
} as const;

/** Codex runs a hook only once the person has confirmed it, and skips it without a word before (L-149). */
function codexHindrance(system: System, path: string, text: string): Hindrance | undefined {
  if (tomlIn(system, CODEX_REQUIREMENTS[system.platform])?.allow_managed_hooks_only === true)
    return { text: "the organisation's requirements switch users' hooks off", all: true };
  const configPath = path.replace(/hooks\.json$/, "config.toml");
  const config = tomlIn(system, configPath);
  const off = hooksOff(config);
  if (off !== undefined) return { text: `${configPath} switches all hooks off (${off})`, all: true };
  const entries = placedEntries(SHAPES.codex, readAs(SHAPES.codex, text));
  // Codex names the file as it reached it, links not followed.
  const untrusted = entries.filter((entry) => !isTrusted(config, path, entry));
  if (untrusted.length === 0) return undefined;
  const all = untrusted.length === entries.length;
  const which = all ? "the hooks are" : `the hooks for ${untrusted.map(({ event }) => event).join(", ")} are`;
  return {
    text: `${which} not confirmed in Codex yet, which skips them silently until then: start codex, type /hooks and trust them`,
    all,
  };
}

function tomlIn(system: System, path: string) {
  const read = system.read(path, CHOSEN.agent_settings_bytes);
  return read === undefined || read.cut ? undefined : readToml(new TextDecoder().decode(read.bytes));
}

/** How far an agent is protected (L-102). */
export function protectionOf(system: System, agent: OtherAgent, leak0: Mode): AgentProtection {
  const base = { agent, title: TITLES[agent] };
  const not = (reason: string): AgentProtection => ({ ...base, state: "not protected", reasons: [reason] });
  const hindrance = hindranceOf(system, agent);
  const file = OTHER_FILES[agent];
  let settings = {};
  try {
    settings = readAs(SHAPES[agent], readSettingsFile(system, file.path(system))) ?? {};
  } catch {
    // Named by the hindrance.
  }
  const entries = placedEntries(SHAPES[agent], settings);
  if (hindrance?.all && (entries.length > 0 || !isObject(settings))) return not(hindrance.text);
  if (entries.length === 0) return not(hindrance?.all ? hindrance.text : `no hook entries: run poisonzero setup --agent ${agent}`);
  const gone = [...new Set(entries.flatMap(({ handler }) => programIn(handler) ?? []))].find((one) => installationProblem(system, one));
  if (gone !== undefined) {
    const failure = FAILURES[launcherProblem(system, gone) === undefined ? "program missing" : "launcher missing"];
    const effect = failure.comes[leak0][agent] === "refused" ? `${TITLES[agent]} refuses every tool` : "nothing is checked";
    return not(`${installationProblem(system, gone)}, so ${effect}. Install poisonzero again, or run poisonzero setup`);
  }
  if (leak0 === "off") return not("leak0 is off: sudo poisonzero leak0 enforce");
  const { missing, different } = checkShape(agent, settings, undefined, system.platform);
  const reasons: string[] = hindrance ? [hindrance.text] : [];
  if (missing.length > 0) reasons.push(`no hook entry for ${missing.join(", ")}: run poisonzero setup --agent ${agent}`);
  if (different.length > 0) reasons.push(`hook entry changed for ${different.join(", ")}: run poisonzero setup --agent ${agent}`);
  if (agent === "gemini") reasons.push(...untrustedFolders(system));
  if (leak0 === "observe") reasons.push("leak0 is in observe mode: hits are logged, nothing is stopped");
  reasons.push(...LIMITS[agent]);
  return { ...base, state: reasons.length === 0 ? "protected" : "partly protected", reasons };
}

/** Gemini CLI runs no hook, the user's own included, in a folder that the person chose not to trust. */
function untrustedFolders(system: System): readonly string[] {
  const read = system.read(`${system.home}/.gemini/trustedFolders.json`, CHOSEN.agent_settings_bytes);
  const folders = read === undefined || read.cut ? undefined : readAs(SHAPES.gemini, new TextDecoder().decode(read.bytes));
  const untrusted = Object.entries(folders ?? {}).flatMap(([folder, trust]) => (trust === "DO_NOT_TRUST" ? [folder] : []));
  return untrusted.length === 0 ? [] : [`no hook runs in folders you do not trust: ${untrusted.join(", ")}. In Gemini CLI: /permissions`];
}
