/**
 * The session file: version 1, one JSON object, 0600 (L-170). It holds fingerprints, paths of copies and host names, never a value.
 * Trust: the file may be torn, foreign or forged; what does not fit is dropped, entry by entry.
 */
import { CHOSEN } from "../limits.ts";
import type { Grade } from "../secrets/secret.ts";
import type { Fingerprint } from "./fingerprints.ts";

/** What one session remembers, oldest first. */
export interface SessionState {
  readonly values: readonly Fingerprint[];
  readonly copies: readonly string[];
  /** Hosts of Git remotes that the agent itself wrote down in this session. */
  readonly hosts: readonly string[];
}

export const EMPTY: SessionState = { values: [], copies: [], hosts: [] };

const GRADES: readonly string[] = ["token", "credential", "vendor", "field"] satisfies Grade[];

/** Both states in one, each value and path once, the oldest forgotten past the limits. */
export function merge(older: SessionState, newer: SessionState): SessionState {
  const values = new Map<string, Fingerprint>();
  for (const print of [...older.values, ...newer.values]) values.set(print.hash, print);
  const copies = new Set([...older.copies, ...newer.copies]);
  const hosts = new Set([...older.hosts, ...newer.hosts]);
  return {
    values: [...values.values()].slice(-CHOSEN.session_values),
    copies: [...copies].slice(-CHOSEN.session_copies),
    hosts: [...hosts].slice(-CHOSEN.session_hosts),
  };
}

/** The file's text. */
export function writeState(state: SessionState): string {
  const values = state.values.map((print) => [print.hash, print.length, print.window, print.family, print.grade, print.title]);
  return `${JSON.stringify({ v: 1, values, copies: state.copies, hosts: state.hosts })}\n`;
}

/** Reads a session file's text; whatever is not version 1 is empty. */
export function readState(text: string): SessionState {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return EMPTY;
  }
  if (typeof root !== "object" || root === null || (root as { v?: unknown }).v !== 1) return EMPTY;
  const { values, copies, hosts } = root as { values?: unknown; copies?: unknown; hosts?: unknown };
  return {
    values: list(values)
      .map(readFingerprint)
      .filter((print) => print !== undefined)
      .slice(-CHOSEN.session_values),
    copies: list(copies).filter(isPath).slice(-CHOSEN.session_copies),
    hosts: list(hosts).filter(isPath).slice(-CHOSEN.session_hosts),
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True for a path that a session may remember. */
export function isPath(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= CHOSEN.list_glob_chars && !value.includes("\0");
}

function readFingerprint(row: unknown): Fingerprint | undefined {
  if (!Array.isArray(row)) return undefined;
  const [hash, length, window, family, grade, title] = row as unknown[];
  if (typeof hash !== "string" || !/^[0-9a-f]{24}$/.test(hash)) return undefined;
  if (!isCount(length, 0x7fffffff) || !isCount(window, 0xffffffff)) return undefined;
  if (typeof family !== "string" || !/^[a-z0-9-]{1,64}$/.test(family)) return undefined;
  if (typeof grade !== "string" || !GRADES.includes(grade)) return undefined;
  if (typeof title !== "string" || !/^[^\p{C}]{1,100}$/u.test(title)) return undefined;
  return { hash, length, window, family, grade: grade as Grade, title };
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}
