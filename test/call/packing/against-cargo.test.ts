/** The oracle is cargo: `cargo package --list` names what has to be named here. Runs where there is a cargo. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { cratePackage } from "../../../src/call/packing/cargo.ts";
import { Work } from "../../../src/call/packing/pattern.ts";
import { openSystem } from "../../../src/system.ts";

const FOLDERS = ["", "", "src/", "src/deep/", "tests/", ".hidden/", "target/", "sub/", "docs/"];
const NAMES = [".env", "mod.rs", "a.log", "key.pem", "README.md", ".gitignore.bak", "Data.JSON", "x y.txt"];
const path = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map(([folder, name]) => folder + name);
const pattern = fc.oneof(
  path,
  path.map((one) => `/${one}`),
  path.map((one) => `!${one}`),
  fc.constantFrom("*.log", "src", "src/", "/src", "**/*.rs", "src/**", "*", "!src", ".env", "docs/*", "!*.md", "*.pem", ".*", "src/deep/"),
);
const scene = fc.record({
  files: fc.array(path, { minLength: 2, maxLength: 10 }),
  manifest: fc.record(
    { exclude: fc.array(pattern, { maxLength: 3 }), include: fc.array(pattern, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  ),
  ignore: fc.option(
    fc.array(pattern, { maxLength: 3 }).map((lines) => lines.join("\n")),
    { nil: undefined },
  ),
  repository: fc.boolean(),
  nested: fc.boolean(),
  links: fc.boolean(),
  added: fc.boolean(),
});

test.if(Bun.which("cargo") !== null)(
  "L-011: the files of a crate are those cargo packs",
  () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "pz-cargo-")));
    const environment = { ...process.env, GIT_CEILING_DIRECTORIES: base, HOME: process.env["HOME"] ?? base };
    const run = (cwd: string, ...words: string[]) =>
      spawnSync(words[0] as string, words.slice(1), { cwd, env: environment, encoding: "utf8" });
    try {
      let compared = 0;
      for (const [index, one] of fc.sample(scene, { numRuns: 60, seed: 20 }).entries()) {
        const root = join(base, String(index));
        const put = (name: string, content: string): void => {
          mkdirSync(dirname(join(root, name)), { recursive: true });
          writeFileSync(join(root, name), content);
        };
        const lists = Object.entries(one.manifest).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
        // An include list and an exclude list together: cargo takes the first alone.
        put("Cargo.toml", `[package]\nname = "p"\nversion = "1.0.0"\nedition = "2021"\n${lists.join("")}\n[workspace]\n`);
        put("src/lib.rs", "");
        for (const name of one.files) put(name, name);
        if (one.nested) put("sub/Cargo.toml", '[package]\nname = "s"\nversion = "1.0.0"\n');
        if (one.ignore !== undefined) put(".gitignore", one.ignore);
        if (one.links) symlinkSync("src/lib.rs", join(root, "link.rs"));
        if (one.repository) {
          run(root, "git", "init", "-q");
          if (one.added) run(root, "git", "add", "-A");
        }
        const done = run(root, "cargo", "package", "--list", "--allow-dirty", "--offline");
        if (done.status !== 0) continue; // cargo refuses this manifest.
        compared++;
        const theirs = new Set(
          done.stdout
            .split("\n")
            .filter((name) => name !== "" && !/^(?:Cargo\.toml\.orig|\.cargo_vcs_info\.json|Cargo\.lock|link\.rs)$/.test(name)),
        );
        const ours = cratePackage(
          { tool: "cargo", folder: { written: ".", path: root } },
          root,
          openSystem({ environment: { PATH: process.env["PATH"] ?? "" } }),
          new Work(),
        )[0];
        const named = new Set(ours?.files.map(({ relative }) => relative));
        const story = JSON.stringify(one);
        expect(
          [...theirs].filter((name) => !named.has(name)),
          `left out of ${story}`,
        ).toEqual([]);
        const sure = ours?.files.filter(({ surely }) => surely).map(({ relative }) => relative) ?? [];
        expect(
          sure.filter((name) => !theirs.has(name) && name !== "Cargo.lock"),
          `too much in ${story}`,
        ).toEqual([]);
      }
      expect(compared).toBeGreaterThan(40);
    } finally {
      rmSync(base, { recursive: true });
    }
  },
  60_000,
);
