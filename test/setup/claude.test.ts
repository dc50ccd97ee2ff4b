import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { updateFailRules } from "../../src/setup/accounts.ts";
import { protection } from "../../src/setup/agents.ts";
import { CLAUDE_FILE, claudeIsHere, updateFailRule } from "../../src/setup/claude.ts";
import { checkEntries, parseSettings } from "../../src/setup/entries.ts";
import { installationProblem, launcherProblem } from "../../src/setup/launcher.ts";
import { putEntries, takeOut } from "../../src/setup/settings.ts";
import type { System } from "../../src/system.ts";
import { throwaway, type Throwaway } from "../throwaway.ts";

const LAUNCHER = "/usr/local/bin/poisonzero";
const FOREIGN =
  '{\n  "env": { "TOKEN": "not for a journal" },\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] }\n    ]\n  }\n}\n';
const root = process.getuid?.() === 0;

const settingsOf = (machine: Throwaway) => join(machine.home, ".claude/settings.json");
const read = (path: string) => readFileSync(path, "utf8");
const complete = (path: string, enforced: boolean, launcher = LAUNCHER) =>
  expect(checkEntries(parseSettings(read(path)), launcher, enforced)).toEqual({ missing: [], different: [], hooksOff: false });

test("L-148 L-151 setup and uninstall give the same bytes and the same mode back; foreign hooks stay meanwhile", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN, 0o640);
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false)).toMatchObject({
    file: path,
    change: "changed",
    ignored: false,
    before: FOREIGN,
  });
  complete(path, true);
  expect(read(path)).toContain('"command": "lint"');
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(takeOut(machine.reopen(), CLAUDE_FILE, false)).toEqual([{ file: path, change: "changed", ignored: false }]);
  expect(read(path)).toBe(FOREIGN);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(takeOut(machine.reopen(), CLAUDE_FILE, false)).toEqual([{ file: path, change: "unchanged", ignored: false }]);
});

test("L-148 twice changes nothing, the file's time included", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  const before = { text: read(path), time: statSync(path).mtimeMs };
  expect(putEntries(machine.reopen(), CLAUDE_FILE, LAUNCHER, true, false).change).toBe("unchanged");
  expect({ text: read(path), time: statSync(path).mtimeMs }).toEqual(before);
});

test("L-151 a file that setup made is removed again, unless something else is in it by now", () => {
  using machine = throwaway();
  const path = settingsOf(machine);
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false).change).toBe("made");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(takeOut(machine.system, CLAUDE_FILE, false)[0]?.change).toBe("removed");
  expect(existsSync(path)).toBe(false);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  writeFileSync(path, JSON.stringify({ ...parseSettings(read(path)), model: "opus" }));
  expect(takeOut(machine.system, CLAUDE_FILE, false)[0]?.change).toBe("changed");
  expect(parseSettings(read(path))).toEqual({ model: "opus" });
});

test("L-151 L-148 an update of the launcher's path or of our entries keeps the way back", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  putEntries(machine.system, CLAUDE_FILE, "/old/poisonzero", false, false);
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false).change).toBe("changed");
  complete(path, true);
  expect(JSON.stringify(parseSettings(read(path)))).not.toContain("/old/");
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(read(path)).toBe(FOREIGN);
});

test("L-148 weakened or older entries are brought up to date, also without a journal", () => {
  using machine = throwaway();
  const older = {
    hooks: { PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "poisonzero hook claude", timeout: 1 }] }], Stop: [] },
  };
  const path = machine.file(".claude/settings.json", JSON.stringify(older));
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  complete(path, true);
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(parseSettings(read(path))).toEqual({ hooks: { PreToolUse: [], Stop: [] } });
});

test("L-151 after foreign changes exactly our entries go, with the containers we made", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", '{"model":"opus"}');
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  writeFileSync(path, read(path).replace('"opus"', '"sonnet"'));
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(read(path)).toBe('{"model":"sonnet"}');
});

test("L-151 after foreign changes a second setup and an uninstall still remove the containers we made", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", '{"model":"opus"}');
  putEntries(machine.system, CLAUDE_FILE, "/old/poisonzero", true, false);
  writeFileSync(path, read(path).replace('"opus"', '"sonnet"'));
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  complete(path, true);
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(read(path)).toBe('{"model":"sonnet"}');
});

test("L-169 the journal is 0600 and keeps nothing of the file but our own entries", () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", FOREIGN);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  const folder = join(machine.home, ".poisonzero/setup");
  const [name = ""] = readdirSync(folder);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(read(join(folder, name))).not.toContain("not for a journal");
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(readdirSync(folder)).toEqual([]);
});

test("a link to the settings file is kept and its target written", () => {
  using machine = throwaway();
  const target = machine.file("dotfiles/claude.json", FOREIGN);
  mkdirSync(join(machine.home, ".claude"));
  symlinkSync("../dotfiles/claude.json", settingsOf(machine));
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  expect(lstatSync(settingsOf(machine)).isSymbolicLink()).toBe(true);
  complete(target, true);
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(lstatSync(settingsOf(machine)).isSymbolicLink()).toBe(true);
  expect(read(target)).toBe(FOREIGN);
});

test("CLAUDE_CONFIG_DIR moves the file, and uninstall finds it again without the variable", () => {
  using machine = throwaway();
  const path = machine.file("elsewhere/settings.json", FOREIGN);
  const moved = machine.reopen({ environment: { CLAUDE_CONFIG_DIR: join(machine.home, "elsewhere/") } });
  expect(putEntries(moved, CLAUDE_FILE, LAUNCHER, true, false).file).toBe(path);
  expect(existsSync(settingsOf(machine))).toBe(false);
  takeOut(machine.reopen(), CLAUDE_FILE, false);
  expect(read(path)).toBe(FOREIGN);
});

test("a byte order mark stays in front", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", `\uFEFF${FOREIGN}`);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  expect(read(path).startsWith("\uFEFF{")).toBe(true);
  complete(path, true);
  takeOut(machine.system, CLAUDE_FILE, false);
  expect(read(path)).toBe(`\uFEFF${FOREIGN}`);
});

test("a file with comments is edited, and the answer says that Claude Code ignores it", () => {
  using machine = throwaway();
  const text = '{\n  // mine\n  "model": "opus",\n}\n';
  const path = machine.file(".claude/settings.json", text);
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false)).toMatchObject({ change: "changed", ignored: true });
  expect(read(path)).toContain("// mine");
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false).change).toBe("unchanged");
  expect(takeOut(machine.system, CLAUDE_FILE, false)).toMatchObject([{ change: "changed", ignored: true }]);
  expect(read(path)).toBe(text);
});

test.each([
  ["not JSON", '{\n"a": 1,\n"b" 2}', "line 3"],
  ["a list", "[]", "not a JSON object"],
  ["hooks of a wrong type", '{"hooks":[]}', '"hooks" is not an object'],
  ["not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "UTF-8"],
])("L-148 a settings file that cannot be edited is named with the reason and stays untouched: %s", (_, content, reason) => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", content);
  for (const work of [
    () => putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false),
    () => putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, true),
  ]) {
    expect(work).toThrow(reason);
    expect(work).toThrow(path);
  }
  expect(readFileSync(path)).toEqual(Buffer.from(content as string));
  expect(existsSync(join(machine.home, ".poisonzero/setup"))).toBe(false);
});

test("L-148 a read-only file, a folder, a FIFO and a dead link are refused", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN, 0o444);
  const setUp = () => putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  expect(setUp).toThrow("read-only");
  expect(read(path)).toBe(FOREIGN);
  rmSync(path);
  mkdirSync(path);
  expect(setUp).toThrow("regular file");
  rmSync(path, { recursive: true });
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  expect(setUp).toThrow("regular file");
  rmSync(path);
  symlinkSync("/nonexistent", path);
  expect(setUp).toThrow("link leads nowhere");
});

test.skipIf(!root)("L-148 another user's settings file is refused", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  chownSync(path, 65534, 65534);
  expect(() => putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false)).toThrow("another user");
});

test("setup is refused when its journal cannot be kept", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  machine.file(".poisonzero", "a file in the way");
  expect(() => putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false)).toThrow("~/.poisonzero");
  expect(read(path)).toBe(FOREIGN);
});

test("a dry run writes nothing at all", () => {
  using machine = throwaway();
  expect(putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, true).change).toBe("made");
  expect(readdirSync(machine.home)).toEqual([]);
  const path = machine.file(".claude/settings.json", FOREIGN);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  const text = read(path);
  expect(takeOut(machine.system, CLAUDE_FILE, true)[0]?.change).toBe("changed");
  expect(read(path)).toBe(text);
});

test("D-21 L-150 L-153 the fail rule follows the mode, changes one field, and leaves the way back", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  putEntries(machine.system, CLAUDE_FILE, LAUNCHER, true, false);
  const on = read(path);
  expect(updateFailRule(machine.reopen(), false)).toMatchObject([{ change: "changed" }]);
  complete(path, false);
  expect(read(path)).toBe(on.replaceAll(/,\s*"onFailure": "block"/g, ""));
  expect(updateFailRule(machine.reopen(), false)).toMatchObject([{ change: "unchanged" }]);
  updateFailRule(machine.reopen(), true);
  expect(read(path)).toBe(on);
  writeFileSync(path, `${on}\n`);
  updateFailRule(machine.reopen(), false);
  expect(read(path)).toBe(`${on.replaceAll(/,\s*"onFailure": "block"/g, "")}\n`);
  takeOut(machine.reopen(), CLAUDE_FILE, false);
  expect(read(path)).toBe(`${FOREIGN}\n`);
});

test("D-21 settings without our entries are left alone", () => {
  using machine = throwaway();
  const path = machine.file(".claude/settings.json", FOREIGN);
  expect(updateFailRule(machine.system, true)).toMatchObject([{ change: "unchanged" }]);
  expect(read(path)).toBe(FOREIGN);
  expect(existsSync(join(machine.home, ".poisonzero"))).toBe(false);
});

test.skipIf(!root)("D-21 root updates every user with that user's rights, and follows no link it could not", () => {
  using machine = throwaway();
  const homes = ["alice", "bob", "carol"].map((name, index) => ({ name, uid: 61_000 + index, home: join(machine.root, name) }));
  const [alice, bob, carol] = homes as [(typeof homes)[0], (typeof homes)[0], (typeof homes)[0]];
  for (const { uid, home } of homes) {
    mkdirSync(join(home, ".claude"), { recursive: true });
    for (const folder of [home, join(home, ".claude")]) chownSync(folder, uid, uid);
  }
  const as = (account: typeof alice): System => ({ ...machine.system, home: account.home, uid: account.uid });
  for (const account of [alice, bob])
    machine.system.actAs({ uid: account.uid, gid: account.uid }, () => putEntries(as(account), CLAUDE_FILE, LAUNCHER, false, false));
  // Bob's settings become broken; Carol's lead to a file that is root's alone.
  writeFileSync(join(bob.home, ".claude/settings.json"), '{ "poisonzero hook claude"');
  const secret = join(machine.root, "root-only.json");
  writeFileSync(secret, read(join(alice.home, ".claude/settings.json")), { mode: 0o600 });
  symlinkSync(secret, join(carol.home, ".claude/settings.json"));
  const before = read(secret);
  const passwd = homes.map(({ name, uid, home }) => `${name}:x:${uid}:${uid}::${home}:/bin/sh`).join("\n");
  const system = machine.reopen({
    read: (path, most) => (path === "/etc/passwd" ? { bytes: Buffer.from(passwd), cut: false } : machine.system.read(path, most)),
  });
  const { users, changed, problems } = updateFailRules(system, true);
  expect(users).toEqual(["alice"]);
  expect(changed.map(({ file }) => file)).toEqual([join(alice.home, ".claude/settings.json")]);
  complete(join(alice.home, ".claude/settings.json"), true);
  expect(statSync(join(alice.home, ".claude/settings.json")).uid).toBe(alice.uid);
  expect(problems.map((problem) => problem.split(":")[0])).toEqual(["bob", "carol"]);
  expect(read(secret)).toBe(before);
  expect(process.geteuid?.()).toBe(0);
});

test("D-28 the launcher must be an absolute path to an executable poisonzero", () => {
  using machine = throwaway();
  const good = machine.file("bin/poisonzero", "#!/bin/sh\n", 0o755);
  expect(launcherProblem(machine.system, good)).toBeUndefined();
  symlinkSync(good, join(machine.home, "poisonzero"));
  expect(launcherProblem(machine.system, join(machine.home, "poisonzero"))).toBeUndefined();
  expect(installationProblem(machine.system, good)).toContain("bin/libexec/poisonzero");
  machine.file("bin/libexec/poisonzero", "", 0o755);
  expect(installationProblem(machine.system, join(machine.home, "poisonzero"))).toBeUndefined();
  expect(launcherProblem(machine.system, "bin/poisonzero")).toContain("absolute");
  expect(launcherProblem(machine.system, machine.file("bin/other", "", 0o755))).toContain("called poisonzero");
  expect(launcherProblem(machine.system, join(machine.home, "gone/poisonzero"))).toContain("no program");
  chmodSync(good, 0o644);
  expect(launcherProblem(machine.system, good)).toContain("not executable");
});

test("L-102 L-134 an agent is protected, partly protected or not protected, and says why", () => {
  using machine = throwaway();
  const state = (mode: "enforce" | "observe" | "off" = "enforce") => protection(machine.reopen(), mode, mode === "enforce")[0];
  expect(claudeIsHere(machine.system)).toBe(false);
  expect(protection(machine.system, "enforce", true)).toEqual([]);
  const path = machine.file(".claude/settings.json", FOREIGN);
  expect(state()).toMatchObject({ agent: "claude", state: "not protected", reasons: [expect.stringContaining("poisonzero setup")] });
  machine.file("bin/libexec/poisonzero", "", 0o755);
  putEntries(machine.system, CLAUDE_FILE, machine.file("bin/poisonzero", "", 0o755), true, false);
  const good = read(path);
  expect(state()).toMatchObject({ state: "protected", reasons: [] });
  expect(state("observe")).toMatchObject({ state: "partly protected" });
  expect(state("off")).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("sudo poisonzero leak0 enforce")] });
  const rewrite = (change: (value: { hooks: Record<string, unknown[]>; [name: string]: unknown }) => void) => {
    const value = JSON.parse(good);
    change(value);
    writeFileSync(path, JSON.stringify(value));
    return state();
  };
  expect(rewrite((value) => Reflect.deleteProperty(value.hooks, "PostToolUse"))).toMatchObject({
    state: "partly protected",
    reasons: [expect.stringContaining("PostToolUse")],
  });
  expect(rewrite((value) => value.hooks.PreToolUse?.push({ matcher: 7 }))).toMatchObject({
    state: "partly protected",
    reasons: [expect.stringContaining("PreToolUse")],
  });
  expect(rewrite((value) => (value.disableAllHooks = true))).toMatchObject({
    state: "not protected",
    reasons: [expect.stringContaining("disableAllHooks")],
  });
  writeFileSync(path, `// c\n${good}`);
  expect(state()).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("line 1: a comment")] });
  writeFileSync(path, good);
  for (const part of ["bin/libexec/poisonzero", "bin/poisonzero"]) {
    const file = join(machine.home, part);
    chmodSync(file, 0o644);
    expect(state()).toMatchObject({ state: "partly protected", reasons: [expect.stringContaining(`${file} is not executable`)] });
    rmSync(file);
    const [reason = ""] = state()?.reasons ?? [];
    for (const words of [`no program at ${file}`, "blocks every call", "sudo poisonzero leak0 off", "Install poisonzero again"])
      expect(reason).toContain(words);
    machine.file(part, "", 0o755);
  }
  rmSync(join(machine.home, "bin/poisonzero"));
  expect(state("observe")).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("nothing is checked")] });
  expect(realpathSync(path)).toBe(realpathSync(settingsOf(machine)));
});

test("L-102 L-103 agents without a hook in this version are named as not protected", () => {
  using machine = throwaway();
  for (const folder of [".codex/x", ".cursor/x", ".gemini/tmp/x"]) machine.file(folder, "");
  expect(protection(machine.system, "enforce", true).map(({ agent, state }) => `${agent} ${state}`)).toEqual([
    "codex not protected",
    "cursor not protected",
    "gemini not protected",
  ]);
});
