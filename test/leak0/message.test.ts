/** The text an agent reads. */
import { expect, test } from "bun:test";
import { message } from "../../src/leak0/message.ts";
import type { Finding } from "../../src/verdict.ts";

const finding = (what: string, kind: "structure" | "checksum", file?: string): Finding => {
  const evidence = { family: "github", title: `a token by its ${kind}`, kind, hash: "0123abcd", ...(file === undefined ? {} : { file }) };
  return { decision: "block", rule: "leak0:checksum_token_push", proof: { name: "B2", evidence }, what, next: "Take it out." };
};
const count = (findings: readonly Finding[]) => message(findings, "call").split("hash 0123abcd").length - 1;

test("a value of one file under one rule is named once, in whatever way it was found", () => {
  expect(count([finding("push a", "checksum", "/a"), finding("push the file a", "structure", "/a")])).toBe(1);
});

test("two files with one value are two, and so are two things done with what stands in none", () => {
  const both = message([finding("push a", "checksum", "/a"), finding("push b", "checksum", "/b")], "call");
  expect(both).toContain("it would push a; and push b.");
  expect(message([finding("send it to x", "checksum"), finding("send it to y", "checksum")], "call")).toContain("x; and send it to y.");
});
