/**
 * Secrets of a text that stand in it in another writing only (base64, hex, percent escapes, backwards, spaced out): what Git
 * takes or a publication holds is as readable that way as in plain.
 */
import { scanEncoded } from "../secrets/encoded.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Files } from "./files.ts";

/** Shortest text in which a token can stand in another writing. */
const SHORTEST = 24;

/** Those that are not among `found` already. A search that a limit ended is told as something unread, with `what` it was. */
export function otherwiseWritten(files: Pick<Files, "unread">, text: string, found: readonly Secret[], what: string): readonly Secret[] {
  if (text.length < SHORTEST) return [];
  const { secrets, complete } = scanEncoded(text);
  if (!complete) files.unread ??= `${what} in it holds too many places to check`;
  return secrets.filter(
    ({ start, end, value }) =>
      !found.some((other) => other.value === value || (other.start >= 0 && other.start < end && start < other.end)),
  );
}
