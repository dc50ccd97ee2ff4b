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

/** Shortest run of readable characters that is kept of binary content: nothing shorter is a secret. */
const RUN_BYTES = 8;

/**
 * The readable runs of binary content, one a line, as `strings` prints them: ASCII text with its line breaks and tabs.
 * Media and archives are mostly noise; searching it as text costs ten times as much as passing over it.
 */
export function readableRuns(bytes: Uint8Array): string {
  const readable = new Uint8Array(256);
  for (let byte = 9; byte < 127; byte++) if (byte >= 32 || byte <= 13 || byte === 27) readable[byte] = 1;
  const isReadable = (at: number): boolean => readable[bytes[at] as number] === 1;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const runs: string[] = [];
  // Where a run of this length would end nothing readable stands: none begins up to there.
  for (let at = 0; at + RUN_BYTES <= bytes.length; ) {
    const last = at + RUN_BYTES - 1;
    if (!isReadable(last)) {
      at = last + 1;
      continue;
    }
    let start = last;
    while (start > at && isReadable(start - 1)) start--;
    let end = last + 1;
    while (end < bytes.length && isReadable(end)) end++;
    if (end - start >= RUN_BYTES) runs.push(text.toString("latin1", start, end));
    at = end + 1;
  }
  return runs.join("\n");
}
