/**
 * Findings to the one text the agent (and through it the person) reads (L-025 … L-030).
 * Holds no value: it is built from findings, which hold none. Made here at the edge and nowhere else.
 */
import { CHOSEN } from "../limits.ts";
import { type Decision, type Evidence, type Finding, worse } from "../verdict.ts";

const OPENING: Record<Exclude<Decision, "allow">, string> = {
  block: "leak0 blocked this call: it would ",
  ask: "leak0 asks the person before this call runs: it would ",
  redact: "leak0 replaced secret values in this result: it held ",
  note: "leak0 note: this call would ",
};

/** Where the sentence differs from that of a call about to run. */
export type Tone = "call" | "prompt" | "output" | "turn";

const OTHER_OPENINGS: Partial<Record<Tone, Partial<Record<Decision, string>>>> = {
  prompt: { block: "leak0 stopped this prompt: it holds ", note: "leak0 note: the prompt holds " },
  output: { redact: "leak0: this result held ", note: "leak0 note: this result holds " },
  turn: { redact: "leak0 ended this turn: a command's output that cannot be changed holds " },
};

/** The message for a call's findings, worst first; "" for none. At most `CHOSEN.reason_chars` characters. */
export function message(findings: readonly Finding[], tone: Tone): string {
  const decision = findings.reduce<Decision>((worst, finding) => worse(worst, finding.decision), "allow");
  if (decision === "allow") return "";
  const leading = findings.filter((finding) => finding.decision === decision);
  const first = leading[0];
  if (first === undefined) return "";
  const opening = OTHER_OPENINGS[tone]?.[decision] ?? OPENING[decision];
  const what = unique(leading.map((finding) => finding.what))
    .slice(0, 5)
    .join("; and ");
  const more = leading.length > 5 ? ` (and ${leading.length - 5} more)` : "";
  const facts = unique(leading.map(facts_of)).slice(0, 5).join(" ");
  const off =
    decision === "block" || decision === "ask"
      ? ` Only the person can switch leak0 off, in their own terminal: sudo poisonzero leak0 off.`
      : "";
  return `${opening}${what}${more}. ${facts} ${unique(leading.map((finding) => finding.next))
    .slice(0, 2)
    .join(" ")}${off}`.slice(0, CHOSEN.reason_chars);
}

/** `[leak0:rule · proof B1 (resolved path) · hash 0123abcd]` */
function facts_of(finding: Finding): string {
  const evidence = evidenceIn(finding);
  const proof =
    "proof" in finding
      ? `proof ${finding.proof.name}`
      : "failClosed" in finding && finding.failClosed
        ? `reason: ${finding.failClosed}`
        : "proof: none, likely";
  const kind = evidence ? ` (${evidence.kind}) · ${evidence.title} · hash ${evidence.hash}` : "";
  return `[${finding.rule} · ${proof}${kind}]`;
}

/** The evidence a finding carries, if any. */
export function evidenceIn(finding: Finding): Evidence | undefined {
  return "proof" in finding ? finding.proof.evidence : "evidence" in finding ? finding.evidence : undefined;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
