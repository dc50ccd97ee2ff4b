/** Exit codes, and the errors that carry them. */

/** Exit codes of every command but `hook`; 64 and 77 as in sysexits.h. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** `doctor` found a problem. */
  unhealthy: 1,
  /** `audit verify` found lines that are damaged, changed, removed, inserted or moved. */
  changed: 2,
  /** `scan` found secrets. */
  found: 2,
  /** `inject0 score`: the text is a hit. */
  hit: 2,
  /** `leak0 check`: the call would be blocked. */
  blocked: 2,
  /** `leak0 check`: the person would be asked. */
  asked: 3,
  usage: 64,
  /** Administrator rights are missing, or the device is steered from the console. */
  refused: 77,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  failed: "it could not be done; the message says why",
  unhealthy: "something is wrong; every problem names the next step",
  changed: "lines are damaged, or were changed, removed, inserted or moved",
  found: "secrets were found",
  hit: "the score is at or above the threshold",
  blocked: "it would be blocked",
  asked: "the person would be asked",
  usage: "wrong usage",
  refused: "administrator rights are missing, or this device is steered from a console",
};

/** Codes that only some commands answer with. */
export type OwnCode = "unhealthy" | "changed" | "found" | "hit" | "blocked" | "asked" | "refused";

/** The lines a command's help ends with: what every command may answer, and what this one may besides. */
export function exitHelp(...further: readonly OwnCode[]): string {
  const names: readonly (keyof typeof EXIT)[] = ["done", "failed", ...further, "usage"];
  const lines = names.toSorted((a, b) => EXIT[a] - EXIT[b]).map((name) => `  ${String(EXIT[name]).padEnd(2)}  ${MEANING[name]}`);
  return `Exit codes:\n${lines.join("\n")}`;
}

/** An error for a person: what went wrong, and the next step (a command or a short instruction). */
export class CommandError extends Error {
  readonly next: string;
  readonly code: ExitCode;

  constructor(message: string, next: string, code: ExitCode = EXIT.failed) {
    super(message);
    this.next = next;
    this.code = code;
  }
}
