/** Exit codes, and the errors that carry them. */

/** Exit codes of every command but `hook`; 64 and 77 as in sysexits.h. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** `audit verify` found lines that were changed, removed or inserted. */
  changed: 2,
  usage: 64,
  /** Administrator rights are missing, or the device is steered from the console. */
  refused: 77,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The lines every help text ends with. */
export const EXIT_HELP = `Exit codes:
  0   done
  1   it could not be done; the message says why
  64  wrong usage
  77  administrator rights are missing, or the console decides on this device`;

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

/** What a caught value says, for a message. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}
