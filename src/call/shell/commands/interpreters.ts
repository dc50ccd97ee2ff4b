/** Interpreters: code given inline is read for files and addresses; script files are not opened. */
import { isLoopback } from "../../url.ts";
import type { Argument } from "../../effect.ts";
import { codeEffects, type CodeReading } from "../../code/effects.ts";
import { argumentSources, literal, sliceArgument, staticText, transformed, unique } from "../../source.ts";
import { baseName, expandTilde } from "../../path.ts";
import { type Switches, switchesOf, switchWord } from "../../switches.ts";
import { unpack } from "./archives.ts";
import { isScriptName } from "./builtins.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";
import { serve } from "./servers.ts";

/** The handler of an interpreter. */
export function interpreterCommand(name: string): Handler | undefined {
  const switches = switchesOf(name);
  if (switches === undefined) return undefined;
  return name.startsWith("php") ? (invocation) => php(invocation, switches) : (invocation) => interpreter(invocation, switches);
}

/** `deno eval code`, `bun -e code`; false when the call is something else. */
export function runtimeEval(invocation: Invocation): boolean {
  const at = invocation.args.findIndex((argument) => /^(?:-e|-p|--eval|--print|eval)$/.test(argument.text));
  const [first] = invocation.args;
  // Bun takes it glued as well.
  const glued = first !== undefined && invocation.name === "bun" ? /^-[ep](?=[^e])|^--(?:eval|print)=/.exec(first.text)?.[0] : undefined;
  const code =
    first !== undefined && glued !== undefined
      ? sliceArgument(first, glued.length)
      : at >= 0 && at < 3
        ? invocation.args.slice(at + 1).find((argument) => !/^-/.test(argument.text) || argument.text.length > 40)
        : undefined;
  if (code !== undefined) {
    const operands = invocation.args.slice(invocation.args.indexOf(code) + 1).filter(({ text }) => text !== "--");
    read(invocation, [code], glued !== undefined ? invocation.args.slice(1) : operands);
    return true;
  }
  if (invocation.stdin.length > 0 && invocation.args.some((argument) => argument.text === "-")) {
    read(invocation, [], invocation.args);
    return true;
  }
  return false;
}

/** Options whose value is code, in words of their own or behind `=`. */
const CODE = /^--(?:eval|print|process-(?:code|begin|end))(?==|$)/;

function interpreter(invocation: Invocation, switches: Switches): void {
  const { args, name } = invocation;
  const codes: Argument[] = [];
  const modules: Argument[] = [];
  const operands: Argument[] = [];
  const isPhp = name.startsWith("php");
  const mayLoop = isPhp || /^j?(?:perl|ruby)/.test(name);
  let loops = false;
  let inPlace = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    const text = argument.text;
    if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (CODE.test(text) || (isPhp && /^--run(?:=|$)/.test(text)) || /^--run=/.test(text)) {
      const equals = text.indexOf("=");
      const code = equals < 0 ? args[++at] : sliceArgument(argument, equals + 1);
      if (code !== undefined) codes.push(code);
      continue;
    }
    // Node's, of which none is one of another interpreter's flags.
    if (/^--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|title|watch-path)$/.test(text)) {
      at++;
      continue;
    }
    const word = text === "-" ? undefined : switchWord(switches, text);
    // Behind the script's name, what is glued to a letter is the script's own.
    if (word === undefined || (operands.length > 0 && word.from !== undefined)) {
      if (!text.startsWith("-") || text === "-") operands.push(argument);
      continue;
    }
    const { flags, letter, from } = word;
    if (mayLoop) {
      loops ||= isPhp ? letter === "R" : /[np]/.test(flags);
      inPlace ||= flags.includes("i") && !isPhp;
    }
    if (letter === undefined) continue;
    const value = from === undefined ? args[++at] : sliceArgument(argument, from);
    const rest = args.slice(at + 1);
    if (letter === "m" && switches.last?.includes("m") === true) return pythonModule(invocation, value?.text ?? "", rest);
    // What a module brings in says what the code's calls mean.
    if (value !== undefined && /^[Mm]$/.test(letter) && /^-?perl/.test(name) && /^-?[\w:]{1,80}(?:=[\w,:]{1,200})?$/.test(value.text))
      modules.push(literal(`use ${value.text.replace(/^-/, "").replace("=", " qw(")}${value.text.includes("=") ? ")" : ""};`));
    if (!switches.code.includes(letter)) continue;
    if (value !== undefined) codes.push(value);
    if (switches.last?.includes(letter) === true) {
      operands.push(...rest);
      break;
    }
  }
  if (codes.length === 0 && (operands.length === 0 || (operands[0]?.text === "-" && operands[0].exact)))
    return read(invocation, [], operands.slice(1));
  if (codes.length === 0) return scriptFile(invocation, operands);
  read(invocation, [...modules, ...codes], operands);
  if (loops) {
    if (inPlace) for (const file of operands) invocation.change(file, "edit");
    else invocation.printTransformed(invocation.readAll(isPhp ? [] : operands));
  }
}

/** `php -S host:port -t folder` is a web server. */
function php(invocation: Invocation, switches: Switches): void {
  const options = readOptions(invocation.args, { short: "dcfBRFErStz" });
  const address = options.value("S");
  if (address === undefined) return interpreter(invocation, switches);
  serve(invocation, options.value("t"), !isLoopback(address.text));
}

/** A script file: read when this call wrote it itself; otherwise what it does is its own affair. */
function scriptFile(invocation: Invocation, operands: readonly Argument[]): void {
  const [script, ...rest] = operands;
  if (script === undefined) return;
  // Laravel's own shell: `php artisan tinker --execute=…`.
  const executed = baseName(script.text) === "artisan" && rest[0]?.text === "tinker" ? valueOf(invocation, "--execute") : undefined;
  if (executed !== undefined) return tell(invocation, executed.text, [], true);
  const text = staticText(invocation.readScript(script));
  if (text !== undefined && text !== "") return tell(invocation, text, rest);
  // What is no program of this language is quoted in the message about it; PHP prints it.
  const name = baseName(script.text);
  const isProgram = name.includes(".")
    ? /^\.$|\.(?:[cm]?[jt]sx?|py[wi]?|rb|pl|pm|t|php\d?|phtml|lua|R|r|groovy|exs?|scala|sc|jl|swift|ml|clj|tcl|exp|json|scpt|phar|gemspec|raku|m|scm|rkt|gp|plt)$/.test(
        name,
      )
    : isScriptName(name);
  if (!isProgram) invocation.complain(script);
  invocation.passOn();
  invocation.print([{ from: "unknown" }]);
}

/** The value of a long option, in a word of its own or behind `=`. */
function valueOf({ args }: Invocation, option: string): Argument | undefined {
  const at = args.findIndex(({ text }) => text === option || text.startsWith(`${option}=`));
  const found = args[at];
  if (found === undefined) return undefined;
  return found.text === option ? args[at + 1] : sliceArgument(found, option.length + 1);
}

/** Code that a framework's own command runs: `rails runner '…'`, `wp eval '…'`. False where it is another command. */
export function frameworkCode(invocation: Invocation): boolean {
  const { args, name } = invocation;
  const words = args.filter(({ text }) => !text.startsWith("-"));
  const [command, code] = words;
  const runs = name === "rails" ? /^(?:runner|r)$/ : /^(?:eval|ev|php:eval|php-eval)$/;
  if (command === undefined || code === undefined || !runs.test(command.text)) return false;
  if (/^[\w./-]{1,400}\.rb$/.test(code.text)) return false;
  tell(invocation, code.text, words.slice(2), true, name === "rails" ? "ruby" : "php");
  return true;
}

/** Code from arguments, or from standard input when there is none. */
function read(invocation: Invocation, codes: readonly Argument[], operands: readonly Argument[]): void {
  if (codes.length === 0) {
    const text = staticText(invocation.stdin);
    if (text !== undefined) tell(invocation, text, operands);
    else if (invocation.stdin.length > 0 && !invocation.fileFlow(invocation.name, invocation.stdin, operands)) {
      invocation.doubt("a program is computed at run time");
      const written = invocation.stdin.map((source) => (source.from === "text" ? source.text : "")).join("");
      if (written !== "") tell(invocation, written, operands);
    }
    return;
  }
  const code = codes.map((one) => one.text).join("\n");
  if (codes.some((one) => !one.exact && one.sources.length > 0)) {
    // `python -c "print('$SECRET')"`: what is put into the code may be printed by it.
    const sources = unique(codes.flatMap((one) => [...one.sources]));
    if (/\b(?:print|echo|puts|console\.log|say|p)\b/.test(code)) invocation.printTransformed(sources);
  }
  tell(invocation, code, operands, true);
}

function tell(invocation: Invocation, code: string, operands: readonly Argument[], stdinIsData = false, language = invocation.name): void {
  const [first] = operands;
  const from = first === undefined ? -1 : invocation.args.indexOf(first);
  const reading: CodeReading = {
    // What holds a wildcard may be a pattern that the code looks files up by.
    file: (path) =>
      /[*?]/.test(path)
        ? invocation.read({
            text: (path.startsWith("~") ? expandTilde(path, invocation.world) : undefined) ?? path,
            exact: false,
            sources: [],
          })
        : invocation.read({ text: path, exact: true, sources: [] }),
    /** What `sys.argv[n]`, `ARGV`, `process.argv[n]`, `$1` stand for. */
    operands: operands.map((operand) => ({
      text: operand.exact ? operand.text : "",
      isFile: operand.text !== "",
      content: () => invocation.read(operand),
      sources: argumentSources(operand),
    })),
    variable: (variable) => {
      const value = invocation.variable(variable);
      return value?.exact === true ? value.text : undefined;
    },
    words: from < 0 ? operands : invocation.args.slice(from),
    stdin: stdinIsData ? invocation.stdin : [],
    prints: invocation.args.some(
      ({ text }) => /^(?:-p|-pe|--print)$|^--print=/.test(text) || (text === "-E" && invocation.name === "julia"),
    ),
  };
  const found = codeEffects(code, language, reading);
  for (const { text, stdin, names } of found.commands) invocation.script(literal(text), { stdin: transformed(stdin), variables: names });
  for (const send of found.sends)
    invocation.send(
      invocation.name,
      [
        { sources: transformed(send.sources), position: "data" },
        { sources: send.text, position: "data" },
        {
          sources: send.credential.map((source) => (source.from === "file" ? { ...source, plain: false } : source)),
          position: "credential",
        },
      ],
      send.destination,
    );
  for (const write of found.writes) invocation.write({ text: write.path, exact: true, sources: [] }, write.sources, write.append);
  for (const path of found.edits) invocation.change({ text: path, exact: true, sources: [] }, "edit");
  if (found.editsOperands) for (const operand of operands) invocation.change(operand, "edit");
  for (const path of found.removes) invocation.change({ text: path, exact: true, sources: [] }, "remove");
  if (found.printed.length > 0) invocation.printTransformed(found.printed);
  if (found.doubt !== undefined) invocation.doubt(found.doubt);
  if (found.unread !== undefined) invocation.unreadPart(found.unread);
  invocation.print([{ from: "unknown" }]);
}

function pythonModule(invocation: Invocation, module: string, args: readonly Argument[]): void {
  const files = args.filter((argument) => !argument.text.startsWith("-"));
  switch (module) {
    case "tokenize":
    case "ast":
    case "dis":
    case "tabnanny":
    case "pyclbr":
    case "json":
    case "json.tool":
      return invocation.print(invocation.readAll(files.slice(0, 1)));
    case "base64":
    case "binascii":
    case "quopri":
    case "uu":
      return invocation.printTransformed(invocation.readAll(files));
    case "build":
      return invocation.start([{ text: "pyproject-build", exact: true, sources: [] }, ...args]);
    case "webbrowser":
      return invocation.start([literal("xdg-open"), ...args]);
    case "twine":
    case "flit":
    case "hatch":
    case "poetry":
    case "pip":
    case "venv":
    case "pytest":
      return invocation.start([{ text: module, exact: true, sources: [] }, ...args]);
    case "zipfile":
    case "tarfile": {
      const [target, ...members] = files;
      const [folder] = members;
      if (args.some((argument) => /^-e$|^--extract$/.test(argument.text)) && target !== undefined)
        return unpack(invocation, { archive: target, folder: folder ?? literal("."), strip: 0, members: [] }, invocation.read(target));
      if (args.some((argument) => /^-c$|^--create$/.test(argument.text)) && target !== undefined)
        invocation.write(target, transformed(invocation.readAll(members)));
      return;
    }
    case "http.server":
    case "SimpleHTTPServer": {
      const options = readOptions(args, { short: "bdp", long: "bind directory protocol" });
      const bound = options.value("bind", "b")?.text ?? "0.0.0.0";
      return serve(invocation, options.value("directory", "d"), !isLoopback(bound));
    }
    default:
      return invocation.print([{ from: "unknown" }]);
  }
}
