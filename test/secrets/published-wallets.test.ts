/** D-20: the keys and words that every local chain starts with are samples; keys beside them are not. */
import { expect, test } from "bun:test";
import { isSample } from "../../src/secrets/samples.ts";
import { PUBLISHED_WORDS, walletKeys } from "../published-wallet.ts";

test.each([
  ["anvil", 20],
  ["ganache", 10],
  ["truffle", 10],
] as const)("D-20 the accounts %s starts with", (tool, count) => {
  const keys = walletKeys(PUBLISHED_WORDS[tool], count + 1);
  for (const key of keys.slice(0, count))
    for (const written of [key, `0x${key}`, `0x${key.toUpperCase()}`]) expect(isSample(written)).toBe(true);
  expect(isSample(keys[count] ?? "")).toBe(false);
  expect(isSample(`0x${keys[0]}0`)).toBe(false);
});

test("D-20 the words themselves", () => {
  for (const words of [PUBLISHED_WORDS.ganache, PUBLISHED_WORDS.truffle]) {
    expect(isSample(words)).toBe(true);
    expect(isSample(words.split(" ").toReversed().join(" "))).toBe(false);
  }
});
