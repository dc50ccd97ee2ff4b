/**
 * The launcher on its own: small scripts stand where the program would, so that every way to fail can be tried.
 * Run twice: as shipped (no C library) and under the sanitizers.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FailureName, FAILURES as TABLE } from "../../src/agents/failures.ts";
import { MODES } from "../../src/policy/mode.ts";
import { buildLauncher, buildSanitizedLauncher } from "./build-native.ts";

// Compiling takes longer than the default where the machine is busy.
setDefaultTimeout(60_000);

const LAUNCHER_MS = 8_000;
const OWNER = process.getuid?.() ?? 0;
const EVENT = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}\n';
const AGENTS = ["claude", "codex", "cursor", "gemini", "antigravity"] as const;
type Agent = (typeof AGENTS)[number];

/** D-23: what each agent understands as "nothing to say" before a tool. */
const NEUTRAL: Readonly<Record<Agent, string>> = { claude: "", codex: "", cursor: "{}\n", gemini: "", antigravity: '{"decision":""}\n' };

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe.each([
  ["as shipped", buildLauncher],
  ["under the sanitizers", buildSanitizedLauncher],
] as const)("launcher %s", (_, build) => {
  let root: string;
  let data: string;
  let installed: string;
  let launcher: string;
  /** The same with a short time limit, for programs that hang. */
  let hasty: string;
  let program: string;

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "pz-launcher-")));
    data = join(root, "data");
    installed = join(root, "installed");
    mkdirSync(join(installed, "libexec"), { recursive: true });
    launcher = build(installed, { dataFolder: data, ownerUid: OWNER, launcherMs: LAUNCHER_MS });
    mkdirSync(join(root, "hasty"));
    symlinkSync(join(installed, "libexec"), join(root, "hasty", "libexec"));
    hasty = build(join(root, "hasty"), { dataFolder: data, ownerUid: OWNER, launcherMs: 300 });
    program = join(installed, "libexec", "poisonzero");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(() => {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { mode: 0o755 });
    rmSync(program, { recursive: true, force: true });
  });

  /** Puts a shell script where the program would be. */
  function place(script: string): void {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
  }
  function setting(name: string, text: string, mode = 0o644): void {
    const file = join(data, name);
    rmSync(file, { force: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }
  function start(
    args: readonly string[],
    options: { stdin?: string; env?: Record<string, string>; cwd?: string; via?: readonly string[]; hasty?: boolean } = {},
  ): Outcome {
    const done = Bun.spawnSync([...(options.via ?? []), options.hasty ? hasty : launcher, ...args], {
      stdin: Buffer.from(options.stdin ?? EVENT),
      stdout: "pipe",
      stderr: "pipe",
      env: { PATH: "/usr/bin:/bin", ...options.env },
      cwd: options.cwd ?? root,
    });
    return { code: done.exitCode, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
  }
  const hook = (
    agent: Agent,
    options: { stdin?: string; env?: Record<string, string>; via?: readonly string[]; hasty?: boolean } = {},
  ): Outcome => start(agent === "antigravity" ? ["hook", agent, "PreToolUse"] : ["hook", agent], options);
  const continues = (agent: Agent): Outcome => ({ code: 0, stdout: NEUTRAL[agent], stderr: "" });
  function expectBlocked(outcome: Outcome, product: "leak0" | "exec0" = "leak0"): void {
    expect(outcome.code).toBe(2);
    expect(outcome.stdout).toBe("");
    expect(outcome.stderr).toMatch(
      new RegExp(`^poisonzero ${product}: blocked \\(fail-closed\\): the check [a-z ]+\\. Try again; .*poisonzero status.*\\n$`),
    );
  }

  describe("finding the program", () => {
    beforeEach(() => place('printf "%s|" "$0" "$@"'));

    test("D-28: the program is libexec/poisonzero beside the launcher, whatever argv[0] and PATH say", () => {
      const other = join(root, "other");
      mkdirSync(join(other, "libexec"), { recursive: true });
      writeFileSync(join(other, "libexec", "poisonzero"), "#!/bin/sh\necho taken over\n", { mode: 0o755 });
      const outcome = start(["a", "b c"], {
        env: { PATH: other },
        cwd: other,
        via: ["/bin/bash", "-c", `exec -a ${other}/poisonzero "$@"`, "bash"],
      });
      expect(outcome).toEqual({ code: 0, stdout: `${program}|a|b c|`, stderr: "" });
    });

    test("D-28: a symbolic link to the launcher works", () => {
      const link = join(root, "link");
      symlinkSync(launcher, link);
      const done = Bun.spawnSync([link, "status"], { cwd: "/" });
      expect(done.stdout.toString()).toBe(`${program}|status|`);
    });

    test("a plain command whose program is missing says what to do and exits 1", () => {
      rmSync(program);
      const outcome = start(["status"]);
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toBe(`poisonzero: ${program} is missing\n  Next: install poisonzero again\n`);
    });

    test("a program that may not be executed is told apart, and under enforce the way back without it is named", () => {
      chmodSync(program, 0o644);
      setting("leak0mode", "enforce\n");
      const { code, stderr } = start(["status"]);
      expect(code).toBe(1);
      expect(stderr).toStartWith(`poisonzero: ${program} is not executable\n  Next: install poisonzero again\n`);
      expect(stderr).toMatch(/Claude Code blocks every call and prompt\. .*: sudo rm \/.*\/leak0mode\n$/);
    });
  });

  describe("plain commands", () => {
    test("input, output, errors and exit code pass through, without a time limit", () => {
      place('sleep 0.5; cat; echo "to stderr" >&2; exit 7');
      expect(start(["scan", "-"], { stdin: "text\0\xff", hasty: true })).toEqual({ code: 7, stdout: "text\0\xff", stderr: "to stderr\n" });
    });

    test("a signal ends the program itself", async () => {
      place("echo ready; exec sleep 60");
      const running = Bun.spawn([launcher, "status"], { stdout: "pipe" });
      await running.stdout.getReader().read();
      running.kill("SIGTERM");
      expect(await running.exited).toBe(143);
      expect(running.signalCode).toBe("SIGTERM");
    });

    test("garbage on standard output is the program's own business", () => {
      place("echo not json");
      expect(start(["audit", "tail"])).toEqual({ code: 0, stdout: "not json\n", stderr: "" });
    });

    test("hook --help and unknown agents are the program's to answer", () => {
      place('echo "usage"; exit 1');
      expect(start(["hook", "--help"]).stdout).toBe("usage\n");
      expect(start(["hook", "nobody"])).toEqual({ code: 1, stdout: "usage\n", stderr: "" });
    });

    test("hook claude --help is a person's question, as long as no event comes with it", () => {
      place('printf "%s|" "$@"');
      setting("leak0mode", "enforce\n");
      const terminal = ["/usr/bin/script", "-qec", `${launcher} hook claude -h`, "/dev/null"];
      expect(start(["hook", "claude", "--help"], { stdin: "" })).toEqual({ code: 0, stdout: "hook|--help|", stderr: "" });
      expect(start(["hook", "codex", "-h"], { via: ["/bin/sh", "-c", '"$@" </dev/null', "sh"] }).stdout).toBe("hook|-h|");
      expect(Bun.spawnSync(terminal).stdout.toString()).toBe("hook|-h|");
      expectBlocked(start(["hook", "claude", "--help"]));
      expectBlocked(start(["hook", "claude", "--help"], { hasty: true, via: ["/bin/bash", "-c", 'sleep 2 | "$@"', "bash"] }));
    });
  });

  describe.each([["status"], ["hook claude"]])("what the program gets: poisonzero %s", (line) => {
    const args = line.split(" ");
    beforeEach(() => setting("leak0mode", "enforce\n"));

    test("D-28: a fixed environment, and the caller's as data on descriptor 3", () => {
      place('{ tr "\\0" "\\n" </proc/self/environ; echo --; tr "\\0" "\\n" <&3; } >"$(dirname "$0")/seen"; cat >/dev/null');
      const caller = {
        HOME: "/home/dev",
        GIT_DIR: "/x y",
        LD_LIBRARY_PATH: "/evil",
        BUN_OPTIONS: "--preload=x",
        EMPTY: "",
        ENV: "/evil",
        PATH: "/caller",
      };
      expect(start(args, { env: caller }).code).toBe(0);
      const [own = "", data = ""] = readFileSync(join(installed, "libexec", "seen"), "utf8").split("--\n");
      // tr itself is started by the shell, which adds PWD and the like; the launcher's own part is what is asserted.
      expect(own).not.toContain("evil");
      expect(own).not.toContain("BUN_OPTIONS");
      expect(own).toContain("PATH=/usr/bin:/bin\n");
      expect(own).toContain("LC_ALL=C.UTF-8\n");
      expect(own).not.toContain("HOME=");
      const entries = data.trimEnd().split("\n");
      for (const [name, value] of Object.entries(caller)) expect(entries).toContain(`${name}=${value}`);
    });

    test("D-28: the block on descriptor 3 cannot be changed", () => {
      place("cat >/dev/null; (echo more >/proc/self/fd/3) 2>/dev/null || echo '\"sealed\"'");
      expect(start(args).stdout).toContain("sealed");
    });

    test("D-28: descriptors above 3 are closed", () => {
      place('cat >/dev/null; open=; for n in 3 4 5 6 7 77; do [ -e /proc/$$/fd/$n ] && open="$open $n"; done; printf \'"%s"\' "$open"');
      const outcome = start(args, { via: ["/bin/bash", "-c", 'exec 5</dev/null 77</dev/null; exec "$@"', "bash"] });
      expect(outcome.stdout).toBe('" 3"');
    });

    test("a closed standard input, output or error does not put the block where a stream should be", () => {
      place('ls -l /proc/self/fd/0 >"$(dirname "$0")/seen"; test -s /proc/self/fd/3');
      const outcome = start(args, { via: ["/bin/bash", "-c", 'exec 0<&- 2>&-; exec "$@"', "bash"] });
      expect(outcome.code).toBe(0);
      // Of a plain command it is nothing, of a hook the event, which is empty.
      expect(readFileSync(join(installed, "libexec", "seen"), "utf8")).toMatch(/-> (?:\/dev\/null|\/memfd:poisonzero-event .*)\n$/);
    });

    test("a deleted working directory is no obstacle", () => {
      place("cat >/dev/null; echo '{}'");
      const gone = join(root, "gone");
      mkdirSync(gone);
      const outcome = start(args, { cwd: gone, via: ["/bin/bash", "-c", `rmdir "${gone}"; exec "$@"`, "bash"] });
      expect([outcome.code, outcome.stdout]).toEqual([0, "{}\n"]);
    });

    test("no core dump is written to a file or a pipe", () => {
      place('cat >/dev/null; printf \'"%s"\' "$(grep "Max core" /proc/self/limits | tr -s " " | cut -d" " -f5,6)"');
      expect(start(args).stdout).toBe('"1 1"');
    });

    test("D-28: values that make the environment too large go, HOME and GIT_* stay", () => {
      place("cat >/dev/null; tr '\\0' '\\n' <&3 | cut -d= -f1 | sort | tr '\\n' ' ' | sed 's/^/\"/; s/$/\"/'");
      const big = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`BIG_${i}`, "x".repeat(120_000)]));
      const names = JSON.parse(start(args, { env: { ...big, GIT_LARGE: "y".repeat(120_000), HOME: "/h", SMALL: "1" } }).stdout)
        .trim()
        .split(" ");
      expect(names).toContain("GIT_LARGE");
      expect(names).toContain("HOME");
      expect(names).toContain("SMALL");
      expect(names).not.toContain("BIG_0");
    });
  });

  describe("hook answers", () => {
    beforeEach(() => setting("leak0mode", "enforce\n"));

    test.each(["{}", '{"decision":"block"}\n', "  [1, 2]\n\n", '"text"', "17", '{"a":"\\u00e9\xc3\xa9"}'])(
      "one JSON value is passed on byte for byte: %j",
      (text) => {
        writeFileSync(join(installed, "libexec", "answer"), Buffer.from(text, "latin1"));
        place('cat >/dev/null; cat "$(dirname "$0")/answer"; echo noise >&2');
        const done = Bun.spawnSync([launcher, "hook", "claude"], { stdin: Buffer.from(EVENT) });
        expect(done.exitCode).toBe(0);
        expect(done.stdout.toString("latin1")).toBe(text);
        expect(done.stderr.toString()).toBe("");
      },
    );

    test.each(AGENTS)("D-23: an empty answer becomes %s's own neutral one", (agent) => {
      place("cat >/dev/null");
      expect(hook(agent)).toEqual(continues(agent));
    });

    test("D-23: Antigravity's neutral answer after a tool is {}", () => {
      place("cat >/dev/null");
      expect(start(["hook", "antigravity", "PostToolUse"]).stdout).toBe("{}\n");
    });

    test.each(AGENTS)("exit 2 of the program blocks in %s with its text, standard output dropped", (agent) => {
      place('cat >/dev/null; echo \'{"decision":"allow"}\'; echo "poisonzero leak0: because" >&2; exit 2');
      expect(hook(agent)).toEqual({ code: 2, stdout: "", stderr: "poisonzero leak0: because\n" });
    });

    test("exit 2 without a word still has a text, since an agent may let an empty one pass", () => {
      place("cat >/dev/null; exit 2");
      expect(hook("codex")).toEqual({ code: 2, stdout: "", stderr: "poisonzero: blocked\n" });
    });

    test("a text on standard error is cut at its limit", () => {
      place("cat >/dev/null; head -c 300000 /dev/zero | tr '\\0' x >&2; exit 2");
      expect(hook("claude").stderr).toBe("x".repeat(64 * 1024));
    });

    test("an answer of 8 MiB arrives whole", () => {
      place("cat >/dev/null; printf '\"'; head -c 8388608 /dev/zero | tr \"\\0\" x; printf '\"'");
      expect(hook("claude").stdout).toHaveLength(8_388_610);
    });

    test("D-27: a program that does not wait for the end of the input is not held up by it", async () => {
      place("read -r line; echo '{}'");
      const running = Bun.spawn([launcher, "hook", "claude"], { stdin: "pipe", stdout: "pipe" });
      running.stdin.write(EVENT);
      running.stdin.flush();
      expect(await running.exited).toBe(0);
      expect(await new Response(running.stdout).text()).toBe("{}\n");
    });
  });

  describe("D-27: the event", () => {
    const MIB = 1 << 20;
    const seen = (): string => join(root, "event");
    const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
    beforeEach(() => {
      setting("leak0mode", "enforce\n");
      rmSync(seen(), { force: true });
      place(`cat >${seen()}`);
    });

    /** Sends the pieces one by one, closes the pipe or leaves it open, and answers what the program got. */
    async function handedOver(pieces: readonly Uint8Array[], close = false): Promise<Buffer> {
      const running = Bun.spawn([launcher, "hook", "claude"], { stdin: "pipe", stdout: "ignore", stderr: "pipe" });
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await Bun.sleep(20);
        running.stdin.write(piece);
        await running.stdin.flush();
      }
      if (close) await running.stdin.end();
      expect([await running.exited, await new Response(running.stderr).text()]).toEqual([0, ""]);
      return readFileSync(seen());
    }

    test.each([
      ["one value", ['{"a":"}\\"}"}\n']],
      ["drop by drop", ['{"a":"\\', '"', "\\", "\\", '"', ',"\xc3', "\xa9", '":1}']],
      ["with what came behind it", ['{"a":1}\n{"b":2}\n']],
      ["with a byte order mark that is cut", ["\xef", "\xbb", "\xbf{", "}"]],
      ["what cannot become a value any more", ['{"a" 1']],
      ["two byte order marks", ["\xef\xbb\xbf\xef"]],
      ["UTF-16", ["\xff\xfe{\0}\0"]],
      ["nested 100,000 deep", ["[".repeat(100_000), "]".repeat(100_000)]],
    ])("is handed over though the pipe stays open: %s", async (_, pieces) => {
      expect((await handedOver(pieces.map(bytes))).toString("latin1")).toBe(pieces.join(""));
    });

    test.each([
      ["unfinished", '{"a":'],
      ["a bare number", "17"],
      ["empty", ""],
      ["blanks", " \r\n\t"],
      ["half a byte order mark", "\xef\xbb"],
    ])("is handed over as it came once the pipe is closed: %s", async (_, text) => {
      expect((await handedOver([bytes(text)], true)).toString("latin1")).toBe(text);
    });

    test("a large one arrives to its last byte, the pipe closed or open", async () => {
      const event = Buffer.from(JSON.stringify({ text: '"\\✓'.repeat(MIB) }));
      expect((await handedOver([event], true)).equals(event)).toBe(true);
      expect((await handedOver([event])).equals(event)).toBe(true);
    });

    test("above the limit only a beginning is handed over, which is no JSON", async () => {
      const most = Buffer.from(JSON.stringify("x".repeat(64 * MIB - 2)));
      expect((await handedOver([most], true)).length).toBe(64 * MIB);
      const cut = await handedOver([Buffer.concat([most, bytes(" ")])], true);
      expect(cut.length).toBe(64 * 1024 + 1);
      expect(cut.at(-1)).toBe(0);
    });

    test("cannot be changed by the program or anybody else", () => {
      place("(echo more >/proc/self/fd/0) 2>/dev/null || echo '\"sealed\"'");
      expect(hook("claude").stdout).toBe('"sealed"\n');
    });

    test("one that never ends is a failure, and so is a standard input that cannot be read", () => {
      expectBlocked(start(["hook", "claude"], { hasty: true, via: ["/bin/bash", "-c", `{ printf '{"a'; sleep 2; } | "$@"`, "bash"] }));
      expectBlocked(start(["hook", "claude"], { via: ["/bin/bash", "-c", 'exec "$@" </', "bash"] }));
      expect(existsSync(seen())).toBe(false);
    });
  });

  const FAILURES: Readonly<Record<string, (() => void) | string>> = {
    missing: () => rmSync(program, { force: true }),
    "not executable": () => {
      writeFileSync(program, "");
      chmodSync(program, 0o644);
    },
    "a folder": () => mkdirSync(program),
    "an interpreter that is gone": () => {
      writeFileSync(program, "#!/nowhere\n", { mode: 0o755 });
    },
    crashed: "kill -SEGV $$",
    killed: "kill -KILL $$",
    "exit 1": "cat >/dev/null; echo '{}'; exit 1",
    "exit 3": "cat >/dev/null; exit 3",
    "exit 127": "cat >/dev/null; exit 127",
    hung: "cat >/dev/null; echo '{}'; exec sleep 30",
    "hung with a child on its output": "cat >/dev/null; sleep 30 & echo '{}'; wait",
    garbage: "cat >/dev/null; echo hello",
    "a text before the JSON": "cat >/dev/null; echo note; echo '{}'",
    "two values": "cat >/dev/null; echo '{}'; echo '{}'",
    "a cut-off value": "cat >/dev/null; printf '{\"a\":'",
    "a NUL behind the value": "cat >/dev/null; printf '{}\\0'",
    "an answer without end": "cat >/dev/null; printf '\"'; exec tr '\\0' x </dev/zero",
  };
  const cases = Object.entries(FAILURES);

  describe("L-153: Claude Code, the check fails", () => {
    test.each(cases)("leak0 enforces: %s blocks", (name, failure) => {
      setting("leak0mode", "enforce\n");
      if (typeof failure === "string") place(failure);
      else failure();
      expectBlocked(hook("claude", { hasty: name.startsWith("hung") }));
    });

    test.each(cases)("only observing: %s lets the call go on", (name, failure) => {
      setting("leak0mode", "observe\n");
      setting("exec0mode", "observe\n");
      if (typeof failure === "string") place(failure);
      else failure();
      expect(hook("claude", { hasty: name.startsWith("hung") })).toEqual(continues("claude"));
    });

    test("exec0 enforcing alone blocks in exec0's name", () => {
      setting("leak0mode", "off\n");
      setting("exec0mode", "enforce\n");
      place("exit 1");
      expectBlocked(hook("claude"), "exec0");
    });

    test("a command line of a known agent with something else behind it is a failure", () => {
      setting("leak0mode", "enforce\n");
      place("echo '{}'");
      expectBlocked(start(["hook", "claude", "--preload=x"]));
    });
  });

  describe("L-153 L-154 D-22: every row of the failure table in which the launcher answers, in every agent and mode", () => {
    const rows: Readonly<Partial<Record<FailureName, readonly string[]>>> = {
      "program missing": ["missing"],
      "program crashes": ["crashed", "exit 1"],
      "program hangs": ["hung"],
      "program prints garbage": ["garbage"],
    };
    const tries = Object.entries(rows).flatMap(([row, ways]) =>
      ways.flatMap((way) => MODES.flatMap((mode) => AGENTS.map((agent) => [row as FailureName, way, mode, agent] as const))),
    );
    test.each(tries)("%s (%s), leak0 in %s: %s", (row, way, mode, agent) => {
      setting("leak0mode", `${mode}\n`);
      const failure = FAILURES[way];
      if (typeof failure === "string") place(failure);
      else failure?.();
      const outcome = hook(agent, { hasty: way === "hung" });
      if (TABLE[row].comes[mode][agent] === "blocked") expectBlocked(outcome);
      else expect([TABLE[row].comes[mode][agent], outcome]).toEqual(["goes on", continues(agent)]);
    });
  });

  describe("ending", () => {
    /** A process number the script has written, once it is there. */
    async function numberIn(file: string): Promise<number> {
      while (!existsSync(file) || !readFileSync(file, "utf8").endsWith("\n")) await Bun.sleep(10);
      return Number(readFileSync(file, "utf8"));
    }
    async function isGone(pid: number): Promise<boolean> {
      for (let i = 0; i < 200; i++) {
        const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : " Z ";
        if (stat.includes(") Z ") || stat === " Z ") return true;
        await Bun.sleep(10);
      }
      return false;
    }
    /** Names of what a process has open. */
    function openedBy(pid: number): string {
      try {
        return readdirSync(`/proc/${pid}/fd`)
          .map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
          .join("\n");
      } catch {
        return "";
      }
    }
    let number: string;
    beforeEach(() => {
      setting("leak0mode", "enforce\n");
      number = join(root, "number");
      rmSync(number, { force: true });
    });

    test("D-27: nothing of a hung check is left, and nothing holds the agent's pipes", async () => {
      place(`sleep 30 & echo $! >${number}; wait`);
      expectBlocked(hook("claude", { hasty: true }));
      expect(await isGone(await numberIn(number))).toBe(true);
    });

    test("a grandchild that keeps the output open does not hold up the answer", async () => {
      place(`cat >/dev/null; sleep 30 & echo $! >${number}; echo '{}'`);
      expect(hook("claude")).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
      expect(await isGone(await numberIn(number))).toBe(true);
    });

    test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
      "%s to the launcher ends the check and counts as its failure",
      async (signal) => {
        place(`cat >/dev/null; echo $$ >${number}; exec sleep 30`);
        const running = Bun.spawn([launcher, "hook", "claude"], { stdin: Buffer.from(EVENT), stdout: "pipe", stderr: "pipe" });
        const pid = await numberIn(number);
        running.kill(signal);
        expect(await running.exited).toBe(2);
        expect(await new Response(running.stderr).text()).toContain("was stopped from outside");
        expect(await isGone(pid)).toBe(true);
      },
    );

    test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)("%s while the event is still read counts as well", async (signal) => {
      place(`cat >/dev/null; echo $$ >${number}; echo '{}'`);
      const running = Bun.spawn([launcher, "hook", "claude"], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
      running.stdin.write('{"a');
      running.stdin.flush();
      while (!/poisonzero-event/.test(openedBy(running.pid))) await Bun.sleep(10);
      running.kill(signal);
      expect(await running.exited).toBe(2);
      expect(await new Response(running.stderr).text()).toContain("was stopped from outside");
      expect(existsSync(number)).toBe(false);
    });

    test("a limit on the size of files is no crash: the event cannot be kept, and that is a failure", () => {
      place("cat >/dev/null; echo '{}'");
      expectBlocked(hook("claude", { via: ["/usr/bin/prlimit", "--fsize=0:0", "--"] }));
      expect(hook("claude", { via: ["/usr/bin/prlimit", "--fsize=100000:100000", "--"] })).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    });

    test("a launcher that is killed takes the check with it", async () => {
      place(`cat >/dev/null; echo $$ >${number}; exec sleep 30`);
      const running = Bun.spawn([launcher, "hook", "claude"], { stdin: Buffer.from(EVENT), stdout: "ignore" });
      const pid = await numberIn(number);
      running.kill("SIGKILL");
      await running.exited;
      expect(await isGone(pid)).toBe(true);
    });

    test("a caller that ignores SIGCHLD and SIGPIPE or blocks signals changes nothing", () => {
      place("cat >/dev/null; trap 'exit 3' TERM; echo '{}'");
      const script = 'trap "" CHLD PIPE TERM; exec "$@"';
      expect(hook("claude", { via: ["/bin/bash", "-c", script, "bash"] })).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    });

    test("an agent that has closed its end is no crash", async () => {
      place("cat >/dev/null; sleep 0.2; head -c 1000000 /dev/zero | tr '\\0' 1");
      const done = Bun.spawnSync([
        "/bin/bash",
        "-c",
        `echo '${EVENT.trim()}' | "${launcher}" hook claude | true; echo "\${PIPESTATUS[1]}"`,
      ]);
      expect(done.stdout.toString()).toBe("1\n");
    });
  });

  describe("modes", () => {
    const marker = (): string => join(root, "started");
    /** Whether the program is started at all. */
    function starts(): boolean {
      rmSync(marker(), { force: true });
      place(`cat >/dev/null; : >${marker()}`);
      expect(hook("claude")).toEqual(continues("claude"));
      return existsSync(marker());
    }

    test.each(AGENTS)("L-119: with leak0 and exec0 off the program is not even started; %s gets its neutral answer", (agent) => {
      setting("leak0mode", "off\n");
      place(`: >${marker()}; echo '{"decision":"deny"}'`);
      rmSync(marker(), { force: true });
      expect(hook(agent, { stdin: "x".repeat(1_000_000) })).toEqual(continues(agent));
      expect(existsSync(marker())).toBe(false);
    });

    test("L-119: off ends as soon as one whole event has arrived, the input still open", async () => {
      const running = Bun.spawn([launcher, "hook", "claude"], { stdin: "pipe", stdout: "pipe" });
      running.stdin.write(EVENT.slice(0, 20));
      running.stdin.flush();
      await Bun.sleep(50);
      expect(running.exitCode).toBeNull();
      running.stdin.write(EVENT.slice(20));
      running.stdin.flush();
      const ended = Bun.nanoseconds();
      expect(await running.exited).toBe(0);
      // It did not wait for its own time limit.
      expect((Bun.nanoseconds() - ended) / 1e6).toBeLessThan(LAUNCHER_MS - 500);
    });

    test("L-120: nothing set is off; L-121: each mode file is enough to start the check", () => {
      expect(starts()).toBe(false);
      for (const name of ["leak0mode", "exec0mode"]) {
        for (const [text, expected] of [
          ["enforce\n", true],
          ["observe", true],
          ["off\n", false],
          ["nonsense", false],
          ["", false],
        ] as const) {
          setting(name, text);
          expect([name, text, starts()]).toEqual([name, text, expected]);
        }
        rmSync(join(data, name));
      }
    });

    test("L-121, L-133: a profile counts on Cloud devices and only there, the local switch only elsewhere", () => {
      for (const product of ["leak0", "exec0"]) {
        setting(`${product}.profile`, '{"version":1,"mode":"enforce","userMayApprove":false}');
        expect(starts()).toBe(false);
        setting("cloud", "");
        expect(starts()).toBe(true);
        setting(`${product}.profile`, '{"mode":"off"}');
        setting(`${product}mode`, "enforce\n");
        expect(starts()).toBe(false);
        for (const name of ["cloud", `${product}.profile`]) rmSync(join(data, name));
        expect(starts()).toBe(true);
        rmSync(join(data, `${product}mode`));
      }
    });

    test("L-141: a file that others can write, a link, a FIFO, a folder and a huge file do not count", () => {
      for (const mode of [0o666, 0o664, 0o646]) {
        setting("leak0mode", "enforce\n", mode);
        expect([mode, starts()]).toEqual([mode, false]);
      }
      const file = join(data, "leak0mode");
      const elsewhere = join(root, "elsewhere");
      writeFileSync(elsewhere, "enforce\n", { mode: 0o644 });
      rmSync(file);
      symlinkSync(elsewhere, file);
      expect(starts()).toBe(false);
      rmSync(file);
      Bun.spawnSync(["mkfifo", file]);
      expect(starts()).toBe(false);
      rmSync(file);
      mkdirSync(file);
      expect(starts()).toBe(false);
      rmSync(file, { recursive: true });
      setting("leak0mode", "enforce\n".padEnd(600 * 1024));
      expect(starts()).toBe(false);
      setting("leak0mode", "enforce\n");
      expect(starts()).toBe(true);
    });

    test("the data directory itself must belong to the administrator alone", () => {
      setting("leak0mode", "enforce\n");
      chmodSync(data, 0o777);
      expect(starts()).toBe(false);
      chmodSync(data, 0o755);
      expect(starts()).toBe(true);
    });

    // Another owner can only be given by root; a test run without root has nothing to try here.
    test.if(OWNER === 0)("L-141: a file of another user does not count", () => {
      setting("leak0mode", "enforce\n");
      chownSync(join(data, "leak0mode"), 65_534, 65_534);
      expect(starts()).toBe(false);
      chownSync(join(data, "leak0mode"), 0, 0);
      chownSync(data, 65_534, 65_534);
      expect(starts()).toBe(false);
    });
  });

  describe("a hostile caller", () => {
    beforeEach(() => {
      setting("leak0mode", "enforce\n");
      place("cat >/dev/null; echo '{}'");
    });
    const fine: Outcome = { code: 0, stdout: "{}\n", stderr: "" };

    test("variables that would change the shell or the loader do not reach the program", () => {
      const library = join(root, "evil.so");
      const source = join(root, "evil.c");
      writeFileSync(
        source,
        `#include <stdlib.h>\n__attribute__((constructor)) static void take(void) { system(": >${root}/taken"); _Exit(0); }\n`,
      );
      expect(Bun.spawnSync(["gcc", "-shared", "-fPIC", "-o", library, source]).exitCode).toBe(0);
      writeFileSync(join(root, "evil.sh"), `: >${root}/taken\nexit 0\n`);
      const env: Record<string, string> = { ENV: join(root, "evil.sh"), BASH_ENV: join(root, "evil.sh"), PATH: root };
      // The sanitized form is an ordinary dynamic program; only the shipped one can withstand the loader's own variable.
      if (build === buildLauncher) env.LD_PRELOAD = library;
      expect(hook("claude", { env })).toEqual(fine);
      expect(existsSync(join(root, "taken"))).toBe(false);
    });

    // The sanitized form is an ordinary program with a loader and the C library; these are about having neither.
    if (build === buildLauncher) {
      test("no descriptors left to open files with does not read as off", () => {
        const outcome = hook("claude", { via: ["/bin/bash", "-c", 'ulimit -n 3; exec "$@"', "bash"] });
        expect(outcome.code).toBe(2);
        expect(outcome.stdout).toBe("");
      });

      // glibc.malloc.top_pad crashes every program that is linked with glibc, static ones included, before main().
      test("GLIBC_TUNABLES cannot crash the launcher", () => {
        for (const tunable of [
          "glibc.malloc.top_pad=99999999999999",
          "glibc.rtld.optional_static_tls=99999999999999",
          "glibc.cpu.hwcaps=-SSE2",
        ]) {
          expect(hook("claude", { env: { GLIBC_TUNABLES: tunable } })).toEqual(fine);
        }
      });
    }
  });
});
