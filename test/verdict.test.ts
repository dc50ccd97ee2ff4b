import { expect, test } from "bun:test";
import fc from "fast-check";
import { DECISIONS, type Finding, RULES, verdict, worse } from "../src/verdict.ts";

const finding = (decision: (typeof DECISIONS)[number]): Finding =>
  ({
    decision,
    rule: "leak0:third_party",
    what: "",
    next: "",
    ...(decision === "block" ? { failClosed: "hook failed" } : {}),
  }) as Finding;

test("U-001 the verdict is the worst of all findings, in whatever order they come", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...DECISIONS.filter((decision) => decision !== "allow"))), fc.nat(), (decisions, turn) => {
      const findings = decisions.map(finding);
      const turned = [...findings.slice(turn % (findings.length + 1)), ...findings.slice(0, turn % (findings.length + 1))];
      const worst = DECISIONS[Math.max(0, ...decisions.map((decision) => DECISIONS.indexOf(decision)))];
      expect(verdict(findings)).toBe(worst as (typeof DECISIONS)[number]);
      expect(verdict(turned.toReversed())).toBe(verdict(findings));
    }),
  );
});

test("U-001 allow < note < redact < ask < block", () => {
  for (const [weak, strong] of [
    ["allow", "note"],
    ["note", "redact"],
    ["redact", "ask"],
    ["ask", "block"],
  ] as const) {
    expect(worse(weak, strong)).toBe(strong);
    expect(worse(strong, weak)).toBe(strong);
  }
});

test("L-027 every rule has a stable class, and its headline names no value, path or command", () => {
  for (const [rule, headline] of Object.entries(RULES)) {
    expect(rule).toMatch(/^leak0:[a-z0-9_]{3,40}$/);
    expect(headline).toMatch(/^[A-Z][A-Za-z0-9' ,]{3,60}$/);
  }
});
