/** What every command gets: the machine, the terminal, and the exit code it may set. */
import type { Command } from "commander";
import type { System } from "../system.ts";
import { type ExitCode, exitHelp } from "./outcome.ts";
import type { Terminal } from "./terminal.ts";

export interface Context {
  readonly system: System;
  readonly terminal: Terminal;
  /** Set by a command that ends without an error but not with 0. */
  code: ExitCode;
}

/** Ends a command's help with an example and the exit codes. */
export function withHelp(command: Command, example: string, exitCodes = exitHelp()): Command {
  return command
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", `\nExample:\n  ${example}\n\n${exitCodes}`);
}

/** Writes a value for a script: one JSON text and a newline. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}
