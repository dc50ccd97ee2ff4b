/**
 * What the checks of Git cost in large repositories, each beside the command of Git that does the same reading: adding 200
 * changes among 100,000 files, and pushing 1,000 commits with 50 MB of new content, the first time and again.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Product } from "../product.ts";

/** One figure and what it may be. */
export interface GitRow {
  readonly name: string;
  readonly git_ms: number;
  readonly hook_ms: number;
  readonly ratio: number;
  readonly cpu_ms: number;
  readonly peak_mb: number;
  /** Which limits it does not keep, in words. */
  readonly over: readonly string[];
}

interface Limits {
  readonly ratio?: number;
  readonly ms?: number;
  readonly mb?: number;
}

/** The fastest of several runs in turn: other work on the machine only ever adds. */
const ROUNDS = 10;
const FILES = 100_000;
const CHANGED = 200;
const COMMITS = 1_000;
const BLOB_BYTES = 50_000;

/** Measures; makes its repositories in `folder`, which is the home of every program as well. */
export function gitRows(folder: string, product: Product, measure: string): readonly GitRow[] {
  const git = Bun.which("git");
  if (git === null) throw new Error("there is no git. Next step: install git");
  const home = join(folder, "git-home");
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n",
  );
  const run = (cwd: string, ...args: readonly string[]): void => {
    const done = Bun.spawnSync([git, ...args], { cwd, env: { PATH: "/usr/bin:/bin", HOME: home } });
    if (done.exitCode !== 0) throw new Error(`git ${args[0]}: ${done.stderr.toString()}`);
  };
  const row = (name: string, cwd: string, command: string, base: readonly string[], limits: Limits, before = ""): GitRow => {
    const input = join(folder, "git-event.json");
    writeFileSync(input, JSON.stringify(event(cwd, command)));
    // `before` undoes what the hook remembered; the shell that does it is gone before the hook starts.
    const hook = ["/bin/sh", "-c", `${before}exec "$0" hook claude`, product.launcher];
    const programs = [[git, "-C", cwd, ...base], hook];
    const done = Bun.spawnSync([measure, String(ROUNDS + 1), input, ...programs.flatMap((argv) => ["--", ...argv])], {
      env: { HOME: home },
      cwd,
    });
    if (done.exitCode !== 0) throw new Error(`measure ended with ${done.exitCode}`);
    const runs = done.stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number))
      .slice(programs.length);
    if (runs.some(([, , , , code]) => code !== 0)) throw new Error(`${name}: a run failed`);
    const best = (index: number, field: number): number =>
      Math.min(...runs.filter(([of]) => of === index).map((run) => run[field] as number));
    const git_ms = best(0, 1) / 1_000;
    const hook_ms = best(1, 1) / 1_000;
    const peak_mb = Math.max(...runs.filter(([of]) => of === 1).map((run) => run[3] as number)) / 1_024;
    const ratio = hook_ms / git_ms;
    const over = [
      ...(ratio > (limits.ratio ?? Number.POSITIVE_INFINITY) ? [`more than ${limits.ratio} times Git`] : []),
      ...(hook_ms > (limits.ms ?? Number.POSITIVE_INFINITY) ? [`more than ${limits.ms} ms`] : []),
      ...(peak_mb > (limits.mb ?? Number.POSITIVE_INFINITY) ? [`more than ${limits.mb} MB`] : []),
    ];
    return { name, git_ms, hook_ms, ratio, cpu_ms: best(1, 2) / 1_000, peak_mb, over };
  };
  const many = manyFiles(folder, run);
  const long = longHistory(folder, run);
  // Reading every object once is the least that looking into all of them costs.
  const reading = ["cat-file", "--batch-all-objects", "--batch", "--buffer"];
  return [
    row("git add -A, 200 of 100,000 files", many, "git add -A", ["add", "-A", "-n"], { ratio: 1.5 }),
    row(
      "git push, 1,000 commits, 50 MB",
      long,
      "git push origin main",
      reading,
      { ms: 2_000, mb: 150 },
      'rm -rf "$HOME/.poisonzero/clean"; ',
    ),
    row("the same push again", long, "git push origin main", reading, { ms: 300 }),
  ];
}

type Run = (cwd: string, ...args: readonly string[]) => void;

function event(cwd: string, command: string): Readonly<Record<string, unknown>> {
  return {
    session_id: "bench",
    cwd,
    transcript_path: "",
    permission_mode: "default",
    tool_use_id: "toolu_bench",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  };
}

/** Text like code, different for every number. */
function code(seed: number, bytes: number): string {
  const lines: string[] = [];
  for (let length = 0, state = seed + 1; length < bytes; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const line = `  const value${state % 9_973} = compute(${state}, "${state.toString(36)}-${seed}");\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join("").slice(0, bytes);
}

function manyFiles(folder: string, run: Run): string {
  const root = join(folder, "many");
  const path = (index: number): string => join(root, `packages/p${index % 100}/src/m${Math.floor(index / 100) % 40}/file${index}.ts`);
  for (let of = 0; of < 100; of++)
    for (let module = 0; module < 40; module++) mkdirSync(join(root, `packages/p${of}/src/m${module}`), { recursive: true });
  writeFileSync(join(root, ".gitignore"), "node_modules\ndist\n*.log\n.env\n");
  for (let index = 0; index < FILES; index++) writeFileSync(path(index), code(index, 200));
  run(root, "init", "-q");
  run(root, "add", "-A");
  run(root, "commit", "-q", "-m", "all of it");
  for (let index = 0; index < CHANGED; index++)
    writeFileSync(index % 4 === 0 ? `${path(index * 97)}x` : path(index * 97), code(index, 2_000));
  // What was written in the same moment as the index would be read again and again.
  Bun.sleepSync(1_100);
  run(root, "status", "--short");
  return root;
}

function longHistory(folder: string, run: Run): string {
  const root = join(folder, "long");
  mkdirSync(root);
  run(root, "init", "-q");
  const parts: string[] = [];
  for (let index = 0; index <= COMMITS; index++) {
    const text = code(index, BLOB_BYTES);
    parts.push(
      `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + index} +0000\ndata 11\ncommit ${String(index).padStart(4, "0")}\n`,
    );
    parts.push(`M 100644 inline src/m${index % 50}/file${index}.ts\ndata ${text.length}\n${text}\n`);
  }
  const stream = join(folder, "stream");
  writeFileSync(stream, parts.join(""));
  run(root, "-c", `alias.load=!git fast-import --quiet < '${stream}'`, "load");
  run(root, "reset", "-q", "--hard");
  run(root, "init", "-q", "--bare", join(folder, "remote.git"));
  run(root, "remote", "add", "origin", join(folder, "remote.git"));
  run(root, "update-ref", "refs/remotes/origin/main", `main~${COMMITS}`);
  return root;
}
