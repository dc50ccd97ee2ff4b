import { expect, test } from "bun:test";
import { redactText } from "../../src/secrets/redact.ts";
import { piecesOf } from "../../src/secrets/pieces.ts";
import { splitKeys } from "../../src/secrets/split-key.ts";
import { mint } from "../mint.ts";

const key = mint.opensshKey();
const lines = key.trimEnd().split("\n");
const block = (text: string) => ({ type: "text", text });

/** Whether no 8 characters in a row of the key's body are left of any string, repeated ones aside. */
const covers = (json: unknown): boolean => {
  const secrets = splitKeys(json);
  const strings = JSON.stringify(json).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return strings
    .map((text) => JSON.parse(text) as string)
    .every((text) => {
      const left = redactText(text, piecesOf(text, secrets), () => " ").replace(/\[leak0:[^\]]{0,40}\]/g, " ");
      return lines.slice(1, -1).every((line) => {
        for (let at = 0; at + 8 <= line.length; at++) {
          const piece = line.slice(at, at + 8);
          if (new Set(piece).size > 1 && left.includes(piece)) return false;
        }
        return true;
      });
    });
};

test.each([
  ["text blocks", lines.map(block)],
  ["items of a list", { lines }],
  ["pieces cut anywhere", key.match(/[^]{1,23}/g)?.map(block)],
  ["numbered lines", lines.map((line, index) => block(`${index + 1}: ${line}`))],
  ["lines under different names", { a: lines[0], note: "goes on", b: lines.slice(1, 3).join("\n"), c: lines.slice(3).join("\n") }],
  ["without the end", lines.slice(0, -1).map(block)],
  ["without the beginning", lines.slice(1).map(block)],
])("L-094 a private key in %s", (_title, json) => {
  expect(covers(json)).toBe(true);
});

test("the whole key proves itself", () => {
  expect(splitKeys(lines.map(block)).some(({ grade, kind }) => grade === "credential" && kind === "structure")).toBe(true);
});

test.each([
  ["a public key", mint.opensshPublic()],
  ["a certificate", mint.certificate()],
  ["an encrypted key", mint.opensshEncrypted()],
])("L-009 %s is none, however it is split", (_title, text) => {
  const parts = text.trimEnd().split("\n");
  expect(splitKeys(parts.map(block))).toEqual([]);
  expect(splitKeys({ parts })).toEqual([]);
});

test("one string is not split, and words around a marker are no key", () => {
  expect(splitKeys(key)).toEqual([]);
  expect(splitKeys({ text: key })).toEqual([]);
  expect(splitKeys(["-----BEGIN PRIVATE KEY-----", "src/components/ButtonGroup", "-----END PRIVATE KEY-----"])).toEqual([]);
});
