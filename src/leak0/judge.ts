/**
 * leak0 on one page: effects and evidence in, findings out, one judgement. No model is asked (L-010).
 * Order before a call: self-protection (B5), then the proofs (U-004). Nothing here reads a command string.
 */
import { abilities } from "../agents/capabilities.ts";
import type { Call } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { isKnownPlace, secretsInText } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import { type Finding, verdict } from "../verdict.ts";
import { committing } from "./committing.ts";
import { evidenceOf } from "./finding.ts";
import { ALLOW, type Case, type Judgement } from "./judgement.ts";
import { message } from "./message.ts";
import { output } from "./output.ts";
import { prompting } from "./prompting.ts";
import { reading } from "./reading.ts";
import { selfProtection } from "./selfprotect.ts";
import { sending } from "./sending.ts";
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
      const noted = findings.map((finding): Finding => ({ ...finding, decision: "note", rule: "leak0:output_of_failed_command" }));
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
  const findings = [...own, ...reading(at), ...sending(at), ...git.findings, ...writing(at), ...uncertain(at)];
  if (aliases === 0) return findings;
  for (const command of git.shell) {
    const call: Call = { ...at.call, action: { kind: "shell", dialect: "bash", command } };
    findings.push(...beforeCall({ ...at, call, effects: effectsOf(call, worldOf(at)) }, aliases - 1));
  }
  return findings;
}

/**
 * The one place where "could not tell" is answered (D-12): a call that could not be read to the end is asked about when
 * its own words hold a token or name an existing, confirmed credential file; otherwise it runs and its output is checked.
 */
function uncertain(at: Case): readonly Finding[] {
  const doubt = at.effects.find((effect) => effect.kind === "uncertain");
  if (doubt === undefined || at.call.action.kind !== "shell") return [];
  const { command } = at.call.action;
  const words = {
    what: `run a command that could not be read to the end (${doubt.why}) and that names a secret`,
    next: "Write the command in a simpler way.",
  };
  const found = [...scan(command).secrets, ...secretsInText(command)].find(
    (secret) => secret.grade === "token" || secret.grade === "credential",
  );
  if (found) return [{ decision: "ask", rule: "leak0:checksum_token_sent", evidence: evidenceOf(at, found), ...words }];
  for (const path of mentionedPaths(command, at)) {
    const look = at.files.look(path);
    const secret = look?.identified?.class === "PROVEN" ? look.identified.secrets[0] : undefined;
    if (look && secret)
      return [{ decision: "ask", rule: "leak0:credential_file_sent", evidence: evidenceOf(at, secret, look.path), ...words }];
  }
  return [];
}

/** Words of a command that spell a known place of a credential file; bounded. */
function mentionedPaths(command: string, at: Case): readonly string[] {
  const home = { folder: at.system.home, environment: at.system.environment };
  const paths: string[] = [];
  for (const match of command.slice(0, 65_536).matchAll(/(?:~|\$HOME|\$\{HOME\})?\/[\w./@+-]{3,256}/g)) {
    const path = match[0].replace(/^(?:~|\$HOME|\$\{HOME\})/, at.system.home);
    if (isKnownPlace(path, home)) paths.push(path);
    if (paths.length >= 16) break;
  }
  return paths;
}

/** What `effectsOf` may know of the machine. */
export function worldOf(at: Pick<Case, "system">) {
  return { home: at.system.home, environment: at.system.environment, platform: at.system.platform };
}
