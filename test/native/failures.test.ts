/**
 * The failure table, row by row, on the real product: for every agent and mode. The rows in which the launcher answers in
 * the program's place are tried in launcher.test.ts.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../src/agents/capabilities.ts";
import { FAILURES, type FailureName, type Outcome } from "../../src/agents/failures.ts";
import type { Agent } from "../../src/call/effect.ts";
import { madeUpSecret, PLAIN, sampleOf } from "../../src/doctor/sample.ts";
import { type Mode, MODES } from "../../src/policy/mode.ts";
import { AGENT_SETUPS } from "../../src/setup/agents.ts";
import { placedEntries, SHAPES } from "../../src/setup/shape.ts";
import { openSystem } from "../../src/system.ts";
import { product, setting, temporaryFolder } from "../product.ts";

// The product is built at first use.
setDefaultTimeout(60_000);
afterAll(() => setting(product(), "leak0mode", undefined));

/** The event before a tool with a shell command. */
const BEFORE: Readonly<Record<Agent, string>> = {
  claude: "PreToolUse",
  codex: "PreToolUse",
  cursor: "beforeShellExecution",
  gemini: "BeforeTool",
  antigravity: "PreToolUse",
};
const SECRET = madeUpSecret(openSystem({ environment: {} }));
const sending = (agent: Agent) => JSON.stringify(sampleOf(agent, BEFORE[agent])?.payload(SECRET));

interface Reply {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the agent does with a reply before a tool, as observed on the real clients (Cursor, Antigravity CLI: as documented). */
function reaction(agent: Agent, { code, stdout, stderr }: Reply, entry: Readonly<Record<string, unknown>>): Outcome {
  if (code === 2) return stderr === "" ? "goes on" : "blocked";
  if (code !== 0) {
    switch (agent) {
      case "claude":
        return entry.onFailure === "block" ? "blocked" : "goes on";
      case "cursor":
        return entry.failClosed === true ? "blocked" : "goes on";
      case "gemini":
        return code !== 1 && stderr !== "" ? "refused" : "goes on";
      case "antigravity":
        return "refused";
      case "codex":
        return "goes on";
    }
  }
  if (stdout.trim() === "") return agent === "antigravity" ? "refused" : "goes on";
  const { decision, permission, hookSpecificOutput } = JSON.parse(stdout);
  const said = decision ?? permission ?? hookSpecificOutput?.permissionDecision;
  if (said === "deny" || said === "block") return "blocked";
  return said === "ask" || said === "force_ask" ? "asked" : "goes on";
}

/** The handler setup writes for the event before a tool. */
function entryOf(agent: Agent, launcher: string, mode: Mode): Readonly<Record<string, unknown>> {
  const item = AGENT_SETUPS[agent].file.items(openSystem({ environment: {} }), launcher, mode === "enforce").get(BEFORE[agent]);
  const [entry] = placedEntries(SHAPES[agent], { [SHAPES[agent].container]: { [BEFORE[agent]]: [item] } });
  if (entry === undefined) throw new Error("setup writes no entry");
  return entry.handler;
}

/** Starts an entry as the agent does. */
function start(entry: Readonly<Record<string, unknown>>, stdin: string, home: string, via: readonly string[] = []): Reply {
  const { command, args } = entry;
  const argv = Array.isArray(args) ? [String(command), ...args.map(String)] : ["/bin/sh", "-c", String(command)];
  const options = {
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    cwd: "/",
  } as const;
  try {
    const done = Bun.spawnSync([...via, ...argv], options);
    return { code: done.exitCode, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
  } catch {
    // Without a shell the agent itself finds that there is no program.
    return { code: null, stdout: "", stderr: "" };
  }
}

interface Try {
  readonly event?: (agent: Agent) => string;
  readonly launcher?: string;
  /** Mode file in place of the right one. */
  readonly modeFile?: (mode: Mode) => void;
  readonly home?: string;
  readonly via?: readonly string[];
}

/** What comes of a row for an agent and a mode. */
function outcome(
  agent: Agent,
  mode: Mode,
  { event = sending, launcher = product().launcher, modeFile, home = temporaryFolder("home"), via }: Try,
): Outcome {
  setting(product(), "leak0mode", `${mode}\n`);
  modeFile?.(mode);
  const entry = entryOf(agent, launcher, mode);
  return reaction(agent, start(entry, event(agent), home, via), entry);
}

const EACH = MODES.flatMap((mode) => AGENTS.map((agent) => [mode, agent] as const));
const expected = (row: FailureName, mode: Mode, agent: Agent): Outcome => FAILURES[row].comes[mode][agent];
const AS_EVER = (mode: Mode): Outcome => (mode === "enforce" ? "blocked" : "goes on");

test.each(EACH)("nothing fails, leak0 in %s, %s: what is to be blocked is, a harmless step goes on", (mode, agent) => {
  expect(outcome(agent, mode, {})).toBe(AS_EVER(mode));
  expect(outcome(agent, mode, { event: () => sending(agent).replace(SECRET, PLAIN) })).toBe("goes on");
});

test.each(EACH)("L-153 L-154 D-22 launcher missing, leak0 in %s: %s", (mode, agent) => {
  const launcher = join(temporaryFolder("gone"), "poisonzero");
  expect(outcome(agent, mode, { launcher })).toBe(expected("launcher missing", mode, agent));
});

test.each(EACH)("D-02 event unreadable, leak0 in %s: %s", (mode, agent) => {
  for (const text of ["", "no JSON", sending(agent).slice(0, -5)])
    expect([text, outcome(agent, mode, { event: () => text })]).toEqual([text, expected("event unreadable", mode, agent)]);
});

test.each(EACH)("L-141 mode torn, leak0 in %s: %s", (mode, agent) => {
  const torn = [
    () => setting(product(), "leak0mode", mode.slice(0, 3).toUpperCase()),
    () => setting(product(), "leak0mode", ""),
    () => chmodSync(join(product().dataFolder, "leak0mode"), 0o666),
  ];
  for (const modeFile of torn) expect(outcome(agent, mode, { modeFile })).toBe(expected("mode torn", mode, agent));
});

test.each(AGENTS)("settings torn: %s starts no hook, and it is said", (agent) => {
  const home = temporaryFolder("home");
  const system = openSystem({ environment: { HOME: home } });
  const { file, hindrance, protection } = AGENT_SETUPS[agent];
  const path = file.path(system);
  mkdirSync(join(path, ".."), { recursive: true });
  const text = JSON.stringify(Object.fromEntries(file.items(system, product().launcher, true)));
  writeFileSync(path, text.slice(0, -3));
  expect(hindrance(system)).toMatchObject({ all: true, text: expect.stringContaining(path) });
  for (const mode of MODES) {
    expect(expected("settings torn", mode, agent)).toBe("unhooked");
    expect(protection(system, mode, mode === "enforce").state).toBe("not protected");
  }
});

test.each(EACH)("home not writable, leak0 in %s: %s", (mode, agent) => {
  // Nobody, root included, can make anything there.
  const outcomes = ["/proc/poisonzero-test", "/dev/null/home"].map((home) => outcome(agent, mode, { home }));
  expect(new Set(outcomes)).toEqual(new Set([AS_EVER(mode)]));
  expect(expected("home not writable", mode, agent)).toBe(mode === "enforce" ? "checked" : "goes on");
});

/** A way to start something in which `$HOME` is on a disk without a free byte; undefined where none can be made. */
const FULL = [
  "unshare",
  "--mount",
  "sh",
  "-c",
  'mount -t tmpfs -o size=64k,mode=700 tmpfs "$HOME" && cat /dev/zero >"$HOME/fill" 2>/dev/null; exec "$@"',
  "sh",
];
const canFill =
  process.getuid?.() === 0 && Bun.spawnSync([...FULL, "true"], { env: { ...process.env, HOME: temporaryFolder("full") } }).success;

test.if(canFill).each(EACH)("disk full, leak0 in %s: %s", (mode, agent) => {
  const home = temporaryFolder("full");
  // It really is full: nothing more can be written.
  expect(
    Bun.spawnSync([...FULL, "sh", "-c", 'echo x >"$HOME/more"'], { env: { PATH: "/usr/bin:/bin", HOME: home }, stderr: "ignore" }).success,
  ).toBe(false);
  expect(outcome(agent, mode, { home, via: FULL })).toBe(AS_EVER(mode));
  expect(expected("disk full", mode, agent)).toBe(mode === "enforce" ? "checked" : "goes on");
});

test.each(EACH)("L-062 no dialog for a question about Git, leak0 in %s: %s", (mode, agent) => {
  const repository = temporaryFolder("repository");
  Bun.spawnSync(["git", "init", "-q", repository]);
  writeFileSync(join(repository, ".env"), `DATABASE_PASSWORD=${SECRET.slice(10, 26)}\n`);
  const event = () =>
    sending(agent)
      .replace(/curl [^"]*/, "git add .env && git commit -m settings")
      .replaceAll('"cwd":"/"', `"cwd":"${repository}"`)
      .replaceAll('"Cwd":"/"', `"Cwd":"${repository}"`)
      .replaceAll('["/"]', `["${repository}"]`);
  expect(outcome(agent, mode, { event })).toBe(expected("no dialog", mode, agent));
});

test("each row of the table is tried", () => {
  const here = ["launcher missing", "event unreadable", "mode torn", "settings torn", "home not writable", "disk full", "no dialog"];
  const inLauncher = ["program missing", "program crashes", "program hangs", "program prints garbage"];
  expect([...here, ...inLauncher].sort()).toEqual(Object.keys(FAILURES).sort());
});
