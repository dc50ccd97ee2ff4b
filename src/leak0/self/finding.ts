/** Builders of B5's findings. It is proven by what the call names: there is no value, so the evidence is the rule's own mark. */
import type { Evidence, Finding, RuleClass } from "../../verdict.ts";
import type { Words } from "../finding.ts";
import type { Case } from "../judgement.ts";

/** The next step where only a person may go on. */
export const ONLY_THE_PERSON = "Tell the person why you wanted this; only they can do it.";

export function stop(rule: RuleClass, at: Case, words: Words): Finding {
  return { decision: "block", rule, proof: { name: "B5", evidence: evidence(at, rule) }, ...words };
}

export function question(rule: RuleClass, at: Case, words: Words): Finding {
  return { decision: "ask", rule, evidence: evidence(at, rule), ...words };
}

function evidence(at: Case, rule: RuleClass): Evidence {
  return { family: "self-protection", title: "PoisonZero's own protection", kind: "resolved path", hash: at.session.shortHash(rule) };
}
