import { expect, test } from "bun:test";
import { acrossStrings } from "../../src/leak0/seams.ts";
import type { Scan, Secret } from "../../src/secrets/secret.ts";
import { mint } from "../mint.ts";

/** Finds one value as it stands, as the session's memory does. */
function knowing(value: string): (text: string) => Scan {
  return (text) => {
    const at = text.indexOf(value);
    const secret: Secret = { family: "env", title: "", grade: "field", kind: "hash match", value, start: at, end: at + value.length };
    return { secrets: at < 0 ? [] : [secret], complete: true };
  };
}

const nobody = (): Scan => ({ secrets: [], complete: true });

/** What is to be replaced in each string. */
function cut(response: unknown, known: (text: string) => Scan): Record<string, string[]> {
  return Object.fromEntries(
    [...acrossStrings(response, known)].map(([text, parts]) => [text, parts.map(({ start, end }) => text.slice(start, end))]),
  );
}

const password = `q-${mint.base62(14)}_x`;
const [head, tail] = [password.slice(0, 7), password.slice(7)];

test("L-110 the parts of a value in two streams, in both orders, whatever blanks stand between", () => {
  const expected = { [`a ${head}\n`]: [head], [`  ${tail} b\n`]: [tail] };
  expect(cut({ stdout: `a ${head}\n`, stderr: `  ${tail} b\n`, interrupted: false }, knowing(password))).toEqual(expected);
  expect(cut({ stdout: `  ${tail} b\n`, stderr: `a ${head}\n` }, knowing(password))).toEqual(expected);
  expect(
    cut(
      [
        { type: "text", text: `a ${head}\n` },
        { type: "text", text: `  ${tail} b\n` },
      ],
      knowing(password),
    ),
  ).toEqual(expected);
});

test("L-110 at the ends of long strings, and over three of them", () => {
  const [one, two] = [`${"x ".repeat(40_000)}${head}`, `${tail}${" y".repeat(40_000)}`];
  expect(cut({ one, two }, knowing(password))).toEqual({ [one]: [head], [two]: [tail] });
  const [a, b, c] = [password.slice(0, 3), password.slice(3, 9), password.slice(9)];
  expect(cut({ list: [`k=${a}`, b, `${c};`] }, knowing(password))).toEqual({ [`k=${a}`]: [a], [b]: [b], [`${c};`]: [c] });
});

test("L-110 a token that proves itself and nobody knows", () => {
  const token = mint.github();
  expect(cut({ stdout: `t ${token.slice(0, 15)}\n`, stderr: `${token.slice(15)}\n` }, nobody)).toEqual({
    [`t ${token.slice(0, 15)}\n`]: [token.slice(0, 15)],
    [`${token.slice(15)}\n`]: [token.slice(15)],
  });
});

test("L-015 a value in one of them, one string alone, and what never was a value", () => {
  expect(cut({ stdout: `a ${password}`, stderr: "warning" }, knowing(password))).toEqual({});
  expect(cut({ stdout: `a ${head}${tail}`, stderr: "" }, knowing(password))).toEqual({});
  expect(cut(`${head}\n${tail}`, knowing(password))).toEqual({});
  expect(cut({ stdout: `ghp_${mint.base62(16)}`, stderr: mint.base62(20) }, nobody)).toEqual({});
  // The last letter of another string may be the one in front of a key's line by chance.
  const line = mint.base62(70);
  const piece = (text: string): Scan => {
    const at = text.indexOf(line);
    const start = at - 1;
    const secret: Secret = {
      family: "private-key",
      title: "",
      grade: "credential",
      kind: "structure",
      value: `t${line}\nmore`,
      start,
      end: at + 70,
    };
    return { secrets: at < 1 ? [] : [secret], complete: true };
  };
  expect(cut([{ type: "text", text: line }], piece)).toEqual({});
});
