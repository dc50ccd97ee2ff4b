import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  applyInsertions,
  insertEntries,
  isBare,
  NO_CONTAINERS,
  readSettings,
  removeEntries,
  setFailRule,
  undoInsertions,
} from "../../src/setup/edit.ts";
import { checkEntries as compare, CLAUDE_EVENTS, claudeItems, entriesIn } from "../../src/setup/entries.ts";

const LAUNCHER = "/usr/local/bin/poisonzero";
const OURS = { missing: [], different: [], hooksOff: false };

const checkEntries = (text: string, launcher: string, enforced: boolean) => compare(readSettings(text), launcher, enforced);

function put(text: string, enforced = true) {
  const { insertions, containers } = insertEntries(text, claudeItems(LAUNCHER, enforced));
  return { text: applyInsertions(text, insertions), insertions, containers };
}

/** Foreign settings as people and tools write them. */
const SAMPLES: Readonly<Record<string, string>> = {
  nothing: "",
  blank: " \n\n",
  "empty object": "{}",
  "empty object on two lines": "{\n}\n",
  "empty object with a comment": "{ /* mine */ }",
  "a line comment": "{ // mine\n}\n",
  minified: '{"model":"opus","env":{"A":"1"}}',
  spaced: '{ "model": "opus" }',
  pretty: '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n',
  tabs: '{\n\t"model": "opus"\n}',
  "four blanks": '{\n    "model": "opus"\n}\n',
  "carriage returns": '{\r\n  "model": "opus"\r\n}\r\n',
  "trailing commas": '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
  "comments everywhere":
    '// top\n{\n  /* a */ "hooks": { // b\n    "PreToolUse": [ // c\n      {"matcher":"Bash","hooks":[{"type":"command","command":"lint"}]} // d\n      // e\n    ], // f\n    // g\n    "Stop": [] /* h */\n    // i\n  } // j\n  , "x": 1 // k\n}\n// bottom\n',
  "hooks empty": '{\n  "hooks": {}\n}',
  "event lists empty": '{"hooks":{"PreToolUse":[],"SessionEnd":[ ]}}',
  "hooks one line": '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]}]}}',
  "hooks pretty":
    '{\n  "hooks": {\n    "PostToolUse": [\n      {\n        "matcher": "Write",\n        "hooks": [\n          {\n            "type": "command",\n            "command": "fmt"\n          }\n        ]\n      }\n    ]\n  },\n  "model": "opus"\n}\n',
  "hooks twice": '{"hooks":{"Stop":[]},"hooks":{"PreToolUse":[]}}',
  "text that looks like ours": '{"a":"poisonzero hook claude","b":"// no comment","c":"\\u0070oisonzero }]"}',
  unicode: '{"ключ":"значение","\u2028":"🔑"}',
};

test.each(Object.entries(SAMPLES))("L-148 entries go in, and every foreign byte stays: %s", (_, text) => {
  const done = put(text);
  expect(checkEntries(done.text, LAUNCHER, true)).toEqual(OURS);
  expect(undoInsertions(done.text, done.insertions)).toBe(text);
  const { hooks: before = {}, ...rest } = readSettings(text);
  const { hooks: after, ...restAfter } = readSettings(done.text) as { hooks: Record<string, unknown[]> };
  expect(restAfter).toEqual(rest);
  for (const [event, groups] of Object.entries(before as Record<string, unknown[]>))
    expect(after[event]?.slice(0, groups.length)).toEqual(groups);
});

test("L-148 the layout of the file is followed", () => {
  expect(put('{\n\t"model": "opus"\n}').text).toContain('\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{\n\t\t\t\t"hooks": [');
  expect(put('{\r\n  "a": 1\r\n}').text).not.toMatch(/[^\r]\n/);
  expect(put('{"a":1}').text).not.toContain("\n");
  expect(put("").text).toBe(`${JSON.stringify(readSettings(put("").text), null, 2)}\n`);
  expect(put("{}").text).toBe(JSON.stringify(readSettings(put("{}").text), null, 2));
  const pretty = SAMPLES["hooks pretty"] ?? "";
  expect(put(pretty).text).toBe(`${JSON.stringify(readSettings(put(pretty).text), null, 2)}\n`);
});

test.each(Object.entries(SAMPLES))("L-151 exactly our entries go out again after foreign changes: %s", (_, text) => {
  const done = put(text);
  // A foreign change far away from ours: the journal's offsets no longer hold.
  const changed = `// changed\n${done.text}`;
  expect(undoInsertions(changed, done.insertions)).toBeUndefined();
  const rest = removeEntries(changed, done.containers);
  expect(entriesIn(readSettings(rest)).length > 0).toBe(false);
  expect(readSettings(rest)).toEqual(readSettings(text));
  for (const comment of text.match(/\/\*.*?\*\/|\/\/ [a-k]$/gm) ?? []) expect(rest).toContain(comment);
});

test("L-151 foreign handlers and groups beside ours stay where they are", () => {
  const ours = '{"type":"command","command":"/x/poisonzero","args":["hook","claude"]}';
  const foreign = '{"type":"command","command":"lint"}';
  const text = `{"hooks":{"PreToolUse":[{"hooks":[${ours},${foreign}]},{"hooks":[${foreign},${ours}]},{"hooks":[${ours}]},{"hooks":[${foreign}]}],"Stop":[{"hooks":[${ours}]}]}}`;
  const rest = removeEntries(text, NO_CONTAINERS);
  expect(rest).toBe(`{"hooks":{"PreToolUse":[{"hooks":[${foreign}]},{"hooks":[${foreign}]},{"hooks":[${foreign}]}],"Stop":[]}}`);
  expect(removeEntries(text, { hooks: true, events: ["Stop"] })).toBe(
    `{"hooks":{"PreToolUse":[{"hooks":[${foreign}]},{"hooks":[${foreign}]},{"hooks":[${foreign}]}]}}`,
  );
});

test.each([
  ["{", "line 1"],
  ['{\n  "a": 1,\n  "b" 2\n}', "line 3"],
  ['{"a":1}}', "line 1"],
  ["[]", "not a JSON object"],
  ["null", "not a JSON object"],
  ['{\n"hooks": []}', 'line 2: "hooks" is not an object'],
  ['{\n"hooks": {\n"PreToolUse": {}}}', 'line 3: "hooks.PreToolUse" is not a list'],
])("L-148 a file that is not what it should be is refused with its line: %j", (text, message) => {
  expect(() => put(text)).toThrow(message);
});

test.each(Object.entries(SAMPLES))("D-21 onFailure follows the mode and nothing else changes: %s", (_, text) => {
  const on = put(text, true).text;
  const off = put(text, false).text;
  expect(checkEntries(setFailRule(off, true), LAUNCHER, true)).toEqual(OURS);
  expect(checkEntries(setFailRule(on, false), LAUNCHER, false)).toEqual(OURS);
  expect(setFailRule(on, true)).toBe(on);
  expect(setFailRule(off, false)).toBe(off);
  expect(setFailRule(on, false)).toBe(off);
  expect(setFailRule(off, true)).toBe(on);
});

test("D-21 an onFailure of another value is set, foreign handlers keep theirs", () => {
  const foreign = '{"type":"command","command":"lint","onFailure":"block"}';
  const text = `{"hooks":{"PreToolUse":[{"hooks":[${foreign},{"type":"command","command":"poisonzero hook claude","onFailure":"continue"}]}]}}`;
  expect(setFailRule(text, true)).toBe(text.replace("continue", "block"));
  expect(setFailRule(text, false)).toBe(text.replace(',"onFailure":"continue"', ""));
});

test("an empty object without a comment is bare", () => {
  for (const text of ["", "{}", " {\n} \n"]) expect(isBare(text)).toBe(true);
  for (const text of ["{/* a */}", '{"a":1}', "{} // b"]) expect(isBare(text)).toBe(false);
});

/** Random foreign settings in random layouts, hooks among them. */
const handler = fc.record(
  { type: fc.constant("command"), command: fc.string({ maxLength: 12 }), timeout: fc.nat(60) },
  { requiredKeys: ["type", "command"] },
);
const group = fc.record(
  { matcher: fc.constantFrom("Bash", "*", "Write|Edit"), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ["hooks"] },
);
const event = fc.constantFrom("Stop", "Notification", ...CLAUDE_EVENTS.map((row) => row.event));
const foreign = fc.record(
  {
    hooks: fc.dictionary(event, fc.array(group, { maxLength: 3 })),
    model: fc.string(),
    env: fc.dictionary(fc.string(), fc.string()),
    deep: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
);
const layout = fc.constantFrom<string | number | undefined>(undefined, 1, 2, 4, "\t");

/** Sprinkles comments, blank lines, CRLF and trailing commas over a JSON text, outside its strings. */
function messUp(text: string, choices: readonly number[]): string {
  let at = 0;
  const trivia = ["", "", "", " ", "\n", " // c ,]}\n", "/* { [ , */", "\t", "\n\n"];
  const messy = text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => {
    if (token.startsWith('"')) return token;
    const choice = choices[at++ % choices.length] ?? 0;
    const blank = trivia[choice % trivia.length] ?? "";
    const comma = /[\]}]/.test(token) && choice % 5 === 0 ? "," : "";
    return `${comma}${token}${blank}`;
  });
  // A comma straight after an opening bracket is no trailing comma.
  const cleaned = messy.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\/|([[{]\s*),/gs, (all, open?: string) => open ?? all);
  return (choices[0] ?? 0) % 3 === 0 ? cleaned.replaceAll("\n", "\r\n") : cleaned;
}

test("L-148 L-151 any foreign settings: in and out again is the same bytes (property)", () => {
  let tried = 0;
  fc.assert(
    fc.property(
      foreign,
      layout,
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      (value, indent, choices, enforced) => {
        const text = messUp(JSON.stringify(value, null, indent), choices);
        let done: ReturnType<typeof put>;
        try {
          done = put(text, enforced);
        } catch {
          return; // the sprinkling made it invalid
        }
        tried++;
        expect(checkEntries(done.text, LAUNCHER, enforced)).toEqual(OURS);
        expect(undoInsertions(done.text, done.insertions)).toBe(text);
        expect(readSettings(removeEntries(`\n${done.text}`, done.containers))).toEqual(readSettings(text) as never);
        expect(readSettings(removeEntries(done.text, NO_CONTAINERS))).toMatchObject(readSettings(text) as never);
        expect(setFailRule(done.text, !enforced)).toBe(put(text, !enforced).text);
      },
    ),
    { numRuns: 400 },
  );
  expect(tried).toBeGreaterThan(200);
});
