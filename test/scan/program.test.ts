/** `poisonzero scan` as it is installed: the compiled program through its launcher. */
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT } from "../../src/commands/outcome.ts";
import { mint } from "../mint.ts";
import { call, type Product, product, temporaryFolder } from "../product.ts";

let of: Product;
const home = temporaryFolder("scan-home");
beforeAll(() => {
  of = product();
}, 120_000);

function tree(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder("scan");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function scan(folder: string, args: readonly string[], stdin = "") {
  return call(of, ["scan", ...args], stdin, { HOME: home }, folder);
}

const objects = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("L-168 L-169 what was found by file, with proof, place and hash, and without the value; exit code 2", () => {
  const token = mint.github();
  const folder = tree({ "src/a.ts": `\nconst t = "${token}";\n`, "src/b.ts": "plain\n", ".gitignore": "x\n", x: token });
  const { code, stdout, stderr } = scan(folder, ["src", "x"]);
  expect({ code, stderr }).toEqual({ code: EXIT.found, stderr: "" });
  expect(stdout).toMatch(
    /^src\/a\.ts\n {2}2:12 {2}GitHub personal access token · proven \(checksum\) · hash [0-9a-f]{8}\n {6}const t = "\[leak0:github:[0-9a-f]{8}\]";\n\nx\n/,
  );
  expect(stdout).toMatch(/\n\n2 secrets in 2 files\. Looked at 3 files, 1 kB, in \d+\.\d s\.\n$/);
  expect(stdout).not.toContain(token.slice(8, 16));
  const json = scan(folder, ["--json", "src"]);
  expect(json.code).toBe(EXIT.found);
  const [found] = objects(json.stdout);
  expect(Object.keys(found ?? {})).toEqual(["path", "line", "column", "family", "proof", "hash", "rule"]);
  expect(stdout).toContain(`hash ${found?.hash}`);
});

test("nothing found is exit code 0 and says how much was looked at, and that something was left out", () => {
  const folder = tree({ "a.txt": "KEY=your-api-key-here\n", ".gitignore": "b.txt\n", "b.txt": mint.npm() });
  const { code, stdout } = scan(folder, []);
  expect(code).toBe(EXIT.done);
  expect(stdout).toStartWith("Nothing found. Looked at 2 files");
  expect(stdout).toEndWith("Ignore rules left out 1 file or folder (--no-ignore).\n");
  expect(scan(folder, ["--no-ignore"]).code).toBe(EXIT.found);
});

test("D-04 X-063 a repository's samples are left out by its committed list, counted, and shown with --no-exempt", () => {
  const token = mint.github();
  const folder = tree({ "fixtures/a.ts": token, "src/b.ts": token, "c.txt": "x", ".leak0-exempt": "path:fixtures/**\n" });
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x"];
  expect(scan(folder, []).stdout).toContain("2 secrets in 2 files.");
  for (const args of [["init", "-q"], ["add", ".leak0-exempt"], commit]) Bun.spawnSync(["git", "-C", folder, ...args]);
  expect(scan(folder, []).stdout).toMatch(/1 secret in 1 file\..* 1 finding left out by \.leak0-exempt \(--no-exempt\)\.\n$/);
  expect(scan(folder, ["fixtures"]).code).toBe(EXIT.done);
  expect(scan(folder, ["fixtures/a.ts"]).code).toBe(EXIT.done);
  expect(scan(folder, ["--no-exempt", "fixtures"]).code).toBe(EXIT.found);
  const digest = new Bun.CryptoHasher("sha256").update(token).digest("hex");
  writeFileSync(join(folder, ".leak0-exempt"), `sha256:${digest}\n`);
  for (const args of [["add", ".leak0-exempt"], commit]) Bun.spawnSync(["git", "-C", folder, ...args]);
  expect(scan(folder, []).code).toBe(EXIT.done);
  writeFileSync(join(folder, ".leak0-exempt"), "path:fixtures/**\nfixtures\n");
  for (const args of [["add", ".leak0-exempt"], commit]) Bun.spawnSync(["git", "-C", folder, ...args]);
  const broken = scan(folder, []);
  expect(broken.stdout).toContain("2 secrets in 2 files.");
  expect(broken.stderr).toMatch(/\.leak0-exempt exempts nothing: line 2 has a part .*\n  Next: /);
});

test("standard input", () => {
  const token = mint.npm();
  const { code, stdout } = scan(tree({}), ["--json", "-"], `one\n two ${token}\n`);
  expect(code).toBe(EXIT.found);
  expect(objects(stdout)).toMatchObject([{ path: "-", line: 2, column: 6, family: "npm", proof: "checksum" }]);
  expect(scan(tree({}), ["-"], "nothing\n").code).toBe(EXIT.done);
});

test("SARIF: one log, with every rule it names", () => {
  const folder = tree({ "a b/ü.ts": `x ${mint.github()}\n`, ".env": "DB_PASSWORD=vF7-kq2Lw9-Zp4\n" });
  const { code, stdout } = scan(folder, ["--sarif"]);
  expect(code).toBe(EXIT.found);
  const log = JSON.parse(stdout);
  expect(log).toMatchObject({ version: "2.1.0", runs: [{ columnKind: "utf16CodeUnits", invocations: [{ executionSuccessful: true }] }] });
  const [run] = log.runs;
  expect(run.results.map((one: { level: string }) => one.level)).toEqual(["warning", "error"]);
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
  const { artifactLocation, region } = run.results[1].locations[0].physicalLocation;
  expect(artifactLocation.uri).toBe("a%20b/%C3%BC.ts");
  expect(region).toMatchObject({ startLine: 1, startColumn: 3 });
  expect(JSON.parse(scan(tree({ a: "b" }), ["--sarif"]).stdout).runs[0].results).toEqual([]);
});

test("many files are looked at by several processes, with the same findings in the same order as by one", () => {
  const files: Record<string, string> = {};
  const tokens = Array.from({ length: 40 }, () => mint.github());
  for (let number = 0; number < 1_000; number++) {
    const name = `d${String(number % 7)}/f${String(number).padStart(4, "0")}.txt`;
    files[name] = number % 25 === 0 ? `at ${tokens[number / 25]}\n` : "nothing to see\n";
  }
  const folder = tree(files);
  const all = objects(scan(folder, ["--json", "."]).stdout);
  expect(all).toHaveLength(40);
  expect(all.map(({ path }) => path)).toEqual(all.map(({ path }) => path as string).toSorted());
  const single = all.flatMap(({ path }) => objects(scan(folder, ["--json", path as string]).stdout));
  expect(single).toEqual([...all]);
}, 60_000);

test.each([
  [["nowhere"], EXIT.failed, "there is no nowhere", "check the path"],
  [["-", "src"], EXIT.usage, "takes no further path", "poisonzero scan -"],
  [["", "src"], EXIT.usage, "an empty path names nothing", "poisonzero scan ."],
  [["--json", "--sarif"], EXIT.usage, "two forms of the same", "choose one"],
  [["--jsn"], EXIT.usage, "did you mean --json?", "Usage: poisonzero scan"],
] as const)("a mistake ends with the next step: %j", (args, code, words, next) => {
  const done = scan(tree({}), args);
  expect({ code: done.code, stdout: done.stdout }).toEqual({ code, stdout: "" });
  expect(done.stderr).toContain(words);
  expect(done.stderr).toContain(next);
});
