import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SPECIFIED } from "../../src/limits.ts";
import { fingerprint, shortHash } from "../../src/secrets/hash.ts";
import { redactText, redactTree } from "../../src/secrets/redact.ts";
import { scan } from "../../src/secrets/scan.ts";
import { mint, seeded } from "../mint.ts";

const KEY = mint.bytes(32);
const hash = (value: string) => shortHash(KEY, value);
const find = (text: string) => scan(text).secrets;
const redact = (text: string) => redactText(text, find(text), hash);

/** Makers of values that the scan finds in any place. */
const random = seeded("redaction");
const MAKERS = [
  () => random.github(),
  () => random.githubFineGrained(),
  () => random.npm(),
  () => random.gitlab(),
  () => random.openai(),
  () => random.anthropic(),
  () => random.stripe(),
  () => random.slackBot(),
  () => random.googleApi(),
  () => random.azure(),
  () => random.jwt(),
  () => random.opensshKey().trim(),
  () => random.pemRsa().trim(),
];
/** Text that neither touches a token nor makes one. */
const company = fc.string({ unit: fc.constantFrom(..." \n\t\r.,;:=\"'(){}[]<>#äñ日🔑\u001b\0\\/|"), maxLength: 60 });

describe("L-008 D-25: hashes", () => {
  test("eight lower-case hex characters, equal on one device, different on another", () => {
    const value = mint.password();
    expect(shortHash(KEY, value)).toMatch(/^[\da-f]{8}$/);
    expect(shortHash(KEY, value)).toBe(shortHash(KEY, value));
    expect(shortHash(mint.bytes(32), value)).not.toBe(shortHash(KEY, value));
    expect(shortHash(KEY, `${value}x`)).not.toBe(shortHash(KEY, value));
  });
  test("the fingerprint has 64 bits or more and does not begin with the short hash", () => {
    const value = mint.password();
    expect(fingerprint(KEY, value)).toMatch(/^[\da-f]{32}$/);
    expect(fingerprint(KEY, value)).not.toStartWith(shortHash(KEY, value));
  });
});

describe("L-007 L-093: value only", () => {
  test("golden .env", () => {
    const file = mint.dotenv();
    const [openai, github] = file.secrets as [string, string, string];
    expect(redact(file.text)).toBe(
      file.text.replace(openai, `[leak0:openai:${hash(openai)}]`).replace(github, `[leak0:github:${hash(github)}]`),
    );
  });

  test("all else stays byte for byte, nothing of a value survives, and twice changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(company, fc.integer({ min: 0, max: MAKERS.length - 1 })), { minLength: 1, maxLength: 5 }),
        company,
        (parts, last) => {
          let text = "";
          let expected = "";
          const values: string[] = [];
          for (const [before, index] of parts) {
            const value = (MAKERS[index] as () => string)();
            values.push(value);
            const [secret] = find(value);
            text += `${before}\n${value}\n`;
            expected += `${before}\n[leak0:${secret?.family}:${hash(secret?.value as string)}]\n`;
          }
          text += last;
          expected += last;
          const redacted = redact(text);
          expect(redacted).toBe(expected);
          expect(redact(redacted)).toBe(redacted);
          expect(find(redacted)).toEqual([]);
          for (const value of values) {
            // The public prefix, and the label lines of a key, aside.
            const body = value
              .replace(/-----[A-Z ]+-----/g, "")
              .trim()
              .replace(/^(?:github_pat_|sk-proj-|sk-ant-api03-|[a-z]{2,6}[_-])/, "");
            for (let at = 0; at + SPECIFIED.value_piece_chars <= body.length; at += 3) {
              expect(redacted).not.toContain(body.slice(at, at + SPECIFIED.value_piece_chars));
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("colours, CRLF and lone surrogates around a value stay", () => {
    const token = mint.github();
    const around = (inside: string) => `\ud800 \u001b[1m${inside}\u001b[0m\r\n\ufffd\0`;
    expect(redact(around(token))).toBe(around(`[leak0:github:${hash(token)}]`));
  });

  test("without secrets, or with places unknown, the text is the same", () => {
    const text = `a ${mint.password()} b`;
    expect(redactText(text, [], hash)).toBe(text);
    expect(redactText(text, [{ family: "x", title: "x", grade: "vendor", kind: "pattern", value: "b", start: -1, end: -1 }], hash)).toBe(
      text,
    );
  });
});

describe("redactTree", () => {
  const redactAll = (json: unknown) => redactTree(json, find, hash);

  test("strings and keys at any depth; numbers, booleans and null stay", () => {
    const token = mint.github();
    const mark = `[leak0:github:${hash(token)}]`;
    const tree = { a: [1, true, null, { b: `x ${token}`, [`k ${token}`]: "v" }], c: { d: "plain" }, n: 1.5 };
    const { value, secrets } = redactAll(tree);
    expect(value).toEqual({ a: [1, true, null, { b: `x ${mark}`, [`k ${mark}`]: "v" }], c: { d: "plain" }, n: 1.5 });
    expect(secrets.map((secret) => secret.value)).toEqual([token, token]);
    expect(Object.keys((value as { a: object[] }).a[3] as object)).toEqual(["b", `k ${mark}`]);
    expect((value as typeof tree).c).toBe(tree.c);
    // What was given is as it was.
    expect(tree.a[3]).toHaveProperty("b", `x ${token}`);
  });

  test("the same object when nothing was found", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { value, secrets } = redactAll(json);
        expect(secrets).toEqual([]);
        expect(value).toBe(json);
      }),
    );
  });

  test("a plain string, a number, undefined", () => {
    const token = mint.npm();
    expect(redactAll(token).value).toBe(`[leak0:npm:${hash(token)}]`);
    expect(redactAll(7)).toEqual({ value: 7, secrets: [] });
    expect(redactAll(undefined)).toEqual({ value: undefined, secrets: [] });
  });

  test("a key named __proto__ stays a key", () => {
    const token = mint.github();
    const tree = JSON.parse(`{"__proto__": {"a": "${token}"}, "b": 1}`);
    const { value } = redactAll(tree);
    expect(JSON.stringify(value)).toBe(`{"__proto__":{"a":"[leak0:github:${hash(token)}]"},"b":1}`);
  });

  test("100 000 levels", () => {
    const token = mint.github();
    let tree: unknown = token;
    for (let level = 0; level < 50_000; level++) tree = [{ down: tree }];
    let { value } = redactAll(tree);
    for (let level = 0; level < 50_000; level++) value = (value as { down: unknown }[])[0]?.down;
    expect(value).toBe(`[leak0:github:${hash(token)}]`);
  });

  test("JSON inside a string keeps its escapes", () => {
    const pem = mint.opensshKey();
    const inner = JSON.stringify({ key: pem, path: "C:\\x\\n" });
    const { value } = redactAll({ text: inner });
    expect(JSON.parse((value as { text: string }).text)).toEqual({ key: `[leak0:private-key:${hash(pem.trim())}]\n`, path: "C:\\x\\n" });
  });
});
