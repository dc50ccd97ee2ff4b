/**
 * Every switch of the JavaScript runtime that an environment variable, a file in the working directory or an argument
 * could throw, tried on built binaries: the runtime alone (hardened copy) and behind the launcher.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProduct, call, type Product, product, setting, temporaryFolder } from "../product.ts";

// Building takes longer than the default where the machine is busy.
setDefaultTimeout(120_000);

/** A folder full of files that a runtime might obey, and a home that is one as well. */
function trap(): string {
  const folder = temporaryFolder("trap");
  writeFileSync(
    join(folder, "evil.ts"),
    'globalThis.takenOver = 1; require("node:fs").writeFileSync(`${import.meta.dir}/taken`, ""); process.exit(0);\n',
  );
  writeFileSync(join(folder, "bunfig.toml"), `preload = ["${folder}/evil.ts"]\n`);
  writeFileSync(join(folder, ".bunfig.toml"), `preload = ["${folder}/evil.ts"]\n`);
  for (const name of [".env", ".env.local", ".env.production"]) writeFileSync(join(folder, name), "FROM_DOTENV=1\nHOME=/elsewhere\n");
  writeFileSync(join(folder, "package.json"), '{"name":"trap","imports":{"#x":"./evil.ts"}}\n');
  writeFileSync(join(folder, "tsconfig.json"), '{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}\n');
  mkdirSync(join(folder, "node_modules", "unbash"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "unbash", "index.js"), 'require("node:fs").writeFileSync("taken", "")\n');
  writeFileSync(join(folder, "evil.c"), `#include <stdlib.h>\n__attribute__((constructor)) static void take(void) { _Exit(0); }\n`);
  const compiled = Bun.spawnSync(["gcc", "-shared", "-fPIC", "-o", join(folder, "evil.so"), join(folder, "evil.c")]);
  if (compiled.exitCode !== 0) throw new Error(compiled.stderr.toString());
  return folder;
}

/** The rows; `behind` says that only the launcher can stop it, since it acts before the runtime reads anything. */
const ROWS: readonly { readonly name: string; readonly env: (folder: string) => Record<string, string>; readonly behind?: true }[] = [
  { name: "files of the working directory (.env, bunfig.toml, package.json, tsconfig.json, node_modules)", env: () => ({}) },
  { name: "files of the home folder", env: (folder) => ({ HOME: folder, XDG_CONFIG_HOME: folder }) },
  { name: "BUN_OPTIONS=--preload", env: (folder) => ({ BUN_OPTIONS: `--preload=${folder}/evil.ts` }) },
  { name: "BUN_OPTIONS=-r", env: (folder) => ({ BUN_OPTIONS: `-r ${folder}/evil.ts` }) },
  { name: "BUN_OPTIONS=--import", env: (folder) => ({ BUN_OPTIONS: `--import=${folder}/evil.ts` }) },
  { name: "BUN_OPTIONS=--config", env: (folder) => ({ BUN_OPTIONS: `--config=${folder}/bunfig.toml` }) },
  { name: "BUN_OPTIONS=--help", env: () => ({ BUN_OPTIONS: "--help" }) },
  { name: "BUN_OPTIONS=--version", env: () => ({ BUN_OPTIONS: "--version" }) },
  { name: "BUN_OPTIONS=--cpu-prof", env: () => ({ BUN_OPTIONS: "--cpu-prof" }) },
  { name: "BUN_OPTIONS=--env-file", env: (folder) => ({ BUN_OPTIONS: `--env-file=${folder}/.env` }) },
  { name: "BUN_BE_BUN", env: () => ({ BUN_BE_BUN: "1" }) },
  { name: "BUN_INSPECT", env: () => ({ BUN_INSPECT: "127.0.0.1:0" }) },
  { name: "BUN_INSPECT_PRELOAD", env: (folder) => ({ BUN_INSPECT_PRELOAD: `${folder}/evil.ts` }) },
  { name: "BUN_INSPECT_CONNECT_TO", env: () => ({ BUN_INSPECT_CONNECT_TO: "127.0.0.1:9" }) },
  { name: "BUN_BYTECODE_ORDER_OUT", env: (folder) => ({ BUN_BYTECODE_ORDER_OUT: `${folder}/taken` }) },
  { name: "NODE_OPTIONS", env: (folder) => ({ NODE_OPTIONS: `--require ${folder}/evil.ts` }) },
  { name: "NODE_PATH", env: (folder) => ({ NODE_PATH: `${folder}/node_modules` }) },
  { name: "BUN_JSC_ with an unknown option", env: () => ({ BUN_JSC_bogus: "1" }), behind: true },
  { name: "BUN_JSC_maxPerThreadStackUsage", env: () => ({ BUN_JSC_maxPerThreadStackUsage: "1000" }), behind: true },
  { name: "LD_PRELOAD", env: (folder) => ({ LD_PRELOAD: `${folder}/evil.so` }), behind: true },
  { name: "LD_LIBRARY_PATH and LD_AUDIT", env: (folder) => ({ LD_LIBRARY_PATH: folder, LD_AUDIT: `${folder}/evil.so` }), behind: true },
  { name: "GLIBC_TUNABLES", env: () => ({ GLIBC_TUNABLES: "glibc.malloc.top_pad=99999999999999" }), behind: true },
];

const EVENT = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}';

describe("a program that prints what it was given", () => {
  let built: Product;
  beforeAll(() => {
    built = buildProduct({ entry: join(import.meta.dir, "print-environment.ts") });
    setting(built, "leak0mode", "enforce\n");
  });

  test.each(ROWS.map((row) => [row.name, row] as const))("D-28: behind the launcher, no effect: %s", (_, row) => {
    const folder = trap();
    const before = readdirSync(folder);
    const answered = call(built, ["hook", "claude"], EVENT, { PATH: "/usr/bin:/bin", HOME: "/home/dev", ...row.env(folder) }, folder);
    expect(answered.stderr).toBe("");
    expect(JSON.parse(answered.stdout)).toEqual({
      ran: true,
      input: EVENT,
      execArgv: ["--disallow-code-generation-from-strings=strict"],
      standalone: true,
      environment: ["BUN_JSC_useFTLJIT", "BUN_JSC_useOMGJIT", "BUN_JSC_useWasmIPInt", "LANG", "LC_ALL", "PATH", "PZ_ENVIRONMENT_FD"],
      injected: [],
      argv: ["hook", "claude"],
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each(ROWS.filter((row) => !row.behind).map((row) => [row.name, row] as const))(
    "the hardened runtime alone, no effect: %s",
    (_, row) => {
      const folder = trap();
      const before = readdirSync(folder);
      const done = Bun.spawnSync([built.program, "hook"], {
        stdin: Buffer.from(EVENT),
        env: { PATH: "/usr/bin:/bin", ...row.env(folder) },
        cwd: folder,
      });
      const printed = JSON.parse(done.stdout.toString());
      expect(printed).toMatchObject({ ran: true, input: EVENT, standalone: true, injected: [], argv: ["hook"] });
      expect(printed.environment).not.toContain("FROM_DOTENV");
      expect(readdirSync(folder)).toEqual(before);
    },
  );

  test("control: the traps work, a build without our flags and runtime falls into them", () => {
    const folder = trap();
    const plain = join(temporaryFolder("plain"), "plain");
    const done = Bun.spawnSync([
      process.execPath,
      "build",
      "--compile",
      join(import.meta.dir, "print-environment.ts"),
      `--outfile=${plain}`,
    ]);
    expect(done.exitCode).toBe(0);
    const run = (env: Record<string, string>): string =>
      Bun.spawnSync([plain], { stdin: Buffer.from(EVENT), env: { PATH: "/usr/bin:/bin", ...env }, cwd: folder }).stdout.toString();
    expect(run({ LD_PRELOAD: `${folder}/evil.so` })).toBe("");
    expect(run({ BUN_JSC_bogus: "1" })).toBe("");
    expect(run({ BUN_OPTIONS: "--version" })).toMatch(/^\d+\.\d+/);
    expect(run({ BUN_OPTIONS: `--preload=${folder}/evil.ts` })).toBe("");
    expect(existsSync(join(folder, "taken"))).toBe(true);
  });

  test("arguments are the program's, not the runtime's", () => {
    const folder = trap();
    const answered = call(built, [`--preload=${folder}/evil.ts`, "--print", "1+1", "-e", "1"], "", { PATH: "/usr/bin:/bin" }, folder);
    expect(JSON.parse(answered.stdout)).toMatchObject({ ran: true, argv: [`--preload=${folder}/evil.ts`, "--print", "1+1", "-e", "1"] });
    expect(existsSync(join(folder, "taken"))).toBe(false);
  });
});

describe("the product itself", () => {
  test.each(ROWS.map((row) => [row.name, row] as const))("L-153, D-28: a hostile environment changes no verdict: %s", (_, row) => {
    const folder = trap();
    const built = product();
    setting(built, "leak0mode", "enforce\n");
    const environment = { PATH: "/usr/bin:/bin", HOME: "/home/dev", ...row.env(folder) };
    const home = row.env(folder).HOME ?? "/home/dev";
    const unreadable = call(built, ["hook", "claude"], "{", environment, folder);
    expect([unreadable.code, unreadable.stdout]).toEqual([2, ""]);
    expect(unreadable.stderr).toContain("poisonzero");
    const silent = call(
      built,
      ["hook", "claude"],
      JSON.stringify({ ...JSON.parse(EVENT), session_id: "s", cwd: folder }),
      { ...environment, HOME: home },
      folder,
    );
    expect([silent.code, silent.stdout, silent.stderr]).toEqual([0, "", ""]);
    expect(existsSync(join(folder, "taken"))).toBe(false);
  });
});
