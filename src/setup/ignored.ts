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
  return whyNotJson(text, false) ?? wrongType(text);
}

/** Line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Why a text is no JSON object: `line 3: a trailing comma`; undefined when it is one, or blank. `comments`: they are read over. */
export function whyNotJson(marked: string, comments: boolean): string | undefined {
  const text = marked.replace(/^\uFEFF/, "");
  if (text.trim() === "") return undefined;
  const error = firstError(text, false, comments);
  if (error === undefined) return parseTree(text)?.type === "object" ? undefined : "line 1: not a JSON object";
  const lenient = firstError(text, true, comments);
  if (printParseErrorCode(error.error) === "InvalidCommentToken") return `line ${lineOf(text, error.offset)}: a comment`;
  if (error.offset !== lenient?.offset) return `line ${lineOf(text, text.lastIndexOf(",", error.offset))}: a trailing comma`;
  return `line ${lineOf(text, error.offset)}: not valid JSON (${printParseErrorCode(error.error)})`;
}

function firstError(text: string, allowTrailingComma: boolean, comments = false): ParseError | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: !comments, allowTrailingComma });
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
