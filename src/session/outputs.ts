/**
 * Redacted copies of long results: `~/.poisonzero/outputs`, 0600 each, gone after a day.
 * Trust: only redacted text is given here; the agent is told the path and reads it.
 */
import { CHOSEN, SPECIFIED } from "../limits.ts";
import type { System } from "../system.ts";
import { userSubfolder } from "./folder.ts";

/** Keeps a text and answers its path; undefined when it cannot be kept. Never throws. */
export function keepOutput(system: System, text: string): string | undefined {
  const folder = userSubfolder(system, "outputs");
  if (folder === undefined) return undefined;
  const path = `${folder}/${system.random(16).toHex()}.txt`;
  try {
    sweepOutputs(system, folder);
    system.replace(path, text, 0o600);
    return path;
  } catch {
    return undefined;
  }
}

function sweepOutputs(system: System, folder: string): void {
  const oldest = system.now() - SPECIFIED.session_ms;
  for (const name of system.list(folder).slice(0, CHOSEN.session_sweep)) {
    const path = `${folder}/${name}`;
    const info = system.info(path);
    if (info?.kind === "file" && info.mtime_ms < oldest) system.remove(path);
  }
}
