/**
 * Reads plain commands without the parser: words, quotes without expansions, `&&`, `||`, `;`, `|` and output
 * redirections. Anything else is left to the parser, so the answer is either exactly the parser's or none.
 * Most commands an agent starts are of this kind, and loading the parser costs more than all the rest of a call.
 */
import type { Command, ParsedScript, PipelineNode, Redirection, Statement, Word, WordPart } from "unbash";

/** Longer texts go to the parser: they are rare, and it is the better judge of them. */
const SIMPLE_CHARS_MAX = 4096;

/** A script of plain commands, `undefined` when the parser is needed. */
export function simpleScript(source: string): ParsedScript | undefined {
  if (source.length > SIMPLE_CHARS_MAX) return undefined;
  const reader = new Reader(source);
  const commands = reader.statements();
  return commands === undefined ? undefined : { type: "Script", pos: 0, end: source.length, shebang: undefined, commands };
}

/** Letters, digits and the signs that mean nothing to a shell inside a word. */
function isPlain(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 44 && code <= 58) || // , - . / 0-9 :
    code === 95 || // _
    code === 61 || // =
    code === 64 || // @
    code === 37 || // %
    code === 43 // +
  );
}

const SPACE = 32;
const TAB = 9;
const SINGLE = 39;
const DOUBLE = 34;
const PIPE = 124;
const AND = 38;
const SEMICOLON = 59;
const GREATER = 62;

class Reader {
  #at = 0;

  constructor(private readonly source: string) {}

  /** Statements separated by `;`, or undefined at the first thing that is not plain. */
  statements(): Statement[] | undefined {
    const statements: Statement[] = [];
    for (;;) {
      this.#spaces();
      if (this.#at >= this.source.length) return statements;
      const pos = this.#at;
      const command = this.#andOr();
      if (command === undefined) return undefined;
      statements.push({ type: "Statement", pos, end: command.end, command, background: undefined });
      if (this.#at >= this.source.length) return statements;
      if (this.#code() !== SEMICOLON || this.#code(1) === SEMICOLON) return undefined;
      this.#at++;
    }
  }

  #andOr(): Statement["command"] | undefined {
    const commands: PipelineNode[] = [];
    const operators: ("&&" | "||")[] = [];
    for (;;) {
      const pipeline = this.#pipeline();
      if (pipeline === undefined) return undefined;
      commands.push(pipeline);
      const code = this.#code();
      if ((code !== AND && code !== PIPE) || this.#code(1) !== code) break;
      operators.push(code === AND ? "&&" : "||");
      this.#at += 2;
    }
    const [first] = commands;
    const last = commands[commands.length - 1];
    if (first === undefined || last === undefined) return undefined;
    return commands.length === 1 ? first : { type: "AndOr", pos: first.pos, end: last.end, commands, operators };
  }

  #pipeline(): PipelineNode | undefined {
    const commands: Command[] = [];
    const operators: "|"[] = [];
    for (;;) {
      const command = this.#command();
      if (command === undefined) return undefined;
      commands.push(command);
      if (this.#code() !== PIPE || this.#code(1) === PIPE || this.#code(1) === AND) break;
      operators.push("|");
      this.#at++;
    }
    const [first] = commands;
    const last = commands[commands.length - 1];
    if (first === undefined || last === undefined) return undefined;
    return commands.length === 1 ? first : { type: "Pipeline", pos: first.pos, end: last.end, prefixes: [], commands, operators };
  }

  #command(): Command | undefined {
    let name: Word | undefined;
    const args: Word[] = [];
    const redirects: Redirection[] = [];
    const suffix: (Word | Redirection)[] = [];
    let pos = -1;
    let end = -1;
    for (;;) {
      this.#spaces();
      const code = this.#code();
      if (code === PIPE || code === AND || code === SEMICOLON || Number.isNaN(code)) break;
      if (pos < 0) pos = this.#at;
      const redirect = this.#redirect();
      if (redirect === undefined) return undefined;
      if (redirect !== "none") {
        // A redirection in front of the name is rare.
        if (name === undefined) return undefined;
        redirects.push(redirect);
        suffix.push(redirect);
        end = redirect.end;
        continue;
      }
      const word = this.#word();
      if (word === undefined) return undefined;
      end = word.end;
      if (name === undefined) {
        if (word.value === "" || isReserved(word.text) || word.text.includes("=")) return undefined;
        name = word;
      } else {
        if (isAssignment(word.text)) return undefined;
        args.push(word);
        suffix.push(word);
      }
    }
    // A single `&` puts a command into the background.
    if (name === undefined || (this.#code() === AND && this.#code(1) !== AND)) return undefined;
    return { type: "Command", pos, end, name, prefix: [], suffix, args, redirects };
  }

  /** `>f`, `2>>f`, `2>&1`; "none" when there is none here, undefined when it is of another kind. */
  #redirect(): Redirection | "none" | undefined {
    const pos = this.#at;
    let code = this.#code();
    let descriptor: number | undefined;
    if (code >= 48 && code <= 57 && this.#code(1) === GREATER) {
      descriptor = code - 48;
      this.#at++;
      code = GREATER;
    }
    if (code !== GREATER) return "none";
    this.#at++;
    let operator: ">" | ">>" | ">&" = ">";
    if (this.#code() === GREATER) {
      operator = ">>";
      this.#at++;
    } else if (this.#code() === AND) {
      operator = ">&";
      this.#at++;
    }
    const afterOperator = this.#at;
    this.#spaces();
    if (operator === ">&" && (this.#at !== afterOperator || !(this.#code() >= 48 && this.#code() <= 57))) return undefined;
    const target = this.#word();
    if (target === undefined || target.text === "") return undefined;
    return {
      type: "Redirect",
      pos,
      end: target.end,
      operator,
      descriptor: descriptor === undefined ? undefined : { type: "FileDescriptor", pos, end: pos + 1, value: descriptor },
      target,
    };
  }

  /** One word; undefined when it holds anything the shell would expand, or nothing at all. */
  #word(): Word | undefined {
    const pos = this.#at;
    const parts: WordPart[] = [];
    let quoted = false;
    let value = "";
    while (this.#at < this.source.length) {
      const code = this.#code();
      const start = this.#at;
      if (code === SINGLE) {
        const close = this.source.indexOf("'", start + 1);
        if (close < 0) return undefined;
        const text = this.source.slice(start + 1, close);
        this.#at = close + 1;
        quoted = true;
        value += text;
        parts.push({ type: "SingleQuoted", pos: start, end: this.#at, value: text, text: this.source.slice(start, this.#at) });
      } else if (code === DOUBLE) {
        const close = this.source.indexOf('"', start + 1);
        if (close < 0) return undefined;
        const text = this.source.slice(start + 1, close);
        if (text.includes("$") || text.includes("`") || text.includes("\\") || text.includes("!")) return undefined;
        this.#at = close + 1;
        quoted = true;
        value += text;
        const inside = [{ type: "Literal", pos: start + 1, end: close, value: text, text } as const];
        parts.push({ type: "DoubleQuoted", pos: start, end: this.#at, text: this.source.slice(start, this.#at), parts: inside });
      } else if (isPlain(code)) {
        while (isPlain(this.#code())) this.#at++;
        // Digits in front of `>` name a descriptor; only a lone one is read here.
        if (this.#code() === GREATER) return undefined;
        const text = this.source.slice(start, this.#at);
        value += text;
        parts.push({ type: "Literal", pos: start, end: this.#at, value: text, text });
      } else if (code === SPACE || code === TAB || code === PIPE || code === AND || code === SEMICOLON) break;
      else return undefined;
    }
    if (this.#at === pos) return undefined;
    return { type: "Word", text: this.source.slice(pos, this.#at), value, pos, end: this.#at, parts: quoted ? parts : undefined };
  }

  #spaces(): void {
    while (this.#code() === SPACE || this.#code() === TAB) this.#at++;
  }

  /** The character code ahead, NaN at the end. */
  #code(ahead = 0): number {
    return this.source.charCodeAt(this.#at + ahead);
  }
}

function isReserved(word: string): boolean {
  switch (word) {
    case "if":
    case "then":
    case "else":
    case "elif":
    case "fi":
    case "for":
    case "while":
    case "until":
    case "do":
    case "done":
    case "case":
    case "esac":
    case "function":
    case "select":
    case "time":
    case "coproc":
    case "in":
      return true;
    default:
      return false;
  }
}

/** `NAME=…`, `NAME+=…`: some commands take it as an assignment. */
function isAssignment(word: string): boolean {
  return word.includes("=") && /^[A-Za-z_]/.test(word);
}
