/**
 * `key = value` files in sections: AWS, npm, pip, MySQL, rclone, git config. Positions and the whole value
 * matter here, and the usual readers cut a value at `;`.
 */
import type { Leaf } from "./file.ts";

/** How a dialect differs. */
export interface IniOptions {
  /** `key: value` counts too (Python's dialect). */
  readonly colon?: boolean;
  /** Keys and section names are lower-cased. */
  readonly fold?: boolean;
}

/** Every `key = value` as a leaf with the path [section, key]; "" before the first section. Never fails. */
export function iniLeaves(text: string, options: IniOptions = {}): readonly Leaf[] {
  const leaves: Leaf[] = [];
  let section = "";
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(at, end);
    const entry = readLine(line, options.colon === true);
    if (entry?.section !== undefined) section = options.fold === true ? entry.section.toLowerCase() : entry.section;
    else if (entry?.key !== undefined) {
      const key = options.fold === true ? entry.key.toLowerCase() : entry.key;
      leaves.push({ path: [section, key], value: line.slice(entry.start, entry.end), start: at + entry.start, end: at + entry.end });
    }
    at = end + 1;
  }
  return leaves;
}

type Line =
  | { readonly section: string; readonly key?: undefined }
  | { readonly section?: undefined; readonly key: string; readonly start: number; readonly end: number };

function readLine(line: string, colon: boolean): Line | undefined {
  const body = line.trim();
  if (body === "" || body.startsWith("#") || body.startsWith(";")) return undefined;
  if (body.startsWith("[")) {
    const close = body.lastIndexOf("]");
    return close > 0 ? { section: body.slice(1, close).trim() } : undefined;
  }
  const equals = line.indexOf("=");
  const colonAt = colon ? line.indexOf(":") : -1;
  const split = equals < 0 ? colonAt : colonAt < 0 ? equals : Math.min(equals, colonAt);
  if (split < 1) return undefined;
  let start = split + 1;
  let end = line.length;
  while (start < end && line.charCodeAt(start) <= 0x20) start++;
  while (end > start && line.charCodeAt(end - 1) <= 0x20) end--;
  const quote = line[start];
  if ((quote === '"' || quote === "'") && end - start >= 2 && line[end - 1] === quote) {
    start++;
    end--;
  }
  return { key: line.slice(0, split).trim(), start, end };
}
