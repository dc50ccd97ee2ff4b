/**
 * Route 3, the person's own input (D-09, D-26): a prompt cannot be redacted on its way, so proven content in it — or in
 * a file it attaches with `@` — stops the prompt; everything else is a note.
 */
import { secretsInText } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import { CHOSEN } from "../limits.ts";
import type { Finding } from "../verdict.ts";
import type { Look } from "./files.ts";
import { block, evidenceOf, note, shown } from "./finding.ts";
import type { Case } from "./judgement.ts";
import { mentions } from "./mentions.ts";

/** Findings of a prompt and of the files it attaches. */
export function prompting(at: Case): readonly Finding[] {
  const prompt = at.call.prompt ?? "";
  const scanned = scan(prompt);
  if (!scanned.complete) at.files.unread ??= "its text holds too many places to check";
  const findings = [...scanned.secrets, ...secretsInText(prompt)].map((secret) => ofSecret(at, secret, undefined));
  for (const path of attachments(at, prompt)) {
    const look = at.files.look(path);
    if (!look) continue;
    for (const secret of look.secrets) {
      const grade = gradeIn(look, secret);
      const kind = grade === "credential" && look.identified?.class === "PROVEN" ? look.identified.proof : secret.kind;
      findings.push(ofSecret(at, { ...secret, grade, kind }, path));
    }
  }
  return [...findings.filter((finding) => finding !== undefined), ...unchecked(at)];
}

/** What a value is worth attached: every field of a PROVEN file is its content (B1), the fields of a `.env` prove nothing. */
function gradeIn(look: Look, secret: Secret): Secret["grade"] {
  if (secret.grade === "token") return "token";
  if (look.identified?.class === "PROVEN" && look.identified.secrets.includes(secret)) return "credential";
  return secret.grade === "credential" && look.identified?.class === "QUESTION" ? "vendor" : secret.grade;
}

/** A prompt that was not checked to its end is said to be so; it is the person's own words, so nothing stops it. */
function unchecked(at: Case): readonly Finding[] {
  if (at.files.unread === undefined) return [];
  const next = "Shorten the prompt, or attach fewer files at once.";
  return [
    {
      decision: "note",
      rule: "leak0:call_unread",
      failClosed: "call not read to the end",
      what: `content that was not checked: ${at.files.unread}`,
      next,
    },
  ];
}

function ofSecret(at: Case, secret: Secret, path: string | undefined): Finding | undefined {
  const evidence = evidenceOf(at, secret, path);
  const words = {
    what: path === undefined ? secret.title : `${secret.title} (attached with @${shown(at, path)})`,
    next: "Remove the value from the prompt; the model never needs it: put it into an ignored .env file or the tool's own login and name that instead.",
  };
  if (secret.grade === "token") return block("leak0:checksum_token_prompt", "B2", evidence, words);
  if (secret.grade === "credential") return block("leak0:credential_content_prompt", "B1", evidence, words);
  return secret.grade === "vendor" || path !== undefined ? note("leak0:vendor_token_prompt", evidence, words) : undefined;
}

/** What the client says it attaches, and what the prompt names. */
function attachments(at: Case, prompt: string): ReadonlySet<string> {
  const stated = at.call.attached?.filter((path) => at.system.info(path) !== undefined).slice(0, CHOSEN.attachments) ?? [];
  return new Set([...stated, ...mentions(at, prompt, at.call.cwd)]);
}
