/** A path that holds what once was a secret file. */
import { CHOSEN } from "../limits.ts";

export interface Copy {
  /** Absolute. */
  readonly path: string;
  /** The secret file whose content went into it, absolute: tells how to read it. */
  readonly of: string;
  readonly class: "PROVEN" | "QUESTION";
  /** It was encrypted on the way: a copy only to a stranger, who may have the key. */
  readonly sealed?: true;
  /** The file's state before a call that would replace it: only in this state it still is the copy. */
  readonly until?: string;
}

/** Whether a copy may be remembered. */
export function isCopy(copy: Copy): boolean {
  return [copy.path, copy.of].every((path) => path !== "" && path.length <= CHOSEN.list_glob_chars && !path.includes("\0"));
}

/** A copy as the session file holds it. */
export function copyRow(copy: Copy): readonly string[] {
  return [copy.path, copy.of, `${copy.class}${copy.sealed ? SEALED : ""}`, ...(copy.until === undefined ? [] : [copy.until])];
}

/** Behind the class in a row. */
const SEALED = " sealed";

/** Reads a row of a session file; undefined for anything else. */
export function readCopy(row: unknown): Copy | undefined {
  if (!Array.isArray(row) || !row.every((field) => typeof field === "string")) return undefined;
  const [path = "", of = "", written = "", until] = row as string[];
  const sealed = written.endsWith(SEALED);
  const kind = sealed ? written.slice(0, -SEALED.length) : written;
  if (kind !== "PROVEN" && kind !== "QUESTION") return undefined;
  const copy: Copy = { path, of, class: kind, ...(sealed ? { sealed } : {}), ...(until === undefined ? {} : { until }) };
  return isCopy(copy) ? copy : undefined;
}
