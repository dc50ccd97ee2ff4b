/**
 * Commands that are started all day and of which nothing is to be told but that they run: tests, builds, linters, `ls`.
 * To say that of them takes the interpreter longer than everything else a call needs (measured: half a millisecond of two).
 *
 * The answer is exactly the interpreter's or none; the tests compare both.
 */
import type { Argument, Effect } from "../effect.ts";

/** Longer texts are for the interpreter. */
const CHARS_MAX = 200;

/** Effects of a chain of such commands (`ls && npm test`) in `cwd`, "" when unknown; undefined for everything else. */
export function everydayEffects(command: string, cwd: string): readonly Effect[] | undefined {
  if (command.length > CHARS_MAX) return undefined;
  const effects: Effect[] = [];
  for (const part of command.split(" && ")) {
    const [name = "", ...words] = part.split(" ");
    if (!isEveryday(name, words)) return undefined;
    const args = words.map((text): Argument => ({ text, exact: true, sources: [] }));
    effects.push(cwd === "" ? { kind: "run", name, args } : { kind: "run", name, args, cwd });
  }
  return effects;
}

function isEveryday(name: string, words: readonly string[]): boolean {
  if (!words.every(isPlain) || words.some(holdsCommand)) return false;
  const [verb = "", second] = words;
  switch (name) {
    case "ls":
    case "pwd":
    case "mkdir":
    case "which":
    case "tsc":
    case "eslint":
    case "vitest":
    case "jest":
    case "pytest":
    case "ruff":
    case "mypy":
      return true;
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      if (verb === "run") return words.length === 2 && second?.startsWith("-") === false;
      return words.length === 1 && (verb === "test" || verb === "install" || verb === "ci");
    case "cargo":
      return verb === "test" || verb === "build" || verb === "check" || verb === "clippy";
    case "go":
      return verb === "test" || verb === "build" || verb === "vet";
    default:
      return false;
  }
}

/** An option whose value is a command. */
function holdsCommand(word: string): boolean {
  return word.startsWith("-") && (word.endsWith("exec") || word.endsWith("-config") || word.endsWith("vettool"));
}

/** A word of letters, digits and `_ - . / : ,`, which mean nothing to a shell; no address. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 44 && code <= 58) || code === 95;
    if (!letter) return false;
  }
  return word !== "" && !word.includes("://");
}
