/**
 * Route 3, the person's own input (D-09, D-26): a prompt cannot be redacted on its way, so proven content in it — or in
 * a file it attaches with `@` — stops the prompt; everything else is a note.
 */
import { secretsInText } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import { resolvePath } from "../call/path.ts";
import type { Finding } from "../verdict.ts";
import { block, evidenceOf, note, shown } from "./finding.ts";
import type { Case } from "./judgement.ts";

/** Most files one prompt attaches that are looked at. */
const ATTACHMENTS_MAX = 50;

/** Findings of a prompt and of the files it attaches. */
export function prompting(at: Case): readonly Finding[] {
  const prompt = at.call.prompt ?? "";
  const findings = [...scan(prompt).secrets, ...secretsInText(prompt)].map((secret) => ofSecret(at, secret, undefined));
  for (const path of attachments(at, prompt)) {
    const look = at.files.look(path);
    if (!look) continue;
    for (const secret of look.secrets) {
      // The fields of a QUESTION file (a password in .env) are no proof.
      const proven = secret.grade === "token" || (secret.grade === "credential" && look.identified?.class !== "QUESTION");
      findings.push(ofSecret(at, proven || secret.grade === "field" ? secret : { ...secret, grade: "vendor" }, path));
    }
  }
  return findings.filter((finding) => finding !== undefined);
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

/** Paths written as `@path`, `@"path with spaces"` or `@path#L1-9`; what is no file is not looked at. */
function attachments(at: Case, prompt: string): readonly string[] {
  const world = { home: at.system.home, environment: at.system.environment, platform: at.system.platform };
  const paths = new Set<string>();
  for (const match of prompt.matchAll(/(?:^|[\s([{<"'`])@(?:"([^"\n]{1,1024})"|([^\s"'`]{1,1024}))/g)) {
    const written = match[1] ?? (match[2] ?? "").replace(/#L\d.{0,20}$/, "");
    // A sentence's punctuation may follow the name: the name itself is tried first, then without it.
    for (const name of new Set([written, withoutPunctuation(written)])) {
      const { path } = resolvePath(name, at.call.cwd, world);
      if (path !== undefined && at.system.info(path) !== undefined) paths.add(path);
    }
    if (paths.size >= ATTACHMENTS_MAX) break;
  }
  return [...paths];
}

function withoutPunctuation(name: string): string {
  let end = name.length;
  while (end > 0 && ".,;:!?)]}>".includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}
