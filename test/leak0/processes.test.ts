import { expect, test } from "bun:test";
import { aimOf, namesUs } from "../../src/leak0/self/processes.ts";

const lines = { lines: true, whole: false, ignoreCase: false };
const names = { ...lines, lines: false };

test.each([
  ["poisonzer", "ours"],
  ["poison.*", "ours"],
  ["[p]oison", "ours"],
  ["p.isonzero hook", "ours"],
  ["^/opt/poison", "ours"],
  ["(p|q)oisonzero", "ours"],
  ["[[:alpha:]]oisonzero", "ours"],
  ["hook claude", "unclear"],
  ["zero", "unclear"],
  ["zerotier", undefined],
  ["node", undefined],
  [".", undefined],
  ["claude", undefined],
  ["python.*poisonzero", undefined],
  ["(a+)+poison", "unclear"],
  ["(a+)+b", undefined],
  ["[", undefined],
  ["poison[", "unclear"],
] as const)("L-023 the pattern %j is %p", (pattern, aim) => {
  expect(aimOf(pattern, lines)).toBe(aim);
});

test("L-023 by name alone, as a whole, without case", () => {
  expect(aimOf("hook claude", names)).toBeUndefined();
  expect(aimOf("poisonzer", { ...names, whole: true })).toBeUndefined();
  expect(aimOf("POISONZERO", names)).toBeUndefined();
  expect(aimOf("POISONZERO", { ...names, ignoreCase: true })).toBe("ours");
});

test("L-023 units and packages by a glob", () => {
  for (const word of ["poisonzero", "poisonzero.service", "poison*", "p?isonzero*"]) expect(namesUs(word)).toBe(true);
  for (const word of ["*", "poison", "poisonivy", "nginx*"]) expect(namesUs(word)).toBe(false);
});
