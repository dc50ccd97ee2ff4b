/**
 * Files of the data directory: what counts as written by the administrator.
 *
 * Trust: the directory and each file must belong to root (or the owner a test build names) and nobody else may
 * write them; otherwise whoever runs the agent could switch the guard off. Anything else reads as "not set", with
 * a reason for `status` that holds no content. The check looks at the path as it is: a link never counts.
 */
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";

/** A trusted file's text, or why there is none; both undefined when nothing is there. */
export interface SettingsText {
  readonly text?: string;
  readonly problem?: string;
}

/** True when settings in the data directory can be trusted: the directory itself is the administrator's. */
export function trustsDataFolder(system: System): boolean {
  const info = system.info(system.dataFolder);
  return info?.kind === "folder" && owned(system, info);
}

/** Reads one file of the data directory. The caller has checked `trustsDataFolder`. */
export function readSettings(system: System, name: string): SettingsText {
  const path = `${system.dataFolder}/${name}`;
  const info = system.info(path);
  if (!info) return {};
  if (info.kind !== "file") return { problem: `${name} is not a regular file` };
  if (!owned(system, info)) return { problem: `${name} does not belong to the administrator alone` };
  if (info.size_bytes > CHOSEN.policy_file_bytes) return { problem: `${name} is too large` };
  const content = system.read(path, CHOSEN.policy_file_bytes);
  if (!content || content.cut) return { problem: `${name} cannot be read` };
  return { text: new TextDecoder().decode(content.bytes) };
}

/** POSIX only: on Windows the directory's access list is set at installation and the mode bits say nothing. */
function owned(system: System, info: { readonly uid: number; readonly mode: number }): boolean {
  if (system.platform === "windows") return true;
  return (info.uid === 0 || info.uid === system.ownerUid) && (info.mode & 0o022) === 0;
}
