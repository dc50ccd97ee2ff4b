/** The build: its flags, the hardened runtime, the launcher's shape, and that the same sources give the same bytes. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CHOSEN, SPECIFIED } from "../src/limits.ts";
import { hostTarget, TARGETS } from "../targets/all.ts";
import { build, bundleFlags, nativeDefines, shipped } from "../targets/build.ts";
import { harden, nameAt } from "../targets/runtime.ts";
import type { Target } from "../targets/target.ts";
import { temporaryFolder } from "./product.ts";

// Building takes longer than the default where the machine is busy.
setDefaultTimeout(120_000);

const ROOT = resolve(import.meta.dir, "..");
const HOST = hostTarget() as Target;

describe("flags", () => {
  const flags = bundleFlags(HOST, "/runtime", shipped());

  test.each([
    ["--compile"],
    ["--splitting"],
    ["--format=esm"],
    ["--bytecode"],
    ["--minify"],
    ["--no-compile-autoload-dotenv"],
    ["--no-compile-autoload-bunfig"],
    ["--compile-exec-argv=--disallow-code-generation-from-strings=strict"],
    ["--compile-executable-path=/runtime"],
  ])("the bundler is given %s", (flag) => {
    expect(flags).toContain(flag);
  });

  test("L-140: the shipped build has the system's data directory and root compiled in", () => {
    expect(flags.join(" ")).toContain('PZ_DATA_FOLDER="/var/lib/poisonzero" --define PZ_OWNER_UID=0 ');
    expect(nativeDefines(shipped())).toContain('-DPZ_DATA="/var/lib/poisonzero"');
    expect(nativeDefines(shipped())).toContain("-DPZ_OWNER=0u");
  });

  test("D-27: the launcher's time and sizes are those of limits.ts", () => {
    expect(nativeDefines(shipped())).toContain(`-DPZ_TIME_MS=${SPECIFIED.launcher_ms}`);
    expect(nativeDefines(shipped())).toContain(`-DPZ_ANSWER_BYTES=${CHOSEN.launcher_answer_bytes}u`);
    expect(CHOSEN.launcher_answer_bytes).toBeGreaterThan(CHOSEN.event_bytes);
    expect(SPECIFIED.engine_ms).toBeLessThan(SPECIFIED.launcher_ms);
    expect(SPECIFIED.launcher_ms).toBeLessThan(SPECIFIED.entry_before_s * 1_000);
  });
});

describe("hardened runtime", () => {
  const target: Target = { ...HOST, runtimeNames: { BUN_BE_BUN: 1 } };
  const runtime = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

  test("a name is emptied where it stands alone, and nothing else changes", () => {
    const bytes = runtime("a\0BUN_BE_BUN\0xBUN_BE_BUN\0b");
    harden(bytes, target);
    expect(Buffer.from(bytes).toString("latin1")).toBe("a\0\0UN_BE_BUN\0xBUN_BE_BUN\0b");
  });

  test("macOS: a name becomes bytes that no variable's name has", () => {
    const bytes = runtime("\0BUN_BE_BUN\0");
    harden(bytes, { ...target, patch: "high bytes" });
    expect([...bytes]).toEqual([0, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8, 0xf7, 0xf6, 0]);
  });

  test.each(["", "\0BUN_BE_BUN\0BUN_BE_BUN\0"])("another count than expected fails the build: %j", (text) => {
    expect(() => harden(runtime(text), target)).toThrow(/occurs (0|2) times .* expected 1/);
  });

  test.each(TARGETS.map((one) => [one.name, one] as const))("%s names every switch that takes a compiled binary over", (_, one) => {
    for (const name of ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT", "BUN_INSPECT_PRELOAD", "BUN_INSPECT_CONNECT_TO"]) {
      expect(one.runtimeNames[name]).toBe(1);
    }
    expect(one.proved.length).toBeGreaterThan(0);
  });
});

describe("what is built", () => {
  const variant = { ...shipped(), entry: join(import.meta.dir, "native", "print-environment.ts") };
  let first: string;
  let second: string;

  beforeAll(() => {
    first = join(temporaryFolder("build"), HOST.name);
    second = join(temporaryFolder("build"), HOST.name);
    for (const folder of [first, second]) build(HOST, folder, variant);
  });

  test.each(["poisonzero", "libexec/poisonzero"])("the same sources give the same bytes: %s", (file) => {
    expect(Bun.SHA256.hash(readFileSync(join(first, file)), "hex")).toBe(Bun.SHA256.hash(readFileSync(join(second, file)), "hex"));
  });

  test("the names of the runtime's switches are not in the program", () => {
    const program = readFileSync(join(first, "libexec", "poisonzero"));
    for (const name of Object.keys(HOST.runtimeNames)) expect([name, nameAt(program, name)]).toEqual([name, []]);
    // The search itself finds what is there.
    expect(nameAt(readFileSync(process.execPath), "BUN_OPTIONS")).toHaveLength(1);
  });

  test("no path of the building machine is in what is built", () => {
    for (const file of ["poisonzero", "libexec/poisonzero"]) expect(readFileSync(join(first, file)).indexOf(`${ROOT}/`)).toBe(-1);
  });

  test("D-28: the launcher asks for no loader and no library, and its stack cannot be executed", () => {
    const shape = Bun.spawnSync(["readelf", "-lrdW", join(first, "poisonzero")]).stdout.toString();
    // It can put its own addresses right, but knows no symbols.
    expect(shape).not.toMatch(/R_X86_64_(?!RELATIVE)/);
    expect(shape).not.toContain("INTERP");
    expect(shape).not.toContain("NEEDED");
    expect(shape).toMatch(/GNU_STACK\s.*\sRW\s/);
    expect(shape).toContain("GNU_RELRO");
    expect(statSync(join(first, "poisonzero")).size).toBeLessThan(64 * 1024);
  });
});

describe("the command", () => {
  const run = (args: string[], env: Record<string, string> = {}): { code: number | null; error: string } => {
    const done = Bun.spawnSync([process.execPath, join(ROOT, "targets/build.ts"), ...args], { env: { PATH: "/usr/bin:/bin", ...env } });
    return { code: done.exitCode, error: done.stderr.toString() };
  };

  test.each([
    ["a test option without the variant", ["--data-folder", "/x"]],
    ["an unknown target", ["--target", "amiga"]],
    ["an unknown variant", ["--variant", "fast"]],
    ["a relative data directory", ["--variant", "test", "--data-folder", "x", "--owner-uid", "0", "--out", "/nowhere"]],
    [
      "a data directory that would leave its quotes",
      ["--variant", "test", "--data-folder", '/x";', "--owner-uid", "0", "--out", "/nowhere"],
    ],
    ["no owner", ["--variant", "test", "--data-folder", "/x", "--out", "/nowhere"]],
    ["a test build over the product", ["--variant", "test", "--data-folder", "/x", "--owner-uid", "0"]],
  ])("%s is refused with the next step", (_, args) => {
    const { code, error } = run(args);
    expect(code).toBe(1);
    expect(error).toContain("Next step:");
  });

  test("a missing compiler is named with the way to get it", () => {
    const out = temporaryFolder("no-gcc");
    const { code, error } = run(
      [
        "--variant",
        "test",
        "--data-folder",
        "/x",
        "--owner-uid",
        "0",
        "--out",
        out,
        "--entry",
        join(import.meta.dir, "native", "print-environment.ts"),
      ],
      { PATH: out },
    );
    expect(code).toBe(1);
    expect(error).toContain("gcc is missing. Next step: apt-get install gcc");
  });
});
