/**
 * The audit event: one closed schema for every product (U-005, L-155 … L-167).
 *
 * Trust: whoever makes an event may hand over more than belongs into it. A line is built field by field from this
 * schema and nothing else is taken; no field can hold a value, a path, a command, arguments or a prompt (L-164, L-169).
 */
import type { Agent } from "../call/effect.ts";
import type { Mode } from "../policy/mode.ts";
import type { Decision, FailClosed, ProofKind, ProofName, RuleClass } from "../verdict.ts";

/** What happened, by the names the console and the documents use. */
export const ACTIONS = [
  "leak0_blocked",
  "leak0_asked",
  "leak0_redacted",
  "leak0_warned",
  "leak0_observed",
  "leak0_granted",
  "leak0_grant_failed",
  "leak0_grant_locked",
] as const;
export type AuditAction = (typeof ACTIONS)[number];

/** Closed words that explain an event further. */
export type AuditReason =
  | FailClosed
  /** D-16: a failed command's output held a proven value. */
  | "turn ended"
  | "output withheld"
  /** L-157: how the PoisonZero dialog ended; `no dialog possible` is a reason to fail closed. */
  | "allowed"
  | "rejected"
  | "no answer"
  /** L-166. */
  | "retry after rejection"
  | "too many dialogs"
  /** L-167: a push has used the approval for exactly this content. */
  | "approval already used";

/** What a product hands over. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly agent: Agent;
  /** The agent's own name of the tool; anything but a plain name is recorded as `other`. */
  readonly tool: string;
  readonly rule: RuleClass;
  readonly mode: Mode;
  readonly decision?: Decision;
  /** Short hash of the value (D-25). */
  readonly hash?: string;
  readonly proof?: ProofName;
  readonly kind?: ProofKind;
  readonly reason?: AuditReason;
}

/** A line as it stands in the file, read back. */
export interface AuditEntry extends AuditEvent {
  readonly v: 1;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly product: string;
  /** See chain.ts. */
  readonly chain: string;
}

/**
 * Grammar of every field, in the order they are written. A value that does not fit its grammar is left out; the
 * grammars are too narrow for a path or a command, and an optional field is no place for free text.
 */
const FIELDS: readonly (readonly [name: keyof AuditEvent, grammar: RegExp])[] = [
  ["action", /^[a-z0-9]{1,16}_[a-z_]{1,24}$/],
  ["agent", /^[a-z]{1,16}$/],
  ["tool", /^[A-Za-z0-9_.:-]{1,128}$/],
  ["rule", /^[a-z0-9]{1,16}:[a-z0-9_]{1,64}$/],
  ["mode", /^(?:enforce|observe|off)$/],
  ["decision", /^(?:allow|note|redact|ask|block)$/],
  ["hash", /^[0-9a-f]{8}$/],
  ["proof", /^B[1-5]$/],
  ["kind", /^[a-z ]{1,24}$/],
  ["reason", /^[a-z ]{1,32}$/],
];

/** The event as JSON text without its closing brace, ready for the chain. `now_ms` since the epoch. */
export function eventText(event: AuditEvent, now_ms: number): string {
  const fields: Record<string, unknown> = { v: 1, time: new Date(now_ms).toISOString(), product: event.action.split("_")[0] };
  for (const [name, grammar] of FIELDS) {
    const value = event[name];
    if (typeof value === "string" && grammar.test(value)) fields[name] = value;
    else if (name === "tool") fields.tool = "other";
  }
  return JSON.stringify(fields).slice(0, -1);
}

/** Reads one line; undefined for a torn or foreign one. Unknown fields are dropped. */
export function parseEntry(line: string): AuditEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const read = value as Record<string, unknown>;
  const { v, time, product, chain } = read;
  if (v !== 1 || typeof time !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return undefined;
  if (typeof product !== "string" || !/^[a-z0-9]{1,16}$/.test(product)) return undefined;
  if (typeof chain !== "string" || !/^[0-9a-f]{32}$/.test(chain)) return undefined;
  const entry: Record<string, unknown> = { v, time, product };
  for (const [name, grammar] of FIELDS) {
    const field = read[name];
    if (typeof field === "string" && grammar.test(field)) entry[name] = field;
    else if (name === "action" || name === "agent" || name === "tool" || name === "rule" || name === "mode") return undefined;
  }
  return { ...entry, chain } as unknown as AuditEntry;
}
