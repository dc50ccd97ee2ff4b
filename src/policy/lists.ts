/**
 * The administrator's own lists for leak0: further secret files and exclusions (L-128, L-129, L-142).
 * Trust: read from a file that belongs to the administrator, and still parsed narrowly by hand: this is the hook path.
 */
import { CHOSEN, SPECIFIED } from "../limits.ts";
import { globProblem } from "./glob.ts";

/** A secret file of one's own: a glob (`~` and `%USERPROFILE%` allowed) and, optionally, the fields that hold the secret. */
export interface SecretFileEntry {
  readonly path: string;
  readonly keys?: readonly string[];
}

/** Both lists, at most 200 entries each. */
export interface Leak0Lists {
  readonly secretFiles: readonly SecretFileEntry[];
  readonly exclusions: readonly string[];
}

export const NO_LISTS: Leak0Lists = { secretFiles: [], exclusions: [] };

/** A JSON object, or undefined for anything else, torn text included. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The lists in a parsed settings object; absent lists are empty and fields of other names are left alone.
 * One wrong entry makes the whole object count as not set: the answer is then the reason, without content.
 */
export function parseLists(value: Readonly<Record<string, unknown>>): Leak0Lists | string {
  const files = value.secretFiles ?? [];
  const exclusions = value.exclusions ?? [];
  if (!Array.isArray(files)) return "secretFiles is not a list";
  if (!Array.isArray(exclusions)) return "exclusions is not a list";
  if (files.length > SPECIFIED.list_entries) return `secretFiles has more than ${SPECIFIED.list_entries} entries`;
  if (exclusions.length > SPECIFIED.list_entries) return `exclusions has more than ${SPECIFIED.list_entries} entries`;
  const secretFiles: SecretFileEntry[] = [];
  for (const [index, entry] of files.entries()) {
    const parsed = parseEntry(entry);
    if (!parsed) return `secretFiles entry ${index + 1} is not { path, keys }`;
    secretFiles.push(parsed);
  }
  for (const [index, entry] of exclusions.entries()) if (!isGlob(entry)) return `exclusions entry ${index + 1} is not a glob`;
  return { secretFiles, exclusions: exclusions as string[] };
}

function parseEntry(entry: unknown): SecretFileEntry | undefined {
  if (!isObject(entry) || !isGlob(entry.path)) return undefined;
  if (entry.keys === undefined) return { path: entry.path };
  if (!Array.isArray(entry.keys) || entry.keys.length > CHOSEN.list_keys || !entry.keys.every(isKey)) return undefined;
  return { path: entry.path, keys: entry.keys };
}

function isGlob(value: unknown): value is string {
  return globProblem(value) === undefined;
}

/** A field name is compared as it is. */
function isKey(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= CHOSEN.list_glob_chars && !value.includes("\0");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
