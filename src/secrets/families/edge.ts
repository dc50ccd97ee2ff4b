/**
 * Where a value may begin and end (token-families.md §9.1). A longer run of the same alphabet is another thing.
 * Escapes in front are no part of the run: `\n`, `%3D`, a terminal colour, a one-letter option (`-u…`).
 */

/** `word`: no letter, digit, `_`, `-` may touch. `base64`: no `+`, `/` either, and no `=` behind. `open`: anything may touch. */
export type Edge = "word" | "base64" | "open";

function isRun(text: string, at: number, edge: Edge): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    (edge === "base64" && (code === 43 || code === 47))
  );
}

/** Whether a value may begin here. */
export function isFreeBefore(text: string, start: number, edge: Edge): boolean {
  if (start === 0 || edge === "open") return true;
  if (!isRun(text, start - 1, edge)) return true;
  // The user's name in an address is no path.
  if (edge === "base64" && text.startsWith("://", start - 3)) return true;
  return /(?:\\(?:[abefnrtv0]|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|0?33)|%[\dA-Fa-f]{2}|\[[\d;]{0,12}[mK]|(?:^|[\s"'`=(])-[A-Za-z])$/.test(
    text.slice(Math.max(0, start - 16), start),
  );
}

/** Whether a value may end here. */
export function isFreeAfter(text: string, end: number, edge: Edge): boolean {
  if (end >= text.length || edge === "open") return true;
  return !isRun(text, end, edge) && !(edge === "base64" && text.charAt(end) === "=");
}
