/**
 * The one place where "could not tell" is answered (D-12): never proof and never silence.
 *
 * What is only computed at run time (a glob, a variable) runs unless the call's own words hold a token or name an
 * existing, confirmed credential file; its output is checked. What was not read at all, because a limit was hit, is asked
 * about as soon as it mentions anything leak0 guards: honest commands do not come near those limits.
 */
import { CHOSEN } from "../limits.ts";
import { isKnownPlace, secretsInText } from "../secrets/files/index.ts";
import { scan } from "../secrets/scan.ts";
import type { Finding } from "../verdict.ts";
import { evidenceOf } from "./finding.ts";
import type { Case } from "./judgement.ts";

/** Words that make an unread command worth a question: credential places and our own names. */
const GUARDED =
  /poisonzero|leak0|\.aws\b|\.ssh\b|\.kube\b|\.docker\b|\.gnupg\b|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.env\b|\.git-credentials|\bcredentials?\b|\bid_[a-z0-9]{2,12}\b|service.?account|\.claude\b/;
/** Git's verbs that take something in or send it. */
const TAKING = /\b(?:add|stage|commit|push|tag|notes)\b/;

function isGuarded(command: string): boolean {
  return GUARDED.test(command) || (/\bgit\b/.test(command) && TAKING.test(command));
}

/** Findings of a call that was not understood to the end. */
export function doubtful(at: Case): readonly Finding[] {
  const doubts = at.effects.flatMap((effect) => (effect.kind === "uncertain" ? [effect] : []));
  if (at.files.unread !== undefined) return [question(at.files.unread, "Do it in smaller steps.")];
  const [doubt] = doubts;
  if (doubt === undefined) return [];
  const partial = doubts.find((one) => one.partial);
  const next = "Write the command in a simpler way.";
  if (at.call.action.kind !== "shell") return partial === undefined ? [] : [question(partial.why, "Do it in smaller steps.")];
  const { command } = at.call.action;
  if (partial !== undefined && isGuarded(command)) return [question(`it could not be read to the end: ${partial.why}`, next)];

  const words = { what: `run a command that could not be read to the end (${doubt.why}) and that names a secret`, next };
  const found = [...scan(command).secrets, ...secretsInText(command)].find(
    (secret) => secret.grade === "token" || secret.grade === "credential",
  );
  if (found) return [{ decision: "ask", rule: "leak0:call_unread", evidence: evidenceOf(at, found), ...words }];
  for (const path of mentionedPaths(command, at)) {
    const look = at.files.look(path);
    const secret = look?.identified?.class === "PROVEN" ? look.identified.secrets[0] : undefined;
    if (look && secret) {
      return [{ decision: "ask", rule: "leak0:call_unread", evidence: evidenceOf(at, secret, look.path), ...words }];
    }
  }
  return [];
}

function question(why: string, next: string): Finding {
  return { decision: "ask", rule: "leak0:call_unread", failClosed: "call not read to the end", what: `run unchecked: ${why}`, next };
}

/** Words of a command that spell a known place of a credential file. */
function mentionedPaths(command: string, at: Case): readonly string[] {
  const home = { folder: at.system.home, environment: at.system.environment };
  const paths: string[] = [];
  let tried = 0;
  for (const match of command.matchAll(/(?:~|\$HOME|\$\{HOME\})?\/[\w./@+-]{3,256}/g)) {
    if (++tried > CHOSEN.mention_tries) break;
    const path = match[0].replace(/^(?:~|\$HOME|\$\{HOME\})/, at.system.home);
    if (isKnownPlace(path, home)) paths.push(path);
    if (paths.length >= CHOSEN.mentions) break;
  }
  return paths;
}
