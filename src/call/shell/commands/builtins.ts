/** Shell builtins: folder, variables, output of text, nested scripts. */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, Source } from "../../effect.ts";
import { baseName } from "../../path.ts";
import {
  TOP_LEVEL_TEXT,
  argumentSources,
  listedWord,
  listing,
  literal,
  sliceArgument,
  staticText,
  transformed,
  unique,
} from "../../source.ts";
import { upTo } from "../../text.ts";
import { variableHooks } from "./hooks.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { broughtFiles } from "../words.ts";
import { silent } from "./filter.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/;

/** The handler of a builtin. */
export function builtinCommand(name: string): Handler | undefined {
  switch (name) {
    case ":":
    case "true":
    case "false":
    case "exit":
    case "return":
    case "break":
    case "continue":
    case "wait":
    case "kill":
    case "killall":
    case "pkill":
    case "umask":
    case "ulimit":
    case "shopt":
    case "setopt":
    case "unsetopt":
    case "bg":
    case "fg":
    case "disown":
    case "hash":
    case "rehash":
    case "type":
    case "getopts":
    case "times":
    case "enable":
    case "bind":
    case "complete":
    case "compgen":
    case "compdef":
    case "autoload":
    case "zmodload":
    case "logout":
    case "suspend":
    case "caller":
      return silent;
    case "cd":
    case "chdir":
      return cd;
    case "pushd":
      return pushd;
    case "popd":
      return popd;
    case "pwd":
      return pwd;
    case "dirs":
      return silent;
    case "echo":
      return echo;
    case "printf":
      return printf;
    case "print":
      return echo;
    case "export":
    case "declare":
    case "typeset":
    case "nameref":
    case "local":
    case "readonly":
    case "integer":
    case "float":
      return declare;
    case "unset":
      return unset;
    case "set":
      return set;
    case "shift":
      return shift;
    case "alias":
      return alias;
    case "unalias":
      return unalias;
    case "read":
      return read;
    case "mapfile":
    case "readarray":
      return mapfile;
    case "eval":
      return evaluate;
    case "source":
    case ".":
      return source;
    case "trap":
      return trap;
    case "test":
    case "[":
      return test;
    case "let":
    case "((":
      return arithmetic;
    case "history":
    case "fc":
      return (invocation) => invocation.print([{ from: "unknown" }]);
    default:
      return undefined;
  }
}

/** Remembers that the folder is the repository's top, or below it. */
function enterTop(invocation: Invocation, target: Argument | undefined): void {
  const { state } = invocation.shell;
  const from = state.cwd ?? state.top?.cwd;
  const inside = target !== undefined && !target.exact && target.text.startsWith(TOP_LEVEL_TEXT);
  state.top = inside && from !== undefined ? { cwd: from, sub: target.text.slice(TOP_LEVEL_TEXT.length).replace(/^\//, "") } : undefined;
}

function cd(invocation: Invocation): void {
  const { state } = invocation.shell;
  const target = invocation.args.find((argument) => argument.text === "-" || !argument.text.startsWith("-"));
  const before = state.cwd;
  enterTop(invocation, target);
  if (target === undefined) state.cwd = invocation.world.home === "" ? undefined : invocation.world.home;
  else if (target.text === "-" && target.exact) state.cwd = state.previous;
  else state.cwd = invocation.file(target).path;
  state.previous = before;
}

function pushd(invocation: Invocation): void {
  const { state } = invocation.shell;
  const target = invocation.args.find((argument) => !/^-(?:n|q|s)$/.test(argument.text));
  const before = state.cwd;
  if (target === undefined) {
    const top = state.folders.pop();
    state.cwd = top;
  } else state.cwd = /^[+-]\d{1,4}$/.test(target.text) ? undefined : invocation.file(target).path;
  state.folders.push(before);
  state.previous = before;
}

function popd(invocation: Invocation): void {
  const { state } = invocation.shell;
  state.previous = state.cwd;
  state.cwd = state.folders.pop();
}

function pwd(invocation: Invocation): void {
  const { cwd } = invocation;
  invocation.print(cwd === undefined ? [{ from: "unknown" }] : [{ from: "text", text: `${cwd}\n`, plain: true }]);
}

/** What an argument prints: its text and its sources; something unknown when neither tells all. */
function printed(argument: Argument): Source[] {
  if (argument.exact) return argument.text === "" ? [] : [{ from: "text", text: argument.text, plain: true }];
  if (argument.sources.length > 0) {
    // A substitution's static text is already whole in its sources.
    return staticText(argument.sources) === undefined ? argumentSources(argument) : [{ from: "text", text: argument.text, plain: true }];
  }
  return [...argumentSources(argument), { from: "unknown" }];
}

function echo(invocation: Invocation): void {
  let args = invocation.args;
  let newline = true;
  let escapes = false;
  while (args.length > 0 && /^-[neEr]{1,4}$/.test(args[0]?.text ?? "")) {
    const flags = args[0]?.text ?? "";
    if (flags.includes("n")) newline = false;
    if (flags.includes("e")) escapes = true;
    args = args.slice(1);
  }
  const pieces = args.map(printed);
  if (pieces.every((piece) => staticText(piece) !== undefined)) {
    let text = pieces.map((piece) => staticText(piece) ?? "").join(" ");
    if (escapes) text = unescape(text);
    invocation.print([{ from: "text", text: newline ? `${text}\n` : text, plain: true }]);
  } else invocation.print(unique(pieces.flat()));
}

/** Backslash escapes of `echo -e`, `printf` and `%b`. */
export function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|0?([0-7]{1,3})|([abefnrtv\\"'c]))/g,
    (whole, hex?: string, unicode?: string, octal?: string, letter?: string) => {
      if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode ?? "0", 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      switch (letter) {
        case "n":
          return "\n";
        case "t":
          return "\t";
        case "r":
          return "\r";
        case "\\":
        case '"':
        case "'":
          return letter;
        case "c":
          return "";
        default:
          return letter === undefined ? whole : "\u001B";
      }
    },
  );
}

function printf(invocation: Invocation): void {
  let args = [...invocation.args];
  let target: string | undefined;
  if (args[0]?.text === "-v") {
    target = args[1]?.text;
    if (args[1] !== undefined) invocation.shell.arithmetic(args[1]);
    args = args.slice(2);
  } else if (args[0]?.text === "--") args = args.slice(1);
  const [format, ...values] = args;
  if (format === undefined) return;
  const sources = formatted(format, values);
  if (target === undefined) return invocation.print(sources);
  const text = staticText(sources);
  if (NAME.test(target)) invocation.shell.set(target, text === undefined ? { text: format.text, exact: false, sources } : literal(text));
}

function formatted(format: Argument, values: readonly Argument[]): Source[] {
  const simple = format.exact && !/%(?![sbdiu%])[^%]/.test(format.text);
  if (simple && values.every((value) => staticText(printed(value)) !== undefined)) {
    const slots = (format.text.match(/%[sbdiu]/g) ?? []).length;
    const texts = values.map((value) => staticText(printed(value)) ?? "");
    let text = "";
    let next = 0;
    const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(texts.length / slots));
    for (let round = 0; round < rounds; round++) {
      text += unescape(format.text).replace(/%([sbdiu%])/g, (_whole, letter: string) => {
        if (letter === "%") return "%";
        const value = texts[next++] ?? "";
        return letter === "b" ? unescape(value) : value;
      });
    }
    return [{ from: "text", text, plain: true }];
  }
  const all = unique([...printed(format), ...values.flatMap(printed)]);
  // %.3s cuts, %x and %q rewrite.
  return /%[-+ #0-9]{0,8}(?:\.|[xXoqQc]|\*)/.test(format.text) ? transformed(all) : all;
}

function declare(invocation: Invocation): void {
  const { shell, name } = invocation;
  const exported = name === "export" || invocation.args.some((argument) => /^-[a-zA-Z]*x/.test(argument.text));
  const operands = invocation.args.filter((argument) => !/^[-+][a-zA-Z]{0,8}$/.test(argument.text));
  if (operands.length === 0) {
    if (!invocation.args.some((argument) => /^-[a-zA-Z]*[fFn]/.test(argument.text)))
      invocation.print([{ from: "environment", name: undefined, plain: true }]);
    return;
  }
  const prints = invocation.args.some((argument) => /^-[a-zA-Z]*p/.test(argument.text));
  // `export -n` takes a variable back instead.
  const named = name === "nameref" || (name !== "export" && invocation.args.some((argument) => /^-[a-zA-Z]*n/.test(argument.text)));
  for (const operand of operands) {
    const equals = operand.text.indexOf("=");
    const left = (equals < 0 ? operand.text : operand.text.slice(0, equals)).replace(/\+$/, "");
    if (equals >= 0) {
      const value = sliceArgument(operand, equals + 1);
      if (exported) variableHooks(invocation, left, value);
      const refers = named ? /^([A-Za-z_]\w{0,255})(?:\[[^\]]{0,100}\])?$/.exec(value.text)?.[1] : undefined;
      if (refers !== undefined && refers !== left && NAME.test(left)) {
        shell.state.variables.set(left, { values: [], exported: false, array: false, refers });
        continue;
      }
      if (NAME.test(left)) shell.set(left, value, exported);
      else shell.arithmetic({ ...operand, text: left });
    } else if (prints) invocation.print([{ from: "environment", name: operand.text, plain: true }]);
    else if (exported && NAME.test(left)) {
      const variable = shell.state.variables.get(left);
      if (variable !== undefined) shell.state.variables.set(left, { ...variable, exported: true });
    }
  }
}

function unset(invocation: Invocation): void {
  for (const argument of invocation.args) {
    if (argument.text.startsWith("-")) continue;
    // Set to empty here: the inherited value is certainly gone.
    if (NAME.test(argument.text)) invocation.shell.set(argument.text, literal(""));
    invocation.shell.state.functions.delete(argument.text);
  }
}

function set(invocation: Invocation): void {
  const { args } = invocation;
  if (args.length === 0) return invocation.print([{ from: "environment", name: undefined, plain: true }]);
  for (const [index, { text }] of args.entries()) {
    if (text === "--") break;
    if (/^-[a-uw-zA-Z]{0,16}v/.test(text)) invocation.shell.state.verbose = true;
    if (/^-[a-wyzA-Z]{0,16}x/.test(text) || (text === "xtrace" && /^-[a-zA-Z]*o$/.test(args[index - 1]?.text ?? "")))
      invocation.shell.state.traced = true;
    else if (/^\+[a-wyzA-Z]{0,16}x/.test(text) || text === "xtrace") invocation.shell.state.traced = false;
  }
  const dashes = args.findIndex((argument) => argument.text === "--");
  if (dashes >= 0) invocation.shell.state.positional = args.slice(dashes + 1);
  else {
    const first = args.findIndex(
      (argument, index) => !/^[-+]/.test(argument.text) && !/^[-+][a-zA-Z]*o$/.test(args[index - 1]?.text ?? ""),
    );
    if (first >= 0) invocation.shell.state.positional = args.slice(first);
  }
}

function shift(invocation: Invocation): void {
  const count = Number(invocation.text(0) || "1");
  invocation.shell.state.positional = invocation.shell.state.positional.slice(Number.isInteger(count) && count >= 0 ? count : 1);
}

function alias(invocation: Invocation): void {
  for (const argument of invocation.args) {
    const equals = argument.text.indexOf("=");
    if (equals <= 0) continue;
    const { state } = invocation.shell;
    state.aliases.set(argument.text.slice(0, equals), argument.text.slice(equals + 1));
    if (argument.sources.length > 0) state.brought = unique([...state.brought, ...argument.sources.filter(({ from }) => from !== "text")]);
  }
}

function unalias(invocation: Invocation): void {
  for (const argument of invocation.args) {
    if (argument.text === "-a") invocation.shell.state.aliases.clear();
    else invocation.shell.state.aliases.delete(argument.text);
  }
}

function read(invocation: Invocation): void {
  const options = invocation.options({ short: "adeinNptuk" });
  const array = options.value("a");
  const descriptor = options.value("u");
  const sources = descriptor === undefined ? invocation.stdin : (invocation.io.inputs.get(Number(descriptor.text)) ?? []);
  const text = staticText(sources);
  const line = text?.split("\n", 1)[0];
  const { files, others } = listing(sources);
  const names = array === undefined ? options.operands.map((operand) => upTo(operand.text, "?")) : [array.text];
  if (names.length === 0) names.push("REPLY");
  // Of one line of known text the values are known, and of a list with one file; anything else only has its sources.
  const isLine = line !== undefined && (text === line || text === `${line}\n`);
  const divider = invocation.environment.get("IFS") ?? invocation.shell.state.variables.get("IFS")?.values[0];
  const fields = isLine ? fieldsOf(line, array === undefined ? names.length : CHOSEN.word_fields, divider) : undefined;
  if (array !== undefined && fields !== undefined && NAME.test(array.text)) {
    invocation.shell.state.variables.set(invocation.shell.state.named(array.text), { values: fields, exported: false, array: true });
    return;
  }
  const listed = names.length === 1 && files.length === 1 && others.length === 0 ? files.map(listedWord)[0] : undefined;
  const unknown = { exact: false, sources, listed: invocation.readListed(sources) };
  names.forEach((name, at) => {
    const value = fields === undefined ? listed : (fields[at] ?? literal(""));
    if (NAME.test(name)) invocation.shell.set(name, value ?? { text: `$${name}`, ...unknown });
  });
}

/** A line's fields, of which the last takes the rest; undefined where what divides them is not known. */
function fieldsOf(line: string, most: number, divider: Argument | undefined): readonly Argument[] | undefined {
  if (most === 1) return [literal(line)];
  const sign = divider === undefined ? " " : divider.exact && divider.text.length === 1 ? divider.text : undefined;
  if (sign === undefined) return undefined;
  const fields = divider === undefined ? line.trim().split(/[ \t]+/) : line.split(sign);
  const last = fields.length > most ? [fields.slice(most - 1).join(sign)] : [];
  return [...fields.slice(0, last.length > 0 ? most - 1 : most), ...last].map(literal);
}

function mapfile(invocation: Invocation): void {
  const options = invocation.options({ short: "dnOsuCc" });
  const callback = options.value("C");
  if (callback !== undefined) invocation.script(callback, { same: true });
  const name = options.operands[0]?.text ?? "MAPFILE";
  const lines = staticText(invocation.stdin)?.replace(/\n$/, "").split("\n");
  if (lines !== undefined && lines.length > CHOSEN.word_fields) {
    lines.length = CHOSEN.word_fields;
    invocation.unreadPart("an array has too many elements");
  }
  const { files, others } = listing(invocation.stdin);
  const values = lines?.map(literal) ?? [
    ...files.map(listedWord),
    ...(others.length > 0 ? [{ text: `$${name}`, exact: false, sources: others, listed: invocation.readListed(others) }] : []),
  ];
  if (NAME.test(name)) invocation.shell.state.variables.set(invocation.shell.state.named(name), { values, exported: false, array: true });
}

function evaluate(invocation: Invocation): void {
  const args = invocation.args.filter((argument, index) => index > 0 || argument.text !== "--");
  if (args.length === 0) return;
  const exact = args.every((argument) => argument.exact);
  const sources = unique(args.flatMap((argument) => [...argument.sources]));
  const text = args.map((argument) => argument.text).join(" ");
  // `eval "$(ssh-agent -s)"`: a program's settings for the shell, with nothing of the call in them.
  if (text.trim() === "" && sources.length === 0) return;
  if (exact) return invocation.script(literal(text), { same: true });
  // What a known text says is followed, the rest is not known.
  if (sources.length > 0 && staticText(sources) === undefined && /^\s{0,8}(?:\$\(|`|\$\{?[A-Za-z_])/.test(text) && args.length === 1) {
    invocation.shell.state.sourced = true;
    const files = args[0] === undefined ? [] : broughtFiles(args[0]);
    return files.length > 0 ? invocation.scriptFlow(files) : invocation.doubt("a script is computed at run time");
  }
  invocation.script({ text, exact: false, sources }, { same: true });
}

/**
 * `source .env` uses a file, it does not show it unless every line is traced; a file this call wrote is a script that is
 * followed. What is no script by its name is told line by line in error messages.
 */
function source(invocation: Invocation): void {
  const [file, ...args] = invocation.args;
  if (file === undefined) return;
  const text = staticText(invocation.readScript(file));
  if (text !== undefined && text !== "") invocation.script(literal(text), { same: true, ...(args.length > 0 ? { positional: args } : {}) });
  else {
    invocation.shell.state.sourced = true;
    const { traced, verbose } = invocation.shell.state;
    if (traced || verbose || !isScriptName(file.text)) invocation.complain(file);
  }
}

/** Whether a file looks like shell text by its name: a script, settings to source, or a program without ending. */
export function isScriptName(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return (
    /\.(?:ba|z|k|c|da|fi)?sh$|\.(?:bats|command|run|zsh-theme|plugin|profile|in|install|env)$|rc$|profile$|^\.?env(?:\.|$)|^\.env|(?:^|[-_.])env$|aliases$|login$|logout$|activate$|^configure$/.test(
      name,
    ) ||
    (!/^\.|\./.test(name) && !/(?:^|[_-])(?:credentials?|secrets?|passwd|shadow|token|key|id_\w{2,10})$|^hosts$|^config$/.test(name))
  );
}

function trap(invocation: Invocation): void {
  const args = invocation.args.filter((argument) => !/^-[lp]$|^--$/.test(argument.text));
  const action = args[0];
  if (action === undefined || action.text === "" || action.text === "-" || args.length < 2) return;
  invocation.script(action, { same: true });
}

function test(invocation: Invocation): void {
  const at = invocation.args.findIndex((argument) => argument.text === "-v");
  const named = at >= 0 ? invocation.args[at + 1] : undefined;
  if (named !== undefined) invocation.shell.arithmetic(named);
  invocation.args.forEach((argument, index) => {
    if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(argument.text)) return;
    for (const side of [invocation.args[index - 1], invocation.args[index + 1]]) if (side !== undefined) invocation.shell.arithmetic(side);
  });
}

function arithmetic(invocation: Invocation): void {
  for (const argument of invocation.args) invocation.shell.arithmetic(argument);
}
