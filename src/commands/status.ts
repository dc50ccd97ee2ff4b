/** `poisonzero status`: modes and their source, agents, and what is not covered (L-102, L-134, U-015, U-018). */
import type { Command } from "commander";
import type { Agent } from "../call/effect.ts";
import { resolveExec0 } from "../policy/exec0.ts";
import { readLists, resolveLeak0 } from "../policy/leak0.ts";
import type { ProductPolicy } from "../policy/mode.ts";
import { type AgentProtection, protection } from "../setup/agents.ts";
import { unsupportedHere } from "../setup/unsupported.ts";
import type { System } from "../system.ts";
import { asAdministrator } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { paint, type Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

/** What no version can protect through hooks, as plainly as what it can (L-115, L-116, U-018). */
const NOT_COVERED: readonly string[] = [
  "programs of the same user that start outside the agent's tools, and what a program does inside: leak0 is no sandbox",
  "`!` commands in Claude Code, and what is typed in a terminal beside the agent",
  "the agent's own transcripts and telemetry on disk",
  "secrets without a known format, outside known credential files",
  "an agent started with its hooks switched off (claude --bare, --safe-mode)",
];

/** Said where that agent is used (L-097, L-100, L-101). */
const NOT_COVERED_IN: Readonly<Partial<Record<Agent, readonly string[]>>> = {
  codex: [
    "Codex's built-in web search, and cloud runs such as Codex Cloud or the Copilot cloud agent",
    "what a Codex command prints while it is still running: the hook is called with the rest, at its end",
  ],
  cursor: ["files that Cursor's Tab completion reads by itself"],
  gemini: [
    "Gemini CLI in a folder that is not trusted, where it runs no hook; files a prompt attaches with @ are looked at by their names",
  ],
};

interface Options {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export function addStatus(program: Command, context: Context): void {
  const command = program
    .command("status")
    .summary("show what is on, who decided it, which agents are protected")
    .description("Show the mode and who set it, how far each agent is protected, what is wrong and what to do about it.")
    .option("--verbose", "show everything that is not covered as well")
    .option("--json", "print it as JSON")
    .action(({ json, verbose }: Options) => {
      const { system, terminal } = context;
      if (json) return writeJson(terminal, statusFacts(system));
      const title = paint(terminal, "bold", `PoisonZero ${VERSION}`);
      terminal.out(`${title}\n${leak0Lines(system, terminal)}${exec0Lines(system)}${notCoveredLines(system, verbose === true)}`);
    });
  withHelp(command, "poisonzero status --verbose");
}

/** leak0's part of the status, for scripts. */
export function leak0Facts(system: System) {
  const { mode, source, cloud, userMayApprove, problems } = resolveLeak0(system);
  const { secretFiles, exclusions } = readLists(system);
  return {
    mode,
    source,
    device: cloud ? "cloud" : "private",
    secretFiles: secretFiles.length,
    exclusions: exclusions.length,
    userMayApprove,
    problems,
    agents: agentsOf(system),
    unsupported: unsupportedHere(system),
  };
}

/** leak0's part of the status, for people. */
export function leak0Lines(system: System, terminal: Terminal): string {
  const facts = leak0Facts(system);
  const colour = facts.mode === "enforce" ? "green" : facts.mode === "observe" ? "yellow" : "red";
  let text = `leak0: ${paint(terminal, colour, facts.mode)} (${sourceWords(facts.source)})\n`;
  if (facts.mode === "off") text += `  Switch it on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`;
  text += `  Own lists: ${count(facts.secretFiles, "secret file")}, ${count(facts.exclusions, "exclusion")}\n`;
  text += problemLines(facts.problems);
  text += "Agents:\n";
  if (facts.agents.length === 0) text += "  none found for this user\n  Next: poisonzero setup, as the user who runs the agent\n";
  for (const agent of facts.agents) text += agentLines(agent, terminal);
  for (const { title, reason } of facts.unsupported) text += `  ${title}: ${paint(terminal, "red", "not protected")}\n    ${reason}\n`;
  return text;
}

function statusFacts(system: System) {
  const { agents, unsupported, ...leak0 } = leak0Facts(system);
  const { mode, source, problems } = resolveExec0(system);
  return { version: VERSION, leak0, exec0: { mode, source, problems }, agents, unsupported, notCovered: notCovered(agents) };
}

/** Nothing where nobody has set exec0: this version has no use for it otherwise. */
function exec0Lines(system: System): string {
  const { mode, source, problems } = resolveExec0(system);
  const own = problems.filter((problem) => problem.startsWith("exec0"));
  if (source === "default" && own.length === 0) return "";
  return `exec0: ${mode} (${sourceWords(source)})\n${problemLines(own)}`;
}

function agentsOf(system: System): readonly AgentProtection[] {
  const leak0 = resolveLeak0(system).mode;
  return protection(system, leak0, leak0 === "enforce" || resolveExec0(system).mode === "enforce");
}

function agentLines({ title, state, reasons }: AgentProtection, terminal: Terminal): string {
  const colour = state === "protected" ? "green" : state === "partly protected" ? "yellow" : "red";
  return `  ${title}: ${paint(terminal, colour, state)}\n${reasons.map((reason) => `    ${reason}\n`).join("")}`;
}

function notCovered(agents: readonly AgentProtection[]): readonly string[] {
  return [...NOT_COVERED, ...agents.flatMap(({ agent }) => NOT_COVERED_IN[agent] ?? [])];
}

function notCoveredLines(system: System, verbose: boolean): string {
  if (!verbose) return 'Not covered: leak0 is no sandbox; poisonzero status --verbose or "Honest limits" in the README say more\n';
  return `Not covered:\n${notCovered(agentsOf(system))
    .map((line) => `  ${line}\n`)
    .join("")}`;
}

function problemLines(problems: readonly string[]): string {
  return problems.map((problem) => `  Does not count: ${problem}\n`).join("");
}

function sourceWords(source: ProductPolicy["source"]): string {
  return { local: "local setting", profile: "console profile", default: "default, nobody has decided yet" }[source];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
