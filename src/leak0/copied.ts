/** A path that the session remembers as a copy of a secret file: whether it still is one, and what it counts as. */
import { CHOSEN } from "../limits.ts";
import type { FileClass, Identified } from "../secrets/files/index.ts";
import type { Copy } from "../session/copy.ts";
import type { Case } from "./judgement.ts";

/** Characters of a copy that stand for it as a value. */
const VALUE_CHARS = 4_096;

/** Whether the file at a remembered path still is the copy. */
export function isThere(copy: Copy, at: Place): boolean {
  return copy.until === undefined || copy.until === stampOf(copy.path, at);
}

interface Place {
  readonly session: Pick<Case["session"], "shortHash">;
  readonly system: Case["system"];
}

/** Tells one content of a file from the next; a new time alone (`touch`) is none. Of a long file, where and how long it is. */
export function stampOf(path: string, { session, system }: Place): string {
  const info = system.info(path);
  if (info === undefined) return "none";
  const content = info.kind === "file" ? system.read(path, CHOSEN.credential_file_bytes) : undefined;
  if (content === undefined || content.cut) return `${info.mtime_ms} ${info.size_bytes}`;
  return `${info.size_bytes} ${session.shortHash(Buffer.from(content.bytes).toString("latin1"))}`;
}

/** What a remembered copy is when its content does not say so. */
export function copyOf(text: string, kind: FileClass): Identified {
  const proven = kind === "PROVEN";
  const title = proven ? "a changed copy of a credential file" : "a copy of a file with secrets";
  const value = text.slice(0, VALUE_CHARS);
  const secret = { family: "copy", title, value, start: 0, end: value.length };
  return {
    id: "copy",
    title,
    class: kind,
    proof: "resolved path",
    secrets: [proven ? { ...secret, grade: "credential", kind: "resolved path" } : { ...secret, grade: "field", kind: "field" }],
  };
}
