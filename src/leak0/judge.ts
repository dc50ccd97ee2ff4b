/**
 * leak0 on one page: effects and evidence in, findings out, one judgement. No model is asked (L-010).
 * Order before a call: self-protection (B5), then the proofs (U-004). Only doubt.ts looks at a command's own words.
 */
import { abilities } from "../agents/capabilities.ts";
import type { Call } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { type Finding, verdict } from "../verdict.ts";
import { committing, unfinished } from "./committing.ts";
import { doubtful } from "./doubt.ts";
import { ALLOW, type Case, type Judgement } from "./judgement.ts";
import { message } from "./message.ts";
import { output } from "./output.ts";
import { prompting } from "./prompting.ts";
import { reading } from "./reading.ts";
import { selfProtection } from "./selfprotect.ts";
import { sending } from "./sending.ts";
import { starting } from "./starting.ts";
import { writing } from "./writing.ts";

/** Shell aliases of Git are followed this often. */
const ALIASES_MAX = 3;

/** Judges one call. `event` is the agent's own name of it, for the capability table; `notes` is D-07's coupling to exec0. */
export function judge(at: Case, event: string, notes: boolean): Judgement {
  const can = abilities(at.call.agent, event);
  const said = (findings: readonly Finding[], tone: Parameters<typeof message>[1]): string => {
    const spoken = notes && can.note ? findings : findings.filter((finding) => finding.decision !== "note");
    return message(spoken, tone);
  };
  switch (at.call.stage) {
    case "before": {
      const findings = beforeCall(at, ALIASES_MAX);
      return findings.length === 0 ? ALLOW : { decision: verdict(findings), message: said(findings, "call"), findings };
    }
    case "prompt": {
      const findings = prompting(at);
      return findings.length === 0 ? ALLOW : { decision: verdict(findings), message: said(findings, "prompt"), findings };
    }
    case "after": {
      const { findings, replaced, secrets } = output(at);
      at.session.remember(secrets);
      if (!can.redact || replaced === undefined) return ALLOW;
      return { decision: "redact", message: notes ? message(findings, "output") : "", output: replaced, findings };
    }
    case "failed": {
      // Nothing can change this output; a proven value ends the turn at the batch event (D-16), the rest is a note.
      const { findings, secrets, proven } = output(at);
      at.session.remember(secrets);
      if (findings.length === 0 || proven) return ALLOW;
      const noted = findings.map(
        (finding): Finding => ({
          ...finding,
          decision: "note",
          rule: "leak0:output_of_failed_command",
          next: "The output of a failed command cannot be changed: do not repeat the value, and do not print it again.",
        }),
      );
      return { decision: "note", message: said(noted, "output"), findings: noted };
    }
    case "batch": {
      const { findings, proven } = output(at);
      if (!proven || !can.endTurn) return ALLOW;
      const ended = findings.map(
        (finding): Finding => ({
          ...finding,
          rule: "leak0:output_of_failed_command",
          next: "Ask the person how to go on; run the command again only in a way that does not print the value.",
        }),
      );
      return { decision: "block", message: message(ended, "turn"), findings: ended };
    }
    case "session start":
    case "session end":
      return ALLOW;
  }
}

function beforeCall(at: Case, aliases: number): readonly Finding[] {
  const own = selfProtection(at);
  if (verdict(own) === "block") return own;
  const git = committing(at);
  const findings = [...own, ...reading(at), ...sending(at), ...git.findings, ...writing(at), ...starting(at)];
  // Last, so that it knows what the other rules had to leave unopened.
  findings.push(...doubtful(at));
  if (aliases === 0) return git.shell.length === 0 ? findings : [...findings, unfinished("its aliases are nested too deeply")];
  for (const command of git.shell) {
    const call: Call = { ...at.call, action: { kind: "shell", dialect: "bash", command } };
    findings.push(...beforeCall({ ...at, call, effects: effectsOf(call, worldOf(at)) }, aliases - 1));
  }
  return findings;
}

/** What `effectsOf` may know of the machine. */
export function worldOf(at: Pick<Case, "system">) {
  return { home: at.system.home, environment: at.system.environment, platform: at.system.platform };
}
