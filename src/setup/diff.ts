/**
 * What setup would change in a settings file, as a unified diff without context.
 * Trust: settings may hold credentials. Only lines that are put in or go are shown; a line that merely gets a comma is
 * not, and of one that keeps its start and its end only the middle is.
 */
import { CHOSEN } from "../limits.ts";

/** The lines of the diff, `+` and `-` in front; undefined when the texts are too long to compare. */
export function settingsDiff(before: string, after: string): readonly string[] | undefined {
  const old = linesOf(before);
  const new_ = linesOf(after);
  const same = (i: number, j: number): boolean => withoutComma(old[i] ?? "") === withoutComma(new_[j] ?? "");
  let start = 0;
  while (start < old.length && start < new_.length && same(start, start)) start++;
  let oldEnd = old.length;
  let newEnd = new_.length;
  while (oldEnd > start && newEnd > start && same(oldEnd - 1, newEnd - 1)) {
    oldEnd--;
    newEnd--;
  }
  if (Math.max(oldEnd, newEnd) - start > CHOSEN.settings_diff_lines) return undefined;
  const common = longestCommon(start, oldEnd, newEnd, same);
  const result: string[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const endHunk = (i: number, j: number): void => {
    if (removed.length + added.length === 0) return;
    result.push(`@@ -${range(i - removed.length, removed.length)} +${range(j - added.length, added.length)} @@`);
    result.push(...(removed.length === 1 && added.length === 1 ? middle(removed[0] ?? "", added[0] ?? "") : marked(removed, added)));
    [removed, added] = [[], []];
  };
  let [i, j] = [start, start];
  while (i < oldEnd || j < newEnd) {
    if (i < oldEnd && j < newEnd && same(i, j)) endHunk(i++, j++);
    else if (j >= newEnd || (i < oldEnd && common(i + 1, j) >= common(i, j + 1))) removed.push(old[i++] ?? "");
    else added.push(new_[j++] ?? "");
  }
  endHunk(i, j);
  return result;
}

/** Length of the longest common subsequence of what lies behind two places. */
function longestCommon(
  start: number,
  oldEnd: number,
  newEnd: number,
  same: (i: number, j: number) => boolean,
): (i: number, j: number) => number {
  const width = newEnd - start + 1;
  const table = new Uint32Array((oldEnd - start + 1) * width);
  for (let i = oldEnd - 1; i >= start; i--) {
    for (let j = newEnd - 1; j >= start; j--) {
      const here = (i - start) * width + (j - start);
      table[here] = same(i, j) ? (table[here + width + 1] ?? 0) + 1 : Math.max(table[here + width] ?? 0, table[here + 1] ?? 0);
    }
  }
  return (i, j) => table[(i - start) * width + (j - start)] ?? 0;
}

function marked(removed: readonly string[], added: readonly string[]): readonly string[] {
  return [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
}

/** One line that became another: what both have in front and behind is left out. */
function middle(from: string, to: string): readonly string[] {
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const cut = (text: string) => `${start > 0 ? "…" : ""}${text.slice(start, text.length - end)}${end > 0 ? "…" : ""}`;
  return from.length === start + end ? [`+${cut(to)}`] : [`-${cut(from)}`, `+${cut(to)}`];
}

/** As in unified diffs: an empty range names the line before it. */
function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1}${count === 1 ? "" : `,${count}`}`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function withoutComma(line: string): string {
  return line.replace(/,$/, "");
}
