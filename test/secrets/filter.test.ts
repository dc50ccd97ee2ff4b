import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { buildModule, COMPILER } from "../../native/module.ts";
import { CHOSEN } from "../../src/limits.ts";
import { type Find, Hits } from "../../src/secrets/filter/hits.ts";
import { searchByIndexOf } from "../../src/secrets/filter/index-of.ts";
import { WasmSearch } from "../../src/secrets/filter/wasm.ts";
import { needles } from "../../src/secrets/families/needles.ts";
import { type Candidates, candidates } from "../../src/secrets/filter.ts";

const NEEDLES: readonly string[] = [
  "ghp_",
  "github_pat_",
  "pat_",
  "sk-",
  "sk-ant-",
  "npm_",
  "AKIA",
  "eyJ",
  "SG.",
  "-----BEGIN ",
  "AccountKey=",
  "xox",
  "xoxb-",
  "aaa",
  "aaaa",
  "hvs.",
  "postgres://",
  '"private_key"',
  "----",
  "_-_",
  "a".repeat(200),
];
const BODY = "Ab1_-.+/=%~:\\z";
/** The window of the WebAssembly search, in UTF-16 units. */
const WINDOW = 262_144;

/** The rule of filter.ts written down a second time, as slowly as can be. */
function expected(text: string, needles: readonly string[]): Find[] {
  const finds: Find[] = [];
  for (const needle of needles) {
    const prefix = /^[A-Za-z0-9][A-Za-z0-9_-]*[_-]$/.test(needle);
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
      const body = text.slice(at + needle.length, at + needle.length + 8);
      if (!prefix || /^[A-Za-z0-9_\-.+/=%~:\\]{8}$/.test(body)) finds.push({ at, needle });
    }
  }
  return finds.sort((a, b) => a.at - b.at || b.needle.length - a.needle.length);
}

interface Answer {
  finds: readonly Find[];
  complete: boolean;
}

function byIndexOf(text: string, needles: readonly string[]): Answer {
  const hits = new Hits(text);
  searchByIndexOf(text, needles, hits);
  return { finds: hits.finds(), complete: !hits.full };
}

const program = new WasmSearch(NEEDLES);
function byProgram(text: string, search = program): Answer {
  const hits = new Hits(text);
  search.search(text, hits);
  return { finds: hits.finds(), complete: !hits.full };
}

function expectAll(text: string): Candidates {
  const finds = expected(text, NEEDLES);
  const answer = candidates(text, NEEDLES);
  expect(byIndexOf(text, NEEDLES)).toEqual({ finds, complete: true });
  expect(byProgram(text)).toEqual({ finds, complete: true });
  expect(answer).toEqual({ positions: [...new Set(finds.map(({ at }) => at))], finds, complete: true });
  return answer;
}

/** The same text with every unit moved to a character whose low byte is the same. */
const shifted = (text: string) => [...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0x100)).join("");

describe("candidates", () => {
  test("D-12: every way of looking finds the same, in any mix of needles, near misses and characters", () => {
    const needle = fc.constantFrom(...NEEDLES);
    const piece = fc.oneof(
      needle,
      needle.map((text) => text + BODY.slice(0, 8)),
      needle.map((text) => text + BODY.slice(0, 7)),
      needle.map((text) => text.slice(0, -1)),
      needle.map((text) => text.slice(1)),
      needle.map(shifted),
      fc.constantFrom("✓", "é", "😀", "\ud83d", "\ude00", "漢字", "\u0000", "\n", "\u001b[31m", "\\n", "%3D", BODY, shifted(BODY)),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void expectAll(pieces.join(""))),
      { numRuns: 500 },
    );
  });

  test("a long text is searched across the borders of windows, whatever characters stand before", () => {
    const token = `sk-ant-${BODY}`;
    for (const filler of [" ", "é", "✓"]) {
      for (const border of [WINDOW, 2 * WINDOW]) {
        for (const before of [-220, -208, -200, -12, -7, -4, -3, -2, -1, 0, 1, 5]) {
          const at = border + before;
          const text = filler.repeat(at) + token + filler.repeat(WINDOW) + token;
          const finds = [at, at + token.length + WINDOW].flatMap((at) => [
            { at, needle: "sk-ant-" },
            { at, needle: "sk-" },
          ]);
          expect(byProgram(text)).toEqual({ finds, complete: true });
        }
      }
    }
  });

  test("the longest needle is found at every place round a border of windows", () => {
    // Searched by their first and by their last three characters, the rarest ones.
    const needles = [`Q@Z${"e".repeat(197)}`, `${"e".repeat(197)}Q@Z`, `Q9Z${"e".repeat(196)}_`];
    const search = new WasmSearch(needles);
    for (const needle of needles) {
      for (let at = WINDOW - 212; at < WINDOW + 4; at++) {
        const text = `${" ".repeat(at)}${needle}${BODY.slice(0, 8)}${" ".repeat(WINDOW)}`;
        expect(byProgram(text, search).finds).toEqual([{ at, needle }]);
      }
    }
  });

  test.each([
    ["a body of every kind of character", `npm_${BODY.slice(0, 8)} npm_${BODY.slice(-8)}`, [0, 13]],
    ["a body of eight", "ghp_12345678", [0]],
    ["two overlapping needles", `github_pat_${BODY}`, [0, 7]],
    ["a longer and a shorter needle at one place", `sk-ant-${BODY}`, [0]],
    ["a letter before, as escapes put it there", `\\nghp_${BODY}`, [2]],
    ["a key header at the very end", "-----BEGIN ", [0, 1]],
    ["a needle behind an emoji", `😀ghp_${BODY}`, [2]],
    ["a needle behind half a surrogate pair", `\ud83dghp_${BODY}`, [1]],
  ])("finds %s", (_, text, positions) => {
    expect(expectAll(text).positions).toEqual(positions);
  });

  test.each([
    ["a body of seven", "ghp_1234567"],
    ["a body broken by a blank", "ghp_1234567 8"],
    ["a word that ends like a prefix", "disk-full task-1 risk-averse"],
    ["another case", `GHP_${BODY}`],
    ["characters with the same low bytes", shifted(`ghp_${BODY}AKIA`)],
    ["a body of characters with the same low bytes", `ghp_${shifted(BODY)}`],
    ["an empty text", ""],
  ])("does not find %s", (_, text) => {
    expect(expectAll(text).positions).toEqual([]);
  });

  test("D-12: too many places are uncertain, never clean", () => {
    const text = "AKIA ".repeat(CHOSEN.filter_hits);
    expectAll(text);
    for (const found of [byIndexOf(`${text}AKIA`, NEEDLES), byProgram(`${text}AKIA`), candidates(`${text}AKIA`, NEEDLES)]) {
      expect(found.complete).toBe(false);
    }
  });

  test("a program holds its own list: two lists in turn do not mix", () => {
    const long = " ".repeat(40_000);
    const lists = [["one_two"], ["three"], ["one_two", "three"]] as const;
    for (const list of [...lists, ...lists]) {
      expect(candidates(`${long}one_two three`, list).finds).toEqual(expected(`${long}one_two three`, list));
    }
  });

  test.each([
    ["too short", ["ab"]],
    ["too long", ["a".repeat(201)]],
    ["with a newline", ["one\ntwo"]],
    ["too many", Array.from({ length: 2049 }, (_, index) => `n${index}x`)],
  ])("a list of needles that is %s is searched all the same", (_, needles) => {
    expect(() => new WasmSearch(needles)).toThrow();
    const text = `${"-".repeat(40_000)}${needles[0]}-`;
    expect(candidates(text, needles)).toMatchObject({ finds: expected(text, needles), complete: true });
  });

  test("works where WebAssembly is not to be had", () => {
    const module = JSON.stringify(join(import.meta.dir, "../../src/secrets/filter.ts"));
    const child = Bun.spawnSync([
      process.execPath,
      "-e",
      `delete globalThis.WebAssembly;
       const { candidates } = await import(${module});
       console.log(JSON.stringify(candidates("✓".repeat(100_000) + "AKIA", ["AKIA"])));`,
    ]);
    expect(JSON.parse(child.stdout.toString())).toMatchObject({ positions: [100_000], complete: true });
  });
});

test("the families' needles keep the contract", () => {
  expect(needles().every((needle) => /^[ -~]{3,200}$/.test(needle))).toBe(true);
  expect(() => new WasmSearch(needles())).not.toThrow();
});

describe("program.ts", () => {
  const found = Bun.which(COMPILER);
  const version = found === null ? "" : Bun.spawnSync([found, "--version"]).stdout.toString();

  const committed = [
    ["scan", "src/secrets/filter/program.ts"],
    ["recall", "src/session/program.ts"],
  ] as const;
  test.skipIf(!version.includes("version 14.0.6")).each(committed)(
    "is what %s.c gives: run its build.ts after a change",
    async (name, file) => {
      expect(await buildModule(name)).toBe(await Bun.file(join(import.meta.dir, "../..", file)).text());
    },
  );
});
