/** Builders of leak0's findings: every rule states what the call would do and what to do next. */
import { scan } from "../secrets/scan.ts";
import type { Secret } from "../secrets/secret.ts";
import type { Evidence, Finding, ProofName, RuleClass } from "../verdict.ts";
import type { Case } from "./judgement.ts";

/** The words of one finding. */
export interface Words {
  /** What the call would do; completes "leak0 blocked this call: it would …". */
  readonly what: string;
  /** The next step, a whole sentence. */
  readonly next: string;
}

/** Evidence of one secret, with its short hash; `file` is shown to the agent only. */
export function evidenceOf(at: Case, secret: Secret, file?: string): Evidence {
  const base = { family: secret.family, title: secret.title, kind: secret.kind, hash: at.session.shortHash(secret.value) };
  return file === undefined ? base : { ...base, file };
}

export function block(rule: RuleClass, name: ProofName, evidence: Evidence, words: Words): Finding {
  return { decision: "block", rule, proof: { name, evidence }, ...words };
}

export function ask(rule: RuleClass, evidence: Evidence, words: Words): Finding {
  return { decision: "ask", rule, evidence, ...words };
}

export function note(rule: RuleClass, evidence: Evidence, words: Words): Finding {
  return { decision: "note", rule, evidence, ...words };
}

/** A title inside a sentence: "the AWS credentials file", "the environment file". */
export function the(title: string): string {
  // An abbreviation or a brand keeps its capital.
  const plain = /^[A-Z][a-z]+ file\b|^Private key/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
  return /^(?:an? |the )/.test(plain) ? plain : `the ${plain}`;
}

/** Longest file name shown in a message, in characters. */
const NAME_CHARS = 160;

/**
 * A path as a message may show it: relative to the call's folder or `~`, without control characters, and never when
 * the name itself holds a secret.
 */
export function shown(at: Case, path: string): string {
  const { cwd } = at.call;
  const home = at.system.home;
  let name = path;
  if (cwd !== "" && path.startsWith(`${cwd}/`)) name = path.slice(cwd.length + 1);
  else if (home !== "" && path.startsWith(`${home}/`)) name = `~${path.slice(home.length)}`;
  // biome-ignore lint: control characters are exactly what must go
  name = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "?");
  // The whole name is looked at before it is cut: a cut value would not be recognised.
  if (scan(name).secrets.length > 0) return "a file whose name holds a secret";
  return name.length > NAME_CHARS ? `…${name.slice(-NAME_CHARS)}` : name;
}
