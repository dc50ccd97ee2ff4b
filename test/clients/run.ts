/**
 * One run of the real client against the scripted model: `bun run.ts REQUEST.json`, started inside a network namespace
 * by `clients.test.ts`. Prints a report as JSON. Files, home and repository are throwaway.
 */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { leaks, pieces } from "../corpus/judge.ts";
import { Template } from "../corpus/template.ts";
import type { Agent } from "../../src/call/effect.ts";
import type { Client } from "./client.ts";
import { homeOf, type Place, turnsOf } from "./homes.ts";
import { startModel, type Turn } from "./model.ts";

/** What is right in one of the two situations. */
export interface Expected {
  readonly ran?: boolean;
  readonly seen?: boolean;
  readonly egress?: number;
  readonly shows?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly requirements: readonly string[];
  readonly prompt: string;
  readonly turns: readonly Turn[];
  readonly home?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly commands?: readonly string[];
  readonly note?: string;
  readonly hooks?: boolean;
  readonly ran?: {
    readonly shim?: string;
    readonly file?: string;
    readonly has?: string;
    readonly egress?: string;
    readonly mcp?: string;
    readonly commit?: string;
  };
  readonly open?: Expected;
  readonly guarded: Expected;
  /** Where another client than Claude Code does something else; false: it has no such thing. */
  readonly agents?: Readonly<Partial<Record<Agent, false | { readonly open?: Expected; readonly guarded: Expected }>>>;
}

export interface RunRequest {
  readonly scenario: Scenario;
  readonly client: Client;
  /** Its program. */
  readonly program: string;
  readonly seed: string;
  /** Prepares the hook in the throwaway home; without it the client runs unguarded. */
  readonly setup?: readonly string[];
  /** A program to remove after the setup. */
  readonly remove?: string;
}

export interface Report {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly setup: { readonly code: number | null; readonly output: string } | undefined;
  readonly ran: boolean | undefined;
  readonly seen: boolean;
  readonly egress: number;
  /** Results and texts the model was shown, calls left out. */
  readonly shown: readonly string[];
  readonly requests: number;
  /** Files outside the scenario that hold a piece of a secret, as the product may write none. */
  readonly written: readonly string[];
  /** Lines of the product's log. */
  readonly logged: number;
  readonly tail: string;
}

const CLIENT_MS = 90_000;
/** Commands whose start is logged, as proof that a shell tool truly ran. */
const SHIMS = ["cat", "curl", "wget", "git", "ls", "env", "head", "base64", "npm"];

async function run(request: RunRequest): Promise<Report> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pz-client-")));
  try {
    return await inFolder(root, request);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function inFolder(root: string, { scenario: raw, client, program, seed, setup, remove }: RunRequest): Promise<Report> {
  const home = join(root, "home/dev");
  const repo = join(home, "proj");
  const template = new Template(seed);
  const scenario = template.fill(raw, { home, repo, data: join(root, "data") });
  const forbidden = pieces(template.secrets.keys());
  for (const folder of [repo, join(home, "tmp"), join(root, "bin"), join(root, "data")]) mkdirSync(folder, { recursive: true });
  const shimLog = join(root, "shim.log");
  writeFileSync(shimLog, "");
  const path = process.env["PATH"] ?? "/usr/bin:/bin";
  shims(join(root, "bin"), shimLog, path);

  const script: Turn[] = [];
  const model = await startModel(script);
  const mcpLog = join(root, "mcp.log");
  const place: Place = {
    root,
    home,
    repo,
    model: `http://127.0.0.1:${model.port}`,
    ...(scenario.note === undefined
      ? {}
      : {
          notes: {
            command: process.execPath,
            args: [join(import.meta.dir, "notes.ts")],
            env: { NOTES_TEXT: scenario.note, NOTES_LOG: mcpLog },
          },
        }),
  };
  const own = homeOf(client, place);
  const turns = turnsOf(client, own, place, scenario.turns);
  if (turns === undefined) throw new Error(`${client.title} has no tool for a call of ${scenario.name}`);
  script.push(...inPlace(turns, own.settings));
  const sink = `http://127.0.0.1:${model.proxyPort}`;
  const env: Record<string, string> = {
    ...{
      HOME: home,
      PATH: `${join(root, "bin")}:${path}`,
      TMPDIR: join(home, "tmp"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      SHELL: "/bin/bash",
      USER: "dev",
      LOGNAME: "dev",
    },
    ...{
      HTTP_PROXY: sink,
      HTTPS_PROXY: sink,
      http_proxy: sink,
      https_proxy: sink,
      ALL_PROXY: sink,
      all_proxy: sink,
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
    },
    ...{ CI: "1", NO_COLOR: "1", DO_NOT_TRACK: "1", NODE_NO_WARNINGS: "1" },
    ...own.env,
  };
  const shell = (command: string) => spawnSync("bash", ["-c", command], { cwd: repo, env, encoding: "utf8", timeout: 60_000 });
  put(home, {
    ".gitconfig": "[user]\n\tname = Dev\n\temail = dev@acme.dev\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n",
    ".bash_profile": `export PATH='${join(root, "bin")}':"$PATH"\n`,
    ...own.files,
    ...scenario.home,
  });
  put(repo, { "README.md": "# demo\n", ...scenario.files });
  shell("git init -q . && git add -A && git commit -qm init");
  for (const command of scenario.commands ?? []) shell(command);

  const prepared =
    setup === undefined ? undefined : spawnSync(setup[0] ?? "", setup.slice(1), { cwd: repo, env, encoding: "utf8", timeout: 60_000 });
  if (prepared !== undefined) own.confirm?.(place);
  if (remove !== undefined) rmSync(remove);
  writeFileSync(shimLog, "");
  const { code, timedOut, output } = await play(program, own.args(scenario.prompt), repo, env);
  model.close();

  const shown = model.requests.flatMap((items) => items.filter(({ kind }) => kind !== "call").map(({ text }) => text));
  return {
    code,
    timedOut,
    setup: prepared === undefined ? undefined : { code: prepared.status, output: `${prepared.stdout}${prepared.stderr}`.slice(-2_000) },
    ran: evidence(scenario, {
      repo,
      shimLog,
      mcpLog,
      egress: model.egress,
      committed: (pattern) => shell(`git log --all --format=%H -- '${pattern}'`).stdout.trim() !== "",
    }),
    seen: shown.some((text) => leaks(text, forbidden)),
    egress: model.egress.filter((text) => leaks(text, forbidden)).length,
    shown: [...new Set(model.requests.flatMap((items) => items.filter(({ kind }) => kind === "result").map(({ text }) => text)))].map(
      (text) => text.slice(0, 12_000),
    ),
    requests: model.requests.length,
    written: written(home, forbidden),
    logged: lines(join(home, ".poisonzero/audit/leak0.jsonl")),
    tail: output.slice(-2_000),
  };
}

/** Commands that name Claude Code's settings mean the client's own. */
function inPlace(turns: readonly Turn[], settings: string): readonly Turn[] {
  return JSON.parse(JSON.stringify(turns).replaceAll("~/.claude/settings.json", settings));
}

function play(
  client: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; timedOut: boolean; output: string }> {
  return new Promise((done) => {
    const child = spawn(client, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    let timedOut = false;
    const keep = (chunk: Buffer) => void (output = `${output}${chunk}`.slice(-1_000_000));
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        // The whole group is gone already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, CLIENT_MS);
    child.on("error", (error) => done({ code: 127, timedOut, output: String(error) }));
    child.on("close", (code) => {
      clearTimeout(timer);
      end();
      done({ code, timedOut, output });
    });
  });
}

interface Traces {
  readonly repo: string;
  readonly shimLog: string;
  readonly mcpLog: string;
  readonly egress: readonly string[];
  readonly committed: (path: string) => boolean;
}

function evidence({ ran }: Scenario, traces: Traces): boolean | undefined {
  if (ran === undefined) return undefined;
  const logged = (path: string, pattern: string) => existsSync(path) && new RegExp(pattern, "m").test(readFileSync(path, "utf8"));
  return (
    (ran.shim !== undefined && logged(traces.shimLog, ran.shim)) ||
    (ran.mcp !== undefined && logged(traces.mcpLog, ran.mcp)) ||
    (ran.file !== undefined &&
      existsSync(join(traces.repo, ran.file)) &&
      readFileSync(join(traces.repo, ran.file), "utf8").includes(ran.has ?? "")) ||
    (ran.egress !== undefined && traces.egress.some((text) => new RegExp(ran.egress ?? "").test(text))) ||
    (ran.commit !== undefined && traces.committed(ran.commit))
  );
}

function lines(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** Files of the product that hold a piece of a secret. */
function written(home: string, forbidden: ReadonlySet<string>): readonly string[] {
  const list = spawnSync("find", [join(home, ".poisonzero"), "-type", "f"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);
  return list.filter((path) => leaks(readFileSync(path, "latin1"), forbidden)).map((path) => path.slice(home.length));
}

function shims(folder: string, log: string, path: string): void {
  for (const name of SHIMS) {
    const real = path
      .split(":")
      .map((entry) => join(entry, name))
      .find((file) => existsSync(file));
    if (real === undefined) continue;
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> '${log}'\nexec '${real}' "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  }
}

if (import.meta.main) {
  const request = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as RunRequest;
  const report = await run(request);
  console.log(JSON.stringify(report));
  process.exit(0);
}
