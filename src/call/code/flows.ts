/**
 * Whether what program code reads of a file can reach an address it contacts: by the names it passes through. No language is
 * parsed: the code is cut into statements, a name that a statement gives something made of the content carries it on, and
 * content reaches an address where both stand in one statement. Loaded at first use.
 *
 * Trust: the code is hostile. Whatever is not plainly apart counts as together: hidden uses of names, files in between,
 * too many statements.
 */
import { CHOSEN } from "../../limits.ts";
import { type Literal, upTo } from "../text.ts";

/** A statement: half-open range of the code, and the words in it. */
interface Statement {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly start: number;
  /** In front of `=`: a name that is given something, here or as an argument. */
  readonly given: boolean;
}

/** The place something stands in for whoever gets it (D-18). */
export type Way = "credential" | "data";

/** A function of the code: its name, what it is called with, and what is in it. */
interface Routine {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Code of which the ways of a value cannot be told. */
const HIDDEN =
  /(?:\beval|(?<![.\w])exec|\bglobals|\blocals|\bvars|\bgetattr|\bsetattr|\bbinding|\binstance_variable_set|\bpickle|\bshelve|\bProxy|\bReflect|\bdefine_method)\s{0,4}\(|\bsend\s{0,4}\(:|\$\$/;
/** A statement that keeps a value outside of the program's names. */
const KEEPS =
  /\b(?:write\w{0,12}|dump|save\w{0,8}|tofile|putenv|append\w{0,8}File\w{0,8}|localStorage|sqlite3?|pipe|stdin|communicate|raise|throw)\b|\bfile=/;
/** In front of a value that signs in: a header's name or an option of the same meaning; or a header's name as the argument before. */
const SIGNS =
  /(?:authorization|[-_]key|api_?key|\bkey|token|\bauth|bearer|passw(?:or)?d|secret)["'`]?\]?\s?[:=]|["'`](?:Bearer|Basic|token)\s/i;
const HEADER = /^["'`](?:authorization|[\w-]{0,60}(?:key|token|secret))["'`]$/i;
/** In front of what is sent as it is. */
const BODY = /^\s{0,8}(?:data|json|body|params|content|files)\s{0,8}[:=]/;
/** A call whose result comes from the far end: what is given its result does not stand for the address. */
const ANSWERS =
  /(?:\.(?:get|post|put|patch|delete|head|request|json|text|read|getresponse|recv)|\b(?:fetch|urlopen|got|axios|get|post))\s{0,4}\(/;
/** Objects of the language itself, and words that are no names. */
const NONE = new Set(
  (
    "console JSON Object Array Math Buffer String Promise Date Number URL process os sys print len dict list str int set map filter sorted open " +
    "const let var my our local global async await function def lambda return if else elif for in of while with as import from require new not and or " +
    "try except catch finally raise throw class self this true false null None True False undefined end do then puts err _"
  ).split(" "),
);

/** What is known of the ways through a program. */
export class CodeFlows {
  readonly #source: string;
  readonly #code: string;
  readonly #known = new Map<number, ReadonlyMap<string, Way> | undefined>();
  readonly #statements: readonly Statement[];
  readonly #routines: readonly Routine[];
  readonly #modules: ReadonlySet<string>;
  readonly #implicit: boolean;
  readonly #hidden: boolean;

  constructor(code: string, literals: readonly Literal[], slashes: boolean) {
    this.#source = code;
    this.#code = masked(code, literals, slashes);
    this.#statements = statementsOf(this.#code);
    this.#routines = routinesOf(this.#code);
    this.#modules = modulesOf(code);
    this.#implicit = this.#code.split("\n").some((line) => line.trim() === "end");
    const words = this.#statements.reduce((count, statement) => count + statement.words.length, 0);
    this.#hidden = HIDDEN.test(code) || this.#statements.length > CHOSEN.code_statements || words > CHOSEN.code_flow_words;
  }

  /** How what is read at one place can come to the address at another; undefined when it cannot. */
  reach(read: number, place: number): Way | undefined {
    if (this.#hidden) return "data";
    const carried = this.#namesFrom(read, false);
    const address = this.#namesFrom(place, true);
    if (carried === undefined || address === undefined) return "data";
    let found: Way | undefined;
    for (const statement of this.#statements) {
      const way = this.#way(statement, read, carried);
      if (way === undefined || found === "data" || this.#way(statement, place, address) === undefined) continue;
      found = way;
    }
    return found;
  }

  /** Whether what is read at one place stands in a range of the code, or a name there that carries it. */
  holds(read: number, start: number, end: number): boolean {
    if (read >= start && read < end) return true;
    const carried = this.#hidden ? undefined : this.#namesFrom(read, false);
    if (carried === undefined || carried.size === 0) return false;
    return this.#statements.some((statement) =>
      statement.end <= start || statement.start >= end
        ? false
        : statement.words.some(({ text, start: at, given }) => !given && at >= start && at < end && carried.has(text)),
    );
  }

  /** How a statement holds what stands at a place or in one of these names; undefined when it does not. */
  #way(statement: Statement, place: number, names: ReadonlyMap<string, Way>): Way | undefined {
    let found: Way | undefined;
    if (place >= statement.start && place < statement.end) found = this.#signs(statement, place) ? "credential" : "data";
    for (const { text, start, given } of statement.words) {
      const way = given ? undefined : names.get(text);
      if (way === undefined || found === "data") continue;
      found = way === "credential" || this.#signs(statement, start) ? "credential" : "data";
    }
    return found;
  }

  #signs(statement: Statement, at: number): boolean {
    const before = this.#source.slice(Math.max(statement.start, at - 80), at);
    const pieces = before.slice(Math.max(...[..."();\n"].map((sign) => before.lastIndexOf(sign))) + 1).split(",");
    const [header = "", own = ""] = ["", ...pieces].slice(-2);
    return !BODY.test(own) && (SIGNS.test(own) || (!/[:=]/.test(own) && HEADER.test(header.trim())));
  }

  /** Every name that what stands at a place may be in; undefined when it is kept where no name tells it. */
  #namesFrom(place: number, address: boolean): ReadonlyMap<string, Way> | undefined {
    if (this.#known.has(place) || this.#known.size >= CHOSEN.code_flow_places) return this.#known.get(place);
    const names = this.#follow(place, address);
    this.#known.set(place, names);
    return names;
  }

  #follow(place: number, address: boolean): ReadonlyMap<string, Way> | undefined {
    const names = new Map<string, Way>();
    const add = (name: string, way: Way): boolean => {
      const before = names.get(name);
      if (before === "data" || before === way) return false;
      names.set(name, way);
      return true;
    };
    for (let grows = true; grows; ) {
      grows = false;
      for (const statement of this.#statements) {
        const way = this.#way(statement, place, names);
        if (way === undefined) continue;
        const text = this.#code.slice(statement.start, statement.end);
        if (address && ANSWERS.test(text)) continue;
        if (!address && KEEPS.test(text)) return undefined;
        for (const name of this.#given(statement, text)) grows = add(name, way) || grows;
      }
      if (names.size > CHOSEN.code_flow_names) return undefined;
    }
    return names;
  }

  /** The names that a statement gives what it holds. */
  #given(statement: Statement, text: string): readonly string[] {
    // A function stands for what it gives back; Ruby's gives back its last statement, whatever it is.
    const returns = this.#implicit || /\b(?:return|yield)\b|=>/.test(text);
    const inside = !returns ? [] : this.#routines.filter(({ start, end }) => statement.start >= start && statement.start < end);
    const environment = /\b(?:os\.environ|process\.env)\b/.test(text) ? ["environ", "env"] : [];
    return [
      ...targetsOf(text),
      ...this.#receivers(statement, text),
      ...this.#called(statement),
      ...inside.map(({ name }) => name),
      ...environment,
    ];
  }

  /** Objects that a method is called on, which may keep what they are given; of a module nobody expects that. */
  #receivers({ words }: Statement, text: string): readonly string[] {
    return [...text.matchAll(/(?:^|[^\w.])([A-Za-z_]\w{0,79})(?:(?:\.|->|::)\w{1,80}){1,6}\s{0,4}\(/g)].flatMap(([, name = ""]) =>
      NONE.has(name) || this.#modules.has(name) || !words.some((word) => word.text === name) ? [] : [name],
    );
  }

  /** What functions of the code call what they are given, where a statement calls them. */
  #called({ words }: Statement): readonly string[] {
    return this.#routines.flatMap(({ name, parameters }) => (words.some(({ text }) => text === name) ? parameters : []));
  }
}

/** The code with its texts and comments blanked out, but for names that a text takes in. */
function masked(code: string, literals: readonly Literal[], slashes: boolean): string {
  const comment = slashes ? /(?<![:\w])\/\/[^\n]*/g : /(?<![\w$&])#(?!\{)[^\n]*/g;
  let made = "";
  let at = 0;
  for (const { start, end } of [...literals, { start: code.length, end: code.length }]) {
    made += code.slice(at, start).replace(comment, blank);
    // What a template takes in, in whatever language: `${name}`, `{name}`, `#{name}`, `$name`.
    made += code
      .slice(start, end)
      .replace(/[$#]?\{([^{}\n]{1,200})\}|[$@]([A-Za-z_]\w{0,79})|[^{$#@]{1,4000}|[^]/g, (whole, inner?: string, name?: string) => {
        const taken = inner ?? name;
        return taken === undefined ? blank(whole) : taken.padStart(whole.length - (inner === undefined ? 0 : 1)).padEnd(whole.length);
      });
    at = end;
  }
  return made;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** Statements: up to `;` or a line's end, outside of brackets; a block's `{` ends one, an object's does not. */
function statementsOf(code: string): readonly Statement[] {
  const found: Statement[] = [];
  const open: string[] = [];
  let start = 0;
  let previous = "";
  const close = (end: number): void => {
    if (code.slice(start, end).trim() !== "") found.push({ start, end, words: wordsOf(code, start, end) });
    start = end;
  };
  for (let at = 0; at < code.length && found.length <= CHOSEN.code_statements; at++) {
    const char = code[at] as string;
    if (char === "(" || char === "[") open.push(char);
    else if (char === "{") {
      const block =
        /^(?:\)|>|;|\{|\}|)$/.test(previous) || /\b(?:else|try|do|finally|class\s+\w+)\s*$/.test(code.slice(Math.max(0, at - 60), at));
      open.push(block ? "block" : "{");
      if (block) close(at + 1);
    } else if (char === ")" || char === "]" || char === "}") {
      const last = open.pop();
      if (last === "block") close(at);
    } else if (char === ";" || char === "\n") {
      const top = open.at(-1);
      const free = top === undefined || top === "block";
      // A line that begins with a sign goes on with the one before it.
      const goesOn =
        char === "\n" &&
        (/^\s{0,200}(?:\.(?!\.)|&&|\|\||\?|:|\+|\))/.test(code.slice(at + 1, at + 240)) || previous === "\\" || previous === ",");
      if (free && !goesOn) close(at + 1);
    }
    if (!/\s/.test(char)) previous = char;
  }
  close(code.length);
  return found;
}

function wordsOf(code: string, start: number, end: number): readonly Word[] {
  return [...code.slice(start, end).matchAll(/[A-Za-z_]\w*/g)].map(({ 0: text, index }) => ({
    text,
    start: start + index,
    given: /^\s{0,8}:?=(?![=>~])/.test(code.slice(start + index + text.length, start + index + text.length + 12)),
  }));
}

/** The names a statement gives something to: assigned, looped over, opened as, or called back with. */
function targetsOf(text: string): readonly string[] {
  const parts = [
    /^([^=()\n]{1,200}?)(?::?=|[-+*/|&?]{1,2}=)(?![=>~])/.exec(text)?.[1],
    // Tcl's command, and R's own sign.
    /^\s{0,200}set\s{1,8}(\w{1,80})\s/.exec(text)?.[1],
    /^\s{0,200}([\w.]{1,80})\s{0,8}<{1,2}-(?!-)/.exec(text)?.[1],
    // A pattern in brackets, and `a.b[c] = …`.
    /^\s{0,200}(?:const|let|var|my)\s{0,8}([([{][^=]{1,400}[)\]}])\s{0,8}=(?![=>~])/.exec(text)?.[1],
    ...text
      .split(/\bfor\b/)
      .slice(1)
      .map((rest) => rest.slice(0, 200).split(/\b(?:in|of)\b/, 1)[0]),
    ...[...text.matchAll(/\bas\s{1,4}(\w{1,80})/g)].map(([, name]) => name),
    // Perl's handles and buffers: `open(my $f, …)`, `read(F, $b, 9)`.
    ...[
      ...text.matchAll(/\b(?:open|sysopen|read|sysread)\s{0,4}\(?\s{0,4}(?:my\s{1,4})?\$?(\w{1,80})(?:\s{0,4},\s{0,4}\$?(\w{1,80}))?/g),
    ].map(([, name, buffer = ""]) => `${name} ${buffer}`),
    ...[...text.matchAll(/\(([\w\s,={}[\]$]{1,200})\)\s{0,4}=>/g)].map(([, names]) => names),
    ...[...text.matchAll(/\b(\w{1,80})\s{0,4}=>/g)].map(([, name]) => name),
    ...text
      .split(/\bfunction\b/)
      .slice(1)
      .map((rest) => upTo(rest.slice(0, 300), ")").split("(")[1]),
    ...text
      .split(/\blambda\b/)
      .slice(1)
      .map((rest) => upTo(rest.slice(0, 100), ":")),
    ...[...text.matchAll(/\|([\w\s,()]{1,100})\|/g)].map(([, names]) => names),
    ...[...text.matchAll(/\b(\w{1,80})\s{0,4}:=/g)].map(([, name]) => name),
  ];
  return parts.flatMap((part) => part?.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => !NONE.has(name));
}

/** Functions with a name, and classes with the parameters of all their functions, by their heads and their indented or bracketed bodies. */
function routinesOf(code: string): readonly Routine[] {
  const found = functionsOf(code);
  const classes = [...code.matchAll(/\bclass\s{1,8}([\w$]{1,80})/g)].slice(0, CHOSEN.code_names).map(({ 0: head, 1: name = "", index }) => {
    const end = bodyEnd(code, index, index + head.length);
    return {
      name,
      start: index,
      end,
      parameters: found.filter((one) => one.start > index && one.start < end).flatMap((one) => one.parameters),
    };
  });
  return [...found, ...classes];
}

function functionsOf(code: string): readonly Routine[] {
  const found: Routine[] = [];
  const add = (name: string, parameters: string, start: number, end: number): void => {
    const names = (parameters.match(/[A-Za-z_]\w*/g) ?? []).filter((one) => !NONE.has(one));
    if (found.length < CHOSEN.code_names) found.push({ name, parameters: names, start, end: bodyEnd(code, start, end) });
  };
  for (const { 0: word, index } of code.matchAll(/\b(?:def|function|sub|fn|func|const|let|var|lambda)\b/g)) {
    const end = index + word.length;
    if (word === "lambda") {
      const before = code.slice(Math.max(0, index - 100), index).trimEnd();
      if (before.endsWith("=")) add(lastWord(before.slice(0, -1).trimEnd()), upTo(code.slice(end, end + 100), ":"), index, end);
      continue;
    }
    const rest = code.slice(end, end + 500).replace(/\s+/g, " ");
    const arrow = word === "const" || word === "let" || word === "var";
    const head = arrow
      ? /^ (\w{1,80}) ?= ?(?:async ?)?(?:\(([^()]{0,400})\)|(\w{1,80})) ?=>/.exec(rest)
      : /^\*? ?([\w.]{1,80}) ?(?:\(([^()]{0,400})\))?/.exec(rest);
    if (head === null) continue;
    const [, name = "", list, only] = head;
    // Behind the head in the code itself, whose white space is another.
    const behind = code.indexOf(arrow ? "=>" : list === undefined ? name : ")", end);
    add(lastWord(name), list ?? only ?? "", index, Math.max(end, behind + (arrow ? 2 : list === undefined ? name.length : 1)));
  }
  return found;
}

function lastWord(text: string): string {
  let from = text.length;
  while (from > 0 && /\w/.test(text[from - 1] as string)) from--;
  return text.slice(from);
}

function bodyEnd(code: string, start: number, from: number): number {
  const brace = /^[^\n;=]{0,80}?\{/.exec(code.slice(from, from + 100))?.[0];
  if (brace !== undefined) {
    let depth = 1;
    let at = from + brace.length;
    for (; at < code.length && depth > 0; at++) depth += code[at] === "{" ? 1 : code[at] === "}" ? -1 : 0;
    return at;
  }
  // Every further line that is indented deeper than the head.
  const indent = start - (code.lastIndexOf("\n", start - 1) + 1);
  let at = code.indexOf("\n", from);
  while (at >= 0) {
    const line = /^[ \t]*/.exec(code.slice(at + 1, at + 400))?.[0].length ?? 0;
    const next = code.indexOf("\n", at + 1);
    const empty = code.slice(at + 1, next < 0 ? code.length : next).trim() === "";
    if (!empty && line <= indent) return at;
    at = next;
  }
  return code.length;
}

/** Names that stand for a module. */
function modulesOf(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of code.split(/[\n;]/)) {
    const imports = /^\s{0,40}(?:import|from)\s/.test(line);
    if (!imports && !/=\s{0,8}(?:await\s{1,4})?(?:require|import)\s{0,4}\(/.test(line)) continue;
    for (const name of upTo(line.slice(0, 400), imports ? '"' : "=").match(/[A-Za-z_]\w*/g) ?? []) names.add(name);
  }
  return names;
}
