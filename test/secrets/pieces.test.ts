import { expect, test } from "bun:test";
import fc from "fast-check";
import { SPECIFIED } from "../../src/limits.ts";
import { disjoint, piecesOf } from "../../src/secrets/pieces.ts";
import type { Secret } from "../../src/secrets/secret.ts";
import { redactText } from "../../src/secrets/redact.ts";
import { mint } from "../mint.ts";

const known = (value: string): Secret => ({ family: "x", title: "x", grade: "credential", kind: "structure", value, start: -1, end: -1 });
const hidden = (text: string, values: readonly string[]) => redactText(text, piecesOf(text, values.map(known)), () => "0a1b2c3d");

test("L-093 L-094 D-25 a known value is found whole, cut, and in pieces of 8 characters, and nothing else is touched", () => {
  const value = mint.awsSecret();
  expect(hidden(`a = ${value}\n`, [value])).toBe("a = [leak0:x:0a1b2c3d]\n");
  expect(hidden(`a = ${value.slice(0, 20)}`, [value])).toBe("a = [leak0:x:0a1b2c3d]");
  expect(hidden(`${value.slice(30)} b`, [value])).toBe("[leak0:x:0a1b2c3d] b");
  expect(hidden(`a = ${value.slice(0, 7)}`, [value])).toBe(`a = ${value.slice(0, 7)}`);
  expect(hidden("nothing of it", [value])).toBe("nothing of it");
});

test("D-25 no 8 characters of a value survive, wherever the text cuts it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40), fc.nat(40), fc.string({ maxLength: 5 }))), (cuts) => {
      const value = mint.base62(40);
      const text = cuts.map(([from, length, between]) => value.slice(from, from + length) + between).join("");
      const after = hidden(text, [value]);
      for (let at = 0; at + SPECIFIED.value_piece_chars <= value.length; at++)
        expect(after).not.toContain(value.slice(at, at + SPECIFIED.value_piece_chars));
    }),
  );
});

test("L-033 D-25 the issuer's own characters in front of a value are no piece of it, and go where one follows", () => {
  const value = mint.stripe("sk_test_");
  const sample = `sk_test_your_key_here, sk_test_${value[8]}x`;
  expect(hidden(sample, [value])).toBe(sample);
  expect(hidden(`k=${value.slice(0, 14)} x`, [value])).toBe("k=[leak0:x:0a1b2c3d] x");
  expect(hidden(value.slice(4), [value])).toBe("[leak0:x:0a1b2c3d]");
});

test("L-094 lines of a known key are found without their armour", () => {
  const key = mint.opensshKey();
  const line = key.split("\n")[3] ?? "";
  expect(hidden(`x ${line} y`, [key])).toBe("x [leak0:x:0a1b2c3d] y");
  expect(hidden("-----BEGIN OPENSSH PRIVATE KEY-----", [key])).toBe("-----BEGIN OPENSSH PRIVATE KEY-----");
});

test("of overlapping finds the better proven one remains, widened over the other", () => {
  const at = (grade: Secret["grade"], start: number, end: number): Secret => ({ ...known(grade), grade, start, end });
  expect(disjoint([at("vendor", 0, 10), at("token", 5, 12), at("field", 20, 25)])).toEqual([
    { ...at("token", 5, 12), start: 0 },
    at("field", 20, 25),
  ]);
  expect(disjoint([at("credential", -1, -1)])).toEqual([]);
});
