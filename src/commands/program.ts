/**
 * The command line for people and fleets: every subcommand but `hook`. Loaded only when one is asked for.
 * Unknown commands, options and choices are errors (a mistyped option must never be dropped), exit code 64.
 */
import { Command, CommanderError } from "commander";
import type { System } from "../system.ts";
import { addAudit } from "./audit.ts";
import { addCompletion } from "./completion.ts";
import { type Context, withHelp } from "./context.ts";
import { addLeak0 } from "./leak0.ts";
import { CommandError, EXIT, wordsOf } from "./outcome.ts";
import { addSetup } from "./setup.ts";
import { addStatus } from "./status.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { addUninstall } from "./uninstall.ts";
import { addVersion, VERSION } from "./version.ts";

/** Runs one command and answers its exit code. Never throws; every error ends with the next step. */
export async function runCommand(argv: readonly string[], system: System, terminal: Terminal = openTerminal(system)): Promise<number> {
  const context: Context = { system, terminal, code: EXIT.done };
  const program = buildProgram(context);
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync([...argv], { from: "user" });
    return context.code;
  } catch (error) {
    // Commander has printed its own message, or the help or version that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = error instanceof CommandError ? error : new CommandError(wordsOf(error), "poisonzero status");
    terminal.err(`poisonzero: ${failure.message}\n  Next: ${failure.next}\n`);
    return failure.code;
  }
}

/** The tree of commands. */
export function buildProgram(context: Context): Command {
  const { terminal } = context;
  const program = new Command("poisonzero")
    .description("Guards AI coding agents on this machine: secrets stay in.")
    .version(`poisonzero ${VERSION}`, "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) => write(`poisonzero: ${text.replace(/^error: /, "")}`),
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => false,
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .showHelpAfterError("  Next: poisonzero --help")
    .helpCommand(false);
  withHelp(program, "poisonzero status");
  addStatus(program, context);
  addLeak0(program, context);
  addAudit(program, context);
  addSetup(program, context);
  addUninstall(program, context);
  addVersion(program, context);
  addCompletion(program, context);
  return program;
}
