/** Variables that make a program start commands or read settings: their texts run like `sh -c`. */
import type { Argument } from "../../effect.ts";
import { literal, staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { contactByEnvironment } from "./contact.ts";

const COMMANDS =
  /^(?:PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|AWS_PAGER|GH_PAGER|BAT_PAGER|DELTA_PAGER|PSQL_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|SUDO_EDITOR|KUBE_EDITOR|FCEDIT|BROWSER|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|MAKEFLAGS|GOFLAGS|NODE_OPTIONS|NPM_CONFIG_(?:NODE_OPTIONS|SCRIPT_SHELL)|PYTHONSTARTUP|PERL5OPT|RUBYOPT|LUA_INIT|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC(?:_WORKSPACE)?_WRAPPER|CARGO_TARGET_\w{1,80}_(?:RUNNER|LINKER)|CMAKE_(?:C|CXX)_COMPILER_LAUNCHER|BASH_ENV|ENV|ZDOTDIR|PS4)$/i;

/** Runs what the variables in front of a program would start, and tells what they contact. */
export function environmentHooks(invocation: Invocation): void {
  for (const [name, value] of invocation.environment) variableHooks(invocation, name, value);
  contactByEnvironment(invocation);
}

/** Runs what programs start because of one variable. */
export function variableHooks(invocation: Invocation, name: string, value: Argument): void {
  if (COMMANDS.test(name) && value.text !== "") {
    switch (name.toUpperCase()) {
      case "BASH_ENV":
      case "ENV":
        // The value is expanded, then the file it names is sourced.
        if (/[$`]/.test(value.text) && value.exact) invocation.script({ ...value, text: `: "${value.text.replaceAll('"', "")}"` });
        else {
          const content = invocation.readScript(value);
          const text = staticText(content);
          if (text !== undefined && text !== "") invocation.script(literal(text));
          // `ENV=production` is no file's name.
          else if (name === "BASH_ENV" || /[./]/.test(value.text)) invocation.fileFlow("sh", content, []);
        }
        break;
      case "ZDOTDIR":
        if (/^zsh$/.test(invocation.name))
          for (const file of [".zshenv", ".zshrc"])
            invocation.fileFlow("zsh", invocation.readScript({ ...value, text: `${value.text}/${file}` }), []);
        break;
      case "NODE_OPTIONS":
      case "NPM_CONFIG_NODE_OPTIONS":
        nodeOptions(invocation, value);
        break;
      case "RUBYOPT":
        for (const word of value.text.split(" ")) if (/^-r[./]/.test(word)) invocation.start([literal("ruby"), literal(word)], NONE);
        break;
      case "PYTHONSTARTUP":
        if (value.exact) invocation.start([literal("python3"), value], NONE);
        break;
      case "LUA_INIT":
        if (value.text.startsWith("@")) invocation.start([literal("lua"), { ...value, text: value.text.slice(1) }], NONE);
        else invocation.start([literal("lua"), literal("-e"), value], NONE);
        break;
      case "PS4":
        if (/\$\(|`/.test(value.text)) invocation.script({ ...value, text: `: "${value.text.replaceAll('"', "")}"` });
        break;
      case "TAR_OPTIONS":
      case "MAKEFLAGS":
      case "GOFLAGS":
      case "PERL5OPT":
        if (/exec=|--eval|\$\(shell|to-command=/.test(value.text)) {
          const command = /(?:exec=|to-command=)(.{1,2000})$/s.exec(value.text)?.[1];
          if (command === undefined) invocation.doubt("a variable starts a command");
          else invocation.script({ ...value, text: command });
        }
        break;
      default:
        // A plain name of a program (`less`, `vim`, `cat`) shows nothing of its own.
        if (/[\s;|&$<>`(/]/.test(value.text)) invocation.script({ ...value, text: value.text.replace(/^\|-?/, "") });
    }
  }
}

/** The started program has variables of its own. */
const NONE = { environment: new Map<string, never>() };

/** `--require ./x.js`: a script that runs in every Node that starts with these options. */
export function nodeOptions(invocation: Invocation, value: Argument): void {
  const words = value.text.split(/[ \t]+/);
  words.forEach((word, at) => {
    const [head] = /^(?:-r|--(?:require|import|loader|experimental-loader))(?:=|$)/.exec(word) ?? [];
    const file = head === undefined ? undefined : head.endsWith("=") ? word.slice(head.length) : words[at + 1];
    if (file !== undefined && /^(?:\.{0,2}\/|~\/)/.test(file)) invocation.start([literal("node"), { ...value, text: file }], NONE);
  });
}
