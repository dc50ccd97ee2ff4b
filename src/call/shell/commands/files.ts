/** File commands: copies, moves, removals, permissions, and the many that only look at names and sizes. */
import type { Argument, Listed } from "../../effect.ts";
import { patchEffects, readPatch } from "../../patch.ts";
import { literal, staticText, textSource } from "../../source.ts";
import { baseName } from "../../path.ts";
import { trimEnd } from "../../text.ts";
import { transformed } from "../../source.ts";
import type { Handler, Invocation, Landing } from "../invocation.ts";
import { type OptionTable, readOptions } from "../options.ts";
import { silent, unrelated } from "./filter.ts";
import { filled } from "./items.ts";

/** The handler of a file command. */
export function fileCommand(name: string): Handler | undefined {
  switch (name) {
    case "ls":
      return names;
    case "dir":
    case "exa":
    case "eza":
    case "lsd":
    case "tree":
    case "stat":
    case "wc":
    case "cksum":
    case "sum":
    case "md5":
    case "sha224sum":
    case "sha384sum":
    case "shasum":
    case "b2sum":
    case "b3sum":
    case "du":
    case "df":
    case "rmdir":
    case "mkfifo":
    case "mknod":
    case "whereis":
    case "locate":
    case "lsof":
    case "fuser":
    case "lsattr":
    case "getfacl":
    case "sync":
    case "ps":
    case "pgrep":
    case "pidof":
    case "id":
    case "whoami":
    case "groups":
    case "uptime":
    case "free":
    case "nproc":
    case "seq":
    case "tty":
    case "who":
    case "w":
    case "last":
    case "arch":
    case "lscpu":
    case "jobs":
    case "sleep":
    case "umount":
    case "cloc":
    case "tokei":
    case "scc":
    case "shfmt":
      return unrelated;
    case "hostname":
    case "uname":
      return hostname;
    case "rename":
    case "prename":
      return rename;
    case "file":
    case "md5sum":
    case "sha1sum":
    case "sha256sum":
    case "sha512sum":
      return named;
    case "which":
      return which;
    case "fd":
    case "fdfind":
      return fd;
    case "basename":
    case "dirname":
      return nameOf;
    case "readlink":
    case "realpath":
      return realPath;
    case "touch":
      return touch;
    case "mktemp":
      return temporary;
    case "chmod":
    case "chown":
    case "chgrp":
    case "chattr":
    case "setfacl":
    case "chflags":
      return permissions;
    case "rm":
    case "unlink":
    case "shred":
    case "srm":
    case "trash":
    case "trash-put":
    case "rimraf":
      return remove;
    case "truncate":
      return truncate;
    case "cp":
    case "gcp":
    case "install":
    case "ln":
    case "ditto":
    case "link":
      return copy;
    case "mv":
      return move;
    case "mount":
    case "bindfs":
      return mount;
    case "dd":
      return dd;
    case "tee":
      return tee;
    case "find":
    case "gfind":
      return find;
    case "patch":
      return patch;
    case "apply_patch":
    case "applypatch":
      return applyPatch;
    case "pbcopy":
    case "xclip":
    case "xsel":
    case "wl-copy":
    case "clip":
    case "wall":
      return silent;
    default:
      return undefined;
  }
}

/** The files that are named come out by their names, beside whatever stands in a folder. */
function names(invocation: Invocation): void {
  if (invocation.io.out.get(1)?.kind !== "collect") return unrelated(invocation);
  const options = invocation.options({ short: "IwTD", long: "ignore hide width tabsize color format sort time" });
  // Without a name it is what lies in this folder; what is named may be a folder as well.
  const inside = options.operands.length < 2 && !options.has("d", "directory") ? [hidden("*")] : [];
  // With everything else that is known of a file, its name is one word of several.
  const sure = !options.has("l", "o", "g", "n", "s", "i", "long", "size", "inode");
  invocation.print(textSource(options.operands.flatMap(({ text, exact }) => (exact ? [`${text}\n`] : [])).join("")));
  invocation.printNames([...options.operands.map((file) => ({ ...file, sure })), ...inside.map((file) => ({ ...file, sure: false }))]);
}

function nameOf(invocation: Invocation): void {
  const options = invocation.options({ short: "s", long: "suffix" });
  const operand = options.operands[0];
  if (operand === undefined) return;
  const path = trimEnd(operand.text, "/");
  const cut = path.lastIndexOf("/");
  let text = invocation.name === "dirname" ? (cut < 0 ? "." : path.slice(0, cut) || "/") : path.slice(cut + 1);
  const suffix = options.value("s", "suffix")?.text ?? options.operands[1]?.text;
  if (invocation.name === "basename" && suffix !== undefined && text.endsWith(suffix) && text !== suffix)
    text = text.slice(0, text.length - suffix.length);
  invocation.print(operand.exact ? [{ from: "text", text: `${text}\n`, plain: true }] : [...operand.sources, { from: "unknown" }]);
}

/** Whatever this machine is called: `localhost` is it as well, and its real name is the machine's own affair. */
function hostname(invocation: Invocation): void {
  const [option, ...more] = invocation.args;
  const asked = invocation.name === "uname" ? option?.text === "-n" : option === undefined || /^-[fs]$/.test(option.text);
  if (!asked || more.length > 0) return unrelated(invocation);
  invocation.print([{ from: "text", text: "localhost\n", plain: true }]);
}

/** The same file by its absolute path; where a link leads is the disk's affair. */
function realPath(invocation: Invocation): void {
  const options = invocation.options({ long: "relative-to relative-base" });
  const follows =
    invocation.name === "realpath" || options.has("f", "e", "m", "canonicalize", "canonicalize-existing", "canonicalize-missing");
  const paths = options.operands.map((operand) => invocation.file(operand).path);
  if (!follows || options.has("relative-to", "relative-base", "q", "z") || paths.some((path) => path === undefined))
    return invocation.print([{ from: "unknown" }]);
  invocation.print([{ from: "text", text: paths.map((path) => `${path}\n`).join(""), plain: true }]);
}

/** `file -f f`, `sha256sum -c f`: the names in the list come out. */
function named(invocation: Invocation): void {
  const options = invocation.options({ short: "fmeFP", long: "files-from magic-file separator exclude" });
  if (invocation.name === "file") for (const list of options.values("f", "files-from")) invocation.tell(invocation.read(list));
  else if (options.has("c", "check")) invocation.complain(options.operands[0] ?? literal("-"));
  invocation.print([{ from: "unknown" }]);
}

/** The place of a program: its name is what matters to whoever starts it. */
function which(invocation: Invocation): void {
  const [name] = invocation.options({}).operands;
  if (name !== undefined)
    invocation.print(name.exact ? [{ from: "text", text: `/usr/bin/${name.text}\n`, plain: true }] : [{ from: "unknown" }]);
}

/** A file or folder that nobody else has: its name is made up here, and is the same wherever this call names it. */
function temporary(invocation: Invocation): void {
  const options = invocation.options({ short: "p", long: "tmpdir suffix" });
  const [template] = options.operands;
  if (template?.exact === false) return invocation.print([{ from: "unknown" }]);
  const folder = options.value("p", "tmpdir")?.text ?? "/tmp";
  const name = `${template?.text ?? "tmp.XXXXXXXXXX"}`.replace(/X{3,64}/, () => `pz${invocation.shell.core.descriptor++}`);
  const path = name.startsWith("/") || (template !== undefined && !options.has("t", "p", "tmpdir")) ? name : `${folder}/${name}`;
  invocation.print([{ from: "text", text: `${path}\n`, plain: true }]);
}

function touch(invocation: Invocation): void {
  for (const operand of invocation.options({ short: "drtA", long: "date reference time" }).operands) {
    invocation.emit({ kind: "write", file: invocation.file(operand), sources: [], append: true });
  }
}

function permissions(invocation: Invocation): void {
  const options = invocation.options({ long: "reference from", short: invocation.name === "setfacl" ? "mxMX" : "" });
  const skip = options.has("reference", "m", "x") ? 0 : 1;
  for (const operand of options.operands.slice(skip)) invocation.change(operand, "permissions");
}

function remove(invocation: Invocation): void {
  for (const operand of invocation.options({ short: "ns", long: "iterations size" }).operands) invocation.change(operand, "remove");
}

function truncate(invocation: Invocation): void {
  for (const operand of invocation.options({ short: "sr", long: "size reference" }).operands) invocation.change(operand, "truncate");
}

function copy(invocation: Invocation): void {
  const options = invocation.options({
    short: invocation.name === "install" ? "tSmog" : "tS",
    long: "target-directory suffix mode owner group backup",
  });
  if (invocation.name === "install" && options.has("d", "directory")) return;
  // No content goes: the target keeps its own.
  if (options.has("attributes-only")) {
    for (const operand of options.operands.slice(1)) invocation.change(operand, "permissions");
    return;
  }
  const single = options.has("T", "no-target-directory") || invocation.name === "ditto";
  place(invocation, options.value("t", "target-directory"), options.operands, single, (from, to, landing) => {
    // A link's target is read from the link's own folder.
    invocation.copy(from, to, landing);
  });
}

function move(invocation: Invocation): void {
  const options = invocation.options({ short: "tS", long: "target-directory suffix" });
  place(
    invocation,
    options.value("t", "target-directory"),
    options.operands,
    options.has("T", "no-target-directory"),
    (from, to, landing) => {
      invocation.copy(from, to, landing);
      invocation.emit({ kind: "change", file: invocation.file(from), how: "move" });
    },
  );
}

/** `mount --bind folder there`: the same folder under another name. */
function mount(invocation: Invocation): void {
  const options = invocation.options({ short: "toOULNT", long: "types options source target" });
  const [from, to] = options.operands;
  const binds =
    invocation.name === "bindfs" ||
    options.has("bind", "rbind", "B", "R") ||
    options.values("o", "options").some(({ text }) => /\br?bind\b/.test(text));
  if (binds && from !== undefined && to !== undefined) invocation.copy(from, to, "at");
  else unrelated(invocation);
}

/** Pairs of source and target as `cp` reads its operands. */
function place(
  invocation: Invocation,
  folder: Argument | undefined,
  operands: readonly Argument[],
  single: boolean,
  each: (from: Argument, to: Argument, landing: Landing) => void,
): void {
  if (folder !== undefined) {
    for (const operand of operands) each(operand, folder, "inside");
    return;
  }
  const to = operands[operands.length - 1];
  if (to === undefined) return;
  if (operands.length === 1) {
    // `ln -s target` makes a link of the same name here.
    if (invocation.name === "ln") each(to, literal("."), "inside");
    return;
  }
  const inside = !single && (operands.length > 2 || /(?:^|\/)\.{0,2}\/?$/.test(to.text));
  for (const operand of operands.slice(0, -1)) each(operand, to, inside ? "inside" : single ? "at" : "either");
}

/** `rename 's/a/b/' f …`, `rename a b f …`: new names are the expression's affair. */
function rename(invocation: Invocation): void {
  for (const operand of invocation.options({ short: "eE", long: "expr" }).operands.slice(1)) invocation.change(operand, "move");
}

function dd(invocation: Invocation): void {
  let input: Argument | undefined;
  let output: Argument | undefined;
  let plain = true;
  let keeps = false;
  let adds = false;
  for (const argument of invocation.args) {
    const equals = argument.text.indexOf("=");
    const value = { ...argument, text: argument.text.slice(equals + 1) };
    const key = argument.text.slice(0, equals);
    if (key === "if") input = value;
    else if (key === "of") output = value;
    else if (key === "oflag") adds ||= /append/.test(value.text);
    else if (/^o?seek$/.test(key) || (key === "conv" && value.text.includes("notrunc"))) keeps = true;
    if (key === "skip" || key === "count" || (key === "conv" && /ebcdic|ibm|case|swab/.test(value.text))) plain = false;
  }
  const read = input === undefined ? invocation.stdin : invocation.read(input);
  const sources = plain ? read : transformed(read);
  if (output === undefined) invocation.print(sources);
  else if (keeps && !adds) invocation.writeInto(output, sources);
  else invocation.write(output, sources, keeps);
}

/** Codex's own patch tool: the patch is its argument or, as a here-document, its standard input. */
function applyPatch(invocation: Invocation): void {
  const [argument] = invocation.args;
  const text = argument === undefined ? staticText(invocation.stdin) : argument.exact ? argument.text : undefined;
  if (text === undefined) return invocation.doubt("a patch is computed at run time");
  for (const effect of patchEffects(readPatch(text), (path) => invocation.file(literal(path)))) invocation.emit(effect);
}

function tee(invocation: Invocation): void {
  const options = invocation.options({});
  for (const operand of options.operands) invocation.write(operand, invocation.stdin, options.has("a", "append"));
  invocation.print(invocation.stdin);
}

const NAMING = /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|newer|size|mtime|mmin|perm|user|group|inum|empty|samefile)/;

function find(invocation: Invocation): void {
  const { args } = invocation;
  const starts: Argument[] = [];
  let at = 0;
  while (at < args.length && /^-[HLPOD]/.test(args[at]?.text ?? "")) at++;
  for (; at < args.length && !/^[-(!,]/.test(args[at]?.text ?? ""); at++) starts.push(args[at] as Argument);
  const roots = starts.length === 0 ? [literal(".")] : starts;
  const tests = args.slice(at);
  const chosen = tests.some((argument) => NAMING.test(argument.text));
  // A file named without a pattern lies at the start itself, or below it.
  const name = tests[tests.findIndex((argument) => /^-i?name$/.test(argument.text)) + 1];
  const targets = roots.flatMap((root): Argument[] => {
    if (!chosen) return [root];
    if (name === undefined || !name.exact || !/^-i?name$/.test(tests[tests.indexOf(name) - 1]?.text ?? "") || /[*?[\]]/.test(name.text))
      return [{ ...root, exact: false }];
    return baseName(root.text) === name.text
      ? [root]
      : [
          { text: `${root.text}/${name.text}`, exact: root.exact, sources: [] },
          { ...root, exact: false },
        ];
  });
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const command: Argument[] = [];
      const before = args.slice(args.length - tests.length, at);
      for (at++; at < args.length && args[at]?.text !== ";" && !(args[at]?.text === "+" && args[at - 1]?.text === "{}"); at++)
        command.push(args[at] as Argument);
      const removes = /^(?:rm|unlink|shred|truncate|mv|sed|chmod|chown)$/.test(command[0]?.text ?? "");
      const runs = /^(?:\{\}|(?:ba|z|da|k)?sh|source|\.|node|python3?)$/.test(command[0]?.text ?? "");
      const scripts = name !== undefined && /[*?]/.test(name.text) ? roots.map((root) => hidden(`${root.text}/${name.text}`)) : targets;
      // Without a choice by name every file below the start is meant, so the start itself stands for them.
      const found = chosen ? foundBelow(roots, before).map((one) => ({ ...one, exact: one.exact && one.sure })) : roots;
      const given = found.length > 0 ? found : roots.map((root) => ({ ...root, exact: false }));
      invocation.shell.each(runs ? scripts : removes ? targets : given, (root) => {
        invocation.start(command.map((word) => filled(word, "{}", root)));
      });
    } else if (text === "-delete") {
      for (const target of targets) invocation.change(target, "remove");
    } else if (/^-f(?:print|print0|ls|printf)$/.test(text)) {
      const target = args[++at];
      if (target !== undefined) invocation.write(target, [{ from: "unknown" }]);
    }
  }
  invocation.printNames(foundBelow(roots, tests));
}

/** Tests of `find` that leave out no file which lies where its name is looked for. */
const SURE = /^-(?:name|type|print0?|follow|mount|xdev|maxdepth|depth|files0-from)$/;

/** What `find` may print, as far as its tests tell: the start itself, files of a name, or what fits a pattern. */
function foundBelow(roots: readonly Argument[], tests: readonly Argument[]): readonly Listed[] {
  const words = tests.filter(({ text }) => text.startsWith("-") || text === "!").map(({ text }) => text);
  const isOther = (word: string): boolean =>
    word === "!" || /^-(?:not|prune|path|wholename|ipath|regex|iregex|delete|exec|ok|ls|printf)/.test(word);
  if (words.some(isOther)) return [];
  const looked = tests.flatMap((test, at) => (/^-i?name$/.test(tests[at - 1]?.text ?? "") ? [test] : []));
  const folders = tests.some(({ text }, at) => text === "d" && tests[at - 1]?.text === "-type");
  const sure = words.every((word) => SURE.test(word)) && looked.length < 2 && !folders;
  if (looked.length === 0) return words.every((word) => SURE.test(word)) && !folders ? roots.map((root) => ({ ...root, sure })) : [];
  return roots.flatMap((root) =>
    looked.flatMap((name): readonly Listed[] => {
      if (!name.exact) return [];
      if (baseName(root.text) === name.text) return [{ ...root, sure }];
      const text = `${root.text}/${name.text}`;
      if (/[*?[\]]/.test(name.text)) return [text, `${root.text}/**/${name.text}`].map((one) => ({ ...hidden(one), sure: false }));
      return [
        { text, exact: root.exact, sources: [], sure },
        { ...hidden(`${root.text}/**/${name.text}`), sure: false },
      ];
    }),
  );
}

/** A word that only the disk tells. */
function hidden(text: string): Argument {
  return { text, exact: false, sources: [] };
}

/** `fd pattern [path] -x cmd`: what it finds is known by the pattern where that is a plain text, whole or as a part of the name. */
function fd(invocation: Invocation): void {
  const at = invocation.args.findIndex((argument) => /^(?:-x|-X|--exec|--exec-batch)$/.test(argument.text));
  const words = at < 0 ? invocation.args : invocation.args.slice(0, at);
  const [pattern, ...places] = readOptions(words, FD).operands;
  const name = /^\^?([\w.-]{1,100})\$?$/.exec(pattern?.text ?? "")?.[1];
  const roots = places.length === 0 ? [literal(".")] : places;
  const found = roots.map((root) => hidden(`${root.text}/${name === undefined ? "*" : `*${name}*`}`));
  if (at >= 0) {
    const command = invocation.args.slice(at + 1).filter((argument) => argument.text !== ";");
    const named = command.some((word) => word.text.includes("{"));
    invocation.shell.each(found, (file) => {
      const words = command.map((word) => (word.text.includes("{") ? { ...filled(word, "{}", file), exact: false } : word));
      invocation.start(named ? words : [...words, file]);
    });
    return invocation.print([{ from: "unknown" }]);
  }
  invocation.printNames(found.map((file) => ({ ...file, sure: false })));
}

const FD: OptionTable = {
  short: "dtESocjC",
  long: "max-depth min-depth exact-depth type extension exclude size owner color threads base-directory changed-within changed-before and",
};

/** A patch's text is what goes into the files it names. */
function patch(invocation: Invocation): void {
  const options = invocation.options({ short: "pdDioFgzBVrY", long: "strip directory input output fuzz" });
  const input = options.value("i", "input") ?? options.operands[1];
  const sources = input === undefined ? invocation.stdin : invocation.read(input);
  const target = options.operands[0];
  if (target !== undefined) {
    invocation.change(target, "edit");
    invocation.emit({ kind: "write", file: invocation.file(target), sources, append: true });
    return;
  }
  for (const source of sources) {
    if (source.from !== "text") continue;
    for (const match of source.text.matchAll(/^\+\+\+ (?:b\/)?(\S{1,1024})/gm)) {
      const file = invocation.file(literal(match[1] ?? ""));
      invocation.emit({ kind: "change", file, how: "edit" });
      invocation.emit({ kind: "write", file, sources: [source], append: true });
    }
  }
}
