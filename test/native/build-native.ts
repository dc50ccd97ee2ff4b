/** Builds the C parts for tests: the launcher exactly as shipped but for its constants, and sanitized forms of its parts. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { hostTarget } from "../../targets/all.ts";
import { buildNative, nativeDefines, shipped, type Variant } from "../../targets/build.ts";

const ROOT = resolve(import.meta.dir, "../..");
const SOURCES = join(ROOT, "native/launcher");

/** The launcher with another data directory, owner and time limit, into `folder`/poisonzero. */
export function buildLauncher(folder: string, variant: Partial<Variant>): string {
  const part = hostTarget()?.native.find((one) => one.folder === "launcher");
  if (!part) throw new Error("this machine has no launcher");
  return buildNative(part, folder, { ...shipped(), ...variant });
}

/** The same sources against the C library under address and undefined-behaviour sanitizers. */
export function buildSanitizedLauncher(folder: string, variant: Partial<Variant>): string {
  const sources = readdirSync(SOURCES)
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(SOURCES, name));
  return sanitized(join(folder, "poisonzero"), nativeDefines({ ...shipped(), ...variant }), sources);
}

/** The parts without a start of their own, behind the frame protocol of `fuzz.c`. */
export function buildFuzzer(folder: string): string {
  const parts = ["json.c", "modes.c", "sealed.c", "environment.c", "arguments.c", "kernel.c"].map((name) => join(SOURCES, name));
  return sanitized(join(folder, "fuzz"), ["-DPZ_NO_MAIN", ...nativeDefines(shipped())], [...parts, join(import.meta.dir, "fuzz.c")]);
}

function sanitized(output: string, defines: readonly string[], sources: readonly string[]): string {
  const flags = [
    "-std=gnu11",
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Werror",
  ];
  const done = Bun.spawnSync(["gcc", ...flags, "-DPZ_HOSTED", `-I${SOURCES}`, ...defines, "-o", output, ...sources]);
  if (done.exitCode !== 0) throw new Error(done.stderr.toString());
  return output;
}
