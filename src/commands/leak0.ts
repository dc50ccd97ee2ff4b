/** `poisonzero leak0 status|enforce|observe|off|clear` (L-131, L-134 … L-136, L-150, D-21). */
import type { Command } from "commander";
import { resolveLeak0 } from "../policy/leak0.ts";
import type { Mode } from "../policy/mode.ts";
import { clearLeak0Mode, writeLeak0Mode } from "../policy/switch.ts";
import { updateFailRules } from "../setup/accounts.ts";
import { requireAdministrator, requirePrivateDevice } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, wordsOf } from "./outcome.ts";
import { isEnforced } from "./setup.ts";
import { leak0Facts, leak0Lines } from "./status.ts";

const MEANING = {
  enforce: "switch leak0 on: block on proof, ask, redact, add notes",
  observe: "only log what leak0 finds; never interfere",
  off: "switch leak0 off",
} as const;

export function addLeak0(program: Command, context: Context): void {
  const leak0 = program
    .command("leak0")
    .helpCommand(false)
    .summary("secrets leaving this machine: status and mode")
    .description("leak0 keeps secrets from leaving through AI coding agents.");
  withHelp(leak0, "poisonzero leak0 status");
  const status = leak0
    .command("status")
    .description("Shows leak0's mode and who set it, your own lists, and how far each agent is protected.")
    .option("--json", "print it as JSON")
    .action((options: { readonly json?: boolean }) => {
      if (options.json) writeJson(context.terminal, leak0Facts(context.system));
      else context.terminal.out(leak0Lines(context.system, context.terminal));
    });
  withHelp(status, "poisonzero leak0 status");
  for (const mode of ["enforce", "observe", "off"] as const) {
    const command = leak0
      .command(mode)
      .summary(MEANING[mode])
      .description(`${capital(MEANING[mode])}. Administrators only; the hook entries in the agents' settings stay.`)
      .action(() => switchMode(context, mode));
    withHelp(command, `sudo poisonzero leak0 ${mode}`);
  }
  const clear = leak0
    .command("clear")
    .summary("forget the local setting")
    .description("Removes the local setting; the profile's applies again, or off. Administrators only.")
    .action(() => clearMode(context));
  withHelp(clear, "sudo poisonzero leak0 clear");
}

function switchMode(context: Context, mode: Mode): void {
  const { system } = context;
  const command = `poisonzero leak0 ${mode}`;
  requirePrivateDevice(system);
  requireAdministrator(system, command);
  change(context, command, () => writeLeak0Mode(system, mode));
}

/** The one change that a Cloud device allows (L-131). */
function clearMode(context: Context): void {
  const command = "poisonzero leak0 clear";
  requireAdministrator(context.system, command);
  change(context, command, () => clearLeak0Mode(context.system));
}

function change({ system, terminal }: Context, command: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new CommandError(`the setting could not be written: ${wordsOf(error)}`, `correct that, then run it again: sudo ${command}`);
  }
  const { mode, source } = resolveLeak0(system);
  terminal.out(`leak0: ${mode} (${source === "local" ? "local setting" : source})\n`);
  const { changed, problems } = updateFailRules(system, isEnforced(system));
  for (const { file } of changed)
    terminal.out(`Claude Code ${isEnforced(system) ? "stops" : "goes on"} when the hook cannot run: ${file}\n`);
  for (const problem of problems)
    terminal.err(`poisonzero: onFailure was not updated: ${problem}\n  Next: that user runs poisonzero setup\n`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
