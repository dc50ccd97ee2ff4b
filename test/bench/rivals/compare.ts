/**
 * The product beside other scanners on the same inputs in the same run: whole process on a small payload, throughput on a
 * long text and on a repository's tree, findings on the labelled set. No scanner reaches the network.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { score, type Score } from "../../labelled/score.ts";
import { labelledSet } from "../../labelled/set.ts";
import { rivals } from "./install.ts";
import { product, scanner, type Scanner } from "./scanners.ts";

/** What one scanner came to. Undefined where it did not finish, or cannot do it. */
export interface Comparison {
  readonly name: string;
  readonly version: string;
  readonly small_ms: number | undefined;
  readonly text_mb_s: number | undefined;
  readonly tree_mb_s: number | undefined;
  readonly score: Score | undefined;
}

const MIB = 1024 * 1024;
/** Sizes of the inputs, in bytes, and patience with one run, in milliseconds. */
const INPUT = { small: 4 * 1024, text: 16 * MIB, tree: 64 * MIB } as const;
const PATIENCE_MS = 180_000;
/** A run that takes this long is the figure by itself, in milliseconds: what warming saves is nothing to it. */
const LONG_MS = 15_000;

interface Run {
  readonly ms: number;
  readonly output: string;
}

/** One whole run. A new network namespace without any interface keeps every scanner off the network where the machine allows it. */
function run(one: Scanner, path: string, cwd: string, home: string): Run | undefined {
  const command = [...isolation(), ...one.command(path)];
  // A file: a pipe's end is cut off by programs that leave in a hurry.
  writeFileSync(join(home, "output"), "");
  const printed = Bun.file(join(home, "output"));
  const from = Bun.nanoseconds();
  const done = Bun.spawnSync(command, {
    cwd: one.cwd ?? cwd,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home },
    stdin: "ignore",
    stdout: printed,
    timeout: PATIENCE_MS,
  });
  const ms = (Bun.nanoseconds() - from) / 1e6;
  // They end with various codes when they find something; a signal is no end.
  if (done.signalCode !== undefined && done.signalCode !== null) return undefined;
  return { ms, output: readFileSync(join(home, "output"), "utf8") };
}

let isolated: readonly string[] | undefined;
function isolation(): readonly string[] {
  isolated ??= Bun.spawnSync(["unshare", "-n", "true"]).exitCode === 0 ? ["unshare", "-n"] : [];
  return isolated;
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

/** Log lines as they come, and a secret every few thousand. */
function longText(bytes: number): string {
  const block = Array.from(
    { length: 4_000 },
    (_, i) =>
      `2026-03-0${1 + (i % 9)}T10:${String(i % 60).padStart(2, "0")}:07.${100 + (i % 900)}Z INFO worker-${i % 16} GET /v1/jobs/${(i * 7919) % 100_003}?page=${i % 40} 200 ${i % 300} ms request=${(i * 2654435761).toString(16).padStart(12, "0")} user=dana\n`,
  ).join("");
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
}

/** Sources that many machines have: Go's and Python's standard libraries, C's headers. */
const LIBRARIES = [
  "/usr/local/go/src",
  "/usr/lib/go/src",
  "/usr/lib/python3.11",
  "/usr/lib/python3.12",
  "/usr/lib/python3.13",
  "/usr/include",
];

/** A source tree: the repository itself, the sources of its packages and what else is there, up to a size; what is no text is left out. */
function sourceTree(root: string, to: string): number {
  const roots = ["src", "test", "native", "targets", "node_modules", ...LIBRARIES].filter((name) => existsSync(resolve(root, name)));
  const listed = roots.flatMap((name) => {
    const found = Bun.spawnSync(["find", name, "-type", "f", "-size", "-2048k"], { cwd: root });
    return found.stdout.toString().split("\n").sort();
  });
  let bytes = 0;
  for (const name of listed.filter((one) => /\.(?:[cm]?[jt]s|tsx?|json|md|c|h|hpp|sh|py|go|ya?ml|jsonl|html|css)$/.test(one))) {
    // Rivals leave out `node_modules`; the sources in it are as good as any.
    const target = join(to, name.replaceAll("node_modules", "packages"));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(resolve(root, name), target);
    bytes += statSync(target).size;
    if (bytes > INPUT.tree) break;
  }
  return bytes;
}

/** Every scanner on every input. */
export function compare(
  launcher: string,
  folder: string,
  seed: string,
  rounds: number,
  say: (text: string) => void,
): readonly Comparison[] {
  const home = join(folder, "home");
  const root = join(import.meta.dir, "../../..");
  const small = join(folder, "small", "app.ts");
  const text = join(folder, "text", "service.log");
  const tree = join(folder, "tree");
  const set = join(folder, "set");
  for (const path of [home, dirname(small), dirname(text), tree, set]) mkdirSync(path, { recursive: true });
  writeFileSync(small, readFileSync(join(root, "src/secrets/scan.ts")).subarray(0, INPUT.small));
  writeFileSync(text, longText(INPUT.text));
  const treeBytes = sourceTree(root, tree);
  const files = labelledSet(seed);
  for (const file of files) {
    mkdirSync(dirname(join(set, file.path)), { recursive: true });
    writeFileSync(join(set, file.path), file.text);
  }
  say(
    `on ${cpus().length} cores: ${(INPUT.text / 1e6).toFixed(0)} MB of log, ${(treeBytes / 1e6).toFixed(0)} MB of sources, labelled set of ${files.length} files, seed ${seed}`,
  );

  const others: Scanner[] = [];
  for (const rival of rivals()) {
    if (rival.missing === undefined) others.push(scanner(rival));
    else say(`SKIPPED ${rival.name} ${rival.version}: ${rival.missing}`);
  }
  const all = [product(launcher, ""), ...others];
  // In turn, so that a busy machine slows all alike; the first round warms caches and does not count.
  const timed = (path: string, times: number): ReadonlyMap<string, number> => {
    const measured = new Map<string, number[]>();
    const long = new Set<string>();
    for (let round = 0; round <= times; round++) {
      for (const one of all) {
        if (long.has(one.name)) continue;
        const ms = run(one, path, dirname(path), home)?.ms ?? Number.NaN;
        if (!(ms < LONG_MS)) long.add(one.name);
        if (round > 0 || long.has(one.name)) measured.set(one.name, [...(measured.get(one.name) ?? []), ms]);
      }
    }
    return new Map([...measured].map(([name, list]) => [name, median(list)]));
  };
  const known = (value: number | undefined): number | undefined => (value === undefined || Number.isNaN(value) ? undefined : value);
  const speed = (bytes: number, ms: number | undefined): number | undefined =>
    known(ms) === undefined ? undefined : bytes / 1e6 / ((ms as number) / 1e3);
  const smalls = timed(small, rounds);
  const texts = timed(text, 2);
  const trees = timed(tree, 2);
  return all.map((one): Comparison => {
    const done = run(one, set, set, home);
    return {
      name: one.name,
      version: one.version,
      small_ms: known(smalls.get(one.name)),
      text_mb_s: speed(INPUT.text, texts.get(one.name)),
      tree_mb_s: speed(treeBytes, trees.get(one.name)),
      score: done === undefined ? undefined : score(files, one.findings(done.output, set)),
    };
  });
}

/** One table; in brackets the ratio to the product's own figure. */
export function table(rows: readonly Comparison[]): string {
  const own = rows[0];
  const cell = (value: number | undefined, of: number | undefined, unit: string, digits: number): string => {
    if (value === undefined) return "–";
    const ratio = of === undefined || value === of ? "" : ` (${(value / of).toPrecision(2)}×)`;
    return `${value.toFixed(digits)}${unit}${ratio}`;
  };
  const percent = (value: number | undefined): string => (value === undefined ? "–" : `${(100 * value).toFixed(1)} %`);
  const body = rows.map((row) => [
    `${row.name} ${row.version}`.trim(),
    cell(row.small_ms, own?.small_ms, " ms", 0),
    cell(row.text_mb_s, own?.text_mb_s, " MB/s", 1),
    cell(row.tree_mb_s, own?.tree_mb_s, " MB/s", 1),
    percent(row.score?.recall),
    percent(row.score?.precision),
    row.score === undefined ? "–" : String(row.score.alarms),
  ]);
  const head = ["", "small file", "long text", "source tree", "recall", "precision", "false alarms"];
  const widths = head.map((title, at) => Math.max(title.length, ...body.map((cells) => (cells[at] as string).length)));
  return [head, ...body]
    .map((cells) =>
      cells.map((text, at) => (at === 0 ? text.padEnd(widths[at] as number) : text.padStart(widths[at] as number))).join("  "),
    )
    .join("\n");
}
