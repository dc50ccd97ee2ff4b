/**
 * What one agent's adapter does: the agent's event to calls, a judgement to the agent's answer (U-002).
 *
 * Trust: an adapter reads hostile bytes and assumes nothing of a field it has not checked. What it answers must be in
 * exactly the shape the real client honours: every client goes on with the call when an answer is malformed.
 */
import type { Call } from "../call/effect.ts";
import type { Judgement } from "../leak0/judgement.ts";
import type { System } from "../system.ts";

/** What the process prints and how it ends. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/**
 * Nothing to say. The launcher turns an empty answer into the agent's own neutral one (D-23), so that there is one place
 * for it, the modes in which this program is not even started included.
 */
export const SILENCE: Answer = { stdout: "", stderr: "", code: 0 };

/** What an adapter may know beside the event's text. */
export interface Told {
  /** The event as the entry's command names it, "" when it names none: Antigravity's payload does not. */
  readonly event: string;
  readonly platform: System["platform"];
}

/** An event understood. */
export interface Event {
  /** The agent's own event name. */
  readonly name: string;
  /** Its row in the capability table, where the event's name alone does not say what an answer can do. */
  readonly row?: string;
  /** One call for each act the event tells of; none for an event this product does not use. */
  readonly calls: readonly Call[];
  /** What the agent put around a result's own text; the answer puts it back. */
  readonly frame?: { readonly before: string; readonly after: string };
  /** Another agent runs this hook beside its own one, which answers; its name. */
  readonly runBy?: "cursor";
}

/** Why an event could not be understood, for the message of D-02; holds nothing of the event. */
export interface Unreadable {
  readonly unreadable: string;
}

/** Why a step was not judged, in the two parts of its message. */
export interface Unjudged {
  /** In brackets behind what happened; holds nothing of the event. */
  readonly why: string;
  /** Rule, reason, next step and the way to switch off. */
  readonly facts: string;
}

/** Keeps a redacted text in a file of the user's own, for an agent that takes no long answer; its path, undefined when that fails. */
export type Keep = (text: string) => Promise<string | undefined>;

/** One agent. */
export interface Adapter {
  /** Whether a check that failed by itself stops the step under enforce (L-153); the others go on (L-154, D-12). */
  readonly failsClosed: boolean;
  /** Decodes one event. Never throws. */
  decode(text: string, told: Told): Event | Unreadable;
  /** The answer to an event that was judged. */
  reply(event: Event, judgement: Judgement, keep: Keep): Answer | Promise<Answer>;
  /** The answer under enforce to an event that could not be read (D-02). */
  unreadable(text: string, told: Told, why: Unjudged): Answer;
  /** The answer under enforce when the check failed by itself; asked for only where it fails closed. `name` is "" when not even that is known. */
  failed(name: string, text: string, why: Unjudged): Answer | Promise<Answer>;
}

/** An event's text as a JSON object, or why it is none. */
export function fieldsOf(text: string): { readonly fields: Fields } | Unreadable {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (bare.trim() === "") return { unreadable: "it is empty" };
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return { unreadable: "it is not one JSON value" };
  }
  return isFields(value) ? { fields: value } : { unreadable: "it is not a JSON object" };
}

export type Fields = Readonly<Record<string, unknown>>;

/** True for a plain JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that is text, else undefined. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A folder that is absolute on any system, else "". */
export function absoluteFolder(value: unknown): string {
  if (typeof value !== "string" || value.includes("\0")) return "";
  return value.startsWith("/") || /^[A-Za-z]:[\\/]|^\\\\/.test(value) ? value : "";
}

/** One JSON value on standard output. */
export function json(value: unknown): Answer {
  return { stdout: JSON.stringify(value), stderr: "", code: 0 };
}

/** Exit 2 with a text on standard error, which every agent takes as a refusal; without a text some go on (observed). */
export function refuse(message: string): Answer {
  return { stdout: "", stderr: message, code: 2 };
}
