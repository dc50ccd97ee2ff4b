import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "unbash";
import { simpleScript } from "../../src/call/shell/simple.ts";
import { SECTIONS } from "./shell.cases.ts";

const SKIPPED = new Set(["constructor", "source", "shebang"]);

/** A tree as plain data: own and inherited fields alike, so that lazy ones count too. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (typeof node !== "object" || node === null) return node;
  const fields: Record<string, unknown> = {};
  for (let from: object | null = node; from !== null && from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const value = SKIPPED.has(name) || name.startsWith("_") || name.startsWith("#") ? undefined : (node as Record<string, unknown>)[name];
      if (value !== undefined && typeof value !== "function") fields[name] = plain(value);
    }
  }
  return fields;
}

/** Whether the plain reader takes a command on; what it says of it is what the parser says. */
const isReadTheSame = (command: string): boolean => {
  const simple = simpleScript(command);
  if (simple === undefined) return false;
  const script = parse(command);
  expect(script.errors).toBeUndefined();
  expect(plain(simple.commands)).toEqual(plain(script.commands));
  return true;
};

describe("plain commands are read as the parser reads them", () => {
  const PIECES = [
    "a",
    "git",
    "-m",
    "--x=y",
    "1",
    "2",
    "A=b",
    "+x",
    "/etc/x.y",
    "''",
    "'a b'",
    '"c d"',
    '""',
    "x'y'z",
    "'\"'",
    " ",
    "  ",
    "\t",
    ";",
    "&&",
    "||",
    "|",
    "|&",
    "&",
    ">",
    ">>",
    ">&",
    "2>&1",
    "2>/dev/null",
    "1>",
    "<",
    "if",
    "time",
    "!",
    "{",
    "#",
    "~",
    "*",
    "$x",
    "\\",
    "\n",
    "=",
    "%",
    "é",
    "a@b:c,d",
    "(",
    ")",
    "12>f",
    "3>&2",
  ];

  test("whatever it reads, the parser reads the same", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), fc.boolean(), (pieces, spaced) => {
        const command = pieces.join(spaced ? " " : "");
        if (isReadTheSame(command)) read++;
      }),
      { numRuns: 6_000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  test("real commands, too", () => {
    const commands = SECTIONS.flatMap(({ rows }) => rows.map(([command]) => command));
    const read = new Set(commands.filter(isReadTheSame));
    const plainest = commands.filter((command) => /^\w[\w./:@,+% ;|-]*$/.test(command));
    expect(plainest.filter((command) => !read.has(command))).toEqual([]);
    expect(plainest.length).toBeGreaterThan(30);
  });

  test("everyday commands need no parser", () => {
    for (const command of [
      "ls -la",
      "git add -A && git commit -m 'fix: x' && npm test 2>&1 | tail -20",
      'git commit -m "fix: y"',
      "cat src/a.ts | head -5; pwd",
      "npm run build > out.log 2>&1",
      "cd app && make -j8 all || echo failed",
    ]) {
      expect({ command, read: isReadTheSame(command) }).toEqual({ command, read: true });
    }
  });

  test("anything the shell would expand is left to the parser", () => {
    for (const command of [
      "cat ~/.x",
      "echo $X",
      'echo "$X"',
      "echo `x`",
      "cat *.ts",
      "A=b c",
      "export A=b",
      "a & b",
      "a <f",
      "cat <<E\nE",
      "if a; then b; fi",
      "(a)",
      "{ a; }",
      "! a",
      "a #b",
      "a\\ b",
      "'a",
      "a\nb",
      "a &> f",
      "a |& b",
      "a ;; b",
      "time a",
      "echo {a,b}",
      "a > $f",
      "12>f a",
      "x".repeat(5_000),
    ]) {
      expect(simpleScript(command)).toBeUndefined();
    }
  });
});
