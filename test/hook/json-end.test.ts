import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { JsonEnd } from "../../src/hook/json-end.ts";

/** Bytes up to and including the one that ended the value; -1 when it did not end. */
function endOf(bytes: Uint8Array): number {
  const end = new JsonEnd();
  for (let i = 0; i < bytes.length; i++) {
    end.feed(bytes.subarray(i, i + 1));
    if (end.reached) return i + 1;
  }
  return -1;
}

function reachedInChunks(bytes: Uint8Array, cuts: readonly number[]): boolean {
  const end = new JsonEnd();
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    end.feed(bytes.subarray(from, cut));
    from = cut;
  }
  return end.reached;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Objects, arrays and strings full of quotes, backslashes and brackets. */
const container = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify([value])),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ 'a\\"}': value })),
  fc.stringMatching(/^[\\"{}[\]a]{0,40}$/).map((text) => JSON.stringify(text)),
);

describe("JsonEnd", () => {
  test("D-27: ends exactly at the last byte of any JSON object, array or string", () => {
    fc.assert(
      fc.property(container, fc.constantFrom("", " \r\n\t", "\ufeff"), fc.constantFrom("", "x", "{}", "\n{"), (json, before, after) => {
        const value = utf8(before + json);
        const whole = utf8(before + json + after);
        expect(endOf(whole)).toBe(value.length);
      }),
    );
  });

  test("D-27: the same answer however the bytes are cut into chunks", () => {
    fc.assert(
      fc.property(container, fc.array(fc.nat(), { maxLength: 8 }), fc.nat(), (json, cuts, cut) => {
        const bytes = utf8(json);
        expect(reachedInChunks(bytes, cuts)).toBe(true);
        expect(reachedInChunks(bytes.subarray(0, cut % bytes.length), cuts)).toBe(false);
      }),
    );
  });

  test.each([
    ["a UTF-16 mark", [0xff]],
    ["UTF-16 without a mark, high byte first", [0x00]],
    ["a broken mark", [0xef, 0xbb, 0x7b]],
    ["two marks", [0xef, 0xbb, 0xbf, 0xef]],
    ["a mark behind a blank", [0x20, 0xef]],
    ["a bare word", [0x6e]],
    ["a number", [0x31]],
    ["a closing bracket", [0x7d]],
  ])("D-27: %s cannot begin an event: nothing to wait for", (_, bytes) => {
    expect(endOf(Uint8Array.from(bytes))).toBe(bytes.length);
  });

  test.each(["", "   \r\n\t", "{", '{"a":"}', '{"a":"\\"}', "[[]", '"\\\\\\"'])("D-27: %j is not a whole value yet", (text) => {
    expect(endOf(utf8(text))).toBe(-1);
  });

  test("nesting of any depth costs no stack", () => {
    const end = new JsonEnd();
    end.feed(utf8("[".repeat(1 << 20)));
    end.feed(utf8("]".repeat((1 << 20) - 1)));
    expect(end.reached).toBe(false);
    end.feed(utf8("]"));
    expect(end.reached).toBe(true);
  });
});
