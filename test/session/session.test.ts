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
import type { Copy } from "../../src/session/copy.ts";
import { openSession, type Session, sweepSessions } from "../../src/session/session.ts";
import { userKey } from "../../src/session/key.ts";
import { throwaway } from "../throwaway.ts";

const random = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
    .toString("base64url")
    .slice(0, length);

function secret(value: string, grade: Grade = "token"): Secret {
  return { family: "github", title: "GitHub token", grade, kind: "checksum", value, start: 0, end: value.length };
}

function copy(path: string): Copy {
  return { path, of: "/home/dev/.aws/credentials", class: "PROVEN" };
}

/** Whether the session remembers exactly this value. */
function knows(session: Session, value: string): boolean {
  return session.valuesIn(value).secrets.some((found) => found.value === value);
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("L-170 D-19 a value seen by one hook is known to the next one, with grade and family", () => {
  using machine = throwaway();
  // Signs do not count: the last character is a letter.
  const value = `${random(39)}k`;
  openSession(machine.system, "one").remember([secret(value, "vendor")]);
  const next = openSession(machine.reopen(), "one");
  expect(next.valuesIn(value).secrets).toMatchObject([{ family: "github", title: "GitHub token", grade: "vendor", value }]);
  expect(next.remembers).toBe(true);
  expect(next.valuesIn(`${value.slice(0, -1)}!`).secrets).toEqual([]);
  expect(openSession(machine.reopen(), "two").remembers).toBe(false);
});

test("L-170 a remembered value is found inside a text, and a text without it holds nothing", () => {
  using machine = throwaway();
  const values = [random(8), random(40), `${random(900)}\n${random(900)}`, `Ünï ${random(12)} 🔑`];
  openSession(machine.system, "s").remember(values.map((value) => secret(value, "credential")));
  const session = openSession(machine.reopen(), "s");
  const text = `https://h/?a=${values[0]}&b=${values[1]} ${values[2]}${values[3]}`;
  const found = session.valuesIn(text).secrets;
  expect(found.map(({ value }) => value)).toEqual(values);
  for (const { start, end, value, kind, grade } of found) {
    expect(text.slice(start, end)).toBe(value);
    expect({ kind, grade }).toEqual({ kind: "hash match", grade: "credential" });
  }
  expect(session.valuesIn(text.replaceAll(/[0-9a-z]/gi, "x")).secrets).toEqual([]);
  expect(session.valuesIn("").secrets).toEqual([]);
});

/** The writings that B3 names, each beside others of its own kind; an oracle apart from the finder. */
const WRITINGS: Readonly<Record<string, (value: string) => string>> = {
  "as it is": (value) => value,
  base64: (value) => Buffer.from(value).toString("base64"),
  "base64 behind one byte": (value) => Buffer.from(`:${value}`).toString("base64"),
  "base64 behind two bytes": (value) => Buffer.from(`u:${value}\n`).toString("base64"),
  base64url: (value) => Buffer.from(`u:${value}`).toString("base64url"),
  "base64 in lines": (value) =>
    Buffer.from(value)
      .toString("base64")
      .replace(/(.{9})/g, "$1\r\n"),
  hex: (value) => Buffer.from(value).toString("hex"),
  "hex in capitals": (value) => Buffer.from(value).toString("hex").toUpperCase(),
  "hex in pairs": (value) => Buffer.from(value).toString("hex").replace(/(..)/g, "$1:"),
  "hex in labels": (value) =>
    Buffer.from(value)
      .toString("hex")
      .replace(/(.{20})/g, "$1."),
  backwards: (value) => [...value].reverse().join(""),
  "spaced out": (value) => [...value].join(" "),
  "one character a line": (value) => [...value].join("\n"),
  "over two lines": (value) => `${value.slice(0, value.length >> 1)}\n${value.slice(value.length >> 1)}`,
  "in two literals": (value) => `"${value.slice(0, 5)}" + "${value.slice(5)}"`,
};

test.each(Object.keys(WRITINGS))("L-020 L-170 a remembered value is found: %s", (name) => {
  using machine = throwaway();
  const write = WRITINGS[name] as (value: string) => string;
  const values = [...Array.from({ length: 40 }, (_, n) => random(8 + n)), `${random(900)}+/${random(900)}`];
  openSession(machine.system, "s").remember(values.map((value) => secret(value)));
  const session = openSession(machine.reopen(), "s");
  for (const value of values) {
    // Values with few letters and digits are looked for as they are only.
    if (value.replace(/[^0-9a-z]/gi, "").length < 8 && write !== WRITINGS["as it is"]) continue;
    const text = `{"Key":"${write(value)}"}`;
    const [found] = session.valuesIn(text).secrets;
    expect(found, value).toBeDefined();
    expect(found?.value.replace(/[^0-9a-z]/gi, "")).toBe(value.replace(/[^0-9a-z]/gi, ""));
    expect(text.slice(found?.start, found?.end).length).toBeGreaterThanOrEqual(value.replace(/[^0-9a-z]/gi, "").length);
    expect(session.valuesIn(`{"Key":"${write(random(value.length))}"}`).secrets).toEqual([]);
  }
});

test("L-170 finding agrees with a plain search (property)", () => {
  using machine = throwaway();
  const part = fc.string({ minLength: 8, maxLength: 24, unit: fc.constantFrom("a", "b", "é") });
  const letters = (text: string) => text.replaceAll("é", "");
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.string({ maxLength: 120, unit: fc.constantFrom("a", "b", "é") }),
      fc.uuid(),
      (values, text, id) => {
        const session = openSession(machine.system, id);
        session.remember(values.map((value) => secret(value)));
        const there = values.some((value) => text.includes(value));
        // Read backwards or without what is no letter, more may stand there.
        const forms = [letters(text), [...letters(text)].reverse().join("")];
        const may = values.some((value) => forms.some((form) => form.includes(letters(value))));
        const found = session.valuesIn(text).secrets;
        if (there) expect(found.length).toBeGreaterThan(0);
        if (!there && !may) expect(found).toEqual([]);
        for (const { value } of found) expect(values.map(letters)).toContain(letters(value));
      },
    ),
    { numRuns: 200 },
  );
});

test("L-170 values with the same middle are told apart; more of their places than are worth it leave the text uncertain", () => {
  using machine = throwaway();
  const values = Array.from({ length: 100 }, (_, n) => `${n + 1000}-the same middle-${n + 1000}`);
  const session = openSession(machine.system, "s");
  session.remember(values.map((value) => secret(value)));
  const filler = "the same middle ";
  const { secrets, complete } = session.valuesIn(`${filler.repeat(9)}${values[99]}${filler.repeat(9)}`);
  expect(secrets.map(({ value }) => value)).toEqual([values[99] as string]);
  expect(complete).toBe(true);
  expect(session.valuesIn(filler.repeat(1_000)).complete).toBe(false);
});

test("L-170 what confirming costs is counted by what is read for it, the signs between a value's letters too", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "one");
  const value = Buffer.from(crypto.getRandomValues(new Uint8Array(8_000))).toString("hex");
  session.remember([secret(value)]);
  const middle = value.slice(7_996, 8_004);
  expect(session.valuesIn(`${value}${middle.repeat(5_000)}${value}`).complete).toBe(false);
  const gap = `${value.slice(0, 8_000)}${middle.repeat(50)}${" ".repeat(1_000_000)}${middle.repeat(50)}${value}`;
  expect(session.valuesIn(gap).complete).toBe(false);
  // The value itself, often, costs what it is long.
  const { secrets, complete } = session.valuesIn(`${value}\n`.repeat(100));
  expect([secrets.length, complete]).toEqual([100, true]);
});

test("L-170 every place in a text with other letters than ASCII is exact", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "one");
  const values = [`Ünï${random(12)}🔑`, random(20)];
  session.remember(values.map((value) => secret(value)));
  const text = `${values.join(" é🔑 ")} ö ${values.toReversed().join("→")}`;
  const { secrets } = session.valuesIn(text);
  expect(secrets.map(({ start, end }) => text.slice(start, end))).toEqual([...values, ...values.toReversed()]);
});

test("D-19 X-064 a plain word that only its field calls a secret is not remembered", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  session.remember([secret("production", "field"), secret("Anonymous", "field")]);
  expect(session.remembers).toBe(false);
  session.remember([secret("productionX9", "field"), secret("production", "credential")]);
  expect(session.valuesIn("production productionX9").secrets.length).toBe(2);
});

test("D-19 values under 8 characters are not remembered", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  session.remember([secret("1234567")]);
  expect(session.remembers).toBe(false);
});

test("L-170 L-169 D-25 files are 0600 in 0700 folders and hold no piece of a value", () => {
  using machine = throwaway();
  const value = random(64);
  const session = openSession(machine.system, "s");
  session.remember([secret(value)]);
  session.rememberCopies([copy(join(machine.home, "copy.env"))]);
  for (const folder of [".poisonzero", ".poisonzero/sessions"]) expect(statSync(join(machine.home, folder)).mode & 0o777).toBe(0o700);
  for (const file of files(join(machine.home, ".poisonzero"))) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const content = readFileSync(file, "latin1");
    for (let at = 0; at + 8 <= value.length; at++) expect(content).not.toContain(value.slice(at, at + 8));
  }
});

test("L-170 copies are kept, each once, and the newest word counts", () => {
  using machine = throwaway();
  openSession(machine.system, "s").rememberCopies([copy("/a"), copy("/b"), copy("/a"), copy("")]);
  openSession(machine.reopen(), "s").rememberCopies([{ ...copy("/a"), until: "1 2" }, copy("/c")]);
  expect(openSession(machine.reopen(), "s").copies).toEqual([copy("/b"), { ...copy("/a"), until: "1 2" }, copy("/c")]);
});

test.each(["a/b/c", "..", "../../x", "CON", "日本", "", "\0", "x".repeat(100_000), "a\nb", "\ud800"])(
  "L-170 any session id is harmless: %#",
  (id) => {
    using machine = throwaway();
    const value = random(32);
    openSession(machine.system, id).remember([secret(value)]);
    expect(knows(openSession(machine.reopen(), id), value)).toBe(true);
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
  expect(knows(session, "first value")).toBe(false);
  expect(knows(openSession(machine.reopen(), "one"), "first value")).toBe(false);
  expect(knows(openSession(machine.reopen(), "two"), "other value")).toBe(true);
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
    session.rememberCopies([copy("/x")]);
    expect(knows(session, "some value")).toBe(true);
    expect(session.copies).toEqual([copy("/x")]);
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
  expect(session.valuesIn("a text of some length").secrets).toEqual([]);
  expect(session.copies).toEqual([]);
  expect(readdirSync(machine.home)).toEqual([]);
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"v":3,"values":[]}',
  '{"v":3,"kinds":[["f","token","t"]],"copies":[1,["","","PROVEN"]],"images":[1,["a","npm","/p"],["a","docker"]]}\nAAAA',
  '{"v":3,"kinds":[[1]],"copies":{}}\n',
  "\0".repeat(100),
])("L-170 a torn or foreign session file is survived: %j", (text) => {
  using machine = throwaway();
  const value = random(20);
  openSession(machine.system, "s").remember([secret("older value")]);
  const path = files(join(machine.home, ".poisonzero/sessions")).find((file) => file.endsWith(".json")) as string;
  writeFileSync(path, text);
  const session = openSession(machine.reopen(), "s");
  expect(session.remembers).toBe(false);
  session.remember([secret(value)]);
  expect(knows(openSession(machine.reopen(), "s"), value)).toBe(true);
});

test("L-170 of two hooks at once, the one that says nothing about a copy takes back nothing", () => {
  using machine = throwaway();
  openSession(machine.system, "s").rememberCopies([{ ...copy("/a"), until: "1 2" }]);
  const other = openSession(machine.reopen(), "s");
  expect(other.copies).toEqual([{ ...copy("/a"), until: "1 2" }]);
  openSession(machine.reopen(), "s").rememberCopies([copy("/a")]);
  other.rememberHosts(["git.example"]);
  const now = openSession(machine.reopen(), "s");
  expect([now.copies, now.hosts]).toEqual([[copy("/a")], ["git.example"]]);
});

test("L-170 the longest paths and hosts there are leave a file that can be read", () => {
  using machine = throwaway();
  const long = (n: number) => `/${n}/${"\u{4e2d}".repeat(4_000)}`;
  const session = openSession(machine.system, "s");
  session.remember(Array.from({ length: CHOSEN.session_values }, (_, n) => secret(`value number ${n}`)));
  session.rememberCopies(Array.from({ length: CHOSEN.session_copies }, (_, n) => ({ ...copy(long(n)), of: long(n) })));
  session.rememberHosts(Array.from({ length: CHOSEN.session_hosts }, (_, n) => long(n)));
  const folder = (n: number) => ({ written: long(n), path: long(n) });
  session.rememberImages(
    Array.from({ length: CHOSEN.session_images }, (_, n) => ({ name: `a${n}`, packing: { tool: "docker", folder: folder(n) } })),
  );
  const next = openSession(machine.reopen(), "s");
  expect(next.images.at(-1)?.packing).toEqual({ tool: "docker", folder: folder(CHOSEN.session_images - 1), guessed: true });
  expect(knows(next, "value number 7")).toBe(true);
  expect(next.copies.at(-1)?.path).toBe(long(CHOSEN.session_copies - 1));
  expect(next.hosts.at(-1)).toBe(long(CHOSEN.session_hosts - 1));
});

test("L-170 an image is remembered with what it was built from; one whose places are not known is not", () => {
  using machine = throwaway();
  const there = { written: "/p", path: "/p" };
  const images = [
    { name: "a:latest", packing: { tool: "docker", folder: there, file: { written: "/p/D", path: "/p/D" }, target: "prod" } },
    { name: "$", packing: { tool: "compose", folder: there, members: ["acme/web:1"] } },
  ];
  const session = openSession(machine.system, "s");
  session.rememberImages([...images, { name: "b:latest", packing: { tool: "docker", folder: { written: "$D", path: undefined } } }]);
  session.rememberImages(images);
  const remembered = images.map(({ name, packing }) => ({ name, packing: { ...packing, guessed: true as const } }));
  expect(openSession(machine.reopen(), "s").images).toEqual(remembered);
});

test("L-170 the oldest values are forgotten first", () => {
  using machine = throwaway();
  const values = Array.from({ length: CHOSEN.session_values + 5 }, (_, n) => `value number ${n + 10_000}`);
  openSession(machine.system, "s").remember(values.map((value) => secret(value)));
  const session = openSession(machine.reopen(), "s");
  expect(knows(session, values[4] as string)).toBe(false);
  expect(knows(session, values[5] as string)).toBe(true);
  expect(knows(session, values.at(-1) as string)).toBe(true);
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
  for (let n = 0; n < 50; n++) expect(knows(session, `parallel value ${n}`)).toBe(true);
}, 30_000);

test("L-170 a session file removed meanwhile is made anew", () => {
  using machine = throwaway();
  const session = openSession(machine.system, "s");
  session.remember([secret("first value")]);
  rmSync(join(machine.home, ".poisonzero/sessions"), { recursive: true });
  session.remember([secret("other value")]);
  expect(knows(openSession(machine.reopen(), "s"), "first value")).toBe(true);
});
