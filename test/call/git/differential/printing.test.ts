/** The oracle is git once more: what we say a command prints of a repository's content is what it prints (L-021, D-18). */
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Call } from "../../../../src/call/effect.ts";
import { effectsOf } from "../../../../src/call/effects.ts";
import { printed, prints, Unfinished } from "../../../../src/call/git/index.ts";
import { openSystem } from "../../../../src/system.ts";
import { Bench, Dice } from "./bench.ts";
import { changes, fill } from "./commands.ts";
import { type Marks, marksOf, union } from "./oracle.ts";
import { STATES, type State, Templates } from "./states.ts";

/** `more`: also lines that are not printed may be named. */
const LINES: readonly { readonly line: string; readonly more?: true; readonly bundle?: true }[] = [
  { line: "git show" },
  { line: "git show topic" },
  { line: "git show topic:topic.txt" },
  { line: "git show HEAD:sub/c.txt HEAD:b.txt" },
  { line: "git show v2", more: true },
  { line: "git diff", more: true },
  { line: "git diff HEAD", more: true },
  { line: "git diff --cached", more: true },
  { line: "git diff HEAD topic", more: true },
  { line: "git diff main...topic", more: true },
  { line: "git log -p -2", more: true },
  { line: "git log -p --all", more: true },
  { line: "git log --patch side -- side.txt", more: true },
  { line: "git format-patch --stdout -1" },
  { line: "git format-patch --stdout main..topic" },
  { line: "git format-patch --stdout HEAD~1", more: true },
  { line: "git cat-file -p HEAD:b.txt" },
  { line: "git cat-file blob topic:topic.txt" },
  { line: "echo topic:topic.txt | git cat-file --batch" },
  { line: "git archive HEAD" },
  { line: "git archive topic sub" },
  { line: "git archive --format=tar topic topic.txt b.txt" },
  { line: "git fast-export topic", more: true },
  { line: "git fast-export --all", more: true },
  { line: "git bundle create -q ~/x.bundle topic", bundle: true },
  { line: "git bundle create -q ~/x.bundle --all", bundle: true, more: true },
  { line: "git stash show -p", more: true },
  { line: "git blame b.txt", more: true },
  { line: "git grep -h mark -- sub", more: true },
  { line: "git diff-tree -p HEAD", more: true },
  { line: "git whatchanged -p -1", more: true },
];
const RUNS = Number(process.env["PZ_GIT_CASES"] ?? 200) / 6;
const FIXED_SEED = 66_709;
const SKIPPED = new Set(["bare", "unborn", "partial", "LFS pointers", "line endings"]);

const bench = new Bench();
const templates = new Templates(bench);
afterAll(() => bench.remove(), 60_000);

function named(line: string, state: State): Marks {
  const system = openSystem({ environment: bench.environment, dataFolder: `${bench.home}/data` });
  const call: Call = {
    agent: "claude",
    stage: "before",
    session: "differential",
    cwd: state.cwd,
    tool: "Bash",
    action: { kind: "shell", dialect: "bash", command: line },
  };
  const effects = effectsOf(call, { home: system.home, environment: system.environment, platform: system.platform });
  const invocations = effects.flatMap((effect) => (effect.kind === "git" && prints(effect.invocation) ? [effect.invocation] : []));
  return union(printed(invocations, () => true, system).map(({ bytes }) => marksOf(bytes)));
}

/** Everything in a bundle. */
function bundled(): Marks {
  bench.shell("rm -rf un.git && git clone -q --mirror x.bundle un.git", bench.home);
  return marksOf(bench.git(`${bench.home}/un.git`, "cat-file", "--batch", "--batch-all-objects"));
}

test("L-021 D-18: what Git prints on its way to somebody else", () => {
  const seed = Number(process.env["PZ_GIT_SEED"] ?? FIXED_SEED);
  const states = STATES.filter((name) => !SKIPPED.has(name));
  const wrong: string[] = [];
  for (let number = 0; number < RUNS; number++) {
    const dice = new Dice(seed * 7919 + number);
    const one = LINES[number % LINES.length] ?? LINES[0];
    if (one === undefined) break;
    const state = templates.state(dice.pick(states));
    templates.lay(state);
    const before = changes(bench, dice, state);
    bench.shell(before, state.cwd);
    const line = fill(one.line, bench, dice);
    const place = `PZ_GIT_SEED=${seed} ${number} [${state.name}] ${line} (before: ${before.replaceAll("\n", "; ")})`;
    let ours: Marks;
    try {
      ours = named(line, state);
    } catch (problem) {
      if (!(problem instanceof Unfinished)) throw problem;
      wrong.push(`${place}: unfinished: ${problem.message}`);
      continue;
    }
    const { code } = bench.shell(`${line} > ~/printed`, state.cwd);
    if (code !== 0) continue;
    const theirs = one.bundle === true ? bundled() : marksOf(readFileSync(`${bench.home}/printed`));
    const missing = [...theirs].filter((mark) => !ours.has(mark));
    const extra = one.more === true ? [] : [...ours].filter((mark) => !theirs.has(mark));
    if (missing.length + extra.length > 0) wrong.push(`${place}: missing ${missing.join(" ")} extra ${extra.join(" ")}`);
  }
  expect(wrong.join("\n")).toBe("");
}, 1_800_000);
