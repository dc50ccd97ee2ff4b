/**
 * Builds the product: `bun run build`.
 *
 *   --variant test        another data directory and owner are compiled in; needs the next three
 *   --data-folder DIR     absolute path instead of the system's data directory
 *   --owner-uid N         files of this user count like root's
 *   --out DIR             output folder (default `dist`); the binaries land in DIR/<target>
 *   --launcher-ms N       the launcher's time limit in milliseconds, test variant only
 *   --entry FILE          another program than src/main.ts, test variant only
 *   --target NAME         default: this machine's
 *   --json                prints what was built as JSON
 *
 * The same sources and tools give the same bytes. Exit codes: 0 built, 1 not built (the reason ends with the next step).
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CHOSEN, SPECIFIED } from "../src/limits.ts";
import { RUNTIME } from "../src/melira/folder.ts";
import { hostTarget, TARGETS } from "./all.ts";
import { everydayOrder } from "./order.ts";
import { hardenedRuntime, stockRuntime } from "./runtime.ts";
import type { NativePart, Target } from "./target.ts";

const ROOT = resolve(import.meta.dir, "..");
const CACHE = join(ROOT, ".cache");

/** The data directory of the shipped build on Linux (L-140). */
const DATA_FOLDER = "/var/lib/poisonzero";

/** Files of the model that the repository holds. */
const MODEL_FILES = ["manifest.json", "reader.onnx", "judge.onnx", "pieces.txt", "scan.bin"] as const;

/** What is compiled in. */
export interface Variant {
  readonly dataFolder: string;
  readonly ownerUid: number;
  readonly launcherMs: number;
  readonly entry: string;
  readonly version: string;
}

/** One file that the build wrote. */
export interface Built {
  readonly file: string;
  readonly bytes: number;
}

/** How many times later than usual the runtime starts to compile code that runs often. */
const JIT_POLICY = 8;

/** The bundler's flags, in one place because start-up cost and safety hang on every one of them. */
export function bundleFlags(target: Target, runtime: string, variant: Variant): string[] {
  return [
    "build",
    "--compile",
    `--target=${target.bunTarget}`,
    `--compile-executable-path=${runtime}`,
    "--splitting",
    "--format=esm",
    "--bytecode",
    "--minify",
    // A call is over before compiled code would pay for itself; even 8 MiB of output take no longer so (measured).
    `--compile-jit-policy=${JIT_POLICY}`,
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--compile-exec-argv=--disallow-code-generation-from-strings=strict",
    "--define",
    `PZ_DATA_FOLDER=${JSON.stringify(variant.dataFolder)}`,
    "--define",
    `PZ_OWNER_UID=${variant.ownerUid}`,
    "--define",
    `PZ_VERSION=${JSON.stringify(variant.version)}`,
  ];
}

/** Builds one target into `folder`. Throws with the next step. */
export function build(target: Target, folder: string, variant: Variant): Built[] {
  const bunVersion = manifest().devDependencies.bun;
  if (Bun.version !== bunVersion)
    throw new Error(`Bun ${bunVersion} builds this, not ${Bun.version}. Next step: node_modules/.bin/bun run build`);
  if (!existsSync(variant.entry)) throw new Error(`${variant.entry} is missing. Next step: check out the whole repository.`);
  const runtime = hardenedRuntime(ROOT, CACHE, target, bunVersion);
  mkdirSync(join(folder, "libexec"), { recursive: true });
  const program = join(folder, "libexec", "poisonzero");
  // A running program cannot be overwritten, but it can be replaced.
  rmSync(program, { force: true });
  bundle([...bundleFlags(target, runtime, variant), ...orderFlags(variant, bunVersion)], variant, program);
  const natives = target.native.map((part) => buildNative(part, folder, variant));
  return [program, ...natives, ...layModel(join(folder, "libexec", "melira"))].map((file) => ({ file, bytes: statSync(file).size }));
}

/** Melira's worker is a second entry of the same program, found by its place beside the first; no other program has it. */
function workersOf({ entry }: Variant): string[] {
  return entry === shipped().entry ? [join(ROOT, "src/melira/worker.ts")] : [];
}

/**
 * The model and its runtime lie beside the program and not inside it: 20 MB less to map at every call of the hook, and the model can
 * be replaced by itself. The manifest names the hash of each.
 */
function layModel(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const files = MODEL_FILES.map((name) => [join(ROOT, "models/melira/shipped", name), join(folder, name)] as const);
  return [...files, [join(ROOT, RUNTIME), join(folder, "runtime.wasm")] as const].map(([from, to]) => {
    if (!existsSync(from)) throw new Error(`${from} is missing. Next step: sh install/dev.sh setup`);
    copyFileSync(from, to);
    return to;
  });
}

function bundle(flags: readonly string[], variant: Variant, program: string): void {
  run(
    process.execPath,
    [...flags, variant.entry, ...workersOf(variant), `--outfile=${program}`],
    "Next step: node_modules/.bin/tsc -p src/tsconfig.json",
  );
}

/** The product's own code is laid out by what everyday calls run, which this machine must be able to run itself. */
function orderFlags(variant: Variant, bunVersion: string): string[] {
  const host = hostTarget();
  if (host === undefined || variant.entry !== shipped().entry) return [];
  const runtime = stockRuntime(ROOT, host, bunVersion);
  const flags = (dataFolder: string): string[] =>
    bundleFlags(host, runtime, { ...shipped(), dataFolder, ownerUid: process.getuid?.() ?? 0 });
  const files = everydayOrder(ROOT, CACHE, flags(""), (program, dataFolder) => bundle(flags(dataFolder), shipped(), program));
  return [`--bytecode-order=${files.join()}`];
}

/** Compiles one C program into `folder`. Throws with the next step. */
export function buildNative(part: NativePart, folder: string, variant: Variant): string {
  const output = join(folder, part.output);
  const sources = readdirSync(join(ROOT, "native", part.folder))
    .filter((name) => name.endsWith(".c"))
    .sort();
  if (!Bun.which(part.compiler)) throw new Error(`The C compiler ${part.compiler} is missing. Next step: ${part.compilerHint}`);
  rmSync(output, { force: true });
  run(
    part.compiler,
    [...part.flags, ...nativeDefines(variant), "-o", output, ...sources.map((name) => `native/${part.folder}/${name}`)],
    `Next step: read the compiler's message; it was ${part.compiler}`,
  );
  return output;
}

/** What the C programs have compiled in; the numbers are those of src/limits.ts. */
export function nativeDefines(variant: Variant): string[] {
  return [
    `-DPZ_DATA=${JSON.stringify(variant.dataFolder)}`,
    `-DPZ_OWNER=${variant.ownerUid}u`,
    `-DPZ_TIME_MS=${variant.launcherMs}`,
    `-DPZ_SETTINGS_BYTES=${CHOSEN.policy_file_bytes}u`,
    `-DPZ_EVENT_BYTES=${CHOSEN.event_bytes}u`,
    `-DPZ_EVENT_BRIEF_BYTES=${CHOSEN.event_brief_bytes}`,
    `-DPZ_EVENT_FOLLOWED_BYTES=${CHOSEN.event_followed_bytes}u`,
    `-DPZ_EVENT_SILENCE_MS=${CHOSEN.event_silence_ms}`,
    `-DPZ_ANSWER_BYTES=${CHOSEN.launcher_answer_bytes}u`,
    `-DPZ_REASON_BYTES=${CHOSEN.launcher_reason_bytes}u`,
    `-DPZ_ENVIRONMENT_BYTES=${CHOSEN.environment_bytes}u`,
  ];
}

function run(program: string, args: readonly string[], next: string): void {
  const done = Bun.spawnSync([program, ...args], { cwd: ROOT, stdout: "pipe", stderr: "pipe", env: toolEnvironment() });
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}\n${program} ended with ${done.exitCode}. ${next}`);
}

/** Nothing of the caller's settings may change what is built. */
function toolEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR"].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(kept), LC_ALL: "C", SOURCE_DATE_EPOCH: "0" };
}

function manifest(): { version: string; devDependencies: { bun: string } } {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

/** The build as shipped. */
export function shipped(): Variant {
  return {
    dataFolder: DATA_FOLDER,
    ownerUid: 0,
    launcherMs: SPECIFIED.launcher_ms,
    entry: join(ROOT, "src/main.ts"),
    version: manifest().version,
  };
}

function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      variant: { type: "string" },
      "data-folder": { type: "string" },
      "owner-uid": { type: "string" },
      "launcher-ms": { type: "string" },
      entry: { type: "string" },
      out: { type: "string" },
      target: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const target = values.target === undefined ? hostTarget() : TARGETS.find((one) => one.name === values.target);
  if (!target) throw new Error(`No such target. Next step: --target with one of ${TARGETS.map((one) => one.name).join(", ")}`);
  const built = build(target, join(resolve(values.out ?? join(ROOT, "dist")), target.name), variantOf(values));
  if (values.json) {
    console.log(JSON.stringify(built));
    return;
  }
  console.log(
    `poisonzero ${shipped().version} for ${target.name}, Bun ${Bun.version}, ${values.variant === "test" ? "test variant" : "as shipped"}`,
  );
  for (const { file, bytes } of built) console.log(`${(bytes / 1e6).toFixed(2).padStart(8)} MB  ${file}`);
}

function variantOf(values: Partial<Record<string, string | boolean>>): Variant {
  const base = shipped();
  const dataFolder = values["data-folder"];
  const ownerUid = Number(values["owner-uid"]);
  const launcherMs = values["launcher-ms"] === undefined ? base.launcherMs : Number(values["launcher-ms"]);
  if (values.variant === undefined) {
    const stray = ["data-folder", "owner-uid", "launcher-ms", "entry"].find((name) => values[name] !== undefined);
    if (stray) throw new Error(`--${stray} belongs to a test build. Next step: add --variant test`);
    return base;
  }
  if (values.variant !== "test") throw new Error("The only variant is test. Next step: --variant test");
  if (typeof dataFolder !== "string" || !isAbsolute(dataFolder) || /["\\\n]/.test(dataFolder))
    throw new Error("A test build needs its data directory. Next step: --data-folder /absolute/path");
  if (!Number.isInteger(ownerUid) || ownerUid < 0)
    throw new Error("A test build needs the owner of its settings. Next step: --owner-uid $(id -u)");
  if (!Number.isInteger(launcherMs) || launcherMs < 1) throw new Error("Not a time. Next step: --launcher-ms 8000");
  if (values.out === undefined) throw new Error("A test build does not go where the product goes. Next step: --out DIR");
  return { ...base, dataFolder, ownerUid, launcherMs, entry: typeof values.entry === "string" ? resolve(values.entry) : base.entry };
}

if (import.meta.main) {
  try {
    main(Bun.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
