/**
 * Scripts on disk that a call starts: shell scripts and programs by their path, package scripts, Makefile targets, Git hooks.
 * What they send counts as far as it is written out (L-111); everything else happens at their own time.
 *
 * Trust: a script is repository content, and may have been planted by an earlier call. It is read as text and never run;
 * branches that depend on what is not known are all taken, so only a provably third party makes a block.
 */
import type { Call, Effect } from "../call/effect.ts";
import { effectsOf } from "../call/effects.ts";
import { isQuiet } from "../call/git/quiet.ts";
import { Allowance } from "../call/shell/budget.ts";
import { mayStartScript, type Started, startedBy } from "../call/starts/index.ts";
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import { worldOf } from "./judgement.ts";
import { Repositories } from "./places.ts";

/** Words without which nothing leaves: most scripts have none and are not read any further. */
const SENDS =
  /\b(?:curl|wget|nc|ncat|netcat|socat|telnet|scp|sftp|ftp|rsync|ssh|httpie|curlie|xhs?|https?|urlopen|requests|fetch|axios|socket|sendmail|mailx?|mutt|dig|nslookup|gist|publish|upload|rclone|gsutil|s3|transfer|ngrok|croc|wormhole|tcp)\b|\/dev\/(?:tcp|udp)\//;

/** Words of scripts that may start others, and of programs that take something in, publish or send by their subcommands. */
const ACTING =
  " make just task npm pnpm yarn bun deno turbo lerna nx nr concurrently node python python3 sh bash zsh dash ksh source php ruby perl pytest coverage tsx nodemon py js mjs cjs ts mts cts rb pl" +
  " git docker podman nerdctl buildah skopeo helm deploy release gh glab twine vercel netlify wrangler surge firebase heroku flyctl kubectl gcloud aws" +
  " az vsce ovsx cargo gem poetry uv flit hatch pdm mc s3cmd composer foreman honcho overmind rake tox nox poe invoke inv fab mise pixi pipenv lefthook zx go ";
/** Whether reading a script may tell something: without one big pattern, which would cost more than an everyday script is long. */
function acts(text: string): boolean {
  if (text.length > CHOSEN.acting_script_chars || text.includes("./") || text.includes(". ") || text.includes("run-")) return true;
  for (const [word] of text.matchAll(/\w+/g)) if (ACTING.includes(` ${word} `)) return true;
  return OURS.test(text);
}

/** What has to do with PoisonZero or an agent's own settings. */
const OURS = /poison|leak0|\.(?:claude|codex|cursor|gemini)\b|CLAUDE_CODE_S/i;

/** Places of credentials: a script that names none is not read for what it prints. */
const GUARDED =
  /\.aws\b|\.ssh\b|\.kube\b|\.docker\b|\.gnupg\b|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.env\b|\.git-credentials|\bcredentials?\b|\bid_[a-z0-9]{2,12}\b|service.?account|\.claude\b|\.vault-token/;

/** Whether a call starts a script that names a place of credentials: what it prints may hold what lies there. */
export function startsGuarded(effects: readonly Effect[], system: System): boolean {
  const scripts = Scripts.of(effects, system);
  return scripts.cut || scripts.direct.some(({ command }) => GUARDED.test(command));
}

/** Whether anything that a call starts may send, or is more than is looked at: tells without loading what judges it. */
export function startsSender(effects: readonly Effect[], system: System): boolean {
  const starting = effects.filter(mayStartScript);
  if (starting.length === 0) return false;
  // Most calls start one script that does nothing of the kind: that is seen without what following others takes.
  if (starting.length === 1 && !startedBy(effects, rootIn(system), system).some(mayMatter)) return false;
  const scripts = Scripts.of(effects, system);
  for (const script of scripts)
    if (SENDS.test(script.command) || aimsAtUs(script) || scripts.effectsIn(script).some(takesAway)) return true;
  return scripts.cut;
}

/** Finds the working tree a folder is in. */
function rootIn(system: System): (folder: string) => string | undefined {
  return (folder) => new Repositories(system).rootOf(`${folder}/.`);
}

/** Whether a script names PoisonZero or the settings it stands in. */
export function aimsAtUs({ command }: Started): boolean {
  return OURS.test(command);
}

/** Something that is sent, published or taken into a repository. */
function takesAway(effect: Effect): boolean {
  return effect.kind === "send" || effect.kind === "publish" || (effect.kind === "git" && !isQuiet(effect.invocation.subcommand));
}

/** A short program does little beside what its calls say; what a larger one does inside is not told. */
export function isShort({ command, program }: Started): boolean {
  return !program || command.length <= CHOSEN.short_program_chars;
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
    this.#direct = this.#startedBy(effects);
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

  #startedBy(effects: readonly Effect[]): readonly Started[] {
    return startedBy(effects, rootIn(this.#disk), this.#disk);
  }

  /** Looks into the next found script for what it starts; false when there is none. */
  #follow(): boolean {
    const next = this.#found[this.#followed++];
    if (next === undefined) return false;
    this.#add(this.#startedBy(this.effectsIn(next.script)), next.depth + 1);
    return true;
  }

  #add(scripts: readonly Started[], depth: number): void {
    for (const script of scripts) {
      const { command, cwd } = script;
      if (!mayMatter(script)) continue;
      const key = `${cwd}\0${command}`;
      if (this.#seen.has(key)) continue;
      if (this.#found.length >= CHOSEN.scripts_started || depth > CHOSEN.scripts_depth) this.#leave(script);
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

/** Whether a script is worth reading: most hold none of the words without which nothing leaves. */
function mayMatter(script: Started): boolean {
  return SENDS.test(script.command) || (isShort(script) && acts(script.command));
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
  return Object.create(system, { read: { value: read, writable: true } }) as System;
}
