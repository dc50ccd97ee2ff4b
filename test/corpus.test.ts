/**
 * The corpus, in process and through the compiled binary.
 * `PZ_TEST_ONLY` (a pattern over ids) plays a part.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { answer } from "../src/hook/hook.ts";
import { SPECIFIED } from "../src/limits.ts";
import { openSystem } from "../src/system.ts";
import { hostTarget } from "../targets/all.ts";
import { type Case, kindsOf, loadCases, loadSetups } from "./corpus/case.ts";
import { OTHER_AGENTS, type OtherAgent, otherAsks, readOther } from "./corpus/agents.ts";
import { asks } from "./corpus/event.ts";
import { type Answer, faults, hashesIn, leaks, pieces } from "./corpus/judge.ts";
import { changes, type Scene, settle, snapshot, Stage } from "./corpus/scene.ts";
import { mint } from "./mint.ts";
import { call, product, temporaryFolder } from "./product.ts";

const only = new RegExp(process.env["PZ_TEST_ONLY"] ?? "");
const files = loadCases();
const all = [...files.values()].flat();
const stage = new Stage(temporaryFolder("corpus"), loadSetups(), mint.seed);

/** One way to have an event answered, and the data folder it uses. */
interface Player {
  readonly name: string;
  /** Absent for Claude Code, in whose terms the cases are written. */
  readonly agent?: OtherAgent;
  readonly data: (scene: Scene) => string;
  readonly answer: (text: string, scene: Scene) => Answer | Promise<Answer>;
}

const inProcess = (agent?: OtherAgent): Player => ({
  name: agent === undefined ? "in process" : `as ${agent}`,
  ...(agent === undefined ? {} : { agent }),
  data: (scene) => scene.data,
  answer: (text, scene) =>
    answer(
      agent ?? "claude",
      agent === "antigravity" ? "PreToolUse" : "",
      text,
      openSystem({
        environment: scene.environment,
        dataFolder: scene.data,
        ownerUid: process.getuid?.() ?? 0,
        time_ms_max: SPECIFIED.engine_ms,
      }),
    ),
});

const compiled: Player = {
  name: "through the binary",
  data: () => product().dataFolder,
  answer: (text, scene) => call(product(), ["hook", "claude"], text, scene.environment, scene.repo),
};

/** Plays a case and returns everything that is wrong. */
async function play(one: Case, player: Player): Promise<readonly string[]> {
  const scene = stage.of(one);
  const places = { home: scene.home, repo: scene.repo, data: player.data(scene) };
  settle(scene, places.data);
  const steps = one.steps.map((step) => scene.template.fill(step, places));
  const forbidden = pieces(scene.template.secrets.keys());
  const skip = [join(scene.repo, ".git")];
  const before = snapshot(scene.home, skip);
  const wrong: string[] = [];
  const session = `${one.id}-${player.name}-${crypto.randomUUID()}`;
  for (const [index, step] of steps.entries()) {
    const logged = auditLines(scene);
    const hashes: string[] = [];
    const { agent } = player;
    const events = agent === undefined ? asks(step, places, session) : otherAsks(agent, step, places, session);
    // A step that an agent does not have.
    if (events === undefined) continue;
    // Antigravity delivers no results, so that what an earlier one held is not known to it.
    if (agent === "antigravity" && steps.slice(0, index).some(({ after }) => kindsOf(after).includes("redact"))) break;
    for (const ask of events) {
      const given = await player.answer(ask.text, scene);
      hashes.push(...hashesIn(given));
      const found = agent === undefined ? faults(given, ask, step) : faults(given, ask, step, (said, to) => readOther(agent, said, to));
      wrong.push(...found.map((fault) => `step ${index + 1}, ${fault}`));
      if (leaks(given.stdout, forbidden) || leaks(given.stderr, forbidden))
        wrong.push(`step ${index + 1}, ${ask.name}: a piece of a secret was printed`);
    }
    const news = auditLines(scene).slice(logged.length);
    for (const hash of hashes)
      if (!news.some((line) => line.includes(`"${hash}"`)))
        wrong.push(`step ${index + 1}: hash ${hash} of the message is in no audit entry`);
    if (step.audit !== undefined && agent === undefined && !news.some((line) => line.includes(`"${step.audit}"`)))
      wrong.push(`step ${index + 1}: no ${step.audit} in the audit log (${news.join(" ")})`);
    const quiet =
      [step.expect, step.after, step.unseen].every((expected) => kindsOf(expected).join() === "silent") && scene.mode === "enforce";
    if (quiet && news.length > 0) wrong.push(`step ${index + 1}: silence, but an audit entry: ${news.join(" ")}`);
    for (const line of news)
      if (line.includes(scene.home) || (step.bash !== undefined && step.bash.length > 12 && line.includes(step.bash)))
        wrong.push(`step ${index + 1}: a path or a command in the audit log: ${line}`);
  }
  const written = new Map([...changes(before, snapshot(scene.home, skip)), ...changes(new Map(), snapshot(places.data))]);
  for (const [path, content] of written)
    if (leaks(content, forbidden)) wrong.push(`a piece of a secret was written to ${path.slice(scene.home.length)}`);
  return wrong;
}

function auditLines(scene: Scene): readonly string[] {
  const folder = join(scene.home, ".poisonzero/audit");
  if (!existsSync(folder)) return [];
  const logs = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return logs.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n")).filter((line) => line !== "");
}

describe("corpus as data", () => {
  test("ids are unique, requirements named, expectations known", () => {
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
    for (const one of all) {
      expect(one.requirements.length, one.id).toBeGreaterThan(0);
      for (const step of one.steps) for (const expected of [step.expect, step.after, step.unseen]) kindsOf(expected);
    }
  });

  test("honest work is at least 300 cases, all silent", () => {
    const honest = files.get("honest.jsonl") ?? [];
    expect(honest.length).toBeGreaterThanOrEqual(300);
    for (const one of honest)
      for (const step of one.steps) expect([step.expect ?? "silent", step.after ?? "silent"], one.id).toEqual(["silent", "silent"]);
  });

  test("a miss and its false alarm come as a pair", () => {
    const byId = new Map(all.map((one) => [one.id, one]));
    for (const one of all) {
      const blocks = one.steps.some((step) => kindsOf(step.expect).join() === "block");
      const quiet = one.steps.some((step) => !kindsOf(step.expect).includes("block"));
      if (blocks && !quiet) expect(one.twin, `${one.id} blocks and names no twin`).toBeDefined();
      if (one.twin === undefined) continue;
      const twin = byId.get(one.twin);
      expect(twin, `${one.id}: twin ${one.twin}`).toBeDefined();
      // A case that only blocks names what must not be blocked; a quiet case may name the miss it belongs to.
      const harmless = quiet || twin?.steps.some((step) => !kindsOf(step.expect).includes("block"));
      expect(harmless, `${one.twin} must have a step that does not block`).toBe(true);
    }
  });
});

const buildable = hostTarget() !== undefined;
if (!buildable) console.warn(`SKIPPED: ${all.length} corpus cases through the binary (this machine has no build target)`);
/** The cases a player plays: honest work is shared among the other agents, whose wires differ and whose rules do not. */
function casesOf(player: Player, file: string, cases: readonly Case[]): readonly Case[] {
  const { agent } = player;
  const own = cases.filter(({ id }) => only.test(id));
  if (agent === undefined || file !== "honest.jsonl") return own;
  return own.filter((one) => OTHER_AGENTS[cases.indexOf(one) % OTHER_AGENTS.length] === agent);
}

for (const player of [inProcess(), compiled, ...OTHER_AGENTS.map(inProcess)]) {
  for (const [file, cases] of files) {
    describe.skipIf(player === compiled && !buildable)(`${file.replace(".jsonl", "")}, ${player.name}`, () => {
      for (const one of casesOf(player, file, cases)) {
        test(`${one.requirements.join(" ")} ${one.id}: ${one.title}`, async () => {
          expect(await play(one, player)).toEqual([]);
        });
      }
    });
  }
}
