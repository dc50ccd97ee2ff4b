/** Many hooks of different agents at once, through the built binary. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { verifyAudit } from "../../src/audit/reading.ts";
import type { Agent } from "../../src/call/effect.ts";
import { openSession } from "../../src/session/session.ts";
import { hostTarget } from "../../targets/all.ts";
import { mint } from "../mint.ts";
import { product, setting } from "../product.ts";
import { throwaway } from "../throwaway.ts";

/** A result that holds a token, as each agent delivers one; Antigravity delivers none and is asked about a blocked call. */
function event(agent: Agent, token: string, cwd: string): Readonly<Record<string, unknown>> {
  const common = { session_id: "one", cwd };
  switch (agent) {
    case "claude":
      return {
        ...common,
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: "./x" },
        tool_response: { stdout: token, stderr: "" },
      };
    case "codex":
      return { ...common, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "./x" }, tool_response: token };
    case "gemini":
      return {
        ...common,
        hook_event_name: "AfterTool",
        tool_name: "run_shell_command",
        tool_input: { command: "./x" },
        tool_response: { llmContent: token },
      };
    case "cursor":
      return {
        ...common,
        hook_event_name: "postToolUse",
        tool_name: "MCP:x",
        tool_input: {},
        tool_output: JSON.stringify({ content: [{ type: "text", text: token }] }),
      };
    case "antigravity":
      return { conversationId: "one", toolCall: { name: "run_command", args: { CommandLine: `git commit -m ${token}`, Cwd: cwd } } };
  }
}

test.skipIf(hostTarget() === undefined)(
  "50 calls of five agents at once in one session: nothing that was seen is forgotten, no line of the log is torn",
  async () => {
    using machine = throwaway();
    const built = product();
    setting(built, "leak0mode", "enforce\n");
    const project = join(machine.home, "project");
    mkdirSync(project);
    Bun.spawnSync(["git", "init", "-q", project]);
    const agents: readonly Agent[] = ["claude", "codex", "cursor", "gemini", "antigravity"];
    const tokens = Array.from({ length: 50 }, () => mint.github("ghp_"));
    const calls = tokens.map(async (token, index) => {
      const agent = agents[index % agents.length] as Agent;
      const child = Bun.spawn([built.launcher, "hook", agent, ...(agent === "antigravity" ? ["PreToolUse"] : [])], {
        stdin: Buffer.from(JSON.stringify(event(agent, token, project))),
        stdout: "pipe",
        stderr: "pipe",
        env: { HOME: machine.home, PATH: process.env["PATH"] ?? "" },
        cwd: project,
      });
      return { agent, code: await child.exited, said: await new Response(child.stdout).text(), token };
    });
    for (const { agent, code, said, token } of await Promise.all(calls)) {
      expect([agent, code]).toEqual([agent, 0]);
      expect(said).toContain(agent === "antigravity" ? "deny" : "[leak0:github:");
      expect(said).not.toContain(token.slice(4));
    }
    expect(verifyAudit(machine.reopen())).toMatchObject({ unreadable: [], broken: [] });
    expect(readFileSync(join(machine.home, ".poisonzero/audit/leak0.jsonl"), "utf8").trim().split("\n")).toHaveLength(50);
    setting(built, "leak0mode", undefined);
    const session = openSession(machine.reopen(), "one");
    for (const [index, token] of tokens.entries())
      if (agents[index % agents.length] !== "antigravity") expect(session.valuesIn(token).secrets).toHaveLength(1);
  },
  120_000,
);
