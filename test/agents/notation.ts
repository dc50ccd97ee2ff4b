/** Decoded events in short, for comparing with a fixture. */
import type { Event, Unreadable } from "../../src/agents/adapter.ts";
import type { Call } from "../../src/call/effect.ts";

/** `stage tool @folder kind {fields}`, one line a call. */
export function tell(event: Event | Unreadable): readonly string[] {
  if ("unreadable" in event) return [`unreadable: ${event.unreadable}`];
  return event.calls.map((call) => `${event.row ?? event.name}: ${tellCall(call)}`);
}

function tellCall({ stage, tool, cwd, action, response, unseen, prompt, attached }: Call): string {
  const { kind, ...fields } = action;
  const parts = [stage, tool, `@${cwd}`, kind, JSON.stringify(fields)];
  if (unseen) parts.push("unseen");
  if (response !== undefined) parts.push(`-> ${JSON.stringify(response)}`);
  if (prompt !== undefined) parts.push(`prompt ${JSON.stringify(prompt)}`);
  if (attached !== undefined && attached.length > 0) parts.push(`with ${attached.join(" ")}`);
  return parts.join(" ");
}
