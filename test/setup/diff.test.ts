import { expect, test } from "bun:test";
import fc from "fast-check";
import { CHOSEN } from "../../src/limits.ts";
import { settingsDiff } from "../../src/setup/diff.ts";

test("only what goes in is shown: no context, and no line that merely gets a comma", () => {
  const before = '{\n  "apiKey": "not for a screen"\n}\n';
  const after = '{\n  "apiKey": "not for a screen",\n  "hooks": {\n    "a": 1\n  }\n}\n';
  expect(settingsDiff(before, after)).toEqual(["@@ -2,0 +3,3 @@", '+  "hooks": {', '+    "a": 1', "+  }"]);
});

test("of a file in one line only the middle is shown", () => {
  const before = '{"apiKey":"not for a screen"}';
  expect(settingsDiff(before, '{"apiKey":"not for a screen","hooks":{}}')).toEqual(["@@ -1 +1 @@", '+…,"hooks":{}…']);
});

test("a changed line goes and comes, and equal texts have no difference", () => {
  expect(settingsDiff("a\n/old/x\nb\n", "a\n/new/x\nb\n")).toEqual(["@@ -2 +2 @@", "-…old…", "+…new…"]);
  expect(settingsDiff("", "a\nb\n")).toEqual(["@@ -0,0 +1,2 @@", "+a", "+b"]);
  expect(settingsDiff("a\nb\n", "a\nb\n")).toEqual([]);
  expect(settingsDiff("", `${"x\ny\n".repeat(CHOSEN.settings_diff_lines)}`)).toBeUndefined();
});

test("the diff turns one text into the other (property)", () => {
  const text = fc.array(fc.constantFrom("a", "b", "}", "  }", "c"), { maxLength: 14 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = settingsDiff(before.map((line) => `${line}\n`).join(""), after.map((line) => `${line}\n`).join("")) ?? [];
      const result: string[] = [];
      let from = 0;
      for (const line of diff) {
        const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(line);
        if (!hunk) continue;
        const [start, removed, to, added] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3]), Number(hunk[4] ?? 1)];
        const at = removed === 0 ? start : start - 1;
        result.push(...before.slice(from, at), ...after.slice(added === 0 ? to : to - 1, (added === 0 ? to : to - 1) + added));
        from = at + removed;
      }
      expect([...result, ...before.slice(from)]).toEqual(after);
    }),
  );
});
