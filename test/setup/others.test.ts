/** Setup, status and uninstall for every agent but Claude Code. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FAILURES } from "../../src/agents/failures.ts";
import { SPECIFIED } from "../../src/limits.ts";
import { AGENT_SETUPS, protection } from "../../src/setup/agents.ts";
import { trustHash } from "../../src/setup/codex-config.ts";
import { putEntries, takeOut } from "../../src/setup/settings.ts";
import {
  checkShape,
  holdsEntries,
  itemsOf,
  type OtherAgent,
  placedEntries,
  readAs,
  SHAPES,
  weakensEntries,
} from "../../src/setup/shape.ts";
import { UNSUPPORTED, unsupportedHere } from "../../src/setup/unsupported.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

const AGENTS: readonly OtherAgent[] = ["codex", "cursor", "gemini", "antigravity"];
const LAUNCHER = "/opt/poisonzero/poisonzero";
const FILES = {
  codex: ".codex/hooks.json",
  cursor: ".cursor/hooks.json",
  gemini: ".gemini/settings.json",
  antigravity: ".gemini/config/hooks.json",
} as const;

const put = (machine: Throwaway, agent: OtherAgent, launcher = LAUNCHER) =>
  putEntries(machine.reopen(), AGENT_SETUPS[agent].file, launcher, true, false);
const out = (machine: Throwaway, agent: OtherAgent) => takeOut(machine.reopen(), AGENT_SETUPS[agent].file, false);
const text = (machine: Throwaway, agent: OtherAgent) => readFileSync(join(machine.home, FILES[agent]), "utf8");
const events = (agent: OtherAgent) => [...itemsOf(agent, LAUNCHER, "linux").keys()];

/** A launcher that is there, with the program beside it. */
function program(machine: Throwaway): string {
  machine.file("opt/libexec/poisonzero", "", 0o755);
  return machine.file("opt/poisonzero", "", 0o755);
}

describe("the entries", () => {
  test("D-27 L-154 U-003 one per event, in each agent's own unit of time, and no failClosed", () => {
    for (const agent of AGENTS) {
      const items = [...itemsOf(agent, LAUNCHER, "linux")].map(([event, item]) => JSON.stringify({ event, ...item }));
      expect(new Set(items).size).toBe(items.length);
      expect(items.join()).not.toContain("failClosed");
    }
    const timeout = (agent: OtherAgent, event: string) =>
      /"timeout":(\d+)/.exec(JSON.stringify(itemsOf(agent, LAUNCHER, "linux").get(event)))?.[1];
    expect(timeout("codex", "PreToolUse")).toBe(`${SPECIFIED.entry_before_s}`);
    expect(timeout("cursor", "postToolUse")).toBe(`${SPECIFIED.entry_after_s}`);
    expect(timeout("gemini", "BeforeTool")).toBe(`${SPECIFIED.entry_before_s * 1_000}`);
    expect(timeout("codex", "SessionEnd")).toBe("3");
  });

  test("the command lines are a promise across versions: Codex forgets its trust over one changed character", () => {
    const line = (agent: OtherAgent, launcher: string, platform: "linux" | "windows" = "linux") =>
      /"command":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify([...itemsOf(agent, launcher, platform).values()][0]))?.[1];
    expect(JSON.parse(line("codex", LAUNCHER) ?? "")).toBe("/opt/poisonzero/poisonzero hook codex");
    expect(JSON.parse(line("cursor", LAUNCHER) ?? "")).toBe("/opt/poisonzero/poisonzero hook cursor");
    expect(JSON.parse(line("gemini", LAUNCHER) ?? "")).toBe("/opt/poisonzero/poisonzero hook gemini");
    expect(JSON.parse(line("antigravity", LAUNCHER) ?? "")).toBe("/opt/poisonzero/poisonzero hook antigravity PreToolUse");
    expect(JSON.parse(line("codex", "/home/a b/poisonzero") ?? "")).toBe("'/home/a b/poisonzero' hook codex");
    expect(JSON.parse(line("codex", "C:\\Program Files\\pz\\poisonzero.exe", "windows") ?? "")).toBe(
      '"C:\\Program Files\\pz\\poisonzero.exe" hook codex',
    );
    expect(
      trustHash({
        event: "PreToolUse",
        group: {},
        place: "0:0",
        handler: { type: "command", command: `${LAUNCHER} hook codex`, timeout: 10 },
      }),
    ).toBe(
      `sha256:${new Bun.CryptoHasher("sha256")
        .update(
          '{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"/opt/poisonzero/poisonzero hook codex","timeout":10,"type":"command"}]}',
        )
        .digest("hex")}`,
    );
  });
});

/** Foreign settings of each agent: empty, spread out, on one line, with hooks of others, with Windows line ends and a mark. */
const FOREIGN: Readonly<Record<OtherAgent, readonly string[]>> = {
  codex: [
    "",
    "{}",
    '{"description":"mine","hooks":{}}\n',
    '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine" }] }\n\t\t]\n\t}\n}\n',
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
  ],
  cursor: [
    "",
    "{}",
    '{"version":1,"hooks":{}}',
    '// mine\n{\n  "version": 1, // one\n  "hooks": {\n    "beforeShellExecution": [ { "command": "./audit.sh" } ]\n  }\n}\n',
    '{\r\n  "version": 1,\r\n  "hooks": { "stop": [{ "command": "x" }] }\r\n}\r\n',
  ],
  gemini: [
    "",
    "{}",
    '{\n  // theme\n  "ui": { "theme": "Dracula" },\n  "mcpServers": { "a": { "command": "b" } }\n}\n',
    '\uFEFF{"hooks":{"BeforeTool":[{"matcher":"*","hooks":[{"type":"command","command":"mine","timeout":5}]}]},"hooksConfig":{"enabled":true}}',
  ],
  antigravity: ["", "{}", '{"team":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"./mine","timeout":5}]}]}}\n'],
};

for (const agent of AGENTS) {
  describe(`${agent} settings`, () => {
    test.each(FOREIGN[agent].map((foreign) => [foreign]))("L-148 L-151 in, in again, out: byte for byte as before: %j", (foreign) => {
      using machine = throwaway();
      machine.file(FILES[agent], foreign, 0o640);
      expect(put(machine, agent)).toMatchObject({ change: "changed", ignored: false });
      const after = text(machine, agent);
      const settings = readAs(SHAPES[agent], after);
      expect(checkShape(agent, settings, LAUNCHER, "linux")).toEqual({ missing: [], different: [] });
      expect(
        placedEntries(SHAPES[agent], settings)
          .map(({ event }) => event)
          .sort(),
      ).toEqual([...events(agent)].sort());
      expect(put(machine, agent).change).toBe("unchanged");
      expect(text(machine, agent)).toBe(after);
      expect(out(machine, agent)).toMatchObject([{ change: "changed" }]);
      expect(text(machine, agent)).toBe(foreign);
      expect(out(machine, agent)).toMatchObject([{ change: "unchanged" }]);
    });

    test("L-151 a file that setup made goes again; where others wrote into it meanwhile, exactly our entries go", () => {
      using machine = throwaway();
      expect(put(machine, agent).change).toBe("made");
      expect(out(machine, agent)).toMatchObject([{ change: "removed" }]);
      expect(existsSync(join(machine.home, FILES[agent]))).toBe(false);
      put(machine, agent);
      const value = JSON.parse(text(machine, agent));
      const theirs = agent === "antigravity" ? { team: { Stop: [] } } : agent === "codex" ? { description: "mine" } : { mine: true };
      writeFileSync(join(machine.home, FILES[agent]), JSON.stringify({ ...theirs, ...value }));
      expect(out(machine, agent)).toMatchObject([{ change: "changed" }]);
      expect(JSON.parse(text(machine, agent))).toEqual(theirs);
    });

    test("L-148 another launcher brings the entries up to date in their place; a link is kept", () => {
      using machine = throwaway();
      const real = machine.file("dotfiles/settings.json", FOREIGN[agent][1] ?? "");
      mkdirSync(dirname(join(machine.home, FILES[agent])), { recursive: true });
      symlinkSync(real, join(machine.home, FILES[agent]));
      put(machine, agent, "/old/poisonzero");
      expect(put(machine, agent).change).toBe("changed");
      expect(readFileSync(real, "utf8")).toContain(LAUNCHER);
      expect(readFileSync(real, "utf8")).not.toContain("/old/");
      out(machine, agent);
      expect(readFileSync(real, "utf8")).toBe(FOREIGN[agent][1] ?? "");
    });

    test.each([
      "{",
      "[]",
      '{"hooks":7,"poisonzero":7}',
      '{"hooks":{"PreToolUse":{},"BeforeTool":{},"preToolUse":{}},"poisonzero":{"PreToolUse":{}}}',
    ])("what cannot be edited is refused with its line and left alone: %j", (broken) => {
      using machine = throwaway();
      machine.file(FILES[agent], broken);
      expect(() => put(machine, agent)).toThrow(/: line 1: /);
      expect(text(machine, agent)).toBe(broken);
      chmodSync(join(machine.home, FILES[agent]), 0o400);
      expect(() => put(machine, agent)).toThrow();
    });

    test("L-102 L-134 status: without entries, with them, with one changed, with the program gone, with leak0 off", () => {
      using machine = throwaway();
      machine.setting("leak0mode", "enforce\n");
      mkdirSync(join(machine.home, agent === "antigravity" ? ".gemini/antigravity-cli" : dirname(FILES[agent])), { recursive: true });
      if (agent === "gemini") machine.file(FILES.gemini, "{}");
      const state = (leak0: "enforce" | "off" = "enforce") => protection(machine.reopen(), leak0, true).find((one) => one.agent === agent);
      expect(state()).toMatchObject({ state: "not protected", reasons: [`no hook entries: run poisonzero setup --agent ${agent}`] });
      const launcher = program(machine);
      put(machine, agent, launcher);
      if (agent === "codex") trust(machine);
      const whole = agent === "cursor" || agent === "antigravity" ? "partly protected" : "protected";
      expect(state()?.state).toBe(whole);
      expect(state("off")).toMatchObject({ state: "not protected" });
      writeFileSync(join(machine.home, FILES[agent]), text(machine, agent).replace(/"timeout": \d+/, '"timeout": 1'));
      if (agent === "codex") trust(machine);
      expect(state()?.state).toBe("partly protected");
      expect(state()?.reasons[0]).toContain("hook entry changed");
      // With the launcher in place it answers for the program; without it some agents refuse by themselves (U-013).
      rmSync(join(dirname(launcher), "libexec/poisonzero"));
      expect(state()).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("so nothing is checked")] });
      rmSync(launcher);
      const then = FAILURES["launcher missing"].comes.enforce[agent] === "refused" ? "refuses every tool" : "nothing is checked";
      expect(state()).toMatchObject({
        state: "not protected",
        reasons: [expect.stringMatching(new RegExp(`there is no program.*, so .*${then}`))],
      });
    });

    test("B5: a change that takes away, alters or shadows an entry weakens, one that leaves them does not", () => {
      using machine = throwaway();
      put(machine, agent);
      const now = text(machine, agent);
      const value = JSON.parse(now);
      const { container } = SHAPES[agent];
      expect(holdsEntries(agent, now)).toBe(true);
      expect(weakensEntries(agent, now, now)).toBe(false);
      expect(weakensEntries(agent, now, JSON.stringify({ ...value, [container]: { ...value[container], Other: [] } }))).toBe(false);
      for (const after of [
        "",
        "{}",
        now.slice(1),
        now.replaceAll("poisonzero hook", "poisonzero  hook2"),
        now.replace(/"timeout": \d+/, '"timeout": 0'),
      ])
        expect(weakensEntries(agent, now, after)).toBe(true);
      for (const event of events(agent)) {
        const { [event]: _, ...rest } = value[container];
        expect(weakensEntries(agent, now, JSON.stringify({ ...value, [container]: rest }))).toBe(true);
      }
      expect(weakensEntries(agent, "{}", "")).toBe(false);
    });
  });
}

test.each([
  ["codex", { x: 1 }, { description: "x" }],
  ["cursor", { version: "1" }, { version: 2 }],
  ["antigravity", { enabled: true }, { mine: { enabled: true } }],
] as const)("B5: %s ignores the whole file for one member more", (agent, ignored, fine) => {
  using machine = throwaway();
  put(machine, agent);
  const now = text(machine, agent);
  const value = JSON.parse(now);
  expect(weakensEntries(agent, now, JSON.stringify({ ...ignored, ...value, ...ignored }))).toBe(true);
  expect(weakensEntries(agent, now, JSON.stringify({ ...fine, ...value, ...fine }))).toBe(false);
  // It was ignored before: the change loses nothing.
  const before = JSON.stringify({ ...value, ...ignored });
  expect(weakensEntries(agent, before, JSON.stringify({ ...value, ...ignored, ...fine, ...ignored }))).toBe(false);
});

/** The same machine, on which the agent writes its settings file as soon as it was read, so often. */
function meanwhile(machine: Throwaway, agent: OtherAgent, writes: string[]) {
  const system = machine.reopen();
  const path = join(machine.home, FILES[agent]);
  return machine.reopen({
    read: (file, ...rest) => {
      const content = system.read(file, ...rest);
      const next = file === path ? writes.shift() : undefined;
      if (next !== undefined) writeFileSync(path, next);
      return content;
    },
  });
}

test("L-148 L-150 what the agent writes meanwhile is not lost, and the journal tells of what was put in alone", () => {
  using machine = throwaway();
  const { file } = AGENT_SETUPS.gemini;
  const newer = `{"theme": "dark", "hooks": {}}\n`;
  machine.file(FILES.gemini, `{"theme": "light"}\n`);
  putEntries(meanwhile(machine, "gemini", [newer]), file, LAUNCHER, true, false);
  expect(JSON.parse(text(machine, "gemini"))).toMatchObject({ theme: "dark", hooks: { BeforeTool: expect.any(Array) } });
  const put = text(machine, "gemini");
  takeOut(meanwhile(machine, "gemini", [put.replace("dark", "grey")]), file, false);
  expect(text(machine, "gemini")).toBe(newer.replace("dark", "grey"));
});

test("L-148 a file that is written again and again is left alone", () => {
  using machine = throwaway();
  machine.file(FILES.gemini, "{}");
  const writes = ['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}'];
  expect(() => putEntries(meanwhile(machine, "gemini", writes), AGENT_SETUPS.gemini.file, LAUNCHER, true, false)).toThrow(
    "another program",
  );
  expect(text(machine, "gemini")).not.toContain("poisonzero");
  machine.file(FILES.gemini, '{"hooks":{}}');
  out(machine, "gemini");
  expect(text(machine, "gemini")).toBe('{"hooks":{}}');
});

/** Confirms every entry as Codex would after its review. */
function trust(machine: Throwaway): void {
  const file = join(machine.home, FILES.codex);
  const entries = placedEntries(SHAPES.codex, JSON.parse(readFileSync(file, "utf8")));
  const snake = (event: string) => event.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
  const tables = entries.map(
    (entry) => `[hooks.state."${file}:${snake(entry.event)}:${entry.place}"]\ntrusted_hash = "${trustHash(entry)}"\n`,
  );
  machine.file(".codex/config.toml", tables.join("\n"));
}

describe("Codex's trust", () => {
  test("L-149 pending until every entry is confirmed, gone again when one changes, and off is said", () => {
    using machine = throwaway();
    put(machine, "codex", program(machine));
    const state = () => protection(machine.reopen(), "enforce", true).find((one) => one.agent === "codex");
    expect(state()).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("/hooks")] });
    trust(machine);
    expect(state()).toMatchObject({ state: "protected", reasons: [] });
    const config = readFileSync(join(machine.home, ".codex/config.toml"), "utf8");
    machine.file(".codex/config.toml", config.replace(/trusted_hash = "sha256:../, 'trusted_hash = "sha256:zz'));
    expect(state()).toMatchObject({ state: "partly protected", reasons: [expect.stringContaining("PreToolUse")] });
    machine.file(".codex/config.toml", `${config}\n[features]\nhooks = false\n`);
    expect(state()).toMatchObject({ state: "not protected", reasons: [expect.stringContaining("features.hooks")] });
  });

  test("a group put in above ours loses the trust, so it weakens; one below does not", () => {
    const group = (command: string) => ({ hooks: [{ type: "command", command, timeout: 10 }] });
    const ours = { hooks: { PreToolUse: [group(`${LAUNCHER} hook codex`)] } };
    const other = group("./mine");
    const before = JSON.stringify(ours);
    const above = JSON.stringify({ hooks: { PreToolUse: [other, ...ours.hooks.PreToolUse] } });
    const below = JSON.stringify({ hooks: { PreToolUse: [...ours.hooks.PreToolUse, other] } });
    expect([weakensEntries("codex", before, above), weakensEntries("codex", before, below)]).toEqual([true, false]);
  });
});

test.each([
  ["codex", '{"hooks":{},"$schema":"x"}', '"$schema"'],
  ["codex", '{"hooks":{},}', "a trailing comma"],
  ["codex", "{} // c", "a comment"],
  ["cursor", '{"version":"1","hooks":{}}', '"version"'],
  ["gemini", '{"a":1,}', "a trailing comma"],
  ["gemini", '{"hooksConfig":{"enabled":false}}', "hooksConfig.enabled"],
  ["antigravity", '{"enabled":true}', '"enabled"'],
  ["antigravity", '{"poisonzero":{"enabled":false}}', "poisonzero.enabled"],
] as const)("setup and status name what makes %s drop the entries: %s", (agent, foreign, words) => {
  using machine = throwaway();
  machine.file(FILES[agent], foreign);
  expect(AGENT_SETUPS[agent].hindrance(machine.system)?.text).toContain(words);
});

test("L-102 L-148 agents are found by what they leave at home, or by their program on PATH", () => {
  using machine = throwaway();
  expect(protection(machine.system, "enforce", true)).toEqual([]);
  const bin = dirname(machine.file("bin/agy", "", 0o755));
  machine.file("bin/gemini", "", 0o755);
  const found = protection(machine.reopen({ environment: { HOME: machine.home, PATH: bin } }), "enforce", true);
  expect(found.map(({ agent }) => agent)).toEqual(["gemini", "antigravity"]);
});

test("Gemini CLI's folders that are not trusted are named: no hook runs there", () => {
  using machine = throwaway();
  put(machine, "gemini", program(machine));
  machine.file(".gemini/trustedFolders.json", '{"/home/a":"TRUST_FOLDER","/home/b":"DO_NOT_TRUST"}');
  expect(protection(machine.reopen(), "enforce", true).find(({ agent }) => agent === "gemini")).toMatchObject({
    state: "partly protected",
    reasons: [expect.stringContaining("/home/b")],
  });
});

test("L-103 L-104 L-105 D-30 agents without protection are named with their reason where they are found", () => {
  using machine = throwaway();
  expect(unsupportedHere(machine.system)).toEqual([]);
  machine.file(".qwen/settings.json", "{}");
  machine.file(".continue/config.yaml", "");
  const bin = dirname(machine.file("bin/aider", "", 0o755));
  const found = unsupportedHere(machine.reopen({ environment: { HOME: machine.home, PATH: bin } }));
  expect(found.map(({ title }) => title)).toEqual(["Qwen Code", "Aider", "Continue (IDE extension)"]);
  expect(new Set(found.map(({ reason }) => reason)).size).toBe(3);
  expect(new Set(UNSUPPORTED.map(({ title }) => title)).size).toBe(UNSUPPORTED.length);
});

test("L-086 Cursor on Windows is reported as not supported", () => {
  using machine = throwaway();
  machine.file(FILES.cursor, "{}");
  const windows = machine.reopen({ platform: "windows" });
  expect(protection(windows, "enforce", true).find(({ agent }) => agent === "cursor")).toMatchObject({
    state: "not protected",
    reasons: ["Cursor on Windows is not supported by this version"],
  });
});

test("L-148 L-151 made-up files, 50 for each agent: in and out leaves every byte", () => {
  const name = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => !/^(?:hooks|poisonzero|version|enabled|__proto__)$/.test(key));
  const value = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  using machine = throwaway();
  for (const agent of AGENTS) {
    fc.assert(
      fc.property(value, fc.constantFrom("", " ", "  ", "\t"), fc.constantFrom("\n", "\r\n"), (members, indent, eol) => {
        const theirs = { ...SHAPES[agent].beside, ...(agent === "codex" ? {} : members) };
        const foreign = JSON.stringify(theirs, null, indent).replaceAll("\n", eol);
        machine.file(FILES[agent], foreign);
        put(machine, agent);
        expect(checkShape(agent, readAs(SHAPES[agent], text(machine, agent)), LAUNCHER, "linux")).toEqual({ missing: [], different: [] });
        out(machine, agent);
        expect(text(machine, agent)).toBe(foreign);
      }),
      { numRuns: 50 },
    );
  }
}, 60_000);
