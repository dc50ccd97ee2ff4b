import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { CHOSEN } from "../../src/limits.ts";
import type { Grade, Secret } from "../../src/secrets/secret.ts";
import { openSession, sweepSessions } from "../../src/session/session.ts";
import { userKey } from "../../src/session/key.ts";
import { throwaway } from "../throwaway.ts";

const random = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
    .toString("base64url")
    .slice(0, length);

function secret(value: string, grade: Grade = "token"): Secret {
  return { family: "github", title: "GitHub token", grade, kind: "checksum", value, start: 0, end: value.length };
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("L-170 D-19 a value seen by one hook is known to the next one, with grade and family", () => {
  using machine = throwaway();
  const value = random(40);
  openSession(machine.system, "one").remember([secret(value, "vendor")]);
  const next = openSession(machine.reopen(), "one");
  expect(next.knows(value)).toEqual({ family: "github", title: "GitHub token", grade: "vendor" });
  expect(next.lengths).toEqual([40]);
  expect(next.knows(`${value.slice(0, -1)}!`)).toBeUndefined();
  expect(openSession(machine.reopen(), "two").knows(value)).toBeUndefined();
});

test("L-170 a remembered value is found inside a text, and a text without it holds nothing", () => {
  using machine = throwaway();
  const values = [random(8), random(40), `${random(900)}\n${random(900)}`, `Ünï ${random(12)} 🔑`];
  openSession(machine.system, "s").remember(values.map((value) => secret(value, "credential")));
  const session = openSession(machine.reopen(), "s");
  const text = `https://h/?a=${values[0]}&b=${values[1]} ${values[2]}${values[3]}`;
  const found = session.valuesIn(text);
  expect(found.map(({ value }) => value)).toEqual(values);
  for (const { start, end, value, kind, grade } of found) {
    expect(text.slice(start, end)).toBe(value);
    expect({ kind, grade }).toEqual({ kind: "hash match", grade: "credential" });
  }
  expect(session.valuesIn(text.split("").reverse().join(""))).toEqual([]);
  expect(session.valuesIn("")).toEqual([]);
});

test("L-170 finding agrees with a plain search (property)", () => {
  using machine = throwaway();
  const part = fc.string({ minLength: 8, maxLength: 24, unit: fc.constantFrom("a", "b", "é") });
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.string({ maxLength: 120, unit: fc.constantFrom("a", "b", "é") }),
      fc.uuid(),
      (values, text, id) => {
        const session = openSession(machine.system, id);
        session.remember(values.map((value) => secret(value)));
        const found = session.valuesIn(text);
        expect(found.length > 0).toBe(values.some((value) => text.includes(value)));
        for (const { value, start } of found) {
          expect(values).toContain(value);
          expect(text.startsWith(value, start)).toBe(true);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("D-19 values under 8 characters are not remembered", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  session.remember([secret("1234567")]);
  expect(session.lengths).toEqual([]);
});

test("L-170 L-169 D-25 files are 0600 in 0700 folders and hold no piece of a value", () => {
  using machine = throwaway();
  const value = random(64);
  const session = openSession(machine.system, "s");
  session.remember([secret(value)]);
  session.rememberCopies([join(machine.home, "copy.env")]);
  for (const folder of [".poisonzero", ".poisonzero/sessions"]) expect(statSync(join(machine.home, folder)).mode & 0o777).toBe(0o700);
  for (const file of files(join(machine.home, ".poisonzero"))) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const content = readFileSync(file, "latin1");
    for (let at = 0; at + 8 <= value.length; at++) expect(content).not.toContain(value.slice(at, at + 8));
  }
});

test("L-170 paths of copies are kept, each once", () => {
  using machine = throwaway();
  openSession(machine.system, "s").rememberCopies(["/a", "/b", "/a", ""]);
  openSession(machine.reopen(), "s").rememberCopies(["/b", "/c"]);
  expect(openSession(machine.reopen(), "s").copies).toEqual(["/a", "/b", "/c"]);
});

test.each(["a/b/c", "..", "../../x", "CON", "日本", "", "\0", "x".repeat(100_000), "a\nb", "\ud800"])(
  "L-170 any session id is harmless: %#",
  (id) => {
    using machine = throwaway();
    const value = random(32);
    openSession(machine.system, id).remember([secret(value)]);
    expect(openSession(machine.reopen(), id).knows(value)).toBeDefined();
    const made = files(machine.home).map((path) => path.slice(machine.home.length));
    expect(made.filter((path) => path.endsWith(".json"))).toEqual([
      expect.stringMatching(/^\/\.poisonzero\/sessions\/[0-9a-f]{32}\.json$/),
    ]);
  },
);

test("L-170 the end of a session removes its file and nobody else's", () => {
  using machine = throwaway();
  openSession(machine.system, "one").remember([secret("first value")]);
  openSession(machine.system, "two").remember([secret("other value")]);
  const session = openSession(machine.reopen(), "one");
  session.end();
  expect(session.knows("first value")).toBeUndefined();
  expect(openSession(machine.reopen(), "one").knows("first value")).toBeUndefined();
  expect(openSession(machine.reopen(), "two").knows("other value")).toBeDefined();
});

test("L-170 the sweep removes sessions after 24 hours, and only those", () => {
  using machine = throwaway();
  openSession(machine.system, "old").remember([secret("first value")]);
  openSession(machine.system, "new").remember([secret("other value")]);
  const folder = join(machine.home, ".poisonzero/sessions");
  const stranger = join(folder, "notes.txt");
  writeFileSync(stranger, "");
  const day = 24 * 60 * 60;
  const now = Date.now() / 1000;
  const old = files(folder).find((path) => path.endsWith(".json") && path !== stranger) as string;
  const kept = files(folder).filter((path) => path !== old);
  utimesSync(old, now, now - day + 60);
  sweepSessions(machine.system);
  expect(files(folder)).toContain(old);
  utimesSync(old, now, now - day - 60);
  utimesSync(stranger, now, now - day - 60);
  sweepSessions(machine.reopen());
  expect(files(folder).sort()).toEqual(kept.sort());
});

test("D-24 the key is 32 random bytes, 0600, made once; two users' hashes differ (U-007)", () => {
  using one = throwaway();
  using two = throwaway();
  const path = join(one.home, ".poisonzero/key");
  const hash = openSession(one.system, "s").shortHash("a value");
  expect(hash).toMatch(/^[0-9a-f]{8}$/);
  expect(statSync(path)).toMatchObject({ size: 32 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(openSession(one.reopen(), "other").shortHash("a value")).toBe(hash);
  expect(openSession(two.system, "s").shortHash("a value")).not.toBe(hash);
});

test("D-24 a key open to others is closed and kept; a torn one is replaced", () => {
  using machine = throwaway();
  const path = join(machine.home, ".poisonzero/key");
  const first = userKey(machine.system).bytes;
  chmodSync(path, 0o644);
  expect(userKey(machine.reopen()).bytes).toEqual(first);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "short");
  expect(userKey(machine.reopen()).bytes).not.toEqual(first);
  expect(statSync(path).size).toBe(32);
});

test("D-24 the key is never read through a link", () => {
  using machine = throwaway();
  const target = machine.file("elsewhere", new Uint8Array(32).fill(7), 0o600);
  mkdirSync(join(machine.home, ".poisonzero"), { mode: 0o700 });
  symlinkSync(target, join(machine.home, ".poisonzero/key"));
  expect(userKey(machine.system).bytes).not.toEqual(new Uint8Array(32).fill(7));
  expect(readFileSync(target)).toEqual(Buffer.alloc(32, 7));
});

test("L-170 without a usable home the session lives in memory and still gives hashes", () => {
  using machine = throwaway();
  const homes = ["", "/nonexistent/home", machine.file("plain", ""), "/proc"];
  for (const home of homes) {
    const session = openSession(machine.reopen({ home }), "s");
    session.remember([secret("some value")]);
    session.rememberCopies(["/x"]);
    expect(session.knows("some value")).toBeDefined();
    expect(session.copies).toEqual(["/x"]);
    expect(session.shortHash("some value")).toMatch(/^[0-9a-f]{8}$/);
    session.end();
  }
  sweepSessions(machine.reopen({ home: "" }));
});

test.skipIf(process.getuid?.() !== 0)("D-24 root with another user's HOME leaves nothing there", () => {
  using machine = throwaway();
  chownSync(machine.home, 65534, 65534);
  expect(userKey(machine.system).stored).toBe(false);
  expect(readdirSync(machine.home)).toEqual([]);
});

test("a question alone makes no file", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  expect(session.valuesIn("a text of some length")).toEqual([]);
  expect(session.copies).toEqual([]);
  expect(readdirSync(machine.home)).toEqual([]);
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"v":2,"values":[]}',
  '{"v":1,"values":[[1],["x",1,1,"f","token","t"]],"copies":[1,""]}',
  "\0".repeat(100),
])("L-170 a torn or foreign session file is survived: %j", (text) => {
  using machine = throwaway();
  const value = random(20);
  openSession(machine.system, "s").remember([secret("older value")]);
  const path = files(join(machine.home, ".poisonzero/sessions")).find((file) => file.endsWith(".json")) as string;
  writeFileSync(path, text);
  const session = openSession(machine.reopen(), "s");
  expect(session.lengths).toEqual([]);
  session.remember([secret(value)]);
  expect(openSession(machine.reopen(), "s").knows(value)).toBeDefined();
});

test("L-170 the oldest values are forgotten first", () => {
  using machine = throwaway();
  const values = Array.from({ length: CHOSEN.session_values + 5 }, (_, n) => `value number ${n}`);
  openSession(machine.system, "s").remember(values.map((value) => secret(value)));
  const session = openSession(machine.reopen(), "s");
  expect(session.knows(values[4] as string)).toBeUndefined();
  expect(session.knows(values[5] as string)).toBeDefined();
  expect(session.knows(values.at(-1) as string)).toBeDefined();
});

test("L-170 50 hooks at once: one key, and nothing one of them saw is lost", async () => {
  using machine = throwaway();
  const script = join(import.meta.dir, "remember.ts");
  const children = Array.from({ length: 50 }, (_, n) =>
    Bun.spawn([process.execPath, script, machine.home, machine.data, `parallel value ${n}`], { stdout: "pipe" }),
  );
  const hashes = await Promise.all(children.map(async (child) => (await new Response(child.stdout).text()).trim()));
  expect(new Set(hashes).size).toBe(1);
  expect(hashes[0]).toBe(openSession(machine.system, "").shortHash("probe"));
  const session = openSession(machine.reopen(), "shared");
  for (let n = 0; n < 50; n++) expect(session.knows(`parallel value ${n}`)).toBeDefined();
}, 30_000);

test("L-170 a session file removed meanwhile is made anew", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  session.remember([secret("first value")]);
  rmSync(join(machine.home, ".poisonzero/sessions"), { recursive: true });
  session.remember([secret("other value")]);
  expect(openSession(machine.reopen(), "s").knows("first value")).toBeDefined();
});
