/** Objects of a `.git` folder read without Git, beside what Git itself says is in it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { gitObjects, isGitObject } from "../../src/secrets/git-objects.ts";
import { temporaryFolder } from "../product.ts";

const folder = temporaryFolder("git-objects");
const git = (...args: readonly string[]): Buffer =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder, maxBuffer: 1 << 28 });

git("init", "-q", "-b", "main");
const lines = Array.from({ length: 400 }, (_, index) => `line ${index} ${"x".repeat(index % 60)}`);
for (let version = 0; version < 12; version++) {
  lines[version * 30] = `changed in ${version}`;
  lines.splice(version * 7, 1);
  writeFileSync(join(folder, "long.txt"), lines.join("\n"));
  writeFileSync(join(folder, `${version}.txt`), `file ${version}\n`);
  git("add", "-A");
  git("commit", "-qm", `version ${version}`);
}
git("tag", "-am", "a tag", "v1");

/** What Git itself says: every object but trees. */
function expected(): readonly string[] {
  const names = git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)").toString().trim().split("\n");
  return names
    .map((line) => line.split(" "))
    .filter(([type]) => type !== "tree")
    .map(([type = "", oid = ""]) => git("cat-file", type, oid).toString("latin1"))
    .sort();
}

function entries(): { path: string; bytes: Uint8Array }[] {
  return readdirSync(join(folder, ".git"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path: path.slice(folder.length + 1), bytes: readFileSync(path) };
    });
}

const read = () => {
  const objects = gitObjects(entries());
  return { whole: objects.whole, contents: objects.contents.map((bytes) => Buffer.from(bytes).toString("latin1")).sort() };
};

test("L-021 X-015 single objects of a repository in an archive are read as Git reads them", () => {
  expect(read()).toEqual({ whole: true, contents: [...expected()] });
});

test("L-021 X-015 a pack with deltas is read as Git reads it", () => {
  git("gc", "-q", "--aggressive");
  const packs = entries().filter(({ path }) => path.endsWith(".pack"));
  expect(packs.length).toBe(1);
  expect(git("verify-pack", "-v", packs[0]?.path.replace(/\.pack$/, ".idx") ?? "").toString()).toContain("chain length");
  expect(read()).toEqual({ whole: true, contents: [...expected()] });
});

test("X-015 a damaged pack is not whole, and other files are no repository", () => {
  const cut = entries().map(({ path, bytes }) => ({ path, bytes: path.endsWith(".pack") ? bytes.subarray(0, bytes.length / 2) : bytes }));
  expect(gitObjects(cut).whole).toBe(false);
  expect(isGitObject("src/objects/a.ts")).toBe(false);
});
