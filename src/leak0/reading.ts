/**
 * Route 3, before the call: content of a credential file on its way into the conversation (D-17).
 * Only a PROVEN-class file whose content confirms it blocks; QUESTION-class files run and their output is redacted.
 * In an agent that shows hooks no results the latter are asked about where they hold a proven token.
 * Using a file (ssh -i, --env-file …) and looking at metadata have no `show` effect and never arrive here.
 */
import { showsResults } from "../agents/capabilities.ts";
import type { Source } from "../call/effect.ts";
import type { Finding } from "../verdict.ts";
import { ask, block, evidenceOf, shown, the } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { shownOf, showsSecret } from "./excerpt.ts";
import { isSample } from "./samples.ts";

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
  if (look?.identified?.class !== "PROVEN" || secret === undefined)
    return showsResults(at.call.agent) ? [] : unseen(at, source, source.file.path);
  if (!showsSecret(source, look)) return [];
  const evidence = { ...evidenceOf(at, secret, look.path), title: look.identified.title, kind: look.identified.proof };
  const words = { what: `bring ${the(look.identified.title)} ${shown(at, look.path)} into the conversation`, next: NEXT };
  // L-034: real credentials kept in a test folder of the repository are a question.
  if (isSample(at, { secret, look, wholeFile: true })) return [ask("leak0:credential_file_read", evidence, words)];
  return [block("leak0:credential_file_read", "B1", evidence, words)];
}

const NEXT =
  "Do not read this file in any other way; let the tool that needs it use it by itself (a profile, --kubeconfig, ssh -i …), or ask the person for the fact you need.";

/**
 * Where no hook sees a result, nothing can be taken out of it (D-26 is the same for prompts): a file with a proven token,
 * and a folder of credentials that is searched, are questions before the call.
 */
function unseen(at: Case, source: Source, path: string): readonly Finding[] {
  for (const look of at.files.within(path, 1)) {
    const file = look.path === path;
    // Of a folder only what people sign in with is looked at: a project's own files are everyday work to search.
    if (!file && look.identified?.class !== "PROVEN") continue;
    const secret = file
      ? shownOf(
          source,
          look,
          look.secrets.map((one) => ({ secret: one })),
        ).find(({ secret: { grade } }) => grade === "token")?.secret
      : look.identified?.secrets[0];
    if (secret === undefined || (!file && !showsSecret(source, look))) continue;
    const title = look.identified?.title ?? secret.title;
    const evidence = { ...evidenceOf(at, secret, look.path), title };
    return [
      ask("leak0:credential_file_read", evidence, {
        what: `bring ${the(title)} ${shown(at, look.path)} into the conversation`,
        next: NEXT,
      }),
    ];
  }
  return [];
}
