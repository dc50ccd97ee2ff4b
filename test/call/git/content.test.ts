import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readableRuns } from "../../../src/call/git/index.ts";

/** The same, said as a pattern. */
const slowly = (bytes: Uint8Array): string =>
  (
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[\t-\r\x1b -~]{8,}/g) ?? []
  ).join("\n");

describe("readable parts of binary content", () => {
  test("a token and a key's lines between noise are kept, short runs are not", () => {
    const bytes = Buffer.from("\0\x01abc\0key = 0123456789\nsecond line\0\xff", "latin1");
    expect(readableRuns(bytes)).toBe("key = 0123456789\nsecond line");
    expect(readableRuns(new Uint8Array(100))).toBe("");
  });

  test("skipping finds the same runs as looking at every byte", () => {
    const byte = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 32, max: 126 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 120 }), (values) => {
        const bytes = Uint8Array.from(values);
        expect(readableRuns(bytes)).toBe(slowly(bytes));
      }),
      { numRuns: 500 },
    );
  });
});
