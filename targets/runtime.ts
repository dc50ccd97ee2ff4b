/**
 * The hardened runtime: a copy of Bun in which the names of the environment variables that would take a compiled
 * binary over (BUN_BE_BUN, BUN_OPTIONS …) are no longer there to be found.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./target.ts";

/** Positions of a NUL-delimited name in a program. */
export function nameAt(program: Uint8Array, name: string): number[] {
  const wanted = Buffer.from(`\0${name}\0`);
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  const hits: number[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) hits.push(at + 1);
  return hits;
}

/** Takes the names out of `program` in place. Throws when one does not occur exactly as often as the target says. */
export function harden(program: Uint8Array, target: Target): void {
  for (const [name, expected] of Object.entries(target.runtimeNames)) {
    const hits = nameAt(program, name);
    if (hits.length !== expected) {
      throw new Error(
        `${name} occurs ${hits.length} times in the runtime of ${target.name}, expected ${expected}: this Bun is not the one the target file was checked with. Check the names again before changing targets/${target.name}.ts.`,
      );
    }
    for (const at of hits) {
      if (target.patch === "empty") program[at] = 0;
      else for (let i = 0; i < name.length; i++) program[at + i] = 0xff - i;
    }
  }
}

/** Path of the hardened runtime, made at first use and kept in `cache`. */
export function hardenedRuntime(root: string, cache: string, target: Target, version: string): string {
  const names = Object.entries(target.runtimeNames).join();
  const key = Bun.hash(`${names} ${target.patch}`).toString(16).padStart(16, "0");
  const folder = join(cache, "runtime", `${target.name}-${version}-${key}`);
  const file = join(folder, "bun");
  if (existsSync(file)) return file;
  const bytes = readFileSync(stockRuntime(root, target, version));
  harden(bytes, target);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `bun.${process.pid}`);
  writeFileSync(temporary, bytes);
  chmodSync(temporary, 0o755);
  renameSync(temporary, file);
  return file;
}

/** Path of Bun as its package delivers it; on the target itself the Bun that runs the build is the same file. */
export function stockRuntime(root: string, target: Target, version: string): string {
  const packaged = join(root, "node_modules", target.runtimePackage, target.runtimeFile);
  if (existsSync(packaged)) return packaged;
  if (target.name === `${process.platform}-${process.arch}` && Bun.version === version) return process.execPath;
  throw new Error(
    `The runtime of ${target.name} is not here. Next step: npm pack ${target.runtimePackage}@${version}, and unpack it to ${packaged.slice(0, -target.runtimeFile.length)}`,
  );
}
