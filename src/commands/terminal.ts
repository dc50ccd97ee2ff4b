/** Where commands write: standard output for results, standard error for problems; colour on a terminal only. */
import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { System } from "../system.ts";

/** The two ends of a command. Tests replace it. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Standard output is a terminal: a person reads along. */
  readonly interactive: boolean;
  /** Results may be coloured: standard output is a terminal and NO_COLOR is not set. */
  readonly colour: boolean;
  /** Standard error is a terminal: a person sees how far it is. */
  readonly watched: boolean;
  /** The reader of standard output went away: whoever writes on and on may stop. */
  readonly gone: boolean;
}

/** The process's own terminal; whether colour is wanted is the caller's environment's to say. */
export function openTerminal(system: System): Terminal {
  const { NO_COLOR, TERM } = system.environment;
  const interactive = isatty(1);
  let gone = false;
  return {
    out: (text) => {
      if (!write(1, text)) gone = true;
    },
    err: (text) => void write(2, text),
    interactive,
    watched: isatty(2) && TERM !== "dumb",
    colour: interactive && !NO_COLOR && TERM !== "dumb",
    get gone() {
      return gone;
    },
  };
}

const CODES = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const;

/** The text in a colour, or as it is. */
export function paint(terminal: Terminal, style: keyof typeof CODES, text: string): string {
  return terminal.colour ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text;
}

/** Writes everything, also to a pipe that is full for a moment; false, and no error, when the reader went away. */
function write(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
  return true;
}
