/**
 * The commands that program code starts, in whatever language: `subprocess.run([…])`, `spawn('curl', […])`, `` `…` ``,
 * `open(F, "-|", …)`. No language is parsed: calls are known by their names, and `words.ts` reads what they are given.
 *
 * Trust: the code is hostile. Places that are looked at are bounded; what a program is started by without being named here is not seen.
 */
import { CHOSEN } from "../../limits.ts";
import { startingNames } from "./aliases.ts";
import { CallReader, type Field, type Gap, type Piece, type Value } from "./words.ts";
import type { Literal } from "../text.ts";
import type { StartedCommand } from "./shell.ts";
import { STARTS, type Shape, shapeOf } from "./calls.ts";

/** What the code starts, and the literals that went into it. */
export interface StartedCommands {
  readonly commands: readonly StartedCommand[];
  readonly used: ReadonlySet<number>;
  readonly cut: boolean;
}

/** Places that are looked at in one program. */
const PLACES_MAX = 400;

/** Names of its own that are looked for. */
const NAMES_MAX = 200;

/** A call through a text: `getattr(subprocess, 'run')(…)`, `cp['spawn'](…)`, `require('execa')(…)`, `local['curl'](…)`. */
const INDIRECT =
  /(?:\bgetattr\(\s{0,4}(\w{1,40})\s{0,4},\s{0,4}["'](\w{1,40})["']\s{0,4}\)|\b(\w{1,40})\[["'](\w{1,40})["']\]|\brequire\(["']([\w-]{1,40})["']\)(?:\.(?:default|sync))?)(?=\s{0,4}\()/g;

/** Finds what the code starts. `operands`: the program's arguments, as far as they are known. */
export function startedCommands(
  code: string,
  literals: readonly Literal[],
  language: string,
  operands: readonly string[],
): StartedCommands {
  const found = new Found(code, literals, language, operands);
  found.quotes();
  found.calls();
  found.receivers();
  found.lists();
  found.handedOn();
  return { commands: found.commands, used: found.used, cut: found.cut };
}

class Found {
  readonly commands: StartedCommand[] = [];
  readonly used = new Set<number>();
  cut = false;
  readonly #code: string;
  readonly #literals: readonly Literal[];
  readonly #language: string;
  readonly #reader: CallReader;
  readonly #feeds: boolean;
  /** Where the code goes, by place, and the folder of the call that is looked at. */
  readonly #goes: readonly { readonly at: number; readonly folder: Value }[];
  #folder: Value | undefined;
  /** Something that starts commands is handed on, or given what is not known. */
  #unresolved = false;

  constructor(code: string, literals: readonly Literal[], language: string, operands: readonly string[]) {
    this.#code = code;
    this.#literals = literals;
    this.#language = language;
    this.#reader = new CallReader(code, literals, language, operands);
    this.#feeds = FEEDS.test(code);
    this.#unresolved = HIDDEN.test(code);
    this.#goes = [...code.matchAll(GOES)].slice(0, CHOSEN.code_names).map((match) => ({
      at: match.index,
      folder: this.#reader.valueAt(match.index + match[0].length),
    }));
  }

  /** The folder the code is in at a place. */
  #at(place: number): Value | undefined {
    return this.#goes.findLast(({ at }) => at < place)?.folder;
  }

  #add(command: Omit<StartedCommand, "fed" | "folder">, from: readonly number[], fed = this.#feeds): void {
    const folder = this.#folder;
    if (this.commands.length >= CHOSEN.code_commands) this.cut = true;
    else this.commands.push({ ...command, fed, ...(folder === undefined ? {} : { folder }) });
    for (const start of from) this.used.add(start);
  }

  /** Quotes of a shell: in the language itself, or as zx and Bun have them. */
  quotes(): void {
    const own = /^-?(?:perl|j?ruby|php|julia)/.test(this.#language);
    for (const literal of this.#literals) {
      this.#folder = this.#at(literal.start);
      if (this.#code[literal.start] !== "`") {
        // Groovy and Scala start a text itself.
        if (/^(?:groovy|scala)/.test(this.#language) && /^\.(?:execute\(|!)/.test(this.#code.slice(literal.end, literal.end + 9)))
          this.#text(this.#reader.textOf(literal));
        continue;
      }
      const tagged = /\$(?:\.\w{1,20}|\([^()`]{0,200}\)){0,2}$/.test(this.#code.slice(Math.max(0, literal.start - 230), literal.start));
      if (own || tagged) this.#text(this.#reader.textOf(literal));
    }
  }

  /** Calls by their names. */
  calls(): void {
    const names = startingNames(this.#code);
    let places = 0;
    let next = 0;
    const inLiteral = (at: number): boolean => {
      while (next < this.#literals.length && (this.#literals[next] as Literal).end <= at) next++;
      return (this.#literals[next]?.start ?? at + 1) <= at;
    };
    const pattern =
      names.size === 0
        ? STARTS
        : new RegExp(
            `${STARTS.source.slice(0, -"(?!\\w)".length)}|(?<![\\w.$@%&])(?:${[...names.keys()].slice(0, NAMES_MAX).join("|")})(?:\\.\\w{1,40})?(?!\\w)`,
            "g",
          );
    for (const { 0: word, index } of this.#code.matchAll(pattern)) {
      if (inLiteral(index)) continue;
      const before = ownerBefore(this.#code, index);
      const module = /(?:__import__|import_module)\(["'](\w{1,40})["']\)\.$/.exec(this.#code.slice(Math.max(0, index - 80), index))?.[1];
      const chain = spelled(`${module === undefined ? before : `${module}.`}${word}`, names);
      const shape = shapeOf(chain, this.#language);
      if (shape === undefined) continue;
      if (++places > PLACES_MAX || this.cut) {
        this.cut = true;
        break;
      }
      const known = this.commands.length;
      this.#call(shape, index + word.length, index - before.length);
      this.#unresolved ||= known === this.commands.length && STRONG.test(chain.replace(/^:{1,2}/, ""));
    }
    for (const match of this.#code.matchAll(INDIRECT)) {
      if (++places > PLACES_MAX) break;
      const [whole, object, member, holder, key, module] = match;
      const program = holder === "local" ? key : undefined;
      const end = match.index + whole.length;
      if (program !== undefined) this.#words([textValue(program), ...positional(this.#reader.arguments(end))]);
      else if (module !== undefined && /^(?:execa|cross-spawn)$/.test(module)) this.#given("words", this.#reader.arguments(end));
      else if (module === undefined) {
        const shape = shapeOf(spelled(`${object ?? holder}.${member ?? key}`, names), this.#language);
        if (shape !== undefined) this.#call(shape, end, match.index);
      }
    }
    if (/^php/.test(this.#language))
      for (const match of this.#code.matchAll(/(?:\$\w{1,40}|\))(?=\()/g)) {
        // `$f("…")`, `("sys"."tem")("…")`.
        const open = match[0] === ")" ? this.#opens(match.index) : match.index;
        const [name, more] = (open < 0 || ++places > PLACES_MAX ? undefined : this.#reader.valueAt(open).text) ?? [];
        const shape = typeof name !== "string" || more !== undefined ? undefined : shapeOf(name, this.#language);
        if (shape !== undefined) this.#call(shape, match.index + match[0].length, open);
      }
    if (/\b(?:import sh\b|from sh import)/.test(this.#code))
      for (const match of this.#code.matchAll(/(?<![\w.])sh\.(\w{1,40})(?=\()/g))
        this.#words([textValue(match[1] ?? ""), ...positional(this.#reader.arguments(match.index + match[0].length))]);
  }

  #call(shape: Shape, end: number, start: number): void {
    this.#folder = this.#at(start);
    const code = this.#code;
    const lisp = /^(?:clojure|bb|guile|racket)/.test(this.#language);
    if (lisp) {
      if (code[start - 1] === "(") this.#given(shape, this.#reader.rest(end));
      return;
    }
    const ahead = code.slice(end, end + 40);
    // `system {"curl"} "x", …`: the program in front of its words.
    const block = /^-?perl/.test(this.#language) ? /^\s{0,8}\{/.exec(ahead) : null;
    if (block !== null) {
      const program = this.#reader.valueAt(end + block[0].length);
      const close = code.indexOf("}", end + block[0].length);
      if (close < 0 || close - end > 400) return;
      const words = flat(positional(this.#reader.arguments(close + 1)));
      return this.#words([program, ...words.slice(1)]);
    }
    // `(subprocess.run)(…)`.
    if (/^\s{0,4}\)\s{0,4}\(/.test(ahead) && /\(\s{0,4}$/.test(code.slice(Math.max(0, start - 5), start)))
      return this.#given(shape, this.#reader.arguments(code.indexOf("(", end)));
    const opens = /^\s{0,20}(?:\?\.)?\(/.test(ahead);
    const bare =
      /^\s{0,20}(?:["'`[]|\[\[|~c["']|\*?%[wqQ]|qw\b|qq?\s{0,4}[{([|!])/.test(ahead) ||
      (/^-?j?(?:perl|ruby)/.test(this.#language) && /^\s{1,8}[*@$A-Za-z{]/.test(ahead));
    if (!opens && !bare) return;
    this.#given(shape, this.#reader.arguments(end));
  }

  #given(shape: Shape, fields: readonly Field[]): void {
    const key = (name: RegExp): Value | undefined => fields.find((field) => field.key !== undefined && name.test(field.key))?.value;
    // Variables of the new process, and options, in braces.
    const objects = fields.filter(({ key: name, value }) => name === undefined && value.fields !== undefined);
    const inside = (name: RegExp): Value | undefined =>
      key(name) ??
      objects.flatMap(({ value }) => value.fields ?? []).find((field) => field.key !== undefined && name.test(field.key))?.value;
    this.#folder = inside(/^(?:cwd|chdir|current_dir|working_dir(?:ectory)?|cd)$/) ?? this.#folder;
    let given = positional(fields);
    if (shape === "mode argv" || shape === "factory words") given = given.slice(1);
    const [first, ...others] = given;
    switch (shape) {
      case "called": {
        const [target] = fields;
        const [name] = target?.value.text ?? [];
        const then = typeof name !== "string" ? undefined : shapeOf(name, this.#language);
        if (then !== undefined)
          this.#given(
            then,
            fields.slice(1).flatMap(({ value }) => (value.list ?? [value]).map((one) => ({ key: undefined, value: one }))),
          );
        return;
      }
      case "each":
        for (const value of given) this.#first(value, undefined);
        return;
      case "pipe":
        return this.#piped(given);
      case "program": {
        const from = given.findIndex(({ text }) => typeof text?.[0] === "string" && !/^\d*$/.test(text[0]));
        if (from >= 0) this.#words(given.slice(from));
        return;
      }
      case "argv":
      case "mode argv": {
        const program = first ?? key(/^(?:file|path)$/);
        const rest = flat(others.length === 0 ? [key(/^(?:args|argv)$/) ?? { from: [] }] : others);
        if (program?.text === undefined) return;
        // What follows a list, or is last and not known, is the environment.
        const words =
          others[0]?.list === undefined && others.length > 0 ? withoutLast(rest) : flat(others.length === 0 ? rest : others.slice(0, 1));
        return this.#words([program, ...words.slice(1)]);
      }
      case "pasted": {
        const program = first ?? key(/^command$/);
        const args = others[0] ?? key(/^args$/);
        if (program?.text === undefined) return;
        const words = flat(args === undefined ? [] : [args]).flatMap(({ text = [] }): readonly Piece[] => [" ", ...text]);
        return this.#add({ pieces: [...program.text, ...words] }, [...program.from, ...(args?.from ?? [])]);
      }
    }
    const file = inside(/^(?:file|program|executable|command)$/);
    const args = inside(/^(?:args|argv|arguments)$/);
    const whole = inside(/^(?:cmd|popenargs|cmdline|command_line|commandLine)$/);
    const isShell = inside(/^shell$/) !== undefined;
    const base = first ?? whole ?? (args !== undefined && shape === "first" ? args : file);
    if (base === undefined) return;
    if (shape === "first" || shape === "factory words") {
      if (shape === "factory words" && others.length > 0) return this.#words([base, ...others]);
      const executable = key(/^executable$/);
      for (const option of base.options ?? []) if (option !== base) this.#first(option, isShell ? undefined : executable);
      return this.#first(base, isShell ? undefined : executable);
    }
    const rest =
      first === undefined && args !== undefined && base === file
        ? (args.list ?? [args])
        : [...others, ...(args === undefined ? [] : [args])];
    // Node's binding takes the program's name once more.
    const again = first === undefined && base === file && sameText(rest[0], file) ? rest.slice(1) : rest;
    if (base.list !== undefined && again.length > 0 && /^j?ruby/.test(this.#language)) return this.#words([base.list[0] ?? base, ...again]);
    this.#words([base, ...again]);
  }

  /** A text for a shell, or a list of words. */
  #first(value: Value, executable: Value | undefined): void {
    if (value.list !== undefined) {
      const words = flat([value]);
      // Erlang's `{:spawn, "…"}`.
      const named = /^(?:elixir|iex)/.test(this.#language) && /^spawn/.test(String(words[0]?.text?.[0]));
      this.#words(executable === undefined ? words.slice(named ? 1 : 0) : [executable, ...words.slice(1)]);
    } else this.#text(value);
  }

  #text(value: Value): void {
    if (typeof value.text?.[0] === "string" && SHELL.test(value.text[0].trim()) && value.text.length === 1) this.#told();
    if (value.text !== undefined && typeof value.text[0] === "string") this.#add({ pieces: value.text }, value.from);
    else if (value.text?.[0] !== undefined && (value.text[0] as Gap).start < 0) this.#add({ pieces: value.text }, value.from);
  }

  #words(values: readonly Value[]): void {
    const words = withoutLast(flat(values), /^-?j?(?:perl|ruby)/.test(this.#language) || values.some(({ list }) => list !== undefined));
    const [first] = words;
    if (typeof first?.text?.[0] !== "string") return;
    if (words.length < 3 && SHELL.test(first.text[0])) this.#told();
    if (words.length === 1) return this.#text(first);
    this.#add(
      { pieces: [], words },
      words.flatMap(({ from }) => from),
    );
  }

  /** A shell that the code writes texts to. */
  #told(): void {
    for (const literal of this.#literals)
      if (TELLS.test(this.#code.slice(Math.max(0, literal.start - 40), literal.start))) this.#text(this.#reader.textOf(literal));
  }

  /** Perl's and Ruby's `open`, Tcl's as well: a program where a file's name may stand. */
  #piped(given: readonly Value[]): void {
    for (const [index, value] of given.slice(0, 2).entries()) {
      const [text] = value.text ?? [];
      if (typeof text !== "string") continue;
      if (/^\s{0,8}(?:-\||\|-)/.test(text)) {
        const rest = given.slice(index + 1);
        if (rest.length === 1 && rest[0] !== undefined) this.#first(rest[0], undefined);
        else this.#words(rest);
        return;
      }
      const last = value.text?.at(-1);
      const reads = typeof last === "string" && last.trimEnd().endsWith("|");
      const writes = text.trimStart().startsWith("|");
      if (!reads && !writes) continue;
      const pieces = (value.text ?? []).map((piece, at, all): Piece => {
        if (typeof piece !== "string") return piece;
        const begun = at === 0 && writes ? piece.trimStart().slice(1) : piece;
        return at === all.length - 1 && reads ? begun.trimEnd().slice(0, -1) : begun;
      });
      return this.#add({ pieces }, value.from, writes || this.#feeds);
    }
  }

  /** Lists that start themselves, and a process whose program and words are set one by one. */
  receivers(): void {
    if (/^(?:groovy|scala)/.test(this.#language))
      for (const match of this.#code.matchAll(/[\])](?: as String\[\])?\)?\.(?:execute\(|!)/g)) {
        const open = this.#opens(match.index);
        if (open < 0) continue;
        const from = /(?:Seq|List|Array)$/.exec(this.#code.slice(Math.max(0, open - 6), open))?.[0].length ?? 0;
        this.#first(this.#reader.valueAt(open - from), undefined);
      }
    const path = /(?:\bexecutableURL\s{0,4}=\s{0,4}URL\(\s{0,4}(?:fileURLWithPath|filePath):\s{0,4}|\blaunchPath\s{0,4}=\s{0,4})(?=")/.exec(
      this.#code,
    );
    const words = path === null ? null : /\.arguments\s{0,4}=\s{0,4}(?=\[)/.exec(this.#code);
    if (path !== null && words !== null)
      this.#words([this.#reader.valueAt(path.index + path[0].length), this.#reader.valueAt(words.index + words[0].length)]);
  }

  /**
   * `map(os.system, […])`, `Thread(target=subprocess.run, args=…)`: where a start is not resolved, any command that sends and
   * stands in the code unused may be what is started.
   */
  handedOn(): void {
    if (!this.#unresolved) return;
    for (const literal of this.#literals) {
      if (this.used.has(literal.start) || this.cut) continue;
      if (TOLD.test(this.#code.slice(Math.max(0, literal.start - 40), literal.start))) continue;
      this.#folder = this.#at(literal.start);
      if (COMMAND.test(literal.value)) this.#text(this.#reader.textOf(literal));
      else if (PROGRAM.test(literal.value)) this.#words(positional(this.#reader.listAt(literal.start)));
    }
  }

  #opens(close: number): number {
    let depth = 0;
    for (let at = close; at >= Math.max(0, close - 2_000); at--) {
      if (/[)\]]/.test(this.#code[at] as string)) depth++;
      else if (/[([]/.test(this.#code[at] as string) && --depth === 0) return at;
    }
    return -1;
  }

  /** Lists of words and quotes of their own: `exec qw(cat f)`, `%x(cat f)`, `qx{cat f}`; Tcl's and expect's `spawn cat f`. */
  lists(): void {
    if (/^ipy/.test(this.#language))
      for (const match of this.#code.matchAll(/(?:^|\n)[ \t]{0,40}!{1,2}([^\n]{1,2000})/g)) this.#add({ pieces: [match[1] ?? ""] }, []);
    const kept = new Map<string, string>();
    if (/^(?:tclsh|expect)/.test(this.#language))
      for (const match of this.#code.matchAll(/\bset[ \t]{1,8}(\w{1,60})[ \t]{1,8}["{]?([^\s"{}[\];]{1,1000})/g))
        kept.set(match[1] ?? "", match[2] ?? "");
    const add = (text: string): void => {
      const home = text.replace(/\$ENV\{["']?HOME["']?\}|\$env\(HOME\)/g, "$HOME");
      this.#add({ pieces: [kept.size === 0 ? home : home.replace(/\$(\w{1,60})/g, (name, word: string) => kept.get(word) ?? name)] }, []);
    };
    for (const match of this.#code.matchAll(/(?:\bqx|%x)\s{0,4}[([{|<!]([^)\]}|>!\n]{1,2000})/g)) add(match[1] ?? "");
    for (const match of this.#code.matchAll(/(?:^|[;{[\n])[ \t]{0,64}(?:spawn|exec)[ \t](?![ \t]{0,8}(?:qw|%w|["'(]))([^;\n}\]]{1,2000})/g))
      add(match[1] ?? "");
    for (const match of this.#code.matchAll(/\bopen[ \t]{1,8}(?:\{\||\|\[list[ \t]|\|(?=\w))([^;\n}\]]{1,2000})/g)) add(match[1] ?? "");
  }
}

/** Names that start commands and mean nothing else. */
const STRONG =
  /^(?:(?:os|subprocess|pty|posix|Kernel|Process|child_process|cp|CORE)(?:\.|::)\w{1,20}|system2?|popen|Popen|execSync|execFile(?:Sync)?|spawn(?:Sync)?|shell_exec|passthru|proc_open|exec[lv]p?e?|execa\w{0,11}|check_output|check_call|getoutput|create_subprocess_\w{4,5}|os\.execute|io\.popen)$|\.(?:execSync|execFile(?:Sync)?|spawnSync|spawn|system|popen)$/;

/** Such a name put together, or taken out of its module. */
const HIDDEN =
  /\b(?:getattr|vars)\(\s{0,4}(?:os|subprocess|posix)\b|\b(?:os|subprocess)\.__dict__|child_process["']\)\[|\bReflectionFunction\b|\bregister_shutdown_function\b/;

/** A text that is a command which sends, and the name of such a program. */
const COMMAND =
  /^\s{0,8}(?:[\w./-]{0,80}\/)?(?:curl|wget|nc|ncat|socat|scp|sftp|rsync|ssh|t?ftp|telnet|openssl|aws|gsutil|gcloud|az|s3cmd|rclone|gh|glab|https?|xh|(?:ba|z|da)?sh)\s/;

const PROGRAM =
  /^(?:[\w./-]{0,80}\/)?(?:curl|wget|nc|ncat|socat|scp|sftp|rsync|ssh|t?ftp|telnet|openssl|aws|gsutil|gcloud|az|s3cmd|rclone|gh|glab|xh|(?:ba|z|da)?sh)$/;

/** In front of a text that a person reads. */
const TOLD =
  /(?:\b(?:print|puts|echo|say|log|info|warn|error|debug|write|exit|raise|Error|Exception)\s{0,2}\(?|\b(?:help|description|usage|epilog|message|doc)\s{0,2}[=:])\s{0,4}[bfr]?$/;

const SHELL = /^(?:\S{0,40}\/)?(?:ba|z|da|k|a)?sh$/;

/** In front of a text that goes to a program's standard input. */
const TELLS = /(?:\binput\s{0,4}[=:]|\bstdin_data:|\bcommunicate\(|\.(?:end|write|puts|print|sendline|send)\s{0,2}\(?)\s{0,4}[bfr]?$/;

/** Calls that go to another folder, up to its name. */
const GOES = /(?:\b(?:os\.chdir|process\.chdir|Dir\.chdir|setwd|chdir)\s{0,4}\(?\s{0,4}|(?<![\w.$])cd\(\s{0,4})(?=["'\w$])/g;

/** What a program started by the code may get on its standard input. */
const FEEDS =
  /\binput\b|communicate|\bstdin(?:_data)?\b|inputFile|\bpipeline\(|\bopen\s{0,4}\(?\s{0,4}STDIN\b|[.:](?:write|puts|print)\b|\bf(?:write|puts)\(|\.end\(|<<|\bprint\s{0,4}\{?\s{0,4}\$?[A-Za-z]\w{0,40}\}?\s/;

/** What a call's name belongs to, up to the sign in front of the name: `subprocess.`, `Net::`, `a.b->`. */
function ownerBefore(code: string, at: number): string {
  let from = at;
  while (from > Math.max(0, at - 160) && /[\w\\.:>()/-]/.test(code[from - 1] as string)) from--;
  let owner = code.slice(from, at);
  if (!/[.:>/]$/.test(owner)) return "";
  for (let open = owner.lastIndexOf("("); open >= 0; open = owner.lastIndexOf("(", open - 1)) {
    if (owner[open + 1] !== ")") owner = owner.slice(open + 1);
    if (open === 0) break;
  }
  const begin = owner.search(/[A-Za-z_:\\]/);
  return begin < 0 ? "" : owner.slice(begin);
}

function spelled(chain: string, names: ReadonlyMap<string, string>): string {
  const first = /^\w{1,60}/.exec(chain)?.[0] ?? "";
  const known = names.get(first);
  return known === undefined ? chain : `${known}${chain.slice(first.length)}`;
}

function textValue(text: string): Value {
  return { text: [text], from: [] };
}

function positional(fields: readonly Field[]): readonly Value[] {
  return fields.flatMap(({ key, value }) => (key === undefined && value.fields === undefined ? [value] : []));
}

function flat(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (value.list === undefined ? (value.text === undefined ? [] : [value]) : flat(value.list)));
}

/** Without what is not known at the end: a callback, options, the environment. */
function withoutLast(words: readonly Value[], keeps = false): readonly Value[] {
  if (keeps) return words;
  let end = words.length;
  while (end > 1 && words[end - 1]?.text?.every((piece) => typeof piece !== "string") === true) end--;
  return words.slice(0, end);
}

function sameText(left: Value | undefined, right: Value | undefined): boolean {
  return left?.text?.length === 1 && typeof left.text[0] === "string" && left.text[0] === right?.text?.[0];
}
