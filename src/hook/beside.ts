/**
 * Cursor also starts the hooks of Claude Code's settings. Where its own entries call PoisonZero as well, they answer, and
 * this call steps back: nothing is judged, logged or asked twice.
 * Trust: only a payload of Cursor's says so, which the agent cannot write; the file is the user's.
 */
import { CHOSEN } from "../limits.ts";
import { holdsEntries } from "../setup/shape.ts";
import type { System } from "../system.ts";

/** Whether Cursor's own settings call PoisonZero. */
export function cursorAnswers(system: System): boolean {
  const read = system.read(`${system.home}/.cursor/hooks.json`, CHOSEN.agent_settings_bytes);
  return read !== undefined && !read.cut && holdsEntries("cursor", new TextDecoder().decode(read.bytes));
}
