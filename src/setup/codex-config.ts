/**
 * What Codex's `config.toml` says of the hooks in `hooks.json`: whether they run at all, and which of them the person
 * trusts (L-149). Trust: both texts of a change may come from the agent (B5). Hook path: no package, no system.
 */
import { isObject, type JsonObject } from "./entries.ts";
import type { PlacedEntry } from "./shape.ts";

/** A config text as an object; undefined when it is no TOML, which Codex refuses to start with. */
export function readToml(text: string): JsonObject | undefined {
  try {
    const value: unknown = Bun.TOML.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The member that switches all hooks off; undefined when none does. */
export function hooksOff(config: JsonObject | undefined): string | undefined {
  const { features } = config ?? {};
  if (!isObject(features)) return undefined;
  if (features.hooks === false) return "features.hooks";
  return features.codex_hooks === false ? "features.codex_hooks" : undefined;
}

/** Whether the person's trust stands for an entry as it is now, by the hash Codex itself would compute (reproduced on the real client). */
export function isTrusted(config: JsonObject | undefined, file: string, entry: PlacedEntry): boolean {
  const state = stateOf(config)[`${file}:${snake(entry.event)}:${entry.place}`];
  return isObject(state) && state.enabled !== false && state.trusted_hash === trustHash(entry);
}

/** Codex's own hash of one handler: compact JSON with sorted keys. */
export function trustHash({ event, group, handler }: PlacedEntry): string {
  const { command, timeout, statusMessage, additionalContextLimit } = handler;
  const hook = {
    ...(additionalContextLimit === undefined ? {} : { additionalContextLimit }),
    async: handler.async === true,
    command,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    timeout: timeout ?? DEFAULT_TIMEOUT_S,
    type: "command",
  };
  const { matcher } = group;
  // The matcher is no part of an event that has none.
  const matched = matcher === undefined || event === "UserPromptSubmit" ? {} : { matcher };
  const text = JSON.stringify({ event_name: snake(event), hooks: [hook], ...matched });
  return `sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
}

const DEFAULT_TIMEOUT_S = 600;

/** True when a change of `config.toml` switches hooks off, or takes trust from an entry of the hooks file that had it. */
export function weakensConfig(before: string, after: string, file: string, entries: readonly PlacedEntry[]): boolean {
  const was = readToml(before);
  const is = readToml(after);
  if (hooksOff(is) !== undefined && hooksOff(was) === undefined) return true;
  return entries.some((entry) => isTrusted(was, file, entry) && !isTrusted(is, file, entry));
}

function stateOf(config: JsonObject | undefined): JsonObject {
  const { hooks } = config ?? {};
  return isObject(hooks) && isObject(hooks.state) ? hooks.state : {};
}

/** `PreToolUse` as `pre_tool_use`. */
function snake(event: string): string {
  return event.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}
