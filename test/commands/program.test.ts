import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { record } from "../../src/audit/log.ts";
import { buildProgram, runCommand } from "../../src/commands/program.ts";
import { EXIT } from "../../src/commands/outcome.ts";
import type { System } from "../../src/system.ts";
import { throwaway, type Throwaway } from "../throwaway.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(system: System, line: string | readonly string[], colour = false): Promise<Outcome> {
  const written = { out: "", err: "" };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
    interactive: colour,
    watched: false,
    colour,
    gone: false,
  };
  const argv = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  return { code: await runCommand(argv, system, terminal), ...written };
}

/** The administrator of this machine, whoever runs the tests. */
const administrator = (machine: Throwaway) => machine.reopen();
const person = (machine: Throwaway) => machine.reopen({ uid: 61_000 });
function launcher(machine: Throwaway): string {
  machine.file("bin/libexec/poisonzero", "", 0o755);
  return machine.file("bin/poisonzero", "#!/bin/sh\n", 0o755);
}
const mode = (machine: Throwaway) => readFileSync(join(machine.data, "leak0mode"), "utf8");

test.each([
  ["enforce", "so nothing is checked.\n  Next: poisonzero setup, as each user"],
  ["observe", "so nothing is checked.\n  Next: poisonzero setup, as each user"],
  ["off", "leak0 checks nothing now"],
])("L-135 L-141 leak0 %s is written by the administrator, who is told what it means", async (word, meaning) => {
  using machine = throwaway();
  const { code, out, err } = await run(administrator(machine), `leak0 ${word}`);
  expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
  expect(out).toStartWith(`leak0: ${word} (local setting)\n`);
  expect(out).toContain(meaning);
  expect(mode(machine)).toBe(`${word}\n`);
});

test.each(["enforce", "observe", "off", "clear"])(
  "L-135 L-136 leak0 %s is refused without administrator rights and names the next step",
  async (word) => {
    using machine = throwaway();
    machine.setting("leak0mode", "observe\n");
    const { code, out, err } = await run(person(machine), `leak0 ${word}`);
    expect({ code, out }).toEqual({ code: EXIT.refused, out: "" });
    expect(err).toEndWith(`Next: sudo poisonzero leak0 ${word}\n`);
    expect(mode(machine)).toBe("observe\n");
  },
);

test("L-139 on Windows the next step is a terminal opened as administrator", async () => {
  using machine = throwaway();
  const system = machine.reopen({ platform: "windows", run: () => ({ code: 2, stdout: new Uint8Array(), stderr: "", cut: false }) });
  const { code, err } = await run(system, "leak0 enforce");
  expect(code).toBe(EXIT.refused);
  expect(err).not.toContain("sudo");
  expect(err).toContain("opened as administrator: poisonzero leak0 enforce");
});

test("L-131 on Cloud devices every change but clear is refused", async () => {
  using machine = throwaway();
  machine.setting("cloud", "");
  machine.setting("leak0mode", "enforce\n");
  machine.setting("leak0.profile", '{"mode":"observe"}');
  for (const word of ["enforce", "observe", "off"]) {
    const { code, err } = await run(administrator(machine), `leak0 ${word}`);
    expect(code).toBe(EXIT.refused);
    expect(err).toContain("console");
    expect(mode(machine)).toBe("enforce\n");
  }
  expect(await run(administrator(machine), "leak0 clear")).toMatchObject({
    code: EXIT.done,
    out: expect.stringMatching(/^leak0: observe \(console profile\)\n/),
  });
  expect(existsSync(join(machine.data, "leak0mode"))).toBe(false);
});

test("L-136 clear goes back to off", async () => {
  using machine = throwaway();
  await run(administrator(machine), "leak0 enforce");
  expect(await run(administrator(machine), "leak0 clear")).toMatchObject({
    code: EXIT.done,
    out: expect.stringMatching(/^leak0: off \(default\)\nleak0 checks nothing now/),
  });
});

test("L-135 a data directory that cannot be written gives a plain message", async () => {
  using machine = throwaway();
  rmSync(machine.data, { recursive: true });
  writeFileSync(machine.data, "");
  const { code, err } = await run(administrator(machine), "leak0 enforce");
  expect(code).toBe(EXIT.failed);
  expect(err).toContain("could not be written");
  expect(err).toContain("Next: ");
});

test("D-21 L-150 L-153 switching the mode keeps the entries and moves onFailure alone", async () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", '{\n  "model": "opus"\n}\n');
  const settings = join(machine.home, ".claude/settings.json");
  await run(administrator(machine), `setup --launcher ${launcher(machine)}`);
  const off = readFileSync(settings, "utf8");
  expect(off).not.toContain("onFailure");
  const { out } = await run(administrator(machine), "leak0 enforce");
  expect(out).toContain("Protection is on now for the agents of: ");
  expect(out).toContain(`${settings}\n  Next: restart Claude Code`);
  expect((await run(administrator(machine), "leak0 enforce")).out).not.toContain("restart");
  const on = readFileSync(settings, "utf8");
  expect(on.match(/"onFailure": "block"/g)).toHaveLength(2);
  const observed = await run(administrator(machine), "leak0 observe");
  for (const text of ["only logged", "Next: restart Claude Code", "sudo poisonzero leak0 enforce"]) expect(observed.out).toContain(text);
  expect(readFileSync(settings, "utf8")).toBe(off);
  machine.setting("exec0mode", "enforce\n");
  expect((await run(administrator(machine), "leak0 off")).out).toContain("poisonzero uninstall\n");
  expect(readFileSync(settings, "utf8")).toBe(on);
  rmSync(join(machine.data, "exec0mode"));
  await run(administrator(machine), "leak0 clear");
  expect(readFileSync(settings, "utf8")).toBe(off);
});

test("L-134 status names mode, source, lists, agents, and the command to switch it on while it is off", async () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", "{}");
  expect((await run(person(machine), "leak0 status")).out).toBe(
    `leak0: off (default, nobody has decided yet)\n  Switch it on: sudo poisonzero leak0 enforce\n  Own lists: 0 secret files, 0 exclusions\nAgents:\n  Claude Code: not protected\n    ${machine.home}/.claude/settings.json: the file belongs to another user\n`,
  );
  machine.setting("leak0.local.json", '{"secretFiles":[{"path":"a"}],"exclusions":["b","c"]}');
  await run(administrator(machine), "leak0 enforce");
  await run(administrator(machine), `setup --launcher ${launcher(machine)}`);
  expect((await run(administrator(machine), "leak0 status")).out).toBe(
    "leak0: enforce (local setting)\n  Own lists: 1 secret file, 2 exclusions\nAgents:\n  Claude Code: protected\n",
  );
  expect(JSON.parse((await run(administrator(machine), "leak0 status --json")).out)).toMatchObject({
    mode: "enforce",
    source: "local",
    device: "private",
    secretFiles: 1,
    exclusions: 2,
    agents: [{ agent: "claude", state: "protected" }],
  });
});

test("U-015 U-018 status covers the products, says what does not count and what is not covered", async () => {
  using machine = throwaway();
  machine.setting("leak0mode", "on\n");
  machine.setting("exec0mode", "observe\n");
  const { code, out } = await run(person(machine), "status");
  expect(code).toBe(EXIT.done);
  for (const text of [
    "leak0: off",
    "Does not count: leak0mode names no known mode",
    "exec0: observe (local setting)",
    "Not covered:",
    "no sandbox",
  ])
    expect(out).toContain(text);
  const facts = JSON.parse((await run(person(machine), "status --json")).out);
  expect(facts).toMatchObject({
    leak0: { mode: "off", source: "default", problems: [expect.any(String)] },
    exec0: { mode: "observe" },
    agents: [],
  });
  expect(facts.notCovered.length).toBeGreaterThan(3);
  const verbose = (await run(person(machine), "status --verbose")).out;
  for (const line of facts.notCovered) expect(verbose).toContain(line);
  expect(out.split("\n").filter((line) => line.startsWith("Not covered"))).toHaveLength(1);
});

test("L-100 L-101 status speaks of exec0, of a console and of Codex only where they are in use", async () => {
  using machine = throwaway();
  const plain = await run(machine.system, "status --verbose");
  for (const word of ["exec0", "console", "Codex"]) expect(plain.out).not.toContain(word);
  expect(plain.out).toContain("none found for this user\n  Next: poisonzero setup, as the user");
  machine.setting("exec0mode", "nonsense");
  expect((await run(machine.system, "status")).out).toContain("Does not count: exec0mode names no known mode");
  machine.file(".codex/config.toml", "");
  const { out } = await run(machine.system, "status --verbose");
  for (const text of ["Codex: not protected", "Codex's built-in web search", "Codex Cloud"]) expect(out).toContain(text);
});

test("colour on a terminal only", async () => {
  using machine = throwaway();
  expect((await run(machine.system, "status", true)).out).toContain("\x1b[31moff\x1b[0m");
  expect((await run(machine.system, "status", false)).out).not.toContain("\x1b");
  expect((await run(machine.system, "status --json", true)).out).not.toContain("\x1b");
  // This process was started without a launcher, which is a problem of its own.
  expect(await run(machine.system, "doctor", true)).toMatchObject({
    code: EXIT.unhealthy,
    out: expect.stringContaining("\x1b[31mwrong\x1b[0m"),
  });
  expect((await run(machine.system, "doctor", false)).out).not.toContain("\x1b");
});

test("L-148 L-151 setup and uninstall round trip, as text and as JSON", async () => {
  using machine = throwaway();
  const text = '{ "model": "opus" }';
  const settings = machine.file(".claude/settings.json", text);
  const program = launcher(machine);
  const dry = await run(machine.system, `setup --agent claude --launcher ${program} --dry-run`);
  expect(dry.out).toContain(`--- ${settings}\n+++ ${settings}\n@@ `);
  expect(dry.out).toContain("hook");
  expect(dry.out).not.toContain("opus");
  expect(dry.out).not.toContain("restart");
  expect(dry.out).toContain("Nothing was changed");
  expect((await run(machine.system, `setup --launcher ${program} --dry-run`, true)).out).toContain("\x1b[32m+");
  expect(readFileSync(settings, "utf8")).toBe(text);
  const done = await run(machine.system, `setup --agent claude --launcher ${program}`);
  expect(done).toMatchObject({ code: EXIT.done, err: "" });
  expect(done.out).toContain("Next: restart Claude Code");
  expect(done.out).toContain("sudo poisonzero leak0 enforce");
  expect(JSON.parse((await run(machine.system, `setup --launcher ${program} --json`)).out)).toEqual({
    agents: [{ agent: "claude", file: settings, change: "unchanged", ignored: false }],
    dryRun: false,
    launcher: program,
    leak0: "off",
  });
  expect(JSON.parse((await run(machine.system, "uninstall --json")).out)).toMatchObject({ changes: [{ change: "changed" }] });
  expect(readFileSync(settings, "utf8")).toBe(text);
});

test("L-148 L-149 L-151 every agent found is set up and taken out by one command; one that cannot be is named, the others are done", async () => {
  using machine = throwaway();
  const foreign = { ".codex/hooks.json": "{}", ".cursor/hooks.json": "{", ".gemini/settings.json": '{"a":1}' };
  for (const [name, text] of Object.entries(foreign)) machine.file(name, text);
  const program = launcher(machine);
  const done = await run(machine.system, `setup --launcher ${program}`);
  expect(done.code).toBe(EXIT.failed);
  expect(done.out).toContain("Codex: hook entries written to ");
  expect(done.out).toContain("Next: start codex, type /hooks and trust them");
  expect(done.out).toContain("Gemini CLI: hook entries written to ");
  expect(done.out).toContain("Next: restart Codex, Gemini CLI; ");
  expect(done.err).toMatch(/Cursor: .*hooks.json: line 1: /);
  const { agents } = JSON.parse((await run(machine.system, `setup --agent codex --launcher ${program} --json`)).out);
  expect(agents).toMatchObject([{ agent: "codex", change: "unchanged", hindrance: expect.stringContaining("/hooks") }]);
  expect((await run(machine.system, `setup --agent codex --launcher ${program}`)).code).toBe(EXIT.done);
  const status = JSON.parse((await run(machine.system, "status --json")).out);
  expect(status.agents.map(({ agent }: { agent: string }) => agent)).toEqual(["codex", "cursor", "gemini"]);
  machine.file(".cursor/hooks.json", "{}");
  const gone = await run(machine.system, "uninstall");
  expect(gone).toMatchObject({ code: EXIT.done, err: "" });
  expect(gone.out).toContain("restart Codex, Gemini CLI; running sessions still call poisonzero");
  for (const [name, text] of Object.entries({ ...foreign, ".cursor/hooks.json": "{}" }))
    expect(readFileSync(join(machine.home, name), "utf8")).toBe(text);
});

test("L-148 setup for every user is root's, and works with each user's own rights", async () => {
  using machine = throwaway();
  const program = launcher(machine);
  expect((await run(person(machine), `setup --all-users --launcher ${program}`)).code).toBe(EXIT.refused);
  const uid = process.getuid?.() ?? 0;
  const homes = ["alice", "bob"].map((name) => join(machine.root, name));
  for (const home of homes) mkdirSync(join(home, ".codex"), { recursive: true });
  const passwd = homes.map((home, index) => `u${index}:x:${uid}:${uid}::${home}:/bin/sh`).join("\n");
  const asked: number[] = [];
  const system = machine.reopen({
    uid: 0,
    home: machine.home,
    read: (path, most) => (path === "/etc/passwd" ? { bytes: Buffer.from(passwd), cut: false } : machine.system.read(path, most)),
    actAs: (account, work) => {
      asked.push(account.uid);
      return work();
    },
  });
  const { code, out } = await run(system, `setup --all-users --launcher ${program}`);
  expect(code).toBe(EXIT.done);
  for (const [index, home] of homes.entries()) {
    expect(out).toContain(`Codex of u${index}: hook entries written to ${home}/.codex/hooks.json`);
    expect(readFileSync(join(home, ".codex/hooks.json"), "utf8")).toContain("poisonzero hook codex");
  }
  expect(asked).toEqual(uid === 0 ? [] : [uid, uid]);
});

test("setup errors name the file, the line and the next step", async () => {
  using machine = throwaway();
  const settings = machine.file(".claude/settings.json", '{\n"a" 1}');
  const program = launcher(machine);
  const broken = await run(machine.system, `setup --launcher ${program}`);
  expect(broken.code).toBe(EXIT.failed);
  expect(broken.err).toContain(`${settings}: line 2: not valid JSON`);
  expect(broken.err).toContain("Next: correct the file");
  expect((await run(machine.system, "setup")).err).toContain("--launcher");
  expect((await run(machine.system, "setup --launcher poisonzero")).err).toContain("absolute path");
  expect((await run(machine.system, "uninstall")).code).toBe(EXIT.failed);
  writeFileSync(settings, '{"a":1,}');
  const ignored = await run(machine.system, `setup --launcher ${program}`);
  expect(ignored.code).toBe(EXIT.failed);
  expect(ignored.err).toContain(`${settings}: line 1: a trailing comma; Claude Code ignores the whole file`);
  expect(ignored.out).not.toContain("restart");
  expect((await run(machine.system, `setup --launcher ${program} --dry-run`)).code).toBe(EXIT.failed);
  const json = await run(machine.system, `setup --launcher ${program} --json`);
  expect({ code: json.code, ...JSON.parse(json.out) }).toMatchObject({
    code: EXIT.failed,
    agents: [{ hindrance: expect.stringContaining("line 1") }],
  });
});

test.each([
  ['{\n"a" 1}', "line 2: not valid JSON (ColonExpected)"],
  ["// why\n{}", "line 1: a comment"],
  ['{"disableAllHooks": true}', "switches all hooks off"],
])("setup and status say the same of settings that cannot be used: %j", async (text, words) => {
  using machine = throwaway();
  const settings = machine.file(".claude/settings.json", text);
  const { code, err } = await run(machine.system, `setup --launcher ${launcher(machine)}`);
  const status = (await run(machine.system, "status")).out;
  expect(code).toBe(EXIT.failed);
  const sentence = err.split("\n").find((line) => line.includes(words)) ?? "";
  expect(sentence).toContain(settings);
  expect(status).toContain(sentence.slice(sentence.indexOf(settings)));
});

test("L-151 uninstall says what stays and how to delete it", async () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", "{}");
  await run(machine.system, `setup --launcher ${launcher(machine)}`);
  expect((await run(machine.system, "uninstall --dry-run")).out).not.toContain("Left in place");
  const { out } = await run(machine.system, "uninstall");
  for (const text of ["restart Claude Code", "rm -r ~/.poisonzero\n", `sudo rm -r ${machine.data}\n`]) expect(out).toContain(text);
});

test("setup without a supported agent, and with another user's HOME, says so", async () => {
  using machine = throwaway();
  expect(await run(machine.system, "setup")).toMatchObject({ code: EXIT.failed, err: expect.stringContaining("no supported agent") });
  expect((await run(machine.reopen({ home: "" }), "setup --agent claude --launcher /x/poisonzero")).code).toBe(EXIT.failed);
  const info: System["info"] = (path) => {
    const found = machine.system.info(path);
    return found && path === machine.system.realPath(machine.home) ? { ...found, uid: 61_000 } : found;
  };
  const { err } = await run(machine.reopen({ uid: 0, info }), `setup --agent claude --launcher ${launcher(machine)}`);
  expect(err).toContain("without sudo");
});

test("audit tail and verify, for people and for scripts", async () => {
  using machine = throwaway();
  expect(await run(machine.system, "audit tail")).toMatchObject({ code: EXIT.done, out: "No entries.\n" });
  expect(await run(machine.system, "audit verify")).toMatchObject({ code: EXIT.done, out: "No entries.\n" });
  for (let n = 0; n < 12; n++)
    record(machine.system, {
      action: "leak0_blocked",
      agent: "claude",
      tool: `Tool${n}`,
      rule: "leak0:third_party",
      mode: "enforce",
      hash: "0a1b2c3d",
      proof: "B4",
      kind: "structure",
    });
  const tail = (await run(machine.system, "audit tail")).out.trimEnd().split("\n");
  expect(tail).toHaveLength(10);
  expect(tail.at(-1)).toMatch(/^\S+Z  leak0_blocked  claude Tool11  leak0:third_party  enforce  B4 · structure · 0a1b2c3d$/);
  const local = (await run(machine.reopen({ environment: { TZ: "Asia/Tokyo" } }), "audit tail -n 1", true)).out;
  const [utc = ""] = tail.at(-1)?.split(" ") ?? [];
  const inTokyo = new Date(Date.parse(utc) + 9 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  expect(local).toStartWith(`${inTokyo}  leak0_blocked`);
  const json = (await run(machine.system, "audit tail -n 2 --json")).out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(json.map(({ tool }) => tool)).toEqual(["Tool10", "Tool11"]);
  expect(await run(machine.system, "audit verify")).toMatchObject({ code: EXIT.done, out: "12 entries, the chain holds\n" });
  const log = join(machine.home, ".poisonzero/audit/leak0.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").replace("Tool4", "Tool5"));
  const { code, out } = await run(machine.system, "audit verify");
  expect(code).toBe(EXIT.changed);
  expect(out).toContain("leak0.jsonl, line 5");
  expect(JSON.parse((await run(machine.system, "audit verify --json")).out)).toMatchObject({ intact: false, entries: 12 });
});

test("an audit without its key is called that, and not changed", async () => {
  using machine = throwaway();
  record(machine.system, { action: "leak0_asked", agent: "claude", tool: "Bash", rule: "leak0:secret_file_git", mode: "enforce" });
  rmSync(join(machine.home, ".poisonzero/key"));
  const verify = await run(machine.reopen(), "audit verify");
  expect(verify.code).toBe(EXIT.failed);
  expect(verify.out).toStartWith("1 entry, none can be verified\n  The key ~/.poisonzero/key is missing");
  const tail = await run(machine.reopen(), "audit tail");
  expect(tail.out).toContain("leak0_");
  expect(tail.err).toContain("the key ~/.poisonzero/key is missing");
});

test("an audit with damaged lines is never called whole or empty", async () => {
  using machine = throwaway();
  const log = machine.file(".poisonzero/audit/leak0.jsonl", "garbled\nlines", 0o600);
  const verify = await run(machine.system, "audit verify");
  expect(verify.code).toBe(EXIT.changed);
  for (const text of ["0 entries, the log is damaged", "leak0.jsonl, line 1: not an entry", "leak0.jsonl, line 2: not an entry"])
    expect(verify.out).toContain(text);
  const tail = await run(machine.system, "audit tail");
  expect(tail.out).toBe("");
  expect(tail.err).toBe("poisonzero: no entry can be read: 2 lines are damaged\n  Next: poisonzero audit verify\n");
  writeFileSync(log, "x\n".repeat(50));
  expect((await run(machine.system, "audit verify")).out).toContain("and 30 more lines");
});

test("audit tail --follow goes on with new entries until its reader leaves", async () => {
  using machine = throwaway();
  const event = { action: "leak0_asked", agent: "claude", rule: "leak0:third_party", mode: "enforce" } as const;
  record(machine.system, { ...event, tool: "Before" });
  const script = join(import.meta.dir, "command.ts");
  const env = { HOME: machine.home, PATH: process.env.PATH ?? "" };
  const running = Bun.spawn([process.execPath, script, machine.data, "audit", "tail", "-f", "--json"], { env, stdout: "pipe" });
  const reader = running.stdout.getReader();
  const tool = async () => JSON.parse(new TextDecoder().decode((await reader.read()).value)).tool;
  expect(await tool()).toBe("Before");
  record(machine.system, { ...event, tool: "After" });
  expect(await tool()).toBe("After");
  await reader.cancel();
  record(machine.system, { ...event, tool: "Unread" });
  expect(await running.exited).toBe(0);
});

test.each([
  ["setup claude", "poisonzero setup --agent claude", "Usage: poisonzero setup"],
  ["uninstall claude", "poisonzero uninstall --agent claude", "Usage: poisonzero uninstall"],
  ["leak0 enforec", "did you mean enforce?", "Usage: poisonzero leak0"],
  ["status --jsn", "did you mean --json?", "Usage: poisonzero status"],
  ["status extra", "'extra'", "Usage: poisonzero status"],
  ["completion", "needs bash, zsh or fish", "Usage: poisonzero completion"],
  ["completion tcsh", "'tcsh' does not fit 'poisonzero completion': choose from: bash, zsh, fish", "Usage: poisonzero completion"],
  ["setup --agent x", "'x' does not fit --agent: choose from: claude, codex", "Usage: poisonzero setup"],
  ["audit tail -n", "-n needs a value", "Usage: poisonzero audit tail"],
  ["audit tail -n 0", "'0' does not fit --lines: a number from 1 to 999999 is needed", "Usage: poisonzero audit tail"],
  ["hook", "called by an agent", "poisonzero setup --agent claude"],
  ["hook nonsense --x", "called by an agent", "poisonzero setup --agent claude"],
  ["help nonsense", "there is no command 'nonsense'", "poisonzero --help"],
])("a mistake is told in our own words, with the help of that command: %j", async (line, words, help) => {
  using machine = throwaway();
  const { code, out, err } = await run(machine.system, line);
  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err.split("\n")[0]).toContain(words);
  expect(err).toContain(help);
  expect(err).not.toContain("error:");
});

test("help shows what --help does", async () => {
  using machine = throwaway();
  for (const path of ["", "audit", "leak0 enforce"]) {
    const { code, out } = await run(machine.system, `help ${path}`);
    expect(code).toBe(EXIT.done);
    expect(out).toBe((await run(machine.system, `${path} --help`)).out);
  }
});

test("exit codes stand in order, and only where they can come", async () => {
  using machine = throwaway();
  const codes = async (path: string) =>
    [...(await run(machine.system, `${path} --help`)).out.matchAll(/^ {2}(\d+) {1,2} /gm)].map(([, code]) => Number(code));
  expect(await codes("audit verify")).toEqual([0, 1, 2, 64]);
  expect(await codes("leak0 enforce")).toEqual([0, 1, 64, 77]);
  expect(await codes("status")).toEqual([0, 1, 64]);
  expect(await codes("doctor")).toEqual([0, 1, 1, 64]);
});

test.each([
  [""],
  ["nonsense"],
  ["leak0"],
  ["leak0 nonsense"],
  ["leak0 enforce now"],
  ["leak0 enforce --force"],
  ["status --nonsense"],
  ["status extra"],
  ["audit tail -n"],
  ["audit tail -n 0"],
  ["audit tail -n -1"],
  ["audit tail -n 1e3"],
  ["setup --agent nonsense"],
  ["setup --dry"],
  ["completion"],
  ["completion tcsh"],
])("a mistake is exit code 64 with the next step, and nothing happens: %j", async (line) => {
  using machine = throwaway();
  const { code, out, err } = await run(machine.system, line);
  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain("poisonzero --help".slice(0, 10));
  expect(existsSync(join(machine.data, "leak0mode"))).toBe(false);
});

function everyCommand(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return [path, ...command.commands.flatMap((child) => everyCommand(child, [...path, child.name()]))];
}

test("every command has help with an example and its exit codes", async () => {
  using machine = throwaway();
  const silent = { out: () => {}, err: () => {}, interactive: false, watched: false, colour: false, gone: false };
  const all = everyCommand(buildProgram({ system: machine.system, terminal: silent, code: EXIT.done }));
  expect(all.length).toBeGreaterThan(12);
  for (const path of all) {
    const { code, out, err } = await run(machine.system, [...path, "--help"]);
    expect({ path, code, err }).toEqual({ path, code: EXIT.done, err: "" });
    for (const text of ["Usage: poisonzero", "Example:\n  ", "Exit codes:\n  0 "]) expect(out).toContain(text);
  }
});

test("version", async () => {
  using machine = throwaway();
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
  for (const line of ["version", "--version", "-v", "-V"])
    expect(await run(machine.system, line)).toMatchObject({ code: 0, out: `poisonzero ${version}\n` });
  expect(JSON.parse((await run(machine.system, "version --json")).out)).toEqual({ version });
});

test("bash completes commands, options and choices", async () => {
  using machine = throwaway();
  const script = machine.file("completion.bash", (await run(machine.system, "completion bash")).out);
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const result = Bun.spawnSync([
      "bash",
      "-c",
      `source '${script}'; COMP_WORDS=(poisonzero ${list}); COMP_CWORD=${words.length}; _poisonzero; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    return result.stdout
      .toString()
      .split("\n")
      .filter((word) => word !== "");
  };
  expect(complete("le")).toEqual(["leak0"]);
  expect(complete("leak0", "")).toEqual(["status", "enforce", "observe", "off", "clear", "file", "exclude", "allow", "check", "--help"]);
  expect(complete("leak0", "exclude", "")).toEqual(["add", "remove", "list", "--help"]);
  expect(complete("leak0", "check", "--ag")).toEqual(["--agent"]);
  expect(complete("scan", "--s")).toEqual(["--sarif"]);
  for (const before of [["scan"], ["scan", "--json"], ["scan", "src"]])
    expect(complete(...before, `${machine.home}/completion.b`)).toEqual([script]);
  expect(complete("leak0", "status", "--j")).toEqual(["--json"]);
  expect(complete("completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
  expect(complete("nonsense", "")).toEqual([]);
  expect(complete("setup", "--agent", "")).toEqual(["claude", "codex", "cursor", "gemini", "antigravity"]);
  expect(complete("setup", "--agent", "=", "cl")).toEqual(["claude"]);
  expect(complete("setup", "--agent", "claude", "--d")).toEqual(["--dry-run"]);
  expect(complete("setup", "--launcher", `${machine.home}/completion.b`)).toEqual([script]);
  expect(complete("audit", "tail", "-n", "5", "-")).toEqual(["--lines", "--follow", "--json", "--help", "-n", "-f", "-h"]);
  expect(complete("help", "a")).toEqual(["audit"]);
  expect((await run(machine.system, "completion --help")).out).toContain("~/.bashrc");
});

test.each(["zsh", "fish"])("completion for %s names every command and parses where that shell is installed", async (shell) => {
  using machine = throwaway();
  const { code, out } = await run(machine.system, `completion ${shell}`);
  expect(code).toBe(0);
  for (const word of ["leak0", "enforce", "verify", "uninstall"]) expect(out).toContain(word);
  if (Bun.which(shell)) expect(Bun.spawnSync([shell, "-n", machine.file("script", out)]).exitCode).toBe(0);
});

test("results go to standard output, problems to standard error, and a reader that leaves is no error", () => {
  using machine = throwaway();
  const script = join(import.meta.dir, "command.ts");
  const env = { HOME: machine.home, PATH: process.env.PATH ?? "" };
  const start = (line: string) => Bun.spawnSync([process.execPath, script, machine.data, ...line.split(" ")], { env });
  const status = start("status");
  expect(status.exitCode).toBe(0);
  expect(status.stdout.toString()).toContain("leak0: off");
  expect(status.stdout.toString()).not.toContain("\x1b");
  const wrong = start("nonsense");
  expect({ code: wrong.exitCode, out: wrong.stdout.toString() }).toEqual({ code: 64, out: "" });
  const piped = Bun.spawnSync(["bash", "-c", `set -o pipefail; '${process.execPath}' '${script}' '${machine.data}' status | true`], {
    env,
  });
  expect(piped.exitCode).toBe(0);
  expect(piped.stderr.toString()).toBe("");
});
