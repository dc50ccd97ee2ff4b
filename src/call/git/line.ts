/** One shell line's Git commands: what a command may know of the line around it. */
import type { Source } from "../effect.ts";
import { CHOSEN } from "../../limits.ts";
import type { Argument, GitInvocation } from "../effect.ts";
import { resolvePath } from "../path.ts";
import type { System } from "../../system.ts";
import { Budget, Unfinished } from "./budget.ts";
import { inside } from "./pathspec.ts";
import type { Inspector, Pending } from "./taking.ts";
import { Git } from "./process.ts";
import { openRepository, type Repository } from "./repository.ts";

/** Where a command stands. */
export interface Place {
  readonly git: Git;
  /** The part of the command's folder that does not exist yet, "" when it does. */
  readonly beyond: string;
  /** Folder of a repository that this line creates around the command's folder. */
  readonly created: string | undefined;
  /** The folder lies in a working tree the line adds: the command that adds it, and the branch it stands on. */
  readonly linked: { readonly from: GitInvocation; readonly branch: string } | undefined;
}

export class Line {
  readonly budget: Budget;
  /** Position of the command at hand among the line's Git commands. */
  step = 0;
  /** Why something the line lays into the repository is only known once it runs. A push that follows cannot be checked. */
  unseen: string | undefined;
  private readonly opened = new Map<string, Repository | undefined>();
  /** Folders an earlier `git init` or `git clone` of the line turns into repositories. */
  private readonly created = new Map<string, Place["linked"]>();
  private output: string | undefined;

  constructor(
    private readonly written: readonly Pending[],
    readonly system: System,
    /** What the line's other Git commands print, for one that takes it in; asked for at most once. */
    private readonly printing: () => string = () => "",
    readonly inspector?: Inspector,
  ) {
    this.budget = new Budget(system);
  }

  /** The line's files as the command at hand sees them. */
  get pending(): readonly Pending[] {
    return this.written
      .filter(({ after }) => (after ?? 0) <= this.step)
      .map((file) => (file.printed === true ? { ...file, text: `${file.text ?? ""}${this.printed()}` } : file));
  }

  /** What the line's other Git commands print. */
  printed(): string {
    if (this.output === undefined) {
      this.output = "";
      try {
        this.output = this.printing();
      } catch (problem) {
        if (!(problem instanceof Unfinished)) throw problem;
        // It lies in the repository already: only on its way out does it matter.
        this.unseen = problem.message;
      }
    }
    return this.output;
  }

  /** A repository will exist at this folder for the commands that follow. */
  create(folder: string, linked?: Place["linked"]): void {
    this.created.set(folder, linked);
  }

  /** The nearest folder that exists; undefined for a folder that is only known at run time or cannot exist. */
  place(invocation: GitInvocation): Place | undefined {
    const { cwd } = invocation;
    if (cwd === undefined || cwd === "") return undefined;
    let folder = cwd;
    while (this.system.info(folder) === undefined) {
      const cut = folder.lastIndexOf("/");
      if (cut < 0 || folder === "/") return undefined;
      folder = folder.slice(0, cut) || "/";
    }
    const around = [...this.created.keys()].filter((root) => inside(cwd, root)).sort((a, b) => b.length - a.length)[0];
    return {
      git: new Git(this.system, this.budget, folder, invocation),
      beyond: cwd.slice(folder.length).replace(/^\//, ""),
      created: around,
      linked: around === undefined ? undefined : this.created.get(around),
    };
  }

  /** The repository a place lies in; each is opened once per line. */
  repository(place: Place): Repository | undefined {
    const { key } = place.git;
    if (!this.opened.has(key)) this.opened.set(key, openRepository(place.git, this.system, this.budget));
    return this.opened.get(key);
  }

  /** A path argument made absolute. */
  path(text: string, cwd: string | undefined): string | undefined {
    return resolvePath(text, cwd, { home: this.system.home, environment: {}, platform: this.system.platform }).path;
  }

  /** Bytes of a file a command reads itself (`-F`, a patch), as it will be when the command runs. */
  file(path: string): Uint8Array | undefined {
    const coming = this.pending.findLast((file) => file.path === path);
    if (coming?.append === false) return coming.text === undefined ? undefined : new TextEncoder().encode(coming.text);
    const read = this.system.read(path, CHOSEN.git_binary_bytes);
    if (read === undefined) return coming?.text === undefined ? undefined : new TextEncoder().encode(coming.text);
    this.budget.read(read.bytes.length);
    return coming?.text === undefined ? read.bytes : Buffer.concat([read.bytes, Buffer.from(coming.text)]);
  }

  /** Text of a flow as far as it can be told; the rest is handed on. */
  flow(sources: readonly Source[]): { readonly text: string; readonly rest: readonly Source[] } {
    const texts: string[] = [];
    const rest: Source[] = [];
    for (const source of sources) {
      const text = this.textOf(source);
      if (text === undefined) rest.push(source);
      else texts.push(text);
    }
    return { text: texts.join("\n"), rest };
  }

  /** An argument's own text and what its substitutions bring in. */
  argument(argument: Argument): { readonly text: string; readonly rest: readonly Source[] } {
    const brought = this.flow(argument.sources);
    return { text: brought.text === "" ? argument.text : `${argument.text}\n${brought.text}`, rest: brought.rest };
  }

  private textOf(source: Source): string | undefined {
    if (source.from === "text") return source.text;
    if (source.from === "git content") return this.printed();
    if (source.from === "environment") {
      const { environment } = this.system;
      return source.name === undefined
        ? Object.entries(environment)
            .map(([name, value]) => `${name}=${value}`)
            .join("\n")
        : environment[source.name];
    }
    if (source.from !== "file" || source.file.path === undefined) return undefined;
    const bytes = this.file(source.file.path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }
}
