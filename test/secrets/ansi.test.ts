import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stripAnsi } from "../../src/secrets/ansi.ts";
import { scan } from "../../src/secrets/scan.ts";
import { mint } from "../mint.ts";

const SEQUENCES = [
  ...["\u001b[31m", "\u009b1;38;5;200m", "\u001b[?25l", "\u001b]0;title\u0007", "\u001b]8;;https://acme.dev\u001b\\", "\u009d0;t\u009c"],
  ...["\u001bPq#0~\u001b\\", "\u0090q\u009c", "\u001b_x\u001b\\", "\u001b^x\u001b\\", "\u001bXx\u001b\\", "\u001b(B", "\u001b="],
  ...["\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff", "\u202e", "\ufe0f", "x\b", "_\b"],
];

describe("a text as a terminal shows it", () => {
  test.each(SEQUENCES.map((sequence) => [JSON.stringify(sequence), sequence]))("without %s", (_, sequence) => {
    const token = mint.github();
    const text = `one ${[...token].join(sequence)} two`;
    const bare = stripAnsi(text);
    expect(bare.text).toBe(`one ${token} two`);
    const [found] = scan(text).secrets;
    expect(found).toMatchObject({ value: token, grade: "token" });
    expect(text.slice(found?.start, found?.end)).toBe([...token].join(sequence));
  });

  test("every character keeps its place", () => {
    const piece = fc.oneof(fc.string({ unit: fc.constantFrom("a", "é", "\n", "😀", "[") }), fc.constantFrom(...SEQUENCES.slice(0, 20)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const bare = stripAnsi(text);
        for (let at = 0; at < bare.text.length; at++) {
          const { start, end } = bare.range(at, at + 1);
          expect(text.slice(start, end)).toBe(bare.text.charAt(at));
        }
      }),
    );
  });

  test.each(["plain", "tab\there", "\u001b[", "\u001b]0;never ends", "caf\u00e9 \u4f60", "\r\n", "\0"])("%j stays", (text) =>
    expect(stripAnsi(text).text).toBe(text),
  );

  test("a backspace takes nothing of the line above", () => expect(stripAnsi("a\n\b\bb").text).toBe("a\nb"));
});
