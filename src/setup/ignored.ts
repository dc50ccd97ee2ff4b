/**
 * Why Claude Code ignores a settings file as a whole (observed on the real client, see entries.ts), with the line.
 * Trust: the text is the user's own file; the answer holds no content of it.
 */
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { parseSettings } from "./entries.ts";

/** `line 3: a comment`, or undefined when the file counts. A blank one counts as empty settings. */
export function whyIgnored(marked: string): string | undefined {
  if (marked.trim() === "" || parseSettings(marked)) return undefined;
  const text = marked.replace(/^\uFEFF/, "");
  const strict = firstError(text, false);
  if (!strict) return wrongType(text);
  const lenient = firstError(text, true);
  if (printParseErrorCode(strict.error) === "InvalidCommentToken") return `line ${lineOf(text, strict.offset)}: a comment`;
  if (strict.offset !== lenient?.offset) return `line ${lineOf(text, text.lastIndexOf(",", strict.offset))}: a trailing comma`;
  return `line ${lineOf(text, strict.offset)}: not valid JSON (${printParseErrorCode(strict.error)})`;
}

/** Line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function firstError(text: string, allowTrailingComma: boolean): ParseError | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma });
  return errors[0];
}

function wrongType(text: string): string {
  const root = parseTree(text);
  if (root?.type !== "object") return "line 1: not a JSON object";
  const wrong = (root.children ?? []).findLast((property) => {
    const [name, value] = property.children ?? [];
    if (!name || !value || !["model", "permissions"].includes(String(name.value))) return false;
    return parseSettings(`{${text.slice(property.offset, property.offset + property.length)}}`) === undefined;
  });
  return wrong
    ? `line ${lineOf(text, wrong.offset)}: "${wrong.children?.[0]?.value}" is of a wrong type`
    : "line 1: not JSON as Claude Code reads it";
}
