/** `poisonzero uninstall`: takes the hook entries out of the current user's agents again (L-151). */
import type { Command } from "commander";
import { AGENTS, TITLES } from "../agents/capabilities.ts";
import type { Agent } from "../call/effect.ts";
import { type Refusal, refusalOf } from "../refusal.ts";
import { AGENT_SETUPS } from "../setup/agents.ts";
import { installedLauncher } from "../setup/launcher.ts";
import { managedEntries, removeManaged } from "../setup/managed.ts";
import { type SettingsChange, takeOut } from "../setup/settings.ts";
import type { System } from "../system.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { EXIT } from "./outcome.ts";
import { agentOption, requireOwnHome, restart } from "./setup.ts";

interface Options {
  readonly agent?: Agent;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addUninstall(program: Command, context: Context): void {
  const command = program
    .command("uninstall")
    .summary("take the hook entries out again")
    .description(
      "Take exactly PoisonZero's hook entries out of the agents' settings of the current user, as root also those that --all-users put into Claude Code's managed settings. Where nothing else changed since setup, the file is byte for byte as it was. The program, the mode and ~/.poisonzero stay; the output says how to delete them.",
    )
    .addOption(agentOption("the agent to take them out of; without it every one"))
    .option("--dry-run", "show what would be changed and change nothing")
    .option("--json", "print the outcome as JSON")
    .action((options: Options) => uninstall(context, options));
  withHelp(command, "poisonzero uninstall --agent claude");
}

function uninstall(context: Context, options: Options): void {
  const { system, terminal } = context;
  requireOwnHome(system);
  const dryRun = options.dryRun === true;
  const changes: (SettingsChange & { readonly agent: Agent })[] = [];
  const problems: Refusal[] = [];
  for (const agent of options.agent === undefined ? AGENTS : [options.agent]) {
    try {
      const done = takeOut(system, AGENT_SETUPS[agent].file, dryRun).map((change) => ({ agent, ...change }));
      // Of an agent that was not asked for by name and is not used, there is nothing to say.
      changes.push(...done.filter(({ file, change }) => options.agent !== undefined || change !== "unchanged" || system.info(file)));
    } catch (error) {
      problems.push(refusalOf(error, system));
    }
  }
  // What root put in for every user goes by root's hand.
  if (system.uid === 0 && (options.agent ?? "claude") === "claude") {
    try {
      const change = removeManaged(system, dryRun);
      if (change !== undefined) changes.push({ agent: "claude", ...change });
    } catch (error) {
      problems.push(refusalOf(error, system));
    }
  }
  if (problems.length > 0) context.code = EXIT.failed;
  if (options.json) return writeJson(terminal, { changes, problems: problems.map(({ words }) => words), dryRun });
  for (const { agent, file, change } of changes) {
    const title = TITLES[agent];
    if (change === "removed") terminal.out(`${title}: ${dryRun ? "would remove" : "removed"} ${file}, which setup had made\n`);
    else if (change !== "unchanged") terminal.out(`${title}: hook entries ${dryRun ? "would be " : ""}taken out of ${file}\n`);
    else terminal.out(`${title}: no hook entries in ${file}\n`);
  }
  if (changes.length + problems.length === 0) terminal.out("No hook entries were found.\n");
  for (const { words, next = "take the poisonzero entries out by hand, or correct the file" } of problems)
    terminal.err(`poisonzero: ${words}\n  Next: ${next}, then run poisonzero uninstall again\n`);
  if (dryRun) return terminal.out("Nothing was changed.\n");
  restart(
    terminal,
    changes.filter(({ change }) => change !== "unchanged"),
    "still call poisonzero",
  );
  terminal.out(leftBehind(system));
}

/** What stays on the machine, and how each is deleted: first the user's own, then what every user shares. */
function leftBehind(system: System): string {
  const lines: string[] = [];
  const add = (what: string, command: string) => lines.push(`  ${what}: ${command}\n`);
  if (system.info(`${system.home}/.poisonzero`)) add("your audit log, key and session notes", "rm -r ~/.poisonzero");
  const managed = managedEntries(system);
  if (managed !== undefined) add(`the hook entries for every user in ${managed.file}`, "sudo -H poisonzero uninstall --agent claude");
  if (system.platform === "windows") return left(lines);
  if (system.info(system.dataFolder)) add("the mode, for all users", `sudo rm -r ${system.dataFolder}`);
  const launcher = installedLauncher(system);
  const folder = launcher?.slice(0, launcher.lastIndexOf("/"));
  const link = system.realPath(LINK) === launcher && launcher !== undefined ? `${LINK} ` : "";
  if (folder) add("the program, once no user's agent calls it any more", `sudo rm -r ${link}${folder}`);
  return left(lines);
}

const LINK = "/usr/local/bin/poisonzero";

function left(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `Left in place, with the way to delete it:\n${lines.join("")}`;
}
