/** `poisonzero leak0 status|enforce|observe|off|clear`; `file`, `exclude`, `allow` and `check` are files of their own (L-131, L-134 … L-136, L-150, D-21). */
import type { Command } from "commander";
import { resolveLeak0 } from "../policy/leak0.ts";
import type { Mode } from "../policy/mode.ts";
import { clearLeak0Mode, writeLeak0Mode } from "../policy/switch.ts";
import { refusalOf } from "../refusal.ts";
import { updateFailRules } from "../setup/accounts.ts";
import type { System } from "../system.ts";
import { asAdministrator, requireAdministrator, requirePrivateDevice } from "./administrator.ts";
import { addAllow } from "./allow.ts";
import { addCheck } from "./check.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { addLists } from "./lists.ts";
import { CommandError, exitHelp } from "./outcome.ts";
import { isEnforced } from "./setup.ts";
import { leak0Facts, leak0Lines } from "./status.ts";

const MEANING = {
  enforce: "switch leak0 on: block on proof, ask, redact, add notes",
  observe: "only log what leak0 finds; never interfere",
  off: "switch leak0 off: check nothing",
} as const;

export function addLeak0(program: Command, context: Context): void {
  const leak0 = program
    .command("leak0")
    .summary("show or switch the guard against leaking secrets")
    .description("Show or switch leak0, which keeps secrets from leaving through AI coding agents.");
  withHelp(leak0, "poisonzero leak0 status");
  const status = leak0
    .command("status")
    .summary("show leak0's mode and the protected agents")
    .description("Show leak0's mode and who set it, your own lists, and how far each agent is protected.")
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
    withHelp(command, `sudo poisonzero leak0 ${mode}`, exitHelp("refused"));
  }
  const clear = leak0
    .command("clear")
    .summary("forget the local setting")
    .description("Remove the local setting. leak0 is then off, or as the console says on a device steered from one. Administrators only.")
    .action(() => clearMode(context));
  withHelp(clear, "sudo poisonzero leak0 clear", exitHelp("refused"));
  addLists(leak0, context);
  addAllow(leak0, context);
  addCheck(leak0, context);
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
    const { words, next } = refusalOf(error, system);
    throw new CommandError(`the setting could not be written: ${words}`, `${next ?? "correct that"}, then run it again: sudo ${command}`);
  }
  const { mode, source } = resolveLeak0(system);
  terminal.out(`leak0: ${mode} (${SOURCE[source]})\n`);
  const { users, changed, problems } = updateFailRules(system, isEnforced(system));
  terminal.out(consequence(system, mode, users));
  if (changed.length > 0) {
    const rule = isEnforced(system) ? "Claude Code now stops when the hook cannot run" : "Claude Code now goes on when the hook cannot run";
    terminal.out(`  ${rule}: ${changed.map(({ file }) => file).join(", ")}\n  Next: restart Claude Code\n`);
  }
  for (const problem of problems)
    terminal.err(`poisonzero: onFailure was not updated: ${problem}\n  Next: that user runs poisonzero setup\n`);
}

const SOURCE = { local: "local setting", profile: "console profile", default: "default" } as const;

/** What the mode means from now on, and for whom. */
function consequence(system: System, mode: Mode, users: readonly string[]): string {
  const names = users.join(", ");
  if (mode === "off") {
    const on = `leak0 checks nothing now.\n  Switch it on again: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`;
    if (users.length === 0) return on;
    return `${on}  The hook entries stay (${names}). To take them out: poisonzero uninstall\n`;
  }
  if (users.length === 0)
    return "No user's agent calls poisonzero yet, so nothing is checked.\n  Next: poisonzero setup, as each user who runs an agent\n";
  return mode === "enforce"
    ? `Protection is on now for the agents of: ${names}\n  See what it decides: poisonzero audit tail -f\n`
    : `The agents of ${names}: hits are only logged now, nothing is stopped.\n  See them: poisonzero audit tail -f\n  Switch protection on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
