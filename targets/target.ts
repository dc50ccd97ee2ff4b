/** What one build target is: the runtime it stands on, its native parts, and what has been proved on it. */

/** One operating system and processor the product is built for. Each has a file in this folder and a line in `all.ts`. */
export interface Target {
  /** Folder under the output folder: `linux-x64`. */
  readonly name: string;
  /** The bundler's own name for it: `bun-linux-x64`. */
  readonly bunTarget: string;
  /** npm package that holds the runtime, and the runtime's path in it. */
  readonly runtimePackage: string;
  readonly runtimeFile: string;
  /**
   * Environment variables that would take the runtime over, each with the number of times its NUL-delimited name
   * occurs in the runtime. The build fails on any other count.
   */
  readonly runtimeNames: Readonly<Record<string, number>>;
  /** How a name is made unreachable: `empty` it, or fill it with bytes no variable's name can have. */
  readonly patch: "empty" | "high bytes";
  /** Programs in C beside the runtime. */
  readonly native: readonly NativePart[];
  /** What was tried on this target, in words; everything not named here was not. */
  readonly proved: readonly string[];
}

/** One C program of `native/`. It says in its own head which privilege it has and why. */
export interface NativePart {
  /** Folder under `native/`, all `.c` files of it. */
  readonly folder: string;
  /** Path under the target's output folder. */
  readonly output: string;
  readonly compiler: string;
  readonly flags: readonly string[];
  /** The package that brings the compiler, for the error when it is missing. */
  readonly compilerHint: string;
}
