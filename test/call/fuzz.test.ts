import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { effectsOf } from "../../src/call/effects.ts";
import { WORLD, bash } from "./notation.ts";
import { SECTIONS } from "./shell.cases.ts";

const COMMANDS = SECTIONS.flatMap((section) => section.rows.map(([command]) => command));
const PIECES = [
  "$(",
  "`",
  "'",
  '"',
  "<(",
  ">(",
  ")",
  "{",
  "}",
  "<<E\n",
  "\n",
  ";",
  "|",
  "&&",
  "\\",
  "~/",
  "${x:-",
  "@",
  "$'",
  "|&",
  "2>&1",
  "-c",
  "\u0000",
  "\uE000",
  "eval ",
  "é",
  "*",
];

/** A real command with pieces cut, doubled or put in, or two of them run together. */
const mutated = fc
  .tuple(
    fc.constantFrom(...COMMANDS),
    fc.constantFrom(...COMMANDS),
    fc.array(fc.tuple(fc.nat(400), fc.nat(20), fc.constantFrom(...PIECES)), { maxLength: 6 }),
    fc.boolean(),
  )
  .map(([one, other, edits, both]) => {
    let text = both ? `${one} ${other}` : one;
    for (const [at, cut, piece] of edits) {
      const place = at % (text.length + 1);
      text = text.slice(0, place) + piece + text.slice(place + (cut % 7));
    }
    return text;
  });

describe("mutated commands", () => {
  test("never throw, always end, and always mean the same", () => {
    fc.assert(
      fc.property(mutated, (command) => {
        expect(bash(command)).toEqual(bash(command) as never);
      }),
      { numRuns: 1_500 },
    );
  });

  test("the PowerShell reader neither", () => {
    const call = (command: string) =>
      effectsOf(
        {
          agent: "claude",
          stage: "before",
          session: "s",
          cwd: "C:\\p",
          tool: "PowerShell",
          action: { kind: "shell", dialect: "powershell", command },
        },
        WORLD,
      );
    fc.assert(
      fc.property(mutated, (command) => {
        expect(Array.isArray(call(command))).toBe(true);
      }),
      { numRuns: 700 },
    );
  });

  test("any text at all", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: "binary" }), (command) => {
        expect(Array.isArray(bash(command))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("L-003 quoting a word differently does not change what is read", () => {
    const quoted = fc.constantFrom(
      (word: string) => word,
      (word: string) => `'${word}'`,
      (word: string) => `"${word}"`,
      (word: string) => `${word[0]}""${word.slice(1)}`,
      (word: string) => `$'${word}'`,
      (word: string) => `${word.slice(0, 3)}'${word.slice(3)}'`,
      (word: string) => `\\${word}`,
    );
    fc.assert(
      fc.property(
        quoted,
        quoted,
        fc.constantFrom("cat", "/bin/cat", "head"),
        fc.constantFrom("/home/u/.netrc", "./a", "/etc/x"),
        (name, file, command, path) => {
          const shown = bash(`${name(command)} ${file(path)}`).filter((one) => one.kind === "show");
          expect(shown).toEqual(bash(`${command} ${path}`).filter((one) => one.kind === "show") as never);
        },
      ),
    );
  });
});
