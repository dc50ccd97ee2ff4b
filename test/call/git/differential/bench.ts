/** The bench of the differential test: one throwaway home, real git in it, and texts that can be told apart. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Every line of every text holds a mark of its own: where a mark arrives, its text was taken. */
export const MARK = /mark[0-9a-z]{6}/g;

/** A small reproducible random number generator (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

export class Bench {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "pz-differential-")));
  /** The world of the case at hand: repositories and remotes. Always the same place, so that templates hold true paths. */
  readonly world = join(this.home, "w");
  readonly environment: Readonly<Record<string, string>>;
  private marks = 0;

  constructor() {
    const editor = join(this.home, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\ntest -s "$1" && grep -qv "^#" "$1" || echo edited > "$1"\n', { mode: 0o755 });
    writeFileSync(
      join(this.home, ".gitconfig"),
      [
        "[init]\n\tdefaultBranch = main",
        '[protocol "file"]\n\tallow = always',
        "[user]\n\tname = Ann\n\temail = ann@example.com",
        "[gc]\n\tauto = 0",
        "[maintenance]\n\tauto = false",
        "[advice]\n\tdetachedHead = false",
        "[merge]\n\tautoEdit = no",
        "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true",
        "[core]\n\tfsync = none",
        '[alias]\n\tci = commit\n\tsave = commit -a -m saved\n\tall = !git add -A\n\tup = !f() { git push \\"$@\\"; }; f',
        "",
      ].join("\n"),
    );
    this.environment = {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: this.home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_EDITOR: editor,
      GIT_SEQUENCE_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      GIT_PAGER: "cat",
      LC_ALL: "C.UTF-8",
    };
  }

  mark(): string {
    return `mark${(this.marks++).toString(36).padStart(6, "0")}`;
  }

  /** Some lines with marks. */
  text(lines = 3): string {
    return Array.from({ length: lines }, () => `${this.mark()}\n`).join("");
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Runs a shell line; its exit code and what it said. */
  shell(line: string, cwd: string): { readonly code: number; readonly said: string } {
    const done = Bun.spawnSync(["bash", "-c", line], {
      cwd,
      env: { ...this.environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    return { code: done.exitCode, said: `${done.stdout}${done.stderr}` };
  }

  /** As `shell`, for building: throws when it fails. */
  build(line: string, cwd: string): void {
    const { code, said } = this.shell(line, cwd);
    if (code !== 0) throw new Error(`${line}\n${said}`);
  }

  git(cwd: string, ...args: string[]): Uint8Array {
    return Bun.spawnSync(["git", ...args], {
      cwd,
      env: { ...this.environment, GIT_NO_LAZY_FETCH: "1", GIT_NO_REPLACE_OBJECTS: "1", GIT_ALLOW_PROTOCOL: "none" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    }).stdout;
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
