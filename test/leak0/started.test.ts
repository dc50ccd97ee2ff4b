/** Scripts that start scripts, and calls that send the same thing over and over: what they cost is counted, not timed. */
import { expect, test } from "bun:test";
import type { Effect } from "../../src/call/effect.ts";
import { effectsOf } from "../../src/call/effects.ts";
import { answer } from "../../src/hook/hook.ts";
import { carried } from "../../src/leak0/carried.ts";
import { Files } from "../../src/leak0/files.ts";
import type { Case } from "../../src/leak0/judgement.ts";
import { Scripts } from "../../src/leak0/started.ts";
import { CHOSEN } from "../../src/limits.ts";
import type { System } from "../../src/system.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

/** What a command would do in the home folder. */
function effects(machine: Throwaway, command: string): readonly Effect[] {
  return effectsOf(
    { agent: "claude", stage: "before", session: "", cwd: machine.home, tool: "", action: { kind: "shell", dialect: "bash", command } },
    { home: machine.home, environment: {}, platform: "linux" },
  );
}

async function said(machine: Throwaway, command: string): Promise<string> {
  machine.setting("leak0mode", "enforce\n");
  const event = {
    session_id: "s",
    cwd: machine.home,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  };
  return (await answer("claude", "", JSON.stringify(event), machine.reopen())).stdout;
}

/** Many scripts of which each starts all others. */
function bomb(machine: Throwaway): void {
  const names = Array.from({ length: CHOSEN.scripts_started + 50 }, (_, index) => `s${index}.sh`);
  for (const name of names) machine.file(name, `echo curl ${name}\n${names.map((other) => `bash ${other}`).join("\n")}\n`);
}

test("L-111 D-27: scripts that multiply are looked at once each and end as a question", async () => {
  using machine = throwaway();
  bomb(machine);
  const reads = new Map<string, number>();
  const system: System = {
    ...machine.system,
    read: (path, ...rest) => {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      return machine.system.read(path, ...rest);
    },
  };
  const scripts = Scripts.of(effects(machine, "bash s0.sh"), system);
  expect([...scripts].length).toBe(CHOSEN.scripts_started);
  expect(scripts.cut).toBe(true);
  expect(Math.max(...reads.values())).toBe(1);
  expect(await said(machine, "bash s0.sh")).toContain("it starts more scripts than can be looked at");
});

test("L-111 X-064: a long script, and one that is started many times with other arguments, are everyday work", async () => {
  using machine = throwaway();
  const long = "echo 'import requests; https://h.example'\n".repeat(1_500);
  machine.file("long.sh", long);
  for (const command of ["bash long.sh", `for i in {1..60}; do bash long.sh $i; done`]) {
    expect(Scripts.of(effects(machine, command), machine.system).cut).toBe(false);
    expect(await said(machine, command)).toBe("");
  }
});

test("L-111: what a script sends is still seen behind the ones that cost most", async () => {
  using machine = throwaway();
  machine.file("long.sh", "echo 'import requests; https://h.example'\n".repeat(4_000));
  const command = `for i in {1..60}; do bash long.sh $i; done; bash long.sh ~/.aws/credentials`;
  expect(Scripts.of(effects(machine, command), machine.system).cut).toBe(false);
  expect([...Scripts.of(effects(machine, command), machine.system)].some(({ command }) => command.includes(".aws"))).toBe(true);
});

test("L-111 D-27: a file of many scripts is read as far as one call's allowance goes", async () => {
  using machine = throwaway();
  const rounds = `for i in {1..60}; do for j in {1..60}; do cat f; done; done`;
  const manifest = (count: number) =>
    JSON.stringify({ scripts: Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, rounds])) });
  expect(await said(machine, `cat > package.json <<'E'\n${manifest(100)}\nE`)).toContain("more scripts than can be read");
  expect(await said(machine, `cat > package.json <<'E'\n${manifest(2)}\nE`)).toBe("");
});

test("L-048 D-27: Git aliases that stand for more and more commands end as a question", async () => {
  using machine = throwaway();
  Bun.spawnSync(["git", "init", "-q", machine.home]);
  const many = Array.from({ length: 40 }, (_, n) => `git a $1 ${n}`).join("; ");
  machine.file(".git/config", `[core]\n\trepositoryformatversion = 0\n[alias]\n\ta = "!f() { ${many}; }; f"\n\tb = "!git status"\n`);
  expect(await said(machine, "git a 0")).toContain("its aliases");
  expect(await said(machine, "git b; git b; git b")).toBe("");
});

test("D-27: the same file, text and folder are looked through once in a call, however often they are sent", () => {
  using machine = throwaway();
  machine.file("d/.a", "plain\n");
  const path = machine.file("f.txt", "plain\n");
  let looked = 0;
  const session = {
    copies: [],
    shortHash: () => "0",
    prepare: () => {},
    valuesIn: () => {
      looked++;
      return { secrets: [], complete: true };
    },
  };
  const policy = { exclusions: [], secretFiles: [] };
  const system: System = { ...machine.system, list: (folder) => (looked++, machine.system.list(folder)) };
  const at = {
    effects: [],
    system,
    policy,
    session,
    files: new Files(system, policy as never, session),
  } as unknown as Case;
  const source = (file: string) => ({ from: "file", file: { written: file, path: file }, plain: true }) as const;
  const once = () =>
    carried(at, { sources: [source(path)] }).length +
    carried(at, { sources: [source(`${machine.home}/d`)] }).length +
    carried(at, { sources: [{ from: "text", text: "hello", plain: true }] }).length;
  once();
  const first = looked;
  for (let round = 0; round < 10; round++) once();
  expect([first > 0, looked]).toEqual([true, first]);
});
