/**
 * Cursor also starts the hooks of Claude Code's settings. Where its own entries call PoisonZero as well, they answer, and
 * this call steps back: nothing is judged, logged or asked twice.
 * Trust: only a payload of Cursor's says so, which the agent cannot write; the file is the user's.
 */
import { CHOSEN } from "../limits.ts";
import { callsEverywhere, placedEntries, programIn, readAs, SHAPES } from "../setup/shape.ts";
import type { System } from "../system.ts";

/** Whether Cursor's own settings call PoisonZero wherever it would be called here: it reads them, and the programs are there. */
export function cursorAnswers(system: System): boolean {
  const read = system.read(`${system.home}/.cursor/hooks.json`, CHOSEN.agent_settings_bytes);
  if (read === undefined || read.cut) return false;
  const settings = readAs(SHAPES.cursor, new TextDecoder().decode(read.bytes));
  if (settings === undefined || !callsEverywhere("cursor", settings, system.platform)) return false;
  return placedEntries(SHAPES.cursor, settings).every(({ handler }) => isThere(programIn(handler), system));
}

function isThere(program: string | undefined, system: System): boolean {
  return program !== undefined && system.info(system.realPath(program) ?? program)?.kind === "file";
}
