/** Telling binary from text, and how much of a file is looked at. */
import { CHOSEN } from "../../limits.ts";

/**
 * Git's own test, a NUL near the beginning, except for UTF-16 and UTF-32 text: a byte-order mark, or NULs in one
 * column of two or four only, as ASCII text has them in those encodings.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, CHOSEN.git_sniff_bytes);
  if (head.indexOf(0) < 0) return false;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return false;
  const columns = [0, 0, 0, 0];
  for (let index = 0; index < head.length; index++) if (head[index] === 0) columns[index % 4] = (columns[index % 4] ?? 0) + 1;
  const rows = head.length / 4;
  const [a = 0, b = 0, c = 0, d = 0] = columns;
  // A column counts as "text" when no NUL stands in it and as "high byte" when most of it is NUL.
  const high = (...counts: number[]) => counts.every((count) => count > rows * 0.7);
  const text = (...counts: number[]) => counts.every((count) => count === 0);
  return !((text(a, c) && high(b, d)) || (text(b, d) && high(a, c)) || (text(a) && high(b, c, d)) || (text(d) && high(a, b, c)));
}
