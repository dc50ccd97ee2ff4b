/**
 * What the hook path loads: everything reachable from src/main.ts by static imports. Every module there costs start-up
 * time on each call of the agent, so the list is closed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** What the hook path may load beside its own files: the shell parser, and Bun's door to libc. */
const PACKAGES = ["bun:ffi", "unbash"];
/** Rooms of src/ that must only be reached by `await import()`: the commands, and every agent's adapter but Claude Code's. */
const LAZY_ROOMS = ["commands", "doctor", "scan", "melira", "agents/codex", "agents/cursor", "agents/gemini", "agents/antigravity"];

/** The static import graph. */
export interface HookImports {
  /** Files under src/, relative to the root, sorted. */
  readonly files: readonly string[];
  readonly packages: readonly string[];
  readonly problems: string[];
}

/** Follows static imports from src/main.ts. Type-only imports do not count; they are gone after the build. */
export function hookImports(root: string): HookImports {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const seen = new Set<string>();
  const packages = new Set<string>();
  const problems: string[] = [];
  const queue = [resolve(root, "src/main.ts")];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const name = relative(root, file);
    if (LAZY_ROOMS.some((room) => name.startsWith(`src/${room}/`))) problems.push(`${name}: reached by a static import from the hook path`);
    if (!file.endsWith(".ts")) continue;
    if (!existsSync(file)) {
      problems.push(`${name}: is missing`);
      continue;
    }
    for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8"))) {
      // The shell parser is loaded by `require` at the first command that needs it.
      if (kind !== "import-statement" && kind !== "require-call") continue;
      if (path.startsWith(".")) queue.push(join(dirname(file), path));
      else {
        packages.add(path);
        if (!PACKAGES.includes(path)) problems.push(`${name}: imports ${path}`);
      }
    }
  }
  return { files: [...seen].map((file) => relative(root, file)).sort(), packages: [...packages].sort(), problems };
}
