/** `poisonzero setup`: puts the hook entries into the current user's agents (L-148). */
import { type Command, Option } from "commander";
import { resolveExec0 } from "../policy/exec0.ts";
import { resolveLeak0 } from "../policy/leak0.ts";
import { claudeHindrance } from "../setup/agents.ts";
import { claudeIsHere, type SetUp, setUpClaude } from "../setup/claude.ts";
import { settingsDiff } from "../setup/diff.ts";
import { installationProblem, installedLauncher } from "../setup/launcher.ts";
import type { System } from "../system.ts";
import { asAdministrator } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, EXIT, wordsOf } from "./outcome.ts";
import { paint, type Terminal } from "./terminal.ts";

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
      "Put PoisonZero's hook entries into the agent's settings of the current user. Everything else in the file stays as it is; doing it twice changes nothing. `poisonzero uninstall` takes them out again. Exit code 1 also when the entries are in place and the agent would not run them.",
    )
    .addOption(new Option("--agent <agent>", "the agent to set up; without it every one found").choices(["claude"]))
    .option("--launcher <path>", "absolute path of the poisonzero program to call, when it is not the installed one")
    .option("--dry-run", "show what would be changed and change nothing")
    .option("--json", "print the outcome as JSON")
    .action((options: Options) => setUp(context, options));
  withHelp(command, "poisonzero setup --agent claude --dry-run");
}

function setUp(context: Context, options: Options): void {
  const { system, terminal } = context;
  if (options.agent === undefined && !claudeIsHere(system))
    throw new CommandError("no supported agent was found for this user", "poisonzero setup --agent claude");
  const launcher = launcherOf(system, options.launcher);
  requireOwnHome(system);
  const dryRun = options.dryRun === true;
  const outcome = put(system, launcher, dryRun);
  const { file, change, ignored } = outcome;
  const hindrance = claudeHindrance(system)?.text;
  if (hindrance !== undefined) context.code = EXIT.failed;
  const leak0 = resolveLeak0(system).mode;
  if (options.json) return writeJson(terminal, { agent: "claude", file, change, ignored, hindrance, dryRun, launcher, leak0 });
  if (change === "unchanged") terminal.out(`Claude Code: the hook entries are in place in ${file}\n`);
  else if (dryRun) terminal.out(preview(outcome, terminal));
  else terminal.out(`Claude Code: hook entries written to ${file}\n`);
  if (hindrance !== undefined) {
    const next = "correct that, then check with poisonzero status";
    terminal.err(`poisonzero: the entries cannot take effect: ${hindrance}\n  Next: ${next}\n`);
  } else if (!dryRun && change !== "unchanged") terminal.out("  Next: restart Claude Code; running sessions do not use them yet\n");
  if (leak0 === "off") terminal.out(`leak0 is off. Switch it on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`);
}

function put(system: System, launcher: string, dryRun: boolean): SetUp {
  try {
    return setUpClaude(system, launcher, isEnforced(system), dryRun);
  } catch (error) {
    throw new CommandError(claudeHindrance(system)?.text ?? wordsOf(error), "correct the file by hand, then run poisonzero setup again");
  }
}

function preview({ file, change, before, after }: SetUp, terminal: Terminal): string {
  const diff = settingsDiff(before, after) ?? ["(too many lines to show)"];
  const styles = { "+": "green", "-": "red", "@": "dim" } as const;
  const lines = diff.map((line) => {
    const style = styles[line.charAt(0) as keyof typeof styles];
    return style ? paint(terminal, style, line) : line;
  });
  const from = change === "made" ? "/dev/null" : file;
  return `Claude Code: would write hook entries to ${file}\n--- ${from}\n+++ ${file}\n${lines.join("\n")}\nNothing was changed.\n`;
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
  const problem = installationProblem(system, named);
  if (problem !== undefined) throw new CommandError(problem, "name the installed program: --launcher /usr/local/bin/poisonzero");
  return named;
}
