/** How interpreters read their short options: which letters take code, a value, or what stands behind them in their word. */

/** The letters of one interpreter; every other one is a flag. */
export interface Switches {
  /** Their value is code. */
  readonly code: string;
  /** They have a value: what stands behind them in the word, otherwise the next word. */
  readonly values?: string;
  /** They take what stands behind them in the word, and nothing else. */
  readonly suffixed?: string;
  /** The words behind these belong to the code or module: no option of the interpreter follows. */
  readonly last?: string;
  /** Nothing is glued to an option: only its last letter may take something, from the next word. */
  readonly whole?: true;
}

const PYTHON: Switches = { code: "c", values: "WXQm", last: "cm" };
const RUBY: Switches = { code: "e", values: "rICE", suffixed: "F" };
const PERL: Switches = { code: "eE", values: "IMm", suffixed: "CDFVx" };
const PHP: Switches = { code: "rRBE", values: "dcSzt" };
const NODE: Switches = { code: "ep", values: "rCPO", whole: true };
const LUA: Switches = { code: "e", values: "lj", suffixed: "Ob" };
const JULIA: Switches = { code: "eE", values: "LJpHCt" };
const OSASCRIPT: Switches = { code: "e", values: "ls" };
const EXPECT: Switches = { code: "c" };
const WORDS: Switches = { code: "ec", whole: true };

/** How the interpreter of this name reads its options; undefined for every other program. */
export function switchesOf(name: string): Switches | undefined {
  if ((name.startsWith("py") || name.startsWith("ipython")) && /^(?:python|pypy)(?:\d(?:\.\d{1,2}t?)?)?$|^ipython3?$|^py$/.test(name))
    return PYTHON;
  switch (name) {
    case "node":
    case "nodejs":
    case "tsx":
    case "ts-node":
      return NODE;
    case "ruby":
    case "jruby":
      return RUBY;
    case "perl":
      return PERL;
    case "php":
      return PHP;
    case "lua":
    case "luajit":
      return LUA;
    case "julia":
      return JULIA;
    case "osascript":
      return OSASCRIPT;
    case "expect":
      return EXPECT;
    case "Rscript":
    case "R":
    case "groovy":
    case "elixir":
    case "scala":
    case "swift":
    case "ocaml":
    case "jshell":
    case "clojure":
    case "bb":
    case "tclsh":
      return WORDS;
    default:
      return /^(?:lua|perl|ruby|php)\d(?:\.\d{1,2})?$/.test(name) ? switchesOf(name.replace(/\d.*/, "")) : undefined;
  }
}

/** One word of short options. */
export interface SwitchWord {
  /** The letters in front of the one that takes something. */
  readonly flags: string;
  /** The letter that takes something. */
  readonly letter: string | undefined;
  /** Where in the word its value begins; undefined when that is the next word. */
  readonly from: number | undefined;
}

/** Reads a word of short options (`-une`, `-Ic…`); undefined for any other word. */
export function switchWord({ code, values = "", suffixed = "", whole }: Switches, text: string): SwitchWord | undefined {
  if (text.length < 2 || text[0] !== "-" || text[1] === "-") return undefined;
  if (whole === true) {
    const letter = text[text.length - 1] ?? "";
    const flags = text.slice(1, -1);
    const takes = (flags === "" && values.includes(letter)) || [...flags, letter].every((one) => code.includes(one));
    return { flags, letter: takes ? letter : undefined, from: undefined };
  }
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string;
    const behind = at + 1 < text.length ? at + 1 : undefined;
    if (code.includes(letter) || values.includes(letter)) return { flags: text.slice(1, at), letter, from: behind };
    // `-i.bak`, `-d:Trace`, `-W:no-deprecated`: a suffix of the letter before it.
    if (suffixed.includes(letter) || !/[A-Za-z0-9]/.test(letter)) return { flags: text.slice(1, at), letter: undefined, from: undefined };
  }
  return { flags: text.slice(1), letter: undefined, from: undefined };
}
