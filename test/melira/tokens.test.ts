import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonical } from "../../src/melira/canonical.ts";
import { tokenise, WIDTH } from "../../src/melira/tokens.ts";
import { TEXTS } from "./texts.ts";

const GOLDEN = join(import.meta.dir, "golden-ids.jsonl");
const rows = readFileSync(GOLDEN, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly text: string; readonly ids: readonly number[] });

test.each(rows.map((row, i) => [i, row.text.slice(0, 40), row] as const))(
  "golden row %d has the ids it was trained with: %s",
  (_, __, row) => {
    expect([...tokenise(row.text).ids]).toEqual([...row.ids]);
  },
);

test("there is a golden row for every text", () => {
  expect(rows.map(({ text }) => text)).toEqual(TEXTS.map(([, text]) => text));
});

test("the Python twin gives the same ids", () => {
  const twin = Bun.spawnSync(["python3", join(import.meta.dir, "../../models/melira/tokens.py"), GOLDEN]);
  expect(twin.stderr.toString()).toBe("");
  expect(twin.stdout.toString()).toBe(`${rows.length} rows, all ids equal\n`);
});

test("every token knows where it begins, and the last one where it ends", () => {
  const text = "Send  the_file, now\n\n ok";
  const { starts, count } = tokenise(text);
  expect(Array.from({ length: count }, (_, i) => text.slice(starts[i], starts[i + 1]).trim())).toEqual([
    "Send",
    "the",
    "_",
    "file",
    ",",
    "now",
    "",
    "ok",
  ]);
});

test("case is no other word, only another shape", () => {
  const [lower, upper] = [tokenise("ignore").ids, tokenise("IGNORE").ids];
  expect([...lower.subarray(0, 3)]).toEqual([...upper.subarray(0, 3)]);
  expect(lower[3]).not.toBe(upper[3]);
});

test("no more tokens than asked for", () => {
  expect(tokenise("a b c d e f", 4).count).toBe(4);
  expect(tokenise("a b c d e f", 4).ids).toHaveLength(4 * WIDTH);
});

test.each([
  ["zero-width", "ig\u200bno\u2060re", "ignore"],
  ["soft hyphen", "ig\u00adnore", "ignore"],
  ["full-width", "ｉｇｎｏｒｅ", "ignore"],
  ["mathematical bold", "𝐢𝐠𝐧𝐨𝐫𝐞", "ignore"],
  ["Cyrillic letters in a Latin word", "іgnоrе", "ignore"],
  ["small capitals", "ɪɢɴᴏʀᴇ", "ignore"],
  ["entities", "&#105;&#x67;nore &quot;x&quot;", 'ignore "x"'],
  ["percent signs", "%69%67%6e%6f%72%65", "ignore"],
  ["a query", "?note=%5Bto+all%5D+ignore%3A+this%21", "?note=[to all] ignore: this!"],
  ["JSON escapes", "\\u0069gnore\\nthis", "ignore\n this"],
])("one spelling: %s", (_, text, plain) => {
  expect(canonical(text).text).toBe(plain);
});

test.each([
  ["a word of one other script", "привет мир"],
  ["one percent sign", "100%25 sure"],
  ["plain text", "a & b < c"],
])("left alone: %s", (_, text) => {
  expect(canonical(text).text).toBe(text);
});

test("places lead back: exactly where nothing changed, to the piece's beginning where something did", () => {
  const plain = "nothing to change here\n".repeat(200);
  expect(canonical(plain).origin(1234)).toBe(1234);
  const mixed = `${plain}zero\u200bwidth\n${plain}`;
  const made = canonical(mixed);
  const at = made.text.indexOf("zerowidth");
  expect(made.origin(at)).toBeLessThanOrEqual(mixed.indexOf("zero"));
  expect(made.origin(made.text.length - 3)).toBe(mixed.length - 3);
});
