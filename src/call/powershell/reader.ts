/**
 * Reads PowerShell. Cmdlets are known by name and alias; programs are handed to the same
 * handlers as in a Unix shell. What is not understood is `uncertain`.
 *
 * Trust: the script is hostile; the budget of the call bounds every nested script.
 */
import type { Argument, Destination, Part, Source } from "../effect.ts";
import { type Shell, programName } from "../shell/interpret.ts";
import { CollectSink, type Io, NULL_SINK, type Sink, withOut, withStdin } from "../shell/sink.ts";
import { argumentSources, literal, staticText, textSource, transformed, unique } from "../source.ts";
import { stringLiterals } from "../text.ts";
import { headerPart, hostOf, targetOf, urlParts } from "../url.ts";
import { cmdletOf } from "./cmdlets.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { type Piece, type PowerWord, powerStatements } from "./words.ts";

const BLOCK_WORDS =
  /^(?:if|elseif|else|foreach|for|while|do|until|switch|try|catch|finally|function|filter|param|begin|process|end|trap|return|throw|in)$/i;

/** Runs PowerShell text in a shell's place: same folder, variables, files and budget. */
export class PowerShell {
  readonly #values = new WeakMap<PowerWord, Argument>();

  constructor(private readonly shell: Shell) {}

  /** Runs text one level deeper. */
  script(text: string, io: Io): void {
    this.shell.nested(() => {
      if (!this.shell.core.budget.parse(text.length)) {
        this.shell.unread(text);
        return this.shell.unreadPart("the command is too long to read");
      }
      const { statements, odd } = powerStatements(text);
      if (odd) this.shell.unreadPart("the command has a syntax error");
      for (const statement of statements) this.#pipeline(statement.commands, io);
    });
  }

  #pipeline(commands: readonly (readonly PowerWord[])[], io: Io): void {
    let stdin = io.stdin;
    commands.forEach((words, index) => {
      const last = index === commands.length - 1;
      const sink = new CollectSink();
      this.#command(words, last ? withStdin(io, stdin) : withOut(withStdin(io, stdin), sink), index === 0);
      stdin = sink.sources;
    });
  }

  #command(words: readonly PowerWord[], start: Io, head: boolean): void {
    if (!this.shell.core.budget.command()) return this.shell.unreadPart("the call starts too many commands");
    const [first] = words;
    if (first === undefined) return;
    // `$x = …`: the rest of the pipeline is the value.
    const assigned = /^\$(?:\{([^}]{1,256})\}|((?:[A-Za-z]+:)?\w{1,128}))(?:\s*\+?=)?/.exec(first.raw);
    const operator = words[1]?.raw ?? "";
    if (assigned !== null && head && (/^(?:\+=|=)$/.test(operator) || /^\$[\w:{}]+\+?=/.test(first.raw))) {
      const glued = /^\$[\w:{}]+?\+?=(.*)$/s.exec(first.raw);
      const rest =
        glued !== null && !/^(?:\+=|=)$/.test(operator) ? (powerStatements(glued[1] ?? "").statements[0]?.commands[0] ?? []) : [];
      const value = [...rest, ...words.slice(/^(?:\+=|=)$/.test(operator) ? 2 : 1)];
      return this.#assign((assigned[1] ?? assigned[2] ?? "").toLowerCase(), value, start);
    }
    const { io, sinks, rest } = this.#redirects(words, start);
    this.#run(rest, io);
    for (const sink of sinks) sink.close();
  }

  #assign(name: string, words: readonly PowerWord[], io: Io): void {
    const [first] = words;
    let value: Argument = literal("");
    if (first !== undefined) {
      if (words.length === 1 || /^[-+*/.]|^-\w+$/.test(words[1]?.raw ?? "")) value = this.#joined(words);
      else {
        const sink = new CollectSink();
        this.#run(words, withOut(io, sink));
        const text = staticText(sink.sources);
        value = { text: text ?? first.raw, exact: false, sources: sink.sources };
      }
      if (words.length === 1 && !first.quoted && first.pieces.every((piece) => piece.kind === "text") && !/^[\d'"$]/.test(first.raw)) {
        const sink = new CollectSink();
        this.#run(words, withOut(io, sink));
        value = { text: first.raw, exact: false, sources: sink.sources };
      }
    }
    const plain = name.replace(/^(?:global|script|local|private|env):/, "");
    this.shell.set(name.startsWith("env:") ? plain.toUpperCase() : `ps:${plain}`, value, name.startsWith("env:"));
  }

  /** `'a' + 'b'`, `"…" -f x`: joined text where every part is certain. */
  #joined(words: readonly PowerWord[]): Argument {
    const values = words.filter((word) => word.raw !== "+").map((word) => this.#word(word));
    const plus = words.every((word, at) => at % 2 === 0 || word.raw === "+");
    return {
      text: values.map((value) => value.text).join(""),
      exact: plus && values.every((value) => value.exact),
      sources: unique(values.flatMap((value) => [...value.sources])),
    };
  }

  #redirects(words: readonly PowerWord[], start: Io): { io: Io; sinks: Sink[]; rest: PowerWord[] } {
    const sinks: Sink[] = [];
    const rest: PowerWord[] = [];
    let io = start;
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as PowerWord;
      const match = word.quoted ? null : /^([1-6*]?)(>{1,2})(.*)$/s.exec(word.raw);
      if (match === null) {
        rest.push(word);
        continue;
      }
      if (/^&\d$/.test(match[3] ?? "")) continue;
      const inline = match[3] ?? "";
      const target = inline === "" ? words[++at] : powerStatements(inline).statements[0]?.commands[0]?.[0];
      if (target === undefined) continue;
      const name = this.#word(target);
      const sink = /^\$null$|^nul$/i.test(target.raw) ? NULL_SINK : this.shell.openOutput(name, match[2] === ">>", io);
      const out = new Map(io.out);
      if (match[1] === "" || match[1] === "1" || match[1] === "*") out.set(1, sink);
      if (match[1] === "2" || match[1] === "*") out.set(2, sink);
      io = { stdin: io.stdin, out, inputs: io.inputs };
      if (sink.kind === "file") sinks.push(sink);
    }
    return { io, sinks, rest };
  }

  // ---- words ---------------------------------------------------------------------------------

  /** A word's value; worked out once, since its substitutions have effects. */
  #word(word: PowerWord): Argument {
    const known = this.#values.get(word);
    if (known !== undefined) return known;
    const value = this.#valueOf(word);
    this.#values.set(word, value);
    return value;
  }

  #valueOf(word: PowerWord): Argument {
    let text = "";
    let exact = true;
    const sources: Source[] = [];
    word.pieces.forEach((piece, at) => {
      const value = this.#piece(piece);
      text +=
        at === 0 && piece.kind === "text" && !word.quoted && /^~(?:[\\/]|$)/.test(value.text)
          ? this.shell.world.home + value.text.slice(1)
          : value.text;
      exact &&= value.exact;
      sources.push(...value.sources);
    });
    // An unquoted wildcard is expanded by the cmdlet.
    if (!word.quoted && /[*?]/.test(text) && !text.startsWith("-")) exact = false;
    return { text, exact, sources: unique(sources) };
  }

  #piece(piece: Piece): Argument {
    switch (piece.kind) {
      case "text":
        return literal(piece.text);
      case "variable":
        return this.#variable(piece.name);
      case "script": {
        const sink = new CollectSink();
        const io: Io = {
          stdin: [],
          out: new Map<number, Sink>([
            [1, sink],
            [2, NULL_SINK],
          ]),
          inputs: new Map(),
        };
        this.script(piece.text, io);
        const text = staticText(sink.sources);
        const method = methodSources(piece.text);
        return {
          text: text?.replace(/\n$/, "") ?? `(${piece.text.slice(0, 200)})`,
          exact: false,
          sources: unique([...sink.sources, ...method.flatMap((path) => [...this.#read(literal(path))])]),
        };
      }
      case "block":
        if (piece.open === "@(" || piece.open === "{") return { text: piece.text, exact: false, sources: [] };
        return {
          text: `@{${piece.text}}`,
          exact: false,
          sources: unique(this.#pairs(piece.text).flatMap((pair) => argumentSources(pair.value))),
        };
    }
  }

  #variable(name: string): Argument {
    const lower = name.toLowerCase();
    const { world, state } = this.shell;
    const environment = lower.startsWith("env:") ? name.slice(4) : undefined;
    const own = state.variables.get(
      environment === undefined ? `ps:${lower.replace(/^(?:global|script|local|private):/, "")}` : environment.toUpperCase(),
    )?.values[0];
    if (own !== undefined) return own;
    if (environment === undefined) {
      if (lower === "home") return world.home === "" ? { text: "$HOME", exact: false, sources: [] } : literal(world.home);
      if (lower === "pwd") return state.cwd === undefined ? { text: "$PWD", exact: false, sources: [] } : literal(state.cwd);
      if (/^(?:null|true|false)$/.test(lower)) return literal("");
      return { text: `$${name}`, exact: false, sources: [] };
    }
    const upper = environment.toUpperCase();
    if (upper === "USERPROFILE" || upper === "HOME")
      return world.home === "" ? { text: `$env:${environment}`, exact: false, sources: [] } : literal(world.home);
    const known =
      /^(?:APPDATA|LOCALAPPDATA|TEMP|TMP|PROGRAMDATA|PROGRAMFILES|USERNAME|COMPUTERNAME|SYSTEMROOT|WINDIR|PATH|HOMEPATH|HOMEDRIVE)$/.test(
        upper,
      );
    const value = known ? Object.entries(world.environment).find(([key]) => key.toUpperCase() === upper)?.[1] : undefined;
    if (value !== undefined) return literal(value);
    return { text: `$env:${environment}`, exact: false, sources: [{ from: "environment", name: environment, plain: true }] };
  }

  /** Pairs of a hash table. */
  #pairs(text: string): { name: string; value: Argument }[] {
    const pairs: { name: string; value: Argument }[] = [];
    for (const statement of powerStatements(text.replaceAll("=", " = ")).statements) {
      const words = statement.commands[0] ?? [];
      const at = words.findIndex((word) => word.raw === "=");
      if (at < 1) continue;
      const name = this.#word(words[0] as PowerWord).text;
      pairs.push({ name, value: this.#joined(words.slice(at + 1)) });
    }
    return pairs;
  }

  #read(argument: Argument): readonly Source[] {
    return this.shell.read(argument, { stdin: [], out: new Map(), inputs: new Map() });
  }

  // ---- commands ------------------------------------------------------------------------------

  #run(words: readonly PowerWord[], io: Io): void {
    let rest = words;
    let called = false;
    while (rest.length > 0 && (rest[0]?.raw === "&" || rest[0]?.raw === ".")) {
      rest = rest.slice(1);
      called = true;
    }
    const [first, ...others] = rest;
    if (first === undefined) return;
    if (!called && BLOCK_WORDS.test(first.raw)) return this.#blocks(rest, io);
    const [piece] = first.pieces;
    // A value on its own prints itself; a block on its own runs.
    if (piece?.kind === "block" && piece.open === "{") {
      this.script(piece.text, io);
      return;
    }
    if (!called && (first.quoted || piece?.kind === "variable" || piece?.kind === "script" || first.raw.startsWith("[")))
      return this.#expression(rest, io);
    const name = this.#word(first);
    if (!name.exact) this.shell.doubt("the command's name is computed at run time");
    const cmdlet = cmdletOf(name.text);
    const parameters = readParameters(others, (word) => this.#word(word));
    if (cmdlet !== undefined && !(cmdlet === "web" && looksLikeCurl(others))) {
      this.shell.emit({ kind: "run", name: name.text, args: others.map((word) => this.#word(word)) });
      return this.#cmdlet(cmdlet, name.text, parameters, others, io);
    }
    // A program: commas and blocks mean nothing to it.
    const args = others.map((word) => this.#word(word));
    const mark = programName(name.text);
    const unix =
      /^(?:cat|ls|rm|cp|mv|echo|sort|curl|wget|tee|type|ps|kill|diff|history|man|mount|pwd|set|cd|clear|sleep|write|where|select|foreach)$/i.test(
        mark,
      );
    this.shell.start([unix ? name : { ...name, text: /^[A-Z]/.test(mark) ? mark : name.text }, ...args], io, new Map());
  }

  /** `if (…) { … }`, `foreach ($x in …) { … }`: conditions and bodies all run. */
  #blocks(words: readonly PowerWord[], io: Io): void {
    const loop = words[1]?.raw ?? "";
    const variable = /^foreach$/i.test(words[0]?.raw ?? "") ? /^\(\s{0,64}\$(\w{1,128})\s{1,64}in\s/i.exec(loop) : null;
    if (variable !== null) {
      const sink = new CollectSink();
      this.script(
        loop.slice(variable[0].length, loop.endsWith(")") ? -1 : undefined),
        withOut({ stdin: [], out: new Map(), inputs: new Map() }, sink),
      );
      this.shell.set(`ps:${(variable[1] ?? "").toLowerCase()}`, { text: `$${variable[1]}`, exact: false, sources: sink.sources });
    }
    words.forEach((word, at) => {
      for (const piece of word.pieces) {
        if (piece.kind === "block" && piece.open === "{") this.script(piece.text, io);
        else if (piece.kind === "script" && !(variable !== null && at === 1)) this.#piece(piece);
      }
    });
    if (/^(?:return|throw)$/i.test(words[0]?.raw ?? "") && words.length > 1) this.#run(words.slice(1), io);
  }

  /** A value: printed. .NET calls in it may read, write or send. */
  #expression(words: readonly PowerWord[], io: Io): void {
    const raw = words.map((word) => word.raw).join(" ");
    const values = words.map((word) => this.#word(word));
    const sources: Source[] = values.flatMap((value) => [...value.sources, ...(value.exact ? textSource(value.text) : [])]);
    for (const path of methodSources(raw)) sources.push(...this.#read(literal(path)));
    const client = /\.Upload(?:File|String|Data|Values)(?:Async|TaskAsync)?\(/.exec(raw);
    const strings = stringLiterals(raw.replaceAll("\\", "\\\\"), true).map((found) => found.value);
    const url = strings.find((text) => /^(?:https?|ftp):\/\//i.test(text));
    if (
      client !== null ||
      /\.(?:PostAsync|PutAsync|SendAsync|Download(?:String|File|Data)|GetStringAsync|OpenRead)\(|Net\.Sockets\.TcpClient|\.Connect\(/.test(
        raw,
      )
    ) {
      const files =
        client !== null && client[0].includes("File")
          ? strings.filter((text) => !/^(?:https?|ftp):/i.test(text)).flatMap((text) => [...this.#read(literal(atHome(text)))])
          : [];
      const data = unique([...strings.flatMap(textSource), ...files, ...transformed(sources.filter((source) => source.from !== "text"))]);
      const host = url === undefined ? hostOf(strings.find((text) => /^[\w.-]{1,255}$/.test(text)) ?? "") : undefined;
      const destination: Destination = url === undefined ? { kind: "socket", host, url: undefined } : targetOf(url).destination;
      this.shell.emit({ kind: "send", via: ".NET", parts: [{ sources: data, position: "data" }], destination });
    }
    const write =
      /::(?:WriteAll(?:Text|Bytes|Lines)|AppendAll(?:Text|Lines)|Copy|Move|Delete)\(\s{0,8}["']([^"']{1,1024})["'](?:\s{0,8},\s{0,8}["']([^"']{0,65536})["'])?/.exec(
        raw,
      );
    if (write !== null) {
      const file = this.shell.file(literal(write[1] ?? ""));
      if (write[0].includes("Copy") || write[0].includes("Move"))
        this.shell.emit({ kind: "copy", file, to: this.shell.file(literal(write[2] ?? "")) });
      if (write[0].includes("Delete") || write[0].includes("Move"))
        this.shell.emit({ kind: "change", file, how: write[0].includes("Move") ? "move" : "remove" });
      else if (!write[0].includes("Copy"))
        this.shell.writeFile(file, unique([...textSource(write[2] ?? ""), ...sources]), write[0].includes("Append"));
      return;
    }
    if (/^\$env:\w+$/i.test(words[0]?.raw ?? "") && words.length === 1) return this.#print(io, values[0]?.sources ?? []);
    const changed =
      /ToBase64String|BitConverter|::Encode|\.Substring\(|-replace|-split|\.ToCharArray|\.Replace\(|-join|\[Array\]::Reverse|GetBytes/i.test(
        raw,
      );
    this.#print(io, changed ? transformed(sources) : sources);
  }

  #print(io: Io, sources: readonly Source[]): void {
    if (sources.length > 0) io.out.get(1)?.put(unique(sources));
  }

  #cmdlet(kind: string, name: string, parameters: Parameters, words: readonly PowerWord[], io: Io): void {
    const { shell } = this;
    const paths = (...names: string[]): Argument[] => {
      const given = parameters.all("path", "literalpath", "filepath", ...names);
      return given.length > 0 ? given : parameters.positional.slice(0, 1);
    };
    const input = unique([...io.stdin, ...parameters.all("inputobject").flatMap(argumentSources)]);
    switch (kind) {
      case "read": {
        const named = [...parameters.all("path", "literalpath"), ...parameters.positional];
        const sources = named.flatMap((path) => (/^env:/i.test(path.text) ? environmentItem(path.text) : [...this.#read(path)]));
        if (
          parameters.has("totalcount") ||
          (parameters.has("encoding") && /byte/i.test(parameters.value("encoding")?.text ?? "")) ||
          parameters.has("asbytestream")
        )
          return this.#print(io, transformed(sources));
        return this.#print(io, sources);
      }
      case "search": {
        const named = parameters.all("path", "literalpath");
        const files = named.length > 0 ? named : parameters.positional.slice(parameters.has("pattern") ? 0 : 1);
        if (parameters.has("quiet")) return;
        return this.#print(io, unique([...input, ...files.flatMap((path) => [...this.#read(path)])]));
      }
      case "write": {
        const target = parameters.value("path", "literalpath", "filepath") ?? parameters.positional[0];
        const content = [
          ...parameters.all("value"),
          ...parameters.positional.slice(parameters.has("path", "literalpath", "filepath") ? 0 : 1),
        ];
        const sources = unique([...input, ...content.flatMap(argumentSources)]);
        const append = /^(?:add-content|ac)$/i.test(name) || parameters.has("append");
        if (target !== undefined) shell.writeFile(shell.file(target), sources, append);
        if (/^tee/i.test(name)) this.#print(io, input);
        return;
      }
      case "copy":
      case "move": {
        const from = parameters.value("path", "literalpath") ?? parameters.positional[0];
        const to = parameters.value("destination") ?? parameters.positional[parameters.has("path", "literalpath") ? 0 : 1] ?? literal(".");
        if (from === undefined) return;
        const file = shell.file(from);
        const target = shell.file(to);
        shell.emit({ kind: "copy", file, to: target, either: true });
        if (target.path !== undefined) shell.core.overlay.copy(file, target.path);
        if (kind === "move") shell.emit({ kind: "change", file, how: "move" });
        return;
      }
      case "remove":
        for (const path of [...parameters.all("path", "literalpath"), ...parameters.positional]) {
          if (/^env:/i.test(path.text)) continue;
          shell.emit({ kind: "change", file: shell.file(path), how: "remove" });
        }
        return;
      case "clear":
        for (const path of paths()) shell.emit({ kind: "change", file: shell.file(path), how: "truncate" });
        return;
      case "permissions":
        for (const path of paths()) shell.emit({ kind: "change", file: shell.file(path), how: "permissions" });
        return;
      case "new": {
        const path = paths()[0];
        const target = parameters.value("value", "target");
        if (path === undefined || /^dir/i.test(parameters.value("itemtype", "type")?.text ?? "")) return;
        if (/link/i.test(parameters.value("itemtype", "type")?.text ?? "") && target !== undefined) {
          const to = shell.file(path);
          shell.emit({ kind: "copy", file: shell.file(target), to });
          if (to.path !== undefined) shell.core.overlay.copy(shell.file(target), to.path);
        } else shell.writeFile(shell.file(path), target === undefined ? [] : argumentSources(target), false);
        return;
      }
      case "cd": {
        const path = paths()[0];
        shell.state.previous = shell.state.cwd;
        if (/^push/i.test(name)) shell.state.folders.push(shell.state.cwd);
        if (/^pop/i.test(name)) shell.state.cwd = shell.state.folders.pop();
        else shell.state.cwd = path === undefined ? shell.world.home || undefined : shell.file(path).path;
        return;
      }
      case "print": {
        const sources = words
          .filter((word) => !/^-(?:nonewline|foregroundcolor|backgroundcolor|separator|object|inputobject|noenumerate)$/i.test(word.raw))
          .flatMap((word) => argumentSources(this.#word(word)));
        return this.#print(io, unique([...input, ...sources]));
      }
      case "list": {
        const path = paths()[0];
        if (path !== undefined && /^env:/i.test(path.text)) return this.#print(io, environmentItem(path.text));
        return this.#print(io, [{ from: "unknown" }]);
      }
      case "pass":
        return this.#print(io, input.length > 0 ? input : parameters.positional.flatMap((value) => [...value.sources]));
      case "change":
        return this.#print(
          io,
          transformed(
            unique([
              ...input,
              ...paths()
                .filter((path) => path.exact && words.length > 0)
                .flatMap((path) => [...this.#read(path)]),
            ]),
          ),
        );
      case "each":
        shell.set("ps:_", { text: "$_", exact: false, sources: input });
        shell.set("ps:psitem", { text: "$_", exact: false, sources: input });
        for (const word of words)
          for (const piece of word.pieces) if (piece.kind === "block") this.script(piece.text, withStdin(io, input));
        return;
      case "web":
        return this.#web(name, parameters, input, io);
      case "archive": {
        const target = parameters.value("destinationpath") ?? parameters.positional[1];
        const from = parameters.value("path", "literalpath") ?? parameters.positional[0];
        if (target !== undefined && from !== undefined) shell.writeFile(shell.file(target), transformed(this.#read(from)), false);
        return;
      }
      case "lookup": {
        const host = parameters.value("name", "computername", "targetname") ?? parameters.positional[0];
        if (host !== undefined)
          shell.emit({
            kind: "send",
            via: name,
            parts: [{ sources: argumentSources(host), position: "data" }],
            destination: { kind: "dns", host: hostOf(host.text), url: undefined },
          });
        return;
      }
      case "mail": {
        const to = parameters.value("to")?.text ?? "";
        const parts: Part[] = [
          {
            sources: unique([
              ...parameters.all("subject", "body").flatMap(argumentSources),
              ...parameters.all("attachments").flatMap((file) => [...this.#read(file)]),
            ]),
            position: "data",
          },
        ];
        shell.emit({
          kind: "send",
          via: name,
          parts,
          destination: { kind: "mail", host: hostOf(to.slice(to.lastIndexOf("@") + 1)), url: undefined },
        });
        return;
      }
      case "evaluate": {
        const given = unique([
          ...input,
          ...parameters.all("command").flatMap(argumentSources),
          ...parameters.positional.flatMap(argumentSources),
        ]);
        const text = staticText(given);
        if (text !== undefined) this.script(text, io);
        else shell.doubt("a script is computed at run time");
        return;
      }
      case "start": {
        const program = parameters.value("filepath") ?? parameters.positional[0];
        const list = parameters.all("argumentlist", "args");
        const args = (list.length > 0 ? list : parameters.positional.slice(1)).flatMap((value) =>
          value.text.split(/\s+/).map((text): Argument => ({ ...value, text })),
        );
        if (program !== undefined && /^https?:/i.test(program.text)) {
          const target = targetOf(program.text);
          shell.emit({ kind: "send", via: name, parts: urlParts(program, target), destination: target.destination });
        } else if (program !== undefined) shell.nested(() => shell.start([program, ...args], io, new Map()));
        return;
      }
      case "block":
        for (const word of words) for (const piece of word.pieces) if (piece.kind === "block") this.script(piece.text, io);
        return;
      default:
        return;
    }
  }

  /** Invoke-WebRequest and Invoke-RestMethod. */
  #web(name: string, parameters: Parameters, input: readonly Source[], io: Io): void {
    const url = parameters.value("uri") ?? parameters.positional[0];
    const parts: Part[] = [];
    for (const value of parameters.all("body", "form", "useragent")) parts.push({ sources: argumentSources(value), position: "data" });
    for (const file of parameters.all("infile", "source")) parts.push({ sources: this.#read(file), position: "data" });
    for (const value of parameters.all("token", "credential", "authentication"))
      parts.push({ sources: argumentSources(value), position: "credential" });
    for (const value of parameters.all("headers")) {
      const table = /^@\{([\s\S]*)\}$/.exec(value.text);
      if (table === null) parts.push({ sources: argumentSources(value), position: "data" });
      else
        for (const pair of this.#pairs(table[1] ?? ""))
          parts.push(headerPart({ text: `${pair.name}: ${pair.value.text}`, exact: pair.value.exact, sources: pair.value.sources }));
    }
    for (const value of parameters.all("form", "body")) {
      const table = /^@\{([\s\S]*)\}$/.exec(value.text);
      // `Get-Item f` in a form uploads the file.
      if (table !== null)
        for (const match of (table[1] ?? "").matchAll(/\b(?:Get-Item|gi)\s(["']?[^"'\s);}]{1,1024})/gi))
          parts.push({ sources: this.#read(literal((match[1] ?? "").replace(/^["']/, ""))), position: "data" });
    }
    if (input.length > 0) parts.push({ sources: input, position: "data" });
    if (url === undefined) {
      if (parts.length > 0)
        this.shell.emit({ kind: "send", via: name, parts, destination: { kind: "web", host: undefined, url: undefined } });
      return;
    }
    const target = targetOf(url.text);
    this.shell.emit({
      kind: "send",
      via: name,
      parts: [...urlParts(url, target), ...parts.filter((part) => part.sources.length > 0)],
      destination: target.destination,
    });
    const output = parameters.value("outfile");
    if (output !== undefined) this.shell.writeFile(this.shell.file(output), [{ from: "unknown" }], false);
    else this.#print(io, [{ from: "unknown" }]);
  }
}

/** `env:` as a drive: one variable or all. */
function environmentItem(path: string): Source[] {
  const name = path.replace(/^env:[\\/]?/i, "");
  return [{ from: "environment", name: name === "" || /[*?]/.test(name) ? undefined : name, plain: true }];
}

/** Files that .NET calls in a text read. */
function methodSources(text: string): string[] {
  return [...text.matchAll(/::(?:ReadAll(?:Text|Bytes|Lines)|OpenRead|OpenText|Open|ReadLines)\(\s{0,8}["']([^"']{1,1024})["']/g)].map(
    (match) => atHome(match[1] ?? ""),
  );
}

/** A path in a text of .NET's, where PowerShell has put the home folder in. */
function atHome(path: string): string {
  return path.replace(/^\$(?:\{?HOME\}?|\{?env:(?:HOME|USERPROFILE)\}?)(?=[\\/])/i, "~");
}

/** `curl`, `wget` with a program's own options rather than a cmdlet's parameters. */
function looksLikeCurl(words: readonly PowerWord[]): boolean {
  return (
    words.some((word) => /^--[a-z]|^-[sSLfTdFXHukoO]{1,6}$/.test(word.raw)) &&
    !words.some((word) => /^-(?:uri|method|body|infile|outfile|headers|usebasicparsing)$/i.test(word.raw))
  );
}
