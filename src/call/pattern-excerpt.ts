/**
 * Search patterns of grep, sed and awk as regular expressions of ours, where they are simple enough to be told exactly: single
 * characters, classes, `*`, `+` and `?` of one of them, anchors, alternatives without groups; where texts are replaced, groups
 * that stand side by side.
 */
import type { Excerpt, LinePattern } from "./effect.ts";

/** How a program writes its patterns. */
export type Dialect = "basic" | "extended" | "fixed";

/** Longest pattern that is read, in characters. */
const LONGEST = 200;
/** Repetitions without an end in one alternative: matching a line costs its length to this power. */
const REPETITIONS_MAX = 2;

const CLASSES: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  xdigit: "0-9A-Fa-f",
};

/**
 * The pattern; undefined for one that is not understood. `single`: alternatives are not, since programs differ in which they
 * prefer. `groups`: side by side they are.
 */
export function linePattern(text: string, dialect: Dialect, ignoreCase: boolean, single = false, groups = false): LinePattern | undefined {
  if (text === "" || text.length > LONGEST || text.includes("\n")) return undefined;
  if (dialect === "fixed") return { source: text.replace(SPECIAL, "\\$&"), ignoreCase };
  const parts: string[] = [];
  let part = "";
  let atom = "";
  let repetitions = 0;
  let open = false;
  for (let at = 0; at < text.length; ) {
    const escaped = text[at] === "\\";
    const char = escaped ? text[at + 1] : text[at];
    if (char === undefined) return undefined;
    // Basic patterns write the signs of extended ones behind a backslash, and the other way round.
    const sign = "+?{}()|".includes(char) && escaped === (dialect === "basic");
    const width = escaped ? 2 : 1;
    if (sign && char === "|" && !single) {
      parts.push(part + atom);
      part = "";
      atom = "";
      repetitions = 0;
    } else if (sign ? "+?".includes(char) : char === "*" && !escaped) {
      if (atom === "" || (char !== "?" && ++repetitions > REPETITIONS_MAX)) return undefined;
      part += `${atom}${char}`;
      atom = "";
    } else if (groups && char === (open ? ")" : "(") && sign) {
      part += `${atom}${char}`;
      atom = "";
      open = !open;
    } else if (sign) return undefined;
    else {
      part += atom;
      const taken = escaped ? escape(char) : atomAt(text, at, part === "", dialect);
      if (taken === undefined) return undefined;
      atom = typeof taken === "string" ? taken : taken.atom;
      if (typeof taken !== "string") {
        at = taken.end;
        continue;
      }
    }
    at += width;
  }
  parts.push(part + atom);
  return open || parts.includes("") ? undefined : { source: parts.join("|"), ignoreCase };
}

/** Longest line in which a pattern is replaced: it may cost the square of it. */
const REPLACED_CHARS_MAX = 4_096;

/** A text with what a pattern finds in its lines replaced (`sed s/URL/https:…/`); undefined where a line is too long for that. */
export function replacedIn(text: string, { pattern, by, all }: Extract<Excerpt, { kind: "replaced" }>): string | undefined {
  const lines = text.split("\n");
  if (lines.some((line) => line.length > REPLACED_CHARS_MAX)) return undefined;
  const found = new RegExp(pattern.source, `${all ? "g" : ""}${pattern.ignoreCase ? "i" : ""}`);
  const made = (...groups: readonly string[]): string =>
    by.map((part) => (typeof part === "string" ? part : (groups[part] ?? ""))).join("");
  return lines.map((line) => line.replace(found, made)).join("\n");
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

function escape(char: string): string | undefined {
  if (/[swSWb]/.test(char)) return `\\${char}`;
  return /[A-Za-z0-9<>`']/.test(char) ? undefined : char.replace(SPECIAL, "\\$&");
}

function atomAt(
  text: string,
  at: number,
  first: boolean,
  dialect: Dialect,
): string | { readonly atom: string; readonly end: number } | undefined {
  const char = text[at] as string;
  if (char === "^") return first ? "^" : undefined;
  if (char === "$") return at === text.length - 1 || text[at + 1] === "|" || text.startsWith("\\|", at + 1) ? "$" : undefined;
  if (char === ".") return ".";
  if (char !== "[") return dialect === "extended" && "{}()".includes(char) ? undefined : char.replace(SPECIAL, "\\$&");
  const set = /^\[(\^?)(\]?(?:\[:[a-z]{5,6}:\]|[^\][\\])*)\]/.exec(text.slice(at, at + LONGEST));
  if (set === null || (set[2] ?? "") === "") return undefined;
  let known = true;
  const inside = (set[2] ?? "")
    .replace(/^\]/, "\\]")
    .replace(/\[:([a-z]{5,6}):\]/g, (_, name: string) => {
      known &&= name in CLASSES;
      return CLASSES[name] ?? "";
    })
    .replace(/^\^/, "\\^");
  return known ? { atom: `[${set[1] ?? ""}${inside}]`, end: at + set[0].length } : undefined;
}
