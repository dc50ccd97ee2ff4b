import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../src/commands/program.ts";
import { EXIT } from "../../src/commands/outcome.ts";
import { SPECIFIED } from "../../src/limits.ts";
import { globProblem, newGlobProblem } from "../../src/policy/glob.ts";
import { resolveLeak0 } from "../../src/policy/leak0.ts";
import type { System } from "../../src/system.ts";
import { mint } from "../mint.ts";
import { call, product, setting, temporaryFolder } from "../product.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

async function run(system: System, ...argv: readonly string[]) {
  const written = { out: "", err: "" };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
    interactive: false,
    watched: false,
    colour: false,
    gone: false,
  };
  return { code: await runCommand(["leak0", ...argv], system, terminal), ...written };
}

const person = (machine: Throwaway) => machine.reopen({ uid: 61_000 });
const stored = (machine: Throwaway) => JSON.parse(readFileSync(join(machine.data, "leak0.local.json"), "utf8"));

test("L-137 L-142 file add, list and remove, with fields and without", async () => {
  using machine = throwaway();
  machine.setting("leak0mode", "enforce\n");
  expect(await run(machine.system, "file", "add", "**/house.vars", "--keys", "door, alarm,door")).toEqual({
    code: EXIT.done,
    out: "added to the secret files: **/house.vars\n",
    err: "",
  });
  await run(machine.system, "file", "add", "~/notes/*.txt");
  expect(stored(machine)).toEqual({
    secretFiles: [{ path: "**/house.vars", keys: ["door", "alarm"] }, { path: "~/notes/*.txt" }],
    exclusions: [],
  });
  expect((await run(person(machine), "file", "list")).out).toBe("**/house.vars  (fields: door, alarm)\n~/notes/*.txt\n");
  expect(JSON.parse((await run(person(machine), "file", "list", "--json")).out)).toEqual({ secretFiles: stored(machine).secretFiles });
  expect((await run(machine.system, "file", "add", "**/house.vars")).out).toStartWith("other fields for:");
  expect((await run(machine.system, "file", "add", "**/house.vars")).out).toStartWith("already among");
  expect((await run(machine.system, "file", "remove", "**/house.vars")).out).toStartWith("taken out");
  expect(stored(machine).secretFiles).toEqual([{ path: "~/notes/*.txt" }]);
  expect(resolveLeak0(machine.system).secretFiles).toEqual([{ path: "~/notes/*.txt" }]);
});

test("L-138 L-142 exclude add, list and remove; other fields of the file stay", async () => {
  using machine = throwaway();
  machine.setting("leak0.local.json", '{"note":"ours","secretFiles":[{"path":"a"}]}');
  const { code, out } = await run(machine.system, "exclude", "add", "**/fixtures/**");
  expect(code).toBe(EXIT.done);
  expect(out).toContain("leak0 is off, so the list has no effect yet.\n  Switch it on: sudo poisonzero leak0 enforce");
  expect(stored(machine)).toEqual({ note: "ours", secretFiles: [{ path: "a" }], exclusions: ["**/fixtures/**"] });
  expect(statSync(join(machine.data, "leak0.local.json")).mode & 0o777).toBe(0o644);
  expect((await run(person(machine), "exclude", "list")).out).toBe("**/fixtures/**\n");
  await run(machine.system, "exclude", "remove", "**/fixtures/**");
  expect((await run(person(machine), "exclude", "list")).out).toBe(
    "No exclusions.\n  Add one: sudo poisonzero leak0 exclude add '**/fixtures/**'\n",
  );
  expect(await run(machine.system, "exclude", "remove", "nothing")).toMatchObject({
    code: EXIT.failed,
    err: "poisonzero: 'nothing' is not among the exclusions\n  Next: poisonzero leak0 exclude list\n",
  });
});

test("L-128 L-129 200 entries fit, one more is refused and changes nothing", async () => {
  using machine = throwaway();
  const many = (count: number) => Array.from({ length: count }, (_, number) => `name${number}`);
  machine.setting("leak0.local.json", JSON.stringify({ exclusions: many(SPECIFIED.list_entries - 1) }));
  expect((await run(machine.system, "exclude", "add", "one")).code).toBe(EXIT.done);
  const { code, err } = await run(machine.system, "exclude", "add", "two");
  expect(code).toBe(EXIT.failed);
  expect(err).toContain("the list is full: it holds 200 entries");
  expect(err).toContain("Next: ");
  expect(stored(machine).exclusions).toHaveLength(SPECIFIED.list_entries);
});

test.each([["file"], ["exclude"]])("L-131 L-137 L-138 %s add and remove: administrators of private devices only", async (list) => {
  using machine = throwaway();
  for (const verb of ["add", "remove"]) {
    const { code, err } = await run(person(machine), list, verb, "x");
    expect(code).toBe(EXIT.refused);
    expect(err).toEndWith(`Next: sudo poisonzero leak0 ${list} ${verb} 'x'\n`);
  }
  machine.setting("cloud", "");
  machine.setting("leak0.profile", '{"mode":"enforce","exclusions":["from-the-console"],"secretFiles":[{"path":"from-the-console"}]}');
  expect((await run(machine.system, list, "add", "x")).code).toBe(EXIT.refused);
  expect((await run(machine.system, list, "list")).out).toBe("from-the-console\n");
  expect(existsSync(join(machine.data, "leak0.local.json"))).toBe(false);
});

test("a file that does not count is never overwritten, and list says why it does not", async () => {
  using machine = throwaway();
  for (const [text, why] of [
    ["{", "leak0.local.json is not a JSON object"],
    ['{"exclusions":["!a"]}', "exclusions entry 1 is not a glob"],
  ] as const) {
    machine.setting("leak0.local.json", text);
    const added = await run(machine.system, "exclude", "add", "x");
    expect(added.code).toBe(EXIT.failed);
    expect(added.err).toContain(why);
    const listed = await run(machine.system, "exclude", "list");
    expect({ code: listed.code, err: listed.err }).toMatchObject({ code: EXIT.failed, err: expect.stringContaining(why) });
    expect(readFileSync(join(machine.data, "leak0.local.json"), "utf8")).toBe(text);
  }
});

describe("globs", () => {
  test.each([
    ["", "is empty"],
    ["!a", "begins with !"],
    ["a[b", "a [ that nothing closes"],
    ["a{b", "a { that nothing closes"],
    ["a}b", "a } without its {"],
    ["[[:alpha:]]", "[:…:]"],
    ["a\nb", "control character"],
    ["x".repeat(5_000), "longer than 4096"],
  ])("%j is refused wherever it stands: %s", (glob, why) => {
    expect(globProblem(glob)).toContain(why);
    expect(newGlobProblem(glob, "file")).toContain(why);
  });

  test.each([
    ["src/**", "**/src/**"],
    ["~/a/", "~/a/**"],
    ["~", "~/**"],
    ["/a/../b", "holds . or .."],
  ])("%j is refused when it is added, since it fits nothing: %s", (glob, why) => {
    expect(globProblem(glob)).toBeUndefined();
    expect(newGlobProblem(glob, "exclude")).toContain(why);
  });

  test.each([["**"], ["*"], ["**/*"], ["/**"], ["/*/**"], ["{a,**}"]])("%j would fit everything", (glob) => {
    expect(newGlobProblem(glob, "exclude")).toContain("fits every file");
    expect(newGlobProblem(glob, "file")).toContain("fits every file");
  });

  test.each([
    ["house.vars"],
    ["*.vars"],
    ["**/fixtures/**"],
    ["~/a/{b,c}.txt"],
    ["%USERPROFILE%\\a"],
    ["C:\\x\\*.key"],
    ["/a/[ab]"],
    ["[!]]"],
    ["/a/[[]x"],
  ])("%j is taken", (glob) => expect(newGlobProblem(glob, "exclude")).toBeUndefined());

  test("what is refused is wrong usage and names the glob", async () => {
    using machine = throwaway();
    const { code, err } = await run(machine.system, "exclude", "add", "a[b");
    expect(code).toBe(EXIT.usage);
    expect(err).toBe(
      "poisonzero: 'a[b' has a [ that nothing closes; for the character itself write [[]\n  Next: poisonzero leak0 exclude add --help\n",
    );
    expect((await run(machine.system, "file", "add", "x", "--keys", "a,,b")).code).toBe(EXIT.usage);
  });
});

test("L-129 L-137 L-138 through the installed program: an exclusion and a listed file change what the hook says", () => {
  const of = product();
  const home = temporaryFolder("lists");
  const repo = join(home, "repo");
  mkdirSync(join(repo, "fixtures"), { recursive: true });
  writeFileSync(join(repo, "fixtures/credentials"), mint.awsCredentials().text);
  writeFileSync(join(repo, "house.vars"), "door_password: opensesame-42\n");
  Bun.spawnSync(["git", "init", "-q", repo]);
  const leak0 = (...args: readonly string[]) => call(of, ["leak0", ...args], "", { HOME: home }, repo);
  const asked = () => ["git add fixtures", "git add house.vars"].map((command) => leak0("check", command).code);
  try {
    expect(asked()).toEqual([EXIT.asked, EXIT.done]);
    expect(leak0("exclude", "add", "**/fixtures/**").code).toBe(EXIT.done);
    expect(leak0("file", "add", "house.vars", "--keys", "door_password").code).toBe(EXIT.done);
    expect(asked()).toEqual([EXIT.done, EXIT.asked]);
    expect(leak0("exclude", "remove", "**/fixtures/**").code).toBe(EXIT.done);
    expect(leak0("file", "remove", "house.vars").code).toBe(EXIT.done);
    // By the whole path as well, although Git knows only the one inside the repository.
    expect(leak0("exclude", "add", "~/repo/fixtures/*").code).toBe(EXIT.done);
    expect(leak0("file", "add", `${home}/repo/*.vars`).code).toBe(EXIT.done);
    expect(asked()).toEqual([EXIT.done, EXIT.asked]);
    expect(leak0("exclude", "remove", "~/repo/fixtures/*").code).toBe(EXIT.done);
    expect(leak0("file", "remove", `${home}/repo/*.vars`).code).toBe(EXIT.done);
    expect(asked()).toEqual([EXIT.asked, EXIT.done]);
  } finally {
    setting(of, "leak0.local.json", undefined);
  }
}, 120_000);

test("L-062 L-069 L-075 allow without the service approves nothing, says why, and what to do instead", async () => {
  using machine = throwaway();
  machine.file("project/.env", "A=b\n");
  const file = join(machine.home, "project/.env");
  const { code, out, err } = await run(person(machine), "allow", file);
  expect({ code, out }).toEqual({ code: EXIT.failed, out: "" });
  expect(err).toStartWith("poisonzero: nothing was approved: no PoisonZero service answers");
  expect(err).toContain("Next: run the Git command yourself");
  expect((await run(person(machine), "allow", `${file}.not-there`)).err).toContain("there is no file");
});
