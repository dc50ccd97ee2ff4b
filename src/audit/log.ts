/**
 * The user's audit file `~/.poisonzero/audit/leak0.jsonl` (D-24): 0600, one chained line per event, put aside by size.
 *
 * Trust: a record of what happened, kept in the user's own account until the service takes it in. It never decides
 * anything. Fifty hooks may append at once: each line is made under the lock and written in one piece.
 */
import { CHOSEN } from "../limits.ts";
import { userSubfolder } from "../session/folder.ts";
import { userKey } from "../session/key.ts";
import type { System } from "../system.ts";
import { chained } from "./chain.ts";
import { type AuditEvent, eventText } from "./event.ts";

/** Writes one event. Never throws: the answer is undefined, or in words why nothing was written. */
export function record(system: System, event: AuditEvent): string | undefined {
  const folder = userSubfolder(system, "audit");
  if (folder === undefined) return "the audit folder in the home folder cannot be used";
  const key = userKey(system);
  const path = currentFile(folder);
  try {
    putAside(system, folder, path);
    system.append(path, 0o600, (last) => chained(key, last ?? lastAside(system, folder), eventText(event, system.now())));
    return undefined;
  } catch {
    return "the audit file cannot be written";
  }
}

/** The audit files that exist, oldest first. Makes nothing. */
export function auditFiles(system: System): readonly string[] {
  return possibleFiles(system).filter((path) => system.info(path)?.kind === "file");
}

/** Names of what stands where the audit belongs and is none: a link, a folder, somebody else's folder, one that is closed. Makes nothing. */
export function strayAuditFiles(system: System): readonly string[] {
  const own = `${system.home}/.poisonzero`;
  if (system.home !== "" && system.info(own) && system.entries(own) === undefined) return ["~/.poisonzero"];
  if (system.info(`${system.home}/.poisonzero/audit`) && userSubfolder(system, "audit") === undefined) return ["~/.poisonzero/audit"];
  const stray = possibleFiles(system).filter((path) => !["file", undefined].includes(system.info(path)?.kind));
  return stray.map((path) => path.slice(path.lastIndexOf("/") + 1));
}

function possibleFiles(system: System): readonly string[] {
  if (system.home === "" || !system.info(`${system.home}/.poisonzero/audit`)) return [];
  const folder = userSubfolder(system, "audit");
  if (folder === undefined) return [];
  const aside = Array.from({ length: CHOSEN.audit_files_aside }, (_, n) => asideFile(folder, CHOSEN.audit_files_aside - n));
  return [...aside, currentFile(folder)];
}

function currentFile(folder: string): string {
  return `${folder}/leak0.jsonl`;
}

/** 1 is the newest of those put aside. */
function asideFile(folder: string, number: number): string {
  return `${folder}/leak0.${number}.jsonl`;
}

/** Takes the same lock as `append`, so that no line falls between two files. */
function putAside(system: System, folder: string, path: string): void {
  const full = () => (system.info(path)?.size_bytes ?? 0) > CHOSEN.audit_file_bytes;
  if (!full()) return;
  system.locked(`${path}.lock`, () => {
    if (!full()) return; // another process was first
    for (let number = CHOSEN.audit_files_aside - 1; number >= 1; number--) {
      if (system.info(asideFile(folder, number))) system.rename(asideFile(folder, number), asideFile(folder, number + 1));
    }
    system.rename(path, asideFile(folder, 1));
  });
}

/** The last line of the newest file put aside: the chain goes on across files. */
function lastAside(system: System, folder: string): string | undefined {
  const content = system.read(asideFile(folder, 1), CHOSEN.audit_file_bytes * 2);
  if (!content || content.cut) return undefined;
  return new TextDecoder().decode(content.bytes).split("\n").at(-2);
}
