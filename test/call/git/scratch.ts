/** Throwaway repositories with the real git, and the System they are looked at through. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Argument, GitInvocation, Source } from "../../../src/call/effect.ts";
import { type Pending, type Taken, type Taking, takes } from "../../../src/call/git/index.ts";
import { openSystem, type System } from "../../../src/system.ts";

const ENVIRONMENT = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

/** A home folder with a repository `app` in it; everything goes away with `remove`. */
export class Scratch {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "pz-git-")));
  readonly root = join(this.home, "app");
  readonly environment: Record<string, string> = { ...ENVIRONMENT, HOME: this.home };
  /** Command lines of every process the code under test started. */
  readonly started: string[][] = [];
  /** Paths the code under test opened. */
  readonly opened: string[] = [];
  now = () => Date.now();

  constructor(init = true) {
    mkdirSync(this.root);
    writeFileSync(join(this.home, ".gitconfig"), '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n');
    if (init) this.git("init", "-q");
  }

  /** Runs git for real in the repository; throws when it fails. */
  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const done = spawnSync("git", args, { cwd, env: this.environment, encoding: "utf8", maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    return done.stdout;
  }

  write(path: string, content: string | Uint8Array, mode?: number): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    if (mode !== undefined) chmodSync(full, mode);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    symlinkSync(target, join(this.root, path));
  }

  /** A commit of everything there is. */
  commit(files: Record<string, string | Uint8Array> = {}, message = "x"): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  invocation(words: readonly (string | Argument)[], more: Partial<GitInvocation> = {}): GitInvocation {
    const [subcommand = "", ...args] = words;
    return {
      cwd: this.root,
      globals: [],
      environment: {},
      stdin: [],
      ...more,
      subcommand: typeof subcommand === "string" ? subcommand : subcommand.text,
      args: args.map((arg) => (typeof arg === "string" ? { text: arg, exact: true, sources: [] } : arg)),
    };
  }

  /** One command's taking. */
  takes(...words: (string | Argument)[]): Taking {
    return this.line([words])[0] as Taking;
  }

  /** The takings of a line of commands. */
  line(
    commands: readonly (readonly (string | Argument)[])[],
    pending: readonly Pending[] = [],
    more: Partial<GitInvocation> = {},
  ): readonly Taking[] {
    return takes(
      commands.map((words) => this.invocation(words, more)),
      pending,
      this.system(),
    );
  }

  /** The caller's machine, with a record of what was started and opened. */
  system(): System {
    const real = openSystem({ environment: this.environment, dataFolder: join(this.home, "data") });
    return {
      ...real,
      home: this.home,
      now: () => this.now(),
      read: (path, ...rest) => {
        this.opened.push(path);
        return real.read(path, ...rest);
      },
      run: (argv, options) => {
        this.started.push([...argv]);
        return real.run(argv, options);
      },
    };
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Paths of file contents, sorted. */
export function pathsOf(taking: Taking | undefined): string[] {
  if (taking?.unfinished !== undefined) return [`unfinished: ${taking.unfinished}`];
  return (taking?.taken ?? []).flatMap(({ path }) => (path === undefined ? [] : [path])).sort();
}

/** Paths over all commands of a line. */
export function pathsOfLine(takings: readonly Taking[]): string[] {
  return [...new Set(takings.flatMap(pathsOf))].sort();
}

/** All message texts, joined. */
export function textsOf(taking: Taking | undefined): string {
  return (taking?.taken ?? []).map(({ text }) => text ?? "").join("\n");
}

/** The content taken for a path. */
export function contentOf(taking: Taking | undefined, path: string): string | undefined {
  const found = taking?.taken.find((taken: Taken) => taken.path === path)?.bytes;
  return found === undefined ? undefined : new TextDecoder().decode(found);
}

/** An argument with a substitution in it. */
export function hidden(text: string, sources: readonly Source[] = []): Argument {
  return { text, exact: false, sources };
}
