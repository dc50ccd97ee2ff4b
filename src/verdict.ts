/**
 * Decisions, proofs, rule classes and findings: the vocabulary every product shares.
 *
 * Trust: a block can only be built from a `Proof` or from a named `FailClosed` reason; the type of
 * `Finding` leaves no third way (D-01, D-12, L-015). Findings hold no secret value, only short hashes.
 */

/** Weakest first. The worst finding of a call is its verdict (U-001). */
export const DECISIONS = ["allow", "note", "redact", "ask", "block"] as const;
export type Decision = (typeof DECISIONS)[number];

/** The five proofs of leak0 (L-015 … L-024). */
export type ProofName = "B1" | "B2" | "B3" | "B4" | "B5";

/** The kind of proof as messages and JSON name it (D-25); the last two prove nothing. */
export type ProofKind = "resolved path" | "structure" | "checksum" | "hash match" | "pattern" | "field";

/** What makes a block or a question: which secret (never its value), how sure, where. */
export interface Evidence {
  /** Family or file id, as in `[leak0:<family>:<hash>]`: `github`, `aws-credentials`. Lower case, digits, `-`. */
  readonly family: string;
  /** For people: "GitHub token", "AWS credentials file". No value, no path. */
  readonly title: string;
  readonly kind: ProofKind;
  /** Keyed short hash of the value, 8 lower-case hex characters (D-25). */
  readonly hash: string;
  /** Display name of the file it stands in; messages to the agent may show it, audit and notifications never do (C-36). */
  readonly file?: string;
}

/** A proof of the closed list together with the evidence that carries it. */
export interface Proof {
  readonly name: ProofName;
  readonly evidence: Evidence;
}

/** Why a call is stopped without a proof: the named fail-closed cases, nothing else (D-12). */
export type FailClosed =
  | "git check unfinished"
  | "event unreadable"
  | "hook failed"
  | "output not checkable"
  | "call not read to the end"
  /** L-062: a question that the agent cannot put to the person, and no dialog of ours can either. */
  | "no dialog possible";

/**
 * Stable identifiers of leak0's rules (L-027). Tests and users rely on them: add, never rename.
 * The text beside each is the headline of the message (L-081's grammar: no value, no path, no command).
 */
export const RULES = {
  "leak0:checksum_token_commit": "Token in a commit",
  "leak0:checksum_token_push": "Token in a push",
  "leak0:checksum_token_file": "Token written into a file",
  "leak0:checksum_token_sent": "Token sent out",
  "leak0:checksum_token_published": "Token in a publication",
  "leak0:checksum_token_prompt": "Token in the prompt",
  "leak0:credential_file_read": "Credential file read into the conversation",
  "leak0:credential_file_sent": "Credential file sent out",
  "leak0:credential_file_git": "Credential file in Git",
  "leak0:credential_file_published": "Credential file in a publication",
  "leak0:credential_content_written": "Credential content written into a file",
  "leak0:credential_content_prompt": "Credential content in the prompt",
  "leak0:secret_file_git": "Secret file in Git",
  "leak0:secret_file_sent": "Secret file sent out",
  "leak0:secret_file_published": "Secret file in a publication",
  "leak0:placeholder_written": "Placeholder written over a secret",
  "leak0:secret_file_remembered": "Secret file in an instruction file",
  "leak0:vendor_token_git": "Token in Git",
  "leak0:vendor_token_file": "Token written into a file",
  "leak0:vendor_token_sent": "Token sent out",
  "leak0:vendor_token_prompt": "Token in the prompt",
  "leak0:known_value_sent": "A secret seen earlier sent out",
  "leak0:known_value_git": "A secret seen earlier in Git",
  "leak0:script_sends_credential": "Script that sends a credential file",
  "leak0:third_party": "Secret to a third party",
  "leak0:switch_off": "Switching leak0 off",
  "leak0:hook_settings": "PoisonZero's hook entries changed",
  "leak0:own_files": "PoisonZero's own files changed",
  "leak0:exemption_list": "Exemption list changed",
  "leak0:secret_in_output": "Secret in a tool output",
  "leak0:output_withheld": "Tool output withheld",
  "leak0:output_of_failed_command": "Secret in the output of a failed command",
  "leak0:environment_printed": "Environment printed",
  "leak0:git_unfinished": "Git check unfinished",
  "leak0:hook_failed": "Check failed",
  "leak0:call_unread": "Call that could not be read",
  "leak0:event_unreadable": "Event unreadable",
} as const;
export type RuleClass = keyof typeof RULES;

interface Common {
  readonly rule: RuleClass;
  /** One sentence of what the call would do, for the message; no value. */
  readonly what: string;
  /** The next step for the agent or the person, one sentence. */
  readonly next: string;
}

/** What one rule says about one call. A block is constructed from a proof or a named fail-closed reason only. */
export type Finding =
  | (Common & { readonly decision: "block"; readonly proof: Proof })
  | (Common & { readonly decision: "block"; readonly failClosed: FailClosed; readonly evidence?: Evidence })
  | (Common & { readonly decision: "ask" | "note"; readonly evidence?: Evidence; readonly failClosed?: FailClosed })
  | (Common & { readonly decision: "redact"; readonly evidence: Evidence });

/** The stricter of two decisions. */
export function worse(a: Decision, b: Decision): Decision {
  return DECISIONS.indexOf(a) >= DECISIONS.indexOf(b) ? a : b;
}

/** The verdict of a call: the worst of all findings, `allow` without any (U-001). Order of findings does not matter. */
export function verdict(findings: readonly Finding[]): Decision {
  return findings.reduce<Decision>((worst, finding) => worse(worst, finding.decision), "allow");
}
