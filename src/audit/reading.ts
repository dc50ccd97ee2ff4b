/**
 * Reading the audit back: the last entries, and whether the log is whole.
 * Trust: the files may be torn or forged; what is not an entry is named by its place and never shown.
 */
import { CHOSEN } from "../limits.ts";
import { keptKey } from "../session/key.ts";
import type { System } from "../system.ts";
import { follows } from "./chain.ts";
import { type AuditEntry, parseEntry } from "./event.ts";
import { auditFiles, strayAuditFiles } from "./log.ts";

/** A place in the audit. */
export interface AuditPlace {
  /** File name without folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What `audit verify` found. */
export interface AuditCheck {
  readonly entries: number;
  /** Nothing below was found. True for an audit without a single line. */
  readonly intact: boolean;
  /** Lines that are no entry: torn by a crash, garbled, or foreign. */
  readonly unreadable: readonly AuditPlace[];
  /** Entries that do not follow the line before them. */
  readonly broken: readonly AuditPlace[];
  /** Names of audit files that cannot be read to their end: a link, a folder, no permission, too large. */
  readonly closed: readonly string[];
  /** False when there are entries and the user's key is not there: none of them can then be verified. */
  readonly keyed: boolean;
  /** The broken entries are the oldest, all of them up to a point: so it looks when the key was lost and made anew after them. */
  readonly oldest: boolean;
}

/** The newest entries, and what could not be read on the way to them. */
export interface AuditTail {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
  /** Lines that are no entry, among those looked at. */
  readonly unreadable: readonly AuditPlace[];
  /** As in `AuditCheck`. */
  readonly closed: readonly string[];
}

/** Checks every line of every file, oldest first. */
export function verifyAudit(system: System): AuditCheck {
  const unreadable: AuditPlace[] = [];
  const broken: AuditPlace[] = [];
  const closed = [...strayAuditFiles(system)];
  let entries = 0;
  let previous: string | undefined;
  let lastEntry: string | undefined;
  let verified = 0;
  let oldest = true;
  const files = auditFiles(system);
  const key = keptKey(system);
  // Where older files were dropped, the first entry's predecessor is gone and its link cannot be checked.
  let unlinked = files.some((path) => path.endsWith(`/leak0.${CHOSEN.audit_files_aside}.jsonl`));
  for (const path of files) {
    const file = nameOf(path);
    const { found, whole } = linesOf(system, path);
    if (!whole) closed.push(file);
    for (const [index, line] of found.entries()) {
      const place = { file, line: index + 1 };
      if (!parseEntry(line)) {
        unreadable.push(place);
      } else {
        entries++;
        if (key && !unlinked) {
          // A torn line was not yet a line when the next one was made: that one follows the last whole line.
          if (follows(key, previous, line) || follows(key, lastEntry, line)) verified++;
          else {
            broken.push(place);
            oldest &&= verified === 0;
          }
        }
        unlinked = false;
        lastEntry = line;
      }
      previous = line;
    }
  }
  const keyed = key !== undefined || entries === 0;
  const intact = unreadable.length + broken.length + closed.length === 0 && keyed;
  return { entries, intact, unreadable, broken, closed, keyed, oldest: oldest && broken.length > 0 };
}

/** The newest entries, at most `count`. */
export function auditTail(system: System, count: number): AuditTail {
  const newest: AuditEntry[] = [];
  const unreadable: AuditPlace[] = [];
  const closed = [...strayAuditFiles(system)];
  const answer = (): AuditTail => ({ entries: newest.reverse(), unreadable: unreadable.reverse(), closed });
  for (const path of [...auditFiles(system)].reverse()) {
    const file = nameOf(path);
    const { found, whole } = linesOf(system, path);
    if (!whole) closed.push(file);
    for (const [index, line] of [...found.entries()].reverse()) {
      if (newest.length >= count) return answer();
      const entry = parseEntry(line);
      if (entry) newest.push(entry);
      else unreadable.push({ file, line: index + 1 });
    }
  }
  return answer();
}

/**
 * Answers at each call the entries written since the one before, oldest first; at the first call those after `last`.
 * Costs one look at the file while nothing was written. Entries of a file put aside meanwhile are found as well.
 */
export function auditFollower(system: System, last: AuditEntry | undefined): () => readonly AuditEntry[] {
  let seen = last?.chain;
  let stamp: string | undefined;
  return () => {
    const info = system.info(auditFiles(system).at(-1) ?? "");
    const now = `${info?.size_bytes} ${info?.mtime_ms}`;
    if (now === stamp) return [];
    stamp = now;
    const { entries } = auditTail(system, CHOSEN.audit_follow_entries);
    const fresh = entries.slice(entries.findLastIndex(({ chain }) => chain === seen) + 1);
    seen = fresh.at(-1)?.chain ?? seen;
    return fresh;
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `whole`: the file was read to its end. */
function linesOf(system: System, path: string): { readonly found: readonly string[]; readonly whole: boolean } {
  const content = system.read(path, CHOSEN.audit_file_bytes * 2);
  if (!content) return { found: [], whole: false };
  const found = new TextDecoder().decode(content.bytes).split("\n");
  if (found.at(-1) === "") found.pop();
  return { found, whole: !content.cut };
}
