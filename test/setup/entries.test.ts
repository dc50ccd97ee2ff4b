import { expect, test } from "bun:test";
import {
  CLAUDE_EVENTS,
  checkEntries,
  claudeHandler,
  holdsOurEntries,
  ourEntries,
  parseSettings,
  removesOurEntries,
  turnsHooksOff,
  UNHOOKING_VARIABLES,
} from "../../src/setup/entries.ts";

const LAUNCHER = "/usr/local/bin/poisonzero";
type Settings = {
  hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[]; [field: string]: unknown }[]>;
  [field: string]: unknown;
};

function settings(change: (value: Settings) => void = () => {}): string {
  const hooks = Object.fromEntries(CLAUDE_EVENTS.map(({ event }) => [event, [{ hooks: [{ ...claudeHandler(event, LAUNCHER, true) }] }]]));
  const value: Settings = { model: "opus", hooks };
  change(value);
  return JSON.stringify(value, null, 2);
}

const handler = (value: Settings, event = "PreToolUse") => value.hooks[event]?.[0]?.hooks[0] as Record<string, unknown>;
const BEFORE = settings();

test("D-27 D-21 L-153 the entry: exec form, no matcher, 10 s before and 15 s after, onFailure only where a call or prompt can be stopped", () => {
  for (const { event } of CLAUDE_EVENTS) {
    const after = event.startsWith("Post");
    const failClosed = event === "PreToolUse" || event === "UserPromptSubmit";
    const common = { type: "command", command: LAUNCHER, args: ["hook", "claude"], timeout: after ? 15 : 10 };
    expect(claudeHandler(event, LAUNCHER, true)).toEqual(failClosed ? { ...common, onFailure: "block" } : common);
    expect(claudeHandler(event, LAUNCHER, false)).toEqual(common);
  }
});

test.each([
  ["/usr/local/bin/poisonzero hook claude", true],
  ["poisonzero hook claude", true],
  ["poisonzero  hook\tclaude PreToolUse", true],
  ['"C:\\Program Files\\PoisonZero\\poisonzero.exe" hook claude', true],
  ["'/opt/my tools/poisonzero' hook claude", true],
  ["poisonzero hook codex", false],
  ["poisonzero status", false],
  ["/usr/bin/notpoisonzero hook claude", false],
  ["echo poisonzero hook claude", false],
  ["poisonzero-helper hook claude", false],
  ["", false],
])("U-012 the shell line %j is ours: %p", (command, ours) => {
  const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] } });
  expect(holdsOurEntries(text)).toBe(ours);
  expect(removesOurEntries(text, "{}")).toBe(ours);
});

const WEAKER: readonly (readonly [string, string])[] = [
  ["everything gone", "{}"],
  ["hooks gone", settings((value) => Reflect.deleteProperty(value, "hooks"))],
  ["one event gone", settings((value) => Reflect.deleteProperty(value.hooks, "PostToolBatch"))],
  ["an empty list", settings((value) => void (value.hooks.PreToolUse = []))],
  ["command altered", settings((value) => void (handler(value).command = "/bin/true"))],
  ["another launcher", settings((value) => void (handler(value).command = "/tmp/poisonzero"))],
  ["arguments altered", settings((value) => void (handler(value).args = ["hook", "claude", "x"]))],
  ["arguments gone", settings((value) => Reflect.deleteProperty(handler(value), "args"))],
  ["a narrowing matcher", settings((value) => Object.assign(value.hooks.PreToolUse?.[0] as object, { matcher: "Write" }))],
  ["a condition", settings((value) => void (handler(value).if = "Bash(git *)"))],
  ["detached", settings((value) => void (handler(value).async = true))],
  ["once", settings((value) => void (handler(value).once = true))],
  ["timeout 0", settings((value) => void (handler(value).timeout = 0))],
  ["a shorter timeout", settings((value) => void (handler(value).timeout = 9))],
  ["a timeout that is no number", settings((value) => void (handler(value).timeout = "10"))],
  ["onFailure gone", settings((value) => Reflect.deleteProperty(handler(value), "onFailure"))],
  ["onFailure continue", settings((value) => void (handler(value, "UserPromptSubmit").onFailure = "continue"))],
  ["all hooks off", settings((value) => void (value.disableAllHooks = true))],
  ["another type", settings((value) => void (handler(value).type = "prompt"))],
  ["moved to another event", settings((value) => (value.hooks = { Stop: value.hooks.PreToolUse ?? [] }))],
  ["not JSON any more", `${BEFORE}}`],
  ["a comment: Claude Code then ignores the file", BEFORE.replace("{", "{ // mine\n")],
  ["a trailing comma: the same", BEFORE.replace(/\}$/, ",}")],
  ["a wrong type of model: the same", settings((value) => void (value.model = 7))],
  ["wrong permissions: the same", settings((value) => void (value.permissions = { allow: "x" }))],
  [
    "a malformed foreign handler at the same event",
    settings((value) => void value.hooks.PreToolUse?.push({ hooks: [{ type: "nonsense" }] })),
  ],
  ["a foreign handler without a command", settings((value) => void value.hooks.PreToolUse?.push({ hooks: [{ type: "command" }] }))],
  ["a matcher that is no text", settings((value) => void value.hooks.PreToolUse?.push({ matcher: 7 as never, hooks: [] }))],
  ["a group without handlers", settings((value) => void value.hooks.PreToolUse?.push({ matcher: "x" } as never))],
  ["cut off", BEFORE.slice(0, -2)],
  ["empty", ""],
  ["a list", `[${BEFORE}]`],
  ["hidden by a later member of the same name", BEFORE.replace(/\}$/, ', "hooks": {} }')],
  ["commented out", BEFORE.replace('"PreToolUse": [', '"PreToolUse": [], "x": [')],
  ["too deep to read", `{"a":${"[".repeat(200_000)}`],
];

test.each(WEAKER)("B5 L-023 U-012 a settings change that weakens our entries is seen: %s", (_, after) => {
  expect(removesOurEntries(BEFORE, after)).toBe(true);
});

const HARMLESS: readonly (readonly [string, string])[] = [
  ["unchanged", BEFORE],
  ["another setting", settings((value) => void (value.model = "sonnet"))],
  [
    "a foreign hook beside ours",
    settings((value) => void value.hooks.PreToolUse?.unshift({ matcher: "Bash", hooks: [{ type: "command", command: "lint" }] })),
  ],
  [
    "a foreign handler in our group",
    settings((value) => void value.hooks.PreToolUse?.[0]?.hooks.push({ type: "command", command: "lint" })),
  ],
  ["a malformed handler at a foreign event", settings((value) => void (value.hooks.Stop = [{ hooks: [{ type: "nonsense" }] }]))],
  ["permissions", settings((value) => void (value.permissions = { allow: ["Bash(ls:*)"] }))],
  ["a foreign event", settings((value) => void (value.hooks.Stop = [{ hooks: [] }]))],
  ["another layout", JSON.stringify(JSON.parse(BEFORE))],
  ["a matcher for everything", settings((value) => Object.assign(value.hooks.PreToolUse?.[0] as object, { matcher: "*" }))],
  ["a longer timeout", settings((value) => void (handler(value).timeout = 60))],
  ["a status message", settings((value) => void (handler(value).statusMessage = "checking"))],
  ["hooks not off", settings((value) => void (value.disableAllHooks = false))],
  ["the member order", settings((value) => (value.hooks = Object.fromEntries(Object.entries(value.hooks).reverse())))],
  ["a byte order mark", `\uFEFF${BEFORE}`],
];

test.each(HARMLESS)("B5 a settings change that leaves our entries as strong is none: %s", (_, after) => {
  expect(removesOurEntries(BEFORE, after)).toBe(false);
});

test("B5 a file without entries of ours may become anything", () => {
  for (const before of [
    "",
    "{}",
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"lint"}]}]}}',
    "not json poisonzero hook claude",
  ]) {
    for (const after of ["", "{}", "x", BEFORE]) expect(removesOurEntries(before, after)).toBe(false);
  }
});

test("B5 entries written with JSON escapes are still ours", () => {
  const escaped = BEFORE.replaceAll("poisonzero", "\\u0070oisonzero");
  expect(removesOurEntries(BEFORE, escaped)).toBe(false);
  expect(removesOurEntries(escaped, "{}")).toBe(true);
});

test("B5 switching all hooks off is seen in any settings file, and only when it is new", () => {
  expect(turnsHooksOff("", '{"disableAllHooks": true}')).toBe(true);
  expect(turnsHooksOff('{"a":1}', '{"a":1, "\\u0064isableAllHooks": true}')).toBe(true);
  expect(turnsHooksOff('{"disableAllHooks":true}', '{"disableAllHooks":true,"a":1}')).toBe(false);
  expect(turnsHooksOff('{"disableAllHooks":true}', "{}")).toBe(false);
  expect(turnsHooksOff("{}", '{"note":"disableAllHooks"}')).toBe(false);
});

test("B5 variables and the organisation's settings that start Claude Code without hooks", () => {
  for (const name of UNHOOKING_VARIABLES) {
    for (const value of ["1", "true", 1, true]) expect(turnsHooksOff("", JSON.stringify({ env: { [name]: value } }))).toBe(true);
    for (const value of ["0", "false", "", 0, false]) expect(turnsHooksOff("", JSON.stringify({ env: { [name]: value } }))).toBe(false);
    expect(
      removesOurEntries(
        BEFORE,
        settings((value) => (value.env = { [name]: "1" })),
      ),
    ).toBe(true);
  }
  expect(turnsHooksOff("", '{"note": "CLAUDE_CODE_SIMPLE"}')).toBe(false);
  for (const rule of [
    '"allowManagedHooksOnly": true',
    '"strictPluginOnlyCustomization": true',
    '"strictPluginOnlyCustomization": ["hooks"]',
  ]) {
    expect(turnsHooksOff("", `{${rule}}`, true)).toBe(true);
    expect(turnsHooksOff("", `{${rule}}`, false)).toBe(false);
    // Entries of ours that the organisation itself keeps go on.
    expect(turnsHooksOff("", `{${rule}, ${BEFORE.trim().slice(1)}`, true)).toBe(false);
  }
  expect(turnsHooksOff("", '{"strictPluginOnlyCustomization": ["skills"]}', true)).toBe(false);
});

test("L-102 settings are compared with what setup writes", () => {
  const all = CLAUDE_EVENTS.map(({ event }) => event);
  const parsed = parseSettings(BEFORE);
  expect(checkEntries(parsed, LAUNCHER, true)).toEqual({ missing: [], different: [], hooksOff: false });
  expect(checkEntries(parsed, undefined, true)).toEqual({ missing: [], different: [], hooksOff: false });
  expect(checkEntries(parsed, LAUNCHER, false).different).toEqual(["PreToolUse", "UserPromptSubmit"]);
  expect(checkEntries(parsed, "/opt/poisonzero", true).different).toEqual(all);
  expect(checkEntries({}, LAUNCHER, true).missing).toEqual(all);
  const twice = parseSettings(settings((value) => void value.hooks.PreToolUse?.push(value.hooks.PreToolUse[0] as never)));
  expect(checkEntries(twice, LAUNCHER, true).different).toEqual(["PreToolUse"]);
  expect(ourEntries(BEFORE)).toHaveLength(all.length);
});
