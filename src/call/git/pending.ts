/** Files the line writes before Git looks: their coming content, and the ignore rules among them. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Pending } from "./taking.ts";
import { ignores } from "./ignore.ts";
import { inside } from "./pathspec.ts";

/** The coming content of the working tree below `root`. */
export class Coming {
  /** By path relative to the root. */
  private readonly files = new Map<string, Pending[]>();
  private rules: { readonly folder: string; readonly patterns: readonly string[] }[] = [];
  /** An ignore file that exists is replaced: what the old one hid may come to light. */
  readonly replacesIgnores: boolean;
  /** An ignore file is changed in a way that cannot be told: files it hides may come to light. */
  readonly mayReveal: boolean;
  /** A rule that the line writes takes files back (`!.env`). */
  readonly takesBack: boolean;

  constructor(
    pending: readonly Pending[],
    private readonly root: string,
    private readonly system: System,
  ) {
    let replaces = false;
    let mayReveal = false;
    for (const file of pending) {
      const path = this.relative(file.path);
      if (path === undefined || path.startsWith(".git/")) continue;
      this.files.set(path, [...(this.files.get(path) ?? []), file]);
      if (!/(?:^|\/)\.gitignore$/.test(path)) continue;
      mayReveal ||= file.unsure === true;
      if ((file.append === false || file.text === undefined) && system.info(`${root}/${path}`) !== undefined) replaces = true;
      if (file.unsure !== true)
        this.rules.push({ folder: path.slice(0, -".gitignore".length), patterns: (file.text ?? "").split(/\r?\n/) });
    }
    this.replacesIgnores = replaces;
    this.mayReveal = mayReveal;
    this.takesBack = this.rules.some(({ patterns }) => patterns.some((pattern) => pattern.startsWith("!")));
  }

  paths(): Iterable<string> {
    return this.files.keys();
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** What the file will hold; undefined when it is removed. */
  bytes(path: string): Uint8Array | undefined {
    let content: string | undefined;
    for (const file of this.files.get(path) ?? []) {
      if (file.append === false || file.text === undefined) content = file.text;
      else {
        const before =
          content ?? new TextDecoder().decode(this.system.read(`${this.root}/${path}`, CHOSEN.git_binary_bytes)?.bytes ?? new Uint8Array());
        content = before + file.text;
      }
    }
    return content === undefined ? undefined : new TextEncoder().encode(content);
  }

  /** Whether the ignore rules written in this line hide an untracked path. */
  hides(path: string): boolean {
    return this.says(path) === true;
  }

  /** Whether they take back a path that other rules hide. */
  reveals(path: string): boolean {
    return this.says(path) === false;
  }

  private says(path: string): boolean | undefined {
    let hidden: boolean | undefined;
    for (const { folder, patterns } of this.rules) {
      if (!path.startsWith(folder)) continue;
      const parts = path.slice(folder.length).split("/");
      hidden = ignores(patterns, parts) ?? hidden;
    }
    return hidden;
  }

  private relative(path: string): string | undefined {
    if (inside(path, this.root)) return path.slice(this.root.length + 1);
    // The root Git names has its links resolved; the path was only written.
    const cut = path.lastIndexOf("/");
    const real = this.system.realPath(path.slice(0, cut) || "/");
    if (real === undefined || !inside(real, this.root)) return undefined;
    return `${real}/${path.slice(cut + 1)}`.slice(this.root.length + 1);
  }
}
