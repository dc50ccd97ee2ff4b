/**
 * A linear reading of inline program code (`python -c`, `node -e`, a here-document fed to ruby): which files
 * it names and reads, whether it prints, and which addresses it contacts. No language is parsed; only string
 * literals and the calls around them are looked at, so the answer is "would, as far as it can be read".
 *
 * Trust: the code is hostile and may hide anything; what reads a file without visible use is a doubt, not silence.
 */
import { CHOSEN } from "../../limits.ts";
import type { Argument, Destination, Excerpt, Source } from "../effect.ts";
import type { CodeFlows } from "./flows.ts";
import { excerpted, textSource, unique } from "../source.ts";
import { asksOf } from "./asks.ts";
import { assignedName, changesByName, homeNames } from "./names.ts";
import { contacts, prints, readsArguments, readsFiles, readsInput, unquotedTexts } from "./reads.ts";
import type { Gap } from "./words.ts";
import { type Literal, stringLiterals } from "../text.ts";
import { hostOf, isCredentialHeader, targetOf } from "../url.ts";

/** What the code can reach through the command around it. */
export interface CodeReading {
  /** Content of the file at a path as the code writes it. */
  readonly file: (path: string) => readonly Source[];
  /** Arguments after the code. */
  readonly operands: readonly {
    readonly text: string;
    /** It names a file, or files by a pattern. */
    readonly isFile: boolean;
    readonly content: () => readonly Source[];
    readonly sources: readonly Source[];
  }[];
  /** All words after the code, those that look like options too. */
  readonly words?: readonly Argument[];
  /** The text of a variable of the environment that the call itself sets. */
  readonly variable?: (name: string) => string | undefined;
  /** Standard input, when the code itself did not come from there. */
  readonly stdin: readonly Source[];
  /** The interpreter prints the value of the code by itself (`node -p`). */
  readonly prints: boolean;
}

/** One thing the code sends over the network, by what travels of it and in which place of the request. */
export interface CodeSend {
  readonly destination: Destination;
  /** Files, environment and input that travel. */
  readonly sources: readonly Source[];
  /** Text of the code that travels as data. */
  readonly text: readonly Source[];
  /** What travels in a login's place: files, environment, text. */
  readonly credential: readonly Source[];
}

/** Something the code reads, and where it does; undefined where that cannot be told. */
interface Content {
  readonly sources: readonly Source[];
  readonly place: number | undefined;
  /** Where its place cannot be told: one of those it may be read at. */
  readonly seen?: number;
}

/** Shell text the code would start. */
export interface CodeCommand {
  readonly text: string;
  /** Files that the code may write into it. */
  readonly stdin: readonly Source[];
  /** Content of files, by the names the code keeps it in and the text uses as variables. */
  readonly names: ReadonlyMap<string, readonly Source[]>;
}

/** What running the code would do, as far as it can be read. Paths are as the code writes them. */
export interface CodeEffects {
  readonly printed: readonly Source[];
  readonly sends: readonly CodeSend[];
  readonly writes: readonly { readonly path: string; readonly sources: readonly Source[]; readonly append: boolean }[];
  readonly removes: readonly string[];
  /** Files the code changes through a name, or in place: what they become is not told. */
  readonly edits: readonly string[];
  /** The code writes or removes a file that one of its arguments names. */
  readonly editsOperands: boolean;
  readonly commands: readonly CodeCommand[];
  readonly doubt: string | undefined;
  /** Why part of the code was not read at all; undefined when everything was. */
  readonly unread: string | undefined;
}

const NOTHING: CodeEffects = {
  printed: [],
  sends: [],
  writes: [],
  removes: [],
  edits: [],
  editsOperands: false,
  commands: [],
  doubt: undefined,
  unread: undefined,
};

/** Functions of files that take an address as well (PHP), and its mail. */
const TAKES_ADDRESS = /(?<![.\w$>])(?:file_get_contents|file|fopen|readfile|copy|file_put_contents|mail)$/;
const HOME =
  /(?:expanduser\(["']~["']\)|Path\.home\(\)|homedir\(\)|Dir\.home|\bHOME["'\])}]{0,4}|\bUSERPROFILE["'\])}]{0,4}|home(?:dir)?\}?)\)?(?:[+/,.]|\.joinpath\(|<>)?$/;
/** A module that is loaded by its name: no file the code reads. */
const MODULE = /\b(?:require|import)\s{0,4}\(\s{0,4}["'`](?![.~/])[\w@:/.-]{1,100}["'`]\s{0,4}\)/g;
/**
 * A credential file handed to the library that uses it, by its path or read in place (white space taken out): the content
 * goes into a connection, not to the program's output.
 */
const USES =
  /(?:\b(?:key_?file(?:_?name)?|key_?path|private_?key_?(?:path|file)|credentials?_?(?:path|file)|cert_?file|ca_?file|ssl_?(?:key|cert|ca)|kube_?config|config_?file)["']?[:=]|\b(?:from_service_account_file|from_authorized_user_file|load_cert_chain|load_verify_locations|from_private_key_file|from_private_key|credential\.cert|credentials\.Certificate|load_kube_config|IdentityFile)\(|\b(?:privateKey|private_key|key|cert|ca|pfx)["']?:(?:await )?(?:(?:require\(["'](?:node:)?fs["']\)|fs|fsp)\.)?(?:readFileSync|readFile)\()(?:[\w.]{1,40}(?:\(\))?\+)?[rfbu]?$/i;
/** Calls whose second file becomes what the first one is. */
const COPIES =
  /\b(?:shutil\.(?:copy2?|copyfile|move)|copyFileSync|copyFile|cpSync|linkSync|renameSync|rename|os\.rename|os\.replace|urlretrieve|(?<![\w.$>:])(?:copy2?|copyfile)|(?<![\w.$>])cp|file\.copy|Files\.(?:copy|move)|File\.(?:cp|copy)!?|FileUtils\.(?:cp|copy|mv)|File\.rename|symlink(?:Sync)?|os\.symlink|os\.link)$/;
/** Texts without quotes that are looked at. */
const BARE_MAX = 2_000;
const JOINS = /^\)?(?:[+/,.]|\.joinpath\(|\.join\()\(?[rfbu]?$/;

/** In front of the folder that the code goes to. */
const GOES =
  /(?:\b(?:chdir|setwd)|(?<![\w.$])cd(?=\())\s{0,4}\(?\s{0,4}(?:[\w.]{1,40}\()?(?:[\w.]{1,40}\(\)\s{0,2}\+\s{0,2}|(?:require\(["'](?:node:)?os["']\)\.)?homedir\(\)\s{0,2}\+\s{0,2})?$/;
/** In front of a text that is run as code of the same language. */
const EVALUATES =
  /(?:(?<![.\w])(?:exec|eval|instance_eval|class_eval|new Function|Function|load|loadstring)|\b(?:runInThisContext|runInNewContext|timeit|repeat|Worker\)?))\s{0,4}\(?\s{0,4}[rbu]?$/;
const EVALUATES_BUT_EXEC = new RegExp(EVALUATES.source.replace("exec|", ""));

/** Reads code. `language` is the interpreter's name; it decides what a comment is. */
export function codeEffects(code: string, language: string, reading: CodeReading): CodeEffects {
  // Code in a text of the code is read as more of it.
  if (
    !/\b(?:exec|eval|instance_eval|class_eval|Function|load|loadstring|timeit|Worker|runIn\w{1,20})\b/.test(code) ||
    code.length > CHOSEN.code_chars
  )
    return effectsOf(code, language, reading);
  const own = /^-?(?:py|ipy)/.test(language)
    ? EVALUATES
    : /^(?:node|tsx|ts-node|deno|bun|j?ruby|php|-?perl|lua)/.test(language)
      ? EVALUATES_BUT_EXEC
      : undefined;
  const inner =
    own === undefined
      ? []
      : literalsOf(code, language, unquotedTexts(code, language).slice(0, BARE_MAX)).filter(({ start }) =>
          own.test(code.slice(Math.max(0, start - 40), start)),
        );
  return effectsOf([code, ...inner.map(({ value }) => value)].join("\n"), language, reading);
}

function effectsOf(code: string, language: string, reading: CodeReading): CodeEffects {
  if (code.length > CHOSEN.code_chars) return { ...NOTHING, unread: "inline code is too long to read" };
  const bare = unquotedTexts(code, language);
  const literals = literalsOf(code, language, bare.slice(0, BARE_MAX));
  const { startedCommands } = require("./commands.ts") as typeof import("./commands.ts");
  const { shellText } = require("./shell.ts") as typeof import("./shell.ts");
  const { commands, used, cut } = startedCommands(code, literals, language, knownWords(reading));
  const asks = asksOf(code, literals);
  const addressed = opensAddress(code, literals);
  const reads = addressed || readsFiles(code.replace(MODULE, " "), language);
  const paths = pathsOf(code, literals).filter(({ first }) => !used.has(first.start));
  const named = changesByName(
    code,
    paths.map(({ path, first }) => ({ path, start: first.start })),
  );
  const { writes, removes, folders, rewritten, files } = usesOf(code, paths, reads, asks, reading);
  removes.push(...named.removes);
  const place = reading.operands.length === 0 ? undefined : readsArguments(asks.rest, language, reads);
  if (place !== undefined)
    for (const operand of reading.operands) if (operand.isFile) files.push({ sources: operand.content(), place: undefined, seen: place });
  if (reading.stdin.length > 0 && readsInput(code, language)) files.push({ sources: reading.stdin, place: undefined });
  const environment = environmentOf(code);
  // The name of a file may come in a variable.
  for (const { sources, place: at } of reads && reading.variable !== undefined ? environment : [])
    for (const source of sources) {
      const text = source.from === "environment" && source.name !== undefined ? reading.variable?.(source.name) : undefined;
      if (text !== undefined && /^[~.]?\/|^\.\w/.test(text)) files.push({ sources: reading.file(text), place: at });
    }
  const contents = [...files, ...environment];
  const content = unique(contents.flatMap(({ sources }) => sources));
  const strings = unique(literals.flatMap((literal) => textSource(literal.value)));
  for (const write of writes)
    if (write.sources.length === 0)
      (write as { sources: readonly Source[] }).sources = unique([
        ...strings,
        ...content.map((source) => (source.from === "unknown" ? source : { ...source, plain: false })),
      ]);
  const sends = contacts(code) || addressed ? sendsOf(code, literals, contents, isSlashed(language)) : [];
  const lone = files.some(({ sources, place: at }) => sources.length > 0 && (at === undefined || isLone(code, at)));
  const printed = reading.prints || prints(code, language, lone) ? content : [];
  let doubt: string | undefined;
  if (
    files.some(({ sources }) => sources.length > 0) &&
    printed.length === 0 &&
    sends.length === 0 &&
    writes.length === 0 &&
    named.edits.length === 0
  )
    doubt = "inline code reads a file";
  else if (
    /\b(?:exec|eval|compile|marshal|__import__|Function)\s{0,4}\(/.test(code) &&
    /b64decode|base64|fromhex|unhexlify|atob|decode\(|unpack/.test(code)
  )
    doubt = "inline code builds more code";
  const unread =
    literals.length >= CHOSEN.code_literals || bare.length > BARE_MAX || cut || sends.length >= CHOSEN.code_addresses
      ? "inline code is too long to read"
      : undefined;
  const editsOperands = named.operands;
  const stdin = commands.some(({ fed }) => fed) ? unique(files.flatMap(({ sources }) => sources)) : [];
  const holding = commands.length === 0 ? [] : contents.filter(({ sources }) => sources.length > 0);
  const flows = holding.length === 0 ? undefined : flowsOf(code, literals, isSlashed(language));
  return {
    printed,
    sends,
    writes,
    removes,
    edits: [...new Set([...named.edits, ...folders, ...rewritten])],
    editsOperands,
    commands: commands.map((command): CodeCommand => {
      const names = new Map<string, readonly Source[]>();
      const nameOf = (gap: Gap): string => {
        const name = `value${names.size + 1}`;
        names.set(name, put(code, gap, holding, flows));
        return name;
      };
      return { text: shellText(command, nameOf), stdin: command.fed ? stdin : [], names };
    }),
    doubt,
    unread,
  };
}

/** What the code does to the files it names, by the calls around their names. */
interface Uses {
  readonly writes: { readonly path: string; readonly sources: readonly Source[]; readonly append: boolean }[];
  readonly removes: string[];
  /** Folders that are filled with others' files. */
  readonly folders: string[];
  /** Files of which the rest stays as it is. */
  readonly rewritten: string[];
  /** Files that are read. */
  readonly files: Content[];
}

function usesOf(
  code: string,
  paths: ReturnType<typeof pathsOf>,
  reads: boolean,
  asks: ReturnType<typeof asksOf>,
  reading: CodeReading,
): Uses {
  const uses: Uses = { writes: [], removes: [], folders: [], rewritten: [], files: [] };
  const { writes, removes, folders, rewritten, files } = uses;
  const goes = paths.filter(({ first }) => GOES.test(code.slice(Math.max(0, first.start - 60), first.start)));
  for (const { path: written, first, last } of paths) {
    const from = goes.findLast((other) => other.first.start < first.start);
    const path = from === undefined || /^[~/]|:/.test(written) ? written : `${from.path}/${written}`;
    // What puts the path together stands between it and the call that takes it.
    const before = tight(code.slice(Math.max(0, first.start - 160), first.start)).replace(
      /(?:(?:os\.)?path\.|File\.)?(?:join|resolve|Path|str|expanduser)\([^()'"]{0,60}(?:\([^()]{0,40}\))?[^()'"]{0,20}$/,
      "",
    );
    const after = tight(code.slice(last.end, last.end + 320));
    const mode = /^\)?,(?:mode=)?["'](?:[waxr]\+?[bt]?\+?|>{1,2})["']/.exec(after)?.[0] ?? "";
    const perl = /,["'](>{1,2})["'],$/.exec(before)?.[1] ?? "";
    if (
      /\b(?:os\.remove|os\.unlink|unlinkSync|unlink|rmSync|rmtree|File\.delete|FileUtils\.rm(?:_rf?)?|Deno\.remove(?:Sync)?)\(?$/.test(
        before,
      ) ||
      after.startsWith(").unlink(")
    ) {
      removes.push(path);
    } else if (
      /[wax]|\+|>/.test(mode) ||
      perl !== "" ||
      /\b(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|File\.write|IO\.write|file_put_contents|Bun\.write|Deno\.writeTextFile(?:Sync)?|truncateSync|truncate)\($/.test(
        before,
      ) ||
      /^\)\.write_(?:text|bytes)\(/.test(after)
    ) {
      // Opened without being emptied, or written at an offset: the rest stays as it is, and what the whole becomes is not told.
      const into =
        /["']r/.test(mode) ||
        /\bflags?["']?:["']r/.test(after) ||
        /\btruncate(?:Sync)?\($/.test(before) ||
        (/\b(?:File|IO)\.write\($/.test(before) && /^,[^,]{1,36},/.test(after));
      if (into) rewritten.push(path);
      const adds =
        /["']a|>>/.test(mode + perl) || /append/i.test(before) || /\bFILE_APPEND\b|\bappend:true\b|\bflags?["']?:["']a/.test(after);
      writes.push({ path, sources: [], append: into || adds });
    } else if (fillsFolder(callBefore(code, first.start), before.endsWith(","))) {
      folders.push(path);
      const copied = paths.find((other) => other.first.start < first.start && first.start - other.last.end < 12);
      if (copied !== undefined && COPIES.test(callBefore(code, first.start)))
        writes.push({ path, sources: reading.file(copied.path), append: false });
    } else if (
      COPIES.test(callBefore(code, first.start)) &&
      !/STDOUT|["'](?:php|https?|s?ftps?):\/\//.test(code.slice(last.end, last.end + 60))
    ) {
      const copied = paths.find((other) => other.first.start < first.start && first.start - other.last.end < 12);
      if (copied !== undefined) writes.push({ path, sources: reading.file(copied.path), append: false });
    } else if (
      reads &&
      !isInclude(before, path) &&
      !USES.test(before) &&
      !asks.only(first.start, last.end, assignedName(code, first.start))
    )
      files.push({
        sources: partOf(reading.file(path), path, entryRead(after) ?? memberRead(code, first.start, last.end)),
        ...(/\bARGV\b/.test(statementBefore(code, first.start)) ? { place: undefined, seen: first.start } : { place: first.start }),
      });
  }
  return uses;
}

/** What the code puts into a place of a command: what it reads there, and what the names that stand there hold. */
function put(code: string, { start, end }: Gap, contents: readonly Content[], flows: CodeFlows | undefined): readonly Source[] {
  const words = new Set(code.slice(start, end).match(/[A-Za-z_]\w{0,79}/g));
  return unique(
    contents.flatMap(({ sources, place: known, seen }) => {
      const place = known ?? seen;
      if (place === undefined) return [];
      if (flows?.holds(place, start, end) === true) return sources;
      const name = assignedName(code, place);
      return name !== undefined && words.has(name) ? sources : [];
    }),
  );
}

/** Whether a function of files is given an address, or PHP's mail a receiver. */
function opensAddress(code: string, literals: readonly Literal[]): boolean {
  return literals.some(
    ({ value, start }) => /^(?:(?:https?|ftps?):\/\/|[^\s@]{1,100}@[\w.-])/i.test(value) && TAKES_ADDRESS.test(callBefore(code, start)),
  );
}

/** The arguments whose texts are certain, up to the first one that is not. */
function knownWords({ words = [] }: CodeReading): readonly string[] {
  const end = words.findIndex(({ exact }) => !exact);
  return words.slice(0, end < 0 ? words.length : end).map(({ text }) => text);
}

/** Texts of the code, in quotes and without. */
function literalsOf(code: string, language: string, bare: readonly Literal[]): readonly Literal[] {
  const literals = stringLiterals(code, isSlashed(language));
  if (bare.length === 0) return literals;
  const all = [...literals, ...bare].sort((left, right) => left.start - right.start || right.end - left.end);
  let end = 0;
  return all.filter((literal) => {
    const apart = literal.start >= end;
    if (apart) end = literal.end;
    return apart;
  });
}

function statementBefore(code: string, place: number): string {
  const near = code.slice(Math.max(0, place - 200), place);
  return near.slice(Math.max(near.lastIndexOf(";"), near.lastIndexOf("\n")) + 1);
}

/** R prints a value that is given to no name, and a name that stands alone. */
function isLone(code: string, place: number): boolean {
  const statement = statementBefore(code, place);
  const name = /^\s{0,100}([\w.]{1,80})\s{0,8}(?:<{1,2}-|=)/.exec(statement)?.[1];
  return name === undefined || code.split(/[;\n]/).some((one) => one.trim() === name);
}

/** Whether two slashes begin a comment. */
function isSlashed(language: string): boolean {
  return /^(?:node|nodejs|tsx|ts-node|deno|bun|php|groovy|scala|swift|jshell)$/.test(language);
}

/** A program of PHP that is included runs, and prints what it says itself. */
function isInclude(before: string, path: string): boolean {
  return /\b(?:include|require)(?:_once)?\(?$/.test(before) && /\.(?:php\d?|phtml|inc|module|phar)$/i.test(path);
}

/** A call that puts many files into the folder it names: as its only place, or as the second of two. */
function fillsFolder(call: string, second: boolean): boolean {
  return /\b(?:extractall|extractAllTo)$/.test(call) || (second && /\b(?:copytree|unpack_archive|cpSync|copySync|cp_r)$/.test(call));
}

/**
 * `json.load(open("f"))["a"]`, `require("../f.json").a.b`, `JSON.parse(fs.readFileSync("f")).a`: one member of a JSON file is all
 * that is read of it.
 */
function memberRead(code: string, start: number, end: number): Excerpt | undefined {
  const before = code.slice(Math.max(0, start - 80), start);
  const opens = /(?:json\.load\(open\(|JSON\.parse\((?:require\(["'](?:node:)?fs["']\)\.|fs\.)readFileSync\(|\brequire\()$/.exec(
    before,
  )?.[0];
  if (opens === undefined) return undefined;
  const steps = /^(?:, ?["'](?:r|rb|utf-?8)["'])?\){1,2}((?:\[["'][\w-]{1,64}["']\]|\.\w{1,64}){1,6})(?![\w.[(-])/.exec(
    code.slice(end, end + 300),
  )?.[1];
  const path = steps?.match(/[\w-]+/g);
  return path === undefined || path === null ? undefined : { kind: "member", path };
}

/** An excerpt of a file as it lies there: what this call made of another one is not known. */
function partOf(sources: readonly Source[], path: string, excerpt: Excerpt | undefined): readonly Source[] {
  return sources.length === 1 && !path.startsWith("/dev/") ? excerpted(sources, excerpt) : sources;
}

/** `ZipFile("f").read("name")`: the one entry of an archive that the code takes. */
function entryRead(after: string): Excerpt | undefined {
  const name = /^(?:,["']r["'])?\)\.(?:read|open|read_text|extractfile|readAsText|readFile)\(["']([^"'\\]{1,256})["']/.exec(after)?.[1];
  return name === undefined ? undefined : { kind: "entry", name };
}

/** A short piece of code without the white space that nothing needs: between two words one blank is left. */
function tight(code: string): string {
  return code.replace(/\s+/g, " ").replace(/ (?=\W)|(?<=\W) |^ | $/g, "");
}

/** The name in front of the innermost open parenthesis before a place, "" when there is none near. */
function callBefore(code: string, at: number): string {
  const piece = code.slice(Math.max(0, at - 400), at);
  let open = piece.length - 1;
  for (let depth = 0; open >= 0; open--) {
    if (piece[open] === ")") depth++;
    else if (piece[open] === "(" && depth-- === 0) break;
  }
  if (open < 0) return "";
  return piece.slice(Math.max(0, open - 60), open).trimEnd();
}

interface NamedPath {
  readonly path: string;
  readonly first: Literal;
  readonly last: Literal;
}

/** Literals that name files, put together where the code joins them. */
function pathsOf(code: string, literals: readonly Literal[]): NamedPath[] {
  const found: NamedPath[] = [];
  /** Folders and files that the code keeps in names. */
  const kept = new Map<string, string>(homeNames(code).map((name) => [name, "~"]));
  for (let at = 0; at < literals.length; at++) {
    const first = literals[at] as Literal;
    // `os.getenv("HOME") + "/.x"`: the variable's name is no part of the path.
    if (first.value.length > 1024 || first.value.includes("\n") || /^(?:HOME|USERPROFILE)$/.test(first.value)) continue;
    const before = tight(code.slice(Math.max(0, first.start - 80), first.start)).replace(/[rfbu]$/, "");
    const home = HOME.test(before);
    const inline =
      /^\$\{?(?:process\.env\.)?HOME\}?(?=\/)|^#\{(?:ENV\[.HOME.\]|Dir\.home)\}(?=\/)|^\$\{os\.homedir\(\)\}(?=\/)|^\{(?:home|Path\.home\(\)|os\.environ\[.HOME.\]|os\.path\.expanduser\(.~.\))\}(?=\/)|^\$ENV\{HOME\}(?=\/)|^\$(?:::)?env\(HOME\)(?=\/)/.exec(
        first.value,
      );
    let path = inline === null ? addressedFile(first.value) : `~${first.value.slice(inline[0].length)}`;
    const name =
      /(?:^|[^\w.])(\w{1,80})\)?(?:,|\/|\+|\.|\.joinpath\(|<>)$/.exec(before)?.[1] ?? /^\$?\{\$?(\w{1,80})\}(?=\/)/.exec(first.value)?.[1];
    const joins = !before.endsWith(",") || /(?:join|Path|joinpath|resolve)$/.test(callBefore(code, first.start));
    const folder = name === undefined || !joins ? undefined : kept.get(name);
    if (folder !== undefined) path = `${folder}/${path.replace(/^\$?\{\$?\w{1,80}\}/, "").replace(/^\/{1,4}/, "")}`;
    else if (home && !path.startsWith("~")) path = `~/${path.replace(/^\/{1,4}/, "")}`;
    let last = first;
    while (at + 1 < literals.length) {
      const next = literals[at + 1] as Literal;
      const gap = tight(code.slice(last.end, Math.min(next.start, last.end + 40)));
      if (
        next.start - last.end > 40 ||
        !JOINS.test(gap) ||
        gap.startsWith("),") ||
        (gap.startsWith(",") && !/(?:join|Path|joinpath|resolve)$/.test(callBefore(code, first.start))) ||
        !/^[\w.@~/ -]{1,255}$/.test(next.value)
      )
        break;
      path = gap.startsWith("+") || gap === "." ? path + next.value : `${path.replace(/\/$/, "")}/${next.value.replace(/^\//, "")}`;
      last = next;
      at++;
    }
    if (path === "~" || path === "/" || path === ".") continue;
    const opened =
      /(?:\bopen|Path|readFileSync|readFile|createReadStream|file_get_contents|readfile|fopen|File\.(?:read|open|readlines|foreach|write|delete)|IO\.(?:read|readlines)|Bun\.file|Deno\.\w{1,24}|writeFileSync|writeFile|appendFileSync|unlinkSync|unlink|remove|copyFileSync|io\.(?:open|lines)|read_csv|Bun\.write|file_put_contents|truncateSync|<|\bopen[ (](?:my ?)?\$?\w{1,40},(?:["']<[^"'\n]{0,20}["'],)?)\(?$/.test(
        before,
      );
    const looks =
      /^(?:~|\.{0,2}\/|[A-Za-z]:[\\/]|file:)|^\.[a-z][\w.-]{0,60}$/.test(path) ||
      (/^[\w.@-]{1,100}(?:\/[\w.@ -]{1,100}){1,20}$/.test(path) && !/^(?:text|application|image|audio|video|font|multipart)\//.test(path));
    if (!opened && !looks && !home && folder === undefined && !COPIES.test(callBefore(code, first.start))) continue;
    if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(path) && !path.startsWith("file:")) continue;
    found.push({ path, first, last });
    const owner = assignedName(code, first.start);
    if (owner !== undefined) kept.set(owner, path);
  }
  return found;
}

/** The file that a text opens: by its address, through a filter of PHP, or behind Perl's sign for reading. */
function addressedFile(text: string): string {
  const path = text
    .replace(/^php:\/\/filter\/.{0,200}?resource=/, "")
    .replace(/^file:(?:\/\/(?:localhost)?(?=\/))?(?=[/~])/i, "")
    .replace(/^(?:<|@)\s{0,4}(?=[~/.])/, "");
  return path.includes("%") && path !== text
    ? path.replace(/%([0-7][0-9a-f])/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : path;
}

const PLACES =
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|PWD|TMPDIR|TEMP|TMP|LANG|TERM|EDITOR|USERPROFILE|APPDATA|NODE_ENV|CI|DEBUG|PORT|XDG_\w{1,40}|PYTHONPATH|VIRTUAL_ENV)$/;

/** Environment variables the code reads by name, or all of them. */
function environmentOf(code: string): Content[] {
  const found: Content[] = [];
  const any: number[] = [];
  for (const match of code.matchAll(
    /\b(?:environ|getenv|getenvb|process\.env|ENV|_ENV|_SERVER|Deno\.env|Bun\.env)(?:\.get|\.fetch)?(?:[[({.]["']?([A-Za-z_]\w{0,127}))?/g,
  )) {
    const name = match[1];
    if (name === undefined || /^(?:items|keys|values|copy|toObject|to_h|each|map|dict|get)$/.test(name)) any.push(match.index);
    else if (!PLACES.test(name)) found.push({ sources: [{ from: "environment", name, plain: true }], place: match.index });
  }
  if (/os\.environ|process\.env\b|\bENV\b|%ENV|\$_ENV|Deno\.env|getenv\(\)/.test(code))
    for (const place of any) found.push({ sources: [{ from: "environment", name: undefined, plain: true }], place });
  return found;
}

/** An address of the code, and where it stands; undefined where that cannot be told. */
interface Address {
  readonly destination: Destination;
  readonly place: number | undefined;
}

/** Where the code connects to, with what could travel. */
function sendsOf(code: string, literals: readonly Literal[], contents: readonly Content[], slashes: boolean): CodeSend[] {
  const destinations: Address[] = [];
  const data: Source[] = [];
  const credential: Source[] = [];
  literals.forEach((literal, index) => {
    const text = literal.value;
    if (/^(?:https?|wss?|ftp|tcp|smtp):\/\//i.test(text)) {
      const target = targetOf(text.replace(/\$?\{[^{}]{0,200}\}/g, (hole) => (hole.startsWith("$") ? hole : `$${hole}`)));
      destinations.push({ destination: target.destination, place: literal.start });
      data.push(...textSource(target.bare));
      credential.push(...textSource(target.login));
      return;
    }
    const previous = literals[index - 1];
    const named =
      previous !== undefined &&
      isCredentialHeader(previous.value) &&
      /^(?:[:,]|=>|\]=)[rfbu]?$/.test(tight(code.slice(previous.end, Math.min(literal.start, previous.end + 40))));
    const login =
      named ||
      /^(?:Bearer|token|Basic)\s/i.test(text) ||
      /\b(?:auth|token|password|api_key|apiKey|bearer)[=:]\(?[rfbu]?$/.test(
        tight(code.slice(Math.max(0, literal.start - 24), literal.start)),
      );
    (login ? credential : data).push(...textSource(text));
  });
  if (destinations.length === 0) {
    for (const literal of literals) {
      if (
        !/^(?:[\w-]{1,63}\.){1,16}[a-z]{2,24}$|^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9a-f:]{3,39}$|^localhost$/i.test(literal.value) ||
        /\.(?:py|js|ts|json|txt|env|pem|key|ya?ml|toml|md|log|csv|sh|html|lock)$/i.test(literal.value)
      )
        continue;
      const kind = /\bdns\b|gethostbyname|getaddrinfo|resolve/.test(code) ? "dns" : "socket";
      destinations.push({ destination: { kind, host: hostOf(literal.value), url: undefined }, place: literal.start });
    }
  }
  if (destinations.length === 0) destinations.push({ destination: { kind: "unknown", host: undefined, url: undefined }, place: undefined });
  const signs = /authorization|\bauth\b|api[-_]?key|token\s{0,4}[=:]/i.test(code);
  const flows = contents.length === 0 ? undefined : flowsOf(code, literals, slashes);
  return destinations.slice(0, CHOSEN.code_addresses).map(({ destination, place }) => {
    const travels: Source[] = [];
    const signing: Source[] = [];
    for (const content of contents) {
      const known = flows !== undefined && content.place !== undefined && place !== undefined;
      const way = known ? flows.reach(content.place, place) : "data";
      if (way === undefined) continue;
      for (const source of content.sources)
        (way === "credential" || (signs && source.from === "environment") ? signing : travels).push(source);
    }
    return { destination, sources: unique(travels), text: unique(data), credential: unique([...credential, ...signing]) };
  });
}

/** Loaded at first use: most programs read no file, or contact nobody. */
function flowsOf(code: string, literals: readonly Literal[], slashes: boolean): CodeFlows {
  const { CodeFlows } = require("./flows.ts") as typeof import("./flows.ts");
  return new CodeFlows(code, literals, slashes);
}
