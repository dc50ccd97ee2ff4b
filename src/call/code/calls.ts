/** Calls that start a command, by their names in every language, and how each takes it. */

/**
 * How a call takes its command: `first` argument alone (text or list), all of them as `words`, `argv`: a program and its
 * words, of which the first one is only its name. `mode` and `factory` stand in front of it.
 */
export type Shape = "first" | "words" | "argv" | "mode argv" | "factory words" | "each" | "pipe" | "program" | "pasted" | "called";

/** The last names of calls that start something, in whatever language. */
export const STARTS =
  /(?<![\w$%&])(?:system2?|exec(?:[lv]p?e?|Sync|File|FileSync|_wait|_internal|_background|a|aSync|aCommand|aCommandSync|aNode)?|spawn(?:[lv]p?e?|Sync)?|posix_spawnp?|popen[234]?e?|Popen|run(?:_always|_install)?|call|check_call|check_output|getoutput|getstatusoutput|subprocess_(?:exec|shell)|create_subprocess_(?:exec|shell)|execute|shell_exec|passthru|proc_open|pcntl_exec|capture(?:2e?|3|x)?|pipeline(?:_\w{1,9})?|Command|Process|ProcessBuilder|fromShellCommandline|doShellScript|do shell script|shell|sh|sudo|local|pipe|open[23]?|readpipe|read|readlines|foreach|cmd|command|process|open_process\w{0,5}|sync|call_user_func(?:_array)?|array_map|send|public_send|__send__)(?!\w)/g;

/** Modules and objects whose `run` and `call` start a command. */
const RUNNERS =
  /(?:^|[.:])(?:subprocess|pexpect|invoke|fabric|asyncio|processx|session|ssh|conn|connection|c|ctx|context|delegator|envoy|os|Deno)(?:\.|::)\w{3,4}$/;

/** How the call of this whole name takes its command. */
export function shapeOf(chain: string, language: string): Shape | undefined {
  const name = chain.slice(Math.max(chain.lastIndexOf("."), chain.lastIndexOf(":"), chain.lastIndexOf(">"), chain.lastIndexOf("/")) + 1);
  const rubyOrPerl = /^-?j?(?:perl|ruby)/.test(language);
  if (/^sh\.\w{1,40}$/.test(chain)) return undefined;
  switch (name) {
    case "execSync":
    case "popen":
    case "shell_exec":
    case "passthru":
    case "proc_open":
    case "Popen":
    case "check_call":
    case "check_output":
    case "getoutput":
    case "getstatusoutput":
    case "create_subprocess_shell":
    case "execaCommand":
    case "execaCommandSync":
    case "readpipe":
    case "fromShellCommandline":
    case "doShellScript":
      return "first";
    case "pipe":
      return /^R/.test(language) ? "first" : undefined;
    case "subprocess_exec":
    case "subprocess_shell":
      return "factory words";
    case "pcntl_exec":
      return "words";
    case "system2":
      return "pasted";
    case "system":
    case "spawn":
      return /\bpty\.spawn$/.test(chain) && /^-?py|^ipy/.test(language) ? "first" : "words";
    case "exec":
      return /^-?py|^ipy/.test(language) && chain === "exec" ? undefined : "words";
    case "run":
    case "call":
      if (/^(?:subprocess|pexpect|invoke|fabric|delegator|envoy)\.\w{3,4}$/.test(chain)) return "first";
      if (name === "run" && /^julia/.test(language) && chain === "run") return "first";
      if (name === "run" && language === "raku" && chain === "run") return "words";
      if (name === "run" && /^-?perl/.test(language) && /^(?:IPC::Run::)?run$/.test(chain)) return "each";
      return RUNNERS.test(chain) ? "words" : undefined;
    case "run_always":
    case "run_install":
      return "words";
    case "sudo":
    case "local":
      return /^(?:c|ctx|context|conn|connection)\.(?:sudo|local)$/.test(chain) ? "first" : undefined;
    case "capture":
    case "capturex":
      return /^-?perl/.test(language) || /Open3/.test(chain) ? "words" : undefined;
    case "Command":
      return /^(?:exec|Deno)\.Command$/.test(chain) ? "words" : undefined;
    case "command":
      return /^Sys\.command$/.test(chain) || /\bexpand\.command$/.test(chain) ? "first" : undefined;
    case "cmd":
      return /^:?os(?:\.|:)cmd$/.test(chain) ? "first" : /^System\.cmd$/.test(chain) ? "words" : undefined;
    case "shell":
      return /^(?:System\.shell|shell|p\/shell|(?:babashka\.)?process\/shell)$/.test(chain) &&
        /^(?:R|elixir|iex|clojure|bb|raku)/.test(language)
        ? "words"
        : undefined;
    case "sh":
      return chain === "sh" || /\/sh$/.test(chain) ? "words" : undefined;
    case "process":
      return /^(?:clojure|bb|guile|racket)/.test(language) ? "words" : undefined;
    case "do shell script":
      return "first";
    case "execute":
      return /\bIO\.popen/.test(chain) || chain === "os.execute" ? "first" : undefined;
    case "read":
    case "readlines":
    case "foreach":
      return /^IO\./.test(chain) && /^j?ruby/.test(language) ? "pipe" : undefined;
    case "open":
      if (/^Port\./.test(chain)) return "first";
      return /^(?:-?perl|j?ruby|tclsh|expect)/.test(language) && /^(?:(?:Kernel|CORE|IO)(?:\.|::))?open$/.test(chain) ? "pipe" : undefined;
    case "open2":
    case "open3":
      return /^-?perl/.test(language) ? "program" : undefined;
    case "sync":
      return /spawn\.sync$/.test(chain) ? "words" : undefined;
    case "send":
    case "public_send":
    case "__send__":
      return /^j?ruby/.test(language) ? "called" : undefined;
    case "call_user_func":
    case "call_user_func_array":
    case "array_map":
      return /^php/.test(language) ? "called" : undefined;
    case "Process":
    case "ProcessBuilder":
      return "words";
  }
  if (/^exec[lv]p?e?$/.test(name)) return "argv";
  if (/^spawn[lv]p?e?$/.test(name)) return "mode argv";
  if (/^posix_spawnp?$/.test(name)) return "argv";
  if (/^open_process/.test(name)) return /^Unix\./.test(chain) ? "first" : undefined;
  if (/^pipeline/.test(name)) return /Open3/.test(chain) ? "each" : undefined;
  if (/^(?:exec|spawn|capture|popen|create_subprocess)/.test(name)) return rubyOrPerl && /^popen$/.test(name) ? "first" : "words";
  return undefined;
}
