/**
 * What a hook call costs, and how the scan stands beside other scanners: `bun run bench [--rounds N] [--only hook|git|rivals] [--json]`.
 *
 * Runs an empty compiled binary (`console.log("")`, same flags, same runtime, started directly) and `poisonzero hook claude`
 * (through the launcher) in turn on the same event, so that a busy machine slows both alike. Ratio is wall p50 against
 * the empty binary; the budget for an everyday call is 1.8. CPU time includes children. Exit code 1 above the budget.
 * Checks of Git are held to their own limits (`git.ts`). Other scanners come from their registries at the first run (`rivals/install.ts`); one that cannot be had is skipped.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mint } from "../mint.ts";
import { buildProduct, type Product, setting, temporaryFolder } from "../product.ts";
import { gitRows } from "./git.ts";
import { compare, table } from "./rivals/compare.ts";

/** Ratio of an everyday call to the empty binary, both wall p50 (design, the hook's budget). */
const BUDGET = 1.8;
const KIB = 1024;
const MIB = 1024 * 1024;

/** One kind of event. The everyday one, which no rule concerns, is held to the budget; the others read files or results. */
interface Case {
  readonly name: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly everyday: boolean;
  /** Whose session it belongs to: one of its own when undefined. */
  readonly session?: string;
  /** Values its session has seen before. */
  readonly remembered?: number;
  /** Share of the rounds: large events take long and vary little. */
  readonly share: number;
}

/** Median figures of one program. */
interface Figures {
  readonly wall_ms: number;
  readonly cpu_ms: number;
  readonly peak_mb: number;
}

/** One row of the result. */
interface Row {
  readonly name: string;
  readonly everyday: boolean;
  readonly empty: Figures;
  readonly hook: Figures;
  readonly ratio: number;
}

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { rounds: { type: "string", default: "100" }, only: { type: "string" }, json: { type: "boolean", default: false } },
});
const { only } = values;
if (only !== undefined && only !== "hook" && only !== "git" && only !== "rivals")
  throw new Error("--only is hook, git or rivals. Next step: bun run bench --only hook");
const wanted = (part: "hook" | "git" | "rivals"): boolean => only === undefined || only === part;
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a whole number above 0. Next step: bun run bench --rounds 100");

const folder = temporaryFolder("bench");
const repository = join(folder, "repository");
mkdirSync(repository);
writeFileSync(join(repository, "app.ts"), "export const port = 3000;\n");

const base = { cwd: repository, transcript_path: "", permission_mode: "default", tool_use_id: "toolu_bench" };
const before = (tool_name: string, tool_input: unknown): Record<string, unknown> => ({
  ...base,
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
});
const after = (stdout: string): Record<string, unknown> => ({
  ...base,
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_response: { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false },
});

/** Build output as it comes: words, paths, numbers, hashes. */
function clean(bytes: number): string {
  const lines = Array.from(
    { length: 500 },
    (_, i) => `  [${i}/500] src/components/${mint.hex(6)}/index.tsx  ${i * 37} B  sha ${mint.hex(40)}  ok in ${i % 97} ms\n`,
  ).join("");
  return lines.repeat(Math.ceil(bytes / lines.length)).slice(0, bytes);
}

/** Text that looks like secrets all over and hardly holds one: prefixes, bad checksums, long runs, quotes, PEM heads. */
function hostile(bytes: number): string {
  const heads = [
    "ghp_",
    "npm_",
    "sk-proj-",
    "AKIA",
    "eyJ",
    "glpat-",
    "-----BEGIN PRIVATE KEY-----\n",
    "password=",
    "postgres://u:",
    "xoxb-",
    '"token": "',
    "AIza",
  ];
  const block = Array.from(
    { length: 400 },
    (_, i) => `${heads[i % heads.length]}${mint.hex(20 + (i % 60))}${i % 7 === 0 ? "\\" : ""} `,
  ).join("");
  return `${mint.github()} ${block.repeat(Math.ceil(bytes / block.length))}`.slice(0, bytes);
}

const CASES: readonly Case[] = [
  { name: "Bash: ls && npm test", event: before("Bash", { command: "ls && npm test" }), everyday: true, share: 1 },
  { name: "Read: a source file", event: before("Read", { file_path: join(repository, "app.ts") }), everyday: false, share: 1 },
  { name: "output 4 KB, clean", event: after(clean(4 * KIB)), everyday: false, share: 1 },
  { name: "output 4 KB, hostile", event: after(hostile(4 * KIB)), everyday: false, share: 0.5 },
  { name: "output 1 MiB, clean", event: after(clean(MIB)), everyday: false, share: 0.2 },
  { name: "output 1 MiB, hostile", event: after(hostile(MIB)), everyday: false, share: 0.2 },
  { name: "the same after a secret was seen", event: after(clean(MIB)), everyday: false, session: "output 4 KB, hostile", share: 0.2 },
  { name: "outgoing 1 MiB", event: before("mcp__notes__create", { text: clean(MIB) }), everyday: false, share: 0.2 },
  {
    name: "the same, 5,000 values remembered",
    event: before("mcp__notes__create", { text: clean(MIB) }),
    everyday: false,
    remembered: 5_000,
    share: 0.2,
  },
  { name: "output 8 MiB, clean", event: after(clean(8 * MIB)), everyday: false, share: 0.1 },
  { name: "output 8 MiB, hostile", event: after(hostile(8 * MIB)), everyday: false, share: 0.1 },
];

function measurer(): string {
  const output = join(folder, "measure");
  const done = Bun.spawnSync(["gcc", "-O2", "-Wall", "-Wextra", "-o", output, join(import.meta.dir, "measure.c")]);
  if (done.exitCode !== 0) throw new Error(`${done.stderr}\nNext step: install gcc`);
  return output;
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

const emptyEntry = join(folder, "empty.ts");
writeFileSync(emptyEntry, 'console.log("");\n');
const built = buildProduct();
setting(built, "leak0mode", "enforce\n");

/** Tokens shown in one event, so that no limit of a single text is met. */
const SHOWN_AT_ONCE = 500;

/** Has a session see this many values. */
function remember(session: string, count: number): void {
  for (let left = count; left > 0; left -= SHOWN_AT_ONCE) {
    const tokens = Array.from({ length: Math.min(left, SHOWN_AT_ONCE) }, () => mint.github()).join("\n");
    const event = JSON.stringify({ session_id: session, ...after(tokens) });
    const done = Bun.spawnSync([built.launcher, "hook", "claude"], { env: { HOME: folder }, cwd: repository, stdin: Buffer.from(event) });
    if (!done.stdout.toString().includes("updatedToolOutput")) throw new Error("the values were not seen");
  }
}

function run(one: Case, empty: Product, measure: string): Row {
  const input = join(folder, "event.json");
  if (one.remembered !== undefined) remember(one.name, one.remembered);
  writeFileSync(input, JSON.stringify({ session_id: one.session ?? one.name, ...one.event }));
  const programs = [[empty.program], [built.launcher, "hook", "claude"]];
  const turns = Math.max(5, Math.round(rounds * one.share));
  const warmUp = 3;
  const done = Bun.spawnSync([measure, String(turns + warmUp), input, ...programs.flatMap((argv) => ["--", ...argv])], {
    env: { HOME: folder },
    cwd: repository,
  });
  if (done.exitCode !== 0) throw new Error(`measure ended with ${done.exitCode}`);
  const runs = done.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number));
  const figures = (index: number): Figures => {
    const own = runs.filter((fields) => fields[0] === index).slice(warmUp);
    const failed = own.find((fields) => fields[4] !== 0);
    if (failed) throw new Error(`${one.name}: ${programs[index]?.join(" ")} ended with ${failed[4]}`);
    const of = (field: number): number => median(own.map((fields) => fields[field] as number));
    return { wall_ms: of(1) / 1_000, cpu_ms: of(2) / 1_000, peak_mb: of(3) / 1_024 };
  };
  const result = { empty: figures(0), hook: figures(1) };
  return { name: one.name, everyday: one.everyday, ...result, ratio: result.hook.wall_ms / result.empty.wall_ms };
}

function hookRows(): readonly Row[] {
  const empty = buildProduct({ entry: emptyEntry });
  const measure = measurer();
  return CASES.map((one) => run(one, empty, measure));
}

const rows = wanted("hook") ? hookRows() : [];
const gits = wanted("git") ? gitRows(folder, built, measurer()) : [];
const said: string[] = [];
const say = (text: string): void => void (values.json ? said.push(text) : console.log(text));
const rivals = !wanted("rivals")
  ? []
  : compare(built.launcher, join(folder, "rivals"), mint.seed, Math.max(5, Math.round(rounds / 10)), say);
if (values.json) {
  const plain = rivals.map(({ score, ...figures }) => ({
    ...figures,
    recall: score?.recall,
    precision: score?.precision,
    alarms: score?.alarms,
  }));
  console.log(JSON.stringify({ budget: BUDGET, rounds, rows, git: gits, rivals: plain, notes: said }));
} else if (rivals.length > 0) console.log(`${table(rivals)}\n`);
if (!values.json && rows.length > 0) {
  console.log(
    `${"".padEnd(32)} ${"empty".padStart(9)} ${"hook".padStart(9)} ${"ratio".padStart(6)} ${"CPU".padStart(9)} ${"empty CPU".padStart(10)} ${"peak".padStart(8)}`,
  );
  for (const { name, empty: base, hook, ratio, everyday } of rows) {
    const ms = (value: number, width: number): string => `${value.toFixed(1)} ms`.padStart(width);
    console.log(
      `${name.padEnd(32)} ${ms(base.wall_ms, 9)} ${ms(hook.wall_ms, 9)} ${ratio.toFixed(2).padStart(6)} ${ms(hook.cpu_ms, 9)} ${ms(base.cpu_ms, 10)} ${`${hook.peak_mb.toFixed(0)} MB`.padStart(8)}${everyday && ratio > BUDGET ? "  over budget" : ""}`,
    );
  }
}
if (!values.json && gits.length > 0) {
  const head = ["git", "hook", "ratio", "CPU", "peak"].map((name, column) => name.padStart([9, 9, 6, 9, 8][column] ?? 9)).join(" ");
  console.log(`${rows.length > 0 ? "\n" : ""}${"".padEnd(34)} ${head}`);
  for (const { name, git_ms, hook_ms, ratio, cpu_ms, peak_mb, over } of gits) {
    const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(9);
    const figures = [ms(git_ms), ms(hook_ms), ratio.toFixed(2).padStart(6), ms(cpu_ms), `${peak_mb.toFixed(0)} MB`.padStart(8)];
    console.log(`${name.padEnd(34)} ${figures.join(" ")}${over.length > 0 ? `  ${over.join(", ")}` : ""}`);
  }
}
const over = rows.filter((row) => row.everyday && row.ratio > BUDGET);
if (over.length > 0) console.error(`over the budget of ${BUDGET}: ${over.map((row) => row.name).join(", ")}`);
const slow = gits.filter((row) => row.over.length > 0);
if (slow.length > 0) console.error(`over their limits: ${slow.map(({ name, over: words }) => `${name} (${words.join(", ")})`).join("; ")}`);
process.exitCode = over.length + slow.length === 0 ? 0 : 1;
