/** The real clients with the built product: what it stops must truly stop, and nothing else (see README.md). */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "bun:test";
import { hostTarget } from "../../targets/all.ts";
import { mint } from "../mint.ts";
import { buildProduct, product as shared, setting, temporaryFolder } from "../product.ts";
import { type Client, CLIENTS, install, NOT_TO_BE_HAD } from "./client.ts";
import type { Expected, Report, RunRequest, Scenario } from "./run.ts";

const folder = join(import.meta.dir, "scenarios");
const scenarios = readdirSync(folder)
  .sort()
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Scenario);

const built = hostTarget() === undefined ? "this machine has no build target" : undefined;
for (const { title, why } of NOT_TO_BE_HAD) console.warn(`SKIPPED: ${scenarios.length} runs of the real ${title}: ${why}`);

/** The client, its hook and the build of the product take their time on a busy machine. */
const RUN_MS = 180_000;

const requests = temporaryFolder("clients");
let count = 0;

/** Clients that run at once; each takes some hundred megabytes. */
const AT_ONCE = 3;
const turns: Promise<unknown>[] = [];

/** One run in a network namespace that has nothing but loopback, when it is its turn. */
function run(request: Omit<RunRequest, "seed">, ownEtc = false): Promise<Report> {
  const before = turns[turns.length - AT_ONCE] ?? Promise.resolve();
  const report = before.then(() => start(request, ownEtc));
  turns.push(report.catch(() => undefined));
  return report;
}

const LOOPBACK = 'ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"';

/** An /etc of its own, in which nobody has an account but root with the run's home: setup for every user goes no further. */
const OWN_ETC =
  'mount -t tmpfs tmpfs "$LAYER" && mkdir "$LAYER/upper" "$LAYER/work" && ' +
  'mount -t overlay overlay -o "lowerdir=/etc,upperdir=$LAYER/upper,workdir=$LAYER/work" /etc && : >/etc/passwd || exit 9; ';
const canOwnEtc =
  process.getuid?.() === 0 &&
  Bun.spawnSync(["unshare", "-m", "sh", "-c", OWN_ETC], { env: { ...process.env, LAYER: temporaryFolder("layer") } }).success;

function start(request: Omit<RunRequest, "seed">, ownEtc = false): Promise<Report> {
  const file = join(requests, `${count++}.json`);
  writeFileSync(file, JSON.stringify({ ...request, seed: mint.seed } satisfies RunRequest));
  return new Promise((done, fail) => {
    const child = spawn(
      "unshare",
      [
        ownEtc ? "-nm" : "-n",
        "sh",
        "-c",
        `${ownEtc ? OWN_ETC : ""}${LOOPBACK}`,
        "sh",
        process.execPath,
        join(import.meta.dir, "run.ts"),
        file,
      ],
      { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, LAYER: temporaryFolder("layer") } },
    );
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => void (stdout += chunk));
    child.stderr.on("data", (chunk) => void (stderr += chunk));
    child.on("error", fail);
    child.on("close", () => {
      try {
        done(JSON.parse(stdout) as Report);
      } catch {
        fail(new Error(`the run gave no report: ${stderr.slice(-2_000)}`));
      }
    });
  });
}

function check(report: Report, expected: Expected): void {
  const context = JSON.stringify({ ...report, shown: report.shown.map((text) => text.slice(0, 300)) }, null, 1);
  expect(report.timedOut, context).toBe(false);
  if (expected.ran !== undefined) expect(report.ran, context).toBe(expected.ran);
  if (expected.seen !== undefined) expect(report.seen, context).toBe(expected.seen);
  if (expected.egress !== undefined) expect(report.egress, context).toBe(expected.egress);
  for (const text of expected.shows ?? []) expect(report.shown.join("\n"), context).toContain(text);
}

/** Without a hook every client but Claude Code is only tried where the lab itself has to be proven: a call, a result, a prompt. */
const OPEN = new Set(["shell-credentials", "mcp-get", "prompt-token"]);

/** What is right for a client; undefined where it has no such thing. */
function expectedOf(client: Client, scenario: Scenario): Pick<Scenario, "open" | "guarded"> | undefined {
  if (client.agent === "claude") return scenario;
  const own = scenario.agents?.[client.agent] ?? scenario;
  if (own === false) return undefined;
  const { open, guarded } = own;
  return open !== undefined && OPEN.has(scenario.name) ? { open, guarded } : { guarded };
}

for (const client of CLIENTS) {
  const got = built === undefined ? install(client) : { missing: built };
  const mine = scenarios.flatMap((scenario) => {
    const expected = expectedOf(client, scenario);
    return expected === undefined ? [] : [{ scenario, expected }];
  });
  if ("missing" in got) console.warn(`SKIPPED: ${mine.length} scenarios with the real ${client.title} ${client.version}: ${got.missing}`);
  const program = "program" in got ? got.program : "";
  // Programs and versions are facts of this file, so that only these travel.
  const who = { client: JSON.parse(JSON.stringify(client)) as Client, program };
  describe.skipIf(program === "")(`${client.title} ${client.version}`, () => {
    for (const { scenario, expected } of mine) {
      const { open, guarded } = expected;
      if (open !== undefined) {
        test.concurrent(
          `${scenario.name} without a hook: ${scenario.about}`,
          async () => check(await run({ ...who, scenario }), open),
          RUN_MS,
        );
      }
      test.concurrent(
        `${scenario.requirements.join(" ")} ${scenario.name} with poisonzero: ${scenario.about}`,
        async () => {
          // A scenario that removes the program needs a build of its own.
          const product = scenario.hooks === false ? buildProduct() : shared();
          setting(product, "leak0mode", "enforce\n");
          const report = await run({
            ...who,
            scenario,
            setup: [product.launcher, "setup", "--agent", client.agent],
            ...(scenario.hooks === false ? { remove: product.launcher } : {}),
          });
          expect(report.setup?.code, report.setup?.output).toBe(0);
          expect(report.written, "files of the product that hold a secret").toEqual([]);
          check(report, guarded);
        },
        RUN_MS,
      );
    }
    // Entries that root put in for every user: the person's own settings, and whatever writes them, cannot switch those off.
    const scenario = mine.find((one) => one.scenario.name === "shell-credentials")?.scenario;
    if (client.agent !== "claude" || scenario === undefined) return;
    test.if(canOwnEtc).concurrent(
      "L-148 managed settings guard a user whose own settings switch every hook off, and nothing is checked twice",
      async () => {
        const product = buildProduct();
        setting(product, "leak0mode", "enforce\n");
        const home = { ...scenario.home, ".claude/settings.json": '{"skipWebFetchPreflight":true,"disableAllHooks":true}\n' };
        const report = await run({ ...who, scenario: { ...scenario, home }, setup: [product.launcher, "setup", "--all-users"] }, true);
        expect(report.setup, report.setup?.output).toMatchObject({ code: 0, output: expect.stringContaining("Claude Code of every user") });
        check(report, scenario.guarded);
        expect(report.logged).toBe(1);
      },
      RUN_MS,
    );
  });
}

test("every scenario stands in a file of its own name", () => {
  for (const name of readdirSync(folder))
    expect((JSON.parse(readFileSync(join(folder, name), "utf8")) as Scenario).name).toBe(name.replace(".json", ""));
  expect(dirname(folder)).toBe(import.meta.dir);
});
