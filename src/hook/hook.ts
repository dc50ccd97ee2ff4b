/**
 * The hook on one page: text in, one answer out (design: decode → effects → findings → verdict → reply).
 *
 * Trust: the event is hostile. This is the one place where a throw becomes a verdict: under enforce a step of Claude Code
 * that could not be judged is refused or withheld (L-153), the other agents go on (L-154).
 */
import type { Adapter, Answer, Told, Unjudged } from "../agents/adapter.ts";
import { SILENCE } from "../agents/adapter.ts";
import { adapterOf } from "../agents/table.ts";
import type { Agent, Call, Effect } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { ALLOW, type Judgement, worldOf } from "../leak0/judgement.ts";
import { SWITCH } from "../leak0/message.ts";
import { isJudged, movesHead } from "../leak0/triage.ts";
import { type Leak0Policy, resolveLeak0 } from "../policy/leak0.ts";
import type { Mode } from "../policy/mode.ts";
import type { System } from "../system.ts";
import { type Finding, worse } from "../verdict.ts";

/** Answers one event of an agent; `eventName` as its entry's command names it, "" when it names none. Never throws. */
export async function answer(agent: Agent, eventName: string, text: string, system: System): Promise<Answer> {
  let known: Leak0Policy | undefined;
  // Most calls concern no rule in any mode: they end before the settings are looked at.
  const policy = (): Leak0Policy => (known ??= resolveLeak0(system));
  const told: Told = { event: eventName, platform: system.platform };
  const loading = adapterOf(agent);
  const adapter = loading instanceof Promise ? await loading : loading;
  let name = "";
  try {
    const event = adapter.decode(text, told);
    if ("unreadable" in event) return await unreadable(adapter, agent, event.unreadable, text, told, policy(), system);
    name = event.name;
    if (event.runBy === "cursor" && (await import("./beside.ts")).cursorAnswers(system)) return SILENCE;
    const judgements: Judgement[] = [];
    for (const call of event.calls) judgements.push(await judgeCall(call, event.row ?? name, policy, system));
    return await adapter.reply(event, strictest(judgements), async (result) => {
      const { keepOutput } = await import("./judging.ts");
      return keepOutput(system, result);
    });
  } catch (error) {
    return failed(adapter, agent, error, name, text, policy, system);
  }
}

async function judgeCall(call: Call, event: string, policy: () => Leak0Policy, system: System): Promise<Judgement> {
  const acts = call.stage === "before" || call.stage === "after" || call.stage === "failed" || call.stage === "batch";
  const effects = acts ? effectsOf(call, worldOf({ system })) : [];
  if (call.stage === "before" && !isJudged(effects, system) && !(await swapsList(effects, system))) return ALLOW;
  if (policy().mode === "off") return ALLOW;
  const { judging } = await import("./judging.ts");
  return judging(call, effects, event, policy(), system);
}

/** Whether a Git command of the call would put another exemption list into HEAD. */
async function swapsList(effects: readonly Effect[], system: System): Promise<boolean> {
  return effects.some(movesHead) && (await import("../leak0/swapping.ts")).swappedLists(effects, system).length > 0;
}

/** Several calls are answered once: the strictest of them. */
function strictest(judgements: readonly Judgement[]): Judgement {
  if (judgements.length === 1) return judgements[0] as Judgement;
  return judgements.reduce((worst, one) => (worse(worst.decision, one.decision) === worst.decision ? worst : one), ALLOW);
}

/** D-02: refused under enforce, otherwise passed with an audit entry that says why. */
async function unreadable(
  adapter: Adapter,
  agent: Agent,
  why: string,
  text: string,
  told: Told,
  policy: Leak0Policy,
  system: System,
): Promise<Answer> {
  if (policy.mode === "off") return SILENCE;
  const finding: Finding = {
    decision: "block",
    rule: "leak0:event_unreadable",
    failClosed: "event unreadable",
    what: `run unchecked: the hook event could not be read (${why})`,
    next: "Try the step again.",
  };
  const { recordUnjudged } = await import("./judging.ts");
  recordUnjudged(agent, finding, policy, system);
  return policy.mode === "enforce" ? adapter.unreadable(text, told, unjudged(finding, why)) : SILENCE;
}

/** The engine failed by itself. No text of the error is passed on: it could hold part of what was being read. */
async function failed(
  adapter: Adapter,
  agent: Agent,
  error: unknown,
  name: string,
  text: string,
  policy: () => Leak0Policy,
  system: System,
): Promise<Answer> {
  const why = error instanceof Error ? error.name : "error";
  const finding: Finding = {
    decision: adapter.failsClosed ? "block" : "note",
    rule: "leak0:hook_failed",
    failClosed: "hook failed",
    what: `go unchecked (${why})`,
    next: "Try again; if it stays, run poisonzero status.",
  };
  const mode = await recordFailure(agent, finding, policy, system);
  if (!adapter.failsClosed || (mode !== undefined && mode !== "enforce")) return SILENCE;
  return adapter.failed(name, text, unjudged(finding, why));
}

function unjudged(finding: Finding & { readonly failClosed?: string }, why: string): Unjudged {
  return { why, facts: `[${finding.rule} · reason: ${finding.failClosed}] ${finding.next} ${SWITCH}` };
}

/** The mode, undefined when even that cannot be told. The log is no reason to fail a second time. */
async function recordFailure(agent: Agent, finding: Finding, policy: () => Leak0Policy, system: System): Promise<Mode | undefined> {
  let mode: Mode | undefined;
  try {
    mode = policy().mode;
    if (mode === "off") return mode;
    const { recordUnjudged } = await import("./judging.ts");
    recordUnjudged(agent, finding, policy(), system);
  } catch {
    // What broke the check may break this, too.
  }
  return mode;
}
