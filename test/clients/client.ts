/** The pinned real client: installed once from npm, without running package scripts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The version whose behaviour the adapter was written for. A newer one is tried by changing this line. */
export const CLAUDE_VERSION = "2.1.332";

const CACHE = resolve(import.meta.dir, "../../.cache/clients");
const INSTALL_MS = 300_000;

/** The client's program, or why there is none. */
export function claude(): { readonly program: string } | { readonly missing: string } {
  if (process.platform !== "linux") return { missing: "the lab needs Linux network namespaces" };
  if (process.getuid?.() !== 0 || spawnSync("unshare", ["-n", "true"]).status !== 0)
    return { missing: "a network namespace cannot be made here (it needs root)" };
  const arch = { x64: "x64", arm64: "arm64" }[process.arch as string];
  if (arch === undefined) return { missing: `no client is published for ${process.arch}` };
  const folder = join(CACHE, `claude-${CLAUDE_VERSION}`);
  const program = join(folder, `node_modules/@anthropic-ai/claude-code-linux-${arch}/claude`);
  if (existsSync(program)) return { program };
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "package.json"), '{"private":true}\n');
  const npm = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", `@anthropic-ai/claude-code@${CLAUDE_VERSION}`],
    { cwd: fresh, encoding: "utf8", timeout: INSTALL_MS },
  );
  if (npm.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return { missing: `npm could not install the client: ${(npm.error?.message ?? npm.stderr).trim().split("\n").at(-1)}` };
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return existsSync(program) ? { program } : { missing: "the installed package holds no program for this machine" };
}
