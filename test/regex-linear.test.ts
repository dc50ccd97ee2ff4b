/**
 * Every regular expression of the product runs on hostile text, so each must be linear (design §6.4).
 * The literals are read from the sources; `recheck` proves them safe or finds the attack.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkSync } from "recheck";

const SOURCES = join(import.meta.dir, "../src");

interface Literal {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/**
 * Patterns `recheck` cannot settle, or calls polynomial although their use bounds them; the reason stands beside each.
 * An entry that is no longer needed fails the test.
 */
const REASONED: Readonly<Record<string, string>> = {};

/**
 * The pattern with its counted repetitions made unbounded, which only adds choices, and its fixed ones short, which have
 * none: when this is linear the original is. Without large counts the checker can prove that instead of trying inputs.
 */
export function unbounded(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}/g, (whole, least?: string, most?: string) => {
    if (least === undefined) return whole;
    if (most === undefined) return Number(least) <= 3 ? whole : "{3}";
    return most !== "" && Number(most) <= 3 ? whole : least === "0" ? "*" : "+";
  });
}

/** Where nothing can be proven inputs are tried, the same ones each time. */
const SEED = 7;

function status(source: string, flags: string, timeout: number): string {
  const result = checkSync(source, flags, { timeout, randomSeed: SEED });
  if (result.status === "vulnerable") return `${result.complexity.summary}, attack ${result.attack.pattern}`;
  return result.status === "unknown" ? result.error.kind : "safe";
}

/** A keyword in front of `/` means that a value follows, not a division. */
const BEFORE_VALUE = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await|instanceof)$/;

/** The regular expression literals of a TypeScript source. Comments, strings and templates are stepped over. */
export function literals(code: string, file = ""): readonly Literal[] {
  const found: Literal[] = [];
  let line = 1;
  /** Depths of `{` at which a template's `${` goes back to its text. */
  const templates: number[] = [];
  let depth = 0;
  let before = "";
  let at = 0;
  const skip = (end: number): void => {
    for (; at < end; at++) if (code[at] === "\n") line++;
  };
  const template = (): void => {
    while (at < code.length) {
      if (code[at] === "\\") skip(at + 2);
      else if (code[at] === "`") return skip(at + 1);
      else if (code.startsWith("${", at)) {
        templates.push(depth++);
        return skip(at + 2);
      } else skip(at + 1);
    }
  };
  while (at < code.length) {
    const start = at;
    const character = code[at] as string;
    if (code.startsWith("//", at)) skip(code.indexOf("\n", at) < 0 ? code.length : code.indexOf("\n", at));
    else if (code.startsWith("/*", at)) skip(code.indexOf("*/", at + 2) + 2);
    else if (character === '"' || character === "'") {
      let end = at + 1;
      while (end < code.length && code[end] !== character) end += code[end] === "\\" ? 2 : 1;
      skip(end + 1);
      before = '"';
    } else if (character === "`") {
      skip(at + 1);
      template();
      before = '"';
    } else if (character === "/" && (/(?:^|[(,=:[!&|?{};+\-*%<>~^])$/.test(before) || BEFORE_VALUE.test(before.trimEnd()))) {
      let end = at + 1;
      for (let inClass = false; end < code.length && (inClass || code[end] !== "/"); end++) {
        if (code[end] === "\\") end++;
        else if (code[end] === "[") inClass = true;
        else if (code[end] === "]") inClass = false;
      }
      const flags = /[a-z]*/y;
      flags.lastIndex = end + 1;
      found.push({ file, line, source: code.slice(at + 1, end), flags: flags.exec(code)?.[0] ?? "" });
      skip(flags.lastIndex);
      before = '"';
    } else {
      if (character === "{") depth++;
      if (character === "}") depth--;
      skip(at + 1);
      if (character === "}" && templates.at(-1) === depth) {
        templates.pop();
        template();
        before = '"';
      } else if (/\S/.test(character)) before = (before + character).slice(-12);
      else if (/\w$/.test(before)) before += " ";
      if (/\w/.test(character) === false && character !== " ") before = before.trimEnd();
    }
    if (at <= start) throw new Error(`${file}:${line} cannot be read`);
  }
  return found;
}

test("the reader finds literals and nothing else", () => {
  const code = [
    "const a = /a\\/b[/]c/g; // not /this/",
    "/* nor /that/ */ const b = 1 / 2 / 3;",
    'const c = "/no/" + `/no/ ${ "x".replace(/yes`/, "}") } /no/`;',
    "if (/x/.test(c)) return /y{1,2}/iu;",
    "const d = (1 + 2) / a.length / 2, e = [/z/];",
    "function g() {\n  try { return 1; } catch {\n    h = 2;\n  }\n  return /^\\/v:/.test(p) ? p : 1 / 2;\n}",
    "for (const f of list) f => /w/.test(f);",
  ].join("\n");
  expect(literals(code).map(({ line, source, flags }) => `${line} ${source} ${flags}`)).toEqual([
    "1 a\\/b[/]c g",
    "3 yes` ",
    "4 x ",
    "4 y{1,2} iu",
    "5 z ",
    "10 ^\\/v: ",
    "12 w ",
  ]);
});

const all: Literal[] = [];
for (const name of [...new Bun.Glob("**/*.ts").scanSync(SOURCES)].sort())
  all.push(...literals(await Bun.file(join(SOURCES, name)).text(), name));

test("counts are changed outside classes and escapes only", () => {
  expect(unbounded("a{3}b{36}c{0,5}d{2,}e{1,99}[{4,5}]\\{7,8}f{0,2}")).toBe("a{3}b{3}c*d+e+[{4,5}]\\{7,8}f{0,2}");
});

test("every literal compiles", () => {
  expect(all.length).toBeGreaterThan(200);
  for (const { source, flags } of all) expect(() => new RegExp(source, flags)).not.toThrow();
});

test("design §6.4: every regular expression is linear", () => {
  const unsafe: string[] = [];
  const used = new Set<string>();
  const known = new Map<string, string>();
  for (const { file, line, source, flags } of all) {
    const key = `/${source}/${flags}`;
    let verdict = known.get(key);
    if (verdict === undefined) {
      const short = unbounded(source);
      // Without a repetition there is nothing to go round in.
      verdict = !/[*+{]/.test(short) || status(short, flags, 10_000) === "safe" ? "safe" : status(source, flags, 20_000);
      known.set(key, verdict);
    }
    if (verdict === "safe") continue;
    if (source in REASONED) used.add(source);
    else unsafe.push(`${file}:${line} ${key} ${verdict}`);
  }
  expect(unsafe).toEqual([]);
  expect(Object.keys(REASONED).filter((source) => !used.has(source))).toEqual([]);
}, 900_000);
