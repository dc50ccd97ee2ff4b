/**
 * When each agent last called the hook: `~/.poisonzero/seen/<agent>`, an empty file whose time counts. It is what tells
 * `doctor` that an agent really calls, and not only that its entry would work (U-016).
 *
 * Trust: the user's own file; it decides nothing. Written once a day and agent, so that the calls between cost one look.
 */
import type { Agent } from "../call/effect.ts";
import type { System } from "../system.ts";
import { userSubfolder } from "./folder.ts";

/** Remembers that an agent calls now. Never throws. */
export function rememberCall(system: System, agent: Agent): void {
  const last = lastCall(system, agent);
  if (last !== undefined && dayOf(last) === dayOf(system.now())) return;
  try {
    const folder = userSubfolder(system, "seen");
    if (folder !== undefined) system.replace(`${folder}/${agent}`, "", 0o600);
  } catch {
    // What cannot be kept must never stop the hook.
  }
}

/** Milliseconds since the epoch at which an agent was first seen on the last day it called; undefined when it never was. */
export function lastCall(system: System, agent: Agent): number | undefined {
  const info = system.info(`${system.home}/.poisonzero/seen/${agent}`);
  return info?.kind === "file" ? info.mtime_ms : undefined;
}

/** The day in UTC, as the log names it: `2026-11-30`. */
export function dayOf(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 10);
}
