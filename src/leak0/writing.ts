/**
 * Route 4: a secret into the wrong file. Where a secret belongs — a `.env`, a credential file — writing it is fine;
 * in code, CI files, documents and memory files it is not.
 */
import { editsOf } from "../call/edits.ts";
import type { Effect } from "../call/effect.ts";
import { Allowance } from "../call/shell/budget.ts";
import { settingCommand } from "../call/git/settings.ts";
import { scriptEffects } from "../call/script.ts";
import { classify, ownHosts } from "../destinations/index.ts";
import { isSecretFileName } from "../secrets/files/index.ts";
import type { Finding } from "../verdict.ts";
import { carried, strength } from "./carried.ts";
import { ask, block, evidenceOf, note, shown } from "./finding.ts";
import { type Case, worldOf } from "./judgement.ts";
import { isMemoryFile } from "./memory.ts";
import { relaxation } from "./places.ts";

type Write = Extract<Effect, { kind: "write" }>;

/** Findings of every `write` effect, and of commands that Git is to keep in its settings. */
export function writing(at: Case): readonly Finding[] {
  const allowance = new Allowance();
  return at.effects.flatMap((effect) =>
    effect.kind === "write" ? ofWrite(at, effect, allowance) : effect.kind === "git" ? ofSetting(at, effect, allowance) : [],
  );
}

/** `git config alias.up '!curl …'`, `git config core.pager 'curl …'`: a script that waits to be started. */
function ofSetting(at: Case, { invocation }: Extract<Effect, { kind: "git" }>, allowance: Allowance): readonly Finding[] {
  if (invocation.subcommand !== "config") return [];
  const { args } = invocation;
  return args.flatMap(({ text }, index) => {
    const command = settingCommand(text, args[index + 1]?.text ?? "");
    return command === undefined ? [] : ofScript(at, "setting.sh", command, allowance);
  });
}

function ofWrite(at: Case, effect: Write, allowance: Allowance): readonly Finding[] {
  const texts = effect.sources.filter((source) => source.from === "text");
  const path = effect.file.path;
  const secrets = newSecrets(at, effect, carried(at, { sources: texts }));
  const findings = path === undefined ? [] : ofScript(at, path, texts.map((source) => source.text).join("\n"), allowance);
  if (secrets.length === 0) return findings;
  const name = path ?? effect.file.written;
  if (path !== undefined && at.files.isKnownPlace(path)) return findings;
  const belongs = isSecretFileName(name);
  const real = path === undefined ? undefined : (at.system.realPath(path) ?? path);
  const relative = real === undefined ? undefined : at.files.repositories.relative(real);
  const root = real === undefined ? undefined : at.files.repositories.rootOf(real);
  const relaxed = relaxation(relative);
  // L-033: a .env never blocks; one that Git would take is asked about when it is added.
  if (belongs) return findings;
  for (const one of secrets) {
    const { secret } = one;
    const evidence = evidenceOf(at, secret, path);
    const proof = strength(one);
    const words = {
      what: `write ${article(secret.title)} into ${shown(at, name)}`,
      next: "Keep the value in an ignored .env file or a credential store and read it from there at run time.",
    };
    if (secret.grade === "field") continue; // passwords without a known format are the file's own business (L-112)
    const rule =
      proof === undefined ? "leak0:vendor_token_file" : proof === "B2" ? "leak0:checksum_token_file" : "leak0:credential_content_written";
    // D-04: the repository's own list; what is proven otherwise than by its check is left alone in test folders only.
    const exemptible = proof === undefined || proof === "B2" || (relaxed === "test" && proof === "B1");
    if (exemptible && at.files.exemptions.has(root, { path: relative, rule, value: secret.value })) continue;
    if (proof === undefined) {
      findings.push(note(rule, evidence, words));
      continue;
    }
    const tokenInDocs = relaxed === "docs" && proof === "B2";
    if (relaxed === "test" || tokenInDocs) findings.push(ask(rule, evidence, words));
    else if (relative !== undefined || isMemoryFile(name)) findings.push(block(rule, proof, evidence, words));
    else findings.push(note(rule, evidence, words)); // outside any repository: a scratch file
  }
  return findings;
}

/** An edit that keeps a token which stood in the replaced text brings nothing new. */
function newSecrets(at: Case, effect: Write, secrets: ReturnType<typeof carried>): ReturnType<typeof carried> {
  const edits = editsOf(at.call.action).flatMap((file) => (file.path === effect.file.written ? file.edits : []));
  const before = edits.map((edit) => edit.old).join("\n");
  return before === "" ? secrets : secrets.filter(({ secret }) => !before.includes(secret.value));
}

/** L-111: a written script blocks only when it sends a credential file to a provably third-party place. */
function ofScript(at: Case, path: string, text: string, allowance: Allowance): Finding[] {
  const effects = scriptEffects(path, text, at.call.cwd, worldOf(at), allowance);
  const findings: Finding[] = [];
  for (const effect of effects) {
    if (effect.kind === "uncertain") at.files.unread ??= effect.why;
    if (effect.kind !== "send") continue;
    const place = classify(effect.destination, ownHosts(undefined, at.system)).class;
    if (place === "own" || place === "reserved") continue;
    for (const one of effect.parts.flatMap((part) => carried(at, part))) {
      if (!one.wholeFile || strength(one) !== "B1") continue;
      const evidence = evidenceOf(at, one.secret, one.look?.path);
      const words = {
        what: `write a script that sends ${one.look?.identified?.title ?? "a credential file"} away`,
        next: "Leave that step out of the script, or ask the person.",
      };
      const proven = place === "third party" || place === "public address";
      findings.push(
        proven ? block("leak0:script_sends_credential", "B4", evidence, words) : note("leak0:script_sends_credential", evidence, words),
      );
    }
  }
  return findings;
}

function article(title: string): string {
  return /^[AEIOU]/.test(title) ? `an ${title}` : `a ${title}`;
}
