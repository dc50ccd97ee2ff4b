/**
 * `~/.poisonzero`: the user's own state (key, sessions, audit, setup journal, when agents called).
 *
 * Trust: everything in it belongs to the user the agent runs as, so a hostile agent can reach it by other roads;
 * what is kept here may strengthen a verdict and never weakens one. Nothing in it holds a secret value.
 */
import type { System } from "../system.ts";

/**
 * The folder, made when it is missing; undefined when there is no home, it cannot be made, it belongs to somebody
 * else, or root runs with another user's HOME (files made then would lock that user out).
 */
export function userFolder(system: System): string | undefined {
  if (system.home === "") return undefined;
  const folder = `${system.home}/.poisonzero`;
  if (isOwn(system, folder)) return folder;
  if (system.info(folder)) return undefined;
  if (system.uid === 0 && system.platform !== "windows" && system.info(system.home)?.uid !== 0) return undefined;
  try {
    system.makeFolder(folder);
  } catch {
    return undefined;
  }
  return isOwn(system, folder) ? folder : undefined;
}

/** A folder inside `~/.poisonzero`, made when it is missing; undefined under the same conditions. */
export function userSubfolder(system: System, name: "audit" | "clean" | "sessions" | "setup" | "outputs" | "seen"): string | undefined {
  const parent = userFolder(system);
  if (parent === undefined) return undefined;
  const folder = `${parent}/${name}`;
  try {
    if (!system.info(folder)) system.makeFolder(folder);
  } catch {
    return undefined;
  }
  return isOwn(system, folder) ? folder : undefined;
}

/** The person may have moved the folder and left a link; where it leads decides. */
function isOwn(system: System, folder: string): boolean {
  let info = system.info(folder);
  if (info?.kind === "link") info = system.info(system.realPath(folder) ?? "");
  return info?.kind === "folder" && (system.platform === "windows" || info.uid === system.uid);
}
