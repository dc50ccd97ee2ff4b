/**
 * Every regular expression of the product runs on hostile text, so each must be linear (design §6.4).
 * The literals are read from the sources; `recheck` proves them safe or finds the attack.
 */

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
 * The pattern with its counted repetitions made unbounded. It has every run of the original and more, so when it is
 * linear the original is; and without counts the checker can prove it instead of trying inputs.
 */
export function unbounded(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}/g, (whole, least?: string, most?: string) => {
    if (least === undefined) return whole;
    if (most === undefined) return Number(least) <= 3 ? whole : "{2,}";
    return most !== "" && Number(most) <= 3 ? whole : least === "0" ? "*" : "+";
  });
}

function status(source: string, flags: string): string {
  const result = checkSync(source, flags, { timeout: 5_000 });
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
    const character = code[at] as string;
    if (code.startsWith("//", at)) skip(code.indexOf("\n", at) < 0 ? code.length : code.indexOf("\n", at));
    else if (code.startsWith("/*", at)) skip(code.indexOf("*/", at + 2) + 2);
    else if (character === '"' || character === "'") {
      let end = at + 1;
      while (code[end] !== character) end += code[end] === "\\" ? 2 : 1;
      skip(end + 1);
      before = '"';
    } else if (character === "`") {
      skip(at + 1);
      template();
      before = '"';
    } else if (character === "/" && (/(?:^|[(,=:[!&|?{};+\-*%<>~^])$/.test(before) || BEFORE_VALUE.test(before))) {
      let end = at + 1;
      for (let inClass = false; inClass || code[end] !== "/"; end++) {
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
  }
  return found;
}


const all: Literal[] = [];
for (const name of [...new Bun.Glob("**/*.ts").scanSync(SOURCES)].sort()) all.push(...literals(await Bun.file(join(SOURCES, name)).text(), name));
console.log(all.length, new Set(all.map(x=>x.source)).size);
let n=0;
for (const {file,line,source,flags} of all.filter(x=>x.file.startsWith(process.argv[2]??"")).slice(0,+(process.argv[3]??40))){ const t=performance.now(); const r=checkSync(unbounded(source),flags,{timeout:2000}); console.log((performance.now()-t)|0, r.status, r.checker, file, unbounded(source).slice(0,120)); }
