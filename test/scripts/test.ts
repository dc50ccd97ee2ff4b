/**
 * Builds the product and runs every test: `bun run test [FILTER…]`.
 *
 * Programs the tests need (git, gcc, openssl, ssh-keygen …) are installed when they are missing and can be. The last
 * line counts the tests. Exit codes: 0 all passed, 1 a test failed, none ran, or something needed is missing.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { sweepTemporaryFolders } from "../product.ts";

const ROOT = resolve(import.meta.dir, "../..");
const REPORT = join(ROOT, ".cache/test/junit.xml");

/** Programs the tests start, with the Debian package that brings each. */
const TOOLS: Readonly<Record<string, string>> = {
  git: "git",
  gcc: "gcc",
  readelf: "binutils",
  openssl: "openssl",
  "ssh-keygen": "openssh-client",
  gpg: "gnupg",
  bash: "bash",
  python3: "python3",
  script: "bsdutils",
};

/** Programs one test each needs, which not every system's packages have: that test is skipped without them. */
const WANTED: Readonly<Record<string, string>> = { "clang-14": "clang-14", "wasm-ld-14": "lld-14" };

/** A test may wait for a busy machine this long, in milliseconds; no test measures time against it. */
const TEST_MS = 60_000;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function run(command: readonly string[], env: Record<string, string | undefined> = process.env): number {
  return Bun.spawnSync([...command], { cwd: ROOT, stdout: "inherit", stderr: "inherit", env }).exitCode;
}

/** The compiler that gives the committed WebAssembly, when this machine's packages bring it. */
function installWantedTools(): void {
  const packages = Object.keys(WANTED).flatMap((tool) => (Bun.which(tool) ? [] : [WANTED[tool] as string]));
  if (packages.length === 0) return;
  const root = process.getuid?.() === 0 && Bun.which("apt-get");
  const line = `apt-get -qq update && apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  if (!root || run(["sh", "-c", `{ ${line}; } >/dev/null 2>&1`], { ...process.env, DEBIAN_FRONTEND: "noninteractive" }) !== 0)
    console.error(`Skipped without ${packages.join(", ")}: whether the committed WebAssembly is what its C gives.`);
}

function installMissingTools(): void {
  const packages = (): string[] => [...new Set(Object.keys(TOOLS).flatMap((tool) => (Bun.which(tool) ? [] : [TOOLS[tool] as string])))];
  const missing = packages();
  if (missing.length === 0) return;
  const line = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (process.getuid?.() !== 0 || !Bun.which("apt-get")) fail(`The tests need ${missing.join(", ")}. Next step: ${line}`);
  run(["apt-get", "-qq", "update"]);
  if (run(["sh", "-c", `${line} >/dev/null`], { ...process.env, DEBIAN_FRONTEND: "noninteractive" }) !== 0 || packages().length > 0) {
    fail(`The tests need ${packages().join(", ")}, which could not be installed. Next step: ${line}`);
  }
}

/** The counts of the report's outermost element. */
function counts(): { passed: number; failed: number; skipped: number } {
  const head = /<testsuites\b[^>]*>/.exec(readFileSync(REPORT, "utf8"))?.[0] ?? "";
  const of = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failed = of("failures") + of("errors");
  return { passed: of("tests") - failed - of("skipped"), failed, skipped: of("skipped") };
}

installMissingTools();
installWantedTools();
if (run([process.execPath, "targets/build.ts"]) !== 0) fail("The product could not be built; no test was run.");
mkdirSync(join(ROOT, ".cache/test"), { recursive: true });
rmSync(REPORT, { force: true });
const filters = Bun.argv.slice(2);
const code = run([
  process.execPath,
  "test",
  ...(filters.length > 0 ? filters : ["./test"]),
  `--timeout=${TEST_MS}`,
  "--reporter=junit",
  `--reporter-outfile=${REPORT}`,
]);
sweepTemporaryFolders();
let result = { passed: 0, failed: 1, skipped: 0 };
try {
  result = counts();
} catch {
  console.error("The test run ended without a report.");
}
// A file that cannot be loaded fails the run without a test of its own.
if (code !== 0 && result.failed === 0) result = { ...result, failed: 1 };
console.log(`tests: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
process.exitCode = code === 0 && result.passed > 0 && result.failed === 0 ? 0 : 1;
