/**
 * Our own placeholders on their way back into the file they were shown for: writing the file anew from a redacted reading
 * would put `[leak0:…]` in the place of the values, which nobody has elsewhere.
 */
import type { Finding } from "../verdict.ts";
import { ask, evidenceOf, shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

const PLACEHOLDER = /\[leak0:[a-z\d-]{1,60}:([\da-f]{8})\]/g;

/** Findings of every file that is written as a whole with a placeholder for a value that stands in it now. */
export function placeholding(at: Case): readonly Finding[] {
  return at.effects.flatMap((effect): readonly Finding[] => {
    if (effect.kind !== "write" || effect.append || effect.file.path === undefined) return [];
    const text = effect.sources.map((source) => (source.from === "text" ? source.text : "")).join("\n");
    const hashes = new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]));
    const look = hashes.size === 0 ? undefined : at.files.look(effect.file.path);
    const lost = look?.secrets.find(({ value }) => hashes.has(at.session.shortHash(value)) && !text.includes(value));
    if (look === undefined || lost === undefined) return [];
    const words = {
      what: `replace ${lost.title} in ${shown(at, look.path)} by leak0's placeholder for it, and the value would be lost`,
      next: "Change only the lines that need it (Edit, sed -i) and leave the ones with a placeholder out.",
    };
    return [ask("leak0:placeholder_written", evidenceOf(at, lost, look.path), words)];
  });
}
