/** Right and wrong findings on the labelled set, counted by line: what scanners of every kind report. */
import type { LabelledFile } from "./set.ts";

/** One finding of any scanner. */
export interface Finding {
  /** As in the set. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The scanner's own name for it. */
  readonly rule: string;
}

export interface Score {
  readonly planted: number;
  readonly recalled: number;
  /** Lines found that hold no secret. */
  readonly alarms: number;
  readonly recall: number;
  readonly precision: number;
  /** Missed lines by family, false alarms by the scanner's rule. */
  readonly missed: ReadonlyMap<string, readonly string[]>;
  readonly wrong: ReadonlyMap<string, readonly string[]>;
}

/** Number of the line, from 1, in which this place of a text lies. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let feed = text.indexOf("\n"); feed >= 0 && feed < at; feed = text.indexOf("\n", feed + 1)) line++;
  return line;
}

/** A secret in several lines is found by any of them; lines beside it in a credential's own file do not count. */
export function score(files: readonly LabelledFile[], findings: readonly Finding[]): Score {
  const byPath = new Map<string, Finding[]>();
  for (const finding of findings) {
    const list = byPath.get(finding.path);
    if (list === undefined) byPath.set(finding.path, [finding]);
    else list.push(finding);
  }
  const missed = new Map<string, string[]>();
  const wrong = new Map<string, string[]>();
  const note = (to: Map<string, string[]>, key: string, text: string): void => void to.set(key, [...(to.get(key) ?? []), text]);
  let planted = 0;
  let recalled = 0;
  let alarms = 0;
  for (const file of files) {
    const found = byPath.get(file.path) ?? [];
    const spans = file.planted.map(({ family, start, end }) => ({
      family,
      first: lineAt(file.text, start),
      last: lineAt(file.text, end - 1),
    }));
    planted += spans.length;
    const written = file.text.split("\n");
    for (const { family, first, last } of spans) {
      if (found.some(({ line }) => line >= first && line <= last)) recalled++;
      else note(missed, family, `${file.path}:${first}: ${written[first - 1]?.slice(0, 240)}`);
    }
    if (file.whole) continue;
    const counted = new Set<number>();
    for (const { line, rule } of found) {
      if (counted.has(line) || spans.some(({ first, last }) => line >= first && line <= last)) continue;
      counted.add(line);
      alarms++;
      note(wrong, rule, `${file.path}:${line}: ${written[line - 1]?.slice(0, 240)}`);
    }
  }
  return { planted, recalled, alarms, recall: recalled / planted, precision: recalled / (recalled + alarms), missed, wrong };
}

/** The misses and false alarms, a family a line and its first three lines below. */
export function account({ missed, wrong }: Score): string {
  const part = (what: string, map: ReadonlyMap<string, readonly string[]>): string =>
    [...map]
      .map(
        ([key, lines]) =>
          `${what} ${key}: ${lines.length}\n${lines
            .slice(0, 3)
            .map((line) => `    ${line}`)
            .join("\n")}`,
      )
      .join("\n");
  return [part("missed", missed), part("false alarm", wrong)].filter((text) => text !== "").join("\n");
}
