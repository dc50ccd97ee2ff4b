/** Commands that start other commands: looked through, never taken at their own name. */
import type { Argument, Source } from "../../effect.ts";
import { scheduledCommands } from "../../recipes.ts";
import { baseName } from "../../path.ts";
import { familyOf } from "../../switches.ts";
import { listedWord, listing, literal, sliceArgument, staticText, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { isScriptName } from "./builtins.ts";
import { toolCommand } from "./tools.ts";
import { type OptionTable, readOptions } from "../options.ts";
import { CollectSink, withOut } from "../sink.ts";

interface Wrapper {
  readonly table: OptionTable;
  /** Words in front of the options, of which one has to be there (`perf stat`). */
  readonly verbs?: RegExp;
  /** Operands between the options and the command. */
  readonly skip?: number;
  /** `NAME=value` words in front of the command set its environment. */
  readonly assigns?: boolean;
}

/** The handler of a wrapper. */
export function wrapperCommand(name: string): Handler | undefined {
  switch (name) {
    case "env":
      return env;
    case "sudo":
      return sudo;
    case "doas":
      return wrap({ table: { short: "Cu" }, assigns: true });
    case "nohup":
    case "setsid":
    case "builtin":
    case "busybox":
    case "toybox":
    case "winpty":
    case "catchsegv":
    case "unbuffer":
    case "torify":
    case "tsocks":
    case "noglob":
    case "nocorrect":
    case "fakeroot":
    case "dbus-run-session":
    case "chronic":
    case "rlwrap":
    case "eatmydata":
    case "nocache":
    case "ccache":
    case "distcc":
    case "sccache":
    case "gamemoderun":
    case "mangohud":
    case "primusrun":
    case "prime-run":
    case "optirun":
    case "tini":
    case "dumb-init":
    case "memusage":
    case "sotruss":
    case "linux32":
      return wrap({ table: {} });
    case "torsocks":
      return wrap({ table: { short: "aPup", long: "address port user pass" } });
    case "proxychains":
    case "proxychains4":
      return wrap({ table: { short: "f" } });
    case "faketime":
      return wrap({ table: { short: "p", long: "date-prog" }, skip: 1 });
    case "trickle":
      return wrap({ table: { short: "dunNLtwP" } });
    case "cgexec":
      return wrap({ table: { short: "g" } });
    case "aa-exec":
      return wrap({ table: { short: "pniN", long: "profile namespace" } });
    case "setuidgid":
    case "envuidgid":
    case "envdir":
    case "setlock":
    case "lckdo":
    case "lockf":
      return wrap({ table: { short: "tW" }, skip: 1 });
    case "perf":
      return wrap({
        table: {
          short: "eCptrxoIGDMFcujm",
          long: "event filter cpu pid tid repeat field-separator output interval-print cgroup delay metrics freq count mmap-pages call-graph control pre post",
        },
        verbs: /^(?:stat|record|trace|mem|c2c|lock|sched|kmem)$/,
      });
    case "uftrace":
    case "rr":
      return wrap({ table: { short: "FNdo" }, verbs: /^(?:record|live)$/ });
    case "ip":
      return namespaced;
    case "gdb":
    case "lldb":
      return debugged;
    case "caffeinate":
      return wrap({ table: { short: "tw" } });
    case "time":
    case "gtime":
      return wrap({ table: { short: "fo", long: "format output" } });
    case "timeout":
    case "gtimeout":
      return wrap({ table: { short: "ks", long: "kill-after signal" }, skip: 1 });
    case "xvfb-run":
      return wrap({ table: { short: "enfps", long: "error-file server-num auth-file xauth-protocol server-args" } });
    case "nice":
      return wrap({ table: { short: "n", long: "adjustment" } });
    case "ionice":
      return wrap({ table: { short: "cnpPu", long: "class classdata" } });
    case "chrt":
    case "taskset":
      return wrap({ table: { short: "pTPD" }, skip: 1 });
    case "stdbuf":
      return wrap({ table: { short: "ioe", long: "input output error" } });
    case "command":
      return command;
    case "exec":
      return wrap({ table: { short: "a" } });
    case "chroot":
      return wrap({ table: { long: "groups userspec" }, skip: 1 });
    case "unshare":
    case "nsenter":
    case "firejail":
      return wrap({ table: { short: "tSGpu", long: "target setuid setgid" } });
    case "bwrap":
      return sandbox;
    case "systemd-run":
      return wrap({
        table: {
          short: "pEuHMCD",
          long:
            "unit property setenv slice description uid gid nice working-directory host machine capsule service-type background expand-environment" +
            " on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar path-property socket-property timer-property root-directory",
        },
      });
    case "run0":
      return wrap({
        table: {
          short: "uguDM",
          long: "unit property description slice user group nice chdir setenv background machine lightweight area",
        },
      });
    case "machinectl":
      return after("shell", 1);
    case "xterm":
    case "uxterm":
    case "rxvt":
    case "urxvt":
    case "st":
    case "gnome-terminal":
    case "konsole":
    case "xfce4-terminal":
    case "x-terminal-emulator":
    case "terminator":
    case "tilix":
    case "alacritty":
    case "kitty":
    case "foot":
    case "wezterm":
      return terminal;
    case "strace":
    case "ltrace":
      return wrap({ table: { short: "eoOPpsSuabIX" } });
    case "flock":
      return flock;
    case "xargs":
    case "gxargs":
      return xargs;
    case "parallel":
      return parallel;
    case "sh":
    case "bash":
    case "zsh":
    case "dash":
    case "ash":
    case "ksh":
    case "mksh":
    case "fish":
    case "rbash":
    case "csh":
    case "tcsh":
    case "nu":
    case "xonsh":
    case "elvish":
    case "oil":
    case "osh":
    case "yash":
    case "posh":
      return shell;
    case "pkexec":
      return wrap({ table: { short: "u", long: "user" } });
    case "entr":
    case "chpst":
    case "softlimit":
    case "setarch":
    case "linux64":
    case "i386":
    case "cpulimit":
    case "prlimit":
    case "numactl":
    case "gosu":
    case "su-exec":
    case "setpriv":
    case "valgrind":
    case "heaptrack":
      return wrap({ table: { short: "eunlpic", long: "reuid regid" }, skip: /^(?:gosu|su-exec|setarch)$/.test(name) ? 1 : 0 });
    case "tmux":
    case "byobu":
      return tmux;
    case "screen":
      return screen;
    case "at":
    case "batch":
      return (invocation) => scheduled(invocation, invocation.stdin);
    case "crontab":
      return crontab;
    case "hyperfine":
    case "concurrently":
    case "nodemon":
    case "watchexec":
      return commandTexts;
    case "man":
      return (invocation) => {
        for (const value of invocation.options({ short: "PCMSHerRLtTE", long: "pager" }).values("P", "pager")) invocation.script(value);
        invocation.print([{ from: "unknown" }]);
      };
    case "su":
    case "sg":
    case "runuser":
      return su;
    case "script":
      return script;
    case "watch":
      return watch;
    case "cmd":
      return cmd;
    case "powershell":
    case "pwsh":
      return powershell;
    case "nix-shell":
    case "nix":
      return nix;
    case "direnv":
      return after("exec", 1);
    case "mise":
      return invokeAfter("exec", "x");
    case "op":
      return invokeAfter("run");
    case "uv":
    case "poetry":
    case "pipenv":
    case "hatch":
    case "pdm":
    case "rye":
    case "conda":
    case "mamba":
    case "micromamba":
      return invokeAfter("run");
    case "bundle":
    case "rbenv":
    case "pyenv":
    case "asdf":
    case "volta":
      return invokeAfter("exec");
    case "nvm":
    case "fnm":
    case "n":
      return versioned;
    case "doppler":
    case "infisical":
    case "teller":
    case "chamber":
    case "berglas":
      return invokeAfter("run", "exec");
    case "aws-vault":
    case "saml2aws":
    case "granted":
      return after("exec", 1);
    case "dotenv":
    case "dotenvx":
    case "env-cmd":
    case "cross-env":
    case "with-env":
    case "npx":
    case "bunx":
    case "uvx":
    case "pipx":
      return runner;
    default:
      // The loader of dynamic programs, which takes one and its arguments.
      return /^ld(?:-linux[\w.-]{0,20}|-musl[\w.-]{0,20}|64)?\.so(?:\.\d)?$/.test(name)
        ? wrap({ table: { long: "library-path preload argv0 inhibit-rpath audit glibc-hwcaps-prepend glibc-hwcaps-mask" } })
        : undefined;
  }
}

function wrap(spec: Wrapper): Handler {
  return (invocation) => {
    if (spec.verbs?.test(invocation.text(0)) === false) return;
    const options = invocation.options({ ...spec.table, stop: true }, spec.verbs === undefined ? 0 : 1);
    begin(invocation, options.operands.slice(spec.skip ?? 0), spec.assigns === true);
  };
}

/** `ip netns exec NAME cmd`, `ip vrf exec NAME cmd`. */
function namespaced(invocation: Invocation): void {
  const { operands } = invocation.options({ short: "nbrl", long: "netns batch rcvbuf loops" });
  if (/^(?:netns|vrf)$/.test(operands[0]?.text ?? "") && operands[1]?.text === "exec") {
    const at = invocation.args.indexOf(operands[1]);
    begin(invocation, invocation.args.slice(at + 2), false);
  } else invocation.print([{ from: "unknown" }]);
}

/** `nvm exec 20 cmd`, `n run 20 s.js`: a version may stand in front of the command. */
function versioned(invocation: Invocation): void {
  const verb = invocation.text(0);
  if (!/^(?:exec|run|use|as)$/.test(verb)) return;
  const { operands } = invocation.options({ long: "using", stop: true }, 1);
  const isVersion = /^v?\d[\w.-]{0,40}$|^(?:node|stable|unstable|system|default|latest|current|lts(?:[/*]\S{0,40})?|iojs)$/.test(
    operands[0]?.text ?? "",
  );
  const words = isVersion ? operands.slice(1) : operands;
  if (words.length > 0) begin(invocation, verb === "exec" ? words : [literal("node"), ...words], false);
}

/** `gdb -ex 'shell cmd'`, `gdb --args program …`, `lldb -- program …`. */
function debugged(invocation: Invocation): void {
  const isGdb = invocation.name === "gdb";
  const options = invocation.options({
    single: true,
    stop: true,
    long: "ex eval-command iex init-eval-command x command ix s symbols e exec c core p pid d directory cd D data-directory iex o one-line O one-line-before-file S source-before-file f file n arch a k K",
  });
  const texts = options.values("ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O", "one-line-before-file");
  let given: readonly Argument[] = [];
  for (const text of texts) {
    const [start] = /^\s{0,8}(?:shell\s|!|platform shell\s|python\s|script\s|r(?:un)?\s|process launch\s)/.exec(text.text) ?? [];
    if (start === undefined) continue;
    const rest = sliceArgument(text, start.length);
    if (/python|script/.test(start)) invocation.start([literal("python3"), literal("-c"), rest]);
    else if (/run|r\s|launch/.test(start))
      given = invocation.shell.parseWords(rest.text).flatMap((word) => invocation.shell.words.fields(word));
    else invocation.script(rest);
  }
  const [program, ...rest] = options.operands;
  // What follows gdb's program without `--args` is a core file or a process.
  if (program !== undefined) begin(invocation, [program, ...(isGdb && !options.has("args") ? [] : rest), ...given], false);
}

/** Starts what is left after a wrapper's own words. */
function begin(invocation: Invocation, words: readonly Argument[], assigns: boolean): void {
  let at = 0;
  const environment = new Map(invocation.environment);
  if (assigns) {
    for (; at < words.length; at++) {
      const word = words[at] as Argument;
      const match = /^([A-Za-z_][A-Za-z0-9_]{0,255})=/.exec(word.text);
      if (match === null) break;
      environment.set(match[1] ?? "", { ...word, text: word.text.slice(match[0].length) });
    }
  }
  if (at < words.length) invocation.start(words.slice(at), { environment });
}

/** Options of `bwrap` with one value, and with two. */
const BWRAP_ONE =
  " tmpfs proc dev mqueue dir chdir unsetenv uid gid hostname lock-file seccomp add-seccomp-fd userns userns2 pidns perms size cap-add cap-drop exec-label file-label argv0 json-status-fd info-fd block-fd userns-block-fd sync-fd args remount-ro overlay-src tmp-overlay ro-overlay ";
const BWRAP_TWO =
  " bind bind-try bind-fd dev-bind dev-bind-try ro-bind ro-bind-try ro-bind-fd setenv symlink file bind-data ro-bind-data chmod ";

function sandbox(invocation: Invocation): void {
  let at = 0;
  for (; invocation.text(at).startsWith("--"); at++) {
    const name = ` ${invocation.text(at).slice(2)} `;
    if (name === "  ") {
      at++;
      break;
    }
    at += BWRAP_ONE.includes(name) ? 1 : BWRAP_TWO.includes(name) ? 2 : name === " overlay " ? 3 : 0;
  }
  begin(invocation, invocation.args.slice(at), false);
}

const SUDO = { short: "CDghpRrTtUu", long: "chdir close-from group host prompt chroot role type command-timeout other-user user" };

function sudo(invocation: Invocation): void {
  const options = invocation.options({ ...SUDO, stop: true });
  if (options.operands.length > 0) return begin(invocation, options.operands, true);
  // A shell without a command reads what it is to do.
  if (options.has("i", "login", "s", "shell")) invocation.scriptFlow(invocation.stdin);
}

/** A window with a command in it: behind `-e`, `-x` or `--`, or as the rest of the words. What it prints stays there. */
function terminal(invocation: Invocation): void {
  const at = invocation.args.findIndex(({ text }) => /^(?:-e|-x|--|--command|--execute)$/.test(text));
  const rest =
    at < 0 && /^(?:kitty|foot)$/.test(invocation.name) ? invocation.options({ stop: true }).operands : invocation.args.slice(at + 1);
  const [first] = rest;
  if (first === undefined || (at < 0 && !/^(?:kitty|foot)$/.test(invocation.name))) return;
  if (rest.length === 1) invocation.script(first, { quiet: true });
  else invocation.start(rest);
}

function env(invocation: Invocation): void {
  const options = invocation.options({ short: "uCSP", long: "unset chdir split-string", stop: true });
  const folder = options.value("C", "chdir");
  const split = options.value("S", "split-string");
  const words = [...options.operands];
  if (split !== undefined) {
    const parsed = invocation.shell.parseWords(split.text).flatMap((word) => invocation.shell.words.fields(word));
    words.unshift(...parsed);
  }
  const first = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]{0,255}=/.test(word.text));
  if (first < 0) {
    invocation.print(unique(words.flatMap(({ sources }) => [...sources])));
    if (!options.has("i", "ignore-environment")) invocation.print([{ from: "environment", name: undefined, plain: true }]);
    return;
  }
  const before = invocation.shell.state.cwd;
  if (folder !== undefined) invocation.shell.state.cwd = invocation.file(folder).path;
  begin(invocation, words, true);
  invocation.shell.state.cwd = before;
}

function command(invocation: Invocation): void {
  if (invocation.args.some((argument) => /^-[pvV]*[vV]$/.test(argument.text))) {
    const name = invocation.args.find((argument) => !argument.text.startsWith("-"));
    if (name?.exact === true) invocation.print([{ from: "text", text: `${name.text}\n`, plain: true }]);
    return;
  }
  const { operands } = invocation.options({ stop: true });
  // The program itself, not what this shell made of its name.
  const { functions, aliases } = invocation.shell.state;
  const name = operands[0]?.text ?? "";
  const [own, alias] = [functions.get(name), aliases.get(name)];
  functions.delete(name);
  aliases.delete(name);
  begin(invocation, operands, false);
  if (own !== undefined) functions.set(name, own);
  if (alias !== undefined) aliases.set(name, alias);
}

function flock(invocation: Invocation): void {
  const options = invocation.options({ short: "wEc", long: "timeout conflict-exit-code command", stop: true });
  const rest = options.operands.slice(1);
  const text = options.value("c", "command");
  if (text !== undefined) return invocation.script(text);
  if (rest[0]?.text === "-c" && rest[1] !== undefined) return invocation.script(rest[1]);
  begin(invocation, rest, false);
}

function xargs(invocation: Invocation): void {
  const options = invocation.options({
    short: "IiLnPsdEaJRS",
    long: "replace arg-file delimiter max-args max-procs max-lines max-chars eof",
    stop: true,
  });
  const marker = options.value("I", "J")?.text ?? (options.has("i", "replace") ? (options.value("i", "replace")?.text ?? "{}") : undefined);
  const file = options.value("a", "arg-file");
  const input = file === undefined ? invocation.stdin : invocation.read(file);
  const words = options.operands.length === 0 ? [literal("echo")] : options.operands;
  const text = staticText(input);
  const zero = options.has("0", "null");
  // A program that runs the files it is given.
  const runs = familyOf(baseName(words[0]?.text ?? "")) !== undefined;
  const { files, others } = listing(input);
  const listed = files.map((file) => (runs ? { text: file.text, exact: file.exact, sources: file.sources } : listedWord(file)));
  const items: readonly Argument[] =
    text === undefined || input.length === 0
      ? listed.length > 0 && others.length === 0
        ? listed
        : [...listed, { text: "{}", exact: false, sources: others }]
      : text
          .split(zero ? "\0" : marker === undefined ? /\s/ : "\n")
          .filter((item) => item.trim() !== "")
          .map((item) => literal(bare(item.trim())));
  const environment = { stdin: [] };
  // A script is the first word a shell is given; which one of them that is, is not known.
  if (runs && marker === undefined && listed.length > 0)
    return invocation.shell.each(items, (item) => invocation.start([...words, item], environment));
  if (marker === undefined) return invocation.start([...words, ...items], environment);
  invocation.shell.each(items, (item) => {
    invocation.start(
      words.map((word) =>
        word.text.includes(marker)
          ? {
              text: word.text.replaceAll(marker, () => item.text),
              exact: word.exact && item.exact,
              sources: [...word.sources, ...item.sources],
            }
          : word,
      ),
      environment,
    );
  });
}

/** An item without the quotes around it. */
function bare(item: string): string {
  const quote = item[0];
  return item.length > 1 && (quote === '"' || quote === "'") && item.endsWith(quote) ? item.slice(1, -1) : item;
}

/** Items behind `:::`, and the lines of files behind `::::`. */
function listed(invocation: Invocation, words: readonly Argument[]): Argument[] {
  const items: Argument[] = [];
  let files = false;
  for (const word of words) {
    if (/^:{3,4}\+?$/.test(word.text)) files = word.text.startsWith("::::");
    else items.push(...(files ? linesOf(invocation.read(word)) : [word]));
  }
  return items;
}

/** Items that come one a line. */
function linesOf(input: readonly Source[]): readonly Argument[] {
  const { files, others } = listing(input);
  const text = staticText(input);
  if (files.length > 0 && others.length === 0) return files.map(listedWord);
  if (text === undefined || text === "") return [...files.map(listedWord), { text: "{}", exact: false, sources: others }];
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(literal);
}

function parallel(invocation: Invocation): void {
  const options = invocation.options({
    short: "jNSaIL",
    long: "jobs arg-file sshlogin joblog results timeout delay retries colsep",
    stop: true,
  });
  const from = options.operands.findIndex((word) => /^:::/.test(word.text));
  const words = from < 0 ? options.operands : options.operands.slice(0, from);
  const list = options.value("a", "arg-file");
  const items =
    from < 0 ? linesOf(list === undefined ? invocation.stdin : invocation.read(list)) : listed(invocation, options.operands.slice(from));
  if (words.length === 0) {
    // Without a command each item is one.
    invocation.shell.each(from < 0 ? [] : items, (item) => invocation.script(item));
    return invocation.print(items.flatMap(({ sources }) => [...sources]));
  }
  invocation.shell.each(items, (item) => {
    const named = words.some((word) => word.text.includes("{"));
    const filled = words.map((word) =>
      word.text.includes("{}")
        ? {
            text: word.text.replaceAll("{}", () => item.text),
            exact: word.exact && item.exact,
            sources: [...word.sources, ...item.sources],
          }
        : word,
    );
    if (!named) filled.push(item);
    // GNU parallel hands the joined words to a shell.
    if (filled.length === 1 && filled[0] !== undefined) invocation.script(filled[0]);
    else invocation.start(filled, { stdin: [] });
  });
}

function shell(invocation: Invocation): void {
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
      invocation.script(flags === "" ? first : { ...first, text: `set -${flags}\n${first.text}` }, { positional: rest.slice(1) });
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

/** `tmux new -d 'cmd'`, `split-window cmd`, `send-keys 'cmd' Enter`: nothing of it is printed here. */
function tmux(invocation: Invocation): void {
  const globals = invocation.options({ short: "cfLST", stop: true });
  const command = globals.value("c");
  if (command !== undefined) return invocation.script(command);
  const [verb, ...rest] = globals.operands;
  const name = verb?.text ?? "";
  if (
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawn-window|popup|display-popup|run|run-shell|if|if-shell|pipep|pipe-pane)$/.test(
      name,
    )
  ) {
    const options = readOptions(rest, { short: "censtxyFlTw", stop: true });
    if (options.operands.length === 0) return;
    const shown = /^(?:run|run-shell|if|if-shell)$/.test(name);
    if (options.operands.length > 1 && !/^if/.test(name)) return invocation.start(options.operands);
    for (const text of options.operands) invocation.script(text, { quiet: !shown });
  } else if (/^send(?:-keys)?$/.test(name)) {
    const words = readOptions(rest, { short: "tN", stop: true }).operands.filter(
      ({ text }) => !/^(?:Enter|C-\w|Escape|Space|Tab)$/.test(text),
    );
    for (const text of words) invocation.script(text);
  } else invocation.print([{ from: "unknown" }]);
}

/** `screen -dm cmd`, `screen -X stuff 'cmd'`. */
function screen(invocation: Invocation): void {
  const options = invocation.options({ short: "cehpsStTX", stop: true });
  const at = invocation.args.findIndex(({ text }) => text === "stuff");
  const typed = at < 0 ? undefined : invocation.args[at + 1];
  if (typed !== undefined) return invocation.script({ ...typed, text: withoutReturn(typed.text) });
  if (options.operands.length > 0) invocation.start(options.operands);
}

/** A typed text without the keys that send it off. */
function withoutReturn(text: string): string {
  let rest = text.trimEnd();
  while (/(?:\\n|\\r|\^M)$/.test(rest.slice(-2))) rest = rest.slice(0, -2).trimEnd();
  return rest;
}

/** Commands that run later, from standard input. */
function scheduled(invocation: Invocation, sources: readonly Source[]): void {
  const options = invocation.options({ short: "fqtv" });
  const file = options.value("f");
  invocation.scriptFlow(file === undefined ? sources : invocation.readScript(file));
}

/** `crontab -`: the command of each line. */
function crontab(invocation: Invocation): void {
  const options = invocation.options({ short: "uT" });
  // Its lines set variables before they start anything.
  if (options.has("l")) return invocation.print([{ from: "environment", name: undefined, plain: true }]);
  if (options.has("r", "e")) return invocation.print([{ from: "unknown" }]);
  const [file] = options.operands;
  const table = file === undefined || file.text === "-" ? invocation.stdin : invocation.readScript(file);
  // `(crontab -l; echo 'new line') | crontab -`: what this call adds is known, the old table is the person's.
  const text = table.flatMap((source) => (source.from === "text" && source.plain ? [source.text] : [])).join("\n");
  if (staticText(table) === undefined) invocation.doubt("a script is computed at run time");
  const lines = scheduledCommands(text);
  if (lines !== "") invocation.script(literal(lines));
}

/** How `concurrently` starts a script of the package by the manager in front of its name. */
const RUNS: Readonly<Record<string, string>> = {
  npm: "npm run",
  pnpm: "pnpm run",
  yarn: "yarn run",
  bun: "bun run",
  node: "node --run",
  deno: "deno task",
};

/** `hyperfine 'cmd' 'cmd'`, `nodemon --exec 'cmd'`. */
function commandTexts(invocation: Invocation): void {
  const options = invocation.options({
    short: "wrmMpcnSLxe",
    long: "warmup runs min-runs max-runs prepare cleanup setup shell parameter-list export-json export-markdown export-csv names exec watch ext command-name",
  });
  const named = options.values("p", "prepare", "c", "cleanup", "setup", "x", "exec");
  const texts = /^(?:hyperfine|concurrently)$/.test(invocation.name) ? options.operands : [];
  if (invocation.name === "watchexec" && options.operands.length > 0) invocation.start(options.operands);
  for (const text of [...named, ...texts]) {
    // `concurrently npm:build`
    const colon = text.text.indexOf(":");
    const runs = RUNS[text.text.slice(0, colon)];
    if (runs !== undefined) invocation.script(literal(`${runs} ${text.text.slice(colon + 1)}`));
    else if (/[\s;|&$/]/.test(text.text)) invocation.script(text);
  }
  invocation.print([{ from: "unknown" }]);
}

function su(invocation: Invocation): void {
  const options = invocation.options({ short: "cgsGwu", long: "command group shell supp-group session-command user" });
  const text = options.value("c", "command", "session-command");
  if (text !== undefined) invocation.script(text);
  // `sg group "cmd"`
  else if (invocation.name === "sg" && options.operands[1] !== undefined) invocation.script(options.operands[1]);
  else if (options.has("u", "user") && invocation.name === "runuser") begin(invocation, options.operands, false);
  else invocation.scriptFlow(invocation.stdin);
}

function script(invocation: Invocation): void {
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

function watch(invocation: Invocation): void {
  const options = invocation.options({ short: "nqs", long: "interval equexit shotsdir", stop: true });
  if (options.operands.length === 0) return;
  if (options.has("x", "exec")) return begin(invocation, options.operands, false);
  invocation.script({
    text: options.operands.map((word) => word.text).join(" "),
    exact: options.operands.every((word) => word.exact),
    sources: options.operands.flatMap((word) => [...word.sources]),
  });
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
function cmd(invocation: Invocation): void {
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

function powershell(invocation: Invocation): void {
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

function nix(invocation: Invocation): void {
  const at = invocation.args.findIndex((argument) => /^(?:--run|--command|-c)$/.test(argument.text));
  const text = invocation.args[at + 1];
  if (at < 0 || text === undefined) return;
  if (invocation.name === "nix-shell") invocation.script(text);
  else begin(invocation, invocation.args.slice(at + 1), false);
}

/** A subcommand, some operands, then the command: `direnv exec . cmd`. */
function after(word: string, skip: number): Handler {
  return (invocation) => {
    const at = invocation.args.findIndex((argument) => argument.text === word);
    if (at < 0) return;
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const options = readOptions(invocation.args.slice(at + 1), { stop: true });
    begin(invocation, dashes > at ? invocation.args.slice(dashes + 1) : options.operands.slice(skip), false);
  };
}

/** `poetry run cmd`, `mise exec -- cmd`; other subcommands belong to the tool's own handler. */
function invokeAfter(...words: readonly string[]): Handler {
  return (invocation) => {
    const at = invocation.args.findIndex((argument) => words.includes(argument.text));
    if (at < 0 || at > 8) {
      toolCommand(invocation.name)?.(invocation);
      return;
    }
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const options = readOptions(invocation.args.slice(at + 1), {
      short: "npeCm",
      long: "name env-file project config account with with-requirements with-editable python extra group module directory index-url",
      stop: true,
    });
    const module = invocation.name === "uv" ? options.value("m", "module") : undefined;
    if (module !== undefined) return invocation.start([literal("python3"), literal("-m"), module, ...options.operands]);
    // uv runs a Python file by its name.
    if (invocation.name === "uv" && options.operands[0]?.text.endsWith(".py") === true)
      return invocation.start([literal("python3"), ...options.operands]);
    begin(invocation, dashes > at ? invocation.args.slice(dashes + 1) : options.operands, true);
  };
}

/** `npx wrangler deploy`, `dotenv -- cmd`. */
function runner(invocation: Invocation): void {
  const table: OptionTable = { short: "pcfe", long: "package call file env-file from with python", stop: true };
  const options = invocation.options(table);
  const call = options.value("c", "call");
  if (call !== undefined && invocation.name === "npx") return invocation.script(call);
  let words = options.operands;
  if (invocation.name === "pipx" && words[0]?.text === "run") words = words.slice(1);
  if (invocation.name === "dotenvx" && words[0]?.text === "run") words = words.slice(1).filter((word) => word.text !== "--");
  const [first, ...rest] = words;
  if (first === undefined) return;
  // `wrangler@3` names a version.
  const name = first.text.lastIndexOf("@") > 0 ? first.text.slice(0, first.text.lastIndexOf("@")) : first.text;
  begin(invocation, [{ ...first, text: name }, ...rest], true);
}
