/** One command about to run, as its handler sees it: arguments, descriptors, and what it may cause. */
import type { Argument, Destination, Effect, Excerpt, Listed, Packing, Part, PathRef, Source } from "../effect.ts";
import { type World, below, baseName } from "../path.ts";
import {
  argumentSources,
  asWhole,
  excerpted,
  fromElsewhere,
  handled,
  literal,
  namesInFiles,
  staticText,
  transformed,
  unique,
} from "../source.ts";
import type { Shell } from "./interpret.ts";
import { type OptionTable, type Options, readOptions } from "./options.ts";
import { CollectSink, type Io, NULL_SINK, withOut, withStdin } from "./sink.ts";
import { broughtFiles } from "./words.ts";

/** Works out the effects of one kind of command. */
export type Handler = (invocation: Invocation) => void;

/**
 * Where a copy comes to lie: `inside` the target folder, `at` the target itself, `either` as the disk has it, or at a
 * target that then holds nothing else (`mirror`).
 */
export type Landing = "inside" | "at" | "either" | "mirror";

/** Options whose value is a file the program works with, not one it shows: a login, a key, its settings. */
const USES =
  /^-(?:[ciFfkKo]|-?[\w-]{0,40}(?:auth|cert|ca|conf(?:ig)?|credentials?|creds|identity|key|key-?file|kubeconfig|login|netrc|out(?:put)?|pass(?:word|file)?|profile|rc|secrets?|settings|token)(?:-?(?:file|path))?|-env(?:-file)?)$/i;

/** Programs that leave out lines, or turn their order round, and change none. */
const LINES = /^(?:cat|tac|head|tail|sort|uniq|[ef]?grep|rg|shuf|tee|pv)$/;

/** Options whose value is the file a program makes. */
const MAKES = /^(?:-o|--?out(?:put)?(?:[-_]?file)?)(?:=|$)/i;

/** One call of a program as its handler sees it: its arguments, its input and output, and the shell it stands in. */
export class Invocation {
  constructor(
    readonly shell: Shell,
    /** Last path component of the program, without `.exe`. */
    readonly name: string,
    readonly args: readonly Argument[],
    readonly io: Io,
    /** Variables set in front of the command. */
    readonly environment: ReadonlyMap<string, Argument>,
  ) {}

  get world(): World {
    return this.shell.world;
  }

  /** A variable as the program gets it: set in front of it, or exported before. */
  variable(name: string): Argument | undefined {
    const own = this.environment.get(name);
    if (own !== undefined) return own;
    const variable = this.shell.state.variables.get(name);
    return variable?.exported === true ? variable.values[0] : undefined;
  }

  get stdin(): readonly Source[] {
    return this.io.stdin;
  }
  get cwd(): string | undefined {
    return this.shell.state.cwd;
  }

  /** Text of the argument at a place, "" when there is none. */
  text(index: number): string {
    return this.args[index]?.text ?? "";
  }

  options(table: OptionTable, from = 0): Options {
    return readOptions(from === 0 ? this.args : this.args.slice(from), table);
  }

  /** The file an argument names. */
  file(argument: Argument): PathRef {
    return this.shell.file(argument);
  }

  /** The content of the file an argument names; `-` and the like are standard input. */
  read(argument: Argument): readonly Source[] {
    if (argument.text === "-" && argument.exact) return this.stdin;
    return this.shell.read(argument, this.io);
  }

  /** The text of a script file this call wrote itself, otherwise its content. */
  readScript(argument: Argument): readonly Source[] {
    return this.shell.readScript(argument, this.io);
  }

  /** The content of several files, or of standard input when none is named. */
  readAll(operands: readonly Argument[]): Source[] {
    if (operands.length === 0) return [...this.stdin];
    return unique(operands.flatMap((operand) => [...this.read(operand)]));
  }

  /**
   * The same, and of each file that is read as it lies there only an excerpt: what this call made of another file is not known.
   * What comes from standard input as an excerpt that is exact may have a further one.
   */
  readParts(operands: readonly Argument[], excerpt: Excerpt | undefined): Source[] {
    if (excerpt === undefined) return this.readAll(operands);
    if (operands.length === 0) {
      const [only] = this.stdin;
      const whole = this.stdin.length === 1 && only?.from === "file" && only.whole === true;
      // The file may come twice: lines that are counted from its beginning are the same then.
      return whole && (excerpt.kind !== "lines" || excerpt.span[0] === 1) ? [...excerpted(this.stdin, excerpt)] : [...this.stdin];
    }
    return unique(
      operands.flatMap((operand) => {
        const sources = this.read(operand);
        const [only] = sources;
        const itself = sources.length === 1 && only?.from === "file" && only.file.path === this.file(operand).path;
        return itself ? [...excerpted(sources, excerpt)] : [...sources];
      }),
    );
  }

  /** Puts sources on standard output. */
  print(sources: readonly Source[]): void {
    if (sources.length > 0) this.io.out.get(1)?.put(this.#withVariables(handled(sources, LINES.test(this.name))));
  }

  /** Puts a list of files on standard output, of which no more is known than this. */
  printNames(names: readonly Listed[]): void {
    this.io.out.get(1)?.put([names.length === 0 ? { from: "unknown" } : { from: "unknown", names }]);
  }

  /** The content of the files that a list names: of those that may be meant it is not known whether it comes along. */
  readListed(list: readonly Source[], from: Argument = literal(".")): readonly Source[] {
    const folder = this.file(from);
    const read = (name: Argument): readonly Source[] =>
      this.read(/^[/~]/.test(name.text) || from.text === "." ? name : { ...name, text: `${from.text}/${name.text}` });
    return unique(
      list.flatMap((source): readonly Source[] => {
        if (source.from === "file") return namesInFiles([source], folder);
        if (source.from !== "unknown" || source.names === undefined) return [];
        return source.names.flatMap((name) => (name.exact && !name.sure ? this.maybe(read(name)) : [...read(name)]));
      }),
    );
  }

  /** Puts on standard output what `readParts` gave for an excerpt that says byte for byte what comes out. */
  printParts(sources: readonly Source[], excerpt: Excerpt | undefined): void {
    const [only] = sources;
    const part = sources.length === 1 && only?.from === "file" && only.plain ? only.excerpt : undefined;
    const last = part?.kind === "then" ? part.steps.at(-1) : part;
    if (only?.from !== "file" || last === undefined || last !== excerpt) this.print(sources);
    else this.io.out.get(1)?.put([{ ...only, whole: true }]);
  }

  /** Puts a file on standard output as it lies there. */
  printWhole(operand: Argument): void {
    const sources = this.read(operand);
    const whole = asWhole(sources, this.file(operand).path);
    if (whole === sources) this.print(sources);
    else this.io.out.get(1)?.put(whole);
  }

  /** The environment as this program sees it: what the call put into a variable comes with it. */
  #withVariables(sources: readonly Source[]): readonly Source[] {
    if (!sources.some(({ from }) => from === "environment")) return sources;
    const { variables } = this.shell.state;
    const inShell = /^(?:set|declare|typeset|local|readonly)$/.test(this.name);
    return unique(
      sources.flatMap((source) => {
        if (source.from !== "environment") return [source];
        const values =
          source.name === undefined
            ? [
                ...this.environment.values(),
                ...[...variables.values()].flatMap((variable) => (variable.exported || inShell ? [...variable.values] : [])),
              ]
            : [this.environment.get(source.name) ?? variables.get(source.name)?.values[0]].filter((value) => value !== undefined);
        const found = values.flatMap((value) => value.sources.filter(({ from }) => from !== "text" && from !== "environment"));
        return [source, ...(source.plain ? found : transformed(found))];
      }),
    );
  }

  /** Puts sources on standard output, changed beyond recognition. */
  printTransformed(sources: readonly Source[]): void {
    this.print(transformed(sources));
  }

  /** Puts sources where messages go, and on standard output. */
  tell(sources: readonly Source[]): void {
    const messages = this.io.out.get(2);
    const output = this.io.out.get(1);
    messages?.put(sources);
    if (output !== messages) output?.put(sources);
  }

  /** Puts the content of a file where messages go: a program that cannot make sense of it quotes it. */
  complain(file: Argument): void {
    this.complainOf(this.read(file));
  }

  /** Puts what a program quotes of its input where messages go. */
  complainOf(sources: readonly Source[]): void {
    if (sources.length > 0) this.io.out.get(2)?.put(sources);
  }

  /** A program that is not known: what it reads may come out changed; into the conversation that is only a doubt. */
  passOn(): void {
    this.#made();
    if (this.io.out.get(1)?.kind !== "show") return this.printTransformed(unique([...this.stdin, ...this.given()]));
    if (this.stdin.some((source) => source.from !== "text" && source.from !== "unknown"))
      this.doubt("a program that is not known reads a file's content");
  }

  /** A script on disk, which could be read: that what it is given comes out again is not known. */
  passOnMaybe(): void {
    this.#made();
    const others = this.stdin.filter(({ from }) => from !== "file");
    this.print(unique([...transformed(others), ...this.maybe(this.stdin), ...this.given()]));
  }

  /** What such a program makes of the files it is given may lie in the one it is told to make. */
  #made(): void {
    const at = this.args.findIndex(({ text }) => MAKES.test(text));
    const [option, next] = at < 0 ? [] : this.args.slice(at, at + 2);
    const equals = option?.text.indexOf("=") ?? -1;
    const target = option === undefined || equals < 0 ? next : { ...option, text: option.text.slice(equals + 1) };
    if (option === undefined) return this.#madeOfOthers();
    if (target?.exact !== true || target.text === "" || target.text === "-") return;
    const { path } = this.file(target);
    const sources = this.#readable(this.args);
    if (path !== undefined && sources.length > 0) this.shell.core.overlay.write(path, sources, false);
  }

  /** `tool in out`: the last file that is named may be the one it makes, where there is none yet. */
  #madeOfOthers(): void {
    const operands = this.args.filter(({ text }, at) => !text.startsWith("-") && !USES.test(this.text(at - 1)));
    const last = operands[operands.length - 1];
    if (operands.length < 2 || last?.exact !== true || last.text.includes("://")) return;
    const made = this.file(last);
    const sources = this.#readable(this.args.slice(0, this.args.indexOf(last)));
    if (made.path === undefined || sources.length === 0) return;
    this.shell.core.overlay.write(
      made.path,
      sources.map((source) => (source.from === "file" ? { ...source, made } : source)),
      true,
    );
  }

  /** Files that a program which is not known is given to read, where its output goes on to another one. */
  given(): Source[] {
    const kind = this.io.out.get(1)?.kind;
    return kind === "collect" || kind === "file" ? this.#readable(this.args) : [];
  }

  #readable(args: readonly Argument[]): Source[] {
    return args.flatMap((argument, at): readonly Source[] => {
      if (!argument.exact || !/[./]/.test(argument.text) || argument.text.startsWith("-") || USES.test(this.text(at - 1))) return [];
      return this.maybe(this.read(argument));
    });
  }

  /** Of these sources the files, which may be in what a program prints, or not. */
  maybe(sources: readonly Source[]): Source[] {
    return sources.flatMap((source): readonly Source[] => (source.from === "file" ? [{ ...source, plain: false, maybe: true }] : []));
  }

  /** Writes a file that an argument names; `-` is standard output. */
  write(target: Argument, sources: readonly Source[], append = false): void {
    if (target.text === "-" && target.exact) return this.print(sources);
    const sink = this.shell.openOutput(target, append, this.io);
    sink.put(sources);
    sink.close();
  }

  /** Writes somewhere into a file that keeps the rest of its content. */
  writeInto(target: Argument, sources: readonly Source[]): void {
    this.change(target, "edit");
    this.write(target, sources, true);
  }

  change(target: Argument, how: Extract<Effect, { kind: "change" }>["how"], lines?: readonly string[]): void {
    const file = this.file(target);
    this.emit({ kind: "change", file, how, ...(lines === undefined ? {} : { lines }) });
    if (file.path !== undefined && how === "edit") this.shell.core.overlay.write(file.path, [{ from: "unknown" }], true);
  }

  /** Copies one file or folder. */
  copy(from: Argument, to: Argument, landing: Landing): void {
    const source = this.file(from);
    const folder = this.file(to);
    const name = baseName(from.text);
    // `a/.` is everything in a, not a itself.
    const into = landing === "inside" && !/^\.{0,2}$/.test(name);
    const target = into ? below(folder, name) : folder;
    const content = source.path === undefined ? undefined : this.shell.special(source.path, this.io);
    if (content !== undefined) return this.write(into ? { ...to, text: target.written } : to, content);
    if (target.path !== undefined && /^\/(?:dev|proc)\//.test(target.path)) return this.write(to, this.read(from));
    const either = landing === "either" && !/^\.{0,2}$/.test(name);
    this.emit({ kind: "copy", file: source, to: target, ...(either ? { either } : {}), ...(landing === "mirror" ? { mirror: true } : {}) });
    if (target.path === undefined) return;
    this.shell.core.overlay.copy(source, target.path);
    if (either && source.path !== undefined) this.shell.core.overlay.copy(source, `${target.path}/${baseName(source.path)}`);
  }

  send(via: string, parts: readonly Part[], destination: Destination, packing?: Packing): void {
    const filled = parts.flatMap((part) => (part.sources.length === 0 ? [] : [{ ...part, sources: this.#withVariables(part.sources) }]));
    this.emit({ kind: "send", via, parts: filled, destination, ...(packing === undefined ? {} : { packing }) });
  }

  publish(via: string, parts: readonly Part[], destination: Destination, packing?: Packing): void {
    this.emit({ kind: "publish", via, parts: parts.filter((part) => part.sources.length > 0), destination, packing });
  }

  emit(effect: Effect): void {
    this.shell.emit(effect);
  }

  doubt(why: string): void {
    this.shell.doubt(why);
  }

  /** A limit left part of the call unread. */
  unreadPart(why: string): void {
    this.shell.unreadPart(why);
  }

  /** Starts another command in place of this one (wrappers). */
  start(
    args: readonly Argument[],
    change: { readonly stdin?: readonly Source[]; readonly environment?: ReadonlyMap<string, Argument> } = {},
  ): void {
    const io = change.stdin === undefined ? this.io : withStdin(this.io, change.stdin);
    this.shell.wrapped(() => this.shell.start(args, io, change.environment ?? this.environment));
  }

  /** What another command would print. */
  capture(args: readonly Argument[], stdin: readonly Source[]): readonly Source[] {
    const sink = new CollectSink();
    this.shell.wrapped(() => this.shell.start(args, withOut(withStdin(this.io, stdin), sink), this.environment));
    return sink.sources;
  }

  /** What shell text would print. */
  captureScript(text: Argument): readonly Source[] {
    return this.capture([literal("sh"), literal("-c"), text], []);
  }

  /** Runs shell text: `sh -c` (own process) or `eval` (this one). A text known only at run time is a doubt. */
  script(
    argument: Argument,
    options: {
      readonly same?: boolean;
      readonly positional?: readonly Argument[];
      /** What the script knows as `$0`. */
      readonly name?: Argument;
      readonly quiet?: boolean;
      readonly remote?: boolean;
      /** What comes on its standard input; without any, what this command has there. */
      readonly stdin?: readonly Source[];
      /** Variables whose values come from these. */
      readonly variables?: ReadonlyMap<string, readonly Source[]>;
    } = {},
  ): void {
    const files = broughtFiles(argument);
    if (files.length > 0) return this.scriptFlow(files, options.positional);
    const known = argument.exact || (argument.sources.length > 0 && staticText(argument.sources) !== undefined);
    if (!known) this.doubt("a script is computed at run time");
    const fed = options.stdin === undefined || options.stdin.length === 0 ? this.io : withStdin(this.io, options.stdin);
    const io = options.quiet === true ? withOut(fed, NULL_SINK, true) : fed;
    const given = [...(options.variables ?? [])].map(([name, sources]): [string, Argument] => [name, { text: "", exact: false, sources }]);
    if (options.name !== undefined) given.push(["0", options.name]);
    this.shell.runText(argument.text, io, {
      same: options.same ?? false,
      remote: options.remote ?? false,
      ...(options.positional === undefined ? {} : { positional: options.positional }),
      environment: given.length === 0 ? this.environment : new Map([...this.environment, ...given]),
      brought: argument.exact && argument.sources.length === 0 ? [] : argument.sources.filter((source) => source.from !== "text"),
    });
  }

  /** Runs shell text on another machine or in a container, and prints what comes back from there. */
  elsewhere(text: string, brought: readonly Source[] = [], environment: ReadonlyMap<string, Argument> = this.environment): void {
    const sink = new CollectSink();
    const io = withOut(this.io, sink, true);
    this.shell.runText(text, io, { same: false, remote: true, environment, brought });
    this.print([...fromElsewhere(sink.sources), { from: "unknown" }]);
  }

  /** Runs a script that arrives as a flow (standard input, a file written in this call). */
  scriptFlow(sources: readonly Source[], positional: readonly Argument[] = []): void {
    const text = staticText(sources);
    if (text !== undefined) this.script(literal(text), { positional });
    else if (!this.fileFlow("sh", sources, positional)) this.doubt("a script is computed at run time");
  }

  /** `sh < f`, `cat f | python3`: the same as `sh f`. False when it is not files alone that flow. */
  fileFlow(name: string, sources: readonly Source[], args: readonly Argument[]): boolean {
    if (sources.length === 0 || sources.some((source) => source.from !== "file")) return false;
    const { cwd } = this.shell.state;
    for (const source of sources) {
      if (source.from !== "file" || source.file.path === undefined || !source.plain || cwd === undefined) continue;
      this.emit({ kind: "run", name, args: [literal(source.file.path), ...args], cwd });
    }
    return true;
  }

  /** Every argument as data, in one part. */
  argumentData(args: readonly Argument[]): Part {
    return { sources: unique(args.flatMap(argumentSources)), position: "data" };
  }
}
