import { describe, expect, test } from "bun:test";
import { isReadable, queried } from "../../src/call/query.ts";

const document = { type: "service_account", key: "k", list: [{ name: "a" }, { name: "b" }], none: null };

describe("D-17 programs of jq that choose parts of a document", () => {
  test.each<[string, unknown[]]>([
    [".", [document]],
    [".type, .key", ["service_account", "k"]],
    [".list[].name", ["a", "b"]],
    [".list[-1]", [{ name: "b" }]],
    ['.list[0]["name"]', ["a"]],
    ["{type, n: .key}", [{ type: "service_account", n: "k" }]],
    ["keys", [["key", "list", "none", "type"]]],
    [".list | length", [2]],
    ["to_entries[] | .key", ["type", "key", "list", "none"]],
    ['[paths | join(".")] | last', ["none"]],
    ['has("key") and (has("x") | not)', [true]],
    [".none // .key", ["k"]],
    ['.list | map(select(.name == "a"))', [[{ name: "a" }]]],
    ["del(.list, .none, .key)", [{ type: "service_account" }]],
    ["map_values(type) | .list", ["array"]],
    ["[.list[]?.name?, .key[]?]", [["a", "b"]]],
  ])("%s", (program, values) => expect(queried(program, document)).toEqual(values));

  test.each([
    ".key[]",
    ".list.name",
    ".key | keys",
    ".key[0:2]",
    ".key | @base64",
    "env",
    ".key as $x | $x",
    '"\\(.key)"',
    "..",
    ".key +",
    "(.key",
  ])("%s is not worked out", (program) => expect(queried(program, document)).toBeUndefined());

  test("a program without a bottom or an end", () => {
    expect(isReadable("(".repeat(300))).toBe(false);
    expect(isReadable(".a".repeat(1_000))).toBe(false);
    expect(
      queried(
        "[.[],.[],.[],.[],.[],.[],.[],.[]]|[.[],.[],.[],.[],.[],.[],.[],.[]]|[.[],.[],.[],.[],.[],.[],.[],.[]]|[.[],.[],.[],.[],.[],.[],.[],.[]]",
        [1, 2, 3, 4, 5, 6, 7, 8],
      ),
    ).toBeUndefined();
  });
});
