/**
 * The product as tests meet it: a test build (another data directory, files of the running user count as the
 * administrator's) made once per process in a folder of its own.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostTarget } from "../targets/all.ts";
import { build, shipped, type Variant } from "../targets/build.ts";

/** A built product. `launcher` is what users call `poisonzero`. */
export interface Product {
  readonly launcher: string;
  readonly program: string;
  readonly dataFolder: string;
}

/** What one hook call came to. */
export interface Answered {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

const PREFIX = "pz-run-";
const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes away with this process; under `bun test`, which skips exit handlers, with the next one. */
export function temporaryFolder(purpose: string): string {
  if (folders.length === 0) sweepTemporaryFolders();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${purpose}-`)));
  folders.push(folder);
  return folder;
}

/** Removes the temporary folders of processes that have ended. */
export function sweepTemporaryFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (!Number.isNaN(owner) && !isRunning(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Builds a test variant; everything not given is as shipped. */
export function buildProduct(variant: Partial<Variant> = {}): Product {
  const target = hostTarget();
  if (!target) throw new Error(`there is no target for ${process.platform}-${process.arch} yet`);
  const folder = temporaryFolder("product");
  const dataFolder = join(folder, "data");
  mkdirSync(dataFolder, { mode: 0o755 });
  build(target, join(folder, target.name), { ...shipped(), dataFolder, ownerUid: process.getuid?.() ?? 0, ...variant });
  return { launcher: join(folder, target.name, "poisonzero"), program: join(folder, target.name, "libexec", "poisonzero"), dataFolder };
}

let made: Product | undefined;

/** The product of src/main.ts, built at first use and shared by all tests of this process. */
export function product(): Product {
  made ??= buildProduct();
  return made;
}

/** Writes or removes (undefined) a file of the data directory as the administrator would. */
export function setting(of: Product, name: string, text: string | undefined): void {
  const file = join(of.dataFolder, name);
  if (existsSync(file)) rmSync(file);
  if (text === undefined) return;
  writeFileSync(file, text);
  chmodSync(file, 0o644);
}

/** One call through the launcher. `environment` is the caller's whole environment. */
export function call(
  of: Product,
  args: readonly string[],
  stdin: string,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Answered {
  const from = Bun.nanoseconds();
  const done = Bun.spawnSync([of.launcher, ...args], {
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: { ...environment },
    cwd,
  });
  return { code: done.exitCode, stdout: done.stdout.toString(), stderr: done.stderr.toString(), ms: (Bun.nanoseconds() - from) / 1e6 };
}
