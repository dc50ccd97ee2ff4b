import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isPlaceholder, isPlaceholderBody } from "../../src/secrets/placeholders.ts";
import { scan } from "../../src/secrets/scan.ts";
import { mint } from "../mint.ts";

describe("L-009 P-038: whole-value placeholders", () => {
  test.each([
    "your-api-key-here",
    "<token>",
    "${API_KEY}",
    "",
    "   ",
    "changeme",
    "change-me",
    "ChangeMe123",
    "<YOUR TOKEN>",
    "$API_KEY",
    "$(cat token)",
    "{{ secrets.TOKEN }}",
    "{api_key}",
    "%API_KEY%",
    "#{ENV}",
    "__TOKEN__",
    "[REDACTED]",
    "[your-key]",
    "[leak0:openai:a1b2c3d4]",
    "process.env.API_KEY",
    "op://vault/item/field",
    "env:API_KEY",
    "xxxxxxxxxxxxxxxx",
    "XXXX-XXXX-XXXX",
    "****************",
    "••••••••",
    "................",
    "0000000000000000",
    "aaaaaaaaaaaaaaaa",
    "sk-xxxxxxxxxxxxxxxx",
    "sk_test_XXXXXXXXXXXX",
    "YOUR_SECRET_ACCESS_KEY",
    "yourApiKey",
    "my-secret-token",
    "insert_token_here",
    "enter your password",
    "your-acme-billing-key",
    "example",
    "secret",
    "password",
    "password123",
    "token",
    "none",
    "null",
    "todo",
    "abcdefghijklmnop",
    "1234567890",
    "0123456789abcdef0123456789abcdef",
    "ghp_your_token_here",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_a1B2...x9Y0",
    "sk-ant-api03-ab****yz",
    "xoxb-...",
    "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789",
    "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQ",
    "sk-ant-api03-your-key-here",
    "glpat-your_access_token_12",
    "AIzaSyYourKeyHere",
    "MYTOKEN1",
  ])("%p", (value) => {
    expect(isPlaceholder(value)).toBe(true);
  });
});

describe("D-20: real values, also with telling words inside", () => {
  test.each([
    "test-k3Y9dq2LmP",
    "example7Hq2ZxV9",
    "dummyR4nd0mV4lue",
    "Xxx9fJq2LLpdummy",
    "hunter2",
    "correct-horse-battery-staple",
    "P@ssw0rd!",
    "s3cr3t-Passw0rd",
    "winter2024!",
    "summer-is-coming",
    "<3passwort",
    "$2b$10$abcdefghijk",
    "yourname4711",
    "9f86d081884c7d65",
    "4711",
    "letmein",
    // The twins of what is cut short, filled in or counted up.
    "Passw0rd***",
    "winter...2024!",
    "qQzZ-1QQQQQQQQQQQQQ",
    "aBxDkYz0123kq",
    "pw-4711-kq",
  ])("%p", (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });

  test("random values never are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), () => {
        for (const value of [mint.password(), mint.base62(20), mint.hex(32), mint.awsSecret(), mint.base64url(43)]) {
          expect(isPlaceholder(value)).toBe(false);
          expect(isPlaceholderBody(value)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("D-20: placeholder bodies", () => {
  test.each([
    "0".repeat(30),
    "ababababababababab",
    "1234567890123456789012345",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345",
    "aaaaaaabbbbbbbccccccc",
  ])("%s", (body) => {
    expect(isPlaceholderBody(body)).toBe(true);
  });
  test.each(["ab1cd2ef3gh", "exampletestdummy0placeholder", "a8f3c9e2b7d1"])("not %s", (body) => {
    expect(isPlaceholderBody(body)).toBe(false);
  });
});

test("L-009: an example .env yields no hit", () => {
  const text = [
    "OPENAI_API_KEY=your-api-key-here",
    "GITHUB_TOKEN=<token>",
    "STRIPE_SECRET_KEY=${API_KEY}",
    "AWS_SECRET_ACCESS_KEY=YOUR_SECRET_ACCESS_KEY",
    `AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfi${"CYEXAMPLEKEY"}`,
    "ANTHROPIC_API_KEY=sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    `GH_TOKEN=ghp_${"x".repeat(36)}`,
    `SLACK=xoxb-123456789012-1234567890123-${"x".repeat(24)}`,
    `STRIPE=sk_live_${"X".repeat(24)}`,
    "DATABASE_URL=postgres://user:password@localhost:5432/app",
    "NPM=npm_000000000000000000000000000000000000",
    "KEY=[leak0:github:0a1b2c3d]",
  ].join("\n");
  expect(scan(text)).toEqual({ secrets: [], complete: true });
});

test("hostile values cost linear time", () => {
  for (const piece of ["your-", "a1", "x_", "<", "${", "[a", "aA", "-_-"]) {
    const value = piece.repeat(50_000);
    expect(typeof isPlaceholder(value)).toBe("boolean");
    expect(typeof isPlaceholderBody(value)).toBe("boolean");
  }
});
