import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Leaf } from "../../../src/secrets/files/file.ts";
import { iniLeaves } from "../../../src/secrets/files/ini.ts";
import { jsonLeaves } from "../../../src/secrets/files/json.ts";
import { tomlLeaves, yamlLeaves } from "../../../src/secrets/files/tree.ts";

function walk(node: unknown, path: string[] = []): { path: string[]; value: string }[] {
  if (typeof node === "object" && node !== null) return Object.entries(node).flatMap(([key, inner]) => walk(inner, [...path, key]));
  return [{ path, value: String(node) }];
}
const bare = (leaves: readonly Leaf[] | undefined) => leaves?.map(({ path, value }) => ({ path: [...path], value }));

// Keys that JavaScript would reorder or swallow, and numbers it would write differently, are no question of reading.
const key = fc.string({ maxLength: 6 }).filter((text) => !/^\d+$/.test(text) && text !== "__proto__");
const tree = fc.letrec<{ node: unknown; inner: unknown }>((tie) => ({
  node: fc.oneof(fc.dictionary(key, tie("inner"), { maxKeys: 4, noNullPrototype: true }), fc.array(tie("inner"), { maxLength: 4 })),
  inner: fc.oneof({ maxDepth: 4 }, fc.string({ unit: "grapheme" }), fc.boolean(), fc.constant(null), fc.integer(), tie("node")),
})).node;

test("JSON: the same leaves as JSON.parse, positions of strings exact", () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const leaves = jsonLeaves(text);
      expect(bare(leaves)).toEqual(walk(value));
      for (const leaf of leaves ?? []) {
        const written = text.slice(leaf.start, leaf.end);
        expect(text[leaf.start - 1] === '"' ? JSON.parse(`"${written}"`) : written).toBe(leaf.value);
      }
    }),
    { numRuns: 300 },
  );
});

test("JSON: what JSON.parse refuses is refused, comments and trailing commas aside", () => {
  fc.assert(
    fc.property(tree, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, at % text.length);
      expect(jsonLeaves(cut)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
  for (const text of [
    "",
    "x",
    '"a"x',
    "{} {}",
    "{]",
    "[}",
    '{"a"}',
    '{"a":}',
    "{:1}",
    "[1 2]",
    '{"a" 1}',
    "{,}",
    "[,]",
    "/* open",
    '{"a":tru}',
    "nul",
    '{"a":1',
    "1",
  ])
    expect(jsonLeaves(text)).toBeUndefined();
  expect(bare(jsonLeaves('// a note\n{"a": /* x */ 1, "b": ["c",],}\n'))).toEqual([
    { path: ["a"], value: "1" },
    { path: ["b", "0"], value: "c" },
  ]);
});

test("YAML and TOML: values are found where they stand", () => {
  const yaml =
    "a:\n  - name: one\n    token: abc123\n  - name: two\n    token: \"abc123\"\nb: {c: 'x y'}\nk: |\n  first line\n  last line\n";
  const found = yamlLeaves(yaml)?.map((leaf) => [leaf.path.join("."), yaml.slice(leaf.start, leaf.end), leaf.start]);
  expect(found).toEqual([
    ["a.0.name", "one", yaml.indexOf("one")],
    ["a.0.token", "abc123", yaml.indexOf("abc123")],
    ["a.1.name", "two", yaml.indexOf("two")],
    ["a.1.token", "abc123", yaml.lastIndexOf("abc123")],
    ["b.c", "x y", yaml.indexOf("x y")],
    ["k", "first line\n  last line", yaml.indexOf("first line")],
  ]);
  const toml = "[r]\ntoken = \"abc\"\n[[c]]\nname = 'x'\n";
  expect(tomlLeaves(toml)?.map((leaf) => [leaf.path.join("."), toml.slice(leaf.start, leaf.end)])).toEqual([
    ["r.token", "abc"],
    ["c.0.name", "x"],
  ]);
  expect(yamlLeaves("just text")).toBeUndefined();
  expect(yamlLeaves("\ta: b: c: [")).toBeUndefined();
  expect(tomlLeaves("a = ")).toBeUndefined();
});

test("INI: sections, comments, quotes, separators and positions", () => {
  const text = 'top=1\n[a]\nk = v;w # x\r\n; note\n# note\nq = "in quotes"\n//host/:_authToken=abc==\n[b "c"]\n\tn: colon = x\nempty =\n';
  expect(iniLeaves(text).map((leaf) => [...leaf.path, leaf.value, text.slice(leaf.start, leaf.end) === leaf.value])).toEqual([
    ["", "top", "1", true],
    ["a", "k", "v;w # x", true],
    ["a", "q", "in quotes", true],
    ["a", "//host/:_authToken", "abc==", true],
    ['b "c"', "n: colon", "x", true],
    ['b "c"', "empty", "", true],
  ]);
  expect(iniLeaves("[A]\nUser: x\n", { colon: true, fold: true }).map((leaf) => [...leaf.path, leaf.value])).toEqual([["a", "user", "x"]]);
});
