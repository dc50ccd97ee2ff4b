/** `poisonzero help [command]`, and the answer to a person who calls `hook`. */
import type { Command } from "commander";
import { AGENTS } from "../agents/capabilities.ts";
import { type Context, withHelp } from "./context.ts";
import { CommandError, EXIT } from "./outcome.ts";

export function addHelp(program: Command, { terminal }: Context): void {
  const command = program
    .command("help")
    .summary("show the help of a command")
    .description("Show the help of a command, or of poisonzero as a whole.")
    .argument("[command...]", "the command, such as: leak0 enforce")
    .action((words: readonly string[]) => terminal.out(textOf(program, words)));
  withHelp(command, "poisonzero help leak0 enforce");
}

/** Agents call `poisonzero hook <agent>`; everything else behind `hook` is a person's, and ends here. */
export function addHook(program: Command): void {
  const command = program
    .command("hook", { hidden: true })
    .description("Check one event of an agent. The agent calls it; `poisonzero setup` writes the entry that does.")
    .argument("[agent...]", `who calls: ${AGENTS.join(", ")}`)
    .allowUnknownOption()
    .action(() => {
      throw new CommandError("hook is called by an agent, with an event on standard input", "poisonzero setup --agent claude", EXIT.usage);
    });
  withHelp(command, "poisonzero setup --agent claude");
}

function textOf(program: Command, words: readonly string[]): string {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word);
    if (!next) throw new CommandError(`there is no command '${words.join(" ")}'`, "poisonzero --help", EXIT.usage);
    command = next;
  }
  let text = "";
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
