/** The pinned real clients: each installed once from npm, without running package scripts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Agent } from "../../src/call/effect.ts";

/** A client that can be had from npm and run headless here. */
export interface Client {
  readonly agent: Agent;
  readonly title: string;
  /** The version whose behaviour the adapter was written for. A newer one is tried by changing this line. */
  readonly version: string;
  readonly package: string;
  /** The program below the folder it is installed in; `arch` as npm names it. */
  readonly program: (arch: string) => string;
  /** Codex: the model calls tools from JavaScript. */
  readonly codeMode?: true;
}

const CODEX = {
  agent: "codex",
  version: "0.171.0",
  package: "@openai/codex",
  program: (arch: string) =>
    `node_modules/@openai/codex-linux-${arch}/vendor/${arch === "x64" ? "x86_64" : "aarch64"}-unknown-linux-musl/bin/codex`,
} as const;

export const CLIENTS: readonly Client[] = [
  {
    agent: "claude",
    title: "Claude Code",
    version: "2.1.332",
    package: "@anthropic-ai/claude-code",
    program: (arch) => `node_modules/@anthropic-ai/claude-code-linux-${arch}/claude`,
  },
  { ...CODEX, title: "Codex" },
  { ...CODEX, title: "Codex in code mode", codeMode: true },
  {
    agent: "gemini",
    title: "Gemini CLI",
    version: "0.61.0",
    package: "@google/gemini-cli",
    program: () => "node_modules/.bin/gemini",
  },
];

/** Clients that cannot be run here, with the reason; named and counted where tests are skipped. */
export const NOT_TO_BE_HAD: readonly { readonly title: string; readonly why: string }[] = [
  { title: "Cursor", why: "it is in no package registry, and it answers to its vendor's own service only" },
  { title: "Antigravity CLI", why: "it is in no package registry, and it answers to its vendor's own service only" },
];

const CACHE = resolve(import.meta.dir, "../../.cache/clients");
const INSTALL_MS = 300_000;

/** The client's program, or why there is none. */
export function install(client: Client): { readonly program: string } | { readonly missing: string } {
  if (process.platform !== "linux") return { missing: "the lab needs Linux network namespaces" };
  if (process.getuid?.() !== 0 || spawnSync("unshare", ["-n", "true"]).status !== 0)
    return { missing: "a network namespace cannot be made here (it needs root)" };
  const arch = { x64: "x64", arm64: "arm64" }[process.arch as string];
  if (arch === undefined) return { missing: `no client is published for ${process.arch}` };
  const folder = join(CACHE, `${client.agent}-${client.version}`);
  const program = join(folder, client.program(arch));
  if (existsSync(program)) return { program };
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "package.json"), '{"private":true}\n');
  const npm = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", `${client.package}@${client.version}`],
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
