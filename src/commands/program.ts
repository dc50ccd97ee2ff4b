/**
 * The command line for people and fleets: every subcommand but `hook`. Loaded only when one is asked for.
 * Unknown commands, options and choices are errors (a mistyped option must never be dropped), exit code 64.
 */
import { Command, CommanderError, Option } from "commander";
import { refusalOf } from "../refusal.ts";
import type { System } from "../system.ts";
import { addAudit } from "./audit.ts";
import { addCompletion } from "./completion.ts";
import { type Context, withHelp } from "./context.ts";
import { addDoctor } from "./doctor.ts";
import { addHelp, addHook } from "./help.ts";
import { addInject0 } from "./inject0.ts";
import { addLeak0 } from "./leak0.ts";
import { mistake } from "./mistake.ts";
import { CommandError, EXIT } from "./outcome.ts";
import { addScan } from "./scan.ts";
import { addSetup } from "./setup.ts";
import { addStatus } from "./status.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { addUninstall } from "./uninstall.ts";
import { addVersion, VERSION } from "./version.ts";

/** Runs one command and answers its exit code. Never throws; every error ends with the next step. */
export async function runCommand(argv: readonly string[], system: System, terminal: Terminal = openTerminal(system)): Promise<number> {
  const context: Context = { system, terminal, code: EXIT.done };
  const program = buildProgram(context);
  let at = program;
  for (const command of withChildren(program))
    command.exitOverride((error) => {
      at = command;
      throw error;
    });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync([...argv], { from: "user" });
    return context.code;
  } catch (error) {
    if (error instanceof CommanderError) {
      // The help or the version that was asked for has been printed.
      if (error.exitCode === 0) return EXIT.done;
      if (error.code !== "commander.help") {
        terminal.err(`poisonzero: ${mistake(error, at)}\n\n`);
        at.outputHelp({ error: true });
      }
      return EXIT.usage;
    }
    const failure = error instanceof CommandError ? error : unexpected(error, system);
    terminal.err(`poisonzero: ${failure.message}\n  Next: ${failure.next}\n`);
    return failure.code;
  }
}

function unexpected(error: unknown, system: System): CommandError {
  const { words, next } = refusalOf(error, system);
  return new CommandError(words, next ?? "poisonzero status");
}

function withChildren(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withChildren)];
}

/** The tree of commands. */
export function buildProgram(context: Context): Command {
  const { terminal } = context;
  const program = new Command("poisonzero")
    .description("Guard AI coding agents on this machine: secrets stay in.")
    .version(`poisonzero ${VERSION}`, "-v, --version", "print the version")
    .addOption(new Option("-V").hideHelp())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // runCommand says it in our own words.
      outputError: () => {},
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => false,
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
  program.on("option:V", () => {
    terminal.out(`poisonzero ${VERSION}\n`);
    throw new CommanderError(0, "commander.version", VERSION);
  });
  withHelp(program, "poisonzero status");
  addStatus(program, context);
  addDoctor(program, context);
  addLeak0(program, context);
  addScan(program, context);
  addInject0(program, context);
  addAudit(program, context);
  addSetup(program, context);
  addUninstall(program, context);
  addVersion(program, context);
  addCompletion(program, context);
  addHelp(program, context);
  addHook(program);
  return program;
}
