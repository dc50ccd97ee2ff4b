import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ACTIONS, type AuditEvent, eventText, parseEntry } from "../../src/audit/event.ts";
import { record } from "../../src/audit/log.ts";
import { auditFollower, auditTail, verifyAudit } from "../../src/audit/reading.ts";
import { CHOSEN } from "../../src/limits.ts";
import { userKey } from "../../src/session/key.ts";
import { throwaway, type Throwaway } from "../throwaway.ts";

const EVENT: AuditEvent = {
  action: "leak0_blocked",
  agent: "claude",
  tool: "Bash",
  rule: "leak0:checksum_token_push",
  mode: "enforce",
  decision: "block",
  hash: "a1b2c3d4",
  proof: "B2",
  kind: "checksum",
};

const FIELDS = ["v", "time", "product", "action", "agent", "tool", "rule", "mode", "decision", "hash", "proof", "kind", "reason", "chain"];
const logOf = (machine: Throwaway) => join(machine.home, ".poisonzero/audit/leak0.jsonl");
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);

const whole = (entries: number) => ({ entries, intact: true, unreadable: [], broken: [], closed: [], keyed: true, oldest: false });

function put(machine: Throwaway, lines: readonly string[]): void {
  writeFileSync(logOf(machine), `${lines.join("\n")}\n`);
}

test("L-155 L-156 U-005 an event is one line with the envelope, in a 0600 file in 0700 folders", () => {
  using machine = throwaway();
  expect(record(machine.system, EVENT)).toBeUndefined();
  const [line = ""] = linesOf(logOf(machine));
  expect(JSON.parse(line)).toEqual({
    v: 1,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    product: "leak0",
    ...EVENT,
    chain: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(statSync(logOf(machine)).mode & 0o777).toBe(0o600);
  for (const folder of [".poisonzero", ".poisonzero/audit"]) expect(statSync(join(machine.home, folder)).mode & 0o777).toBe(0o700);
});

test.each([...ACTIONS])("L-156 … L-163 the action %s is written and read back", (action) => {
  using machine = throwaway();
  record(machine.system, { ...EVENT, action });
  expect(auditTail(machine.system, 1).entries).toMatchObject([{ action, product: "leak0" }]);
});

test("L-157 L-166 L-167 D-16 a reason is kept", () => {
  using machine = throwaway();
  for (const reason of [
    "turn ended",
    "no dialog possible",
    "retry after rejection",
    "approval already used",
    "git check unfinished",
  ] as const) {
    record(machine.system, { ...EVENT, reason });
    expect(auditTail(machine.system, 1).entries[0]?.reason).toBe(reason);
  }
});

test("L-164 L-169 U-005 fields of other names are dropped, and no field takes a path, a command or a value (property)", () => {
  const hostile = fc.oneof(fc.constantFrom("/home/u/.aws/credentials", "cat ~/.env", "a".repeat(200), "x\ny", "tool name"), fc.string());
  const names = fc.constantFrom(
    "action",
    "agent",
    "tool",
    "rule",
    "mode",
    "decision",
    "hash",
    "proof",
    "kind",
    "reason",
    "path",
    "command",
    "value",
    "prompt",
    "chain",
    "__proto__",
  );
  fc.assert(
    fc.property(fc.dictionary(names, hostile), (extra) => {
      const text = eventText({ ...EVENT, ...extra, action: EVENT.action } as AuditEvent, 0);
      const written = JSON.parse(`${text}}`) as Record<string, unknown>;
      expect(Object.keys(written).filter((name) => !FIELDS.includes(name))).toEqual([]);
      expect(text).not.toContain("/");
      expect(text.length).toBeLessThan(700);
    }),
  );
});

test.each([
  ["mcp__github__create_issue", "mcp__github__create_issue"],
  ["Bash", "Bash"],
  ["a.b:c-d", "a.b:c-d"],
  ["mcp__evil\n{}", "other"],
  ["cat /etc/passwd", "other"],
  ["", "other"],
  ["x".repeat(129), "other"],
  ["日本", "other"],
])("L-164 the tool %j is recorded as %s", (tool, recorded) => {
  using machine = throwaway();
  record(machine.system, { ...EVENT, tool });
  expect(auditTail(machine.system, 1).entries[0]?.tool).toBe(recorded);
});

test("L-164 a foreign line never gets through reading", () => {
  expect(parseEntry("{}")).toBeUndefined();
  expect(parseEntry("not json")).toBeUndefined();
  const good = `${eventText(EVENT, 0)},"chain":"${"0".repeat(32)}"}`;
  expect(parseEntry(good.replace('"Bash"', '"a b"'))).toBeUndefined();
  expect(parseEntry(good.replace('"v":1', '"v":2'))).toBeUndefined();
  expect(parseEntry(good.replace('"tool"', '"path":"/x","tool"'))).not.toHaveProperty("path");
});

test("D-24 an untouched chain holds, across processes", () => {
  using machine = throwaway();
  for (let n = 0; n < 20; n++) record(machine.reopen(), EVENT);
  expect(verifyAudit(machine.reopen())).toEqual(whole(20));
});

test("D-24 a changed, removed, inserted, repeated or moved line is seen, the last one included", () => {
  using machine = throwaway();
  for (let n = 0; n < 8; n++) record(machine.system, { ...EVENT, tool: `Tool${n}` });
  const lines = linesOf(logOf(machine));
  const broken = (changed: readonly string[]) => {
    put(machine, changed);
    return verifyAudit(machine.system).broken.map(({ line }) => line);
  };
  const edit = (index: number) => lines.map((line, n) => (n === index ? line.replace("leak0_blocked", "leak0_warned") : line));
  expect(broken(edit(3))).toEqual([4, 5]);
  expect(broken(edit(0))).toEqual([1, 2]);
  expect(broken(edit(7))).toEqual([8]);
  expect(broken(lines.toSpliced(3, 1))).toEqual([4]);
  expect(broken(lines.slice(1))).toEqual([1]);
  expect(broken(lines.toSpliced(3, 0, lines[5] as string))).toEqual([4, 5]);
  expect(broken(lines.toSpliced(3, 0, lines[2] as string))).toEqual([4]);
  expect(broken([...lines].reverse())).not.toEqual([]);
  expect(broken(lines)).toEqual([]);
});

test("D-24 a chain written without the key is seen", () => {
  using machine = throwaway();
  using forger = throwaway();
  record(machine.system, EVENT);
  for (let n = 0; n < 3; n++) record(forger.system, EVENT);
  put(machine, linesOf(logOf(forger)));
  expect(verifyAudit(machine.system).broken).toHaveLength(3);
});

test("without its key no entry is verified, and none is called changed; a new key is not made by looking", () => {
  using machine = throwaway();
  for (let n = 0; n < 3; n++) record(machine.system, EVENT);
  const key = join(machine.home, ".poisonzero/key");
  rmSync(key);
  expect(verifyAudit(machine.reopen())).toEqual({ ...whole(3), intact: false, keyed: false });
  expect(existsSync(key)).toBe(false);
  for (let n = 0; n < 2; n++) record(machine.reopen(), EVENT);
  const renewed = verifyAudit(machine.reopen());
  expect(renewed).toMatchObject({ intact: false, keyed: true, oldest: true });
  expect(renewed.broken.map(({ line }) => line)).toEqual([1, 2, 3]);
});

test("a torn last line is skipped and reported, and the chain goes on after it", () => {
  using machine = throwaway();
  record(machine.system, EVENT);
  record(machine.system, EVENT);
  appendFileSync(logOf(machine), '{"v":1,"time":"2026-01-01T00:00:00.0');
  record(machine.system, EVENT);
  record(machine.system, EVENT);
  expect(verifyAudit(machine.system)).toEqual({
    ...whole(4),
    intact: false,
    unreadable: [{ file: "leak0.jsonl", line: 3 }],
  });
  expect(auditTail(machine.system, 10).entries).toHaveLength(4);
});

test("D-24 every line that cannot be read makes the log damaged, the last and all of them included", () => {
  using machine = throwaway();
  for (let n = 0; n < 4; n++) record(machine.system, EVENT);
  const lines = linesOf(logOf(machine));
  const garbled = (...numbers: number[]) => {
    put(
      machine,
      lines.map((line, index) => (numbers.includes(index + 1) ? line.slice(0, -20) : line)),
    );
    const { intact, entries, unreadable } = verifyAudit(machine.system);
    expect({ intact, lines: unreadable.map(({ line }) => line), entries }).toEqual({
      intact: numbers.length === 0,
      lines: numbers,
      entries: lines.length - numbers.length,
    });
    const tail = auditTail(machine.system, 9);
    expect([tail.entries.length, tail.unreadable.length]).toEqual([lines.length - numbers.length, numbers.length]);
  };
  garbled(4);
  garbled(1);
  garbled(2, 3);
  garbled(1, 2, 3, 4);
  garbled();
});

test("no audit and an empty one are whole, and looking makes nothing", () => {
  using machine = throwaway();
  expect(verifyAudit(machine.system)).toEqual(whole(0));
  expect(auditTail(machine.system, 5)).toEqual({ entries: [], unreadable: [], closed: [] });
  expect(readdirSync(machine.home)).toEqual([]);
  record(machine.system, EVENT);
  writeFileSync(logOf(machine), "");
  expect(verifyAudit(machine.reopen())).toEqual(whole(0));
});

test("an audit file that is a link or a folder is no empty audit", () => {
  using machine = throwaway();
  record(machine.system, EVENT);
  rmSync(logOf(machine));
  symlinkSync("/dev/null", logOf(machine));
  expect(verifyAudit(machine.system)).toEqual({ ...whole(0), intact: false, closed: ["leak0.jsonl"] });
  expect(auditTail(machine.system, 5).closed).toEqual(["leak0.jsonl"]);
  rmSync(logOf(machine));
  mkdirSync(logOf(machine));
  expect(verifyAudit(machine.system).intact).toBe(false);
});

test("a follower gives each new entry once, across files put aside", () => {
  using machine = throwaway();
  record(machine.system, { ...EVENT, tool: "Old" });
  const fresh = auditFollower(machine.system, auditTail(machine.system, 1).entries.at(-1));
  const tools = () => fresh().map(({ tool }) => tool);
  expect(tools()).toEqual([]);
  record(machine.system, { ...EVENT, tool: "First" });
  record(machine.system, { ...EVENT, tool: "Second" });
  expect(tools()).toEqual(["First", "Second"]);
  expect(tools()).toEqual([]);
  renameSync(logOf(machine), join(machine.home, ".poisonzero/audit/leak0.1.jsonl"));
  record(machine.system, { ...EVENT, tool: "Third" });
  expect(tools()).toEqual(["Third"]);
});

test("the audit is put aside by size, the chain goes on across files, and the oldest is dropped", () => {
  using machine = throwaway();
  const folder = join(machine.home, ".poisonzero/audit");
  // A full file without writing 4 MiB of events: one long foreign line in front of the first entry.
  const fill = () => writeFileSync(logOf(machine), `${"x".repeat(CHOSEN.audit_file_bytes)}\n${readFileSync(logOf(machine), "utf8")}`);
  record(machine.system, EVENT);
  record(machine.system, EVENT);
  for (let n = 1; n <= CHOSEN.audit_files_aside; n++) {
    fill();
    record(machine.system, EVENT);
    record(machine.system, EVENT);
    expect(readdirSync(folder).filter((name) => name.endsWith(".jsonl"))).toHaveLength(n + 1);
    expect(verifyAudit(machine.system)).toMatchObject({ entries: 2 + 2 * n, broken: [] });
  }
  fill();
  record(machine.system, EVENT);
  expect(readdirSync(folder).filter((name) => name.endsWith(".jsonl"))).toHaveLength(CHOSEN.audit_files_aside + 1);
  expect(verifyAudit(machine.system).broken).toEqual([]);
  expect(auditTail(machine.system, 4).entries).toHaveLength(4);
});

test("an audit that cannot be written says so and stops nothing", () => {
  using machine = throwaway();
  expect(record(machine.reopen({ home: "" }), EVENT)).toContain("cannot be used");
  mkdirSync(logOf(machine), { recursive: true });
  expect(record(machine.system, EVENT)).toContain("cannot be written");
  expect(verifyAudit(machine.system).entries).toBe(0);
});

test("the audit is never written through a link", () => {
  using machine = throwaway();
  userKey(machine.system);
  mkdirSync(join(machine.home, ".poisonzero/audit"), { mode: 0o700 });
  const target = machine.file("target", "untouched");
  symlinkSync(target, logOf(machine));
  expect(record(machine.system, EVENT)).toContain("cannot be written");
  expect(readFileSync(target, "utf8")).toBe("untouched");
});

test("D-24 50 processes at once tear no line and break no chain", async () => {
  using machine = throwaway();
  const script = join(import.meta.dir, "append.ts");
  const children = Array.from({ length: 50 }, (_, n) =>
    Bun.spawn([process.execPath, script, machine.home, machine.data, `Tool${n}`, "4"], { stderr: "pipe" }),
  );
  expect(new Set(await Promise.all(children.map((child) => child.exited)))).toEqual(new Set([0]));
  expect(verifyAudit(machine.system)).toEqual(whole(200));
  const tools = auditTail(machine.system, 200).entries.map(({ tool }) => tool);
  for (let n = 0; n < 50; n++) expect(tools.filter((tool) => tool === `Tool${n}`)).toHaveLength(4);
}, 30_000);
