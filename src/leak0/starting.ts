/**
 * What scripts that a call starts would send (L-111). A script's branches and arguments are not all known, so only a
 * provably third party blocks; what is proven and goes to an unknown place is a question, everything else stays silent.
 */
import type { Call } from "../call/effect.ts";
import type { Started } from "../call/starts/index.ts";
import type { Finding } from "../verdict.ts";
import { shown } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { sending } from "./sending.ts";
import { Scripts } from "./started.ts";

/** Longest program that is asked about: a short one does little beside reading a file and sending it. */
const SHORT_CHARS = 4_096;

/** Findings of every script the call's effects start. */
export function starting(at: Case): readonly Finding[] {
  const scripts = Scripts.of(at.effects, at.system);
  const findings: Finding[] = [];
  for (const script of scripts) {
    const effects = scripts.effectsIn(script).filter(({ kind }) => kind === "send" || kind === "publish");
    const call: Call = { ...at.call, cwd: script.cwd, action: { kind: "shell", dialect: "bash", command: script.command } };
    findings.push(...sending({ ...at, call, effects }).flatMap((finding) => ofScript(at, script, finding) ?? []));
  }
  if (scripts.cut) at.files.unread ??= "it starts more scripts than can be looked at";
  return findings;
}

function ofScript(at: Case, script: Started, finding: Finding): Finding | undefined {
  if (finding.decision !== "block" || !("proof" in finding)) return undefined;
  const { proof } = finding;
  // A bot that loads its .env and talks to a chat is everyday work: only a credential file counts in a program.
  if (script.program && (script.command.length > SHORT_CHARS || proof.evidence.kind === "checksum")) return undefined;
  const words = {
    rule: "leak0:script_sends_credential",
    what: `start what ${shown(at, script.path)} says, which would ${finding.what}`,
    next: "Take that step out of the script, or ask the person.",
  } as const;
  // A program is read by its strings and calls only: that what it reads is what it sends is likely, not proven.
  if (proof.name === "B4" && !script.program) return { decision: "block", proof, ...words };
  return { decision: "ask", evidence: proof.evidence, ...words };
}
