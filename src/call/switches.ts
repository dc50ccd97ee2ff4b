/** Interpreters by their names, and how they read their short options: which letters take code, a value, or what stands behind them in their word. */

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

/** Interpreters that are started alike. `node runner`: programs that take a script as Node does, but few of its options. */
export type Family =
  | "shell"
  | "python"
  | "node"
  | "node runner"
  | "ruby"
  | "perl"
  | "php"
  | "lua"
  | "julia"
  | "osascript"
  | "expect"
  | "words";

const SWITCHES: Readonly<Partial<Record<Family, Switches>>> = {
  python: { code: "c", values: "WXQm", last: "cm" },
  node: { code: "ep", values: "rCPO", whole: true },
  ruby: { code: "e", values: "rICE", suffixed: "F" },
  perl: { code: "eE", values: "IMm", suffixed: "CDFVx" },
  php: { code: "rRBE", values: "dcSzt" },
  lua: { code: "e", values: "lj", suffixed: "Ob" },
  julia: { code: "eE", values: "LJpHCt" },
  osascript: { code: "e", values: "ls" },
  expect: { code: "c" },
  words: { code: "ec", whole: true },
};

/** The interpreters by their names: the one list of them. */
export function familyOf(name: string): Family | undefined {
  switch (name) {
    case "sh":
    case "bash":
    case "zsh":
    case "dash":
    case "ksh":
    case "mksh":
    case "ash":
    case "fish":
    case "rbash":
    case "yash":
      return "shell";
    case "node":
    case "nodejs":
    case "tsx":
    case "ts-node":
      return "node";
    case "node-dev":
    case "ts-node-dev":
    case "tsnd":
    case "vite-node":
    case "esno":
    case "esrun":
    case "jiti":
    case "babel-node":
    case "electron":
    case "deno":
    case "zx":
      return "node runner";
    case "ruby":
    case "jruby":
      return "ruby";
    case "perl":
    case "php":
    case "lua":
    case "julia":
    case "osascript":
    case "expect":
      return name;
    case "luajit":
      return "lua";
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
    case "raku":
    case "octave":
    case "octave-cli":
    case "guile":
    case "racket":
    case "gnuplot":
    case "iex":
      return "words";
    default:
      return numbered(name);
  }
}

/** `python3.12`, `lua5.4`. */
function numbered(name: string): Family | undefined {
  if (name.startsWith("py") || name.startsWith("ipython"))
    return /^(?:python|pypy)(?:\d(?:\.\d{1,2}t?)?)?$|^ipython3?$|^py$/.test(name) ? "python" : undefined;
  return /^(?:lua|perl|ruby|php)\d(?:\.\d{1,2})?$/.test(name) ? familyOf(name.replace(/\d.*/, "")) : undefined;
}

/** How the interpreter of this name reads its options; undefined for every other program. */
export function switchesOf(name: string): Switches | undefined {
  const family = familyOf(name);
  return family === undefined ? undefined : SWITCHES[family];
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
