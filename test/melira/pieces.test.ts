import { expect, test } from "bun:test";
import { PIECES, Pieces } from "../../src/melira/pieces.ts";

const LIST = ["a", "b", "un", "##b", "##able", "break", "##break", "file", "##s", "send", ".", "e", "文", "п", "##и"];
const pieces = new Pieces(`${LIST.join("\n")}\n`);
const UNKNOWN = "[UNK]";

test.each([
  ["known words as they are, in small letters", "Send FILE", ["send", "file"]],
  ["the longest known piece first", "unbreakable files", ["un", "##break", "##able", "file", "##s"]],
  ["signs stand alone", "send.file", ["send", ".", "file"]],
  ["an underscore is a sign", "a_b", ["a", UNKNOWN, "b"]],
  ["letters without their marks", "séñd é", ["send", "e"]],
  ["a character nobody knows stands alone, the word goes on", "xfile", [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]],
  ["Chinese characters one by one", "文文a", ["文", "文", "a"]],
  ["other letters", "пии", ["п", "##и", "##и"]],
  ["a half surrogate", "\ud83d", [UNKNOWN]],
  ["nothing", " \n\t", []],
])("%s", (_, text, expected) => {
  expect(pieces.split(text)).toEqual(expected);
});

const id = (piece: string): number => LIST.indexOf(piece) + 4;

test("what is read around a place: both sides, and more of one where the other is short", () => {
  const text = `${"a ".repeat(100)}send ${"b ".repeat(100)}`;
  const middle = [...pieces.around(text, 200)];
  expect(middle).toHaveLength(PIECES);
  expect(middle.slice(0, 2)).toEqual([1, id("a")]);
  expect(middle.at(-1)).toBe(2);
  expect(middle.indexOf(id("send"))).toBe(PIECES / 2);
  expect([...pieces.around("send file", 0)]).toEqual([1, id("send"), id("file"), 2]);
  expect([...pieces.around("send file", 5)]).toEqual([1, id("send"), id("file"), 2]);
  expect([...pieces.around(text, text.length)].filter((one) => one === id("b"))).toHaveLength(PIECES - 2);
  expect([...pieces.around("", 0)]).toEqual([1, 2]);
});
