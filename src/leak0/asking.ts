/**
 * What a question becomes where the agent cannot ask the person itself (D-01, L-048, L-051, L-062, L-092).
 *
 * A question about Git, or about PoisonZero's own protection, stays closed: such a call does not run unasked. Every other
 * one is a note, and the call runs.
 */
import { quoted } from "../call/shell/quoting.ts";
import type { Evidence, Finding, RuleClass } from "../verdict.ts";
import { shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

type Question = Extract<Finding, { decision: "ask" | "note" }>;

/** Questions about what Git takes in or sends; a person can approve them with `poisonzero leak0 allow`. */
const GIT = new Set<RuleClass>([
  "leak0:checksum_token_commit",
  "leak0:checksum_token_push",
  "leak0:credential_file_git",
  "leak0:secret_file_git",
  "leak0:vendor_token_git",
]);
/** Questions about PoisonZero's own entries and files: in an agent that cannot ask, a call that may change them is stopped. */
const OWN = new Set<RuleClass>(["leak0:switch_off", "leak0:hook_settings", "leak0:own_files"]);

/** The findings as an agent without a dialog answers them; `unreliable`: it has one, which other questions are left to. */
export function withoutDialog(at: Case, findings: readonly Finding[], unreliable: boolean): readonly Finding[] {
  return findings.map((finding) => (finding.decision === "ask" ? answered(at, finding, unreliable) : finding));
}

function answered(at: Case, question: Question, unreliable: boolean): Finding {
  const { evidence, rule, next } = question;
  if (question.failClosed === "git check unfinished")
    return { ...question, decision: "block", failClosed: question.failClosed, next: "Try again with fewer files at once." };
  if (GIT.has(rule)) return closed(question, `${next} ${approval(at, evidence)}`);
  if (OWN.has(rule)) return closed(question, `${next} Only the person can do this, in their own terminal.`);
  return unreliable ? question : { ...question, decision: "note" };
}

function closed({ rule, what, evidence }: Question, next: string): Finding {
  return { decision: "block", failClosed: "no dialog possible", rule, what, next, ...(evidence === undefined ? {} : { evidence }) };
}

/** L-062: the way for the person. A path with a blank is quoted as a shell reads it. */
function approval(at: Case, evidence: Evidence | undefined): string {
  const file = evidence?.file;
  const lead = "This agent has no dialog for it; if the person wants it so, they run the command in their own terminal";
  if (file === undefined || shown(at, file) !== file) return `${lead}.`;
  return `${lead}, or approve the file there: poisonzero leak0 allow ${/^[\w./@+,:=-]+$/.test(file) ? file : quoted(file)}`;
}
