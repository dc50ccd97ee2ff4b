/** A call that does the same thing a thousand times to the agent's settings: what it costs is counted. */
import { expect, test } from "bun:test";
import { answer } from "../../src/hook/hook.ts";
import { Files } from "../../src/leak0/files.ts";
import type { Case } from "../../src/leak0/judgement.ts";
import { arrivalAt, copies } from "../../src/leak0/self/arriving.ts";
import { CHOSEN } from "../../src/limits.ts";
import type { System } from "../../src/system.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

const HOOKS = { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "/opt/poisonzero/poisonzero hook claude" }] }] };
const ROUNDS = "for i in {1..60}; do for j in {1..20}; do";

/** What is said of a command, and how often each file was read and each folder listed for it. */
async function asked(machine: Throwaway, command: string) {
  machine.setting("leak0mode", "enforce\n");
  const reads = new Map<string, number>();
  const count = (path: string): number => reads.set(path, (reads.get(path) ?? 0) + 1).size;
  const changes: Partial<System> = {
    read: (path, ...rest) => (count(path), machine.system.read(path, ...rest)),
    list: (folder) => (count(folder), machine.system.list(folder)),
  };
  const event = { session_id: "s", cwd: machine.home, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
  const { stdout } = await answer("claude", "", JSON.stringify(event), machine.reopen(changes));
  return { said: stdout, most: Math.max(...reads.values()), reads };
}

/** A call of which a part can be looked at by itself. */
function partly(machine: Throwaway) {
  const files = new Files(machine.system, { exclusions: [], secretFiles: [] } as never, { copies: [], shortHash: () => "" });
  return { files, at: { files, effects: [], system: machine.system, call: { cwd: machine.home } } as unknown as Case };
}

test("L-023 D-27: settings that are replaced again and again are read and compared a few times at most", async () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", JSON.stringify({ hooks: HOOKS }));
  machine.file("kept.json", JSON.stringify({ theme: "dark", hooks: HOOKS }));
  machine.file("lost.json", "{}");
  const kept = await asked(machine, `${ROUNDS} cp kept.json ~/.claude/settings.json; done; done`);
  expect([kept.said, kept.most <= 4]).toEqual(["", true]);
  const lost = await asked(machine, `${ROUNDS} cp kept.json ~/.claude/settings.json; done; done; cp lost.json ~/.claude/settings.json`);
  expect(lost.said).toContain('"deny"');
});

test("L-023 D-27: an archive that is unpacked again and again is opened once, and more than can be compared is a question", async () => {
  using machine = throwaway();
  machine.file(".claude/settings.json", JSON.stringify({ hooks: HOOKS }));
  const names = Array.from({ length: 50 }, (_, index) => machine.file(`in/settings.json${index}`, "").slice(machine.home.length + 1));
  expect(Bun.spawnSync(["tar", "cf", "in.tar", ...names], { cwd: machine.home }).exitCode).toBe(0);
  const few = await asked(machine, `${ROUNDS} tar xf in.tar -C ~/.claude; done; done`);
  expect([few.said, (few.reads.get(`${machine.home}/in.tar`) ?? 0) <= 2]).toEqual(["", true]);
  const { at, files } = partly(machine);
  const path = (name: string) => ({ written: name, path: `${machine.home}/${name}` });
  const effect = { kind: "unpack", archive: path("in.tar"), folder: path("x"), members: [], strip: 0 } as const;
  arrivalAt(at, effect, `${machine.home}/x/in/settings.json1`);
  expect(files.unread).toBeUndefined();
  files.work.spend(CHOSEN.pattern_work_chars - 5_000);
  arrivalAt(at, effect, `${machine.home}/x/in/settings.json`);
  expect(files.unread).toBe("it unpacks more than can be looked at");
});

test("L-109 D-27: a folder that patterns are compared with is listed once, and too many patterns are a question", async () => {
  using machine = throwaway();
  for (let index = 0; index < 500; index++) machine.file(`many/token${index}`, "");
  const few = await asked(machine, "cp many/*1 many/*2 ~/.claude/; cat many/*3");
  expect([few.said, few.reads.get(`${machine.home}/many`)]).toEqual(["", 1]);
  const { at, files } = partly(machine);
  const effect = { kind: "copy", file: { written: "many/*1", path: undefined }, to: { written: "x", path: `${machine.home}/x` } } as const;
  expect([copies(at, effect).length, files.unread]).toEqual([50, undefined]);
  files.work.spend(CHOSEN.pattern_work_chars);
  expect([copies(at, effect).length, files.unread]).toEqual([0, "it copies more files than can be looked at"]);
});

test("L-023 D-27: startup files are read as far as one call's allowance goes", async () => {
  using machine = throwaway();
  const long = (index: number): string => `echo claude ${index}\n${"# a remark\n".repeat(20_000)}`;
  for (let index = 0; index < 8; index++) machine.file(`p${index}.sh`, long(index));
  expect((await asked(machine, "cp p0.sh ~/.profile; cp p0.sh ~/.bashrc; cp p0.sh ~/.zshrc")).said).toBe("");
  expect((await asked(machine, "for i in {0..7}; do cp p$i.sh ~/.profile; done")).said).toContain("more startup files than can be read");
});
