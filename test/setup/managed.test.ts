/** Claude Code's managed settings: entries that root puts in for every user (L-148, D-21). */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../src/commands/program.ts";
import { agentHealth } from "../../src/doctor/agent.ts";
import { answer } from "../../src/hook/hook.ts";
import { updateFailRules } from "../../src/setup/accounts.ts";
import { AGENT_SETUPS, protection } from "../../src/setup/agents.ts";
import { checkEntries, parseSettings } from "../../src/setup/entries.ts";
import { managedEntries } from "../../src/setup/managed.ts";
import { hasEntries } from "../../src/setup/settings.ts";
import type { System } from "../../src/system.ts";
import { throwaway, type Throwaway } from "../throwaway.ts";

const FILE = "/etc/claude-code/managed-settings.d/poisonzero.json";
const OWN = ".claude/settings.json";

/** Root's view of a machine with one more user, who uses Claude Code. */
function machineOfTwo(): {
  machine: Throwaway;
  program: string;
  root: (changes?: Partial<System>) => System;
  user: () => System;
  home: string;
} {
  const machine = throwaway();
  const uid = process.getuid?.() ?? 0;
  const home = join(machine.root, "alice");
  mkdirSync(join(home, ".claude"), { recursive: true });
  machine.file("bin/libexec/poisonzero", "", 0o755);
  const program = machine.file("bin/poisonzero", "#!/bin/sh\n", 0o755);
  const passwd = { bytes: Buffer.from(`alice:x:${uid}:${uid}::${home}:/bin/sh`), cut: false };
  const { read } = machine.system;
  const root = (changes: Partial<System> = {}) =>
    machine.reopen({
      uid: 0,
      read: (path, ...rest) => (path === "/etc/passwd" ? passwd : read(path, ...rest)),
      actAs: (_, work) => work(),
      ...changes,
    });
  return { machine, program, root, user: () => machine.reopen({ home }), home };
}

async function run(system: System, line: string): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const terminal = {
    ...{ interactive: false, watched: false, colour: false, gone: false },
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
  return { code: await runCommand(line.split(" "), system, terminal), ...written };
}

const below = ({ root }: Throwaway, path: string) => join(root, path);
const stateOf = (system: System) => protection(system, "enforce", true).find(({ agent }) => agent === "claude");

test("L-148 setup for every user writes a file of its own that everybody can read, and no user's", async () => {
  const { machine, program, root, user, home } = machineOfTwo();
  using _ = machine;
  machine.setting("leak0mode", "enforce\n");
  const dry = await run(root(), `setup --all-users --dry-run --launcher ${program}`);
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`Claude Code of every user: would write hook entries to ${FILE}`) });
  expect(existsSync(below(machine, FILE))).toBe(false);
  const line = `setup --all-users --launcher ${program}`;
  expect((await run(root(), line)).out).toContain(`Claude Code of every user: hook entries written to ${FILE}`);
  const text = readFileSync(below(machine, FILE), "utf8");
  expect(checkEntries(parseSettings(text), program, true)).toEqual({ missing: [], different: [], hooksOff: false });
  for (const [path, mode] of [
    ["/etc/claude-code", 0o755],
    ["/etc/claude-code/managed-settings.d", 0o755],
    [FILE, 0o644],
  ] as const)
    expect([path, statSync(below(machine, path)).mode & 0o777]).toEqual([path, mode]);
  expect(existsSync(join(home, OWN))).toBe(false);
  expect(stateOf(user())).toMatchObject({ state: "protected" });
  expect((await run(root(), line)).out).toContain(`the hook entries are in place in ${FILE}`);
  expect(readFileSync(below(machine, FILE), "utf8")).toBe(text);
});

test("L-148 one entry per event: a user's own go when those for every user come, and setup puts none beside them", async () => {
  const { machine, program, root, user, home } = machineOfTwo();
  using _ = machine;
  const foreign = '{\n  "model": "opus"\n}\n';
  writeFileSync(join(home, OWN), foreign);
  await run(user(), `setup --launcher ${program}`);
  expect(hasEntries(user(), AGENT_SETUPS.claude.file)).toBe(true);
  const { out } = await run(root(), `setup --all-users --launcher ${program}`);
  expect(out).toContain(`hook entries taken out of ${home}/${OWN}, where those for every user take their place`);
  expect(readFileSync(join(home, OWN), "utf8")).toBe(foreign);
  const again = await run(user(), `setup --launcher ${program}`);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining(`the hook entries are in place in ${FILE}`) });
  expect(readFileSync(join(home, OWN), "utf8")).toBe(foreign);
});

test("without anybody who uses Claude Code nothing is made for it, unless it is asked for by name", async () => {
  using machine = throwaway();
  machine.file("bin/libexec/poisonzero", "", 0o755);
  const program = machine.file("bin/poisonzero", "#!/bin/sh\n", 0o755);
  machine.file(".codex/config.toml", "");
  const system = () => machine.reopen({ uid: 0, actAs: (_, work) => work() });
  await run(system(), `setup --all-users --launcher ${program}`);
  expect(existsSync(below(machine, "/etc/claude-code"))).toBe(false);
  await run(system(), `setup --all-users --agent claude --launcher ${program}`);
  expect(managedEntries(system())?.file).toBe(FILE);
});

test("D-21 switching the mode moves onFailure there as well", async () => {
  const { machine, program, root } = machineOfTwo();
  using _ = machine;
  await run(root(), `setup --all-users --launcher ${program}`);
  const off = readFileSync(below(machine, FILE), "utf8");
  expect(off).not.toContain("onFailure");
  const { changed, users, problems } = updateFailRules(root(), true);
  expect(problems).toEqual([]);
  expect(users).toContain("every user");
  expect(changed.map(({ file }) => file)).toEqual([FILE]);
  expect(readFileSync(below(machine, FILE), "utf8").match(/"onFailure": "block"/g)).toHaveLength(2);
  expect(updateFailRules(root(), true).changed).toEqual([]);
  updateFailRules(root(), false);
  expect(readFileSync(below(machine, FILE), "utf8")).toBe(off);
});

test("L-151 root takes exactly that file out again; a user is told whose it is", async () => {
  const { machine, program, root, user } = machineOfTwo();
  using _ = machine;
  await run(root(), `setup --all-users --launcher ${program}`);
  const person = user();
  const told = (await run({ ...person, uid: person.uid === 0 ? 61_000 : person.uid, info: asOwn(person) }, "uninstall")).out;
  expect(told).toContain(`the hook entries for every user in ${FILE}: sudo -H poisonzero uninstall --agent claude`);
  expect(existsSync(below(machine, FILE))).toBe(true);
  writeFileSync(below(machine, "/etc/claude-code/managed-settings.json"), "{}");
  expect((await run(root(), "uninstall --dry-run")).out).toContain(`would remove ${FILE}`);
  await run(root(), "uninstall --agent codex");
  expect(existsSync(below(machine, FILE))).toBe(true);
  expect((await run(root(), "uninstall --agent claude")).out).toContain(`removed ${FILE}`);
  expect(existsSync(below(machine, FILE))).toBe(false);
  expect(readFileSync(below(machine, "/etc/claude-code/managed-settings.json"), "utf8")).toBe("{}");
});

/** Everything belongs to whoever looks. */
function asOwn({ info, uid }: System): System["info"] {
  return (path) => {
    const found = info(path);
    return found && { ...found, uid: uid === 0 ? 61_000 : found.uid };
  };
}

test.each([
  ["somebody else's member", (text: string) => text.replace("{", '{ "model": "opus",')],
  [
    "somebody else's hook",
    (text: string) => text.replace('"hooks": {', '"hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "lint" }] }],'),
  ],
  ["torn", (text: string) => text.slice(0, -4)],
])("a file of our name that holds more than our entries is refused and left alone: %s", async (_, change) => {
  const { machine, program, root } = machineOfTwo();
  using __ = machine;
  const line = `setup --all-users --launcher ${program}`;
  await run(root(), line);
  const other = change(readFileSync(below(machine, FILE), "utf8"));
  writeFileSync(below(machine, FILE), other);
  const again = await run(root(), line);
  expect(again.code).toBe(1);
  expect(again.err).toContain(`Claude Code of every user: ${FILE}: it holds something else`);
  expect((await run(root(), "uninstall --agent claude")).code).toBe(1);
  expect(readFileSync(below(machine, FILE), "utf8")).toBe(other);
});

test("L-102 what an organisation switches off: users' hooks alone, or all; what a user switches off counts for their own alone", async () => {
  const { machine, program, root, user, home } = machineOfTwo();
  using _ = machine;
  machine.setting("leak0mode", "enforce\n");
  const organisation = (text: string) => {
    mkdirSync(below(machine, "/etc/claude-code"), { recursive: true });
    writeFileSync(below(machine, "/etc/claude-code/managed-settings.json"), text);
  };
  await run(user(), `setup --launcher ${program}`);
  expect(stateOf(user())?.state).toBe("protected");
  organisation('{"allowManagedHooksOnly":true}');
  expect(stateOf(user())).toMatchObject({
    state: "not protected",
    reasons: [expect.stringContaining("sudo poisonzero setup --all-users")],
  });
  await run(root(), `setup --all-users --launcher ${program}`);
  expect(stateOf(user())?.state).toBe("protected");
  for (const text of ['{"disableAllHooks":true}', '{"hooks":', '{"hooks":{"PreToolUse":17}}']) {
    writeFileSync(join(home, OWN), text);
    expect([text, stateOf(user())?.state]).toEqual([text, "protected"]);
  }
  organisation('{"disableAllHooks":true}');
  expect(stateOf(user())).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("disableAllHooks")] });
});

test("doctor looks at the entries that count, and names those that stand in both places", async () => {
  const { machine, program, root, user, home } = machineOfTwo();
  using _ = machine;
  const silent = { code: 0, stdout: new Uint8Array(), stderr: "", cut: false };
  const health = () => agentHealth({ ...user(), run: () => silent }, "claude", { leak0: "off", enforced: false, launcher: program });
  await run(user(), `setup --launcher ${program}`);
  const own = readFileSync(join(home, OWN), "utf8");
  await run(root(), `setup --all-users --launcher ${program}`);
  expect(health().adapterWorks).toBe(true);
  expect(health().facts).toContainEqual({ check: "entries", state: "fine", text: `7 entries in ${FILE}` });
  expect(health().facts.filter(({ state }) => state === "problem")).toEqual([]);
  writeFileSync(join(home, OWN), own);
  expect(health().facts.filter(({ state }) => state === "problem")).toMatchObject([
    { text: expect.stringContaining("every step is checked twice"), next: "poisonzero uninstall --agent claude" },
  ]);
});

test("B5 the agent that removes, moves or empties that file is stopped; without entries in it nobody cares", async () => {
  const { machine, program, root } = machineOfTwo();
  using _ = machine;
  machine.setting("leak0mode", "enforce\n");
  const said = async (command: string) => {
    const event = { hook_event_name: "PreToolUse", session_id: "s", cwd: machine.home, tool_name: "Bash", tool_input: { command } };
    return (await answer("claude", "", JSON.stringify(event), machine.reopen())).stdout;
  };
  const commands = [`sudo rm ${FILE}`, "sudo rm -rf /etc/claude-code", `sudo mv ${FILE} /tmp/x`, `echo '{}' | sudo tee ${FILE}`];
  for (const command of commands) expect([command, await said(command)]).toEqual([command, ""]);
  await run(root(), `setup --all-users --launcher ${program}`);
  for (const command of commands) expect([command, await said(command)]).toEqual([command, expect.stringContaining('"deny"')]);
  expect(await said(`cat ${FILE}`)).toBe("");
});
