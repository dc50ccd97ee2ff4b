/** `poisonzero uninstall`: takes the hook entries out of the current user's agents again (L-151). */
import { type Command, Option } from "commander";
import { removeClaude } from "../setup/claude.ts";
import { installedLauncher } from "../setup/launcher.ts";
import type { System } from "../system.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, wordsOf } from "./outcome.ts";
import { requireOwnHome } from "./setup.ts";

interface Options {
  readonly agent?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addUninstall(program: Command, context: Context): void {
  const command = program
    .command("uninstall")
    .summary("take the hook entries out again")
    .description(
      "Take exactly PoisonZero's hook entries out of the agent's settings of the current user. Where nothing else changed since setup, the file is byte for byte as it was. The program, the mode and ~/.poisonzero stay; the output says how to delete them.",
    )
    .addOption(new Option("--agent <agent>", "the agent to take them out of; without it every one").choices(["claude"]))
    .option("--dry-run", "show what would be changed and change nothing")
    .option("--json", "print the outcome as JSON")
    .action((options: Options) => uninstall(context, options));
  withHelp(command, "poisonzero uninstall --agent claude");
}

function uninstall({ system, terminal }: Context, options: Options): void {
  requireOwnHome(system);
  const dryRun = options.dryRun === true;
  let changes: ReturnType<typeof removeClaude>;
  try {
    changes = removeClaude(system, dryRun);
  } catch (error) {
    throw new CommandError(
      wordsOf(error),
      "take the poisonzero entries out by hand, or correct the file and run poisonzero uninstall again",
    );
  }
  if (options.json) return writeJson(terminal, { agent: "claude", changes, dryRun });
  for (const { file, change } of changes) {
    if (change === "unchanged") terminal.out(`Claude Code: no hook entries in ${file}\n`);
    else if (change === "removed") terminal.out(`Claude Code: ${dryRun ? "would remove" : "removed"} ${file}, which setup had made\n`);
    else terminal.out(`Claude Code: hook entries ${dryRun ? "would be " : ""}taken out of ${file}\n`);
  }
  if (dryRun) return terminal.out("Nothing was changed.\n");
  if (changes.some(({ change }) => change !== "unchanged"))
    terminal.out("  Next: restart Claude Code; running sessions still call poisonzero\n");
  terminal.out(leftBehind(system));
}

/** What stays on the machine, and how each is deleted: first the user's own, then what every user shares. */
function leftBehind(system: System): string {
  const lines: string[] = [];
  const add = (what: string, command: string) => lines.push(`  ${what}: ${command}\n`);
  if (system.info(`${system.home}/.poisonzero`)) add("your audit log, key and session notes", "rm -r ~/.poisonzero");
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
