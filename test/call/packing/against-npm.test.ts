/** The oracle is npm itself: the files its own packer names are the files that have to be named here. */
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { nodePackage } from "../../../src/call/packing/node.ts";
import { Work } from "../../../src/call/packing/pattern.ts";
import { openSystem } from "../../../src/system.ts";
import { build, scene } from "./packages.ts";

/** Packs folders with npm's own modules, all in one process: `npm pack --dry-run` once per folder would take minutes. */
const ORACLE = `
const { dirname, join } = require("node:path");
const { realpathSync } = require("node:fs");
const npm = realpathSync(process.argv[1]);
const Arborist = require(require.resolve("@npmcli/arborist", { paths: [npm] }));
const packlist = require(require.resolve("npm-packlist", { paths: [npm] }));
(async () => {
  const answers = [];
  for (const { path, prefix, workspaces } of JSON.parse(require("node:fs").readFileSync(0, "utf8"))) {
    try {
      const tree = await new Arborist({ path }).loadActual();
      answers.push(await packlist(tree, { path, prefix, workspaces }));
    } catch (error) {
      answers.push(String(error));
    }
  }
  process.stdout.write(JSON.stringify(answers));
})();
`;

test("L-011: the files of an npm package are those npm packs", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "pz-npm-")));
  try {
    const scenes = fc.sample(scene, { numRuns: 250, seed: 20 });
    const asked = scenes.map((one, index) => {
      const root = join(base, String(index));
      build(root, one);
      return one.from === "root" ? { path: root } : { path: join(root, one.from), prefix: root, workspaces: [join(root, one.from)] };
    });
    const done = spawnSync("node", ["-e", ORACLE, Bun.which("npm") ?? "npm"], {
      input: JSON.stringify(asked),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(done.stderr.replace(/^.*gitignore-fallback.*\n/gm, "")).toBe("");
    const answers = JSON.parse(done.stdout) as (string[] | string)[];
    const system = openSystem({ environment: {} });
    let compared = 0;
    for (const [index, answer] of answers.entries()) {
      if (typeof answer === "string") continue; // npm refuses this manifest.
      compared++;
      const { path: folder, prefix } = asked[index] as { path: string; prefix?: string };
      const ours = nodePackage(folder, prefix, system, new Work());
      const theirs = new Set(answer.map((name) => name.replace(/^\.\//, "")));
      const named = new Set(ours.files.map(({ relative }) => relative));
      const story = JSON.stringify(scenes[index]);
      expect(
        [...theirs].filter((name) => !named.has(name)),
        `left out of ${story}`,
      ).toEqual([]);
      expect(
        ours.files.filter(({ relative, surely }) => surely && !theirs.has(relative)).map(({ relative }) => relative),
        `too much in ${story}`,
      ).toEqual([]);
    }
    expect(compared).toBeGreaterThan(200);
  } finally {
    rmSync(base, { recursive: true });
  }
}, 60_000);
