/** The launcher's checker and readers against an oracle, on random and mutated input, under the sanitizers. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFuzzer } from "./build-native.ts";

// Compiling takes longer than the default where the machine is busy.
setDefaultTimeout(60_000);

const MODES = ["not set", "off", "observe", "enforce"];
const KINDS = ["plain", "hook", "bad hook", "help", "too large"];
let folder: string;
let fuzzer: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pz-fuzz-"));
  fuzzer = buildFuzzer(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A small repeatable generator, so that a failure can be run again (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Runs all frames through the C parts and gives their answers back as one reader. */
function ask(kind: string, payloads: readonly Uint8Array[]): { byte(): number; block(): Buffer } {
  const frames = payloads.map((payload) => {
    const frame = Buffer.alloc(5 + payload.length);
    frame.write(kind, 0, "latin1");
    frame.writeUInt32LE(payload.length, 1);
    frame.set(payload, 5);
    return frame;
  });
  const done = Bun.spawnSync([fuzzer], { stdin: Buffer.concat(frames) });
  expect(done.stderr.toString()).toBe("");
  expect(done.exitCode).toBe(0);
  const out = done.stdout;
  let at = 0;
  return {
    byte: () => out[at++] ?? -1,
    block() {
      const length = out.readUInt32LE(at);
      at += 4 + length;
      return out.subarray(at - length, at);
    },
  };
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const PIECES = [
  ...'{}[]:,"\\/ \t\n\r-+.eE0123456789abtrufnlsx\u0000\u001f\u007f\u00e9\u00ff',
  '""',
  "true",
  "false",
  "null",
  "1e5",
  "-0",
  "\\u00aF",
  "\\n",
  '"a":',
  "[]",
  "{}",
  "0.5",
];

/** Something JSON-like: a real value, sometimes with a few characters changed, or a heap of pieces. */
function jsonLike(random: (below: number) => number): string {
  if (random(3) === 0) return Array.from({ length: random(12) }, () => PIECES[random(PIECES.length)]).join("");
  const value = (depth: number): string => {
    switch (random(depth > 5 ? 5 : 8)) {
      case 0:
        return ["true", "false", "null"][random(3)] as string;
      case 1:
        return `${random(2) ? "-" : ""}${random(1000)}${random(2) ? `.${random(100)}` : ""}${random(3) ? "" : `e${random(2) ? "+" : "-"}${random(9)}`}`;
      case 2:
      case 3:
        return JSON.stringify(Array.from({ length: random(8) }, () => String.fromCharCode(random(256))).join(""));
      case 4:
        return random(2) ? "[]" : "{ }";
      case 5:
      case 6:
        return `[${Array.from({ length: random(4) }, () => value(depth + 1)).join(random(5) ? "," : " , ")}]`;
      default:
        return `{${Array.from({ length: random(4) }, () => `${JSON.stringify(String.fromCharCode(97 + random(26)))}:${value(depth + 1)}`).join(",")}}`;
    }
  };
  let text = value(0);
  for (let edits = random(3); edits > 0 && text.length > 0; edits--) {
    const at = random(text.length);
    text = text.slice(0, at) + (PIECES[random(PIECES.length)] ?? "") + text.slice(at + random(3));
  }
  return random(4) === 0 ? `${text}\n` : text;
}

describe("D-28: the launcher accepts exactly one JSON value", () => {
  test("100 000 random and mutated texts are judged as JSON.parse judges them", () => {
    const random = generator(28);
    const texts = Array.from({ length: 100_000 }, () => jsonLike(random));
    const answers = ask("J", texts.map(latin1));
    const valid = texts.filter((text) => {
      const expected = isJson(text);
      if (answers.byte() !== Number(expected)) throw new Error(`judged wrongly: ${JSON.stringify(text)} (JSON.parse: ${expected})`);
      return expected;
    });
    // Both sides are well represented, or the comparison would say little.
    expect(valid.length).toBeGreaterThan(20_000);
    expect(valid.length).toBeLessThan(80_000);
  });

  test("nesting of any depth is followed without recursion", () => {
    const deep = "[".repeat(2_000_000) + "]".repeat(2_000_000);
    const answers = ask("J", [
      latin1(deep),
      latin1(deep.slice(1)),
      latin1(`${deep}]`),
      latin1(`${'[{"a":'.repeat(300_000)}1${"}]".repeat(300_000)}`),
    ]);
    expect([answers.byte(), answers.byte(), answers.byte(), answers.byte()]).toEqual([1, 0, 0, 1]);
  });
});

describe("the settings the launcher reads", () => {
  test("L-143: a profile's mode is its top-level string field, whatever else stands in it", () => {
    const random = generator(143);
    const words = ["enforce", "observe", "off", "On", "mode", "", "enforce "];
    const texts = Array.from({ length: 20_000 }, () => {
      const word = (): string => words[random(words.length)] as string;
      const fields = Array.from({ length: random(4) }, () => {
        const name = random(3) ? "mode" : word();
        const value = [word(), { mode: word() }, [word(), "mode"], random(5), null, true][random(6)];
        return `${JSON.stringify(name)}${random(2) ? ":" : " : "}${JSON.stringify(value)}`;
      });
      const text = `{${fields.join(", ")}}`;
      return random(10) === 0 ? jsonLike(random) : text;
    });
    const answers = ask("P", texts.map(latin1));
    for (const text of texts) {
      const profile: unknown = isJson(text) ? JSON.parse(text) : undefined;
      const mode = typeof profile === "object" && profile !== null ? (profile as { mode?: unknown }).mode : undefined;
      const expected = typeof mode === "string" && MODES.indexOf(mode) > 0 ? mode : "not set";
      const answer = MODES[answers.byte()];
      if (answer !== expected) throw new Error(`${text}: ${answer}, expected ${expected}`);
    }
  });

  test("L-141: a switch file is one known word with blanks around it", () => {
    const cases: [string, string][] = [
      ["enforce\n", "enforce"],
      ["observe", "observe"],
      [" off\r\n", "off"],
      ["", "not set"],
      ["\n", "not set"],
      ["Enforce", "not set"],
      ["enforced", "not set"],
      ["enforce off", "not set"],
      ["enforce\0", "not set"],
    ];
    const answers = ask(
      "W",
      cases.map(([text]) => latin1(text)),
    );
    for (const [, mode] of cases) expect(MODES[answers.byte()]).toBe(mode);
  });
});

describe("D-28: the caller's environment as data", () => {
  const entries = (random: (below: number) => number): string[] =>
    Array.from({ length: random(30) }, (_, i) => {
      const name = ["HOME", "PATH", "GIT_DIR", "XDG_CONFIG_HOME", "HOMER", "AGIT_X", `VAR_${i}`, ""][random(8)] as string;
      return `${name}${random(12) ? "=" : ""}${"v".repeat(random(10) ? random(20) : random(4_000))}`;
    });
  const isKept = (entry: string): boolean => /^(HOME|PATH)=|^GIT_|^XDG_/.test(entry);
  const sizeOf = (list: readonly string[]): number => list.reduce((sum, entry) => sum + entry.length + 1, 0);

  test("random environments: the largest values go first, names that matter stay, the rest keeps its order", () => {
    const random = generator(3);
    const runs = Array.from({ length: 5_000 }, () => ({ bound: random(6_000), list: entries(random) }));
    const answers = ask(
      "E",
      runs.map(({ bound, list }) => {
        const head = Buffer.alloc(4);
        head.writeUInt32LE(bound);
        return Buffer.concat([head, latin1(list.map((entry) => `${entry}\0`).join(""))]);
      }),
    );
    for (const { bound, list } of runs) {
      const named = list.filter((entry) => entry.indexOf("=") > 0);
      const block = answers.block().toString("latin1");
      const got = block.split("\0").slice(0, -1);
      const dropped = [...named];
      for (const entry of got) {
        const at = dropped.indexOf(entry);
        expect(at).toBeGreaterThanOrEqual(0);
        dropped.splice(at, 1);
      }
      expect(dropped.filter(isKept)).toEqual([]);
      expect(got).toEqual(named.filter((entry) => got.includes(entry)));
      if (sizeOf(named) <= bound) expect(dropped).toEqual([]);
      else if (dropped.length < named.filter((entry) => !isKept(entry)).length) expect(sizeOf(got)).toBeLessThanOrEqual(bound);
      const smallestGone = Math.min(...dropped.map((entry) => entry.length));
      for (const entry of got) if (!isKept(entry)) expect(entry.length).toBeLessThan(smallestGone);
    }
  });

  test("half a million tiny entries are not slow", () => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(1_000);
    const answers = ask("E", [Buffer.concat([head, latin1("A=\0".repeat(500_000)), latin1("HOME=/h\0")])]);
    expect(answers.block().toString()).toBe("HOME=/h\0");
  });
});

describe("D-28: the launcher's own arguments", () => {
  const cases: [string[], string, number, number][] = [
    [["poisonzero"], "plain", 0, 0],
    [["poisonzero", "--help"], "plain", 0, 0],
    [["poisonzero", "hook"], "plain", 0, 0],
    [["poisonzero", "hook", "--help"], "plain", 0, 0],
    [["poisonzero", "hook", "nobody"], "plain", 0, 0],
    [["poisonzero", "hook", "claude"], "hook", 0, 0],
    [["poisonzero", "hook", "antigravity", "PreToolUse"], "hook", 4, 10],
    [["poisonzero", "hook", "codex", "Pre ToolUse"], "bad hook", 1, 0],
    [["poisonzero", "hook", "claude", "--preload=x"], "bad hook", 0, 0],
    [["poisonzero", "hook", "claude", "--help"], "help", 0, 0],
    [["poisonzero", "hook", "claude", "--help", "x"], "bad hook", 0, 0],
    [["poisonzero", "hook", "gemini", "A", "B"], "bad hook", 3, 0],
    [["poisonzero", "hook", "cursor", "A".repeat(65)], "bad hook", 2, 0],
    [["poisonzero", "status", "hook", "claude"], "plain", 0, 0],
    [["poisonzero", "scan", "x".repeat(2 * 1024 * 1024)], "too large", 0, 0],
    [["poisonzero", "scan", ..."x".repeat(100_000)], "too large", 0, 0],
    [["poisonzero", "scan", ..."x".repeat(10_000)], "plain", 0, 0],
  ];
  test("hook lines of known agents are guarded, everything else is not, both within bounds", () => {
    const answers = ask(
      "A",
      cases.map(([argv]) => latin1(argv.map((arg) => `${arg}\0`).join(""))),
    );
    for (const [argv, kind, agent, event] of cases) {
      expect([argv.slice(0, 4).join(" ").slice(0, 80), KINDS[answers.byte()], answers.byte(), answers.byte()]).toEqual([
        argv.slice(0, 4).join(" ").slice(0, 80),
        kind,
        agent,
        event,
      ]);
    }
  });
});
