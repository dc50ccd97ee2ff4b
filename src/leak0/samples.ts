/**
 * Whether a secret lies among samples, where it is a question at most: test folders relax files and tokens, docs folders
 * tokens only (L-034 … L-041).
 *
 * Trust: a name alone is easily given. A file that this session copied counts where it was copied from, and a value seen
 * elsewhere in the session is never a sample.
 */
import type { Carried } from "./carried.ts";
import { isThere } from "./copied.ts";
import type { Case } from "./judgement.ts";
import { type Relaxation, relaxation } from "./places.ts";

/** What matters of a secret that travels. */
type Held = Pick<Carried, "secret" | "look" | "wholeFile">;

/** Whether a place of this relaxation makes a secret a sample. */
export function isSampleAt(relaxed: Relaxation, { secret, look, wholeFile }: Held): boolean {
  if (secret.kind === "hash match") return false;
  if (relaxed !== "docs") return relaxed === "test";
  return secret.grade === "token" && !(wholeFile && look?.identified?.class === "PROVEN");
}

/** Whether a secret in a file on disk is a sample. */
export function isSample(at: Pick<Case, "files" | "session" | "system">, held: Held): boolean {
  const path = held.look?.path;
  if (path === undefined) return false;
  // The file's own place counts, not that of a link to it (L-017).
  const real = at.system.realPath(path) ?? path;
  const copy = at.session.copies.find((one) => !one.sealed && (one.path === path || one.path === real) && isThere(one, at));
  if (copy === undefined) return isSampleAt(relaxation(at.files.repositories.relative(real)), held);
  const origin = at.files.look(copy.of);
  if (origin?.secrets.some(({ value }) => value === held.secret.value) !== true) return false;
  const from = at.system.realPath(copy.of) ?? copy.of;
  return isSampleAt(relaxation(at.files.repositories.relative(from)), held);
}
