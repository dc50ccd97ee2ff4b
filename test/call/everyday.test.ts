import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Call } from "../../src/call/effect.ts";
import { effectsOf } from "../../src/call/effects.ts";
import { everydayEffects } from "../../src/call/shell/everyday.ts";
import { worldOf } from "../../src/leak0/judgement.ts";
import { openSystem } from "../../src/system.ts";

const world = worldOf({ system: openSystem({ environment: { HOME: "/home/dev" } }) });

/** What the interpreter says: the sign at the end is nothing to the shell, and sends the text there. */
function interpreted(command: string, cwd: string): unknown {
  const action = { kind: "shell", dialect: "bash", command: `${command};` } as const;
  return effectsOf({ agent: "claude", stage: "before", tool: "Bash", cwd, action } as Call, world);
}

const NAMES =
  "ls pwd mkdir which tsc eslint vitest jest pytest ruff mypy npm pnpm yarn bun cargo go cat cp curl env git node npx sudo echo".split(" ");
const VERBS = "test run install ci build check clippy vet publish exec add".split(" ");
const PLAIN = [
  ...VERBS,
  ..."-r -o --output -C -f --config -- --filter -w build:prod a/b ./... ../.env .env . .. x.json 17 npm:x@1 a,b".split(" "),
];
const ODD = ["~", "https://a.dev/x", "A=1", "'q'", "$X", "*", "&&", ";", "|", ""];

describe("D-27 everyday commands", () => {
  test("are said to do exactly what the interpreter says, or nothing is said", () => {
    let said = 0;
    const words = fc.array(fc.oneof({ arbitrary: fc.constantFrom(...PLAIN), weight: 8 }, fc.constantFrom(...ODD)), { maxLength: 3 });
    const command = fc
      .tuple(fc.constantFrom(...NAMES), fc.option(fc.constantFrom(...VERBS)), words)
      .map(([name, verb, rest]) => [name, ...(verb === null ? [] : [verb]), ...rest].join(" "));
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 3 }), fc.constantFrom("/home/dev/app", ""), (commands, cwd) => {
        const text = commands.join(" && ");
        const effects = everydayEffects(text, cwd);
        if (effects === undefined) return;
        said++;
        expect(effects).toStrictEqual(interpreted(text, cwd) as typeof effects);
      }),
      { numRuns: 4_000 },
    );
    expect(said).toBeGreaterThan(100);
  });

  test.each(["ls", "ls -la src && npm test", "npm run build:prod", "cargo test --release", "go test ./...", "pytest -q tests"])(
    "%s is one",
    (command) => expect(everydayEffects(command, "/w")).toEqual(interpreted(command, "/w") as ReturnType<typeof everydayEffects>),
  );

  test.each([
    "",
    " ls",
    "ls  src",
    "ls ",
    "ls &&npm test",
    "ls & npm test",
    "ls ~/.ssh",
    "ls $(cat x)",
    "ls > out",
    "ls\nnpm test",
    "npm publish",
    "npm run https://a.dev",
    "npm run -w x",
    "A=1 npm test",
    "cargo run",
    `ls ${"a".repeat(250)}`,
  ])("%j is none", (command) => expect(everydayEffects(command, "/w")).toBeUndefined());
});
