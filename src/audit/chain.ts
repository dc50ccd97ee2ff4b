/**
 * The chain that ties every audit line to the one before it.
 *
 * A line ends with `,"chain":"<32 hex>"}`: the keyed hash (D-24, the user's key) of the whole previous line and of this
 * line up to its chain field. Without the key no line can be changed, removed, inserted or moved unseen, the last
 * included. Limits: whoever holds the key (every process of the user) can write a chain of their own, and lines
 * cut off at the end leave no trace here; the service's copy is what answers both.
 */
import { keyedHash, type UserKey } from "../session/key.ts";

const CHAIN_CHARS = 32;

/** Closes an event's text (without closing brace) into a line that follows `previous`. */
export function chained(key: UserKey, previous: string | undefined, text: string): string {
  return `${text},"chain":"${link(key, previous, text)}"}`;
}

/** True when the line follows `previous` under this key. */
export function follows(key: UserKey, previous: string | undefined, line: string): boolean {
  const cut = line.lastIndexOf(',"chain":"');
  if (cut < 0) return false;
  const text = line.slice(0, cut);
  return chained(key, previous, text) === line;
}

function link(key: UserKey, previous: string | undefined, text: string): string {
  return keyedHash(key, "audit line", `${previous ?? ""}\n${text}`).slice(0, CHAIN_CHARS);
}
