/**
 * The abstract shell: walks a parsed script once, carrying folder, variables, functions and the files the
 * call itself writes, and tells every effect. It runs nothing and reads nothing.
 *
 * Trust: the script is hostile. Work is counted by one budget; whatever is not followed becomes `uncertain`.
 * Branches that may or may not run are both taken: an effect here means "would, or could".
 */
import type { Argument, Effect, PathRef, Source } from "../effect.ts";
import { type World, baseName, hiddenPath, resolvePath } from "../path.ts";
import { CHOSEN } from "../../limits.ts";
import { CUT, TOP_LEVEL_TEXT, fromElsewhere, literal, staticText, textSource, unique } from "../source.ts";
import { hostDestination } from "../url.ts";
import { Invocation } from "./invocation.ts";
import {
  type ArrayValue,
  type Assignment,
  type Command,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type Word,
  nestedScripts,
  parseShell,
} from "./parse.ts";
import { type Mounts, UNMOUNTED } from "./mounts.ts";
import { CollectSink, FileSink, type Io, NULL_SINK, SendSink, ShowSink, type Sink, withOut, withStdin } from "./sink.ts";
import { State, type Variable, fileSource } from "./state.ts";
import type { Core, PendingProcess } from "./core.ts";
import { readRounds } from "./lines.ts";
import { matched } from "./matched.ts";
import { globMatches } from "./pattern.ts";
import { redirect, specialContent } from "./redirect.ts";
import { Words, type WordHost } from "./words.ts";

/** Runs parsed commands on a state, without starting anything, and gathers their effects in the core. */
export class Shell implements WordHost {
  readonly words: Words;

  constructor(
    readonly core: Core,
    readonly state: State,
    readonly restore: (text: string) => string,
    /** The commands run on another machine or in a container: local files are out of reach. */
    readonly remote: boolean,
    /** The files of this machine that such a container sees all the same. */
    readonly mounts: Mounts = UNMOUNTED,
  ) {
    this.words = new Words(this);
  }

  get world(): World {
    return this.core.world;
  }

  emit(effect: Effect): void {
    if (this.remote && !this.#reaches(effect)) return;
    if (isCut(effect)) this.unreadPart("a flow has too many sources");
    this.core.effects.push(effect);
  }

  /** Whether something done elsewhere happens to this machine as well, or leaves it. */
  #reaches(effect: Effect): boolean {
    switch (effect.kind) {
      case "send":
      case "publish":
      case "uncertain":
        return true;
      case "show":
        return !this.mounts.none;
      case "run":
        return this.mounts.host;
      case "write":
      case "change":
        return this.#writable(effect.file);
      case "copy":
        return this.#writable(effect.to);
      case "unpack":
        return this.#writable(effect.folder);
      default:
        return false;
    }
  }

  #writable(file: PathRef): boolean {
    return file.path !== undefined && this.mounts.writable(file.path);
  }

  /** Only a value is computed at run time; everything was read. */
  doubt(why: string): void {
    this.#uncertain(why, false);
  }

  /** A limit or a parse failure left part of the call unread. */
  unreadPart(why: string): void {
    this.#uncertain(why, true);
  }

  #uncertain(why: string, partial: boolean): void {
    if (this.core.doubts.has(why)) return;
    this.core.doubts.add(why);
    this.core.effects.push({ kind: "uncertain", why, partial });
  }

  /** Runs work one nesting level deeper, or tells that it was too deep. */
  nested(work: () => void): void {
    if (!this.core.budget.deeper(work)) this.unreadPart("commands are nested too deeply");
  }

  /** Starts a command that another command names, or tells that too many stand around it. */
  wrapped(work: () => void): void {
    if (!this.core.budget.command()) this.unreadPart("the call starts too many commands");
    else if (!this.core.budget.wrapped(work)) this.unreadPart("commands are nested too deeply");
  }

  /** Does `work`, which starts a command, for each item; tells when some are left out. */
  each<T>(items: readonly T[], work: (item: T) => void): void {
    for (const item of items) {
      if (this.core.budget.spent) return this.unreadPart("the call starts too many commands");
      work(item);
    }
  }

  // ---- scripts -------------------------------------------------------------------------------

  /** Parses and runs text. `same`: in this very shell (`eval`, `.`), otherwise in a child. */
  runText(
    text: string,
    io: Io,
    options: {
      readonly same: boolean;
      readonly remote: boolean;
      readonly positional?: readonly Argument[];
      readonly environment: ReadonlyMap<string, Argument>;
      /** What substitutions brought into the text. */
      readonly brought?: readonly Source[];
    },
  ): void {
    this.nested(() => {
      const parsed = parseShell(text, this.core.budget);
      const remote = this.remote || options.remote;
      const state = options.remote && !this.remote ? freshState(undefined) : options.same ? this.state : this.state.fork();
      if (!options.same)
        for (const [name, value] of options.environment) state.variables.set(name, { values: [value], exported: true, array: false });
      if (options.brought !== undefined && options.brought.length > 0) state.brought = unique([...state.brought, ...options.brought]);
      const before = state.positional;
      if (options.positional !== undefined) state.positional = options.positional;
      const shell = new Shell(this.core, state, parsed.restore, remote, options.remote ? UNMOUNTED : this.mounts);
      if (parsed.doubt !== undefined) this.unreadPart(parsed.doubt);
      if (parsed.unread !== "") shell.unread(parsed.unread);
      for (const script of parsed.scripts) shell.script(script, io);
      if (options.same) state.positional = before;
    });
  }

  /** Text that could not be read stays findable: it would be handed to a shell. */
  unread(text: string): void {
    this.emit({ kind: "run", name: "sh", args: [{ text, exact: true, sources: textSource(text) }] });
  }

  /** Runs one parsed script in this shell. */
  script(script: ParsedScript, io: Io): void {
    if (script.errors !== undefined && script.errors.length > 0) this.unreadPart("the command has a syntax error");
    // A script decoded from escaped backticks has its own text, which the marks survive.
    for (const statement of script.commands) this.#statement(statement, io);
  }

  #statement(statement: SyntaxNode, io: Io): void {
    this.#inChain(undefined, () => {
      if (statement.type !== "Statement") this.#node(statement, io);
      else if (statement.background === true) this.#fork().#node(statement.command, io);
      else this.#node(statement.command, io);
    });
  }

  /** Works in a chain of `&&`; in one of its own when none is given. */
  #inChain(chain: number | undefined, work: () => void): void {
    const before = this.core.chain;
    this.core.chain = chain ?? ++this.core.chains;
    work();
    this.core.chain = before;
  }

  #fork(): Shell {
    return new Shell(this.core, this.state.fork(), this.restore, this.remote, this.mounts);
  }

  /** Starts a command in a container that sees these places of this machine. `folder`: where it starts, in there. */
  contained(
    words: readonly Argument[],
    mounts: Mounts,
    folder: string | undefined,
    io: Io,
    environment: ReadonlyMap<string, Argument> = NO_VARIABLES,
  ): void {
    const cwd = folder === undefined ? undefined : mounts.resolve(folder, undefined);
    const sink = new CollectSink();
    const state = freshState(cwd);
    // Most images run as root, whose home is none of ours.
    state.variables.set("HOME", { values: [literal("/root")], exported: false, array: false });
    new Shell(this.core, state, this.restore, true, mounts).start(words, withOut(io, sink, true), environment);
    io.out.get(1)?.put(fromElsewhere(sink.sources));
  }

  /** Runs text as a login of its own on this very machine (`ssh localhost`): nothing of this shell's state is there. */
  login(text: string, user: string | undefined, io: Io): void {
    const { home, environment } = this.world;
    // Where another user's home lies is not known.
    const own = user === undefined || user === environment["USER"] || home.endsWith(`/${user}`);
    const core = own ? this.core : { ...this.core, world: { ...this.world, home: "" } };
    const folder = own && home !== "" ? home : undefined;
    const shell = new Shell(core, freshState(folder), this.restore, this.remote, this.mounts);
    shell.runText(text, io, { same: true, remote: false, environment: NO_VARIABLES });
  }

  // ---- nodes ---------------------------------------------------------------------------------

  #node(node: SyntaxNode, io: Io): void {
    switch (node.type) {
      case "Command":
        return this.#command(node, io);
      case "Pipeline":
        return this.#pipeline(node.commands, node.operators, io);
      case "AndOr":
        node.commands.forEach((command, index) => {
          if (index > 0 && node.operators[index - 1] === "||") this.#inChain(undefined, () => this.#alternative(command, io));
          // Behind `||` it is open what ran before.
          else if (node.operators.slice(0, index).includes("||")) this.#inChain(undefined, () => this.#node(command, io));
          else this.#inChain(this.core.chain, () => this.#node(command, io));
        });
        return;
      default:
        return this.#compound(node, io);
    }
  }

  /** The kinds of nodes that most calls have none of: a function that is never entered costs a start nothing. */
  #compound(node: SyntaxNode, io: Io): void {
    switch (node.type) {
      case "CompoundList":
        for (const statement of node.commands) this.#statement(statement, io);
        return;
      case "BraceGroup":
        return this.#node(node.body, io);
      case "Subshell":
        return this.#fork().#node(node.body, io);
      case "Redirected":
        return this.#redirected(node.redirects, io, (inner) => this.#node(node.command, inner));
      case "If":
        this.#node(node.clause, io);
        this.#branches([
          (shell) => shell.#node(node.then, io),
          (shell) => {
            for (const elif of node.elif) {
              shell.#node(elif.clause, io);
              shell.#branches([(inner) => inner.#node(elif.then, io), () => {}]);
            }
            if (node.else !== undefined) shell.#node(node.else, io);
          },
        ]);
        return;
      case "For":
        return this.#for(node.name, node.wordlist, node.body, io);
      case "Select":
        // Its menu is printed.
        for (const word of node.wordlist ?? [])
          this.complain(
            this.words.fields(word).flatMap(({ sources }) => [...sources]),
            io,
          );
        return this.#for(node.name, node.wordlist, node.body, io);
      case "While":
        return this.#while(node.clause, node.body, io);
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.#substitutions(part);
        this.#node(node.body, io);
        return;
      case "Case":
        return this.#case(node, io);
      case "Function": {
        const name = node.name.value;
        this.state.functions.set(name, { body: node.body, restore: this.restore });
        return;
      }
      case "Coproc":
        return this.#coprocess(node.name?.value ?? "COPROC", node.body, io);
      case "TestCommand":
        return this.#test(node.expression, io);
      case "ArithmeticCommand":
        if (node.expression !== undefined) this.#substitutions(node.expression);
        return;
      case "Statement":
        return this.#statement(node, io);
      default:
        return;
    }
  }

  /** `coproc nc host 9; … >&"${COPROC[1]}"`: it runs beside the rest, which reads what it prints and writes what it reads. */
  #coprocess(name: string, body: SyntaxNode, io: Io): void {
    const [printed, fed] = [new CollectSink(), new CollectSink()];
    this.#fork().#node(body, withStdin(withOut(io, printed), []));
    const [from, to] = [this.core.descriptor++, this.core.descriptor++];
    io.inputs.set(from, printed.sources);
    io.out.set(to, fed);
    this.state.variables.set(name, { values: [literal(String(from)), literal(String(to))], exported: false, array: true });
    const shell = this.#fork();
    const close = (): void => {
      if (fed.sources.length > 0) shell.#node(body, withStdin(withOut(io, NULL_SINK), fed.sources));
    };
    this.core.left.push({ kind: "collect", put() {}, close });
  }

  /** Of a known word only the items that can match: the first that surely does ends the list. */
  #case(node: Extract<SyntaxNode, { type: "Case" }>, io: Io): void {
    const word = this.words.one(node.word);
    const plain = word.exact && node.items.every((item) => (item.terminator ?? ";;") === ";;");
    const branches: ((shell: Shell) => void)[] = [];
    let sure = false;
    for (const item of node.items) {
      const fits = item.pattern.map((pattern) => matching(this.words.one(pattern), word.text));
      if (plain && fits.every((fit) => fit === false)) continue;
      branches.push((shell) => shell.#node(item.body, io));
      sure = plain && fits.includes(true);
      if (sure) break;
    }
    if (!sure) branches.push(() => {});
    this.#branches(branches);
  }

  /** `a || b`: b may run, from the state a left. */
  #alternative(node: SyntaxNode, io: Io): void {
    const other = this.#fork();
    other.#node(node, io);
    if (!leaves(node)) this.state.merge(this.state.fork(), other.state);
  }

  /** Takes every branch from the same start and joins what they leave. */
  #branches(branches: readonly ((shell: Shell) => void)[]): void {
    let joined: State | undefined;
    for (const branch of branches) {
      const shell = this.#fork();
      branch(shell);
      if (joined === undefined) joined = shell.state;
      else joined.merge(joined.fork(), shell.state);
    }
    if (joined !== undefined) this.state.merge(joined, joined);
  }

  #pipeline(commands: readonly SyntaxNode[], operators: readonly string[], io: Io): void {
    if (commands.length === 1 && commands[0] !== undefined) return this.#node(commands[0], io);
    let stdin = io.stdin;
    commands.forEach((command, index) => {
      const last = index === commands.length - 1;
      const sink = new CollectSink();
      const own = last ? withStdin(io, stdin) : withOut(withStdin(io, stdin), sink, operators[index] === "|&");
      // zsh runs the last part in the shell itself; bash in a child. The folder is kept only where both agree.
      this.#inChain(last ? this.core.chain : undefined, () => this.#fork().#node(command, own));
      stdin = sink.sources;
    });
  }

  /** `… | while read f; do …`: a round for each line that is known; otherwise one with whatever it may be. */
  #while(clause: SyntaxNode, body: SyntaxNode, io: Io): void {
    for (const line of readRounds(clause, io.stdin)) {
      if (this.core.budget.spent || !this.core.budget.round()) return this.unreadPart("the call starts too many commands");
      this.#node(clause, withStdin(io, line));
      this.#node(body, io);
    }
  }

  #for(name: Word, list: readonly Word[] | undefined, body: SyntaxNode, io: Io): void {
    const values = list === undefined ? [...this.state.positional] : list.flatMap((word) => this.words.fields(word));
    // A loop without a visible round may still run once with something unknown.
    const hidden: Argument = { text: `$${name.value}`, exact: false, sources: [] };
    let rounds = values.length === 0 ? [hidden] : values;
    // What a loop that only counts does is told by its first rounds.
    if (rounds.length > CHOSEN.counted_rounds && rounds.every((value) => /^\d{1,9}$/.test(value.text)))
      rounds = [...rounds.slice(0, CHOSEN.counted_rounds), hidden];
    for (const value of rounds) {
      if (this.core.budget.spent || !this.core.budget.round()) return this.unreadPart("the call starts too many commands");
      this.state.variables.set(name.value, { values: [value], exported: false, array: false });
      this.#node(body, io);
    }
  }

  /** `[[ … ]]`: only its substitutions run; an arithmetic operand may hide one inside a string. */
  #test(expression: SyntaxNode, io: Io): void {
    if (expression.type === "TestUnary") {
      this.#operand(expression.operand, expression.operator === "-v", io);
    } else if (expression.type === "TestBinary") {
      const arithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator);
      const left = this.#operand(expression.left, arithmetic, io);
      const right = this.#operand(expression.right, arithmetic, io);
      if (expression.operator === "=~") this.#found(matched(left, right));
    } else if (expression.type === "TestLogical") for (const operand of expression.operands) this.#test(operand, io);
    else if (expression.type === "TestNot") this.#test(expression.operand, io);
    else if (expression.type === "TestGroup") this.#test(expression.expression, io);
  }

  /** The names that the shells have for what a test finds; a script's own variables of these names stay. */
  #found(found: Variable): void {
    this.state.variables.set("BASH_REMATCH", found);
    if (found.values[0]?.sources.length === 0) return;
    for (const name of ["MATCH", "match"]) if (!this.state.variables.has(name)) this.state.variables.set(name, found);
  }

  #operand(word: Word, arithmetic: boolean, io?: Io): Argument {
    const value = this.words.one(word);
    if (arithmetic) {
      this.arithmetic(value);
      // What is no number is quoted in the message about it.
      this.complain(value.sources, io);
    }
    return value;
  }

  /** Text the shell evaluates as arithmetic: `a[$(x)]` runs x. */
  arithmetic(value: Argument): void {
    if (!value.exact || !/\$\(|`/.test(value.text)) return;
    this.runText(`: "${value.text.replaceAll('"', "")}"`, this.#quiet(), { same: true, remote: false, environment: new Map() });
  }

  #quiet(): Io {
    return {
      stdin: [],
      out: new Map([
        [1, NULL_SINK],
        [2, NULL_SINK],
      ]),
      inputs: new Map(),
    };
  }

  /** An arithmetic expression: what is no number is quoted in the message about it. */
  #substitutions(node: SyntaxNode): void {
    nestedScripts(node, (script) => this.complain(this.capture(script)));
  }

  // ---- words' needs --------------------------------------------------------------------------

  capture(script: ParsedScript): readonly Source[] {
    const sink = new CollectSink();
    this.nested(() => {
      const io: Io = {
        stdin: [],
        out: new Map<number, Sink>([
          [1, sink],
          [2, this.#show()],
        ]),
        inputs: new Map(),
      };
      this.#fork().script(script, io);
    });
    return sink.sources;
  }

  openProcess(script: ParsedScript, operator: "<" | ">"): string {
    const path = `/dev/fd/${this.core.descriptor++}`;
    if (operator === "<") this.core.overlay.write(path, this.capture(script), false);
    else {
      const sink = new CollectSink();
      this.core.pipes.set(path, sink);
      this.core.pending.push({ path, script, shell: this.#fork(), sink });
    }
    return path;
  }

  parseWords(text: string): readonly Word[] {
    const parsed = parseShell(`: ${text}`, this.core.budget);
    if (parsed.doubt !== undefined) this.unreadPart(parsed.doubt);
    const command = parsed.scripts[0]?.commands[0]?.command;
    if (command?.type !== "Command") return [];
    return command.suffix.filter((part): part is Word => part.type === "Word");
  }

  /** The parser leaves a process substitution glued to digits as text: its inside is read apart. */
  glued(text: string): void {
    this.doubt("a process substitution is glued to a word");
    const at = text.search(/[<>]\(/);
    if (at < 0) return;
    this.runText(`: ${text.slice(at)}`, this.#quiet(), { same: false, remote: false, environment: new Map() });
  }

  /** A message of the shell itself that quotes what an expansion brought in. */
  complain(sources: readonly Source[], io?: Io): void {
    const told = sources.filter((source) => source.from !== "environment");
    if (told.length > 0) (io?.out.get(2) ?? this.#show()).put(told);
  }

  #show(): Sink {
    return new ShowSink((effect) => this.emit(effect));
  }

  /** Runs the insides of `>(…)` opened since `mark`, fed with what was written to them. */
  #drain(mark: number, io: Io): void {
    for (const process of this.core.pending.splice(mark)) this.#feed(process, io);
  }

  #feed(process: PendingProcess, io: Io): void {
    this.core.pipes.delete(process.path);
    this.nested(() => process.shell.script(process.script, withStdin(io, process.sink.sources)));
  }

  // ---- files ---------------------------------------------------------------------------------

  /** The file an argument names, from the current folder. */
  file(argument: Argument): PathRef {
    const piped = argument.text === "/dev/stdin" || argument.text === "/dev/fd/0";
    if (!argument.exact || (this.remote && this.mounts.none && !piped)) return hiddenPath(argument.text);
    if (this.remote) return { written: argument.text, path: this.mounts.resolve(argument.text, this.state.cwd) };
    return resolvePath(argument.text, this.state.cwd, this.world);
  }

  /** The content of the file an argument names. */
  read(argument: Argument, io: Io): readonly Source[] {
    const file = this.file(argument);
    if (file.path === undefined) {
      if (!this.remote) return [fileSource(file, true), ...(argument.listed ?? []), ...this.#globbed(argument)];
      // What this call itself put there.
      const put = this.core.overlay.written(elsewherePath(argument.text)) ?? [];
      return argument.exact ? [...put, { from: "elsewhere", file: argument.text, plain: true }] : [{ from: "unknown" }];
    }
    return this.special(file.path, io) ?? this.core.overlay.read(file.path) ?? [fileSource(file, true)];
  }

  /** What this call itself put where a pattern fits: a question at most (L-109). */
  #globbed({ text }: Argument): readonly Source[] {
    const star = text.search(/[*?[]/);
    if (star < 0 || !this.core.overlay.touched) return [];
    const { path } = resolvePath(text.slice(0, text.lastIndexOf("/", star) + 1) || ".", this.state.cwd, this.world);
    const slash = text.lastIndexOf("/", star);
    if (path === undefined || text.indexOf("/", star) >= 0) return [];
    const pattern = text.slice(slash + 1);
    const found = this.core.overlay.inside(path).filter((one) => globMatches(pattern, baseName(one)) === true);
    return found.flatMap((one) =>
      (this.core.overlay.read(one) ?? []).flatMap((source): readonly Source[] =>
        source.from === "file" ? [{ ...source, plain: false, maybe: true }] : [],
      ),
    );
  }

  /** The script a file would run as: what this call wrote into it, otherwise its content. */
  readScript(argument: Argument, io: Io): readonly Source[] {
    const { path } = this.file(argument);
    return (path === undefined ? undefined : this.core.overlay.written(path)) ?? this.read(argument, io);
  }

  /** Content of the paths that are no files of their own; undefined for an ordinary one. */
  special(path: string, io: Io): readonly Source[] | undefined {
    return specialContent(path, io, this.core.overlay);
  }

  /** The sink behind an output path. Whoever opens it closes it. */
  openOutput(target: Argument, append: boolean, io: Io): Sink {
    const file = this.file(target);
    const path = file.path ?? (target.text.startsWith("/dev/") ? target.text : undefined);
    if (path !== undefined && (path.startsWith("/dev/") || path.startsWith("/proc/"))) {
      const pipe = this.core.pipes.get(path);
      if (pipe !== undefined) return pipe;
      if (path === "/dev/null") return NULL_SINK;
      if (path === "/dev/tty") return this.#show();
      const descriptor =
        /^\/(?:dev|proc\/(?:self|\d{1,10}))\/fd\/(\d{1,6})$/.exec(path)?.[1] ??
        (path === "/dev/stdout" ? "1" : path === "/dev/stderr" ? "2" : undefined);
      if (descriptor !== undefined) return io.out.get(Number(descriptor)) ?? NULL_SINK;
      const socket = /^\/dev\/(tcp|udp)\/([^/]{1,300})\/([^/]{1,300})$/.exec(path);
      if (socket !== null) return new SendSink(`/dev/${socket[1]}`, hostDestination("socket", socket[2]), (effect) => this.emit(effect));
    }
    return new FileSink(file, append, (ref, sources, adds) => this.writeFile(ref, sources, adds));
  }

  /** Records and tells a write. */
  writeFile(file: PathRef, sources: readonly Source[], append: boolean): void {
    this.emit({ kind: "write", file, sources, append });
    if (file.path === undefined && this.remote) this.core.overlay.write(elsewherePath(file.written), sources, append);
    if (file.path !== undefined && (!this.remote || this.#writable(file))) this.core.overlay.write(file.path, sources, append);
  }

  // ---- redirections --------------------------------------------------------------------------

  #redirected(redirects: readonly Redirection[], io: Io, work: (io: Io) => void): void {
    if (redirects.length === 0) return work(io);
    const mark = this.core.pending.length;
    const opened: Sink[] = [];
    work(redirect(this, redirects, io, opened));
    for (const sink of opened) sink.close();
    this.#drain(mark, io);
  }

  // ---- simple commands -----------------------------------------------------------------------

  #command(node: Command, io: Io): void {
    if (!this.core.budget.command()) return this.unreadPart("the call starts too many commands");
    const mark = this.core.pending.length;
    const words = this.#argv(node);
    const environment = new Map<string, Argument>();
    const bare = words.length === 0;
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue;
      if (bare) {
        this.assign(part, false);
        if (this.state.traced)
          this.complain(
            (this.state.variables.get(part.name)?.values ?? []).flatMap(({ sources }) => [...sources]),
            io,
          );
      } else environment.set(part.name, this.#scalar(part));
    }
    const opened: Sink[] = [];
    const inner = node.redirects.length === 0 ? io : redirect(this, node.redirects, io, opened);
    if (bare) {
      // `$(<f)` prints the file; so does zsh for a bare `<f`.
      if (node.redirects.some((redirect) => redirect.type === "Redirect" && redirect.operator === "<")) inner.out.get(1)?.put(inner.stdin);
    } else if (words[0]?.text === "exec" && words.length === 1) {
      // `exec > >(tee log)`: what stands in it is fed for the rest of this shell, and prints where the shell did.
      const before: Io = { stdin: io.stdin, out: new Map(io.out), inputs: new Map(io.inputs) };
      for (const process of this.core.pending.splice(mark))
        this.core.left.push({ kind: "collect", put() {}, close: () => this.#feed(process, before) });
      this.#keepOpen(inner, io, opened);
    } else this.start(words, inner, environment);
    if (this.state.traced)
      this.complain(
        [...words, ...environment.values()].flatMap(({ sources }) => [...sources]),
        inner,
      );
    for (const sink of opened) sink.close();
    this.#drain(mark, io);
  }

  /** `exec >f`, `exec 3<>/dev/tcp/…`: the redirections stay for the rest of this shell. */
  #keepOpen(inner: Io, io: Io, opened: Sink[]): void {
    this.core.left.push(...opened.splice(0));
    io.stdin = inner.stdin;
    for (const [descriptor, sink] of inner.out) io.out.set(descriptor, sink);
    for (const [descriptor, sources] of inner.inputs) io.inputs.set(descriptor, sources);
  }

  /** Name and arguments, with process substitutions put back to the word they are glued to. */
  #argv(node: Command): Argument[] {
    const args: Argument[] = [];
    const parts: (Word | Assignment | Redirection)[] = [...node.prefix];
    if (node.name !== undefined) parts.push(node.name);
    parts.push(...node.suffix);
    let previous: Word | Assignment | Redirection | undefined;
    let named = false;
    for (const part of parts) {
      const glued = previous !== undefined && previous.end === part.pos && (isProcess(part) || isProcess(previous));
      previous = part;
      if (part.type === "Assignment") {
        if (!named) continue;
        if (part.value.type === "ArrayValue" && /^(?:declare|typeset|local|readonly|export)$/.test(args[0]?.text ?? "")) {
          this.assign(part, false);
          args.push(literal(part.name));
          continue;
        }
        args.push(this.declaration(part));
        continue;
      }
      if (part.type !== "Word") continue;
      const fields = this.words.fields(part);
      if (glued) {
        const last = args.pop();
        if (last === undefined) {
          // `</x<(:) rm y`: the command's name follows.
          this.doubt("a process substitution is glued to a word");
          continue;
        }
        const [first, ...rest] = fields;
        args.push(
          {
            text: last.text + (first?.text ?? ""),
            exact: last.exact && (first?.exact ?? true),
            sources: unique([...last.sources, ...(first?.sources ?? [])]),
          },
          ...rest,
        );
        continue;
      }
      named = true;
      args.push(...fields);
    }
    return args;
  }

  /** `NAME=value` as one argument (`export NAME=value`). Arrays keep their elements' sources. */
  declaration(part: Assignment): Argument {
    const value = this.#scalar(part);
    return { text: `${part.name}${part.append === true ? "+" : ""}=${value.text}`, exact: value.exact, sources: value.sources };
  }

  #scalar(part: Assignment): Argument {
    if (part.value.type === "Word") return this.words.one(part.value);
    const values = this.#elements(part.value);
    return {
      text: values.map((value) => value.text).join(" "),
      exact: values.every((value) => value.exact),
      sources: unique(values.flatMap((value) => [...value.sources])),
    };
  }

  #elements(value: ArrayValue): Argument[] {
    return value.elements.flatMap((element) => this.words.fields(element));
  }

  /** `([k]=v …)`: names and values; undefined for a plain list. */
  #named(values: readonly Argument[]): { keys: string[]; values: Argument[] } | undefined {
    if (values.length === 0 || !values.every(({ text }) => /^\[[^\]]{1,256}\]=/.test(text))) return undefined;
    const cut = values.map(({ text }) => text.indexOf("]=") + 2);
    return {
      keys: values.map(({ text }, index) => text.slice(1, (cut[index] ?? 0) - 2).replace(/^(["'])(.*)\1$/, "$2")),
      values: values.map((value, index) => ({ ...value, text: value.text.slice(cut[index]) })),
    };
  }

  /** Carries out an assignment in this shell. */
  assign(part: Assignment, exported: boolean): void {
    const name = this.state.named(part.name);
    const key = part.index === undefined ? undefined : this.#operand(part.index, true);
    const array = part.value.type === "ArrayValue";
    const values = part.value.type === "Word" ? [this.words.one(part.value)] : this.#elements(part.value);
    const before = this.state.variables.get(name);
    const entries = array ? this.#named(values) : undefined;
    if (entries !== undefined) {
      const joins = part.append === true && before?.keys !== undefined;
      this.state.variables.set(name, {
        values: [...(joins ? before.values : []), ...entries.values],
        keys: [...(joins ? (before.keys ?? []) : []), ...entries.keys],
        exported,
        array,
      });
      return;
    }
    const next: Variable = { values, exported: exported || (before?.exported ?? false), array };
    if (part.index !== undefined && key !== undefined) {
      const at = Number(key.text);
      const list = [...(before?.values ?? [])];
      if (key.exact && values[0] !== undefined && !Number.isInteger(at)) {
        const keys = [...(before?.keys ?? list.map((_, index) => String(index)))];
        const known = keys.indexOf(key.text);
        if (known >= 0) list[known] = values[0];
        else {
          keys.push(key.text);
          list.push(values[0]);
        }
        this.state.variables.set(name, { ...next, values: list, keys, array: true });
        return;
      }
      if (Number.isInteger(at) && at >= 0 && at < 256) {
        while (list.length < at) list.push(literal(""));
        list[at] = values[0] ?? literal("");
      } else list.push(...values.map((value) => ({ ...value, exact: false })));
      this.state.variables.set(name, { ...next, values: list, array: true });
    } else if (part.append === true && before !== undefined) {
      const [head, ...tail] = before.values;
      const joined = array
        ? [...before.values, ...values]
        : [
            {
              text: (head?.text ?? "") + (values[0]?.text ?? ""),
              exact: (head?.exact ?? true) && (values[0]?.exact ?? true),
              sources: unique([...(head?.sources ?? []), ...(values[0]?.sources ?? [])]),
            },
            ...tail,
          ];
      this.state.variables.set(name, { ...next, values: joined, array: array || before.array });
    } else this.state.variables.set(name, next);
  }

  /** Sets a variable by name (`read`, `export NAME=value`). */
  set(written: string, value: Argument, exported = false): void {
    const name = this.state.named(written);
    const before = this.state.variables.get(name);
    this.state.variables.set(name, { values: [value], exported: exported || (before?.exported ?? false), array: false });
  }

  /** Starts a command by its resolved words. */
  start(words: readonly Argument[], io: Io, environment: ReadonlyMap<string, Argument>): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    if (first.text === "" && first.sources.length === 0) return this.doubt("the command's name is empty");
    if (!first.exact && /[$`*?[{(]/.test(first.text)) this.doubt("the command's name is computed at run time");
    const alias = this.state.aliases.get(first.text);
    if (alias !== undefined) {
      this.state.aliases.delete(first.text);
      const expanded = this.parseWords(alias).flatMap((word) => this.words.fields(word));
      this.nested(() => this.start([...expanded, ...args], io, environment));
      this.state.aliases.set(first.text, alias);
      return;
    }
    const own = this.state.functions.get(first.text);
    if (own !== undefined) return this.#call(own.body, own.restore, args, io, environment);
    const name = programName(first.text);
    this.#started(first, name, args, environment, io.stdin);
    const invocation = new Invocation(this, name, args, io, environment);
    const handler = this.core.handlerOf(name);
    for (const argument of args) {
      if (argument.sources.length === 0) continue;
      this.core.echo(invocation, handler !== undefined);
      break;
    }
    if (environment.size > 0) this.core.hooks(invocation);
    // `$(cat f)`: what is no program's name is quoted in the message about it.
    if (!first.exact && handler === undefined) this.complain(first.sources, io);
    if (this.core.keeps(invocation)) return;
    if (handler !== undefined) handler(invocation);
    else this.#unknown(first, invocation);
  }

  /** Tells the start, with the variables this call sets for the program and where it runs. */
  #started(first: Argument, name: string, args: readonly Argument[], set: ReadonlyMap<string, Argument>, input: readonly Source[]): void {
    const stdin = input.some(({ from }) => from === "file" || from === "environment") ? input : undefined;
    let environment: Map<string, Argument> | undefined;
    for (const [variable, { exported, values }] of this.state.variables) {
      if (exported && values[0] !== undefined) (environment ??= new Map()).set(variable, values[0]);
    }
    for (const [variable, value] of set) (environment ??= new Map()).set(variable, value);
    const written = first.text.includes("/");
    const { cwd, top } = this.state;
    const path = !written
      ? undefined
      : first.exact
        ? (this.file(first).path ?? (top === undefined ? undefined : `${TOP_LEVEL_TEXT}/${top.sub}/${first.text}`))
        : first.text.startsWith(TOP_LEVEL_TEXT)
          ? first.text
          : undefined;
    this.emit({
      kind: "run",
      name,
      args,
      ...(environment === undefined ? {} : { environment }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(cwd === undefined ? (top === undefined ? {} : { top }) : { cwd }),
      ...(path === undefined ? {} : { path }),
    });
  }

  /** A program that is not known: what it reads may come out changed; a script this call wrote is followed. */
  #unknown(first: Argument, invocation: Invocation): void {
    if (first.exact && first.text.includes("/")) {
      const path = this.file(first).path;
      const written = path === undefined ? undefined : this.core.overlay.written(path);
      const text = written === undefined ? undefined : staticText(written);
      if (text !== undefined && /^#!.{0,200}\b(?:ba|z|da|k)?sh\b/.test(text))
        return invocation.script(literal(text), { positional: invocation.args });
    }
    this.core.contact(invocation);
    invocation.passOn();
  }

  #call(
    body: SyntaxNode,
    restore: (text: string) => string,
    args: readonly Argument[],
    io: Io,
    environment: ReadonlyMap<string, Argument>,
  ): void {
    this.nested(() => {
      const before = this.state.positional;
      this.state.positional = args;
      for (const [name, value] of environment) this.set(name, value, true);
      new Shell(this.core, this.state, restore, this.remote, this.mounts).#node(body, io);
      this.state.positional = before;
    });
  }
}

const NO_VARIABLES: ReadonlyMap<string, Argument> = new Map();

/** A shell that has just started. */
export function freshState(cwd: string | undefined): State {
  return new State(cwd, new Map(), new Map(), new Map(), [], [], undefined);
}

/** Whether some of what flows here was left out (`unique`). */
function isCut(effect: Effect): boolean {
  if (effect.kind === "send" || effect.kind === "publish") return effect.parts.some((part) => part.sources.includes(CUT));
  return (effect.kind === "show" || effect.kind === "write") && effect.sources.includes(CUT);
}

function isProcess(part: Word | Assignment | Redirection): boolean {
  return part.type === "Word" && part.parts?.[0]?.type === "ProcessSubstitution";
}

/** Whether a pattern of a `case` fits a word; undefined when that cannot be told. */
function matching(pattern: Argument, word: string): boolean | undefined {
  if (pattern.exact) return pattern.text === word;
  return /^[\w.*?/ -]{0,200}$/.test(pattern.text) ? globMatches(pattern.text, word) : undefined;
}

/** Under which name a file of another machine is kept: no path of this one begins so. */
function elsewherePath(written: string): string {
  return `elsewhere:${written}`;
}

/** Whether a command never comes back to the line after it. */
function leaves(node: SyntaxNode): boolean {
  if (node.type === "Command") return /^(?:exit|return|break|continue|exec)$/.test(node.name?.value ?? "");
  if (node.type === "BraceGroup") {
    const last = node.body.commands[node.body.commands.length - 1];
    return last !== undefined && leaves(last.command);
  }
  return false;
}

/** `/usr/bin/curl` → `curl`, `git.exe` → `git`. */
export function programName(text: string): string {
  const base = baseName(text);
  return base.includes(".") ? base.replace(/\.(?:exe|cmd|bat|com)$/i, "") : base;
}
