/** BIP-39 phrases: only behind a label, only with their checksum, and never proven. */
import { describe, expect, test } from "bun:test";
import { scan } from "../../src/secrets/scan.ts";
import { mint } from "../mint.ts";

const found = (text: string): readonly string[] =>
  scan(text)
    .secrets.filter(({ family }) => family === "bip39")
    .map(({ value }) => value);

describe("a wallet's seed phrase", () => {
  test.each([12, 15, 18, 21, 24] as const)("of %d words behind a label", (words) => {
    const phrase = mint.seedPhrase(words);
    for (const text of [
      `MNEMONIC="${phrase}"`,
      `mnemonic: ${phrase}\n`,
      `{"mnemonic":"${phrase}"}`,
      `const seedPhrase = '${phrase}';`,
      `My seed phrase is: ${phrase} and nobody else has it.`,
      `Mnemonic Phrase: ${phrase}`,
      `Secret recovery phrase\n${phrase}\n`,
    ])
      expect([text, found(text)]).toEqual([text, [phrase]]);
    expect(scan(`mnemonic: ${phrase}`).secrets[0]).toMatchObject({ family: "bip39", grade: "vendor" });
  });

  test("in a numbered list it is one value with everything between", () => {
    const words = mint.seedPhrase(12).split(" ");
    const list = words.map((word, at) => `${at + 1}. ${word}`).join("\n");
    const [value = ""] = found(`Recovery phrase:\n${list}\n`);
    expect(value.startsWith(words[0] as string)).toBe(true);
    expect(value.endsWith(words[11] as string)).toBe(true);
  });

  test.each([
    ["a wrong checksum", () => changed(mint.seedPhrase(24))],
    ["eleven words", () => mint.seedPhrase(12).split(" ").slice(1).join(" ")],
    ["prose", () => "is a list of words that a wallet shows once when it is made so that people can write it down"],
    ["the test vectors", () => `${"abandon ".repeat(11)}about`],
    ["a developer's chain", () => `${"test ".repeat(11)}junk`],
  ] satisfies [string, () => string][])("not %s", (_: string, make: () => string) => {
    expect(found(`mnemonic: ${make()}`)).toEqual([]);
  });

  test("not without a label", () => {
    expect(found(`words: ${mint.seedPhrase(12)}`)).toEqual([]);
  });
});

/** The phrase with one word changed so that the check no longer holds. */
function changed(phrase: string): string {
  const words = phrase.split(" ");
  for (const other of ["abandon", "zoo", "ability", "wrong", "able", "year"]) {
    const text = [other, ...words.slice(1)].join(" ");
    if (found(`mnemonic: ${text}`).length === 0) return text;
  }
  throw new Error("six words in a row have the right checksum");
}
