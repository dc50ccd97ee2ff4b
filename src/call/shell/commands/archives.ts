/** Archives and compressors: what goes in is still that file (credential-files.md §15). */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, SelectionRule, Source } from "../../effect.ts";
import { literal, sealed, selected, sliceArgument, transformed, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { type Option, readOptions } from "../options.ts";

/** The handler of an archiver or compressor. */
export function archiveCommand(name: string): Handler | undefined {
  switch (name) {
    case "tar":
    case "gtar":
    case "bsdtar":
      return tar;
    case "zip":
      return zip;
    case "unzip":
      return unzip;
    case "7z":
    case "7za":
    case "7zz":
    case "rar":
      return sevenZip;
    case "gzip":
    case "pigz":
    case "bzip2":
    case "pbzip2":
    case "xz":
    case "lzma":
    case "zstd":
    case "lz4":
    case "brotli":
    case "compress":
    case "gunzip":
    case "bunzip2":
    case "unxz":
    case "unzstd":
      return compress;
    case "cpio":
      return cpio;
    case "pax":
      return pax;
    case "jar":
      return jar;
    case "ar":
      return (invocation) => {
        const [, target, ...files] = invocation.args;
        if (target !== undefined && files.length > 0) invocation.write(target, transformed(invocation.readAll(files)), true);
      };
    default:
      return undefined;
  }
}

/** Files whose names a flow brings in, one a line; names that are not known here are left to the unknown. */
function readNamed(invocation: Invocation, flow: readonly Source[]): readonly Source[] {
  const names = namesIn(invocation, flow);
  const known = flow.every(({ from }) => from === "text");
  const read = names.flatMap((name) => [...invocation.read(name)]);
  return unique([...read, ...invocation.readListed(flow), ...(known ? [] : [{ from: "unknown" } as const])]);
}

function namesIn(invocation: Invocation, flow: readonly Source[]): readonly Argument[] {
  const names = flow.flatMap((source) =>
    source.from === "text" && source.plain ? source.text.split(/[\0\n]/, CHOSEN.word_fields + 1) : [],
  );
  if (names.length > CHOSEN.word_fields) invocation.unreadPart("a list of files is too long");
  return names.slice(0, CHOSEN.word_fields).flatMap((name) => (name === "" ? [] : [literal(name)]));
}

/** `cpio -o` packs the files that standard input names, `cpio -p` copies them below a folder. */
function cpio(invocation: Invocation): void {
  const options = invocation.options({ short: "CDEFHIMORW", long: "directory file format owner pattern-file" });
  const output = options.value("O", "F", "file");
  if (options.has("o", "create")) {
    const packed = transformed(readNamed(invocation, invocation.stdin));
    if (output === undefined) invocation.print(packed);
    else invocation.write(output, packed);
    return;
  }
  const [folder] = options.operands;
  if (!options.has("p", "pass-through") || folder === undefined) return invocation.print([{ from: "unknown" }]);
  for (const name of namesIn(invocation, invocation.stdin)) invocation.copy(name, { ...folder, text: `${folder.text}/${name.text}` }, "at");
}

/** `pax -w f …`, or the files that standard input names. */
function pax(invocation: Invocation): void {
  const options = invocation.options({ short: "bBfopsxEGTU" });
  if (!options.has("w")) return invocation.print([{ from: "unknown" }]);
  const { operands } = options;
  const packed = transformed(operands.length === 0 ? readNamed(invocation, invocation.stdin) : invocation.readAll(operands));
  const target = options.value("f");
  if (target === undefined) invocation.print(packed);
  else invocation.write(target, packed, options.has("a"));
}

/** `jar cf a.jar f …`, `jar --create --file a.jar -C folder .`; a manifest goes in as well. */
function jar(invocation: Invocation): void {
  const [first, ...words] = invocation.args;
  const letters = first !== undefined && /^-?[a-zA-Z0]{1,8}$/.test(first.text) ? first.text : "";
  const args = letters === "" ? invocation.args : words;
  const { options, operands } = readOptions(args, { short: "fmeC", long: "file manifest main-class module-version release" });
  const has = (letter: string, long: string): boolean =>
    letters.includes(letter) || options.some(({ name }) => name === letter || name === long);
  if (!has("c", "create") && !has("u", "update")) return invocation.print([{ from: "unknown" }]);
  const given = options.findLast(({ name }) => name === "f" || name === "file")?.value;
  const target = given ?? (letters.includes("f") ? operands[0] : undefined);
  const files = operands.filter((operand) => operand !== target);
  const packed = transformed(unique(members(invocation, args, files, [])));
  if (target === undefined) invocation.print(packed);
  else invocation.write(target, packed, has("u", "update"));
}

function tar(invocation: Invocation): void {
  let args = [...invocation.args];
  const first = args[0];
  // `tar czf a.tgz b`: the first word holds the letters without a dash.
  if (first !== undefined && first.exact && /^[A-Za-z]{1,16}$/.test(first.text) && /[cxtru]/.test(first.text))
    args = [literal(`-${first.text}`), ...args.slice(1)];
  const letters = args[0]?.text ?? "";
  if (/^-[a-zA-Z]{1,16}$/.test(letters) && letters.includes("f") && !letters.endsWith("f")) {
    // In the old form the value of `f` is the next word wherever the letter stands.
    args = [literal(`-${letters.slice(1).replace("f", "")}f`), ...args.slice(1)];
  }
  const { options, operands } = readOptions(args, {
    short: "fCTXbIgKNLV",
    long: "file directory files-from exclude exclude-from use-compress-program transform strip-components owner group mtime checkpoint-action to-command",
  });
  const has = (...names: readonly string[]): boolean => options.some((option) => names.includes(option.name));
  const target = options.findLast((option) => option.name === "f" || option.name === "file")?.value;
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (name === "I" || name === "use-compress-program" || name === "to-command") invocation.script(value);
    else if (name === "checkpoint-action" && value.text.startsWith("exec=")) invocation.script(sliceArgument(value, 5));
  }
  if (has("c", "create", "r", "append", "u", "update")) {
    const sources = members(invocation, args, operands, tarRules(invocation, options));
    for (const { name, value } of options)
      if ((name === "T" || name === "files-from") && value !== undefined) sources.push(...readNamed(invocation, invocation.read(value)));
    const packed = transformed(unique(sources));
    if (target === undefined || (target.text === "-" && target.exact)) invocation.print(packed);
    else invocation.write(target, packed, !has("c", "create"));
  } else if (has("x", "extract", "get")) {
    const input = target === undefined || target.text === "-" ? invocation.stdin : invocation.read(target);
    if (has("O", "to-stdout")) return invocation.print(transformed(input));
    const folder = options.findLast((option) => option.name === "C" || option.name === "directory")?.value ?? literal(".");
    const strip = Number(options.findLast((option) => option.name === "strip-components" || option.name === "strip")?.value?.text ?? 0);
    const renames = has("transform", "xform", "s") || !Number.isInteger(strip);
    unpack(invocation, { archive: target?.text === "-" || renames ? undefined : target, folder, strip, members: operands }, input);
  }
}

/** An archive and where its members go. */
export interface Unpacking {
  /** Undefined where its list cannot be known. */
  readonly archive: Argument | undefined;
  readonly folder: Argument;
  readonly strip: number | "flat";
  readonly members: readonly Argument[];
}

/** Tells what unpacking does: the members' own effect, and the archive's content below the folder. */
export function unpack(invocation: Invocation, { archive, folder, strip, members }: Unpacking, input: readonly Source[]): void {
  const below = invocation.file({ ...folder, text: `${folder.text}/` });
  invocation.emit({
    kind: "unpack",
    archive: archive === undefined ? undefined : invocation.file(archive),
    folder: below,
    strip,
    members: members.map(({ text }) => text),
  });
  invocation.emit({ kind: "write", file: below, sources: transformed(input), append: true });
}

/** Files in the archive; `-C dir` changes where the following names are read from. */
function members(
  invocation: Invocation,
  args: readonly Argument[],
  operands: readonly Argument[],
  rules: readonly SelectionRule[],
): Source[] {
  const sources: Source[] = [];
  let folder: Argument | undefined;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    if (argument.text === "-C" || argument.text === "--directory") folder = args[++at];
    else if (/^--directory=/.test(argument.text)) folder = sliceArgument(argument, 12);
    else if (operands.includes(argument)) {
      const name =
        folder === undefined || /^[/~]/.test(argument.text)
          ? argument
          : { text: `${folder.text}/${argument.text}`, exact: folder.exact && argument.exact, sources: argument.sources };
      sources.push(...selected(invocation.read(name), { rules, first: false, prunes: true, prefix: `${argument.text}/` }));
    }
  }
  return sources;
}

function tarRules(invocation: Invocation, options: readonly Option[]): readonly SelectionRule[] {
  return options.flatMap(({ name, value }): readonly SelectionRule[] => {
    if (name === "exclude-vcs") return [{ takes: false, pattern: ".git", how: "anywhere" }];
    if (name === "exclude-vcs-ignores") return [{ takes: false, pattern: invocation.file(literal(".gitignore")), how: "anywhere" }];
    if (value === undefined) return [];
    if (name === "exclude" && value.exact) return [{ takes: false, pattern: value.text, how: "crossing anywhere" }];
    return name === "X" || name === "exclude-from" ? [{ takes: false, pattern: invocation.file(value), how: "crossing anywhere" }] : [];
  });
}

/** `-x 'a' 'b'` and `-i …` take every word up to the next option. */
function zipRules(args: readonly Argument[]): { readonly rules: readonly SelectionRule[]; readonly rest: readonly Argument[] } {
  const rules: SelectionRule[] = [];
  const rest: Argument[] = [];
  let list: "x" | "i" | undefined;
  for (const argument of args) {
    const start = /^(?:-([xi])|--(exclude|include))(?:=?(.{0,4000}))$/s.exec(argument.text);
    if (start !== null) {
      list = (start[1] ?? start[2]?.[0]?.replace("e", "x")) as "x" | "i";
      // The first list of what goes leaves out everything else.
      if (list === "i" && !rules.some(({ takes }) => takes)) rules.unshift({ takes: false, pattern: "*", how: "crossing" });
      if (start[3] !== undefined && start[3] !== "") rules.push({ takes: list === "i", pattern: start[3], how: "crossing" });
    } else if (list !== undefined && !argument.text.startsWith("-") && argument.text !== "@" && argument.exact)
      rules.push({ takes: list === "i", pattern: argument.text, how: "crossing" });
    else {
      list = undefined;
      if (argument.text !== "@") rest.push(argument);
    }
  }
  return {
    rules: [
      ...rules.filter(({ takes, pattern }) => takes || pattern === "*"),
      ...rules.filter(({ takes, pattern }) => !takes && pattern !== "*"),
    ],
    rest,
  };
}

function zip(invocation: Invocation): void {
  const { rules, rest } = zipRules(invocation.args);
  const options = readOptions(rest, { short: "bnPstO", long: "temp-path password output-file unzip-command" });
  for (const value of options.values("unzip-command")) invocation.script(value);
  const tested = invocation.args.findIndex(({ text }) => text === "-TT");
  const tester = tested < 0 ? undefined : invocation.args[tested + 1];
  if (tester !== undefined) invocation.script(tester);
  const [target, ...files] = options.operands;
  if (target === undefined || options.has("d", "delete")) return;
  const packed = options.has("e", "encrypt", "P", "password") ? sealed : transformed;
  const sources = packed(
    options.has("@", "names-stdin")
      ? readNamed(invocation, invocation.stdin)
      : files.length === 0
        ? [...invocation.stdin, { from: "unknown" }]
        : files.flatMap((file) => selected(invocation.read(file), { rules, first: false, prunes: false, prefix: `${file.text}/` })),
  );
  if (target.text === "-" && target.exact) return invocation.print(sources);
  invocation.write(/\.[A-Za-z0-9]{1,8}$/.test(target.text) ? target : { ...target, text: `${target.text}.zip` }, sources, true);
}

function unzip(invocation: Invocation): void {
  const options = invocation.options({ short: "dPx" });
  const archive = options.operands[0];
  if (archive === undefined) return;
  if (options.has("p", "c")) invocation.print(invocation.read(archive));
  else if (!options.has("l", "t", "v", "Z")) {
    unpack(
      invocation,
      { archive, folder: options.value("d") ?? literal("."), strip: options.has("j") ? "flat" : 0, members: options.operands.slice(1) },
      invocation.read(archive),
    );
  }
}

function sevenZip(invocation: Invocation): void {
  const words = invocation.args.filter((argument) => !argument.text.startsWith("-"));
  const printed = invocation.args.some((argument) => argument.text === "-so");
  const [verb, ...rest] = words;
  if ((verb?.text === "x" || verb?.text === "e") && rest[0] !== undefined) {
    const to = invocation.args.find(({ text }) => /^-o./.test(text));
    return unpack(
      invocation,
      {
        archive: rest[0],
        folder: to === undefined ? literal(".") : sliceArgument(to, 2),
        strip: verb.text === "e" ? "flat" : 0,
        members: rest.slice(1),
      },
      invocation.read(rest[0]),
    );
  }
  if (verb?.text !== "a" && verb?.text !== "u") return;
  // What is printed may still be named: `7z a dummy -so dist`.
  const target = printed && rest.length === 1 ? undefined : rest[0];
  const files = target === undefined ? rest : rest.slice(1);
  const rules = invocation.args.flatMap(({ text }): readonly SelectionRule[] => {
    const match = /^-x(r?)\d{0,2}!(.{1,4000})$/.exec(text);
    return match === null ? [] : [{ takes: false, pattern: match[2] ?? "", how: match[1] === "r" ? "anywhere" : "path" }];
  });
  const read = (file: Argument): readonly Source[] =>
    file.text.startsWith("@")
      ? readNamed(invocation, invocation.read(sliceArgument(file, 1)))
      : selected(invocation.read(file), { rules, first: false, prunes: true, prefix: `${file.text}/` });
  const packed = invocation.args.some(({ text }) => /^-h?p/.test(text)) ? sealed : transformed;
  const sources = packed(files.length === 0 ? invocation.stdin : unique(files.flatMap((file) => [...read(file)])));
  if (printed) invocation.print(sources);
  else if (target !== undefined)
    invocation.write(
      /\.[A-Za-z0-9]{1,8}$/.test(target.text) || !target.exact ? target : { ...target, text: `${target.text}.7z` },
      sources,
      true,
    );
}

const SUFFIX: Readonly<Record<string, string>> = {
  gzip: ".gz",
  pigz: ".gz",
  bzip2: ".bz2",
  pbzip2: ".bz2",
  xz: ".xz",
  lzma: ".lzma",
  zstd: ".zst",
  lz4: ".lz4",
  brotli: ".br",
  compress: ".Z",
};

function compress(invocation: Invocation): void {
  const options = invocation.options({ short: "SboTMD", long: "suffix threads output memlimit" });
  const files = options.operands;
  if (options.has("l", "list", "t", "test")) return;
  const target = options.value("o", "output");
  const sources = transformed(invocation.readAll(files));
  const unpacks = options.has("d", "decompress", "uncompress") || /^(?:un|gun|bun)/.test(invocation.name);
  if (target !== undefined) return invocation.write(target, sources);
  if (files.length === 0 || options.has("c", "stdout", "to-stdout")) return invocation.print(sources);
  for (const file of files) {
    const name = unpacks ? file.text.replace(/\.(?:gz|bz2|xz|lzma|zst|lz4|br|Z)$/, "") : `${file.text}${SUFFIX[invocation.name] ?? ""}`;
    invocation.write({ ...file, text: name }, transformed(invocation.read(file)));
    if (!options.has("k", "keep")) invocation.change(file, "remove");
  }
}
