/**
 * The arguments of one call in program code, as far as they are texts, lists of texts and names that hold such. No language is
 * parsed: the signs that many of them share are read (`f("a", [b, 'c'], k="d" + x)`), whatever else stands there is a gap.
 *
 * Trust: the code is hostile. Every loop is bounded by the call's reach or by the code's own length.
 */
import { CHOSEN } from "../../limits.ts";
import type { Literal } from "../text.ts";

/** A place of the code whose value is only known when it runs; half-open. */
export interface Gap {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text: as it stands, or what the code puts there. */
export type Piece = string | Gap;

/** What one argument is. `split`: words of a shell in one text. Fields belong to an object, or are the rest of a call. */
export interface Value {
  readonly text?: readonly Piece[];
  readonly split?: true;
  readonly list?: readonly Value[];
  readonly fields?: readonly Field[];
  /** All that a name was given, of which this is the last. */
  readonly options?: readonly Value[];
  /** Starts of the literals it was made of. */
  readonly from: readonly number[];
}

/** One argument, with the name it is given by. */
export interface Field {
  readonly key: string | undefined;
  readonly value: Value;
}

/** Characters of one call that are looked at, and arguments of it. */
const REACH_CHARS = 8_192;
const ARGUMENTS_MAX = 256;
/** Calls and brackets in each other, and names that stand for names. */
const DEPTH_MAX = 24;
const NAMES_MAX = 4;

const NAME = /[$@&%\\]{0,2}[A-Za-z_]\w{0,79}[!?]?/y;
const SPACE = /(?:\s|\\\n){0,400}/y;
/** Words of a list without quotes: `qw(a b)`, `%w[a b]`, `~w(a b)`. */
const WORD_LIST = /(?:qw|%w|%W|~w)\s{0,4}([([{|/<!])/y;
/** The same program again. */
const ITSELF: Readonly<Record<string, string>> = {
  "sys.executable": "python3",
  "process.execPath": "node",
  "process.argv0": "node",
  "RbConfig.ruby": "ruby",
  "Gem.ruby": "ruby",
  PHP_BINARY: "php",
};
/** Calls that give back the text they are given. */
const SAME =
  /^(?:str|String|Path|pathlib\.Path|PurePath|Text|repr|bytes|os\.path\.(?:abspath|normpath|realpath)|os\.fspath|path\.(?:normalize|resolve)|r|b|u|utf8|encode|to_string|URL|fileURLWithPath|shlex\.quote|quote|shQuote|escapeshellarg|escapeshellcmd|Shellwords\.escape|normalizePath|path\.expand|as\.character)$/;
/** Calls that give back a path in the home folder for one that begins with `~`. */
const AT_HOME = /^(?:os\.path\.expanduser|expanduser|File\.expand_path|path\.expand|normalizePath|Path\.expand|file\.path)$/;
const LISTS =
  /^(?:c|list|tuple|Array|List|Seq|Vector|Arrays\.asList|List\.of|array|Cmd|as\.list|Array\.of|Array\.from|asList|ProcessBuilder|Process)$/;
const SPLITS = /^(?:shlex\.split|Shellwords\.split|Shellwords\.shellwords|shellwords|strsplit|explode|split|shell_split)$/;
const JOINS = /^(?:paste|paste0|str_c|glue|str|string|concat|implode|join|shlex\.join|Shellwords\.join|shelljoin|format!)$/;
const FORMATS = /^(?:sprintf|format|string\.format|String\.format|printf|util\.format)$/;
/** The program's arguments, one of them or all. */
const GIVEN =
  /^[@*.]{0,3}\\?[@$]?(sys\.argv|process\.argv|Bun\.argv|ARGV|argv|Deno\.args|ARGS|arg)(?:\[(\d)\]|\[\d:\]|\.slice\(\d\)|\.(first|shift|pop)(?:\(\))?)?$/;
/** Languages in whose texts a name with a sign in front stands for its value. */
const SIGILS = /^-?(?:perl|php|groovy|julia|tclsh|expect)/;
const HASHES = /^(?:j?ruby|elixir|iex)/;
const BRACED = /^(?:node|nodejs|tsx|ts-node|deno|bun|zx|groovy|scala|osascript)/;
/** Languages in which a dot puts texts together; in the others it calls a method, as further signs do. */
const DOTTED = /^-?(?:perl|php)/;
const METHOD = /^\s{0,40}(?:\.|\?\.|::|&\.|:(?=[a-z]{1,20}\(["')*]))([A-Za-z_]\w{0,60})[!?]?(\()?/;
const METHOD_BUT_DOT = /^\s{0,40}(?:->|::)([A-Za-z_]\w{0,60})(\()?/;
/** Languages in which two slashes begin a comment. */
const SLASHED = /^(?:node|nodejs|tsx|ts-node|deno|bun|zx|php|groovy|scala|swift|jshell)/;
/** Languages whose lists have no commas. */
const LISP = /^(?:clojure|bb|guile|racket)$/;

/** Reads the arguments of calls of one program. */
export class CallReader {
  readonly #code: string;
  readonly #literals: readonly Literal[];
  readonly #language: string;
  readonly #operands: readonly string[];
  readonly #names = new Map<string, readonly Gift[]>();
  #places: ReadonlyMap<number, Literal> | undefined;
  #end = 0;
  #depth = 0;
  #nested = 0;

  constructor(code: string, literals: readonly Literal[], language: string, operands: readonly string[] = []) {
    this.#operands = operands;
    this.#code = code;
    this.#literals = literals;
    this.#language = language;
  }

  /** The arguments behind a place: in parentheses that open there, or up to the end of the statement. */
  arguments(at: number): readonly Field[] {
    this.#end = Math.min(this.#code.length, at + REACH_CHARS);
    this.#depth = 0;
    const place = this.#skip(at);
    const open = this.#code.startsWith("?.(", place) ? place + 2 : place;
    return this.#code[open] === "(" ? this.#fields(open + 1, ")").fields : this.#fields(place, "").fields;
  }

  /** The arguments of a call of Lisp, whose parenthesis is open already. */
  rest(at: number): readonly Field[] {
    this.#end = Math.min(this.#code.length, at + REACH_CHARS);
    this.#depth = 0;
    return this.#fields(at, ")").fields;
  }

  /** The text or list that begins at a place. */
  valueAt(at: number): Value {
    this.#end = Math.min(this.#code.length, at + REACH_CHARS);
    this.#depth = 0;
    return this.#expression(this.#skip(at), "").value;
  }

  /** The values of a list or call from a place in it on. */
  listAt(at: number): readonly Field[] {
    this.#end = Math.min(this.#code.length, at + REACH_CHARS);
    this.#depth = 0;
    return this.#fields(at, "").fields;
  }

  /** What a literal is in this language, with what is put into it. */
  textOf(literal: Literal): Value {
    return { text: this.#pieces(literal, this.#prefixOf(literal)), from: [literal.start] };
  }

  /** The literal that begins at a place. */
  literalAt(at: number): Literal | undefined {
    this.#places ??= new Map(this.#literals.map((literal) => [literal.start, literal]));
    return this.#places.get(at);
  }

  #prefixOf(literal: Literal): string {
    return /(?<![\w.$])[rfbuRFBUs]{1,2}$/.exec(this.#code.slice(Math.max(0, literal.start - 3), literal.start))?.[0] ?? "";
  }

  #skip(at: number): number {
    let place = at;
    for (let comments = 0; ; comments++) {
      SPACE.lastIndex = place;
      place += SPACE.exec(this.#code)?.[0].length ?? 0;
      const comment = comments < ARGUMENTS_MAX ? /^(?:#(?![{("])|\/\/)/.exec(this.#code.slice(place, place + 2))?.[0] : undefined;
      if (comment === undefined || (comment === "//") !== SLASHED.test(this.#language)) return place;
      const end = this.#code.indexOf("\n", place);
      if (end < 0) return place;
      place = end;
    }
  }

  #fields(from: number, closer: string): { readonly fields: readonly Field[]; readonly at: number } {
    const fields: Field[] = [];
    if (++this.#depth > DEPTH_MAX) {
      this.#depth--;
      return { fields, at: this.#past(from, closer) };
    }
    const code = this.#code;
    let at = this.#skip(from);
    while (at < this.#end && fields.length < ARGUMENTS_MAX) {
      const char = code[at] as string;
      if (closer === "" ? /[;)\]}]/.test(char) : char === closer) break;
      if (char === "," || (closer !== "" && (char === ";" || char === ")" || char === "]" || char === "}"))) {
        at = this.#skip(at + 1);
        continue;
      }
      // `k=…`, `k: …`, `:k => …`, `{:k, …}`.
      const key = /^:?(\w{1,60})\s{0,20}(?:=(?![=~])>?|:(?!:))|^:(\w{1,60})(?=\s)/.exec(code.slice(at, at + 100));
      let name = key?.[1] ?? key?.[2];
      let place = key === null ? at : this.#skip(at + key[0].length);
      let one = this.#expression(place, closer);
      const arrow = /^\s{0,20}(?:=>|:(?!:))/.exec(code.slice(one.at, one.at + 30))?.[0];
      const [only] = one.value.text ?? [];
      if (name === undefined && arrow !== undefined && closer !== "" && typeof only === "string" && one.value.text?.length === 1) {
        name = only;
        place = this.#skip(one.at + arrow.length);
        one = this.#expression(place, closer);
      }
      fields.push({ key: name, value: one.value });
      const next = this.#skip(one.at);
      if (closer === "" && code[next] !== ",") {
        at = next;
        break;
      }
      at = next > at ? next : at + 1;
    }
    this.#depth--;
    return { fields, at: code[at] === closer ? at + 1 : closer === "" ? at : this.#past(at, closer) };
  }

  /** Behind the closing bracket, whatever stands in front of it. */
  #past(from: number, closer: string): number {
    let depth = 0;
    for (let at = from; at < this.#end; at++) {
      const literal = this.literalAt(at);
      if (literal !== undefined) at = literal.end - 1;
      else if (/[([{]/.test(this.#code[at] as string)) depth++;
      else if (/[)\]}]/.test(this.#code[at] as string) && depth-- <= 0) return at + (this.#code[at] === closer ? 1 : 0);
    }
    return this.#end;
  }

  #expression(from: number, closer: string): { readonly value: Value; readonly at: number } {
    let { value, at } = this.#term(from);
    for (let count = 0; count < ARGUMENTS_MAX && at < this.#end; count++) {
      const sign =
        /^\s{0,40}(?:\\\n\s{0,40})?(\+\+|\+|\/(?=\s{0,4}["'])|\.\.|\.(?=\s{0,4}["'$\w(])|<>|&(?!&)|~|%(?=\s{0,4}[\w("'[$])|\*(?!\*))(?!=)\s{0,40}/.exec(
          this.#code.slice(at, at + 140),
        );
      if (sign === null) break;
      const next = this.#term(at + sign[0].length);
      if (sign[1] === "%") value = this.#filled(value, [next.value]);
      else value = joined(sign[1] === "/" ? joined(value, { text: ["/"], from: [] }) : value, next.value);
      at = next.at;
    }
    // A literal that stands right behind another one is the same text.
    for (let count = 0; count < ARGUMENTS_MAX && value.text !== undefined && !LISP.test(this.#language); count++) {
      const place = this.#skip(at);
      const ahead = /^[rfbuRFBU]{0,2}(?=["'])/.exec(this.#code.slice(place, place + 4))?.[0].length ?? 0;
      if (closer === "" || this.literalAt(place + ahead) === undefined) break;
      const next = this.#term(place);
      value = joined(value, next.value);
      at = next.at;
    }
    // Anything else up to the next argument belongs to it and is not known.
    const end = LISP.test(this.#language) ? at : this.#argumentEnd(at, closer);
    // `x if c else y`, `x || y`: the first is what it may be; of a comparison nothing is known.
    const rest = this.#code.slice(at, at + 50);
    const computed = closer !== "" && end > this.#skip(at) && /^\s{0,40}(?:\?(?!\.)|<|>|==|-|for\b)/.test(rest);
    return { value: computed ? this.#gap(from, end) : value, at: end };
  }

  #argumentEnd(from: number, closer: string): number {
    let depth = 0;
    for (let at = from; at < this.#end; at++) {
      const literal = this.literalAt(at);
      const char = this.#code[at] as string;
      if (literal !== undefined) at = literal.end - 1;
      else if (/[([{]/.test(char)) depth++;
      else if (/[)\]}]/.test(char) && depth-- <= 0) return at;
      else if (depth === 0 && (char === "," || char === ";" || (closer === "" && char === "\n"))) return at;
      else if (depth === 0 && closer !== "" && (this.#code.startsWith("=>", at) || (char === ":" && this.#code[at + 1] !== ":"))) return at;
    }
    return this.#end;
  }

  #gap(start: number, end: number): Value {
    return { text: [{ start, end }], from: [] };
  }

  #term(from: number): { readonly value: Value; readonly at: number } {
    const code = this.#code;
    if (++this.#depth > DEPTH_MAX) {
      this.#depth--;
      const end = this.#argumentEnd(from, ",");
      return { value: this.#gap(from, end), at: end };
    }
    const term = this.#plain(from);
    this.#depth--;
    let { value, at } = term;
    for (let count = 0; count < DEPTH_MAX; count++) {
      if (value.text?.length === 1 && typeof value.text[0] === "object" && at - from < 80 && HOME_WORDS.test(code.slice(from, at).trim()))
        value = { text: [{ start: -1, end: -1 }], from: [] };
      const step = (DOTTED.test(this.#language) ? METHOD_BUT_DOT : METHOD).exec(code.slice(at, at + 110));
      if (step === null) {
        // An index or a further call makes something else of it.
        if (
          !(DOTTED.test(this.#language) ? /^[[({]/ : /^[[(]/).test(code.slice(at, at + 1)) ||
          value.text === undefined ||
          !value.text.some((piece) => typeof piece !== "string")
        )
          break;
        at = this.#past(at + 1, code[at] === "(" ? ")" : code[at] === "{" ? "}" : "]");
        value = this.#gap(from, at);
        continue;
      }
      const [whole, method = "", open] = step;
      at += whole.length;
      const inner = open === undefined ? undefined : this.#fields(at, ")");
      at = inner?.at ?? at;
      if (/^(?:split|shellsplit|shellwords)$/.test(method) && value.text !== undefined) value = { ...value, split: true };
      else if (method === "format" && value.text !== undefined)
        value = this.#filled(
          value,
          inner?.fields.map((field) => field.value),
        );
      else if (/^(?:concat|plus|union)$/.test(method) && inner !== undefined)
        value = inner.fields.reduce((whole_, field) => joined(whole_, field.value), value);
      else if (method === "join" && value.list !== undefined) value = spaced(value.list);
      else if (method === "join" && inner?.fields[0]?.value.list !== undefined) value = spaced(inner.fields[0].value.list);
      else if (/^(?:joinpath|join|append)$/.test(method) && value.text !== undefined && inner !== undefined && isHome(value.text[0]))
        value = inner.fields.reduce((whole, field) => joined(joined(whole, { text: ["/"], from: [] }), field.value), value);
      else if (
        value.text?.some((piece) => typeof piece !== "string") === true &&
        !/^(?:encode|strip|trim|chomp|to_s|toString|quiet)$/.test(method)
      )
        value = this.#gap(from, at);
    }
    const [gap, more] = value.text ?? [];
    const home = more === undefined && typeof gap === "object" && gap.start >= 0 && HOME_WORDS.test(code.slice(gap.start, gap.end).trim());
    if (home) return { value: { text: [{ start: -1, end: -1 }], from: [] }, at };
    const given = more === undefined && typeof gap === "object" ? this.#given(code.slice(from, at)) : undefined;
    return { value: given ?? value, at };
  }

  /** What one of the program's arguments is, or all of them. */
  #given(text: string): Value | undefined {
    const operands = this.#operands;
    if (operands.length === 0) return undefined;
    const match = GIVEN.exec(text.trim());
    if (match === null)
      return /^shift(?:\s{1,4}@ARGV|\(@ARGV\)|\(\))?$/.test(text.trim()) ? { text: [operands[0] as string], from: [] } : undefined;
    const [, name = "", index, one] = match;
    if (one !== undefined) return { text: [(one === "pop" ? operands.at(-1) : operands[0]) as string], from: [] };
    if (index === undefined) return { list: operands.map((operand) => ({ text: [operand], from: [] })), from: [] };
    const zero = name === "Deno.args" || (name === "ARGV" && /^-?j?(?:perl|ruby)/.test(this.#language));
    const operand = operands[Number(index) - (zero ? 0 : 1)];
    return operand === undefined ? undefined : { text: [operand], from: [] };
  }

  #plain(from: number): { readonly value: Value; readonly at: number } {
    const code = this.#code;
    let at = from;
    // What spreads a list, a type, a sign in front of a text.
    const lead =
      /^(?:\*{1,2}(?=[\w[("'@$%{])|quoted form of\s{1,8}|\.\.\.|new\s{1,8}(?=[\w\\])|await\s{1,8}|~c(?=["'])|\\(?=[@%])|@(?=["'])|#(?=["({]))/.exec(
        code.slice(at, at + 20),
      );
    at += lead?.[0].length ?? 0;
    WORD_LIST.lastIndex = at;
    const words = WORD_LIST.exec(code);
    if (words !== null) {
      const open = words[1] as string;
      const begin = at + words[0].length;
      const end = code.indexOf(open === "(" ? ")" : open === "[" ? "]" : open === "{" ? "}" : open === "<" ? ">" : open, begin);
      const list = code.slice(begin, end < 0 ? this.#end : end).split(/\s+/);
      const value = list.filter((word) => word !== "").map((word): Value => ({ text: [word], from: [] }));
      return { value: { list: value, from: [] }, at: end < 0 ? this.#end : end + 1 };
    }
    const prefix = /^[rfbuRFBUs]{1,2}(?=["'`])/.exec(code.slice(at, at + 3))?.[0] ?? "";
    const literal = this.literalAt(at + prefix.length);
    if (literal !== undefined) return { value: { text: this.#pieces(literal, prefix), from: [literal.start] }, at: literal.end };
    const symbol = /^:(\w{1,60})/.exec(code.slice(at, at + 64));
    if (symbol !== null) return { value: { text: [symbol[1] as string], from: [] }, at: at + symbol[0].length };
    const long = code.startsWith("[[", at) && /^lua/.test(this.#language) ? code.indexOf("]]", at) : -1;
    if (long >= 0) return { value: { text: [code.slice(at + 2, long)], from: [] }, at: long + 2 };
    const char = code[at];
    if (char === "[" || char === "(" || char === "{") {
      const closer = char === "[" ? "]" : char === "(" ? ")" : "}";
      const { fields, at: end } = this.#fields(at + 1, closer);
      const [only] = fields;
      if (char === "(" && fields.length === 1 && only !== undefined && !/,\s{0,20}\)$/.test(code.slice(Math.max(at, end - 22), end)))
        return { value: only.value, at: end };
      if (char === "{" && fields.some(({ key }) => key !== undefined)) return { value: { fields, from: [] }, at: end };
      return { value: listOf(fields), at: end };
    }
    NAME.lastIndex = at;
    const first = NAME.exec(code)?.[0];
    if (first === undefined) {
      const end = Math.max(at + 1, this.#argumentEnd(at, ","));
      return { value: this.#gap(from, end), at: end };
    }
    const chain =
      first + (/^(?:(?:\.|::|->|\\)[A-Za-z_]\w{0,60}){0,5}/.exec(code.slice(at + first.length, at + first.length + 320))?.[0] ?? "");
    const itself = ITSELF[chain];
    if (itself !== undefined) return { value: { text: [itself], from: [] }, at: at + chain.length };
    const behind = at + chain.length;
    const bare = chain.replace(/^[$@&%\\]{1,2}/, "");
    const opens = /^(?:\[\])?\s{0,4}([({])/.exec(code.slice(behind, behind + 8));
    // `String[]{…}`, `Seq[String](…)`.
    if (opens !== null && (opens[1] === "(" || lead?.[0].startsWith("new") === true || first.startsWith("@"))) {
      const open = behind + opens[0].length;
      const { fields, at: end } = this.#fields(open, opens[1] === "(" ? ")" : "}");
      return { value: this.#called(bare, fields, from, end), at: end };
    }
    if (chain !== first) {
      const called = code[behind] === "(" ? this.#fields(behind + 1, ")").at : behind;
      return { value: this.#gap(from, called), at: called };
    }
    return { value: this.#named(bare, at) ?? this.#gap(from, behind), at: behind };
  }

  #called(name: string, fields: readonly Field[], from: number, end: number): Value {
    const values = fields.filter(({ key }) => key === undefined).map(({ value }) => value);
    const [first] = values;
    if (AT_HOME.test(name) && first?.text !== undefined) {
      const [piece, ...others] = first.text;
      if (typeof piece === "string" && (piece === "~" || piece.startsWith("~/")))
        return { ...first, text: [{ start: -1, end: -1 }, piece.slice(1), ...others] };
      return first;
    }
    if (/^(?:dict|Hash)$/.test(name)) return { fields, from: [] };
    if (/^(?:implode|join)$/.test(name) && values.length > 1) {
      const lists = values.filter(({ list }) => list !== undefined);
      return spaced(lists.length > 0 ? lists.flatMap(({ list }) => list ?? []) : values.slice(1));
    }
    if (SPLITS.test(name)) {
      const text = values.find((value) => (value.text?.length ?? 0) > 0 && value.text?.join("") !== " ");
      if (text !== undefined) return { ...text, split: true };
    }
    if (FORMATS.test(name) && first !== undefined) return this.#filled(first, values.slice(1));
    if (/^(?:String|string|Array|array|\w{0,20})\[\]$/.test(name) || LISTS.test(name)) return listOf(fields);
    if (JOINS.test(name) && values.length > 1 && !AT_HOME.test(name))
      return name === "paste" ? spaced(values) : values.reduce((whole, value) => joined(whole, value), { text: [], from: [] } as Value);
    if (SAME.test(name) && first !== undefined && values.length === 1) return first;
    if (/^(?:os\.)?path\.join$|^File\.join$|^file\.path$|^joinpath$|^Path\.join$/.test(name) && values.length > 0)
      return values.reduce((whole, value) => joined(joined(whole, { text: ["/"], from: [] }), value));
    if (/^(?:String|string)$/.test(name)) return listOf(fields);
    return this.#gap(from, end);
  }

  /** A text with `%s`, `{}` filled in order. */
  #filled(value: Value, given: readonly Value[] | undefined): Value {
    if (value.text === undefined) return value;
    const values = [...(given ?? [])].flatMap((one) => one.list ?? [one]);
    const from = [...value.from];
    const pieces: Piece[] = [];
    for (const piece of value.text) {
      if (typeof piece !== "string") {
        pieces.push(piece);
        continue;
      }
      let at = 0;
      for (const { 0: hole, index } of piece.matchAll(/%[\d$.-]{0,8}[sdrq@]|\{\w{0,20}(?::[^{}]{0,10})?\}/g)) {
        const next = values.shift();
        if (next === undefined) break;
        pieces.push(piece.slice(at, index), ...(next.text ?? []));
        from.push(...next.from);
        at = index + hole.length;
      }
      pieces.push(piece.slice(at));
    }
    return { ...value, text: merged(pieces.filter((piece) => piece !== "")), from };
  }

  /** What a literal holds, cut where the language puts something in. */
  #pieces(literal: Literal, prefix: string): readonly Piece[] {
    const { value, start } = literal;
    const quote = this.#code[start];
    const language = this.#language;
    const raw = quote === "'" && !/^-?python|^py|^ipython/.test(language);
    const holes = /f/i.test(prefix)
      ? /\{([^{}\n]{1,200})\}/g
      : raw
        ? undefined
        : HASHES.test(language)
          ? /#\{([^{}\n]{1,200}(?:\{[^{}\n]{0,80}\}[^{}\n]{0,80})?)\}/g
          : SIGILS.test(language)
            ? /\{?\$\{?([A-Za-z_]\w{0,79}(?:->)?(?:\[[^\]\n]{0,80}\]|\{[^}\n]{0,80}\})?)\}{0,2}|\$\(([^()\n]{0,80}\([^()\n]{0,80}\)|[^()\n]{1,200})\)|\$env\((HOME)\)|(@ARGV)\b/g
            : quote === "`" && BRACED.test(language)
              ? /\$\{([^{}\n]{1,200}(?:\{[^{}\n]{0,80}\}[^{}\n]{0,80})?)\}/g
              : prefix === "s" || /^scala/.test(language)
                ? /\$\{?([A-Za-z_]\w{0,79})\}?/g
                : undefined;
    if (holes === undefined) return [value];
    const pieces: Piece[] = [];
    let at = 0;
    let seen = start;
    for (const match of value.matchAll(holes)) {
      const inner = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
      const place = this.#code.indexOf(inner, seen);
      const known = place < 0 || place >= literal.end;
      const gap: Gap = known ? { start, end: literal.end } : { start: place, end: place + inner.length };
      seen = known ? seen : place + inner.length;
      const text = /^(["'])([^"'\\]{0,400})\1$/.exec(inner)?.[2];
      const named =
        text !== undefined ? { text: [text], from: [] } : /^\w{1,80}$/.test(inner) ? this.#named(inner, start) : this.#inText(inner);
      pieces.push(value.slice(at, match.index), ...(HOME_WORDS.test(inner) ? [{ start: -1, end: -1 }] : (named?.text ?? [gap])));
      at = match.index + match[0].length;
    }
    pieces.push(value.slice(at));
    return pieces.filter((piece) => piece !== "");
  }

  #inText(inner: string): Value | undefined {
    const given = this.#given(inner);
    return given?.list === undefined ? given : spaced(given.list);
  }

  /** The text or list that a name holds at a place: what it was given last in front of it, and what was put to that. */
  #named(name: string, before: number): Value | undefined {
    const given = this.#gifts(name);
    let value: Value | undefined;
    const options: Value[] = [];
    for (const gift of given) {
      // What is given only behind the place may come first all the same, in a function.
      if (gift.at >= before && value !== undefined) break;
      if (gift.more) value = value === undefined ? undefined : joined(value, gift.value);
      else value = gift.value;
      if (value !== undefined && isKnown(value)) options.push(...(gift.each === true ? (value.list ?? []) : [value]));
      if (gift.each === true && value?.list !== undefined) value = { ...(value.list.at(-1) ?? value), from: value.from };
    }
    if (value === undefined || !isKnown(value)) return options.length === 0 ? undefined : { ...(options.at(-1) as Value), options };
    return options.length > 1 ? { ...value, options } : value;
  }

  /** Everything that a name is given, in order; parsed once. */
  #gifts(name: string): readonly Gift[] {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size >= CHOSEN.code_names || this.#nested >= NAMES_MAX || name === "") return [];
    const gifts: Gift[] = [];
    this.#names.set(name, gifts);
    this.#nested++;
    const end = this.#end;
    const code = this.#code;
    let uses = 0;
    for (let at = code.indexOf(name); at >= 0 && uses < CHOSEN.code_name_uses; at = code.indexOf(name, at + name.length)) {
      if (/[\w.]/.test(code[at - 1] ?? "") || /\w/.test(code[at + name.length] ?? "")) continue;
      uses++;
      const gift = this.#gift(name, at);
      if (gift !== undefined) gifts.push(gift);
    }
    this.#end = end;
    this.#nested--;
    return gifts;
  }

  /** What the name at a place is given there. */
  #gift(name: string, at: number): Gift | undefined {
    const code = this.#code;
    const behind = code.slice(at + name.length, at + name.length + 60);
    const front = code.slice(Math.max(0, at - 90), at);
    this.#end = Math.min(code.length, at + REACH_CHARS);
    const given = /^\s{0,8}(?::\s{0,4}[\w[\]., ]{1,40}\s{0,8})?(\+=|\.=|\.\.=|:?=(?![=>~])|<-(?!-))\s{0,20}/.exec(behind);
    const place = (step: string): number => this.#skip(at + name.length + step.length);
    if (given !== null) {
      const more = !/^:?=$|<-/.test(given[1] ?? "");
      return { at, more, value: this.#expression(place(given[0]), "").value };
    }
    const put = /^\s{0,2}(?:\.(?:append|push|extend|concat|add|addAll)\(|<<\s{0,8})/.exec(behind)?.[0];
    if (put?.endsWith("(") === true) {
      const list = this.#fields(at + name.length + put.length, ")").fields.flatMap(({ value }) => value.list ?? [value]);
      return { at, more: true, value: { list, from: list.flatMap(({ from }) => from) } };
    }
    if (put !== undefined) {
      const { value } = this.#expression(place(put), "");
      return { at, more: true, value: { list: [value], from: value.from } };
    }
    const comma = /^\s{0,4},/.exec(behind)?.[0];
    if (comma !== undefined && /\bpush\s{0,4}\(?\s{0,4}@$/.test(front)) {
      const list = this.#fields(place(comma), "").fields.map(({ value }) => value);
      return { at, more: true, value: { list, from: list.flatMap(({ from }) => from) } };
    }
    const inside = /^\s{0,8}(?:in|of)\s{1,8}|^\s{0,8}\(?(?=qw|\(?["'@])/.exec(behind)?.[0];
    if (inside !== undefined && /\b(?:for|foreach)\s{0,4}\(?\s{0,4}(?:my\s{1,4}|const\s{1,4}|let\s{1,4}|var\s{1,4})?\$?$/.test(front))
      return { at, more: false, each: true, value: this.#expression(place(inside), "").value };
    // One of several names that are given a list: `my ($a, $b) = (…)`, `a, b = …`.
    const tuple = /^[\w\s,$@]{0,80}\)?\s{0,8}=(?![=>~])\s{0,8}\(?/.exec(behind)?.[0];
    if (tuple === undefined || !/^[\s,)]/.test(tuple) || !(comma !== undefined || /[,(]\s{0,4}[$@]?$/.test(front))) return undefined;
    let index = 0;
    for (let at_ = front.length - 1; at_ >= 0 && /[\w\s,$@]/.test(front[at_] as string); at_--) if (front[at_] === ",") index++;
    const { fields } = this.#fields(place(tuple), tuple.endsWith("(") ? ")" : "");
    const value = fields.length === 1 ? fields[0]?.value.list?.[index] : fields[index]?.value;
    return value === undefined ? undefined : { at, more: false, value };
  }
}

/** A place where a name is given something: instead of what it held, or on top of it. */
interface Gift {
  readonly at: number;
  readonly more: boolean;
  readonly value: Value;
  /** The name stands for one of the list after the other. */
  readonly each?: true;
}

function isHome(piece: Piece | undefined): boolean {
  return typeof piece === "object" && piece.start < 0;
}

function isKnown({ text, list }: Value): boolean {
  return list !== undefined || text?.some((piece) => typeof piece === "string" || piece.start < 0) === true;
}

/** The home folder, in the words of a language. */
const HOME_WORDS =
  /^\$?(?:Dir\.home|Dir\.home\(\)|E?ENV\[["']HOME["']\]|ENV\{["']?HOME["']?\}|(?:process|Bun)\.env(?:\.HOME|\[["']HOME["']\])|Deno\.env\.get\(["']HOME["']\)|(?:require\(["'](?:node:)?os["']\)\.|os\.)?homedir\(\)|os\.environ(?:\[|\.get\()["']HOME["'][\])]|(?:os|Sys)?\.?getenv\(["']HOME["']\)|(?:pathlib\.)?Path\.home\(\)|os\.path\.expanduser\(["']~["']\)|_(?:SERVER|ENV)\[["']?HOME["']?\]|System\.getenv\(["']HOME["']\)|System\.getProperty\(["']user\.home["']\)|env\(HOME\)|HOME)$/;

function listOf(fields: readonly Field[]): Value {
  const list = fields.map(({ value }) => value);
  return { list, from: list.flatMap(({ from }) => from) };
}

/** One value behind another: texts and lists alike. */
function joined(left: Value, right: Value): Value {
  const from = [...left.from, ...right.from];
  if (left.list !== undefined || right.list !== undefined) {
    const list = [...(left.list ?? [left]), ...(right.list ?? [right])];
    return { list, from };
  }
  return { text: merged([...(left.text ?? []), ...(right.text ?? [])]), from };
}

function merged(pieces: readonly Piece[]): readonly Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (typeof last === "string" && typeof piece === "string") whole[whole.length - 1] = last + piece;
    else whole.push(piece);
  }
  return whole;
}

function spaced(values: readonly Value[]): Value {
  return {
    text: values.flatMap((value, index) => [
      ...(index === 0 ? [] : [" "]),
      ...(value.text ?? value.list?.flatMap(({ text }) => [...(text ?? []), " "]) ?? []),
    ]),
    from: values.flatMap(({ from }) => from),
  };
}
