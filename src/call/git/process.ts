/**
 * The only place that starts Git, hardened.
 *
 * Trust: the repository, its configuration, attributes and hooks are hostile; so is every folder of PATH inside it.
 * Only commands that read are started. Git runs clean filters as soon as it compares a file with its index entry
 * (`diff-files`): where that can happen every filter of the configuration is taken away by name, behind all other settings.
 * Fetching of missing objects is off, since it would start the program a promisor remote names. No pager, prompt, hook, monitor.
 */
import { CHOSEN } from "../../limits.ts";
import type { Finished, System } from "../../system.ts";
import type { GitInvocation } from "../effect.ts";
import { type Budget, Unfinished } from "./budget.ts";

const HARDENED = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.quotePath=false",
  "core.pager=cat",
  "core.askPass=",
  "credential.helper=",
  "protocol.allow=never",
  "color.ui=false",
  "log.showSignature=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Where a Git command looks for its repository; taken from the call, otherwise from the caller's own environment. */
const PLACE_VARIABLES = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
];
const CONFIG_VARIABLE = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|PARAMETERS|KEY_\d{1,4}|VALUE_\d{1,4})$/;
const SYSTEM_VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "PROGRAMDATA",
  "SYSTEMROOT",
  "TMPDIR",
  "TEMP",
];

interface RunOptions {
  readonly stdin?: string;
  readonly bytes_max?: number;
  /** Output longer than `bytes_max` is cut instead of leaving the check unfinished. */
  readonly cut?: boolean;
  /** The pathspecs are ours: the command's own options for reading them do not apply. */
  readonly ownPathspecs?: boolean;
  /** Repositories around the folder are not looked for. */
  readonly alone?: boolean;
  /** The command compares files with the index. */
  readonly compares?: boolean;
}

/** Git at one place: a folder with the command's own global options and environment. */
export class Git {
  private readonly globals: readonly string[];
  private readonly environment: Readonly<Record<string, string>>;
  private program: string | undefined;
  private filterless: readonly string[] | undefined;
  private readonly answers = new Map<string, Finished>();

  constructor(
    private readonly system: System,
    private readonly budget: Budget,
    /** Absolute; must exist. */
    readonly cwd: string,
    invocation: GitInvocation,
  ) {
    this.globals = placing(invocation.globals);
    this.environment = surroundings(system, invocation.environment);
  }

  /** Distinguishes places: equal keys mean the same repository. */
  get key(): string {
    return JSON.stringify([this.cwd, this.globals, this.environment]);
  }

  /** The value of a variable as the command would see it. */
  variable(name: string): string | undefined {
    return this.environment[name];
  }

  /**
   * Runs a reading command to its end; a short answer is kept, since a line may ask the same a thousand times and none of it
   * runs meanwhile. A non-zero exit is the caller's to judge.
   * Throws `Unfinished` when Git is missing, was ended over a limit, or printed more than `bytes_max` and `cut` is not wanted.
   */
  run(args: readonly string[], options: RunOptions = {}): Finished {
    if (options.stdin !== undefined) return this.start(args, options);
    const key = JSON.stringify([args, options]);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const finished = this.start(args, options);
    if (finished.stdout.length <= CHOSEN.git_kept_bytes) this.answers.set(key, finished);
    return finished;
  }

  private start(args: readonly string[], options: RunOptions): Finished {
    this.program ??= findGit(this.system, this.cwd);
    if (this.program === undefined) throw new Unfinished("no git program was found outside the repository");
    const own = options.ownPathspecs === true;
    const globals = own ? this.globals.filter((option) => !option.endsWith("-pathspecs")) : this.globals;
    const filters = options.compares === true ? this.filters() : [];
    const finished = this.system.run([this.program, "--no-pager", ...globals, ...HARDENED, ...filters, ...args], {
      cwd: this.cwd,
      environment: this.surrounded(options),
      stdin: new TextEncoder().encode(options.stdin ?? ""),
      time_ms_max: this.budget.processTime(),
      stdout_bytes_max: options.bytes_max ?? CHOSEN.git_list_bytes,
    });
    if (finished.cut && options.cut !== true) throw new Unfinished("Git took too long or named too much");
    if (finished.code === null && !finished.cut) throw new Unfinished("Git could not be started");
    return finished;
  }

  /** Settings that take every filter's programs away. */
  private filters(): readonly string[] {
    this.filterless ??= withoutFilters(this.run(["config", "-z", "--name-only", "--get-regexp", "^filter\\."]).stdout);
    return this.filterless;
  }

  private surrounded(options: RunOptions): Readonly<Record<string, string>> {
    if (options.alone === true)
      return { ...this.environment, GIT_CEILING_DIRECTORIES: this.cwd.slice(0, this.cwd.lastIndexOf("/")) || "/" };
    if (options.ownPathspecs !== true) return this.environment;
    return Object.fromEntries(Object.entries(this.environment).filter(([name]) => !name.endsWith("_PATHSPECS")));
  }

  /** As `run`, but any failure leaves the check unfinished. */
  must(args: readonly string[], options: RunOptions = {}): Uint8Array {
    const finished = this.run(args, options);
    if (finished.code !== 0) throw new Unfinished(`git ${args[0]} failed: ${reasonOf(finished.stderr)}`);
    return finished.stdout;
  }
}

/** For the names `git config` lists: settings behind which no filter has a program. */
function withoutFilters(listed: Uint8Array): readonly string[] {
  const names = new Set<string>();
  for (const key of new TextDecoder().decode(listed).split("\0")) {
    const name = /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  if (names.size > CHOSEN.git_filters) throw new Unfinished("its configuration names too many filters");
  return [...names].flatMap((name) =>
    ["clean", "smudge", "process", "required"].flatMap((part) =>
      // `-c` ends a key at the first "=", which a name may hold.
      name.includes("=") ? [`--config-env=filter.${name}.${part}=PZ_NOTHING`] : ["-c", `filter.${name}.${part}=`],
    ),
  );
}

/** Git's own complaint without what it quotes, which may be content. */
export function reasonOf(stderr: string): string {
  if (/dubious ownership/.test(stderr)) return "the repository belongs to another user (safe.directory)";
  if (/not a git repository/.test(stderr)) return "not a repository";
  if (/bad config|unknown repository extension|repository version/.test(stderr)) return "its configuration cannot be read";
  if (/bad object|unable to read|corrupt|missing|bad tree|loose object|could not read/.test(stderr))
    return "the repository is damaged or incomplete";
  return "the repository could not be read";
}

/** The global options that say where the repository is and how paths are read; the rest could only weaken the hardening. */
function placing(globals: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < globals.length; index++) {
    const option = globals[index] ?? "";
    const value = globals[index + 1];
    if ((option === "-c" || option === "--git-dir" || option === "--work-tree" || option === "--namespace") && value !== undefined) {
      kept.push(option, value);
      index++;
    } else if (
      /^--(?:(?:git-dir|work-tree|namespace)=|(?:bare|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs)$)/.test(option)
    ) {
      kept.push(option);
    }
  }
  return kept;
}

function surroundings(system: System, own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  const take = (from: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(from)) {
      const upper = system.platform === "windows" ? name.toUpperCase() : name;
      if (SYSTEM_VARIABLES.includes(upper) || PLACE_VARIABLES.includes(upper) || CONFIG_VARIABLE.test(upper)) environment[upper] = value;
    }
  };
  take(system.environment);
  if (environment.HOME === undefined && system.home !== "") environment.HOME = system.home;
  take(own);
  return {
    ...environment,
    PATH: system.platform === "windows" ? "" : "/usr/bin:/bin",
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Stronger than protocol.allow, which a repository's `protocol.<name>.allow` overrides.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
    PZ_NOTHING: "",
  };
}

/** The first git on the caller's PATH that does not lie in the repository around `cwd`; absolute. */
function findGit(system: System, cwd: string): string | undefined {
  const windows = system.platform === "windows";
  const path = system.environment.PATH ?? system.environment.Path ?? "";
  const hostile = enclosing(system, cwd);
  const folders = [...path.split(windows ? ";" : ":"), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
  for (const folder of folders) {
    if (!folder.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(folder)) continue;
    const program = `${folder.replaceAll("\\", "/").replace(/\/$/, "")}/${windows ? "git.exe" : "git"}`;
    const real = system.info(program) && system.realPath(program);
    if (!real || system.info(real)?.kind !== "file") continue;
    if ([program, real].some((place) => hostile.some((tree) => place.startsWith(`${tree}/`)))) continue;
    return program;
  }
  return undefined;
}

/** The folders whose programs are not trusted: `cwd` and the repository it lies in. A repository at the root of the disk excludes nothing. */
function enclosing(system: System, cwd: string): readonly string[] {
  const trees = [cwd];
  const real = system.realPath(cwd);
  if (real !== undefined) trees.push(real);
  for (let folder = real ?? cwd; folder.includes("/"); folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (folder !== "" && system.info(`${folder}/.git`) !== undefined) trees.push(folder);
  }
  return trees.filter((tree) => tree !== "" && tree !== "/");
}
