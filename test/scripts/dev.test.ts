import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");

function dev(...args: readonly string[]) {
  const done = Bun.spawnSync(["sh", join(ROOT, "install/dev.sh"), ...args], { cwd: "/" });
  return { code: done.exitCode, out: done.stdout.toString(), err: done.stderr.toString() };
}

test.each(["--help", "-h", "help"])("dev.sh %s names every command of package.json", (word) => {
  const { code, out, err } = dev(word);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
  for (const name of Object.keys(scripts)) expect(out).toContain(`sh install/dev.sh ${name} `);
});

test.each([[], ["nonsense"]])("dev.sh %j is refused with the next step", (...args) => {
  const { code, out, err } = dev(...args);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("sh install/dev.sh --help");
});
