/** Is an answer right? Says what is wrong with it, or nothing. */
import { RULES } from "../../src/verdict.ts";
import { kindsOf, type Step } from "./case.ts";
import type { Ask } from "./event.ts";

/** What the hook printed and how it ended. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

interface Reply {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly updatedToolOutput?: unknown;
  };
}

const PLACEHOLDER = /\[leak0:[a-z0-9-]+:[0-9a-f]{8}\]/;

/** An answer as understood: its kind, its message, its changed result, and the result as text where the answer is text. */
export interface Seen {
  readonly kind: string;
  readonly message: string;
  readonly output?: unknown;
  readonly response?: unknown;
}

/** What kind of answer this is, its message and its changed result. Throws with the reason when it is none the client would honour. */
export function read(answer: Answer, ask: Ask): Seen {
  const { stdout, stderr, code } = answer;
  if (code === 2) {
    if (stdout !== "" || stderr.trim() === "") throw new Error("exit 2 needs text on stderr and nothing on stdout");
    return { kind: "refused", message: stderr };
  }
  if (code !== 0) throw new Error(`exit code ${code}`);
  if (stderr !== "") throw new Error("text on stderr beside exit 0");
  if (stdout === "") return { kind: "silent", message: "" };
  const reply = JSON.parse(stdout) as Reply;
  if (/"permissionDecision"\s*:\s*"allow"|"updatedInput"/.test(stdout)) throw new Error("allow or a changed input was printed");
  const own = reply.hookSpecificOutput;
  if (own !== undefined && own.hookEventName !== ask.name) throw new Error(`answers ${own.hookEventName}, not ${ask.name}`);
  if (reply.continue === false) return { kind: "turn ended", message: reply.stopReason ?? "" };
  if (reply.decision === "block") return { kind: ask.name === "PostToolBatch" ? "turn ended" : "block", message: reply.reason ?? "" };
  if (own?.permissionDecision !== undefined) {
    const kind = { deny: "block", ask: "ask" }[own.permissionDecision];
    if (kind === undefined || ask.name !== "PreToolUse") throw new Error(`permission decision ${own.permissionDecision} at ${ask.name}`);
    return { kind, message: own.permissionDecisionReason ?? "" };
  }
  const message = own?.additionalContext ?? "";
  if (own !== undefined && "updatedToolOutput" in own) {
    const changed = JSON.stringify(own.updatedToolOutput);
    return { kind: PLACEHOLDER.test(changed) ? "redact" : "withhold", message, output: own.updatedToolOutput };
  }
  if (message === "") throw new Error(`an answer without meaning: ${stdout.slice(0, 200)}`);
  return { kind: "note", message };
}

/** Short hashes in a message; the audit entry of the same decision holds them too (L-029). */
export function hashesIn(answer: Answer): readonly string[] {
  return [...answer.stdout.matchAll(/· hash ([0-9a-f]{8})\b/g)].map((match) => match[1] ?? "");
}

/** Everything that is wrong with an answer to one event of a step. */
export function faults(answer: Answer, ask: Ask, step: Step, reader: (answer: Answer, ask: Ask) => Seen = read): readonly string[] {
  let seen: Seen;
  try {
    seen = reader(answer, ask);
  } catch (error) {
    return [String(error)];
  }
  const wanted = kindsOf(ask.expected);
  const wrong: string[] = [];
  if (!wanted.includes(seen.kind)) wrong.push(`${ask.name}: ${seen.kind} instead of ${wanted.join(" or ")}: ${seen.message}`);
  if (["block", "ask", "turn ended"].includes(seen.kind)) wrong.push(...inMessage(seen.kind, seen.message));
  if (seen.output !== undefined) wrong.push(...inOutput(seen.response ?? ask.response, seen.output, seen.kind));
  if (!ask.last && seen.kind !== "block" && seen.kind !== "ask") return wrong;
  if (seen.kind === "block" && wanted.includes("block")) {
    if (step.proof !== undefined && !new RegExp(`\\b${step.proof}\\b`).test(seen.message)) wrong.push(`proof ${step.proof} is not named: ${seen.message}`);
    if (step.kind !== undefined && !step.kind.split("|").some((kind) => seen.message.includes(kind))) wrong.push(`kind of proof ${step.kind} is not named: ${seen.message}`);
  }
  if (step.rule !== undefined && seen.message !== "" && !seen.message.includes(step.rule)) wrong.push(`rule ${step.rule} is not named: ${seen.message}`);
  // Where silence is wrong, its kind says so.
  for (const part of step.says ?? []) if (seen.kind !== "silent" && !seen.message.includes(part)) wrong.push(`the message does not say ${part}: ${seen.message}`);
  if (ask.last && seen.output !== undefined) for (const part of step.keeps ?? []) if (!texts(seen.output).some((text) => text.includes(part))) wrong.push(`the result does not keep ${JSON.stringify(part)}: ${JSON.stringify(seen.output).slice(0, 400)}`);
  return wrong;
}

/** L-025 … L-030: sender, proof or reason, rule class, kind of proof, short hash, the way to switch off. */
function inMessage(kind: string, message: string): readonly string[] {
  const wrong: string[] = [];
  const need = (what: string, holds: boolean) => holds || wrong.push(`the message of a ${kind} lacks ${what}: ${message}`);
  need("the sender", /\bleak0\b/.test(message));
  const rules = message.match(/leak0:[a-z0-9_]+/g) ?? [];
  need("a rule class", rules.length > 0);
  for (const rule of rules) need(`a known rule class (${rule})`, rule in RULES);
  // Ending a turn is a redaction that had no other way (D-16), not a block.
  if (kind === "turn ended") return wrong;
  need("how to switch off", message.includes("leak0 off"));
  const failClosed = message.includes("reason:");
  if (kind === "block" && !failClosed) {
    need("a proof", /\bB[1-5]\b/.test(message));
    need("the kind of proof", /resolved path|structure|checksum|hash match/.test(message) || (/\bB4\b/.test(message) && message.includes("pattern")));
  }
  if (!failClosed) need("a short hash", /\b[0-9a-f]{8}\b/.test(message));
  return wrong;
}

/** L-089, D-15: the result keeps its shape, and all but the values stays byte for byte. */
function inOutput(before: unknown, after: unknown, kind: string): readonly string[] {
  if (typeof after !== typeof before || Array.isArray(after) !== Array.isArray(before)) return [`the result changed its shape: ${JSON.stringify(after).slice(0, 200)}`];
  if (typeof before === "string") return kind === "withhold" || sameBut(before, after as string) ? [] : [`more than values changed: ${JSON.stringify(after).slice(0, 300)}`];
  if (typeof before !== "object" || before === null) return before === after ? [] : ["a field that is no text changed"];
  const keys = Object.keys(before);
  if (kind === "redact" && keys.join() !== Object.keys(after as object).join()) return ["the result lost or gained fields"];
  return keys.flatMap((key) => inOutput((before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key], kind));
}

/** Whether `after` is `before` with non-empty pieces replaced by placeholders. */
function sameBut(before: string, after: string): boolean {
  const parts = after.split(new RegExp(PLACEHOLDER, "g"));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0) {
      if (!before.startsWith(part)) return false;
      at = part.length;
    } else if (index === parts.length - 1) {
      return before.endsWith(part) && before.length - part.length > at;
    } else {
      const next = before.indexOf(part, at + 1);
      if (next === -1) return false;
      at = next + part.length;
    }
  }
  return at === before.length;
}

function texts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Characters of a value's body that may never appear in a row (D-25). */
const PIECE = 8;

/** What a family writes in front of every value is public; so are the marker lines of a key. */
const PUBLIC_PREFIX = /^(?:https:\/\/[^/]+\/(?:services\/)?|(?:[A-Za-z0-9]{2,14}[_.-]){1,3}|cflt|ATBB|ATATT3xFfGF0|ATCTT3xFfGN0)/;

/** All pieces of the secrets that must not be seen. */
export function pieces(secrets: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const secret of secrets) {
    const bodies = secret.includes("-----BEGIN") ? secret.split("\n").filter((line) => !line.startsWith("-----")) : [secret.replace(PUBLIC_PREFIX, "")];
    // A single word of a wallet's phrase ("question") is one of the language's own.
    const phrase = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/.test(secret);
    for (const body of bodies)
      for (let at = 0; at + PIECE <= body.length; at++) {
        const piece = body.slice(at, at + PIECE);
        if (!phrase || piece.trim().includes(" ")) found.add(piece);
      }
  }
  return found;
}

/** Whether a text holds a piece of a secret. */
export function leaks(text: string, forbidden: ReadonlySet<string>): boolean {
  for (let at = 0; at + PIECE <= text.length; at++) if (forbidden.has(text.slice(at, at + PIECE))) return true;
  return false;
}
