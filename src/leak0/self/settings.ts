/** The settings files of Claude Code: which they are on this machine, and what stands in them. */
import { CHOSEN } from "../../limits.ts";
import { decode } from "../../secrets/decode.ts";
import { holdsOurEntries } from "../../setup/entries.ts";
import type { Case } from "../judgement.ts";

const SETTINGS_FILE = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/;
/** The organisation's: the file, and the folder of its parts. */
const MANAGED_FILE =
  /^(?:\/etc\/claude-code|\/Library\/Application Support\/ClaudeCode|[A-Z]:\/Program Files\/ClaudeCode)\/managed-settings\.(?:json$|d\/)/;

/** Files whose entries count for this call, there or not. */
export function settingsFiles(at: Case): readonly string[] {
  const { home, environment } = at.system;
  const folders = [
    environment.CLAUDE_CONFIG_DIR,
    home === "" ? undefined : `${home}/.claude`,
    at.call.cwd === "" ? undefined : `${at.call.cwd}/.claude`,
  ];
  const user = folders.flatMap((folder) => (folder === undefined ? [] : [`${folder}/settings.json`, `${folder}/settings.local.json`]));
  return [...new Set([...user, "/etc/claude-code/managed-settings.json"])];
}

/** Whether a path is a settings file, of whichever project, also through a link. */
export function isSettings(at: Case, path: string): boolean {
  const named = (name: string): boolean => SETTINGS_FILE.test(name) || MANAGED_FILE.test(name) || settingsFiles(at).includes(name);
  if (named(path)) return true;
  const real = at.system.realPath(path);
  return real !== undefined && real !== path && named(real);
}

/** Whether it is one of the organisation's. */
export function isManaged(path: string): boolean {
  return MANAGED_FILE.test(path);
}

/** Whether entries of ours stand in it now. */
export function holds(at: Case, path: string): boolean {
  const content = contentOf(at, path);
  return content !== undefined && holdsOurEntries(content);
}

/** A settings file's text; undefined when there is none. */
export function contentOf(at: Case, path: string): string | undefined {
  const read = at.system.read(path, CHOSEN.agent_settings_bytes);
  // Nobody's settings are that long: what does not fit counts as unread, and the call is asked about (doubt.ts).
  if (read?.cut) at.files.unread ??= "it changes a settings file that is too long to compare";
  return read === undefined ? undefined : decode(read.bytes).text;
}
