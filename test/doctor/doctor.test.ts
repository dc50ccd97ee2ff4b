/**
 * `poisonzero doctor`: every kind of broken installation beside a healthy one. The parts are looked at in process, on
 * throwaway machines whose entries start the real product; the whole through the compiled program.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENTS, CAPABILITIES } from "../../src/agents/capabilities.ts";
import type { Agent } from "../../src/call/effect.ts";
import { type AgentHealth, agentHealth } from "../../src/doctor/agent.ts";
import type { Fact } from "../../src/doctor/fact.ts";
import { installationFacts } from "../../src/doctor/installation.ts";
import { madeUpSecret, sampleOf } from "../../src/doctor/sample.ts";
import { rememberCall } from "../../src/session/seen.ts";
import { AGENT_SETUPS } from "../../src/setup/agents.ts";
import { trustHash } from "../../src/setup/codex-config.ts";
import { putEntries } from "../../src/setup/settings.ts";
import { placedEntries, readAs, SHAPES } from "../../src/setup/shape.ts";
import type { RunOptions, System } from "../../src/system.ts";
import { call, product, setting, temporaryFolder } from "../product.ts";
import { throwaway, type Throwaway } from "../throwaway.ts";

// The product is built at first use.
setDefaultTimeout(60_000);
afterAll(() => setting(product(), "leak0mode", undefined));

/** Folders that show the agent is used. */
const USED: Readonly<Record<Agent, string>> = {
  claude: ".claude",
  codex: ".codex",
  cursor: ".cursor",
  gemini: ".gemini/tmp",
  antigravity: ".gemini/config",
};

const ofCheck = (facts: readonly Fact[], check: Fact["check"]) => facts.filter((fact) => fact.check === check);
const problems = (facts: readonly Fact[]) => facts.filter(({ state }) => state === "problem");

/** A machine with the entries of one agent, which start a launcher, and leak0 in a mode for both. */
function entered(agent: Agent, launcher: string = product().launcher, mode = "enforce"): Throwaway {
  const machine = throwaway();
  for (const set of [(text: string) => setting(product(), "leak0mode", text), (text: string) => machine.setting("leak0mode", text)])
    set(`${mode}\n`);
  mkdirSync(join(machine.home, USED[agent]), { recursive: true });
  putEntries(machine.system, AGENT_SETUPS[agent].file, launcher, mode === "enforce", false);
  if (agent === "codex") trust(machine);
  return machine;
}

/** Confirms Codex's entries as a person does with /hooks. */
function trust({ system, file }: Throwaway): void {
  const path = AGENT_SETUPS.codex.file.path(system);
  const entries = placedEntries(SHAPES.codex, readAs(SHAPES.codex, readFileSync(path, "utf8")));
  const snake = (event: string) => event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const state = entries.map(
    (entry) => `[hooks.state."${path}:${snake(entry.event)}:${entry.place}"]\ntrusted_hash = "${trustHash(entry)}"\n`,
  );
  file(".codex/config.toml", state.join("\n"));
}

function health(
  machine: Throwaway,
  agent: Agent,
  mode: "enforce" | "observe" | "off" = "enforce",
  changes: Partial<System> = {},
): AgentHealth {
  const { launcher } = product();
  return agentHealth(machine.reopen(changes), agent, { leak0: mode, enforced: mode === "enforce", launcher });
}

/** A launcher that is a script, with a program beside it; answers its path. */
function script(machine: Throwaway, text: string): string {
  machine.file("bin/libexec/poisonzero", "", 0o755);
  return machine.file("bin/poisonzero", `#!/bin/sh\n${text}\n`, 0o755);
}

test.each(AGENTS)("U-009 U-016 %s: every entry answers as the capability table promises, in every mode", (agent) => {
  for (const mode of ["enforce", "observe", "off"] as const) {
    using machine = entered(agent, undefined, mode);
    const { facts, adapterWorks, seen } = health(machine, agent, mode);
    expect([mode, problems(facts)]).toEqual([mode, []]);
    expect([mode, adapterWorks, seen]).toEqual([mode, true, undefined]);
    const count = AGENT_SETUPS[agent].file.items(machine.system, "/x/poisonzero", true).size;
    expect(ofCheck(facts, "adapter")[0]?.text).toMatch(new RegExp(`^adapter works: ${count} entr`));
  }
});

test("U-016 there is an event to try for each entry that setup writes, and a secret in it wherever an answer is promised", () => {
  using machine = throwaway();
  for (const agent of AGENTS) {
    for (const event of AGENT_SETUPS[agent].file.items(machine.system, "/x/poisonzero", true).keys()) {
      const sample = sampleOf(agent, event);
      expect([agent, event, sample?.row === undefined || CAPABILITIES[agent][sample.row] === undefined]).toEqual([agent, event, false]);
      const promises = Object.values(CAPABILITIES[agent][sample?.row ?? ""] ?? {}).some((ability) => ability === true);
      // A file that Cursor reads is judged by what lies on the disk, and none is made for a try.
      if (promises && event !== "beforeReadFile") expect(JSON.stringify(sample?.payload("MARK"))).toContain("MARK".slice(4));
      expect(sample?.telling).toBe(event !== "beforeReadFile");
    }
  }
});

test("U-016 a try leaves no trace: no log, no session, no key, and a made-up secret is another each time", () => {
  using machine = entered("claude");
  const before = readdirSync(join(machine.home, ".poisonzero"));
  const sent: string[] = [];
  const run = (argv: readonly string[], options: RunOptions) => {
    sent.push(new TextDecoder().decode(options.stdin));
    return machine.system.run(argv, options);
  };
  expect(health(machine, "claude", "enforce", { run }).adapterWorks).toBe(true);
  expect(readdirSync(join(machine.home, ".poisonzero"))).toEqual(before);
  const secrets = sent.flatMap((text) => /ghp_\w{36}/.exec(text)?.[0] ?? []);
  expect(secrets.length).toBeGreaterThan(3);
  expect(new Set(secrets).size).toBe(secrets.length);
});

test.each([
  ["lets everything go on", "cat >/dev/null", "lets a made-up secret out"],
  [
    "stops everything",
    `cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`,
    "does not let a harmless step go on",
  ],
  ["prints garbage", "cat >/dev/null; echo hello", "no JSON object"],
  ["prints two values", "cat >/dev/null; echo '{} {}'", "no JSON object"],
  ["repeats the event", "cat", "does not let a harmless step go on"],
  ["repeats the secret", "grep -o 'ghp_[A-Za-z0-9]*' | sed 's/.*/\"&\"/'", "repeats the made-up secret"],
  ["ends with an error", "cat >/dev/null; echo broken >&2; exit 1", "ends with exit code 1: broken"],
  ["fails closed", "cat >/dev/null; echo 'poisonzero leak0: blocked' >&2; exit 2", "ends with exit code 2: poisonzero leak0: blocked"],
  ["crashes", "kill -SEGV $$", "cannot be started"],
  ["hangs", "exec sleep 60", "gives no answer in time"],
])("U-016 an adapter that %s does not work", (_, text, words) => {
  using machine = entered("claude");
  const launcher = script(machine, text);
  putEntries(machine.system, AGENT_SETUPS.claude.file, launcher, true, false);
  const bounds: number[] = [];
  // A hung one is waited for less long here.
  const run = (argv: readonly string[], options: RunOptions) => {
    bounds.push(options.time_ms_max);
    return machine.system.run(argv, { ...options, time_ms_max: 1_000 });
  };
  const { facts, adapterWorks } = health(machine, "claude", "enforce", { run });
  expect(adapterWorks).toBe(false);
  const [first] = problems(ofCheck(facts, "adapter"));
  expect(
    ofCheck(facts, "adapter")
      .map((fact) => fact.text)
      .join("\n"),
  ).toContain(words);
  expect(first).toMatchObject({ text: expect.stringMatching(/^adapter does not work: PreToolUse/), next: expect.any(String) });
  expect(Math.max(...bounds)).toBe(10_000);
  if (words.includes("in time")) expect(bounds).toHaveLength(1);
});

test("nothing is run but a command that reads exactly as setup writes it, of a program that nobody else can change", () => {
  const commands: (readonly string[])[] = [];
  const run = (argv: readonly string[]) => {
    commands.push(argv);
    return { code: 0, stdout: new Uint8Array(), stderr: "", cut: false };
  };
  const tampered = (agent: Agent, change: (text: string) => string) => {
    using machine = entered(agent);
    const path = AGENT_SETUPS[agent].file.path(machine.system);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, change(text));
    expect(readFileSync(path, "utf8")).not.toBe(text);
    commands.length = 0;
    const { facts, adapterWorks } = health(machine, agent, "enforce", { run });
    expect(problems(facts).length).toBeGreaterThan(0);
    return { adapterWorks, commands: [...commands] };
  };
  for (const line of ["hook gemini; touch /x", "hook gemini $(touch /x)", "hook gemini\\ntouch /x", "hook gemini | sh"])
    expect(tampered("gemini", (text) => text.replaceAll("hook gemini", line))).toEqual({ adapterWorks: undefined, commands: [] });
  expect(tampered("gemini", (text) => text.replaceAll('"command": "/', '"command": "$(id)/'))).toEqual({
    adapterWorks: false,
    commands: [],
  });
  expect(tampered("claude", (text) => text.replaceAll('"claude"\n', '"claude", "x"\n'))).toEqual({ adapterWorks: undefined, commands: [] });
  // Beside ours somebody else's entry stands untouched; ours are run.
  const { launcher } = product();
  const foreign = tampered("claude", (text) =>
    text
      .replace('"SessionStart": [', '"SessionStart": [{"hooks":[{"type":"command","command":"/bin/foreign"}]},')
      .replace('"timeout": 15', '"timeout": 16'),
  );
  expect(foreign.commands.length).toBeGreaterThan(6);
  expect(new Set(foreign.commands.map((argv) => argv.join(" ")))).toEqual(new Set([`${launcher} hook claude`]));
});

test("another user's program in an entry is named and not run", () => {
  using machine = entered("claude");
  const launcher = script(machine, "cat >/dev/null");
  putEntries(machine.system, AGENT_SETUPS.claude.file, launcher, true, false);
  chmodSync(launcher, 0o777);
  const { facts, adapterWorks } = health(machine, "claude", "enforce", {
    run: () => {
      throw new Error("nothing may be run");
    },
  });
  expect(adapterWorks).toBeUndefined();
  expect(problems(facts)).toContainEqual({
    check: "program rights",
    state: "problem",
    text: `${launcher} can be changed by other users`,
    next: `sudo chmod go-w ${launcher}`,
  });
});

test("V-042 entries: none, one missing, one changed, a broken file, a program that is gone, another version, a copy", () => {
  using machine = entered("claude");
  const path = AGENT_SETUPS.claude.file.path(machine.system);
  const whole = readFileSync(path, "utf8");
  const found = (text: string) => {
    writeFileSync(path, text);
    return problems(health(machine, "claude").facts);
  };
  const setup = "poisonzero setup --agent claude";
  expect(found(whole)).toEqual([]);
  expect(found("{}")).toMatchObject([{ check: "entries", text: `no hook entries in ${path}`, next: setup }]);
  expect(found(whole.replace('"SessionEnd"', '"Notification"'))).toMatchObject([
    { text: `no hook entry for SessionEnd in ${path}`, next: setup },
  ]);
  expect(found(whole.replace('"timeout": 15', '"timeout": 1'))).toMatchObject([
    { text: `hook entry changed for PostToolUse in ${path}`, next: setup },
  ]);
  expect(found(`${whole}// a comment`)).toMatchObject([{ check: "settings", text: expect.stringContaining("a comment") }]);
  expect(found(whole.replaceAll(product().launcher, "/gone/poisonzero"))).toMatchObject([
    { check: "entry program", text: "the entries start a program that cannot run: there is no program at /gone/poisonzero" },
  ]);
  const other = temporaryFolder("other");
  cpSync(dirname(product().launcher), other, { recursive: true });
  const copied = whole.replaceAll(product().launcher, join(other, "poisonzero"));
  expect(found(copied)).toEqual([]);
  expect(ofCheck(health(machine, "claude").facts, "entry program")).toMatchObject([
    { state: "note", text: expect.stringContaining("a copy of") },
  ]);
  appendFileSync(join(other, "libexec/poisonzero"), "\n");
  expect(found(copied)).toMatchObject([
    { check: "entry program", text: expect.stringContaining("another version than this one"), next: setup },
  ]);
});

test("L-149 a hook that Codex has not confirmed works and is not called: two facts", () => {
  using machine = entered("codex");
  expect(problems(health(machine, "codex").facts)).toEqual([]);
  rmSync(join(machine.home, ".codex/config.toml"));
  const { facts, adapterWorks } = health(machine, "codex");
  expect(adapterWorks).toBe(true);
  expect(problems(facts)).toMatchObject([{ check: "settings", next: "start codex, type /hooks and trust them" }]);
});

test("U-016 that the agent has called is another fact than that its entry works: by the hook's own note, or by the log", () => {
  using machine = entered("claude");
  const [seen] = ofCheck(health(machine, "claude").facts, "seen");
  expect(seen).toMatchObject({ state: "note", text: "not seen called by the agent yet: start Claude Code and let it run a command" });
  const environment = { HOME: machine.home, PATH: "/usr/bin:/bin" };
  const hook = (event: unknown) => call(product(), ["hook", "claude"], JSON.stringify(event), environment, "/");
  hook({ hook_event_name: "SessionStart", session_id: "s" });
  const today = new Date().toISOString().slice(0, 10);
  const after = health(machine, "claude");
  expect(after.seen).toBe(today);
  expect(ofCheck(after.facts, "seen")).toMatchObject([{ state: "fine", text: `seen called by the agent on ${today} (UTC)` }]);
  expect(health(machine, "gemini").seen).toBeUndefined();
  rmSync(join(machine.home, ".poisonzero/seen"), { recursive: true });
  expect(health(machine, "claude").seen).toBeUndefined();
  hook(sampleOf("claude", "PreToolUse")?.payload(madeUpSecret(machine.system)));
  rmSync(join(machine.home, ".poisonzero/seen"), { recursive: true });
  expect(health(machine, "claude").seen).toBe(today);
});

test("the hook notes a call once a day, and a home it cannot write to is no obstacle", () => {
  using machine = throwaway();
  const written: string[] = [];
  const replace: System["replace"] = (path, ...rest) => {
    written.push(path);
    machine.system.replace(path, ...rest);
  };
  const day = 24 * 60 * 60 * 1_000;
  rememberCall(machine.reopen({ replace }), "codex");
  rememberCall(machine.reopen({ replace }), "codex");
  expect(written).toHaveLength(1);
  rememberCall(machine.reopen({ replace, now: () => Date.now() + day }), "codex");
  rememberCall(machine.reopen({ replace }), "cursor");
  expect(written).toHaveLength(3);
  const full: System["replace"] = () => {
    throw new Error("ENOSPC");
  };
  rememberCall(machine.reopen({ replace: full }), "gemini");
  expect(readdirSync(join(machine.home, ".poisonzero/seen")).sort()).toEqual(["codex", "cursor"]);
});

/** A machine whose installation is healthy, with the folder its program lies in. */
function installed(): { machine: Throwaway; launcher: string; facts: (changes?: Partial<System>) => readonly Fact[] } {
  const machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  const launcher = script(machine, "");
  mkdirSync(join(machine.home, ".poisonzero"), { mode: 0o700 });
  const environment = { HOME: machine.home, PATH: `/usr/bin:${dirname(launcher)}` };
  return { machine, launcher, facts: (changes = {}) => installationFacts(machine.reopen({ environment, ...changes }), launcher, "1.2.3") };
}

const BROKEN: Readonly<Record<string, (at: ReturnType<typeof installed>) => Partial<System> | void>> = {
  "program: the launcher's child is missing": ({ machine }) => rmSync(join(machine.home, "bin/libexec/poisonzero")),
  "program: not executable": ({ launcher }) => chmodSync(launcher, 0o644),
  "program rights: others may write the program": ({ machine }) => chmodSync(join(machine.home, "bin/libexec/poisonzero"), 0o757),
  "program rights: others may write its folder": ({ machine }) => chmodSync(join(machine.home, "bin"), 0o777),
  "data directory: others may write it": ({ machine }) => chmodSync(machine.data, 0o777),
  "data directory: a setting that does not count": ({ machine }) => machine.setting("leak0mode", "nonsense\n"),
  "own folder: open to others": ({ machine }) => chmodSync(join(machine.home, ".poisonzero"), 0o755),
  "own folder: a key that others can read": ({ machine }) => void machine.file(".poisonzero/key", "x".repeat(32), 0o644),
  "own folder: a file in its place": ({ machine }) => {
    rmSync(join(machine.home, ".poisonzero"), { recursive: true });
    machine.file(".poisonzero", "");
  },
  "own folder: cannot be written": () => ({
    replace: () => {
      throw new Error("EROFS: read-only file system, open");
    },
  }),
  "own folder: another user's": ({ machine }) => ({ uid: 61_000, info: (path) => asIfOthers(machine, path) }),
  "path: two installations": ({ machine }) => ({
    environment: { HOME: machine.home, PATH: `${dirname(machine.file("old/poisonzero", "", 0o755))}:${machine.home}/bin` },
  }),
  "path: another installation": ({ machine }) => ({
    environment: { HOME: machine.home, PATH: dirname(machine.file("old/poisonzero", "", 0o755)) },
  }),
  "clock: behind the program": () => ({ now: () => Date.now() - 3 * 24 * 60 * 60 * 1_000 }),
  "disk: nearly full": () => ({ free_bytes: () => 1_000_000 }),
};

/** Only the folder of the user's own state is another's. */
function asIfOthers({ system, home }: Throwaway, path: string) {
  const info = system.info(path);
  return info && { ...info, uid: path.startsWith(`${home}/.poisonzero`) ? 4_242 : 0 };
}

test.each(Object.entries(BROKEN))("an installation is healthy, and with this not: %s", (name, break_) => {
  const at = installed();
  using _ = at.machine;
  expect(problems(at.facts())).toEqual([]);
  const found = problems(at.facts(break_(at) ?? {}));
  expect([...new Set(found.map(({ check }) => check))]).toEqual([name.slice(0, name.indexOf(":")) as Fact["check"]]);
  expect(found[0]?.state === "problem" && found[0].next).toBeTruthy();
});

test("one installation reached by several names on PATH is one, and a copy that does not lie on PATH is none", () => {
  const { machine, launcher, facts } = installed();
  using _ = machine;
  const link = join(machine.home, "links");
  mkdirSync(link);
  symlinkSync(launcher, join(link, "poisonzero"));
  const environment = { HOME: machine.home, PATH: `${link}:${dirname(launcher)}:${link}` };
  expect(ofCheck(facts({ environment }), "path")).toMatchObject([{ state: "fine" }]);
  expect(ofCheck(facts({ environment: { HOME: machine.home, PATH: "" } }), "path")).toMatchObject([{ state: "note" }]);
});

test("U-015 the compiled program: healthy and broken, as text and as JSON, with exit codes", () => {
  const of = product();
  using machine = throwaway();
  const environment = { HOME: machine.home, PATH: `${dirname(of.launcher)}:/usr/bin:/bin` };
  const doctor = (...more: string[]) => call(of, ["doctor", ...more], "", environment, "/");
  setting(of, "leak0mode", undefined);
  const bare = doctor();
  expect(bare).toMatchObject({ code: 0, stderr: "" });
  expect(bare.stdout).toMatch(/Agents: none found for this user\nhealthy\n$/);
  mkdirSync(join(machine.home, ".claude"));
  mkdirSync(join(machine.home, ".gemini/tmp"), { recursive: true });
  const { code, stdout } = doctor();
  expect(code).toBe(1);
  expect(stdout).toContain("Next: poisonzero setup --agent gemini\n");
  expect(stdout).toEndWith("2 problems\n");
  setting(of, "leak0mode", "enforce\n");
  expect(call(of, ["setup"], "", environment, "/").code).toBe(0);
  const healthy = doctor();
  expect(healthy.code).toBe(0);
  expect(healthy.stdout).toContain("adapter works: 7 entries answer as promised, a made-up secret is stopped");
  expect(healthy.stdout).toEndWith("\nhealthy\n");
  expect(healthy.stdout).not.toContain("\x1b");
  expect(JSON.parse(doctor("--json").stdout)).toMatchObject({
    healthy: true,
    leak0: "enforce",
    agents: [
      { agent: "claude", adapterWorks: true, seen: null },
      { agent: "gemini", adapterWorks: true, seen: null },
    ],
  });
  for (const name of ["audit", "sessions", "seen"]) expect(readdirSync(join(machine.home, ".poisonzero"))).not.toContain(name);
  const settings = join(machine.home, ".claude/settings.json");
  writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(of.launcher, "/gone/poisonzero"));
  const broken = doctor("--json");
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    healthy: false,
    agents: [{ agent: "claude", adapterWorks: false }, { adapterWorks: true }],
  });
  expect(call(of, ["doctor", "--help"], "", environment, "/").stdout).toMatch(/\n {2}0 .*\n {2}1 .*\n {2}1 {3}something is wrong/);
});
