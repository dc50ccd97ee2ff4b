/**
 * Route 3, before the call: content of a credential file on its way into the conversation (D-17).
 * Only a PROVEN-class file whose content confirms it blocks; QUESTION-class files run and their output is redacted.
 * Using a file (ssh -i, --env-file …) and looking at metadata have no `show` effect and never arrive here.
 */
import type { Source } from "../call/effect.ts";
import type { Finding } from "../verdict.ts";
import { ask, block, evidenceOf, shown, the } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { showsSecret } from "./excerpt.ts";
import { relaxation } from "./places.ts";

/** Findings of every `show` effect. */
export function reading(at: Case): readonly Finding[] {
  const findings: Finding[] = [];
  for (const effect of at.effects) {
    if (effect.kind !== "show") continue;
    for (const source of effect.sources) findings.push(...ofSource(at, source));
  }
  return findings;
}

function ofSource(at: Case, source: Source): readonly Finding[] {
  if (source.from !== "file" || source.file.path === undefined) return [];
  const look = at.files.look(source.file.path);
  const secret = look?.identified?.secrets[0];
  if (!look?.identified || look.identified.class !== "PROVEN" || secret === undefined || !showsSecret(source, look)) return [];
  const evidence = { ...evidenceOf(at, secret, look.path), title: look.identified.title, kind: look.identified.proof };
  const words = {
    what: `bring ${the(look.identified.title)} ${shown(at, look.path)} into the conversation`,
    next: "Do not read this file in any other way; let the tool that needs it use it by itself (a profile, --kubeconfig, ssh -i …), or ask the person for the fact you need.",
  };
  // L-034: real credentials kept in a test folder of the repository are a question.
  // The file's own place counts, not that of a link to it (L-017).
  const real = at.system.realPath(look.path) ?? look.path;
  if (relaxation(at.files.repositories.relative(real)) === "test") return [ask("leak0:credential_file_read", evidence, words)];
  return [block("leak0:credential_file_read", "B1", evidence, words)];
}
