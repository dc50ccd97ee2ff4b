import { describe, expect, test } from "bun:test";
import { CHOSEN } from "../../src/limits.ts";
import { isExempt, parseExemptions } from "../../src/policy/exemptions.ts";

const DIGEST = new Bun.CryptoHasher("sha256").update("the value").digest("hex");
const found = { path: "docs/a/b.md", rule: "leak0:vendor_token_file", value: "the value" };

function exempts(text: string, what = found): boolean {
  const entries = parseExemptions(text);
  if (typeof entries === "string") throw new Error(entries);
  return isExempt(entries, what);
}

describe("P-035 D-04 an entry", () => {
  test.each([
    ["path:docs/**"],
    ["rule:leak0:vendor_*"],
    [`sha256:${DIGEST}`],
    [`path:docs/** rule:leak0:vendor_token_file sha256:${DIGEST}`],
  ])("%s fits", (line) => expect(exempts(`# a comment\r\n\n  ${line}\t\r\n`)).toBe(true));

  test.each([
    ["path:docs"],
    ["path:docs/*"],
    ["rule:vendor_*"],
    [`sha256:${"0".repeat(64)}`],
    ["path:docs/** rule:leak0:secret_*"],
    ["# path:**"],
    [""],
  ])("%s does not", (line) => expect(exempts(line)).toBe(false));

  test("with a path fits nothing that is about no file", () => {
    expect(isExempt([{ path: "**" }], { ...found, path: undefined })).toBe(false);
  });
});

test.each([
  ["docs/**", "line 1 has a part that is not path:…, rule:… or sha256:…"],
  ["path:a\npath:", "line 2 has a path: that is empty"],
  ["path:!a", "line 1 has a path: that begins with !"],
  ["rule:a[", "line 1 has a rule: that has a [ that nothing closes"],
  ["sha256:ABC", "line 1 has a sha256: that is not 64 lower-case hex characters"],
  ["path:a path:b", "line 1 names path: twice"],
  ["path:a\n".repeat(CHOSEN.exemptions + 1), `line ${CHOSEN.exemptions + 1} is one more than`],
])("P-035 a list with a line that is not understood counts for nothing: %j", (text, why) => {
  expect(parseExemptions(text)).toStartWith(why);
});
