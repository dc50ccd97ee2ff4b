/**
 * Transformed copies of credential files (`base64 F > x`, `tar czf x F`): nothing in them is recognisable later, so their
 * paths are remembered for the session. A plain copy needs no memory: its content says what it is.
 */
import type { Source } from "../call/effect.ts";
import { Unfinished } from "../call/git/index.ts";
import type { Identified } from "../secrets/files/index.ts";
import { carried, strength } from "./carried.ts";
import type { Case } from "./judgement.ts";

/** Characters of a copy that stand for it as a value. */
const VALUE_CHARS = 4_096;

/** Paths this call would fill with the content of a PROVEN file, changed beyond recognition. */
export function transformedCopies(at: Case): readonly string[] {
  return at.effects.flatMap((effect) => {
    if (effect.kind !== "write" || effect.file.path === undefined) return [];
    const changed = effect.sources.some(
      (source) =>
        (source.from === "git content" && !source.plain && packsSecret(at, source)) ||
        (source.from === "file" &&
          !source.plain &&
          source.file.path !== undefined &&
          at.files.within(source.file.path).some((look) => look.identified?.class === "PROVEN")),
    );
    return changed ? [effect.file.path] : [];
  });
}

/** Whether `git archive`, `bundle` or `fast-export` packs something proven. What cannot be found out is no copy (D-12). */
function packsSecret(at: Case, source: Source): boolean {
  try {
    return carried(at, [source], true).some((one) => ["B1", "B2"].includes(strength(one) ?? ""));
  } catch (problem) {
    if (problem instanceof Unfinished) return false;
    throw problem;
  }
}

/** What a remembered copy is, whatever its content looks like. */
export function copyOf(text: string): Identified {
  const title = "a changed copy of a credential file";
  const value = text.slice(0, VALUE_CHARS);
  return {
    id: "copy",
    title,
    class: "PROVEN",
    proof: "resolved path",
    secrets: [{ family: "copy", title, grade: "credential", kind: "resolved path", value, start: 0, end: value.length }],
  };
}
