/** `poisonzero setup`: puts the hook entries into the agents of the current user, or as root of every user (L-148). */
import { type Command, Option } from "commander";
import { AGENTS, TITLES } from "../agents/capabilities.ts";
import type { Agent } from "../call/effect.ts";
import { resolveExec0 } from "../policy/exec0.ts";
import { resolveLeak0 } from "../policy/leak0.ts";
import { refusalOf } from "../refusal.ts";
import { forEveryUser } from "../setup/accounts.ts";
import { AGENT_SETUPS } from "../setup/agents.ts";
import { settingsDiff } from "../setup/diff.ts";
import { installationProblem, installedLauncher } from "../setup/launcher.ts";
import { managedEntries, managedSwitch, putManaged } from "../setup/managed.ts";
import { putEntries, type SettingsChange, type SetUp, takeOut } from "../setup/settings.ts";
import type { System } from "../system.ts";
import { asAdministrator } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, EXIT } from "./outcome.ts";
import { paint, type Terminal } from "./terminal.ts";

interface Options {
  readonly agent?: Agent;
  readonly launcher?: string;
  readonly allUsers?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** What came of one agent of one user. */
interface Outcome {
  readonly agent: Agent;
  /** The user's name where every user is set up. */
  readonly user?: string;
  readonly done?: SetUp;
  /** Older entries in the user's own file went, since those for every user take their place. */
  readonly moved?: readonly SettingsChange[];
  /** Why nothing was written. */
  readonly problem?: string;
  /** The command that helps against it, where there is one. */
  readonly next?: string | undefined;
  /** Why the entries cannot take effect. */
  readonly hindrance?: string;
}

export function addSetup(program: Command, context: Context): void {
  const command = program
    .command("setup")
    .summary("put the hook entries into this user's agents")
    .description(
      "Put PoisonZero's hook entries into the settings of every agent the current user has, or of one. Everything else in the file stays as it is; doing it twice changes nothing. `poisonzero uninstall` takes them out again. Exit code 1 also when the entries are in place and the agent would not run them.",
    )
    .addOption(agentOption("the agent to set up; without it every one found"))
    .option("--launcher <path>", "absolute path of the poisonzero program to call, when it is not the installed one")
    .option(
      "--all-users",
      "as root: for every user of this machine, each with their own rights; for Claude Code in its managed settings, which no user can switch off",
    )
    .option("--dry-run", "show what would be changed and change nothing")
    .option("--json", "print the outcome as JSON")
    .action((options: Options) => setUp(context, options));
  withHelp(command, "poisonzero setup --agent claude --dry-run");
}

/** The step behind a change: running sessions go on as they were started. */
export function restart(terminal: Terminal, changed: readonly { readonly agent: Agent }[], meanwhile: string): void {
  const titles = [...new Set(changed.map(({ agent }) => TITLES[agent]))];
  if (titles.length > 0) terminal.out(`  Next: restart ${titles.join(", ")}; running sessions ${meanwhile}\n`);
}

/** `--agent` of setup and uninstall. */
export function agentOption(text: string): Option {
  return new Option("--agent <agent>", text).choices([...AGENTS]);
}

function setUp(context: Context, options: Options): void {
  const { system, terminal } = context;
  const dryRun = options.dryRun === true;
  const { launcher, outcomes } = options.allUsers ? ofEveryUser(system, options) : ofThisUser(system, options);
  // One agent that was asked for by name and cannot be set up is the command's own failure.
  const [only] = outcomes;
  if (only?.problem !== undefined && outcomes.length === 1 && !options.json) throw new CommandError(only.problem, remedy(only));
  if (outcomes.some(({ problem, hindrance }) => problem !== undefined || (hindrance !== undefined && !isPending(hindrance))))
    context.code = EXIT.failed;
  const leak0 = resolveLeak0(system).mode;
  if (options.json) {
    const agents = outcomes.map(({ agent, user, done, moved, problem, next, hindrance }) => ({
      ...{ agent, user, file: done?.file, change: done?.change, ignored: done?.ignored, moved },
      ...{ problem, next, hindrance },
    }));
    return writeJson(terminal, { agents, dryRun, launcher, leak0 });
  }
  for (const outcome of outcomes) tell(terminal, outcome, dryRun);
  if (dryRun) terminal.out("Nothing was changed.\n");
  else
    restart(
      terminal,
      outcomes.filter(
        ({ done, hindrance }) => done !== undefined && done.change !== "unchanged" && (hindrance === undefined || isPending(hindrance)),
      ),
      "do not use them yet",
    );
  if (leak0 === "off") terminal.out(`leak0 is off. Switch it on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`);
}

interface Outcomes {
  readonly launcher: string;
  readonly outcomes: readonly Outcome[];
}

function ofThisUser(system: System, { agent, dryRun, launcher: named }: Options): Outcomes {
  const agents = agent === undefined ? AGENTS.filter((one) => AGENT_SETUPS[one].isHere(system)) : [agent];
  if (agents.length === 0) throw new CommandError("no supported agent was found for this user", "poisonzero setup --agent claude");
  const launcher = launcherOf(system, named);
  requireOwnHome(system);
  return { launcher, outcomes: agents.map((one) => put(system, one, launcher, dryRun === true)) };
}

function ofEveryUser(system: System, { agent, dryRun, launcher: named }: Options): Outcomes {
  if (system.uid !== 0 || system.platform === "windows")
    throw new CommandError("only root can set up every user", asAdministrator(system, "poisonzero setup --all-users"), EXIT.refused);
  const launcher = launcherOf(system, named);
  const wanted = AGENTS.filter((one) => (agent ?? one) === one);
  const used = (one: Agent) => agent === one || forEveryUser(system, (theirs) => AGENT_SETUPS[one].isHere(theirs)).results.some(Boolean);
  const managed = wanted.includes("claude") && used("claude") ? [putForEveryone(system, launcher, dryRun === true)] : [];
  const covered = managed.some(({ done }) => done !== undefined);
  const outcomes = forEveryUser(system, (theirs, user) =>
    wanted
      .filter((one) => AGENT_SETUPS[one].isHere(theirs))
      .flatMap((one): readonly Outcome[] => {
        if (one !== "claude" || !covered) return [{ ...put(theirs, one, launcher, dryRun === true), user }];
        const outcome = moveOut(theirs, dryRun === true);
        return outcome === undefined ? [] : [{ ...outcome, user }];
      }),
  );
  const failed = outcomes.problems.map((problem): Outcome => ({ agent: agent ?? "claude", problem }));
  const all = [...managed, ...outcomes.results.flat(), ...failed];
  if (all.length === 0)
    throw new CommandError("no supported agent was found for any user", "poisonzero setup --agent claude, as the user who runs it");
  return { launcher, outcomes: all };
}

/** Claude Code's managed settings: in the place of every user's own, and out of the reach of whatever runs as a user. */
function putForEveryone(system: System, launcher: string, dryRun: boolean): Outcome {
  const off = managedSwitch(system, "managed");
  const hindrance = off === undefined ? {} : { hindrance: `the organisation's managed settings switch all hooks off (${off})` };
  try {
    return { agent: "claude", user: EVERYONE, done: putManaged(system, launcher, isEnforced(system), dryRun), ...hindrance };
  } catch (error) {
    const { words, next } = refusalOf(error, system);
    return { agent: "claude", user: EVERYONE, problem: words, next };
  }
}

const EVERYONE = "every user";

/** Claude Code would start an entry in the user's own file beside the managed one; undefined when there is none. */
function moveOut(system: System, dryRun: boolean): Outcome | undefined {
  try {
    const moved = takeOut(system, AGENT_SETUPS.claude.file, dryRun).filter(({ change }) => change !== "unchanged");
    return moved.length === 0 ? undefined : { agent: "claude", moved };
  } catch (error) {
    const { words, next } = refusalOf(error, system);
    return { agent: "claude", problem: words, next };
  }
}

function put(system: System, agent: Agent, launcher: string, dryRun: boolean): Outcome {
  const { file, hindrance } = AGENT_SETUPS[agent];
  const managed = agent === "claude" ? managedEntries(system) : undefined;
  try {
    if (managed !== undefined) {
      const why = hindrance(system)?.text;
      const done: SetUp = { file: managed.file, change: "unchanged", ignored: false, before: "", after: "" };
      return { agent, done, ...moveOut(system, dryRun), ...(why === undefined ? {} : { hindrance: why }) };
    }
    const done = putEntries(system, file, launcher, isEnforced(system), dryRun);
    const why = hindrance(system)?.text;
    return { agent, done, ...(why === undefined ? {} : { hindrance: why }) };
  } catch (error) {
    const { words, next } = refusalOf(error, system);
    const why = hindrance(system)?.text;
    return why === undefined ? { agent, problem: words, next } : { agent, problem: why };
  }
}

/** Codex's confirmation is the person's next step and no failure of setup. */
function isPending(hindrance: string): boolean {
  return hindrance.includes("/hooks");
}

function remedy({ next }: Outcome): string {
  return `${next ?? "correct the file by hand"}, then run poisonzero setup again`;
}

function tell(terminal: Terminal, outcome: Outcome, dryRun: boolean): void {
  const { agent, user, done, moved, problem, hindrance } = outcome;
  const title = user === undefined ? TITLES[agent] : `${TITLES[agent]} of ${user}`;
  for (const { file } of moved ?? [])
    terminal.out(`${title}: hook entries ${dryRun ? "would be " : ""}taken out of ${file}, where those for every user take their place\n`);
  if (done === undefined) {
    if (problem === undefined) return;
    terminal.err(`poisonzero: ${title}: ${problem}\n  Next: ${remedy(outcome)}\n`);
    return;
  }
  if (done.change === "unchanged") terminal.out(`${title}: the hook entries are in place in ${done.file}\n`);
  else if (dryRun) terminal.out(preview(title, done, terminal));
  else terminal.out(`${title}: hook entries written to ${done.file}\n`);
  if (hindrance === undefined) return;
  if (isPending(hindrance)) terminal.out(`  Next: ${hindrance.slice(hindrance.indexOf("start codex"))}\n`);
  else terminal.err(`poisonzero: the entries cannot take effect: ${hindrance}\n  Next: correct that, then check with poisonzero status\n`);
}

function preview(title: string, { file, change, before, after }: SetUp, terminal: Terminal): string {
  const diff = settingsDiff(before, after) ?? ["(too many lines to show)"];
  const styles = { "+": "green", "-": "red", "@": "dim" } as const;
  const lines = diff.map((line) => {
    const style = styles[line.charAt(0) as keyof typeof styles];
    return style ? paint(terminal, style, line) : line;
  });
  const from = change === "made" ? "/dev/null" : file;
  return `${title}: would write hook entries to ${file}\n--- ${from}\n+++ ${file}\n${lines.join("\n")}\n`;
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
