/** Commands that start other commands: looked through, never taken at their own name. */
import type { Argument } from "../../effect.ts";
import { literal, sliceArgument, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { begin, wrap } from "./wrap.ts";
import { after, commandTexts, invokeAfter, nix, runner, versioned } from "./runners.ts";
import { crontab, scheduled, screen, terminal, tmux } from "./sessions.ts";
import { parallel, xargs } from "./items.ts";
import { cmd, powershell, script, shell, su } from "./shells.ts";

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
    case "entr":
    case "ssh-agent":
    case "flatpak-spawn":
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
    case "distrobox":
      return after("enter", 1);
    case "toolbox":
    case "toolbx":
      return after("run", 0);
    case "just":
      return just;
    case "guix":
      return after("shell", 1);
    case "cross-env-shell":
      return (invocation) => {
        const text = invocation.args.find((word) => !/^[A-Za-z_]\w{0,255}=/.test(word.text));
        if (text !== undefined) invocation.script(text);
      };
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
    case "devbox":
    case "pixi":
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

/** `ip netns exec NAME cmd`, `ip vrf exec NAME cmd`. */
function namespaced(invocation: Invocation): void {
  const { operands } = invocation.options({ short: "nbrl", long: "netns batch rcvbuf loops" });
  if (/^(?:netns|vrf)$/.test(operands[0]?.text ?? "") && operands[1]?.text === "exec") {
    const at = invocation.args.indexOf(operands[1]);
    begin(invocation, invocation.args.slice(at + 2), false);
  } else invocation.print([{ from: "unknown" }]);
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

/** The shell's own `command`: runs the program itself, past functions and aliases of its name, or tells where it is (`-v`). */
export function command(invocation: Invocation): void {
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

/** `just --command cmd`; its recipes are read where they stand. */
function just(invocation: Invocation): void {
  const at = invocation.args.findIndex(({ text }) => text === "--command" || text === "-c");
  if (at >= 0) begin(invocation, invocation.args.slice(at + 1), false);
  else invocation.print([{ from: "unknown" }]);
}

function flock(invocation: Invocation): void {
  const options = invocation.options({ short: "wEc", long: "timeout conflict-exit-code command", stop: true });
  const rest = options.operands.slice(1);
  const text = options.value("c", "command");
  if (text !== undefined) return invocation.script(text);
  if (rest[0]?.text === "-c" && rest[1] !== undefined) return invocation.script(rest[1]);
  begin(invocation, rest, false);
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
