import { expect, test } from "bun:test";
import { ignoredBy, ignoreRules, ignores } from "../../../src/call/git/ignore.ts";

/** Git's own answers to the single patterns are compared in test/scan/ignore.test.ts. */
test.each([
  [["x/"], "x", undefined],
  [["x/"], "x/y", true],
  [["*.log", "!keep.log"], "a/keep.log", false],
  [["/a"], "b/a", undefined],
  [["a/**"], "a/b/c", true],
  [["[a"], "[a", undefined],
  [["{x,y}"], "x", undefined],
  [["{x,y}"], "{x,y}", true],
])("what Git hides: %j %s", (lines, path, hidden) => {
  expect(ignores(lines, path.split("/"))).toBe(hidden);
});

test("package managers know braces, and a tab at the end is no part of a name", () => {
  expect(ignoredBy(ignoreRules(["{.env,x}\t"]), [".env"])).toBe(true);
  expect(ignoredBy(ignoreRules(["{.env,x}"]), ["y"])).toBeUndefined();
});
