/** One call with its effects to a judgement: everything behind the first look, loaded only when there is something to judge. */
import type { Agent, Call, Effect } from "../call/effect.ts";
import { audit } from "../leak0/auditing.ts";
import { madeCopies } from "../leak0/copies.ts";
import { Files, type Look } from "../leak0/files.ts";
import { builtImages } from "../leak0/images.ts";
import { isSample } from "../leak0/samples.ts";
import { writtenHosts } from "../leak0/remotes.ts";
import { judge } from "../leak0/judge.ts";
import { ALLOW, type Case, type Judgement } from "../leak0/judgement.ts";
import { resolveExec0 } from "../policy/exec0.ts";
import type { Leak0Policy } from "../policy/leak0.ts";
import type { Identified } from "../secrets/files/index.ts";
import type { Secret } from "../secrets/secret.ts";
import { rememberCall } from "../session/seen.ts";
import { openSession, sweepSessions } from "../session/session.ts";
import type { System } from "../system.ts";
import type { Finding } from "../verdict.ts";

export { keepOutput } from "../session/outputs.ts";

/** Judges a call and records what was decided. `event` is the agent's own name of the moment. */
export function judging(call: Call, effects: readonly Effect[], event: string, policy: Leak0Policy, system: System): Judgement {
  rememberCall(system, call.agent);
  const session = openSession(system, call.session);
  if (call.stage === "session start") sweepSessions(system);
  if (call.stage === "session end") session.end();
  const at: Case = { call, effects, system, policy, files: new Files(system, policy, session), session };
  const notes = resolveExec0(system).mode === "off"; // D-07
  const judgement = judge(at, event, notes);
  audit(system, call, policy.mode, judgement.findings, session);
  if (call.stage === "before") {
    if (judgement.decision !== "block") {
      session.rememberCopies(madeCopies(at));
      session.rememberHosts(writtenHosts(effects));
      session.rememberImages(builtImages(effects, session));
    }
    // D-19: what a call can reach may come back in another call, whatever the program made of it.
    session.remember(at.files.seen.flatMap((look) => (look.identified?.class === "PROVEN" ? valuesOf(at, look, look.identified) : [])));
    // What a command that runs in the background prints is read by another tool, whose call names no file.
    session.remember(printedFiles(at).flatMap(({ identified }) => identified?.secrets.filter(({ family }) => family !== "copy") ?? []));
  }
  // L-118: observe logs every hit and never interferes.
  return policy.mode === "observe" ? ALLOW : judgement;
}

/** The files a call prints as they are. */
function printedFiles({ effects, files }: Case): readonly Look[] {
  return effects.flatMap((effect) =>
    effect.kind === "show"
      ? effect.sources.flatMap((source) =>
          source.from === "file" && source.file.path !== undefined ? (files.look(source.file.path) ?? []) : [],
        )
      : [],
  );
}

/** What a credential file that was looked at holds; a sample seen again proves nothing, and what an archive shows may be one. */
function valuesOf(at: Case, look: Look, { secrets }: Identified): readonly Secret[] {
  if (look.archive === true) return [];
  return secrets.filter((secret) => isValue(secret) && !isSample(at, { secret, look, wholeFile: true }));
}

/** A copy's own text is no value: it is known by its path. A password without a format is remembered once it was printed. */
function isValue({ family, grade }: Secret): boolean {
  return family !== "copy" && grade !== "field";
}

/** Records an event that never became a call: unreadable (D-02), or the check itself failed. */
export function recordUnjudged(agent: Agent, finding: Finding, policy: Leak0Policy, system: System): void {
  const call: Call = { agent, stage: "before", session: "", cwd: "", tool: "unknown", action: { kind: "other", input: {} } };
  audit(system, call, policy.mode, [finding]);
}
