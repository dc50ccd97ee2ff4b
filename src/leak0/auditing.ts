/** A judgement to audit events (L-155 … L-160). The event's schema has no room for a value, path or command. */
import { CHOSEN } from "../limits.ts";
import type { AuditAction, AuditReason } from "../audit/event.ts";
import { record } from "../audit/log.ts";
import type { Call } from "../call/effect.ts";
import type { Mode } from "../policy/mode.ts";
import { scan } from "../secrets/scan.ts";
import type { System } from "../system.ts";
import { type Decision, type Finding, verdict } from "../verdict.ts";
import { evidenceIn } from "./message.ts";

const ACTION: Readonly<Record<Exclude<Decision, "allow">, AuditAction>> = {
  block: "leak0_blocked",
  ask: "leak0_asked",
  redact: "leak0_redacted",
  note: "leak0_warned",
};

/**
 * Records what was decided: one event for each different value of the strictest findings. Under observe every event is
 * `leak0_observed` and names the decision that enforce would have taken (L-118, L-160).
 */
export function audit(
  system: System,
  call: Call,
  mode: Mode,
  findings: readonly Finding[],
  session?: { valuesIn(text: string): { readonly secrets: readonly unknown[] } },
): void {
  const decision = verdict(findings);
  if (decision === "allow") return;
  const seen = new Set<string>();
  // An MCP server chooses the names of its tools; one that holds a secret is recorded like one that is no name.
  const known = scan(call.tool).secrets.length + (session?.valuesIn(call.tool).secrets.length ?? 0);
  const tool = known === 0 ? call.tool : "";
  for (const finding of findings) {
    if (finding.decision !== decision || seen.size >= CHOSEN.audit_events) continue;
    const evidence = evidenceIn(finding);
    const identity = `${finding.rule} ${evidence?.hash}`;
    if (seen.has(identity)) continue;
    seen.add(identity);
    const reason = reasonOf(finding);
    const problem = record(system, {
      action: mode === "observe" ? "leak0_observed" : reason === "no dialog possible" ? "leak0_asked" : ACTION[decision],
      agent: call.agent,
      tool,
      rule: finding.rule,
      mode,
      decision,
      ...(evidence ? { hash: evidence.hash, kind: evidence.kind } : {}),
      ...("proof" in finding ? { proof: finding.proof.name } : {}),
      ...(reason ? { reason } : {}),
    });
    // A log that cannot be written now cannot be written a moment later either; the answer does not wait for it.
    if (problem !== undefined) return;
  }
}

function reasonOf(finding: Finding): AuditReason | undefined {
  if ("failClosed" in finding && finding.failClosed) return finding.failClosed;
  if (finding.rule === "leak0:output_of_failed_command" && finding.decision === "redact") return "turn ended";
  return finding.rule === "leak0:output_withheld" ? "output withheld" : undefined;
}
