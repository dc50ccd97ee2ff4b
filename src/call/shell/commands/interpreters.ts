/** Interpreters: code given inline is read for files and addresses; script files are not opened. */
import type { Argument } from "../../effect.ts";
import { codeEffects, type CodeReading } from "../../code.ts";
import { argumentSources, literal, staticText, transformed, unique } from "../../source.ts";
import { baseName } from "../../path.ts";
import { unpack } from "./archives.ts";
import { isScriptName } from "./builtins.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";
import { serve } from "./sharing.ts";

/** The handler of an interpreter. */
export function interpreterCommand(name: string): Handler | undefined {
  if ((name.startsWith("py") || name.startsWith("ipython")) && /^(?:python|pypy)(?:\d(?:\.\d{1,2})?)?$|^ipython3?$|^py$/.test(name))
    return interpreter("WXmQ", /^-(?:\w*c)$/);
  switch (name) {
    case "node":
    case "nodejs":
    case "tsx":
    case "ts-node":
      return interpreter("r", /^-(?:e|p|pe)$|^--(?:eval|print)$/);
    case "ruby":
    case "jruby":
      return interpreter("rICEKT", /^-\w*e$/);
    case "perl":
      return interpreter("ICMm", /^-\w*[eE]$/);
    case "php":
      return php;
    case "lua":
    case "luajit":
      return interpreter("l", /^-e$/);
    case "Rscript":
    case "R":
      return interpreter("", /^-e$/);
    case "osascript":
      return interpreter("l", /^-e$/);
    case "groovy":
    case "elixir":
    case "scala":
    case "julia":
    case "swift":
    case "ocaml":
    case "jshell":
    case "clojure":
    case "bb":
    case "tclsh":
    case "expect":
      return interpreter("", /^-[ec]$|^--eval$/);
    default:
      return undefined;
  }
}

/** `deno eval code`, `bun -e code`; false when the call is something else. */
export function runtimeEval(invocation: Invocation): boolean {
  const at = invocation.args.findIndex((argument) => /^(?:-e|-p|--eval|--print|eval)$/.test(argument.text));
  const code =
    at >= 0 && at < 3
      ? invocation.args.slice(at + 1).find((argument) => !/^-/.test(argument.text) || argument.text.length > 40)
      : undefined;
  if (code !== undefined) {
    read(invocation, [code], []);
    return true;
  }
  if (invocation.stdin.length > 0 && invocation.args.some((argument) => argument.text === "-")) {
    read(invocation, [], invocation.args);
    return true;
  }
  return false;
}

function interpreter(values: string, inline: RegExp): Handler {
  return (invocation) => {
    const codes: Argument[] = [];
    const operands: Argument[] = [];
    let loops = false;
    let inPlace = false;
    for (let at = 0; at < invocation.args.length; at++) {
      const argument = invocation.args[at] as Argument;
      const text = argument.text;
      if (text === "--") {
        operands.push(...invocation.args.slice(at + 1));
        break;
      }
      if (inline.test(text)) {
        loops ||= /^-\w*[np]/.test(text) && /^(?:perl|ruby)$/.test(invocation.name);
        inPlace ||= /^-\w*i/.test(text) && loops;
        const code = invocation.args[++at];
        if (code !== undefined) codes.push(code);
        if (/^(?:python|pypy|ipython|py)/.test(invocation.name)) {
          operands.push(...invocation.args.slice(at + 1));
          break;
        }
      } else if (/^--(?:eval|print|run)=/.test(text)) codes.push({ ...argument, text: text.slice(text.indexOf("=") + 1) });
      else if (text === "-m" && /^(?:python|pypy|py)/.test(invocation.name)) {
        return pythonModule(invocation, invocation.args[at + 1]?.text ?? "", invocation.args.slice(at + 2));
      } else if (/^-[A-Za-z]$/.test(text) && values.includes(text[1] ?? "")) at++;
      // Node's, of which none is one of another interpreter's flags.
      else if (/^--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|title|watch-path)$/.test(text)) at++;
      else if (text.startsWith("-") && text !== "-") {
        loops ||= /^-\w*[np]/.test(text) && /^(?:perl|ruby)$/.test(invocation.name);
        inPlace ||= /^-\w*i/.test(text);
      } else operands.push(argument);
    }
    if (codes.length === 0 && (operands.length === 0 || (operands[0]?.text === "-" && operands[0].exact)))
      return read(invocation, [], operands.slice(1));
    if (codes.length === 0) return scriptFile(invocation, operands);
    read(invocation, codes, operands);
    if (loops) {
      if (inPlace) for (const file of operands) invocation.change(file, "edit");
      else invocation.printTransformed(invocation.readAll(operands));
    }
  };
}

/** `php -S host:port -t folder` is a web server. */
function php(invocation: Invocation): void {
  const options = readOptions(invocation.args, { short: "dcfBRFErStz" });
  const address = options.value("S");
  if (address === undefined) return interpreter("dcfBRFE", /^-[rR]$|^--run$/)(invocation);
  serve(invocation, options.value("t"), !/^(?:127\.|localhost:|\[::1\])/.test(address.text));
}

/** A script file: read when this call wrote it itself; otherwise what it does is its own affair. */
function scriptFile(invocation: Invocation, operands: readonly Argument[]): void {
  const [script, ...rest] = operands;
  if (script === undefined) return;
  const text = staticText(invocation.readScript(script));
  if (text !== undefined && text !== "") return tell(invocation, text, rest);
  // What is no program of this language is quoted in the message about it; PHP prints it.
  const name = baseName(script.text);
  const isProgram = name.includes(".")
    ? /^\.$|\.(?:[cm]?[jt]sx?|py[wi]?|rb|pl|pm|t|php\d?|phtml|lua|R|r|groovy|exs?|scala|sc|jl|swift|ml|clj|tcl|exp|json|scpt|phar|gemspec)$/.test(
        name,
      )
    : isScriptName(name);
  if (!isProgram) invocation.complain(script);
  invocation.passOn();
  invocation.print([{ from: "unknown" }]);
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

function tell(invocation: Invocation, code: string, operands: readonly Argument[], stdinIsData = false): void {
  const reading: CodeReading = {
    file: (path) => invocation.read({ text: path, exact: true, sources: [] }),
    /** What `sys.argv[n]`, `ARGV`, `process.argv[n]`, `$1` stand for. */
    operands: operands.map((operand) => ({
      text: operand.exact ? operand.text : "",
      content: () => invocation.read(operand),
      sources: argumentSources(operand),
    })),
    stdin: stdinIsData ? invocation.stdin : [],
    prints: invocation.args.some((argument) => /^(?:-p|-pe|--print)$/.test(argument.text)),
  };
  const found = codeEffects(code, invocation.name, reading);
  for (const command of found.commands) invocation.script({ text: command, exact: true, sources: [] });
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
      return serve(invocation, options.value("directory", "d"), !/^(?:127\.|localhost$|::1$)/.test(bound));
    }
    default:
      return invocation.print([{ from: "unknown" }]);
  }
}
