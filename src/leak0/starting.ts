/**
 * What scripts that a call starts would do (L-111): what they send and publish, what they take into a repository, and whether
 * they switch leak0 off is judged as the same lines typed would be. A script's branches and arguments are not all known, so
 * only a provably third party and our own off switch block; everything else that would be a block is a question.
 */
import type { Call, Effect } from "../call/effect.ts";
import type { Started } from "../call/starts/index.ts";
import { isQuiet } from "../call/git/quiet.ts";
import { CHOSEN } from "../limits.ts";
import type { Finding } from "../verdict.ts";
import { committing } from "./committing.ts";
import { shown } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { selfProtection } from "./selfprotect.ts";
import { isForStrangers, sending } from "./sending.ts";
import { aimsAtUs, isShort, Scripts } from "./started.ts";

/** Findings of every script the call's effects start. */
export function starting(at: Case): readonly Finding[] {
  const scripts = Scripts.of(at.effects, at.system);
  const findings: Finding[] = [];
  for (const script of scripts) {
    if (at.system.left_ms() < CHOSEN.answer_ms) {
      scripts.cut = true;
      break;
    }
    const effects = scripts.effectsIn(script);
    const call: Call = { ...at.call, cwd: script.cwd, action: { kind: "shell", dialect: "bash", command: script.command } };
    findings.push(...ofScript(script, { ...at, call, effects }).flatMap((finding) => asStarted(at, script, finding) ?? []));
  }
  if (scripts.cut) at.files.unread ??= "it starts more scripts than can be looked at";
  return findings;
}

function ofScript(script: Started, inside: Case): readonly Finding[] {
  if (!isShort(script)) return [];
  // In a folder that only the shell knows, a script works on something of its own.
  const placed = inside.effects.filter((effect) => effect.kind !== "git" || effect.invocation.cwd !== undefined);
  const git = placed.some((effect) => effect.kind === "git" && !isQuiet(effect.invocation.subcommand));
  return [
    ...(aimsAtUs(script) ? selfProtection(inside) : []),
    ...(script.program ? sentByProgram(inside).filter((finding) => script.test !== true || isOfFile(finding)) : sending(inside)).map(
      asScripts,
    ),
    ...(git ? committing({ ...inside, effects: placed }).findings : []),
  ];
}

/**
 * A program is read by its strings and calls only, and a bot that loads its .env and talks to a chat is everyday work: what
 * it sends counts where strangers collect things, and a credential file anywhere.
 */
function sentByProgram(inside: Case): readonly Finding[] {
  const toOthers = (effect: Effect): boolean => effect.kind === "send" && !isForStrangers(inside, effect);
  const elsewhere = inside.effects.filter(toOthers);
  return [
    ...sending({ ...inside, effects: inside.effects.filter((effect) => !toOthers(effect)) }),
    ...(elsewhere.length === 0 ? [] : sending({ ...inside, effects: elsewhere }).filter(isOfFile)),
  ];
}

function isOfFile(finding: Finding): boolean {
  return finding.decision === "block" && "proof" in finding && finding.proof.evidence.kind !== "checksum";
}

/** What a script surely sends has a rule of its own. */
function asScripts(finding: Finding): Finding {
  return finding.decision === "block" ? { ...finding, rule: "leak0:script_sends_credential" } : finding;
}

function asStarted(at: Case, script: Started, finding: Finding): Finding | undefined {
  if (finding.decision === "note" || finding.decision === "redact") return undefined;
  const words = {
    rule: finding.rule,
    what: `start what ${shown(at, script.path)} says, which would ${finding.what}`,
    next: "Take that step out of the script, or ask the person.",
  } as const;
  if (finding.decision !== "block") return { ...finding, ...words };
  if ("failClosed" in finding) return { decision: "ask", failClosed: finding.failClosed, ...words };
  const { proof } = finding;
  // Of a program it is likely, not proven, that what it reads is what it sends.
  if (proof.name === "B5" || (proof.name === "B4" && !script.program)) return { decision: "block", proof, ...words };
  return { decision: "ask", evidence: proof.evidence, ...words };
}
