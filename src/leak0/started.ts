/**
 * Scripts on disk that a call starts: shell scripts and programs by their path, package scripts, Makefile targets, Git hooks.
 * What they send counts as far as it is written out (L-111); everything else happens at their own time.
 *
 * Trust: a script is repository content, and may have been planted by an earlier call. It is read as text and never run;
 * branches that depend on what is not known are all taken, so only a provably third party makes a block.
 */
import type { Call, Effect, GitInvocation } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { absolute, gitFolder, gitSetting } from "../call/git/folder.ts";
import { withProgram } from "../call/here.ts";
import { packageScript, recipesOf, taskOf } from "../call/recipes.ts";
import { quoted } from "../call/shell/quoting.ts";
import { Allowance } from "../call/shell/budget.ts";
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import { worldOf } from "./judgement.ts";
import { Repositories } from "./places.ts";

/** A script and how it is started. */
export interface Started {
  /** The file it stands in, absolute. */
  readonly path: string;
  /** What a shell would be given for it. */
  readonly command: string;
  readonly cwd: string;
  /** A program in another language: read by its strings and calls only. */
  readonly program: boolean;
  /** The file as a whole is the script; only its arguments may differ from start to start. */
  readonly whole?: true;
}

type Run = Extract<Effect, { kind: "run" }>;

/** Words without which nothing leaves: most scripts have none and are not read any further. */
const SENDS =
  /\b(?:curl|wget|nc|ncat|netcat|socat|telnet|scp|sftp|ftp|rsync|ssh|httpie|xh|https?:|urlopen|requests|fetch|axios|socket|sendmail|mailx?|mutt|dig|nslookup|gist|publish|upload|rclone|gsutil|s3|transfer|ngrok|croc|wormhole|tcp)\b|\/dev\/(?:tcp|udp)\//;

/** Places of credentials: a script that names none is not read for what it prints. */
const GUARDED =
  /\.aws\b|\.ssh\b|\.kube\b|\.docker\b|\.gnupg\b|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.env\b|\.git-credentials|\bcredentials?\b|\bid_[a-z0-9]{2,12}\b|service.?account|\.claude\b|\.vault-token/;

/** Words by which a script starts another one. */
const STARTS = /\b(?:make|just|task|npm|pnpm|yarn|bun|git)\b|\.(?:sh|py|js|mjs|rb|pl)\b|\.\/\w/;

/** Whether a call starts a script that names a place of credentials: what it prints may hold what lies there. */
export function startsGuarded(effects: readonly Effect[], system: System): boolean {
  const scripts = Scripts.of(effects, system);
  return scripts.cut || scripts.direct.some(({ command }) => GUARDED.test(command));
}

/** Whether anything that a call starts may send, or is more than is looked at: tells without loading what judges it. */
export function startsSender(effects: readonly Effect[], system: System): boolean {
  const scripts = Scripts.of(effects, system);
  for (const { command } of scripts) if (SENDS.test(command)) return true;
  return scripts.cut;
}

/**
 * The scripts a call starts that may send anything or start others, and the scripts those start: each once, nearest first.
 * They are found as they are asked for, and all of them share one allowance.
 */
export class Scripts {
  /** More is started than was looked at. */
  cut = false;
  readonly #disk: System;
  readonly #direct: readonly Started[];
  readonly #found: { readonly script: Started; readonly depth: number }[] = [];
  #followed = 0;
  readonly #seen = new Set<string>();
  readonly #effects = new Map<Started, readonly Effect[]>();
  readonly #allowance = new Allowance();

  private constructor(effects: readonly Effect[], system: System) {
    this.#disk = onceRead(system, () => {
      this.cut = true;
    });
    this.#direct = startedBy(effects, this.#disk);
    this.#add(this.#direct, 1);
  }

  static readonly #known = new WeakMap<readonly Effect[], Scripts>();

  /** The scripts of these effects; looked for once, however often they are asked for. */
  static of(effects: readonly Effect[], system: System): Scripts {
    const known = Scripts.#known.get(effects) ?? new Scripts(effects, system);
    Scripts.#known.set(effects, known);
    return known;
  }

  /** Every script the call itself starts, whatever is in it. */
  get direct(): readonly Started[] {
    return this.#direct;
  }

  *[Symbol.iterator](): Generator<Started> {
    for (let at = 0; ; at++) {
      while (at >= this.#found.length) if (!this.#follow()) return;
      yield (this.#found[at] as { readonly script: Started }).script;
    }
  }

  /** What a script would do; nothing when the allowance is spent. */
  effectsIn(script: Started): readonly Effect[] {
    const known = this.#effects.get(script);
    if (known !== undefined) return known;
    const { command, cwd } = script;
    const call: Call = {
      agent: "claude",
      stage: "before",
      session: "",
      cwd,
      tool: "",
      action: { kind: "shell", dialect: "bash", command },
    };
    const hasTime = this.#disk.left_ms() >= CHOSEN.answer_ms;
    const read = hasTime
      ? this.#allowance.read(command.length, (budget) => effectsOf(call, worldOf({ system: this.#disk }), budget))
      : undefined;
    if (read === undefined) this.#leave(script);
    this.#effects.set(script, read ?? []);
    return read ?? [];
  }

  /** Looks into the next found script for what it starts; false when there is none. */
  #follow(): boolean {
    const next = this.#found[this.#followed++];
    if (next === undefined) return false;
    if (next.depth < CHOSEN.scripts_depth) this.#add(startedBy(this.effectsIn(next.script), this.#disk), next.depth + 1);
    return true;
  }

  #add(scripts: readonly Started[], depth: number): void {
    for (const script of scripts) {
      const { command, cwd, program } = script;
      if (!SENDS.test(command) && (program || !STARTS.test(command))) continue;
      const key = `${cwd}\0${command}`;
      if (this.#seen.has(key)) continue;
      if (this.#found.length >= CHOSEN.scripts_started) this.#leave(script);
      else this.#found.push({ script, depth });
      this.#seen.add(key);
    }
  }

  /** A file that was looked at with other arguments does about the same with these, unless it may have to do with credentials. */
  #leave(script: Started): void {
    const isKnown =
      script.whole === true &&
      this.#found.some(
        (one) => one.script !== script && one.script.path === script.path && (this.#effects.get(one.script)?.length ?? 0) > 0,
      );
    if (!isKnown || GUARDED.test(script.command)) this.cut = true;
  }
}

/** The disk with every file read once, and no more than all scripts of one call may have together. */
function onceRead(system: System, spent: () => void): System {
  const files = new Map<string, ReturnType<System["read"]>>();
  let left: number = CHOSEN.scripts_read_bytes;
  const read: System["read"] = (path, bytes_max) => {
    if (!files.has(path)) {
      if (left <= 0) spent();
      const file = left <= 0 ? undefined : system.read(path, bytes_max);
      left -= file?.bytes.length ?? 0;
      files.set(path, file);
    }
    return files.get(path);
  };
  return Object.create(system, { read: { value: read } }) as System;
}

function startedBy(effects: readonly Effect[], system: System): readonly Started[] {
  return effects.flatMap((effect) => {
    if (effect.kind === "run" && effect.cwd !== undefined) return ofRun(effect, effect.cwd, system);
    if (effect.kind === "git" && effect.invocation.cwd !== undefined) return hooksOf(effect.invocation, effect.invocation.cwd, system);
    return [];
  });
}

function ofRun(run: Run, cwd: string, system: System): readonly Started[] {
  if (run.path !== undefined) {
    const script = ofFile(
      run.path,
      run.args.map(({ text }) => text),
      cwd,
      undefined,
      system,
    );
    if (script !== undefined) return [script];
  }
  const words = run.args.map(({ text }) => text);
  switch (run.name) {
    case "sh":
    case "bash":
    case "zsh":
    case "dash":
    case "ksh":
    case "ash":
    case "source":
    case ".":
      return operand(run, cwd, "bash", system);
    case "python":
    case "python3":
    case "node":
    case "nodejs":
    case "tsx":
    case "ts-node":
    case "ruby":
    case "perl":
    case "php":
      return operand(run, cwd, run.name, system);
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return ofPackage(words, cwd, system);
    case "make":
    case "gmake":
      return ofMakefile(words, cwd, system);
    case "just": {
      const text = first(cwd, ["justfile", "Justfile", ".justfile"], system);
      return text === undefined ? [] : [shell(text.path, recipesOf(text.content, words.filter(isWord)), cwd)];
    }
    case "task": {
      const text = first(cwd, ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"], system);
      return text === undefined ? [] : [shell(text.path, taskOf(text.content, words.find(isWord) ?? "default"), cwd)];
    }
    default:
      return [];
  }
}

/** Words that are neither options nor assignments. */
function isWord(word: string): boolean {
  return !word.startsWith("-") && !word.includes("=");
}

/** The script an interpreter is given as its first operand. */
function operand(run: Run, cwd: string, language: string, system: System): readonly Started[] {
  for (const [at, { text, exact }] of run.args.entries()) {
    // What stands in the command itself is read there.
    if (!exact || text === "-" || (language === "bash" ? /^-[a-z]*[cs]$/ : /^-[a-zA-Z]*[cemEpr]$|^--(?:eval|print|run)/).test(text))
      return [];
    if (text.startsWith("-")) continue;
    const path = text.startsWith("/") ? text : text.startsWith("~/") ? `${system.home}/${text.slice(2)}` : `${cwd}/${text}`;
    const script = ofFile(
      path,
      run.args.slice(at + 1).map((argument) => argument.text),
      cwd,
      language,
      system,
    );
    return script === undefined ? [] : [script];
  }
  return [];
}

/** A file as what starts it would read it. `language`: the interpreter it is given to; otherwise its first line tells. */
function ofFile(path: string, args: readonly string[], cwd: string, language: string | undefined, system: System): Started | undefined {
  const text = read(path, system);
  if (text === undefined) return undefined;
  const first = text.slice(0, 200).split("\n", 1)[0] ?? "";
  const named = /^#!.{0,100}\b(sh|bash|zsh|dash|ksh|python|node|ruby|perl|php|deno|bun)[\d.]{0,6}\b/.exec(first)?.[1];
  const interpreter = language ?? named;
  if (interpreter === undefined) return undefined;
  const words = args.map(quoted).join(" ");
  if (/sh$/.test(interpreter)) return { ...shell(path, `set -- ${words}\n${text}`, cwd), whole: true };
  const command = interpreter === "php" ? "php" : `${interpreter.replace(/^(?:nodejs|tsx|ts-node|deno|bun)$/, "node")} - ${words}`;
  return { path, command: withProgram(command, text), cwd, program: true, whole: true };
}

function shell(path: string, command: string, cwd: string): Started {
  return { path, command, cwd, program: false };
}

/** Verbs of package managers that are no script's name. */
const VERBS =
  /^(?:i|install|ci|add|remove|rm|uninstall|un|update|up|upgrade|outdated|ls|list|link|init|create|exec|dlx|x|audit|view|info|config|cache|why|login|logout|whoami|version|help|pm|patch|store|import|dedupe|prune|rebuild|root|bin)$/;

function ofPackage(words: readonly string[], cwd: string, system: System): readonly Started[] {
  const [verb = "", ...rest] = words.filter((word) => !word.startsWith("-"));
  const name = /^(?:run|run-script)$/.test(verb) ? rest[0] : verb === "t" ? "test" : verb;
  const text = first(cwd, ["package.json"], system);
  if (text === undefined || name === undefined) return [];
  const names = /^(?:i|install|ci|add)$/.test(name)
    ? ["install", "prepare"]
    : name === "publish" || name === "pack"
      ? ["prepack", "publish"]
      : [name];
  if (VERBS.test(name) && names[0] !== "install") return [];
  return names.map((one) => shell(text.path, packageScript(text.content, one), cwd));
}

function ofMakefile(words: readonly string[], cwd: string, system: System): readonly Started[] {
  const value = (...options: readonly string[]): string | undefined => {
    const at = words.findIndex((word) => options.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  const folder = value("-C", "--directory");
  const where = folder === undefined ? cwd : folder.startsWith("/") ? folder : `${cwd}/${folder}`;
  const file = value("-f", "--file", "--makefile");
  const text = first(where, file === undefined ? ["GNUmakefile", "makefile", "Makefile"] : [file], system);
  const targets = words.filter((word, at) => isWord(word) && !/^-(?:C|f|j|I|-directory|-file|-makefile)$/.test(words[at - 1] ?? ""));
  return text === undefined ? [] : [shell(text.path, recipesOf(text.content, targets), where)];
}

const HOOKS: Readonly<Record<string, readonly string[]>> = {
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  merge: ["pre-merge-commit", "post-merge"],
  pull: ["post-merge", "post-rewrite"],
  rebase: ["pre-rebase", "post-rewrite"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
};

function hooksOf({ subcommand, globals }: GitInvocation, cwd: string, system: System): readonly Started[] {
  const hooks = HOOKS[subcommand];
  if (hooks === undefined) return [];
  const root = new Repositories(system).rootOf(`${cwd}/.`);
  if (root === undefined) return [];
  const git = gitFolder(root, system);
  const named =
    globals.findLast((text) => /^core\.hookspath=/i.test(text))?.replace(/^[^=]*=/, "") ?? gitSetting("core.hookspath", git, system);
  const folder = named === undefined ? `${git.common}/hooks` : absolute(root, named.replace(/^~\//, `${system.home}/`));
  return hooks.flatMap((name) => ofFile(`${folder}/${name}`, [], root, undefined, system) ?? []);
}

function first(folder: string, names: readonly string[], system: System): { readonly path: string; readonly content: string } | undefined {
  for (const name of names) {
    const path = name.startsWith("/") ? name : `${folder}/${name}`;
    const content = read(path, system);
    if (content !== undefined) return { path, content };
  }
  return undefined;
}

/** The text of a script; undefined for a binary or one that is too long to be one. */
function read(path: string, system: System): string | undefined {
  const file = system.read(path, CHOSEN.script_chars);
  if (file === undefined || file.cut || file.bytes.includes(0)) return undefined;
  return new TextDecoder().decode(file.bytes);
}
