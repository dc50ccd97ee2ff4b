/** What a shell remembers while it runs: folder, variables, functions, and the files this call itself wrote. */
import { CHOSEN } from "../../limits.ts";
import type { Argument, PathRef, Source } from "../effect.ts";
import { CUT, unique } from "../source.ts";
import type { SyntaxNode } from "./parse.ts";

/** A variable: one value, or the elements of an array. `exported` ones reach child processes. */
export interface Variable {
  readonly values: readonly Argument[];
  readonly exported: boolean;
  readonly array: boolean;
  /** Names of the elements in order, where they have names (`declare -A`). */
  readonly keys?: readonly string[];
  /** The variable that this name stands for (`declare -n`). */
  readonly refers?: string;
}

/** A function with the text restorer of the script that defined it. */
export interface ShellFunction {
  readonly body: SyntaxNode;
  readonly restore: (text: string) => string;
}

/** State of one shell process. Subshells work on a `fork`. */
export class State {
  constructor(
    public cwd: string | undefined,
    readonly variables: Map<string, Variable>,
    readonly functions: Map<string, ShellFunction>,
    readonly aliases: Map<string, string>,
    public positional: readonly Argument[],
    readonly folders: (string | undefined)[],
    public previous: string | undefined,
    /** Set after `cd "$(git rev-parse --show-toplevel)/sub"`: git works there as seen from `cwd`. */
    public top: { readonly cwd: string; readonly sub: string } | undefined = undefined,
    /** `set -x`: every command and assignment is printed with its values. */
    public traced = false,
    /** `set -v`: every line that is read is printed, those of sourced files too. */
    public verbose = false,
    /** A file that is not read here may have set any variable. */
    public sourced = false,
    /** What substitutions brought into the text of the running script; `$(…)` in it stands for them. */
    public brought: readonly Source[] = [],
  ) {}

  /** The name that a name stands for, through `declare -n`. */
  named(name: string): string {
    let at = name;
    for (let hops = 0; hops < CHOSEN.copy_hops; hops++) {
      const next = this.variables.get(at)?.refers;
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  fork(): State {
    return new State(
      this.cwd,
      new Map(this.variables),
      new Map(this.functions),
      new Map(this.aliases),
      this.positional,
      [...this.folders],
      this.previous,
      this.top,
      this.traced,
      this.verbose,
      this.sourced,
      this.brought,
    );
  }

  /** Takes over what one of two branches left: what differs is no longer certain. */
  merge(one: State, other: State): void {
    this.cwd = one.cwd === other.cwd ? one.cwd : undefined;
    this.previous = one.previous === other.previous ? one.previous : undefined;
    this.positional = one.positional;
    this.brought = one.brought.length === 0 ? other.brought : one.brought;
    this.sourced = one.sourced || other.sourced;
    this.traced = one.traced || other.traced;
    this.verbose = one.verbose || other.verbose;
    this.top = one.top === other.top ? one.top : undefined;
    for (const name of new Set([...one.variables.keys(), ...other.variables.keys()])) {
      const a = one.variables.get(name);
      const b = other.variables.get(name);
      if (a === b && a !== undefined) this.variables.set(name, a);
      else if (a === undefined || b === undefined) this.variables.set(name, uncertain((a ?? b) as Variable));
      else if (sameVariable(a, b)) this.variables.set(name, a);
      else this.variables.set(name, uncertain({ ...a, values: joined(a.values, b.values) }));
    }
    for (const branch of [one, other]) {
      for (const [name, body] of branch.functions) this.functions.set(name, body);
      for (const [name, text] of branch.aliases) this.aliases.set(name, text);
    }
  }
}

function uncertain(variable: Variable): Variable {
  return { ...variable, values: variable.values.map((value) => ({ ...value, exact: false })) };
}

function joined(a: readonly Argument[], b: readonly Argument[]): Argument[] {
  const extra = b.flatMap((value) => [...value.sources]);
  const [first, ...rest] = a;
  return first === undefined ? [...b] : [{ ...first, sources: unique([...first.sources, ...extra]) }, ...rest];
}

function sameVariable(a: Variable, b: Variable): boolean {
  return (
    a.exported === b.exported &&
    a.values.length === b.values.length &&
    a.values.every((value, index) => {
      const other = b.values[index];
      return (
        other !== undefined &&
        value.text === other.text &&
        value.exact === other.exact &&
        value.sources.length === 0 &&
        other.sources.length === 0
      );
    })
  );
}

/**
 * Files this call wrote or copied: reading one of them is reading what went into it. Shared by all
 * subshells, as the disk is. The old content always stays possible: a write may be in a branch that does
 * not run, or fail (`echo x > key; cat key` on a read-only key prints the key).
 */
export class Overlay {
  readonly #written = new Map<string, readonly Source[]>();
  readonly #copied = new Map<string, PathRef>();
  /** What was written or copied below a folder, by the folder. */
  readonly #below = new Map<string, Set<string>>();

  /** Records a write. */
  write(path: string, sources: readonly Source[], append: boolean): void {
    const before = append ? (this.#written.get(path) ?? []) : [];
    this.#written.set(path, unique([...before, ...sources]));
    this.#place(path);
  }

  #place(path: string): void {
    if (path.startsWith("/dev/")) return;
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      const inside = this.#below.get(folder) ?? new Set();
      if (inside.has(path) || inside.size >= CHOSEN.flow_sources) return;
      this.#below.set(folder, inside.add(path));
    }
  }

  /** Records that `to` now is what `from` was; whole folders included. */
  copy(from: PathRef, to: string): void {
    this.#copied.set(to, from);
    this.#place(to);
  }

  /** What this call itself wrote into a file, undefined when it did not. */
  written(path: string): readonly Source[] | undefined {
    return this.#written.get(path);
  }

  /** Whether this call put anything anywhere. */
  get touched(): boolean {
    return this.#below.size > 0;
  }

  /** What this call put into a folder, at any depth. */
  inside(folder: string): readonly string[] {
    return [...(this.#below.get(folder) ?? [])];
  }

  /** What reading this file may yield, undefined when this call did not touch it. */
  read(path: string, hops = 0): readonly Source[] | undefined {
    const found: Source[] = [...(this.#written.get(path) ?? [])];
    let touched = this.#written.has(path);
    if (hops >= CHOSEN.copy_hops && this.#copied.has(path)) {
      found.push(CUT);
      touched = true;
    }
    if (this.#copied.size > 0 && hops < CHOSEN.copy_hops) {
      for (let folder = path; folder.length > 0; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
        const copied = this.#copied.get(folder);
        if (copied === undefined) continue;
        const rest = path.slice(folder.length);
        const from: PathRef = { written: copied.written + rest, path: copied.path === undefined ? undefined : copied.path + rest };
        found.push(...((from.path === undefined ? undefined : this.read(from.path, hops + 1)) ?? [fileSource(from, true)]));
        touched = true;
        break;
      }
    }
    // A folder holds what was put below it; what a file was copied to may be one as well.
    for (const inside of hops === 0 && !this.#copied.has(path) ? (this.#below.get(path) ?? []) : []) {
      found.push(...(this.read(inside, 1) ?? []));
      touched = true;
    }
    if (!touched) return undefined;
    return unique(path.startsWith("/dev/fd/") ? found : [...found, fileSource({ written: path, path }, true)]);
  }
}

/** A file as a source. */
export function fileSource(file: PathRef, plain: boolean): Source {
  return { from: "file", file, plain };
}
