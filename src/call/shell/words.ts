/**
 * Expansion of shell words into arguments: what is certain becomes exact text, what the shell computes at
 * run time stays inexact and keeps where its bytes come from (L-109).
 */
import { CHOSEN } from "../../limits.ts";
import type { Argument, Listed, Source } from "../effect.ts";
import { type World, expandTilde } from "../path.ts";
import {
  BRANCH_TEXT,
  GIT_FOLDER_TEXT,
  TOP_LEVEL_TEXT,
  listing,
  literal,
  namesInFiles,
  revisionText,
  staticText,
  transformed,
  unique,
} from "../source.ts";
import { trimEnd } from "../text.ts";
import { braceAlternatives, isRange } from "./braces.ts";
import { type ParameterExpansionPart, type ParsedScript, type SyntaxNode, type Word, type WordPart, nestedScripts } from "./parse.ts";
import { CREDENTIAL_PLACES } from "../../secrets/files/override.ts";
import { globMatches } from "./pattern.ts";
import type { State } from "./state.ts";

/** What expansion needs of the shell around it. */
export interface WordHost {
  readonly state: State;
  readonly world: World;
  /** Puts cut-out data back. */
  readonly restore: (text: string) => string;
  /** Runs a substitution in a subshell and returns what it prints. */
  capture(script: ParsedScript): readonly Source[];
  /** Opens a process substitution and returns the path the shell would pass. */
  openProcess(script: ParsedScript, operator: "<" | ">"): string;
  /** Parses text that stands where one word stands. */
  parseWords(text: string): readonly Word[];
  /** Reads the inside of a process substitution the parser left as text (libraries.md §2 rule 4). */
  glued(text: string): void;
  unreadPart(why: string): void;
  /** A message of the shell that quotes what an expansion brought in. */
  complain(sources: readonly Source[]): void;
}

/** Names whose values are places or settings, never secrets: their value resolves, and being unset is certain. */
const PLACE =
  /^(?:HOME|USER|LOGNAME|SHELL|HOSTNAME|LANG|LANGUAGE|LC_[A-Z]{1,20}|TERM|EDITOR|VISUAL|PAGER|PATH|TMPDIR|TMP|TEMP|UID|EUID|XDG_[A-Z_]{1,40}|USERPROFILE|USERNAME|PROGRAMDATA|HOMEDRIVE|HOMEPATH|AWS_PROFILE|AWS_REGION|CURL_HOME)$/;

function isPlace(name: string): boolean {
  return PLACE.test(name) || CREDENTIAL_PLACES.has(name);
}

/** Whether a variable of the environment says by its name that it holds a path, and does hold one: tools have many such. */
function namesPlace(name: string, value: string): boolean {
  return (
    /(?:_(?:FILE|PATH|CONFIG|CFG|DIR|FOLDER|HOME|CREDENTIALS)|RC)$/i.test(name) && /^(?:~?\/|[A-Za-z]:[\\/])[^\n]{0,4096}$/.test(value)
  );
}

/** Stands for `$$`: any number will do for `/proc/$$/root` and `/tmp/x.$$`. */
const SOME_PROCESS = "4194303";

/** Collects the fields one word expands to. */
class Fields {
  readonly done: Argument[] = [];
  /** Whether there were more fields than are kept. */
  cut = false;
  #text = "";
  #exact = true;
  #sources: Source[] = [];
  #listed: readonly Source[] | undefined;
  #started = false;

  add(text: string, exact: boolean, sources: readonly Source[] = [], listed?: readonly Source[]): void {
    // What stands beside a name makes it another one, but for the sign of an option in front of it.
    const alone = this.#text === "" || this.#text.endsWith("@") || this.#text.endsWith("=");
    this.#listed = alone && listed !== undefined && listed.length > 0 ? listed : undefined;
    this.#started = true;
    if (this.#text.length + text.length > CHOSEN.word_chars) {
      this.#sources.push({ from: "text", text, plain: true });
      this.#exact = false;
    } else this.#text += text;
    this.#exact &&= exact;
    if (sources.length > 0) this.#sources = this.#sources.length === 0 ? [...sources] : unique([...this.#sources, ...sources]);
  }

  /** Marks a quoted empty string as a field of its own. */
  start(): void {
    this.#started = true;
  }

  break(): void {
    if (!this.#started) return;
    const word = { text: this.#text, exact: this.#exact, sources: this.#sources };
    if (this.done.length < CHOSEN.word_fields) this.done.push(this.#listed === undefined ? word : { ...word, listed: this.#listed });
    else this.cut = true;
    this.#listed = undefined;
    this.#text = "";
    this.#exact = true;
    this.#sources = [];
    this.#started = false;
  }

  /** `dividers`: the call's own IFS; undefined for white space. */
  constructor(private readonly dividers: string | undefined) {}

  /** An unquoted expansion: white space divides it, or what IFS says. */
  split(text: string, exact: boolean, sources: readonly Source[], listed?: readonly Source[]): void {
    const pieces = this.#pieces(text);
    if (pieces.length === 1) {
      if (text !== "" || sources.length > 0) this.add(text, exact, sources, listed);
      return;
    }
    if (pieces.length === CHOSEN.word_fields * 2) this.cut = true;
    pieces.forEach((piece, index) => {
      if (index > 0) this.break();
      if (piece !== "") this.add(piece, exact, sources);
    });
  }

  #pieces(text: string): readonly string[] {
    const most = CHOSEN.word_fields * 2;
    if (this.dividers === undefined) return /[ \t\n]/.test(text) ? text.split(/[ \t\n]/, most) : [text];
    let pieces = [text];
    for (const sign of this.dividers.slice(0, IFS_SIGNS)) pieces = pieces.flatMap((piece) => piece.split(sign, most)).slice(0, most);
    return pieces;
  }
}

/** Signs of an IFS that are looked at: more of them are a list of all signs there are. */
const IFS_SIGNS = 32;

/** One value of a variable reference. */
interface Value {
  readonly values: readonly Argument[];
  /** Whether it is certain that the variable is set, or that it is not. */
  readonly set: boolean | undefined;
}

/** Expands words as the shell would: variables, substitutions, patterns, braces, and the splitting into fields. */
export class Words {
  constructor(private readonly host: WordHost) {}

  get #dividers(): string | undefined {
    const value = this.host.state.variables.get("IFS")?.values[0];
    return value?.exact === true ? value.text : undefined;
  }

  /** All fields of a word, in order; none for an unset unquoted variable. */
  fields(word: Word): Argument[] {
    if (word.parts === undefined) return [this.#plain(word)];
    const brace = word.parts.find((part) => part.type === "BraceExpansion");
    if (brace !== undefined) {
      const alternatives = braceAlternatives(brace.text);
      if (alternatives !== undefined) {
        const before = word.text.slice(0, brace.pos - word.pos);
        const after = word.text.slice(brace.end - word.pos);
        const fields: Argument[] = [];
        for (const alternative of alternatives) {
          for (const one of this.host.parseWords(before + alternative + after)) fields.push(...this.fields(one));
          if (fields.length > CHOSEN.word_fields) {
            this.#tooMany();
            break;
          }
        }
        return fields.slice(0, CHOSEN.word_fields);
      }
      if (!isRange(brace.text) && brace.text.includes(",")) this.#tooMany();
    }
    const out = new Fields(this.#dividers);
    word.parts.forEach((part, index) => {
      if (index === 0 && part.type === "Literal" && part.text.startsWith("~") && (part.value.includes("/") || word.parts?.length === 1))
        this.#tilde(part.value, out);
      else this.#part(part, out, false);
    });
    out.break();
    if (out.cut) this.#tooMany();
    return out.done;
  }

  #tooMany(): void {
    this.host.unreadPart("a word stands for too many words");
  }

  /** A word where the shell does not split: an assignment, a redirection target, a here-string. */
  one(word: Word): Argument {
    const fields = this.fields(word);
    const [first] = fields;
    if (first === undefined) return literal("");
    if (fields.length === 1) return first;
    return {
      text: fields.map((field) => field.text).join(" "),
      exact: fields.every((field) => field.exact),
      sources: unique(fields.flatMap((field) => [...field.sources])),
    };
  }

  /** The flow of a here-document body. */
  body(text: string, parts: readonly WordPart[] | undefined): Source[] {
    if (parts === undefined) {
      const whole = this.host.restore(text);
      return whole === "" ? [] : [{ from: "text", text: whole, plain: true }];
    }
    const out = new Fields(this.#dividers);
    out.start();
    for (const part of parts) this.#part(part, out, true);
    out.break();
    const value = out.done[0] ?? literal("");
    return unique([
      ...(value.text === "" ? [] : [{ from: "text", text: value.text, plain: true } as const]),
      ...value.sources,
      ...(value.exact || value.sources.length > 0 ? [] : [{ from: "unknown" } as const]),
    ]);
  }

  #plain(word: Word): Argument {
    const text = this.host.restore(word.value);
    if (word.text.startsWith("~")) {
      const out = new Fields(this.#dividers);
      this.#tilde(text, out);
      out.break();
      return out.done[0] ?? literal(text);
    }
    if (holdsProcess(word.text)) {
      this.host.glued(word.text);
      return { text, exact: false, sources: [] };
    }
    const { brought } = this.host.state;
    return brought.length > 0 && text.includes("{}") ? { text, exact: false, sources: brought } : literal(text);
  }

  #tilde(text: string, out: Fields): void {
    const { state, world } = this.host;
    if (/^~\+(?:\/|$)/.test(text)) return out.add((state.cwd ?? "~+") + text.slice(2), state.cwd !== undefined);
    if (/^~-(?:\/|$)/.test(text)) return out.add((state.previous ?? "~-") + text.slice(2), state.previous !== undefined);
    const home = state.variables.get("HOME")?.values[0];
    if (home !== undefined && /^~(?:\/|$)/.test(text)) return out.add(home.text + text.slice(1), home.exact, home.sources);
    const expanded = expandTilde(text, world);
    out.add(expanded ?? text, expanded !== undefined);
  }

  #part(part: WordPart, out: Fields, quoted: boolean): void {
    switch (part.type) {
      case "Literal":
        if (!quoted && holdsProcess(part.text)) {
          this.host.glued(part.text);
          out.add(this.host.restore(part.value), false);
        } else this.#literal(this.host.restore(part.value), out);
        return;
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#literal(this.host.restore(part.value), out);
        return;
      case "DoubleQuoted":
      case "LocaleString":
        // `"$@"` without parameters is no field at all.
        if (part.parts.length !== 1 || !/^\$(?:@|\{.{1,64}\[@\]\})$/.test(part.parts[0]?.text ?? "")) out.start();
        for (const child of part.parts) this.#part(child, out, true);
        return;
      case "SimpleExpansion":
        return this.#insert(this.#lookup(part.text.slice(1), part.text), part.text.slice(1), part.text, out, quoted);
      case "ParameterExpansion":
        return this.#parameter(part, out, quoted);
      case "CommandExpansion": {
        if (part.script === undefined) return out.add(part.text, false);
        if (part.text === BROUGHT && this.host.state.brought.length > 0) return out.add(part.text, false, this.host.state.brought);
        const sources = this.host.capture(part.script);
        const text = newlineFree(staticText(sources));
        const { files, others } = listing(text === undefined ? sources : []);
        if (files.length > 0 && others.length === 0) return addFiles(files, quoted, out);
        const shown = text ?? asked(part.script) ?? BROUGHT;
        if (text !== undefined && isProgram(part.script, ["pwd"])) return quoted ? out.add(text, true) : out.split(text, true, []);
        // A pure text command on a text that is certain gives a certain text.
        const certain = text !== undefined && this.#isPure(part.script);
        const carried = text === "" || certain ? [] : sources;
        if (quoted || text === undefined)
          out.add(shown, certain, carried, namesInFiles(sources, { written: ".", path: this.host.state.cwd }));
        else out.split(shown, certain, carried);
        return;
      }
      case "ArithmeticExpansion":
      case "Glob":
      case "ExtendedGlob":
      case "BraceExpansion": {
        const sources: Source[] = [];
        nestedScripts(part, (script) => sources.push(...this.host.capture(script)));
        if (part.type === "ArithmeticExpansion" && sources.length > 0) this.host.complain(sources);
        out.add(part.text, false, sources);
        return;
      }
      case "ProcessSubstitution":
        if (part.script === undefined) return out.add(part.text, false);
        out.add(this.host.openProcess(part.script, part.operator), true);
        return;
    }
  }

  /** Text as it stands; inside a script that a substitution helped to write, its mark stands for what that brought in. */
  #literal(text: string, out: Fields): void {
    const { brought } = this.host.state;
    if (brought.length > 0 && (text.includes(BROUGHT) || text.includes("{}"))) out.add(text, false, brought);
    else out.add(text, true);
  }

  /** Whether a substitution is one pipeline of commands whose printed text is worked out exactly. */
  #isPure(script: ParsedScript): boolean {
    const [statement] = script.commands;
    if (script.commands.length !== 1 || statement === undefined || statement.background === true) return false;
    if (statement.command.type === "AndOr") return namesFolder(statement.command.commands, statement.command.operators);
    const commands = statement.command.type === "Pipeline" ? statement.command.commands : [statement.command];
    return commands.every((command) => {
      if (command.type !== "Command" || command.prefix.length > 0 || command.redirects.some(({ type }) => type === "Redirect"))
        return false;
      const name = command.name?.text ?? "";
      const { functions, aliases } = this.host.state;
      if (functions.has(name) || aliases.has(name)) return false;
      if (name === "cat") return command.args.length === 0;
      return /^(?:\/(?:usr\/)?bin\/)?(?:echo|printf|pwd|dirname|basename|realpath|readlink|rev|base64|xxd|tr|cut|mktemp)$/.test(name);
    });
  }

  /** Puts a variable's values into the fields as the shell would. */
  #insert(value: Value, name: string, written: string, out: Fields, quoted: boolean): void {
    const many = name === "@" || name === "*" || name.endsWith("[@]") || name.endsWith("[*]");
    if (quoted && (name === "*" || name.endsWith("[*]"))) {
      out.add(
        value.values.map((one) => one.text).join(" "),
        value.values.every((one) => one.exact),
        value.values.flatMap((one) => [...one.sources]),
      );
      return;
    }
    if (!many && value.values.length === 0) {
      if (value.set === undefined) out.add(written, false);
      return;
    }
    value.values.forEach((one, index) => {
      if (index > 0) {
        if (!many) return;
        out.break();
      }
      if (quoted) out.add(one.text, one.exact, one.sources, one.listed);
      else out.split(one.text, one.exact, one.sources, one.listed);
    });
  }

  #lookup(name: string, written: string): Value {
    const { state, world } = this.host;
    const variable = state.variables.get(state.named(name));
    if (variable !== undefined) return { values: variable.array ? variable.values.slice(0, 1) : variable.values, set: true };
    if (name === "@" || name === "*") return { values: state.positional, set: state.positional.length > 0 };
    if (/^[1-9]\d{0,3}$/.test(name)) {
      const value = state.positional[Number(name) - 1];
      return { values: value === undefined ? [] : [value], set: value !== undefined };
    }
    if (name === "$") return { values: [literal(SOME_PROCESS)], set: true };
    if (name === "#") return { values: [literal(String(state.positional.length))], set: true };
    if (name === "PWD")
      return { values: state.cwd === undefined ? [] : [literal(state.cwd)], set: state.cwd === undefined ? undefined : true };
    if (name === "OLDPWD")
      return {
        values: state.previous === undefined ? [] : [literal(state.previous)],
        set: state.previous === undefined ? undefined : true,
      };
    if (name === "HOME" && world.home !== "") return { values: [literal(world.home)], set: true };
    if (name === "IFS") return { values: [literal(" ")], set: true };
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { values: [{ text: written, exact: false, sources: [] }], set: true };
    if (
      /^(?:RANDOM|SRANDOM|SECONDS|LINENO|EPOCHSECONDS|EPOCHREALTIME|BASHPID|PPID|BASH|BASH_VERSION|BASH_SOURCE|FUNCNAME|OSTYPE|HOSTTYPE|MACHTYPE|SHLVL)$/.test(
        name,
      )
    ) {
      return { values: [{ text: written, exact: false, sources: [] }], set: true };
    }
    const known = isPlace(name);
    const value = world.environment[name];
    if (value !== undefined && (known || namesPlace(name, value))) return { values: [literal(value)], set: true };
    // What this call did not set and the environment does not hold is empty.
    const unset = known || (value === undefined && !state.sourced && Object.keys(world.environment).length > 0);
    return {
      values: [{ text: written, exact: false, sources: [{ from: "environment", name, plain: true }] }],
      set: unset ? false : undefined,
    };
  }

  #parameter(part: ParameterExpansionPart, out: Fields, quoted: boolean): void {
    const name = part.parameter;
    let value = this.#base(part);
    if (part.prefix === "#") {
      const one = value.values[0];
      return out.add(one?.exact === true ? String(one.text.length) : part.text, one?.exact === true);
    }
    if (part.prefix === "!" && part.operation?.type !== "Names") {
      const target = value.values[0];
      value =
        target?.exact === true && /^[A-Za-z_][A-Za-z0-9_]*$/.test(target.text)
          ? this.#lookup(target.text, part.text)
          : { values: [{ text: part.text, exact: false, sources: [{ from: "environment", name: undefined, plain: true }] }], set: true };
    }
    const operation = part.operation;
    // Names of variables are no values.
    if (operation?.type === "Names") return out.add(part.text, false);
    const key = part.index === undefined ? name : `${name}[${part.index.text}]`;
    if (operation === undefined) return this.#insert(value, key, part.text, out, quoted);
    switch (operation.type) {
      case "Default": {
        const operand = this.one(operation.operand);
        const sign = operation.operator.replace(":", "");
        const certainlySet =
          value.set === true &&
          value.values.length > 0 &&
          !(value.values[0]?.exact === true && value.values[0].text === "" && operation.operator.startsWith(":"));
        const certainlyUnset = value.set === false || (value.set === true && !certainlySet);
        if (sign === "+") {
          if (certainlySet) return this.#insert({ values: [operand], set: true }, key, part.text, out, quoted);
          if (certainlyUnset && (value.set === true || isPlace(name))) return;
          return out.add(operand.text, false, operand.sources);
        }
        if (sign === "?" && !certainlySet) this.host.complain(operand.sources);
        if (certainlySet || sign === "?") return this.#insert(value, key, part.text, out, quoted);
        const result: Argument = certainlyUnset
          ? operand
          : { text: operand.text, exact: false, sources: [...value.values.flatMap((one) => [...one.sources]), ...operand.sources] };
        if (sign === "=") this.host.state.variables.set(name, { values: [result], exported: false, array: false });
        return this.#insert({ values: [result], set: true }, key, part.text, out, quoted);
      }
      case "Remove": {
        const pattern = this.one(operation.operand);
        return this.#mapped(value, key, part.text, out, quoted, pattern.exact || isPattern(pattern.text), (text) =>
          removed(text, pattern.text, operation.operator),
        );
      }
      case "Replace": {
        const pattern = this.one(operation.pattern);
        const replacement = this.one(operation.replacement);
        const plain =
          pattern.exact &&
          replacement.exact &&
          pattern.text !== "" &&
          !operation.operator.startsWith("/#") &&
          !operation.operator.startsWith("/%");
        return this.#mapped(value, key, part.text, out, quoted, plain, (text) =>
          operation.operator === "//"
            ? text.replaceAll(pattern.text, replacement.text)
            : text.replace(pattern.text, () => replacement.text),
        );
      }
      case "Slice": {
        const offset = Number(this.one(operation.offset).text);
        const length = operation.length === undefined ? undefined : Number(this.one(operation.length).text);
        const certain = Number.isInteger(offset) && (length === undefined || Number.isInteger(length));
        return this.#mapped(value, key, part.text, out, quoted, certain, (text) => {
          const from = offset < 0 ? Math.max(0, text.length + offset) : offset;
          if (length === undefined) return text.slice(from);
          return length < 0 ? text.slice(from, text.length + length) : text.slice(from, from + length);
        });
      }
      case "CaseModification":
        return this.#mapped(value, key, part.text, out, quoted, operation.operand === undefined, (text) => {
          if (operation.operator === "^^") return text.toUpperCase();
          if (operation.operator === ",,") return text.toLowerCase();
          const head = text.slice(0, 1);
          return (operation.operator === "^" ? head.toUpperCase() : head.toLowerCase()) + text.slice(1);
        });
      default:
        return this.#insert({ values: value.values.map((one) => ({ ...one, exact: false })), set: value.set }, key, part.text, out, quoted);
    }
  }

  #base(part: ParameterExpansionPart): Value {
    const variable = this.host.state.variables.get(this.host.state.named(part.parameter));
    if (part.index === undefined) return this.#lookup(part.parameter, part.text);
    const index = part.index.text;
    if (index === "@" || index === "*")
      return variable === undefined ? this.#lookup(part.parameter, part.text) : { values: variable.values, set: true };
    const subscript = this.one(part.index);
    if (variable === undefined) return this.#lookup(part.parameter, part.text);
    const keyed = variable.keys?.indexOf(subscript.text) ?? -1;
    const named =
      subscript.exact && /^[A-Za-z_]\w{0,255}$/.test(subscript.text) ? this.host.state.variables.get(subscript.text)?.values[0] : undefined;
    const number = Number(named?.exact === true ? named.text : subscript.text);
    const at = keyed >= 0 ? keyed : number < 0 ? variable.values.length + number : number;
    if (subscript.exact && Number.isInteger(at) && at >= 0) {
      // How many elements one stands for that is not known is not known either.
      const one = variable.values[at] ?? variable.values.findLast(({ exact }) => !exact);
      return { values: one === undefined ? [] : [one], set: one !== undefined };
    }
    return { values: [{ text: part.text, exact: false, sources: unique(variable.values.flatMap((one) => [...one.sources])) }], set: true };
  }

  /** Applies a text change to each value; an uncertain one keeps its sources, no longer plain. */
  #mapped(
    value: Value,
    name: string,
    written: string,
    out: Fields,
    quoted: boolean,
    certain: boolean,
    change: (text: string) => string,
  ): void {
    const values = value.values.map((one): Argument => {
      if (one.exact && certain && one.text.length <= CHOSEN.pattern_chars)
        return { text: change(one.text), exact: true, sources: one.sources };
      return { text: one.exact && certain ? one.text : written, exact: false, sources: transformed(one.sources) };
    });
    this.#insert({ values, set: value.set }, name, written, out, quoted);
  }
}

function isPattern(text: string): boolean {
  return !/[[\]$`(){}]/.test(text);
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}` for patterns of `*`, `?` and literal text. */
function removed(text: string, pattern: string, operator: "#" | "##" | "%" | "%%"): string {
  const front = operator.startsWith("#");
  const shortest = operator.length === 1;
  for (let step = 0; step <= text.length; step++) {
    const count = shortest ? step : text.length - step;
    const piece = front ? text.slice(0, count) : text.slice(text.length - count);
    if (globMatches(pattern, piece)) return front ? text.slice(count) : text.slice(0, text.length - count);
  }
  return text;
}

function holdsProcess(text: string): boolean {
  return text.includes("<(") || text.includes(">(");
}

function newlineFree(text: string | undefined): string | undefined {
  return text === undefined ? undefined : trimEnd(text, "\n");
}

/**
 * A word for each file of a list, none of them certain (L-109). Between quotes it is one word, and what is named comes before
 * what may lie in it.
 */
function addFiles(files: readonly Listed[], quoted: boolean, out: Fields): void {
  // A file looked for at any depth may lie at the start as well.
  const deep = new Set(files.map(({ text }) => text.replace("/**/", "/")).filter((text, at) => text !== files[at]?.text));
  const named = files.filter((file) => (file.sure || file.text !== "*") && !deep.has(file.text));
  const words = named.length > 0 ? named : files;
  words.slice(0, quoted ? 1 : undefined).forEach(({ text, sources }, at) => {
    if (at > 0) out.break();
    out.add(text, false, sources);
  });
}

/** How an unknown substitution reads. */
const BROUGHT = "$(…)";

/** The files whose content a word is, and nothing beside: `"$(cat f)"`. */
export function broughtFiles({ text, sources }: Argument): readonly Source[] {
  return text.trim() === BROUGHT && sources.every((source) => source.from === "file" && source.plain) ? sources : [];
}

/** The everyday ways of asking git for them. */
const ASKED: readonly (readonly [words: string, text: string])[] = [
  ["git rev-parse --show-toplevel", TOP_LEVEL_TEXT],
  ["git rev-parse --git-dir", GIT_FOLDER_TEXT],
  ["git rev-parse --absolute-git-dir", GIT_FOLDER_TEXT],
  ["git branch --show-current", BRANCH_TEXT],
  ["git rev-parse --abbrev-ref HEAD", BRANCH_TEXT],
  ["git rev-parse --abbrev-ref @", BRANCH_TEXT],
  ["git symbolic-ref --short HEAD", BRANCH_TEXT],
  ["git symbolic-ref --short -q HEAD", BRANCH_TEXT],
  ["git symbolic-ref -q --short HEAD", BRANCH_TEXT],
];

function asked(script: ParsedScript): string | undefined {
  return ASKED.find(([words]) => isProgram(script, words.split(" ")))?.[1] ?? askedRevision(script);
}

/** `git rev-parse X`: the name of a commit, which stands for what X does. */
function askedRevision(script: ParsedScript): string | undefined {
  const words = wordsOf(script);
  if (words?.[0] !== "git" || words[1] !== "rev-parse") return undefined;
  const [revision, ...more] = words.slice(2).filter((word) => !/^(?:-q|--quiet|--verify|--short(?:=\d{1,2})?)$/.test(word));
  return revision !== undefined && more.length === 0 && /^[\w./@{][\w./@{}~^-]{0,199}$/.test(revision) ? revisionText(revision) : undefined;
}

/** Whether a substitution is just this one command. */
function isProgram(script: ParsedScript, words: readonly string[]): boolean {
  const found = wordsOf(script);
  return found?.length === words.length && found.every((word, index) => word === words[index]);
}

/** The words of a substitution that is one plain command, as written. */
function wordsOf(script: ParsedScript): readonly string[] | undefined {
  const command = script.commands.length === 1 ? script.commands[0]?.command : undefined;
  if (command?.type !== "Command" || command.prefix.length > 0 || command.name === undefined) return undefined;
  return [command.name.text, ...command.args.map(({ text }) => text)];
}

/** `cd "$(dirname "$0")" && pwd`: how scripts work out where they lie. */
function namesFolder(commands: readonly SyntaxNode[], operators: readonly string[]): boolean {
  const [enter, tell] = commands;
  if (commands.length !== 2 || operators[0] !== "&&" || enter?.type !== "Command" || tell?.type !== "Command") return false;
  return (
    enter.name?.text === "cd" && tell.name?.text === "pwd" && tell.redirects.length === 0 && enter.prefix.length + tell.prefix.length === 0
  );
}
