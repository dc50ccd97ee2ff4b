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
  const leading = distinct(findings.filter((finding) => finding.decision === decision));
  const first = leading[0];
  if (first === undefined) return "";
  const opening = OTHER_OPENINGS[tone]?.[decision] ?? OPENING[decision];
  const what = shortList(
    leading.map((finding) => finding.what),
    "; and ",
  );
  const facts = shortList(leading.map(factsOf), " ");
  const next = unique(leading.map((finding) => finding.next))
    .slice(0, 2)
    .join(" ");
  const off = decision === "block" || decision === "ask" ? ` ${SWITCH}` : "";
  return `${opening}${what}. ${facts} ${next}${off}`.slice(0, CHOSEN.reason_chars);
}

/** The way out every block and question names (L-030), worded so that an agent does not take it for advice. */
export const SWITCH = "Only the person can switch leak0 off, in their own terminal: sudo poisonzero leak0 off.";

/** Parts of a message that are written out before the rest is only counted. */
const PARTS_MAX = 3;

function shortList(parts: readonly string[], separator: string): string {
  const different = unique(parts);
  const rest = different.length - PARTS_MAX;
  return different.slice(0, PARTS_MAX).join(separator) + (rest > 0 ? ` (and ${rest} more)` : "");
}

/** `[leak0:rule · proof B1 (resolved path) · hash 0123abcd]` */
function factsOf(finding: Finding): string {
  const evidence = evidenceIn(finding);
  const proof =
    "proof" in finding
      ? `proof ${finding.proof.name}`
      : "failClosed" in finding && finding.failClosed
        ? `reason: ${finding.failClosed}`
        : finding.decision === "redact"
          ? undefined
          : "proof: none, likely";
  const kind = evidence
    ? `${proof === undefined ? evidence.kind : `${proof} (${evidence.kind})`} · ${evidence.title} · hash ${evidence.hash}`
    : (proof ?? "");
  return `[${finding.rule} · ${kind}]`;
}

/**
 * The same findings, each once: one value of one file under one rule is one, however often and in whatever way it was
 * found. What stands in no file is told apart by what would be done with it.
 */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  const different = new Map<string, Finding>();
  for (const finding of findings) {
    const evidence = evidenceIn(finding);
    const key = JSON.stringify([finding.decision, finding.rule, evidence?.hash, evidence?.file ?? finding.what]);
    if (!different.has(key)) different.set(key, finding);
  }
  return [...different.values()];
}

/** The evidence a finding carries, if any. */
export function evidenceIn(finding: Finding): Evidence | undefined {
  return "proof" in finding ? finding.proof.evidence : "evidence" in finding ? finding.evidence : undefined;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
