/**
 * How fast the shipped model is here: `bun models/melira/speed.ts [PROGRAM]`. Warm times with two workers in this process, cold start and
 * lines a second of the built program. Prints one line each; asserts nothing, for a busy machine is no reason to fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { modelPlace } from "../../src/melira/folder.ts";
import { Scorer } from "../../src/melira/scorer.ts";
import { openSystem } from "../../src/system.ts";
import { hostTarget } from "../../targets/all.ts";

const ROOT = resolve(import.meta.dir, "../..");
const program = Bun.argv[2] ?? join(ROOT, "dist", hostTarget()?.name ?? "", "poisonzero");

/** Prose, code and tables of this repository itself, so that nobody needs other data. */
const prose = ["README.md", "src/limits.ts", "src/call/shell/interpret.ts", "src/secrets/encoded.ts"]
  .map((name) => readFileSync(join(ROOT, name), "utf8"))
  .join("\n");
const text = (bytes: number): string => prose.repeat(Math.ceil(bytes / prose.length)).slice(0, bytes);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const rss = (): string => {
  Bun.gc(true);
  return `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`;
};

const before = performance.now();
const scorer = await Scorer.open(openSystem({ environment: {} }), { place: modelPlace(), workers: 2 });
await scorer.score("hello");
console.log(`first score in this process   ${(performance.now() - before).toFixed(0)} ms`);
scorer.warm();
await Bun.sleep(3_000);
for (const [name, bytes, times] of [
  ["4 KiB", 4_096, 60],
  ["64 KiB", 65_536, 15],
  ["256 KiB", 262_144, 5],
  ["8 MiB", 8 * 2 ** 20, 3],
] as const) {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const from = performance.now();
    await scorer.score(text(bytes), { time_ms: 60_000 });
    taken.push(performance.now() - from);
  }
  console.log(
    `${name.padEnd(8)} warm, 2 workers     ${median(taken).toFixed(1)} ms (median of ${times}, best ${Math.min(...taken).toFixed(1)})`,
  );
}
console.log(`resident with two workers     ${rss()}`);
scorer.close();

if (existsSync(program)) {
  const cold: number[] = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    Bun.spawnSync([program, "inject0", "score", "-"], { stdin: Buffer.from("hello") });
    cold.push(performance.now() - from);
  }
  console.log(`inject0 score, whole process  ${median(cold).toFixed(0)} ms (median of 5)`);
  const lines = `${JSON.stringify({ text: "The build finished with two warnings, see the log for details." })}\n`;
  const time = (count: number): number => {
    const from = performance.now();
    Bun.spawnSync(["taskset", "-c", "0", program, "inject0", "score", "--jsonl", "-"], { stdin: Buffer.from(lines.repeat(count)) });
    return performance.now() - from;
  };
  console.log(`--jsonl on one core           ${Math.round((900 * 1_000) / (time(1_000) - time(100)))} short texts a second`);
}

if (existsSync(program) && existsSync("/proc/self/status")) {
  const child = Bun.spawn([program, "inject0", "score", "--jsonl", "-"], { stdin: "pipe", stdout: "pipe" });
  const answers = child.stdout.getReader();
  const peak = async (name: string, bytes: number, times: number): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ text: text(bytes) })}\n`.repeat(times));
    await child.stdin.flush();
    for (let lines = 0; lines < times; ) lines += new TextDecoder().decode((await answers.read()).value).split("\n").length - 1;
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    console.log(`${name.padEnd(29)} ${Math.round(Number(kib) / 1024)} MiB resident at most`);
  };
  await peak("program, a text of 4 KiB", 4_096, 1);
  await peak("program, 40 texts of 64 KiB", 65_536, 40);
  await peak("program, a text of 8 MiB", 8 * 2 ** 20 - 1, 1);
  await child.stdin.end();
}
process.exit(0);
