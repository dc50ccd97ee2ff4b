import { afterEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Store } from "../../../src/call/git/stored.ts";
import { answer } from "../../../src/hook/hook.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());

/** A history of trees that are packed as deltas of each other. */
function made(): Scratch {
  scratch = new Scratch();
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.txt`, `${at}\n`]));
  scratch.commit({ ...many, "list.txt": "1\n" }, "first");
  for (let at = 0; at < 6; at++) scratch.commit({ "list.txt": `${at}\n`.repeat(at + 1), [`f${at}.txt`]: "x\n" }, `${at}`);
  scratch.git("tag", "-a", "-m", "v", "v1", "HEAD~2");
  scratch.git("checkout", "-q", "-b", "side", "HEAD~3");
  scratch.commit({ "list.txt": "side\n" }, "side");
  scratch.git("checkout", "-q", "-");
  scratch.git("merge", "-q", "-s", "ours", "-m", "merge", "side");
  return scratch;
}

const REVISIONS = [
  "HEAD",
  "@",
  "HEAD~2",
  "HEAD^2",
  "HEAD^2~1^",
  "v1",
  "v1^{commit}",
  "v1~1",
  "side",
  "refs/heads/side",
  "heads/side",
  "-",
  "@{-1}",
  "HEAD^9",
  "none",
];

test.each(["loose", "packed", "both"])("L-045 what is read without Git is what Git reads: %s", (how) => {
  const at = made();
  if (how !== "loose") at.git("gc", "-q", "--prune=now");
  if (how === "both") at.commit({ "list.txt": "last\n" }, "last");
  const git = (name: string): string | undefined => {
    try {
      return at.git("rev-parse", "-q", "--verify", name).trim();
    } catch {
      return undefined;
    }
  };
  const head = git("HEAD~1") ?? "";
  at.started.length = 0;
  const store = new Store(at.root, at.system(), { left: 1e9 });
  for (const revision of [...REVISIONS, head, head.slice(0, 9), head.slice(0, 16)]) {
    const commit = git(`${revision === "-" ? "@{-1}" : revision}^{commit}`);
    expect(store.revision(revision)?.oid, revision).toBe(commit as string);
    if (commit !== undefined) expect(store.entry(commit, "list.txt"), revision).toBe(git(`${commit}:list.txt`) as string);
    if (commit !== undefined) expect(store.entry(commit, "other.txt")).toBe("");
  }
  expect(at.started).toEqual([]);
});

test("L-045 broken packs, objects and references are not known, and end", () => {
  const at = made();
  at.git("gc", "-q", "--prune=now");
  const folder = join(at.root, ".git/objects/pack");
  const pack =
    at
      .system()
      .list(folder)
      .find((name) => name.endsWith(".pack")) ?? "";
  const path = join(folder, pack);
  const bytes = Buffer.from(at.system().read(path, 10_000_000)?.bytes ?? []);
  expect(new Store(at.root, at.system(), { left: 1e9 }).revision("HEAD")).toBeDefined();
  for (const fill of [0, 0xff, 0x6f]) {
    rmSync(path, { force: true });
    writeFileSync(path, bytes.fill(fill, 12));
    expect(new Store(at.root, at.system(), { left: 1e9 }).revision("HEAD")).toBeUndefined();
  }
  writeFileSync(join(at.root, ".git/HEAD"), "ref: refs/heads/loop\n");
  writeFileSync(join(at.root, ".git/refs/heads/loop"), "ref: refs/heads/loop\n");
  expect(new Store(at.root, at.system(), { left: 1e9 }).revision("HEAD")).toBeUndefined();
});

test("L-045 what is read is bounded, whatever the repository holds", () => {
  const at = made();
  const room = { left: 50_000 };
  const store = new Store(at.root, at.system(), room);
  at.opened.length = 0;
  for (let step = 0; step < 100; step++) store.revision("HEAD~3");
  expect(store.revision("HEAD")).toBeUndefined();
  expect(room.left).toBeLessThan(0);
  expect(at.opened.length).toBeLessThan(20);
});

test("D-04 everyday commands start no Git to see whether they bring another exemption list", async () => {
  const at = made();
  for (const command of [
    "status",
    "log",
    "diff",
    "fetch",
    "pull",
    "checkout side",
    "switch side",
    "checkout -b new",
    "reset --hard HEAD~1",
    "pull origin main",
  ]) {
    const event = {
      session_id: "s",
      cwd: at.root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: `git ${command}` },
    };
    at.started.length = 0;
    expect((await answer("claude", "", JSON.stringify(event), at.system())).stdout, command).toBe("");
    expect(at.started, command).toEqual([]);
  }
});
