/**
 * The hook on one page: text in, one answer out (design: decode → effects → findings → verdict → reply).
 *
 * Trust: the event is hostile. This is the one place where a throw becomes a verdict (L-153): under enforce a call or a
 * prompt that could not be judged is refused, a result that could not be judged is withheld; otherwise the agent goes on.
 */
import { decode } from "../agents/claude/decode.ts";
import { type Answer, endRun, refuse, reply, SILENCE } from "../agents/claude/reply.ts";
import type { Agent, Call } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { ALLOW, type Judgement } from "../leak0/judgement.ts";
import { startsSender } from "../leak0/started.ts";
import { SWITCH } from "../leak0/message.ts";
import { concerns } from "../leak0/triage.ts";
import { type Leak0Policy, resolveLeak0 } from "../policy/leak0.ts";
import type { Mode } from "../policy/mode.ts";
import type { System } from "../system.ts";
import { type Finding, worse } from "../verdict.ts";

export type { Answer } from "../agents/claude/reply.ts";

/** Agents this build has an adapter for. */
export const AGENTS: readonly Agent[] = ["claude"];

/** Answers one event. Never throws. */
export async function answer(text: string, system: System): Promise<Answer> {
  let known: Leak0Policy | undefined;
  // Most calls concern no rule in any mode: they end before the settings are looked at.
  const policy = (): Leak0Policy => (known ??= resolveLeak0(system));
  let name = "";
  try {
    const event = decode(text);
    if ("unreadable" in event) return await unreadable(event.unreadable, text, policy(), system);
    name = event.name;
    const judgements: Judgement[] = [];
    for (const call of event.calls) judgements.push(await judgeCall(call, name, policy, system));
    return reply(name, strictest(judgements));
  } catch (error) {
    return failed(error, name, text, policy, system);
  }
}

async function judgeCall(call: Call, event: string, policy: () => Leak0Policy, system: System): Promise<Judgement> {
  const acts = call.stage === "before" || call.stage === "after" || call.stage === "failed" || call.stage === "batch";
  const effects = acts ? effectsOf(call, { home: system.home, environment: system.environment, platform: system.platform }) : [];
  if (call.stage === "before" && !concerns(effects) && !startsSender(effects, system)) return ALLOW;
  if (policy().mode === "off") return ALLOW;
  const { judging } = await import("./judging.ts");
  return judging(call, effects, event, policy(), system);
}

/** A batch is answered once: the strictest of its calls. */
function strictest(judgements: readonly Judgement[]): Judgement {
  return judgements.reduce((worst, one) => (worse(worst.decision, one.decision) === worst.decision ? worst : one), ALLOW);
}

/** Events of a tool that has run; the name stands near the beginning, before the tool's own data. */
const AFTERWARDS = /"hook_event_name"\s{0,8}:\s{0,8}"(?:PostToolUse|PostToolUseFailure|PostToolBatch)"/;
const HEAD_CHARS = 64 * 1024;

/** D-02: refused under enforce, otherwise passed with an audit entry that says why. */
async function unreadable(why: string, text: string, policy: Leak0Policy, system: System): Promise<Answer> {
  if (policy.mode === "off") return SILENCE;
  const finding: Finding = {
    decision: "block",
    rule: "leak0:event_unreadable",
    failClosed: "event unreadable",
    what: `run unchecked: the hook event could not be read (${why})`,
    next: "Try the step again.",
  };
  const { recordUnjudged } = await import("./judging.ts");
  recordUnjudged(finding, policy, system);
  if (policy.mode !== "enforce") return SILENCE;
  const facts = `[${finding.rule} · reason: event unreadable] ${finding.next} ${SWITCH}`;
  // A result that already happened is not hidden by a refusal; only the end of the run keeps it from the model (observed).
  if (AFTERWARDS.test(text.slice(0, HEAD_CHARS)))
    return endRun(`leak0 ended this run: a tool's result could not be read (${why}). ${facts}`);
  return refuse(`leak0 blocked this call: it would ${finding.what}. ${facts}`);
}

/** The engine failed by itself. No text of the error is passed on: it could hold part of what was being read. */
async function failed(error: unknown, name: string, text: string, policy: () => Leak0Policy, system: System): Promise<Answer> {
  const kind = error instanceof Error ? error.name : "error";
  const finding: Finding = {
    decision: "block",
    rule: "leak0:hook_failed",
    failClosed: "hook failed",
    what: `go unchecked (${kind})`,
    next: "Try again; if it stays, run poisonzero status.",
  };
  const mode = await recordFailure(finding, policy, system);
  if (mode !== undefined && mode !== "enforce") return SILENCE;
  const reason = `leak0 could not check this step, and it is stopped because leak0 is on: it would ${finding.what}. [${finding.rule} · reason: hook failed] ${finding.next} ${SWITCH}`;
  if (name === "PostToolUse") {
    const response = responseOf(text);
    if (response !== undefined) {
      const { withhold } = await import("./judging.ts");
      const value = withhold(response, "[leak0 withheld this output: it could not be checked.]");
      return reply(name, { decision: "redact", message: reason, findings: [], output: { value } });
    }
  }
  if (name === "PostToolBatch") return endRun(reason);
  return name === "" || name === "PreToolUse" || name === "UserPromptSubmit" ? refuse(reason) : SILENCE;
}

/** The mode, undefined when even that cannot be told. The log is no reason to fail a second time. */
async function recordFailure(finding: Finding, policy: () => Leak0Policy, system: System): Promise<Mode | undefined> {
  let mode: Mode | undefined;
  try {
    mode = policy().mode;
    if (mode === "off") return mode;
    const { recordUnjudged } = await import("./judging.ts");
    recordUnjudged(finding, policy(), system);
  } catch {
    // What broke the check may break this, too.
  }
  return mode;
}

function responseOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { tool_response?: unknown }).tool_response;
  } catch {
    return undefined;
  }
}
