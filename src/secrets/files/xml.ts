/** The little of XML that credential files need: leaf elements by name, with positions. Entities are not expanded. */
import type { Leaf } from "./file.ts";

/** Elements `<name>text</name>`, white space around the text dropped. */
export function elements(text: string, name: string): readonly Leaf[] {
  const found: Leaf[] = [];
  const open = `<${name}>`;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1)) {
    const end = text.indexOf("<", at + open.length);
    if (end < 0) break;
    if (!text.startsWith(`</${name}>`, end)) continue;
    const written = text.slice(at + open.length, end);
    const value = written.trim();
    const start = at + open.length + written.indexOf(value);
    found.push({ path: [name], value, start, end: start + value.length });
  }
  return found;
}

/** The same text with comments blanked, positions kept. */
export function withoutComments(text: string): string {
  let kept = "";
  let from = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", from)) {
    const close = text.indexOf("-->", open + 4);
    const end = close < 0 ? text.length : close + 3;
    kept += text.slice(from, open) + " ".repeat(end - open);
    from = end;
  }
  return kept + text.slice(from);
}
