/**
 * The oracle is git: for random states, changes and command lines, what we say Git would take or send is what a real Git
 * then takes or sends (D-29).
 *
 * `PZ_GIT_CASES` says how many cases are played (2000 is the whole), `PZ_GIT_SEED` with which seed (the same one unless said), `PZ_GIT_CASE` plays a
 * single one and tells all about it. Most of the time goes into copying files: with `TMPDIR=/dev/shm` it is several times faster.
 */
import { afterAll, expect, test } from "bun:test";
import { effectsOf } from "../../../../src/call/effects.ts";
import type { Call } from "../../../../src/call/effect.ts";
import { takings } from "../../../../src/leak0/committing.ts";
import { Files } from "../../../../src/leak0/files.ts";
import { resolveLeak0 } from "../../../../src/policy/leak0.ts";
import { openSystem } from "../../../../src/system.ts";
import type { Taking } from "../../../../src/call/git/index.ts";
import { Bench, Dice } from "./bench.ts";
import { changes, type Command, COMMANDS, fill } from "./commands.ts";
import { difference, look, marksOf, type Took, union } from "./oracle.ts";
import { STATES, type State, Templates } from "./states.ts";

const FIXED_SEED = 20_260;
const COUNT = Number(process.env["PZ_GIT_CASES"] ?? 200);
const ONLY = process.env["PZ_GIT_CASE"];
/** Times each command and each state is played in a whole run. */
const LEAST = 10;
const WHOLE = 2_000;

const bench = new Bench();
const templates = new Templates(bench);
afterAll(() => bench.remove(), 60_000);

const played = { commands: new Map<string, number>(), states: new Map<string, number>() };

/** What our side announces for a line, shell aliases followed. */
function announced(line: string, cwd: string, depth = 3): Taking[] {
  const system = openSystem({ environment: bench.environment, dataFolder: `${bench.home}/data` });
  const call: Call = {
    agent: "claude",
    stage: "before",
    session: "differential",
    cwd,
    tool: "Bash",
    action: { kind: "shell", dialect: "bash", command: line },
  };
  const effects = effectsOf(call, { home: system.home, environment: system.environment, platform: system.platform });
  const files = new Files(system, resolveLeak0(system), { copies: [], shortHash: () => "" });
  return takings({ effects, files, system }).flatMap((taking) =>
    taking.shell === undefined || depth === 0 ? [taking] : [taking, ...announced(taking.shell, taking.root ?? cwd, depth - 1)],
  );
}

/** What such a command throws away counts all the same, when the next one runs in any case. */
const MAY_FAIL = /git (?:checkout|restore|reset|switch|branch|stash)\b[^;&]*;/;

/** A part of the line that Git refused. */
const FAILED = /^(?:error|fatal|CONFLICT|Aborting)/m;

/** What is wrong with an announcement. */
function faults(takings: readonly Taking[], took: Took, open: boolean, again: boolean, inner: boolean, failed: boolean): string[] {
  const blobs = union(
    takings.flatMap(({ taken }) => taken.flatMap(({ bytes, link }) => (bytes === undefined || link !== undefined ? [] : [marksOf(bytes)]))),
  );
  const texts = union(takings.flatMap(({ taken }) => taken.flatMap(({ text, path }) => [marksOf(text ?? ""), marksOf(path ?? "")])));
  const said = union([blobs, texts]);
  const wrong: string[] = [];
  const miss = (what: string, marks: Iterable<string>): void => {
    const missing = [...marks].filter((mark) => !said.has(mark));
    if (missing.length > 0) wrong.push(`${what}, but not announced: ${missing.join(" ")}`);
  };
  const unfinished = takings.flatMap((taking) => taking.unfinished ?? []);
  if (unfinished.length > 0) return open || failed ? [] : [`unfinished: ${unfinished.join("; ")}`];
  miss("sent", took.sent);
  // What comes from a remote is nothing new to it.
  const fresh = (marks: Iterable<string>): string[] => [...marks].filter((mark) => !took.remote.has(mark));
  if (!inner)
    miss(
      "stored",
      fresh(took.stored).filter((mark) => !took.held.has(mark)),
    );
  if (!inner) miss("committed", fresh(took.committed));
  if (failed || open) return wrong;
  const real = union([took.stored, took.staged, took.committed, took.recorded, took.sent, took.remote, again ? took.held : []]);
  const extra = [...blobs].filter((mark) => !real.has(mark));
  if (extra.length > 0) wrong.push(`announced, but not taken: ${extra.join(" ")}`);
  return wrong;
}

function play(number: number, seed: number): string | undefined {
  const dice = new Dice(seed * 100_003 + number);
  const command = COMMANDS[number % COMMANDS.length] as Command;
  let state: State | undefined;
  for (let turn = 0; state === undefined; turn++) {
    // Every state comes by as often as every other, and each command meets them in another order.
    const at = Math.floor(number / COMMANDS.length) * 17 + number * 7 + turn;
    const found = templates.state(STATES[at % STATES.length] as string);
    if (command.not?.(found) !== true) state = found;
  }
  templates.lay(state);
  const before = changes(bench, dice, state);
  bench.write(`${bench.home}/made.patch`, mail(bench.mark()));
  bench.write(`${bench.home}/made.diff`, diff(bench.mark()));
  const line = fill(dice.pick(command.lines), bench, dice);
  bench.shell(before, state.cwd);
  const held = look(bench, state);
  const takings = announced(line, state.cwd);
  const done = bench.shell(line, state.cwd);
  const took = difference(bench, state, held, look(bench, state));
  played.commands.set(command.name, (played.commands.get(command.name) ?? 0) + 1);
  played.states.set(state.name, (played.states.get(state.name) ?? 0) + 1);
  const wrong = faults(
    takings,
    took,
    command.open === true || state.vague === true || MAY_FAIL.test(line),
    command.again === true,
    command.inner === true,
    done.code !== 0 || FAILED.test(done.said),
  );
  if (ONLY !== undefined)
    console.log(
      Bun.inspect(
        {
          before,
          line,
          state: state.name,
          ...done,
          takings: takings.map((taking) => ({
            ...taking,
            taken: taking.taken.map(({ where, path, bytes, text }) => [where, path, bytes && new TextDecoder().decode(bytes), text]),
          })),
        },
        { depth: 8 },
      ),
    );
  return wrong.length === 0
    ? undefined
    : `PZ_GIT_SEED=${seed} PZ_GIT_CASE=${number} [${state.name}] ${command.name}\n  before: ${before.replaceAll("\n", "; ")}\n  line: ${line}\n  git (${done.code}): ${done.said.trim().slice(0, 300)}\n  ${wrong.join("\n  ")}`;
}

function mail(mark: string): string {
  return `From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\nFrom: Ann <ann@example.com>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] mail ${mark}\n\n---\n${diff(mark)}-- \n2.39\n`;
}

function diff(mark: string): string {
  return `diff --git a/mailed.txt b/mailed.txt\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/mailed.txt\n@@ -0,0 +1 @@\n+${mark}\n`;
}

/** The coverage table, on one screen. */
function table(): string {
  const rows = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .map(([name, count]) => `${String(count).padStart(4)} ${name.padEnd(26)}`)
      .reduce((text, cell, index) => text + cell + (index % 4 === 3 ? "\n" : ""), "");
  return `commands\n${rows(played.commands)}\nstates\n${rows(played.states)}`;
}

test("L-043 L-044 L-045 D-29: what Git would take or send is what it takes or sends", () => {
  const seed = Number(process.env["PZ_GIT_SEED"] ?? FIXED_SEED);
  const wrong: string[] = [];
  if (ONLY !== undefined) wrong.push(...[play(Number(ONLY), seed)].filter((one) => one !== undefined));
  else {
    console.log(`differential test: ${COUNT} cases, PZ_GIT_SEED=${seed}`);
    for (let number = 0; number < COUNT; number++) {
      const one = play(number, seed);
      if (one !== undefined) wrong.push(one);
    }
    console.log(table());
  }
  expect(wrong.join("\n\n")).toBe("");
  if (COUNT >= WHOLE && ONLY === undefined) {
    for (const { name } of COMMANDS) expect([name, (played.commands.get(name) ?? 0) >= LEAST]).toEqual([name, true]);
    for (const name of STATES) expect([name, (played.states.get(name) ?? 0) >= LEAST]).toEqual([name, true]);
  }
}, 1_800_000);
