import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decode } from "../../src/secrets/decode.ts";
import { scan } from "../../src/secrets/scan.ts";
import { mint } from "../mint.ts";

const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
function utf32(text: string): Buffer {
  const points = [...text].map((character) => character.codePointAt(0) as number);
  const bytes = Buffer.alloc(4 * points.length + 4);
  bytes.writeUInt32LE(0xfeff);
  points.forEach((point, at) => bytes.writeUInt32LE(point, 4 * at + 4));
  return bytes;
}

const TEXT = `# Einstellungen für den Läufer\nGITHUB_TOKEN=${mint.github()}\nPORT=3000\n`;

describe("every encoding gives the text back", () => {
  test.each([
    ["UTF-8", "utf-8", Buffer.from(TEXT)],
    ["UTF-8 with mark", "utf-8", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16 LE with mark", "utf-16le", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16 BE with mark", "utf-16be", swapped(Buffer.from(`\ufeff${TEXT}`, "utf16le"))],
    ["UTF-16 LE", "utf-16le", Buffer.from(TEXT, "utf16le")],
    ["UTF-16 BE", "utf-16be", swapped(Buffer.from(TEXT, "utf16le"))],
    ["UTF-32 LE with mark", "utf-32le", utf32(TEXT)],
  ] as const)("%s", (_, encoding, bytes) => {
    expect(decode(bytes)).toEqual({ text: TEXT, encoding });
    expect(scan(decode(bytes).text).secrets).toHaveLength(1);
  });

  test("a view into a larger buffer is decoded alone", () => {
    const bytes = Buffer.from(`xxxx\0${TEXT}\0xxxx`);
    expect(decode(bytes.subarray(5, -5)).text).toBe(TEXT);
  });
});

test("binary data with a token inside is read byte for character", () => {
  const token = mint.github();
  const bytes = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]),
    mint.bytes(300),
    Buffer.from([0]),
    Buffer.from(token),
    Buffer.from([0, 0xff, 0]),
  ]);
  const { text, encoding } = decode(bytes);
  expect(encoding).toBe("latin1");
  expect(text).toHaveLength(bytes.length);
  expect(scan(text).secrets).toMatchObject([{ value: token }]);
});

test("invalid UTF-8 hides nothing", () => {
  const token = mint.github();
  const bytes = Buffer.concat([Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(token), Buffer.from([0xe2, 0x82])]);
  expect(scan(decode(bytes).text).secrets).toMatchObject([{ value: token }]);
});

test("UTF-8 text without NUL is never taken for UTF-16", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes("\0") && !text.startsWith("\ufeff"));
      expect(decode(Buffer.from(text)).text).toBe(text.toWellFormed());
    }),
  );
});

test("any bytes give a text, never an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof decode(bytes).text).toBe("string");
      expect(typeof decode(Uint8Array.from([0xff, 0xfe, 0, 0, ...bytes])).text).toBe("string");
      expect(typeof decode(Uint8Array.from([0xfe, 0xff, ...bytes])).text).toBe("string");
    }),
  );
});
