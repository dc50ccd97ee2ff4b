/**
 * What becomes of a step of the agent when something of PoisonZero fails, per agent and mode of leak0 (U-013, L-153, L-154,
 * D-22). `status`, the README's table and its tests are made from this table. Modes: exec0 in enforce counts like leak0's
 * for Claude Code. What an agent does by itself was observed on the real clients, for Antigravity CLI it is documented.
 */
import type { Agent } from "../call/effect.ts";
import type { Mode } from "../policy/mode.ts";

/** What happens to the step. */
export type Outcome =
  /** Stopped, with a reason. */
  | "blocked"
  /** Stopped by the agent itself, whatever the mode is. */
  | "refused"
  | "goes on"
  /** The agent starts no hook: it goes on, or does not start itself. */
  | "unhooked"
  /** Judged as if nothing had failed. */
  | "checked"
  /** The person is asked in the agent's own dialog. */
  | "asked";

/** Something that fails. */
export interface Failure {
  /** In words for a person. */
  readonly what: string;
  /** What comes of the step. */
  readonly comes: Readonly<Record<Mode, Readonly<Record<Agent, Outcome>>>>;
}

const each = (outcome: Outcome, others: Partial<Record<Agent, Outcome>> = {}): Readonly<Record<Agent, Outcome>> => ({
  ...{ claude: outcome, codex: outcome, cursor: outcome, gemini: outcome, antigravity: outcome },
  ...others,
});
const inEnforce = (outcomes: Readonly<Record<Agent, Outcome>>): Failure["comes"] => ({
  enforce: outcomes,
  observe: each("goes on"),
  off: each("goes on"),
});
const always = (outcome: Outcome): Failure["comes"] => ({ enforce: each(outcome), observe: each(outcome), off: each(outcome) });

/** The launcher answers in the program's place. */
const BY_LAUNCHER = inEnforce(each("goes on", { claude: "blocked" }));
const REFUSED = { gemini: "refused", antigravity: "refused" } as const;

/** Every failure that is provided for, in the order people read them. */
export const FAILURES = {
  "launcher missing": {
    what: "the program that the entry names is missing",
    comes: {
      enforce: each("goes on", { claude: "blocked", ...REFUSED }),
      observe: each("goes on", REFUSED),
      off: each("goes on", REFUSED),
    },
  },
  "program missing": { what: "`libexec/poisonzero` beside it is missing or cannot be started", comes: BY_LAUNCHER },
  "program crashes": { what: "it crashes or ends with an error", comes: BY_LAUNCHER },
  "program hangs": { what: "it hangs (8 s)", comes: BY_LAUNCHER },
  "program prints garbage": { what: "it prints anything but nothing or one JSON value", comes: BY_LAUNCHER },
  "event unreadable": { what: "the event on its standard input cannot be read", comes: inEnforce(each("blocked")) },
  "mode torn": { what: "the file with the mode is torn, or not the administrator's: it does not count", comes: always("goes on") },
  "settings torn": { what: "the agent's settings file is torn", comes: always("unhooked") },
  "home not writable": {
    what: "the home is read-only: nothing is logged, and a value seen in an earlier call is not known again",
    comes: inEnforce(each("checked")),
  },
  "disk full": { what: "the disk is full: the same", comes: inEnforce(each("checked")) },
  "no dialog": {
    what: "no PoisonZero dialog can be shown (no desktop, no service) for a question about Git",
    comes: inEnforce(each("blocked", { claude: "asked", antigravity: "asked" })),
  },
} as const satisfies Readonly<Record<string, Failure>>;
export type FailureName = keyof typeof FAILURES;
