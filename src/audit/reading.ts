/**
 * Reading the audit back: the last entries, and whether the chain holds.
 * Trust: the files may be torn or forged; what is not an entry is counted and never shown.
 */
import { CHOSEN } from "../limits.ts";
import { userKey } from "../session/key.ts";
import type { System } from "../system.ts";
import { follows } from "./chain.ts";
import { type AuditEntry, parseEntry } from "./event.ts";
import { auditFiles } from "./log.ts";

/** A place in the audit. */
export interface AuditPlace {
  /** File name without folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What `audit verify` found. The chain holds when `broken` is empty. */
export interface AuditCheck {
  readonly entries: number;
  /** Lines that are no entry: torn by a crash, or foreign. */
  readonly torn: readonly AuditPlace[];
  /** Entries that do not follow the line before them. */
  readonly broken: readonly AuditPlace[];
  /** False when the user's key could not be kept: nothing can then be verified. */
  readonly keyed: boolean;
}

/** Checks every line of every file, oldest first. */
export function verifyAudit(system: System): AuditCheck {
  const key = userKey(system);
  const torn: AuditPlace[] = [];
  const broken: AuditPlace[] = [];
  let entries = 0;
  let previous: string | undefined;
  let lastEntry: string | undefined;
  const files = auditFiles(system);
  // Where older files were dropped, the first entry's predecessor is gone and its link cannot be checked.
  let unlinked = files.some((path) => path.endsWith(`/leak0.${CHOSEN.audit_files_aside}.jsonl`));
  for (const path of files) {
    const file = path.slice(path.lastIndexOf("/") + 1);
    for (const [index, line] of lines(system, path).entries()) {
      const place = { file, line: index + 1 };
      if (!parseEntry(line)) {
        torn.push(place);
      } else {
        entries++;
        // A torn line was not yet a line when the next one was made: that one follows the last whole line.
        if (!unlinked && !follows(key, previous, line) && !follows(key, lastEntry, line)) broken.push(place);
        unlinked = false;
        lastEntry = line;
      }
      previous = line;
    }
  }
  return { entries, torn, broken, keyed: key.stored };
}

/** The newest entries, at most `count`, oldest first. */
export function auditTail(system: System, count: number): readonly AuditEntry[] {
  const newest: AuditEntry[] = [];
  for (const path of [...auditFiles(system)].reverse()) {
    for (const line of [...lines(system, path)].reverse()) {
      if (newest.length >= count) return newest.reverse();
      const entry = parseEntry(line);
      if (entry) newest.push(entry);
    }
  }
  return newest.reverse();
}

function lines(system: System, path: string): readonly string[] {
  const content = system.read(path, CHOSEN.audit_file_bytes * 2);
  if (!content) return [];
  const found = new TextDecoder().decode(content.bytes).split("\n");
  if (found.at(-1) === "") found.pop();
  return found;
}
