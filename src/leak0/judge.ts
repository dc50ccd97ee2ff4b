/**
 * leak0 on one page: effects and evidence in, findings out, one judgement. No model is asked (L-010).
 * Order before a call: self-protection (B5), then the proofs (U-004). Only doubt.ts looks at a command's own words.
 */
import { type Abilities, abilities } from "../agents/capabilities.ts";
import type { Call } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { disjoint, piecesOf } from "../secrets/pieces.ts";
import { type Finding, verdict } from "../verdict.ts";
import { withoutDialog } from "./asking.ts";
import { committing, unfinished } from "./committing.ts";
import { doubtful } from "./doubt.ts";
import { exemptionChanges } from "./exempting.ts";
import { ALLOW, type Case, type Judgement, worldOf } from "./judgement.ts";
import { remembering } from "./memory.ts";
import { message } from "./message.ts";
import { output } from "./output.ts";
import { placeholding } from "./placeholding.ts";
import { prompting } from "./prompting.ts";
import { reading } from "./reading.ts";
import { selfProtection } from "./selfprotect.ts";
import { sending } from "./sending.ts";
import { starting } from "./starting.ts";
import { writing } from "./writing.ts";

/** Shell aliases of Git inside each other that are followed. */
const ALIASES_DEPTH = 3;
/** Command lines they stand for, all of one call. */
const ALIASES_MAX = 32;

/** Judges one call. `event` is the agent's own name of it, for the capability table; `notes` is D-07's coupling to exec0. */
export function judge(at: Case, event: string, notes: boolean): Judgement {
  const can = abilities(at.call.agent, event);
  const said = (findings: readonly Finding[], tone: Parameters<typeof message>[1]): string => {
    const spoken = notes && can.note === true ? findings : findings.filter((finding) => finding.decision !== "note");
    return withoutValues(at, message(spoken, tone));
  };
  switch (at.call.stage) {
    case "before": {
      const found = asked(at, can.ask);
      // What is said with the result is recorded then as well.
      const findings = can.note === "with the result" ? found.filter(({ decision }) => decision !== "note") : found;
      return findings.length === 0 ? ALLOW : { decision: verdict(findings), message: said(findings, "call"), findings };
    }
    case "prompt": {
      const findings = prompting(at, can.attaches === true);
      return findings.length === 0 ? ALLOW : { decision: verdict(findings), message: said(findings, "prompt"), findings };
    }
    case "after": {
      const waiting = notes && can.notesOf !== undefined ? notesIn(asked(at, abilities(at.call.agent, can.notesOf).ask)) : [];
      const { findings, replaced, secrets } = output(at);
      at.session.remember(secrets);
      const seen = replaced === undefined ? [] : findings;
      if (!can.withhold) {
        const kept = can.note === false ? [] : seen.map((one) => unchangeable(one, "leak0:secret_in_output", UNCHANGEABLE));
        return noted([...kept, ...waiting], texts(said(kept, "output"), said(waiting, "call")));
      }
      if (replaced === undefined) return noted(waiting, said(waiting, "call"));
      const text = texts(notes ? withoutValues(at, message(seen, "output")) : "", said(waiting, "call"));
      return { decision: "redact", message: text, output: replaced, findings: [...seen, ...waiting] };
    }
    case "failed": {
      // Nothing can change this output; a proven value ends the turn at the batch event (D-16), the rest is a note.
      const { findings, secrets, proven } = output(at);
      at.session.remember(secrets);
      if (proven) return ALLOW;
      const seen = findings.map((one) => unchangeable(one, "leak0:output_of_failed_command", UNCHANGEABLE_FAILED));
      return noted(seen, said(seen, "output"));
    }
    case "batch": {
      const { findings, proven } = output(at);
      if (!proven || !can.withhold) return ALLOW;
      const ended = findings.map(
        (finding): Finding => ({
          ...finding,
          rule: "leak0:output_of_failed_command",
          next: "Ask the person how to go on; run the command again only in a way that does not print the value.",
        }),
      );
      return { decision: "block", message: withoutValues(at, message(ended, "turn")), findings: ended };
    }
    case "session start":
    case "session end":
      return ALLOW;
  }
}

/**
 * D-25: a message names files, hosts and tools as the call does, and the agent may have put a value into such a name: one
 * that was seen earlier, or that stands in a file this call was about.
 */
function withoutValues(at: Case, text: string): string {
  if (text === "") return text;
  // The whole text of a copy is no value.
  const known = at.files.seen.flatMap(({ secrets }) => secrets.filter(({ family }) => family !== "copy"));
  const found = disjoint([...at.session.valuesIn(text).secrets, ...piecesOf(text, known)]);
  const kept = [...found, { start: text.length }].map(({ start }, index) => text.slice(found[index - 1]?.end ?? 0, start));
  return kept.join("[secret]");
}

/** What is to be said of a call before it runs; `ask`: how far the agent can put a question to the person. */
function asked(at: Case, ask: Abilities["ask"]): readonly Finding[] {
  const findings = beforeCall(at, ALIASES_DEPTH, new Set());
  return ask === true ? findings : withoutDialog(at, findings, ask === "unreliable");
}

function notesIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ decision }) => decision === "note");
}

function noted(findings: readonly Finding[], text: string): Judgement {
  return findings.length === 0 ? ALLOW : { decision: "note", message: text, findings };
}

function texts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

const UNCHANGEABLE = "The output of this tool cannot be changed here";
const UNCHANGEABLE_FAILED = "The output of a failed command cannot be changed";

/** A value in a result that no hook can change there (L-095, D-16). */
function unchangeable(finding: Finding, rule: Finding["rule"], why: string): Finding {
  return { ...finding, decision: "note", rule, next: `${why}: do not repeat the value, and do not print it again.` };
}

/** `aliases`: how deep they may still be nested; `seen`: the command lines they have stood for so far. */
function beforeCall(at: Case, aliases: number, seen: Set<string>): readonly Finding[] {
  const own = selfProtection(at);
  if (verdict(own) === "block") return own;
  const git = committing(at);
  const findings = [
    ...own,
    ...exemptionChanges(at),
    ...reading(at),
    ...sending(at),
    ...git.findings,
    ...writing(at),
    ...remembering(at),
    ...placeholding(at),
    ...starting(at),
  ];
  // Last, so that it knows what the other rules had to leave unopened.
  findings.push(...doubtful(at));
  if (aliases === 0) return git.shell.length === 0 ? findings : [...findings, unfinished("its aliases are nested too deeply")];
  for (const command of git.shell) {
    if (seen.has(command)) continue;
    if (seen.size >= ALIASES_MAX) return [...findings, unfinished("its aliases stand for too many commands")];
    seen.add(command);
    const call: Call = { ...at.call, action: { kind: "shell", dialect: "bash", command } };
    findings.push(...beforeCall({ ...at, call, effects: effectsOf(call, worldOf(at)) }, aliases - 1, seen));
  }
  return findings;
}
