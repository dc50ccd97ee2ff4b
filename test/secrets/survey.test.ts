import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { Hits } from "../../src/secrets/filter/hits.ts";
import { MARKS, WasmSearch } from "../../src/secrets/filter/wasm.ts";
import { DIGITS, kindOf, LETTERS, type Range, stretches } from "../../src/secrets/runs.ts";
import { scanEncoded } from "../../src/secrets/encoded.ts";
import { secretsInText } from "../../src/secrets/files/index.ts";
import { scan } from "../../src/secrets/scan.ts";
import { announce, surveyOf } from "../../src/secrets/survey.ts";
import { mint } from "../mint.ts";

const WORDS = ["password", "sword", "type = s3", "aaa"];
const program = new WasmSearch(["ghp_"], WORDS);
const survey = (text: string) => program.survey(text, new Hits(text));
/** The window of the search program, in UTF-16 units. */
const WINDOW = 262_144;

/** Texts of the characters that matter, in short and in long pieces. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...WORDS,
        "passwor",
        " ",
        "\n",
        "\n  ",
        "\n+ 7Z",
        "\n12:A",
        "x2024 |",
        ",",
        "a b c d ",
        "41 42 43 44 ",
        "4142 ",
        "é",
        "✓",
        "ł",
        "_",
        "/",
        "+",
        "-",
        ".",
      ),
      fc
        .tuple(
          fc.constantFrom(
            "a",
            "Z9",
            "5f",
            "c2Vj",
            "jV2c",
            "MZXW",
            "%3D",
            "\\n",
            "x ",
            "1,",
            "de:",
            " ",
            "   q",
            "ł",
            "12,\r\n\t",
            "255 , ",
          ),
          fc.nat(40),
        )
        .map(([piece, times]) => piece.repeat(times)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));

/** What the marks of a stretch stand for. */
const WRITINGS = [
  ["base64", /(?:[CDI-Za-f][AC-HQS-Xgi-nwy-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9_+/-]){6}/g],
  ["hex", /(?:[2-7][\da-fA-F]){12}/g],
  ["backwards", /(?:[A-Za-z0-9_+/-][ABEFIJMNQRUVYZcdghklopstwx014589][AC-HQS-Xgi-nwy-z0-3][CDI-Za-f]){6}/g],
  ["base32", /[A-Z2-7]{24}|[a-z2-7]{24}/g],
  [
    "shape",
    /(?<![\dA-Za-z%\\])(?:[\dA-Za-z]{29,31}|[\dA-Za-z]{35}|[\dA-Za-z]{5[1268]}|[\dA-Za-z]{86,88}|(?<=\.)[\dA-Za-z]{64})(?![\dA-Za-z])/g,
  ],
  ["shape", /(?<=\\)[a-z](?:[\dA-Za-z]{29,31}|[\dA-Za-z]{5[1268]})(?![\dA-Za-z])/g],
  ["shape", /(?<=%)\d[A-F](?:[\dA-Za-z]{29,31}|[\dA-Za-z]{5[1268]})(?![\dA-Za-z])/g],
] as const;

function naive(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map((hit) => ({ start: hit.index, end: hit.index + hit[0].length }));
}

function found(text: string, kind: ReturnType<typeof kindOf>, least: number, within?: Range): Range[] {
  const ranges: Range[] = [];
  stretches(text, kind, least, (start, end) => void ranges.push({ start, end }), within);
  return ranges;
}

describe("stretches", () => {
  test.each([
    [`${DIGITS}${LETTERS}_+/-`, /[\w+/-]{20,}/g, 20],
    ["a ", /[a ]{3,}/g, 3],
    ["abcdefghijklmnopqrstuvwxyz", /[a-z]+/g, 1],
  ] as const)("%j: the same as the pattern says", (characters, many, least) => {
    fc.assert(fc.property(texts, (text) => expect(found(text, kindOf(characters), least)).toEqual(naive(text, many))));
  });

  test("within a part nothing outside it is looked at", () => {
    expect(found("aaaa", kindOf("a"), 2, { start: 1, end: 3 })).toEqual([{ start: 1, end: 3 }]);
  });
});

describe("what a survey denies is not there", () => {
  test("words, stretches and rows, in any mix of characters", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { seen, stretches: ranges, groups, singles, numbers, folds } = survey(text);
        for (const [number, word] of WORDS.entries()) expect(seen[number]).toBe(text.indexOf(word) + 1);
        for (const [what, pattern] of WRITINGS)
          for (const { start, end } of naive(text, pattern))
            expect(ranges.some((range) => range.marks & MARKS[what] && range.start <= start && range.end >= end)).toBe(true);
        if (/(?:[2-7][\da-f][ :,]){8}|(?:[2-7][\da-f][2-7][\da-f] ){4}/.test(text)) expect(groups).toBe(true);
        if (/(?:[!-~][ \n,]){20}|(?:[!-~], ){16}|(?: {3}[!-~]){8}/.test(text)) expect(singles).toBe(true);
        if (/(?<=^|\n)[ >]{0,2}[\da-zA-Z]{0,20}\d{4}(?:[ |]{0,2}\n *(?:\d{1,3}[\t:]|[+>|] ?)?)[a-z]?[A-Z]\w/.test(text))
          expect(folds).toBe(true);
        if (/(?:[ \t\r\n]{0,4}\d{1,3}[ \t\r\n]{0,4},){16}/.test(text)) expect(numbers).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("the same where the processor has no SIMD", () => {
    const samples = fc.sample(texts, { numRuns: 300, seed: 7 }).map((text) => `${text}${".".repeat(4_096)}`);
    const folder = join(import.meta.dir, "../../src/secrets/filter");
    const child = Bun.spawnSync(
      [
        process.execPath,
        "-e",
        `const { WasmSearch } = await import(${JSON.stringify(join(folder, "wasm.ts"))});
         const { Hits } = await import(${JSON.stringify(join(folder, "hits.ts"))});
         const { SIMD_PROGRAM } = await import(${JSON.stringify(join(folder, "program.ts"))});
         const { words, samples } = await Bun.stdin.json();
         const program = new WasmSearch(["ghp_"], words);
         const found = samples.map((text) => program.survey(text, new Hits(text)));
         console.log(JSON.stringify({ simd: WebAssembly.validate(Uint8Array.fromBase64(SIMD_PROGRAM)), found }));`,
      ],
      { env: { ...process.env, BUN_JSC_useWasmSIMD: "0" }, stdin: Buffer.from(JSON.stringify({ words: WORDS, samples })) },
    );
    expect(JSON.parse(child.stdout.toString())).toEqual({ simd: false, found: JSON.parse(JSON.stringify(samples.map(survey))) });
  });

  test("an ordinary text is denied all of it", () => {
    const text = "const answer = await fetch(url, { method, headers });\n        return 17 * 41;\n";
    expect(survey(text)).toEqual({
      seen: new Uint32Array(WORDS.length),
      stretches: [],
      groups: false,
      singles: false,
      numbers: false,
      folds: false,
    });
  });

  test("of a text full of hashes only what may be more than a hash is told", () => {
    const hashes = Array.from({ length: 2_000 }, () => `sha ${mint.hex(40)} ${mint.hex(64)}\n`).join("");
    const more = survey(hashes).stretches.filter(({ marks }) => marks !== MARKS.base32);
    expect(more.length).toBeLessThan(20);
    // One in a hundred hashes has no `0`, `1`, `8`, `9` for a while.
    expect(survey(hashes).stretches.length).toBeLessThan(80);
    const seed = mint.xrp();
    const token = mint.github();
    const text = `${hashes}${seed}\n${Buffer.from(token).toString("hex")} ${Buffer.from(token).toString("base64")}\n${hashes}`;
    expect(scan(text).secrets.map(({ value }) => value)).toEqual([seed]);
    expect(scanEncoded(text).secrets.map(({ value }) => value)).toEqual([token, token]);
  });

  test("across the borders of windows", () => {
    for (const at of [WINDOW - 300, WINDOW - 20, WINDOW - 1, WINDOW, 2 * WINDOW - 5]) {
      const text = `${".".repeat(at)}password.${"52".repeat(350)}.${".".repeat(WINDOW)}`;
      expect(survey(text)).toMatchObject({
        seen: Uint32Array.of(at + 1, at + 4, 0, 0),
        stretches: [{ start: at + 9, end: at + 709, marks: MARKS.hex | MARKS.base32 }],
      });
      expect(survey(`${".".repeat(at)}${"k8".repeat(29)}${".".repeat(WINDOW)}`).stretches.map(({ marks }) => marks)).toEqual([MARKS.shape]);
      expect(survey(`${".".repeat(at)}${"a b c d ".repeat(8)}`).singles).toBe(true);
    }
  });
});

/** What every detector that asks for a survey says of a text. */
function detected(text: string) {
  for (const other of ["", " "]) surveyOf(other); // The last two texts' surveys are kept.
  const known = () => ({ secrets: [], complete: true });
  return [scan(text).secrets, scanEncoded(text, { known, printed: true }).secrets, secretsInText(text)];
}

/** The same work while there is no WebAssembly to be had: no survey denies anything then. */
function unsurveyed<T>(work: () => T): T {
  const { Module } = WebAssembly;
  try {
    WebAssembly.Module = function () {
      throw new Error("not here");
    } as unknown as typeof Module;
    announce(() => ["any word makes a new program"]);
    return work();
  } finally {
    WebAssembly.Module = Module;
    announce(() => []);
  }
}

test("detectors say the same with a survey and without", () => {
  const token = mint.github();
  const bytes = Buffer.from(token);
  const writings = [
    token,
    mint.pemRsa(),
    mint.opensshKey(),
    mint.xrp(),
    mint.awsCredentials().text,
    mint.kubeconfig().text,
    mint.netrc().text,
    mint.dockerConfig().text,
    mint.dotenv().text,
    bytes.toString("base64"),
    bytes.toString("hex"),
    bytes.toString("hex").replace(/../g, "$& "),
    [...token].join(" "),
    [...token].join("\n"),
    [...token].reverse().join(""),
    gzipSync(`# settings\nTOKEN=${token}\n`).toString("base64"),
  ];
  // Long enough for the program whatever was searched before.
  const filler = "nothing to see here, move along\n".repeat(1_100);
  const long = writings.map((writing) => `${filler}${writing}\n${filler}`);
  const bare = unsurveyed(() => {
    expect(surveyOf(filler).present).toBeUndefined();
    return long.map(detected);
  });
  expect(surveyOf(filler).present).toBeDefined();
  for (const [number, text] of long.entries()) {
    expect(detected(text)).toEqual(bare[number] as ReturnType<typeof detected>);
    expect(bare[number]?.flat()).not.toEqual([]);
  }
});

test("a survey answers the same for a short text as for the same words in a long one", () => {
  announce(() => ["lamplight", "ab"]);
  const filler = "nothing to see here, move along\n".repeat(4_000);
  for (const text of ["lamplight", "lamp light", "ab"]) {
    for (const word of ["lamplight", "ab", "never announced"]) {
      expect(surveyOf(`${filler}${text}`).has(word)).toBe(surveyOf(text).has(word));
    }
  }
  expect(surveyOf(filler).present).toBeDefined();
});
