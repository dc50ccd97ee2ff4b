/** Programs that switch leak0 off, loosen it, end it, or take its files out of sight (L-023, L-024). */
import type { Argument, Effect } from "../../call/effect.ts";
import { resolvePath } from "../../call/path.ts";
import { bindMounts } from "../../call/shell/mounts.ts";
import { readOptions } from "../../call/shell/options.ts";
import type { Finding } from "../../verdict.ts";
import { type Case, worldOf } from "../judgement.ts";
import { ONLY_THE_PERSON, question, stop } from "./finding.ts";
import { lostBelow } from "./hook-settings.ts";
import { isOwn } from "./places.ts";
import { type Aim, aimOf, namesUs } from "./processes.ts";

type Run = Extract<Effect, { kind: "run" }>;

/** Findings of one program that would start. */
export function ofProgram(at: Case, run: Run): readonly Finding[] {
  return [...ofOurCommand(at, run), ...ofEnding(at, run), ...ofCovering(at, run), ...ofContainer(at, run), ...ofMode(at, run)];
}

/** Subcommands that weaken or approve; the agent may run everything else (`status`, `audit`, `scan`, `check`, `--help`). */
const WEAKENING: Readonly<Record<string, ReadonlySet<string> | true>> = {
  leak0: new Set(["off", "observe", "clear", "allow", "exclude", "file"]),
  exec0: new Set(["off", "observe", "clear", "allow"]),
  notify: new Set(["off", "clear"]),
  quarantine: new Set(["restore", "false-alarm"]),
  uninstall: true,
};
const READING = new Set(["list", "--help", "-h"]);
/** Programs that print or look for their words and start nothing. */
const PRINTING = new Set(["echo", "printf", "grep", "egrep", "rg", "ag", "man", "whatis", "apropos", "git", "logger", "true", ":"]);

function ofOurCommand(at: Case, { name, args }: Run): readonly Finding[] {
  const words = args.map((argument) => argument.text);
  const ours = /^poisonzero(?:\.exe)?$/i.test(name);
  const [product = "", action = "", detail = ""] = words.filter((word) => word !== "--" && (!ours || !word.startsWith("-")));
  const weakening = WEAKENING[product];
  if (ours && args.slice(0, 2).some((argument) => !argument.exact)) {
    return [
      question("leak0:switch_off", at, {
        what: "run poisonzero with arguments that cannot be told before",
        next: "Write the subcommand out.",
      }),
    ];
  }
  const loosens = weakening === true ? ours : weakening?.has(action) === true && !READING.has(detail);
  const asksForHelp = words.includes("--help") || words.includes("-h");
  // Under another name (a link, a variable) the words give it away: nothing else is called with `leak0 off`.
  if (!loosens || asksForHelp || !(ours || (product === "leak0" && words[0] === product && !PRINTING.has(name)))) return [];
  const allow = action === "allow";
  return [
    stop("leak0:switch_off", at, {
      what: allow
        ? "approve a secret file itself (poisonzero leak0 allow)"
        : `switch the protection off or loosen it (poisonzero ${product}${weakening === true ? "" : ` ${action}`})`,
      next: allow ? "Ask the person to run the command in their own terminal." : ONLY_THE_PERSON,
    }),
  ];
}

function ofEnding(at: Case, { name, args }: Run): readonly Finding[] {
  const aim = stopsService(name, args) ? "ours" : endsProcess(name, args);
  if (aim === undefined) return [];
  const words = { what: "stop or remove PoisonZero", next: ONLY_THE_PERSON };
  return [aim === "ours" ? stop("leak0:switch_off", at, words) : question("leak0:switch_off", at, words)];
}

function stopsService(name: string, args: readonly Argument[]): boolean {
  const words = args.map(({ text }) => text);
  if (!words.some(namesUs)) return false;
  const any = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  return (
    (name === "systemctl" && any(/^(?:stop|disable|mask|kill|revert|edit)$/)) ||
    (name === "service" && words.includes("stop")) ||
    (name === "launchctl" && any(/^(?:unload|bootout|disable|remove|kill|stop)$/)) ||
    (/^sc(?:\.exe)?$/i.test(name) && any(/^(?:stop|delete|config)$/i)) ||
    (/^(?:apt|apt-get|dnf|yum|zypper|brew|snap|winget|choco|scoop|pacman|apk)$/.test(name) &&
      any(/^(?:remove|purge|uninstall|autoremove|erase|del|-R[a-z]*)$/)) ||
    (name === "dpkg" && any(/^(?:-r|-P|--remove|--purge)$/)) ||
    /^(?:taskkill|stop-service|remove-service|stop-process)(?:\.exe)?$/i.test(name)
  );
}

/** `pkill -f pattern`, `killall name`, `killall -r pattern`. */
function endsProcess(name: string, args: readonly Argument[]): Aim | undefined {
  if (name !== "pkill" && name !== "killall") return undefined;
  const { patterns, options } = patternsOf(name, args);
  const reading = {
    lines: options.has("f", "full"),
    whole: options.has("x", "exact"),
    ignoreCase: options.has("i", "I", "ignore-case"),
  };
  if (name === "pkill" || options.has("r", "regexp"))
    return patterns.map((pattern) => aimOf(pattern, reading)).find((aim) => aim !== undefined);
  return patterns.some((pattern) => pattern.replace(/^.*\//, "").toLowerCase() === "poisonzero") ? "ours" : undefined;
}

/** What `pgrep`, `pkill` and `killall` are to look for. */
function patternsOf(name: string, args: readonly Argument[]) {
  // A signal's name in capitals is no bundle of options.
  const rest = args.filter(({ text }) => !/^-(?:SIG)?[A-Z][A-Z0-9]{2,8}$/.test(text));
  const options = readOptions(rest, {
    short: name === "killall" ? "usoynZ" : "dgGPstuUF",
    long: "signal delimiter pgroup group parent session terminal euid uid pidfile ns nslist user older-than younger-than",
  });
  return { patterns: options.operands.map(({ text }) => text), options };
}

/** What several programs of one call do together: a process found by our name, and killed. */
export function ofSearchAndKill(at: Case, runs: readonly Run[]): readonly Finding[] {
  if (!runs.some(({ name }) => name === "kill")) return [];
  const listed = runs.some(({ name }) => name === "ps");
  const finds = runs.some(({ name, args }) => {
    const { patterns, options } = patternsOf(name, args);
    const reading = { lines: true, whole: options.has("x"), ignoreCase: options.has("i") };
    switch (name) {
      case "pgrep":
        return patterns.some((pattern) => isAimed(pattern, { ...reading, lines: options.has("f", "full") }));
      case "pidof":
      case "lsof":
      case "fuser":
      case "ss":
      case "ps":
        return patterns.some((pattern) => /poisonzero/i.test(pattern));
      case "grep":
      case "egrep":
      case "rg":
        return listed && args.some(({ text }) => !text.startsWith("-") && isAimed(text, { ...reading, whole: false }));
      case "awk":
        return (
          listed &&
          args.some(({ text }) =>
            [...text.matchAll(/\/([^/]{1,128})\//g)].some((match) => isAimed(match[1] ?? "", { ...reading, whole: false })),
          )
        );
      default:
        return false;
    }
  });
  return finds ? [question("leak0:switch_off", at, { what: "end a process of PoisonZero", next: ONLY_THE_PERSON })] : [];
}

function isAimed(pattern: string, reading: Parameters<typeof aimOf>[1]): boolean {
  return aimOf(pattern, reading) !== undefined;
}

/** A mount over our folders or over the agent's settings, a lock on our files, `fuser -k` on a program of ours. */
function ofCovering(at: Case, { name, args }: Run): readonly Finding[] {
  if (!/^(?:mount|umount|losetup|bindfs|mergerfs|sshfs|fuse-overlayfs|fuser|flock)$/.test(name)) return [];
  const paths = args.flatMap(({ text }) => {
    const path = /^[/~]/.test(text) ? resolvePath(text, at.call.cwd, worldOf(at)).path : undefined;
    return path === undefined ? [] : [path];
  });
  if (name === "fuser" && args.some(({ text }) => /^-\w{0,8}k/.test(text)) && paths.some((path) => isOwn(at, path, false)))
    return [stop("leak0:switch_off", at, { what: "stop or remove PoisonZero", next: ONLY_THE_PERSON })];
  // A lock held on our files keeps the log from being written.
  if (name === "flock" && paths.some((path) => isOwn(at, path, false)))
    return [stop("leak0:own_files", at, { what: "lock PoisonZero's own files", next: ONLY_THE_PERSON })];
  if (name === "fuser" || name === "flock") return [];
  // A remount changes how a place is used, not what lies there.
  if (args.some(({ text }) => /(?:^|,|=)remount\b/.test(text))) return [];
  for (const [index, path] of paths.entries()) {
    const target = index === paths.length - 1;
    if (isOwn(at, path, target))
      return [stop("leak0:own_files", at, { what: "cover PoisonZero's own files with a mount", next: ONLY_THE_PERSON })];
    const lost = target ? lostBelow(at, path) : undefined;
    if (lost !== undefined) return [lost];
  }
  return [];
}

/** A folder of ours given to a container that may write there: whatever runs in it is not seen. */
function ofContainer(at: Case, { name, args }: Run): readonly Finding[] {
  if (!/^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/.test(name)) return [];
  const given = bindMounts(args).some(({ from, readOnly }) => {
    const path = readOnly || !from.exact ? undefined : resolvePath(from.text, at.call.cwd, worldOf(at)).path;
    return path !== undefined && isOwn(at, path, false);
  });
  return given
    ? [
        question("leak0:own_files", at, {
          what: "give PoisonZero's own folder to a container",
          next: "Leave it out of the container; the person manages it with the poisonzero command.",
        }),
      ]
    : [];
}

/** `chmod 000 settings.json`: what Claude Code cannot read switches nothing on. */
function ofMode(at: Case, { name, args }: Run): readonly Finding[] {
  if (name !== "chmod") return [];
  const [mode, ...files] = args.filter(({ text }) => !/^-[a-zA-Z]*[cfvR]|^--/.test(text)).map(({ text }) => text);
  if (mode === undefined || !hides(mode)) return [];
  for (const written of files) {
    const path = resolvePath(written, at.call.cwd, worldOf(at)).path;
    const lost = path === undefined ? undefined : lostBelow(at, path);
    if (lost !== undefined) return [lost];
  }
  return [];
}

/** Whether a mode takes the owner's right to read away. */
function hides(mode: string): boolean {
  const digits = /^0{0,2}([0-7])[0-7]{2}$/.exec(mode);
  if (digits !== null) return (Number(digits[1]) & 4) === 0;
  if (/^0{1,4}$/.test(mode)) return true;
  return (
    mode.split(",").some((part) => /^[ugoa]{0,4}-[wxXst]{0,4}r/.test(part) && !/^[go]{1,2}-/.test(part)) ||
    /^[ua]{1,2}=[wx]{0,2}$|^=$/.test(mode)
  );
}
