import { describe, expect, test } from "bun:test";
import { isBinary } from "../../../src/call/git/content.ts";
import { parseOptions } from "../../../src/call/git/options.ts";
import { wildcard } from "../../../src/call/git/pathspec.ts";

const args = (...texts: string[]) => texts.map((text) => ({ text, exact: true, sources: [] }));
const texts = (values: readonly { readonly text: string }[]) => values.map(({ text }) => text);

describe("git's option grammar", () => {
  const known = ["a|all", "m|message=", "S|gpg-sign=?", "allow-empty", "amend"];

  test("bundles, attached and separate values, optional values, prefixes, negation, --", () => {
    const parsed = parseOptions(args("-am", "one", "-mtwo", "--mes=three", "--message", "four", "-Skey", "-S", "path", "--", "-a"), known);
    expect(texts(parsed.values("message"))).toEqual(["one", "two", "three", "four"]);
    expect(texts(parsed.values("gpg-sign"))).toEqual(["key"]);
    expect(texts(parsed.operands)).toEqual(["path", "-a"]);
    expect(parsed.dashes).toBe(1);
    expect(parsed.has("all")).toBe(true);
    expect(parseOptions(args("--all", "--no-all"), known).has("all")).toBe(false);
    expect(parseOptions(args("--am"), known).has("amend")).toBe(true);
    expect(parseOptions(args("--a"), known).has("all")).toBe(false);
  });

  test("a value that looks like an option is a value; a missing one is no crash", () => {
    expect(texts(parseOptions(args("-m", "--all"), known).values("message"))).toEqual(["--all"]);
    expect(parseOptions(args("-m"), known).values("message")).toEqual([]);
    expect(parseOptions([{ text: "$X", exact: false, sources: [] }], known).hidden).toBe(true);
  });
});

describe("binary or text", () => {
  const utf16 = (text: string, big: boolean) =>
    Uint8Array.from([...text].flatMap((sign) => (big ? [0, sign.charCodeAt(0)] : [sign.charCodeAt(0), 0])));

  test("UTF-16 and UTF-32 text is text, with and without a byte-order mark; other NULs are binary", () => {
    expect(isBinary(new TextEncoder().encode("text"))).toBe(false);
    expect(isBinary(new Uint8Array())).toBe(false);
    expect(isBinary(utf16("K=value\r\n", false))).toBe(false);
    expect(isBinary(utf16("K=value\r\n", true))).toBe(false);
    expect(isBinary(Uint8Array.from([0xff, 0xfe, 0, 1, 0, 0]))).toBe(false);
    expect(isBinary(Uint8Array.from([..."K=v\n"].flatMap((sign) => [sign.charCodeAt(0), 0, 0, 0])))).toBe(false);
    expect(isBinary(new Uint8Array(100))).toBe(true);
    expect(isBinary(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]))).toBe(true);
    expect(isBinary(Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 9]))).toBe(true);
  });
});

describe("wildcards of pathspecs", () => {
  test("stars cross slashes, brackets take one character, long hostile patterns end", () => {
    expect(wildcard("/r/*.env", "/r/a/b.env")).toBe(true);
    expect(wildcard("/r/?.env", "/r/a.env")).toBe(true);
    expect(wildcard("/r/[ab].env", "/r/a.env")).toBe(true);
    expect(wildcard("/r/*.env", "/r/a.envx")).toBe(false);
    expect(wildcard("*a".repeat(500), `${"a".repeat(400)}b`)).toBe(false);
  });
});
