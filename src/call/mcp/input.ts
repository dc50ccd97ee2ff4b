/** What stands in an MCP tool's input: its texts, and the files it names by the names of its fields. */
import { CHOSEN } from "../../limits.ts";

/** Tools that carry a named file away; for all others (`write_file`, `move_file`) a path is only a path. */
export const SENDING_TOOL =
  /upload|send|attach|post|publish|share|submit|import|mail|message|comment|create|deploy|transfer|sync|backup|put_?object|put_?file|push_?file|chat|(?:^|[_-])ask(?:$|[_-])|prompt|transcribe|translate|summari[sz]e/i;

/** Keys whose value is a file or a folder the tool reads, by their last word (`attachment_paths`, `deployDirectory`). */
const FILE_KEY =
  /^(?:[A-Za-z]{1,40}[_-]){0,4}(?:file|files|path|paths|file_?paths?|file_?names?|attachments?|upload|image|images|document|documents|directory|dir|folder|folders)$|[a-z](?:Files?|Paths?|FileNames?|Attachments?|Directory|Dir|Folders?)$/i;

/** Keys that hold a file among other things: what stands there says itself that it is one. */
const MAYBE_FILE_KEY = /^(?:source|src|input|data|media|resource|content|body|(?:file_?)?ur[il]s?|local)$/i;

/** Keys of what a tool makes, and of the place it works in. */
const MADE_KEY =
  /^(?:out|output|save|saved|dest|destination|target|download|to|new|result|report|log|repo|repository|project|workspace|working|work|root|base|git)(?:[_-]|[A-Z]|$)/;

/** Keys of folders: only what carries whole folders away takes one. */
const FOLDER_KEY = /(?:^|_)(?:directory|dir|folders?)$|[a-z](?:Directory|Dir|Folders?)$/i;

const FOLDER_TOOL = /upload|deploy|sync|backup|transfer|publish|share|import|attach/i;

/** A path that says it is one. */
const PATH = /^(?:~?\/|~\w{0,32}\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:\/\/)/;

/** Every string in a JSON value, keys included, without recursion; paths under a file's key apart. */
export function stringsOf(input: unknown, tool: string): { texts: string[]; files: string[]; complete: boolean } {
  const sends = SENDING_TOOL.test(tool);
  const texts: string[] = [];
  const files: string[] = [];
  const stack: { value: unknown; depth: number; key?: string }[] = [{ value: input, depth: 0 }];
  let complete = true;
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, depth, key } = entry;
    if (typeof value === "string") {
      texts.push(value);
      files.push(...filesUnder(tool, key, value), ...(sends ? mentioned(value) : []));
      const inner = jsonIn(value);
      if (inner !== undefined) stack.push({ value: inner, depth: depth + 1, ...(key === undefined ? {} : { key }) });
    } else if (typeof value === "object" && value !== null) {
      if (depth >= CHOSEN.json_depth) {
        complete = false;
        continue;
      }
      // An array's values stand under the array's own key.
      const children: [string | undefined, unknown][] = Array.isArray(value) ? value.map((one) => [key, one]) : Object.entries(value);
      for (let index = children.length - 1; index >= 0; index--) {
        const [name, child] = children[index] as [string | undefined, unknown];
        stack.push({ value: child, depth: depth + 1, ...(name === undefined ? {} : { key: name }) });
        if (!Array.isArray(value) && name !== undefined) stack.push({ value: name, depth: depth + 1 });
      }
    }
  }
  return { texts, files, complete };
}

/** The files that stand under a key: one, or several with commas between them. */
function filesUnder(tool: string, key: string | undefined, value: string): readonly string[] {
  if (key === undefined || value.length > 4_096 || MADE_KEY.test(key)) return [];
  if (FOLDER_KEY.test(key) && !FOLDER_TOOL.test(tool)) return [];
  const sure = FILE_KEY.test(key);
  if (!sure && !MAYBE_FILE_KEY.test(key)) return [];
  return value.split(/[,\n]\s{0,4}(?=[~/.\w])/, CHOSEN.single_texts).flatMap((one) => {
    const name = one.trim().replace(/^@/, "");
    return PATH.test(name) || (sure && /^[^\s:]{1,255}$/.test(name)) ? [name] : [];
  });
}

/** Files that a prompt brings along by their paths: `explain @~/notes.md`. */
function mentioned(text: string): readonly string[] {
  if (!text.includes("@")) return [];
  return [...text.slice(0, 100_000).matchAll(/(?:^|\s)@((?:~|\.{0,2})\/[^\s"'`,;]{1,1024})/g)]
    .slice(0, CHOSEN.single_texts)
    .map(([, path = ""]) => path);
}

/** The value of a text that is JSON itself. */
function jsonIn(text: string): unknown {
  if (!/^\s{0,64}[[{]/.test(text) || text.length > JSON_CHARS) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longest text that is read as JSON inside JSON. */
const JSON_CHARS = 64 * 1024;
