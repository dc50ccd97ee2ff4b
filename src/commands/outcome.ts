/** Exit codes, and the errors that carry them. */

/** Exit codes of every command but `hook`; 64 and 77 as in sysexits.h. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** `audit verify` found lines that are damaged, changed, removed, inserted or moved. */
  changed: 2,
  usage: 64,
  /** Administrator rights are missing, or the device is steered from the console. */
  refused: 77,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  failed: "it could not be done; the message says why",
  changed: "lines are damaged, or were changed, removed, inserted or moved",
  usage: "wrong usage",
  refused: "administrator rights are missing, or this device is steered from a console",
};

/** The lines a command's help ends with: what every command may answer, and what this one may besides. */
export function exitHelp(...further: readonly ("changed" | "refused")[]): string {
  const names = (["done", "failed", "changed", "usage", "refused"] as const).filter(
    (name) => (name !== "changed" && name !== "refused") || further.includes(name),
  );
  return `Exit codes:\n${names.map((name) => `  ${String(EXIT[name]).padEnd(2)}  ${MEANING[name]}`).join("\n")}`;
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

/** What a caught value says, for a message. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}
