import { expect, test } from "bun:test";
import { parseSettings } from "../../src/setup/entries.ts";
import { whyIgnored } from "../../src/setup/ignored.ts";

test.each([
  ['{\n  // why\n  "a": 1\n}', "line 2: a comment"],
  ['{\n  "a": 1 /* why */\n}', "line 2: a comment"],
  ['{\n  "a": 1,\n}', "line 2: a trailing comma"],
  ['{\n  "a": [\n    1,\n\n  ]\n}', "line 3: a trailing comma"],
  ['\uFEFF{\n  "a": 1,\n}', "line 2: a trailing comma"],
  ['{\n"a" 1}', "line 2: not valid JSON (ColonExpected)"],
  ['{\n"a": 1\n', "line 3: not valid JSON (CloseBraceExpected)"],
  ['{"a": 1}\n{}', "line 2: not valid JSON (EndOfFileExpected)"],
  ["[]", "line 1: not a JSON object"],
  ['{\n  "model": 7\n}', 'line 2: "model" is of a wrong type'],
  ['{\n  "model": "x",\n  "permissions": { "allow": "all" }\n}', 'line 3: "permissions" is of a wrong type'],
])("the place that makes Claude Code ignore %j is named: %s", (text, why) => {
  expect(parseSettings(text)).toBeUndefined();
  expect(whyIgnored(text)).toBe(why);
});

test.each(["", " \n", "{}", '{"a": "// no comment", "b": ",]"}', '\uFEFF{"model": "opus"}', '{"permissions": {"allow": []}}'])(
  "%j counts",
  (text) => {
    expect(whyIgnored(text)).toBeUndefined();
  },
);
