/** `poisonzero setup`: puts the hook entries into the current user's agents (L-148). */
import { type Command, Option } from "commander";
import { resolveExec0 } from "../policy/exec0.ts";
import { resolveLeak0 } from "../policy/leak0.ts";
import { claudeIsHere, setUpClaude } from "../setup/claude.ts";
import { CLAUDE_EVENTS } from "../setup/entries.ts";
import { installedLauncher, launcherProblem } from "../setup/launcher.ts";
import type { System } from "../system.ts";
import { asAdministrator } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, wordsOf } from "./outcome.ts";

interface Options {
  readonly agent?: string;
  readonly launcher?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addSetup(program: Command, context: Context): void {
  const command = program
    .command("setup")
    .summary("put the hook entries into this user's agents")
    .description(
      "Puts PoisonZero's hook entries into the agent's settings of the current user. Everything else in the file stays as it is; doing it twice changes nothing. `poisonzero uninstall` takes them out again.",
    )
    .addOption(new Option("--agent <agent>", "the agent to set up; without it every one found").choices(["claude"]))
    .option("--launcher <path>", "absolute path of the poisonzero program to call, when it is not the installed one")
    .option("--dry-run", "say what would be changed and change nothing")
    .option("--json", "print the outcome as JSON")
    .action((options: Options) => setUp(context, options));
  withHelp(command, "poisonzero setup --agent claude");
}

function setUp({ system, terminal }: Context, options: Options): void {
  if (options.agent === undefined && !claudeIsHere(system))
    throw new CommandError("no supported agent was found for this user", "poisonzero setup --agent claude");
  const launcher = launcherOf(system, options.launcher);
  requireOwnHome(system);
  const leak0 = resolveLeak0(system).mode;
  const enforced = isEnforced(system);
  const dryRun = options.dryRun === true;
  let outcome: ReturnType<typeof setUpClaude>;
  try {
    outcome = setUpClaude(system, launcher, enforced, dryRun);
  } catch (error) {
    throw new CommandError(wordsOf(error), "correct the file by hand, then run poisonzero setup again");
  }
  if (options.json) return writeJson(terminal, { agent: "claude", ...outcome, dryRun, launcher, leak0 });
  const events = CLAUDE_EVENTS.map(({ event }) => event).join(", ");
  if (outcome.change === "unchanged") terminal.out(`Claude Code: the hook entries are in place in ${outcome.file}\n`);
  else if (dryRun)
    terminal.out(
      `Claude Code: would write hook entries to ${outcome.file}\n  events: ${events}\n  program: ${launcher}\nNothing was changed.\n`,
    );
  else
    terminal.out(
      `Claude Code: hook entries written to ${outcome.file}\n  Restart running sessions of Claude Code, so that they use them.\n`,
    );
  if (outcome.ignored)
    terminal.err(
      `poisonzero: Claude Code ignores ${outcome.file} as it stands: it holds comments, trailing commas or a wrong type, so no hook in it runs\n  Next: take them out of the file, then check with poisonzero status\n`,
    );
  if (leak0 === "off") terminal.out(`leak0 is off. Switch it on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`);
}

/** D-21: Claude Code fails closed exactly while leak0 or exec0 is in enforce. */
export function isEnforced(system: System): boolean {
  return resolveLeak0(system).mode === "enforce" || resolveExec0(system).mode === "enforce";
}

/** With sudo and the user's HOME, files would be made that the user cannot change any more. */
export function requireOwnHome(system: System): void {
  if (system.home === "") throw new CommandError("this user has no home folder", "set HOME and run it again");
  if (system.platform === "windows") return;
  const owner = system.info(system.realPath(system.home) ?? system.home)?.uid;
  if (owner === undefined) throw new CommandError(`the home folder ${system.home} does not exist`, "set HOME and run it again");
  if (system.uid === 0 && owner !== 0)
    throw new CommandError(`${system.home} belongs to another user`, "run it as that user, without sudo");
}

function launcherOf(system: System, named: string | undefined): string {
  if (named === undefined) {
    const launcher = installedLauncher(system);
    if (launcher !== undefined) return launcher;
    throw new CommandError(
      "the installed poisonzero program was not found",
      "name it: poisonzero setup --launcher /usr/local/bin/poisonzero",
    );
  }
  const problem = launcherProblem(system, named);
  if (problem !== undefined) throw new CommandError(problem, "name the installed program: --launcher /usr/local/bin/poisonzero");
  return named;
}
