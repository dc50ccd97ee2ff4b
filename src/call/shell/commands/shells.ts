/** Shells as commands: `sh -c`, `su`, `script`, and those of Windows. */
import type { Argument } from "../../effect.ts";
import { literal, staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { isScriptName } from "./builtins.ts";
import { CollectSink, withOut } from "../sink.ts";
import { begin } from "./wrap.ts";

/** `sh -c text`, `sh file`, or what comes in. */
export function shell(invocation: Invocation): void {
  const { args } = invocation;
  let at = 0;
  let text = false;
  let flags = "";
  let settings: Argument | undefined;
  /** `-s`: the script comes through the pipe, and the words are its arguments. */
  let piped = false;
  for (; at < args.length; at++) {
    const word = args[at]?.text ?? "";
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith("--")) {
      if (/^--(?:rcfile|init-file)$/.test(word)) settings = args[++at];
      if (word === "--command") text = true;
      continue;
    }
    if (word.includes("c")) text = true;
    if (/^-[a-zA-Z]{0,8}s/.test(word)) piped = true;
    flags += /^-[a-z]{1,8}/.exec(word)?.[0].slice(1).replace(/[^vx]/g, "") ?? "";
    if (/[oO]$/.test(word)) at++;
  }
  const [first, ...rest] = args.slice(at);
  // A shell that somebody types into reads its settings first.
  if (settings !== undefined && (first === undefined || args.slice(0, at).some(({ text: flag }) => /^-\w{0,8}i/.test(flag))))
    invocation.scriptFlow(invocation.readScript(settings));
  if (text) {
    if (first !== undefined)
      invocation.script(flags === "" ? first : { ...first, text: `set -${flags}\n${first.text}` }, {
        positional: rest.slice(1),
        ...(rest[0] === undefined ? {} : { name: rest[0] }),
      });
    return;
  }
  if (piped) return invocation.scriptFlow(invocation.stdin, args.slice(at));
  if (first === undefined) {
    // A shell without a script speaks to whoever its descriptors belong to.
    if (invocation.stdin.length === 0) return invocation.print([{ from: "unknown" }]);
    return invocation.scriptFlow(invocation.stdin);
  }
  const content = invocation.readScript(first);
  // `bash <(cat f)`
  if (first.text.startsWith("/dev/fd/") && invocation.fileFlow("sh", content, rest)) return;
  const written = staticText(content);
  // What a script on disk is given may come out of it, as of any program.
  if (written === undefined && invocation.io.out.get(1)?.kind !== "show") invocation.passOnMaybe();
  if (written !== undefined) invocation.script(literal(written), { positional: rest });
  else if (content.some((source) => source.from === "unknown")) invocation.doubt("a script is computed at run time");
  else if (!isScriptName(first.text) || args.slice(0, at).some(({ text: flag }) => /^-\w{0,8}v/.test(flag))) invocation.complain(first);
}

/** `su -c text`, `sg group text`, `runuser -u name cmd`. */
export function su(invocation: Invocation): void {
  const options = invocation.options({ short: "cgsGwu", long: "command group shell supp-group session-command user" });
  const text = options.value("c", "command", "session-command");
  if (text !== undefined) invocation.script(text);
  // `sg group "cmd"`
  else if (invocation.name === "sg" && options.operands[1] !== undefined) invocation.script(options.operands[1]);
  else if (options.has("u", "user") && invocation.name === "runuser") begin(invocation, options.operands, false);
  else invocation.scriptFlow(invocation.stdin);
}

/** `script -c text file`: what the command prints goes into the file as well. */
export function script(invocation: Invocation): void {
  const options = invocation.options({ short: "cEIOBTmot", long: "command log-in log-out log-io output-limit echo" });
  const text = options.value("c", "command");
  const file = options.operands[0];
  const sink = new CollectSink();
  if (text !== undefined)
    invocation.shell.runText(text.text, withOut(invocation.io, sink), { same: false, remote: false, environment: invocation.environment });
  else if (options.operands.length > 1)
    invocation.shell.wrapped(() => invocation.shell.start(options.operands.slice(1), withOut(invocation.io, sink), invocation.environment));
  invocation.print(sink.sources);
  if (file !== undefined && file.text !== "/dev/null") invocation.write(file, sink.sources);
}

/** Programs of the Windows command line by their nearest Unix kin. */
const WINDOWS: Readonly<Record<string, string>> = {
  type: "cat",
  copy: "cp",
  xcopy: "cp",
  move: "mv",
  ren: "mv",
  del: "rm",
  erase: "rm",
  dir: "ls",
  set: "env",
  findstr: "grep",
  more: "more",
  certutil: "base64",
};

/** `cmd /c type f`: read word by word, with Windows' own commands. */
export function cmd(invocation: Invocation): void {
  const at = invocation.args.findIndex((argument) => /^\/\/?[ck]$/i.test(argument.text));
  if (at < 0) return;
  const words = invocation.args.slice(at + 1);
  const text = words.map((word) => word.text).join(" ");
  invocation.shell.each(text.split(/&{1,2}/), (part) => {
    const parsed = invocation.shell
      .parseWords(part.replaceAll("\\", "/").replaceAll("^", ""))
      .flatMap((word) => invocation.shell.words.fields(word));
    const [first, ...rest] = parsed;
    if (first === undefined) return;
    invocation.start([{ ...first, text: WINDOWS[first.text.toLowerCase()] ?? first.text }, ...rest]);
  });
  if (/[|<>]/.test(text) || words.some((word) => !word.exact)) invocation.doubt("a Windows command line is not read as a whole");
}

/** `pwsh -Command text`; a script file is a program like any. */
export function powershell(invocation: Invocation): void {
  const text = powershellText(invocation.args);
  if (text === undefined) return;
  invocation.shell.core.powershell(text, invocation.shell, invocation.io);
}

/** The script of `pwsh -Command …` or `-EncodedCommand …`; undefined when a script file runs. */
function powershellText(args: readonly Argument[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]?.text ?? "";
    if (/^[-/]e(?:c|n|nc|ncodedcommand|nco|ncod|ncode|ncoded)?$/i.test(word)) return decoded(args[at + 1]?.text ?? "");
    if (/^[-/]c(?:o|om|omm|omma|omman|ommand)?$/i.test(word)) return joined(args.slice(at + 1));
    if (/^[-/](?:f|file)$/i.test(word)) return undefined;
    if (
      /^[-/](?:ex|ep|executionpolicy|w|windowstyle|version|psconsolefile|inputformat|outputformat|workingdirectory|wd|configurationname)$/i.test(
        word,
      )
    )
      at++;
    else if (!word.startsWith("-")) return joined(args.slice(at));
  }
  return undefined;
}

function joined(args: readonly Argument[]): string {
  return args.map((argument) => argument.text).join(" ");
}

function decoded(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/=]{0,65536}$/.test(text)) return undefined;
  return Buffer.from(text, "base64").toString("utf16le");
}
