import { spawnSync } from "node:child_process";
import { describe, expect, test } from "bun:test";
import { linePattern, type Dialect } from "../../src/call/pattern-excerpt.ts";

const LINES = ["[default]", "key = a1", "a+b", "x", "aab", "a|b", "tail]", "UPPER", "p.q", "-dash", "a{2}", "(paren)"];

describe("D-17 search patterns that are told exactly find what grep finds", () => {
  test.each<[Dialect, string]>([
    ["basic", "^\\["],
    ["basic", "a\\+b"],
    ["basic", "a+b"],
    ["basic", "a*b$"],
    ["basic", "key\\|x"],
    ["basic", "a|b"],
    ["basic", "p\\.q"],
    ["basic", "[]x]$"],
    ["basic", "^[^a-z]*$"],
    ["basic", "a{2}"],
    ["basic", "(paren)"],
    ["extended", "a+b"],
    ["extended", "a\\+b"],
    ["extended", "^(key"],
    ["extended", "key|^x$"],
    ["extended", "[[:upper:]]+$"],
    ["extended", "[[:digit:]]"],
    ["extended", "^-?d"],
    ["fixed", "a|b"],
    ["fixed", "p.q"],
  ])("%s %s", (dialect, text) => {
    const flag = { basic: "-G", extended: "-E", fixed: "-F" }[dialect];
    const { status, stdout } = spawnSync("grep", [flag, "-e", text], { input: `${LINES.join("\n")}\n`, encoding: "utf8" });
    const pattern = linePattern(text, dialect, false);
    if (status === 2) return expect(pattern).toBeUndefined();
    const { source } = pattern ?? { source: "" };
    expect(pattern).toBeDefined();
    expect(LINES.filter((line) => new RegExp(source).test(line))).toEqual(stdout.split("\n").slice(0, -1));
  });

  test.each(["(a)", "a{2}", "a**b*c*", "\\1", "[a", "a^b", "[[:nothing:]]", ""])("%s is not", (text) =>
    expect(linePattern(text, "extended", false)).toBeUndefined(),
  );
});
