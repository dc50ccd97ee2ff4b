/**
 * Claude Code started so that none of our hooks run: by an option, a variable or other settings, now or in every later
 * session through a shell's startup file.
 */
import type { Argument, Call, Effect, Source } from "../../call/effect.ts";
import { effectsOf } from "../../call/effects.ts";
import { Allowance } from "../../call/shell/budget.ts";
import { resolvePath } from "../../call/path.ts";
import { hooksOff, readToml } from "../../setup/codex-config.ts";
import { readOptions } from "../../call/shell/options.ts";
import { isOwn } from "./places.ts";
import { holdsOurEntries, isOn, SWITCH, turnsHooksOff, UNHOOKING_VARIABLES } from "../../setup/entries.ts";
import type { Finding } from "../../verdict.ts";
import { shown } from "../finding.ts";
import { type Case, worldOf } from "../judgement.ts";
import { perCall } from "../per-call.ts";
import { contentNow, type FileEffect, landing } from "./arriving.ts";
import { ONLY_THE_PERSON, question, stop } from "./finding.ts";
import { claudeFiles, contentOf, holds } from "./settings.ts";

type Run = Extract<Effect, { kind: "run" }>;

/** The names Claude Code is started by. */
function isClaude(name: string): boolean {
  return name === "claude" || name === "claude-code";
}

/** A start without our hooks. Only the session it starts is without them, so a person may allow it. */
export function ofStart(at: Case, run: Run): readonly Finding[] {
  const other = OTHERS[run.name];
  if (other !== undefined)
    return isUnhooked(at, run, other)
      ? [
          question("leak0:switch_off", at, {
            what: `start ${other.title} without its hooks`,
            next: "Start it with its hooks, or let the person do it.",
          }),
        ]
      : [];
  if (run.name === "bwrap") return ofSandbox(at, run);
  return isClaude(run.name) && unhookedBy(at, run) !== undefined
    ? [
        question("leak0:switch_off", at, {
          what: "start Claude Code without its hooks",
          next: "Start it with its hooks, or let the person do it.",
        }),
      ]
    : [];
}

/** The other agents that a command line starts: the file with our entries below the home folder, and the variable that moves its folder. */
const OTHERS: Readonly<Record<string, { readonly title: string; readonly file: string; readonly folder?: string }>> = {
  codex: { title: "Codex", file: ".codex/hooks.json", folder: "CODEX_HOME" },
  gemini: { title: "Gemini CLI", file: ".gemini/settings.json" },
  "cursor-agent": { title: "Cursor", file: ".cursor/hooks.json" },
};

/** Whether a start of an agent that has our hooks is one without them. */
function isUnhooked(at: Case, { name, args, environment }: Run, { file, folder }: (typeof OTHERS)[string]): boolean {
  const own = folder === undefined ? undefined : at.system.environment[folder];
  const here = own === undefined || own === "" ? `${at.system.home}/${file}` : `${own}/${file.slice(file.indexOf("/") + 1)}`;
  if (!holds(at, here)) return false;
  if (name === "codex" && takesHooksOff(args)) return true;
  const moved = folder === undefined ? undefined : environment?.get(folder);
  if (moved !== undefined) return isWithoutOurs(at, moved, file.slice(file.indexOf("/")));
  const home = environment?.get("HOME");
  return home !== undefined && (own === undefined || own === "") && isWithoutOurs(at, home, `/${file}`);
}

/** `-c features.hooks=false`, `--disable hooks`. */
function takesHooksOff(args: readonly Argument[]): boolean {
  const settings = readOptions(args, {
    short: "cimpsaC",
    long: "config disable enable image model profile sandbox ask-for-approval cd add-dir",
  });
  return (
    settings.values("disable").some(({ text }) => /^(?:codex_)?hooks$/.test(text)) ||
    settings.values("c", "config").some(({ text }) => hooksOff(readToml(text)) !== undefined)
  );
}

/** A folder that holds none of our entries in this file, or one that is only known at run time. */
function isWithoutOurs(at: Case, folder: Argument, file: string): boolean {
  if (folder.text === "") return false;
  const { home, environment, platform } = at.system;
  const path = folder.exact ? resolvePath(folder.text, at.call.cwd, { home, environment, platform }).path : undefined;
  return path === undefined || !holds(at, `${path}${file}`);
}

/** `bwrap --tmpfs /var/lib claude`: an agent in a sandbox where our own files are covered. */
function ofSandbox(at: Case, { args }: Run): readonly Finding[] {
  const { home, environment, platform } = at.system;
  const covers = args.some(({ text }, index) => {
    const target = /^--(?:tmpfs|dir)$/.test(text)
      ? args[index + 1]
      : /^--(?:dev-)?bind$|^--ro-bind$/.test(text)
        ? args[index + 2]
        : undefined;
    const path = target?.exact === true ? resolvePath(target.text, at.call.cwd, { home, environment, platform }).path : undefined;
    // What is bound where it lies is not covered.
    return path !== undefined && path !== "/" && !(text !== "--tmpfs" && args[index + 1]?.text === target?.text) && isOwn(at, path, true);
  });
  const starts = args.some(({ text }) => isClaude(text) || text in OTHERS);
  return covers && starts
    ? [
        question("leak0:switch_off", at, {
          what: "start an agent where PoisonZero's own files are out of its sight",
          next: "Leave them visible in the sandbox, or let the person do it.",
        }),
      ]
    : [];
}

/** A variable for every later session set with a tool of the system (`launchctl setenv`, `setx`). */
export function ofLastingVariable(at: Case, { name, args }: Run): readonly Finding[] {
  if (!/^(?:setx(?:\.exe)?|launchctl|systemctl|dbus-update-activation-environment)$/i.test(name)) return [];
  const set = args.some(({ text }, index) => {
    const [variable = "", value] = text.split("=", 2);
    return (UNHOOKING_VARIABLES as readonly string[]).includes(variable) && isOn(value ?? args[index + 1]?.text);
  });
  return set && !args.some(({ text }) => text.startsWith("unset")) ? [stop("leak0:switch_off", at, LATER)] : [];
}

const LATER = { what: "start every later session of Claude Code without its hooks", next: ONLY_THE_PERSON };

/** A startup file that would do so: what a shell that has read it starts as `claude`, compared with today. */
export function ofStartupFile(at: Case, effect: FileEffect): readonly Finding[] {
  if (effect.kind === "unpack") return [];
  const path = effect.kind === "copy" ? landing(at, effect) : effect.file.path;
  const form = path === undefined ? undefined : startupForm(path);
  if (path === undefined || form === undefined) return [];
  if (effect.kind === "change") {
    const { action } = at.call;
    const named = action.kind === "shell" && UNHOOKING_VARIABLES.some((name) => action.command.includes(name));
    return named && effect.how === "edit" ? [question("leak0:switch_off", at, LATER)] : [];
  }
  const texts = effect.kind === "copy" ? contentOfCopy(at, effect.file.path) : textsOf(effect.sources);
  const before = effect.kind === "write" && effect.append ? "" : (contentOf(at, path) ?? "");
  // Of several texts (a program's literals) only one may be what is written: that is no proof.
  const certain = texts.length === 1;
  return texts.filter((text) => /claude|poisonzero/i.test(text)).flatMap((text) => ofText(at, path, form, before, text, certain));
}

function ofText(at: Case, path: string, form: Form, before: string, text: string, certain: boolean): readonly Finding[] {
  const after = startedAfter(at, text, form);
  const now = startedAfter(at, before, form);
  if (after.claude !== undefined && now.claude === undefined)
    return [after.claude.lasting && certain ? stop("leak0:switch_off", at, LATER) : question("leak0:switch_off", at, LATER)];
  if (after.poisonzero || !now.poisonzero) return [];
  return [
    question("leak0:switch_off", at, {
      what: `make the name poisonzero mean something else (${shown(at, path)})`,
      next: "Leave that name to the program.",
    }),
  ];
}

function contentOfCopy(at: Case, from: string | undefined): readonly string[] {
  const content = from === undefined ? "unknown" : contentNow(at, from);
  return typeof content === "string" ? [] : [content.text];
}

function textsOf(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => (source.from === "text" ? [source.text] : []));
}

type Form = "sh" | "fish" | "pairs";

/** What kind of startup file a path is. */
function startupForm(path: string): Form | undefined {
  if (/\/(?:\.pam_environment|environment|environment\.d\/[^/]{1,200}\.conf)$/.test(path)) return "pairs";
  if (/\/fish\/(?:config\.fish|conf\.d\/[^/]{1,200}\.fish|functions\/[^/]{1,200}\.fish)$/.test(path)) return "fish";
  return /\/(?:\.(?:bash|zsh|ksh|mksh)rc|\.bash_(?:profile|login|aliases)|\.(?:z?profile|zshenv|zlogin|xprofile|xsessionrc)|\.(?:bash|zsh)rc\.d\/[^/]{1,200}|\.oh-my-zsh\/custom\/[^/]{1,200}\.zsh)$|^\/etc\/(?:profile|bash\.bashrc|bashrc|zsh(?:rc|env|\/[^/]{1,200})|profile\.d\/[^/]{1,200})$/.test(
    path,
  )
    ? "sh"
    : undefined;
}

/** A name nothing else is called by, to ask what `poisonzero` starts. */
const PROBE = "--which-program-is-this";

interface Started {
  /** How Claude Code would be without our hooks; undefined when it would not. */
  readonly claude: { readonly lasting: boolean } | undefined;
  /** `poisonzero` starts our program. */
  readonly poisonzero: boolean;
}

function startedAfter(at: Case, text: string, form: Form): Started {
  const lines =
    form === "sh"
      ? text
      : text
          .split("\n")
          .map((line) => translated(line, form))
          .join("\n");
  return startedBy(at, `${lines}\nclaude\npoisonzero ${PROBE}`);
}

const allowanceOf = perCall(() => new Allowance());

const startedBy = perCall((at, command): Started => {
  const call: Call = { ...at.call, action: { kind: "shell", dialect: "bash", command } };
  const effects = allowanceOf(at, "").read(command.length, (budget) => effectsOf(call, worldOf(at), budget));
  if (effects === undefined) {
    at.files.unread ??= "it changes more startup files than can be read";
    return { claude: undefined, poisonzero: true };
  }
  const runs = effects.filter((effect): effect is Run => effect.kind === "run");
  const last = runs.findLast((run) => isClaude(run.name));
  const how = last === undefined ? undefined : unhookedBy(at, last);
  return {
    claude: how === undefined ? undefined : { lasting: how === "variable" },
    poisonzero: runs.some(({ name, args }) => name === "poisonzero" && args[0]?.text === PROBE),
  };
});

/** A line of another kind of startup file as a shell would have it. */
function translated(line: string, form: Form): string {
  if (form === "pairs") return /^\s{0,64}\w{1,256}=/.test(line) ? `export ${line.trim()}` : "";
  const set = /^\s{0,64}set\s{1,8}-\w{0,4}x\w{0,4}\s{1,8}(\w{1,256})\s{1,8}(.{1,4096})$/.exec(line);
  return set === null ? line : `export ${set[1]}=${set[2]}`;
}

/** What makes this start one without our hooks. */
function unhookedBy(at: Case, { args, environment }: Run): "option" | "variable" | "settings" | undefined {
  const value = (name: string): Argument | undefined => environment?.get(name);
  if (UNHOOKING_VARIABLES.some((name) => isOn(value(name)?.text))) return "variable";
  const words = args.map(({ text }) => text);
  if (words.some((word) => word === "--bare" || word === "--safe-mode")) return "option";
  if (words[0] === "config" && SWITCH.test(words.join(" "))) return "settings";
  const given = optionValue(args, "--settings");
  if (given !== undefined && turnsHooksOff("", settingsText(at, given))) return "settings";
  const protectedNow = claudeFiles(at).some((file) => holds(at, file));
  if (!protectedNow) return undefined;
  const sources = optionValue(args, "--setting-sources");
  if (sources?.exact === true && !sources.text.split(",").some((one) => one.trim() === "user")) return "settings";
  return isElsewhere(at, value("CLAUDE_CONFIG_DIR"), "") || isElsewhere(at, value("HOME"), "/.claude") ? "settings" : undefined;
}

/** Another folder for settings, in which none of ours stand. */
function isElsewhere(at: Case, folder: Argument | undefined, below: string): boolean {
  if (folder === undefined || folder.text === "") return false;
  const path = folder.exact ? resolvePath(folder.text, at.call.cwd, worldOf(at)).path : undefined;
  if (path === undefined) return true;
  const content = contentOf(at, `${path}${below}/settings.json`);
  return content === undefined || !holdsOurEntries(content);
}

/** Settings given on the command line, written out or by file. */
function settingsText(at: Case, { text, exact }: Argument): string {
  if (text.trimStart().startsWith("{") || !exact) return text;
  const { path } = resolvePath(text, at.call.cwd, worldOf(at));
  const content = path === undefined ? "unknown" : contentNow(at, path);
  return typeof content === "string" ? "" : content.text;
}

function optionValue(args: readonly Argument[], name: string): Argument | undefined {
  const at = args.findIndex(({ text }) => text === name || text.startsWith(`${name}=`));
  const found = args[at];
  if (found === undefined) return undefined;
  return found.text === name ? args[at + 1] : { ...found, text: found.text.slice(name.length + 1) };
}
