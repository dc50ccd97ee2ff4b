/** `poisonzero doctor`: whether what is installed works, tried with a made-up secret (U-015, U-016, V-042). */
import type { Command } from "commander";
import { AGENTS } from "../agents/capabilities.ts";
import { type AgentHealth, agentHealth } from "../doctor/agent.ts";
import type { Fact } from "../doctor/fact.ts";
import { installationFacts } from "../doctor/installation.ts";
import { resolveLeak0 } from "../policy/leak0.ts";
import type { Mode } from "../policy/mode.ts";
import { AGENT_SETUPS } from "../setup/agents.ts";
import { installedLauncher } from "../setup/launcher.ts";
import type { System } from "../system.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { EXIT, exitHelp } from "./outcome.ts";
import { isEnforced, requireOwnHome } from "./setup.ts";
import { paint, type Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

interface Health {
  readonly leak0: Mode;
  readonly installation: readonly Fact[];
  readonly agents: readonly AgentHealth[];
  readonly problems: number;
}

export function addDoctor(program: Command, context: Context): void {
  const command = program
    .command("doctor")
    .summary("try whether everything installed works")
    .description(
      "Try every hook entry of the current user's agents with a made-up secret, through the very command in the agent's settings, and look at the program, its rights, other installations, the data directory, the clock and the disk. Nothing is sent or logged. That an entry works and that the agent was seen calling it are two facts; both are said.",
    )
    .option("--json", "print it as JSON")
    .action(({ json }: { readonly json?: boolean }) => {
      const { system, terminal } = context;
      requireOwnHome(system);
      const health = examine(system);
      if (health.problems > 0) context.code = EXIT.unhealthy;
      if (json) writeJson(terminal, facts(health));
      else terminal.out(text(health, terminal));
    });
  withHelp(command, "poisonzero doctor", exitHelp("unhealthy"));
}

function examine(system: System): Health {
  const launcher = installedLauncher(system);
  const leak0 = resolveLeak0(system).mode;
  const installation = installationFacts(system, launcher, VERSION);
  const agents = AGENTS.filter((agent) => AGENT_SETUPS[agent].isHere(system)).map((agent) =>
    agentHealth(system, agent, { leak0, enforced: isEnforced(system), launcher }),
  );
  const all = [...installation, ...agents.flatMap((agent) => agent.facts)];
  return { leak0, installation, agents, problems: all.filter(({ state }) => state === "problem").length };
}

function facts({ leak0, installation, agents, problems }: Health) {
  const each = agents.map(({ agent, adapterWorks, seen, facts }) => ({
    agent,
    adapterWorks: adapterWorks ?? null,
    seen: seen ?? null,
    facts,
  }));
  return { version: VERSION, healthy: problems === 0, leak0, installation, agents: each };
}

function text({ installation, agents, problems }: Health, terminal: Terminal): string {
  const groups = [
    { title: `PoisonZero ${VERSION}`, facts: installation },
    ...agents,
    ...(agents.length === 0 ? [{ title: "Agents: none found for this user", facts: [] }] : []),
  ];
  const lines = groups.map(
    ({ title, facts }) => `${paint(terminal, "bold", title)}\n${facts.map((fact) => line(fact, terminal)).join("")}`,
  );
  const end =
    problems === 0 ? paint(terminal, "green", "healthy") : paint(terminal, "red", `${problems} ${problems === 1 ? "problem" : "problems"}`);
  return `${lines.join("")}${end}\n`;
}

const STYLES = { fine: "green", note: "yellow", problem: "red" } as const;
const WORDS = { fine: "ok", note: "note", problem: "wrong" } as const;

function line(fact: Fact, terminal: Terminal): string {
  const word = paint(terminal, STYLES[fact.state], WORDS[fact.state].padEnd(5));
  return `  ${word}  ${fact.text}\n${fact.state === "problem" ? `         Next: ${fact.next}\n` : ""}`;
}
