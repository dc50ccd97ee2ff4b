/** git: handed on as an invocation for the git room; content it prints and addresses it contacts are told here. */
import type { Argument, Effect, GitInvocation, Source } from "../../effect.ts";
import { baseName, resolvePath } from "../../path.ts";
import { GIT_FOLDER_TEXT, TOP_LEVEL_TEXT, argumentSources, literal, sliceArgument, transformed } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";
import { contacts } from "./git-contacts.ts";
import { configuredCommand, nested, writesMessage } from "./git-started.ts";
import { givenSettings, identities, ownSettings, settingOf } from "./git-settings.ts";
import { pushes, pushesBehind } from "./pushes.ts";
import { fileSource } from "../state.ts";

/** The handler of git. */
export function gitCommand(name: string): Handler | undefined {
  if (name === "git") return git;
  if (OTHERS.has(name)) return other;
  if (name === "yadm") return yadm;
  // `git-commit` on the exec path is git's own subcommand.
  if (name.startsWith("git-") && /^git-(?:add|commit|push|show|log|diff|stash|tag|stage)$/.test(name)) {
    return (invocation) => run(invocation, [literal(name.slice(4)), ...invocation.args]);
  }
  return undefined;
}

/** Other version control, with the words that send commits away. What is sent by a commit itself was added before. */
const OTHERS: ReadonlyMap<string, RegExp> = new Map([
  ["svn", /^(?!)/],
  ["chezmoi", /^(?!)/],
  ["jj", /^(?:git push|gerrit upload)\b/],
  ["hg", /^push\b/],
  ["chg", /^push\b/],
  ["sl", /^(?:push|pr submit|pr s|ghstack submit|ghstack)\b/],
]);

/** Git over the home folder, with its repository out of sight. */
function yadm(invocation: Invocation): void {
  const { home } = invocation.world;
  if (!/^(?:add|commit|push|stash|tag|rm|status|diff|log|show|checkout|pull|fetch|branch|merge|remote)$/.test(invocation.text(0)))
    return invocation.print([{ from: "unknown" }]);
  run(invocation, [literal(`--git-dir=${home}/.local/share/yadm/repo.git`), literal(`--work-tree=${home}`), ...invocation.args]);
}

/** `jj git push`, `hg push`, `sl push`: handed on as a push of that kind; `hg add f`, `chezmoi add f` as what takes a file in. */
function other(invocation: Invocation): void {
  const options = readOptions(invocation.args, {
    short: "RbXI",
    long: "repository cwd config config-file exclude include depth targets source destination working-tree",
  });
  const words = options.operands.map(({ text }) => text).join(" ");
  invocation.print([{ from: "unknown" }]);
  const [verb, ...files] = options.operands;
  if (verb?.text === "add" && !options.has("encrypt", "n", "dry-run")) {
    const subcommand = `${invocation.name.replace("chg", "hg")} add`;
    return invocation.emit({
      kind: "git",
      invocation: { cwd: invocation.cwd, globals: [], environment: {}, subcommand, args: files, stdin: [] },
    });
  }
  if (OTHERS.get(invocation.name)?.test(words) !== true || options.has("dry-run")) return;
  const folder = options.value("R", "repository", "cwd");
  const cwd =
    folder === undefined ? invocation.cwd : folder.exact ? resolvePath(folder.text, invocation.cwd, invocation.world).path : undefined;
  invocation.emit({
    kind: "git",
    invocation: { cwd, globals: [], environment: {}, subcommand: `${invocation.name.replace("chg", "hg")} push`, args: [], stdin: [] },
  });
}

function git(invocation: Invocation): void {
  run(invocation, invocation.args);
}

const WITH_VALUE = new Set([
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--list-cmds",
]);

/** Options that say where the repository is. */
const PLACING = new Set(["--git-dir", "--work-tree", "--namespace"]);

/** What Git finds by itself as well. */
function isOwnPlace(option: string, text: string): boolean {
  return text === (option === "--git-dir" ? GIT_FOLDER_TEXT : option === "--work-tree" ? TOP_LEVEL_TEXT : undefined);
}

function run(invocation: Invocation, args: readonly Argument[]): void {
  let cwd: string | undefined = invocation.cwd;
  let top = invocation.shell.state.top;
  const globals: string[] = [];
  const settings: Argument[] = [];
  // The repository is only known at run time.
  let hidden = false;
  let at = 0;
  for (; at < args.length; at++) {
    const argument = args[at] as Argument;
    const text = argument.text;
    if (text === "-C") {
      const folder = args[++at];
      if (folder === undefined) break;
      const from: string | undefined = cwd ?? top?.cwd;
      top =
        !folder.exact && folder.text.startsWith(TOP_LEVEL_TEXT) && from !== undefined
          ? { cwd: from, sub: folder.text.slice(TOP_LEVEL_TEXT.length).replace(/^\//, "") }
          : undefined;
      cwd = folder.exact ? (folder.text === "" ? cwd : resolvePath(folder.text, cwd, invocation.world).path) : undefined;
    } else if (WITH_VALUE.has(text)) {
      const value = args[++at];
      if (value !== undefined && PLACING.has(text) && !value.exact) {
        if (!isOwnPlace(text, value.text)) hidden = true;
        continue;
      }
      globals.push(text, value?.text ?? "");
      if (value !== undefined) settings.push(...settingOf(invocation, text, value));
    } else if (text.startsWith("-") && text !== "-") {
      const cut = text.indexOf("=");
      if (!argument.exact && cut > 0 && PLACING.has(text.slice(0, cut))) {
        if (!isOwnPlace(text.slice(0, cut), text.slice(cut + 1))) hidden = true;
        continue;
      }
      globals.push(text);
      if (/^-c./.test(text)) settings.push({ ...argument, text: text.slice(2) });
      else if (text.startsWith("--config-env=")) settings.push(...settingOf(invocation, "--config-env", sliceArgument(argument, 13)));
    } else break;
  }
  const subcommand = args[at];
  if (subcommand === undefined) {
    invocation.print([{ from: "unknown" }]);
    return;
  }
  const rest = args.slice(at + 1).map((argument) => withContent(invocation, argument));
  settings.push(...givenSettings(invocation), ...ownSettings(subcommand.text, rest));
  for (const setting of settings) configuredCommand(invocation, setting, subcommand.text, rest);
  const environment = gitEnvironment(invocation);
  const gitInvocation: GitInvocation = {
    cwd: hidden || environment === undefined ? undefined : (cwd ?? top?.cwd),
    chain: invocation.shell.core.chain,
    globals,
    environment: environment ?? {},
    subcommand: subcommand.text,
    args: cwd === undefined && top !== undefined ? fromTop(subcommand.text, rest, top.sub) : rest,
    stdin: invocation.stdin,
  };
  if (!subcommand.exact) invocation.doubt("a git command is computed at run time");
  const effect: Effect = { kind: "git", invocation: gitInvocation };
  invocation.emit(effect);
  const names = identities(invocation, subcommand.text, settings);
  if (names.length > 0) writesMessage(invocation, names);
  if (pushesBehind(subcommand.text, rest.map(({ text }) => text).join(" "))) pushes(invocation);
  nested(invocation, subcommand.text, rest);
  changes(invocation, subcommand.text, rest, gitInvocation.cwd);
  if (subcommand.text === "clone") clones(invocation, rest, gitInvocation.cwd);
  contacts(invocation, subcommand.text, rest, settings);
  prints(invocation, subcommand.text, rest);
}

/** A process substitution (`-F <(…)`) brings its content along: its path means nothing later. */
function withContent(invocation: Invocation, argument: Argument): Argument {
  const path = /(?:^|=)(\/dev\/fd\/\d{1,9})$/.exec(argument.text)?.[1];
  return path === undefined ? argument : { ...argument, sources: [...argument.sources, ...invocation.read(literal(path))] };
}

/** Paths of `git add` and the like, written so that they mean the same from inside the repository. */
function fromTop(subcommand: string, rest: readonly Argument[], sub: string): Argument[] {
  if (!/^(?:add|stage)$/.test(subcommand)) return [...rest];
  return rest.map((argument) => {
    if (argument.text.startsWith("-") || argument.text.startsWith(":") || argument.text.startsWith("/")) return argument;
    const path = [sub, argument.text].filter((part) => part !== "" && part !== ".").join("/");
    return { ...argument, text: path === "" ? ":/" : `:(top)${path}` };
  });
}

/** GIT_* set in the command itself, before it or exported earlier; undefined when they put the repository where only the run tells. */
function gitEnvironment(invocation: Invocation): Record<string, string> | undefined {
  const environment: Record<string, string> = {};
  const set = new Map<string, Argument>();
  for (const [name, variable] of invocation.shell.state.variables) {
    const [value] = variable.values;
    if (name.startsWith("GIT_") && variable.exported && value !== undefined) set.set(name, value);
  }
  for (const [name, value] of invocation.environment) if (name.startsWith("GIT_")) set.set(name, value);
  for (const [name, value] of set) {
    if (value.exact) environment[name] = value.text;
    else if (/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY)$/.test(name)) {
      if (!isOwnPlace(name === "GIT_DIR" ? "--git-dir" : "--work-tree", value.text)) return undefined;
    } else if (invocation.environment.has(name)) environment[name] = value.text;
  }
  return environment;
}

/** Files of the working tree that a command replaces or removes by name. */
function changes(invocation: Invocation, subcommand: string, rest: readonly Argument[], cwd: string | undefined): void {
  if (!/^(?:checkout|restore|rm|mv|clean)$/.test(subcommand)) return;
  const dashes = rest.findIndex(({ text }) => text === "--");
  const named =
    dashes >= 0
      ? rest.slice(dashes + 1)
      : rest.filter(({ text }) => !text.startsWith("-") && (subcommand === "checkout" ? /^\.$|\.\w{1,10}$/.test(text) : /[./]/.test(text)));
  if (subcommand === "checkout" && rest.some(({ text }) => /^-[bB]$|^--(?:orphan|track|detach)/.test(text))) return;
  if (subcommand === "rm" && rest.some(({ text }) => text === "--cached")) return;
  for (const argument of named) {
    const file = argument.exact ? resolvePath(argument.text, cwd, invocation.world) : { written: argument.text, path: undefined };
    invocation.emit({
      kind: "change",
      file,
      how: subcommand === "rm" || subcommand === "clean" ? "remove" : subcommand === "mv" ? "move" : "edit",
    });
    if (subcommand === "mv") break;
  }
}

/** A clone of a repository on this machine holds what that one's folder holds. */
function clones(invocation: Invocation, rest: readonly Argument[], cwd: string | undefined): void {
  const { operands } = readOptions(rest, {
    short: "bcjou",
    long: "branch config jobs origin upload-pack reference reference-if-able depth shallow-since shallow-exclude separate-git-dir template filter server-option bundle-uri",
  });
  const [from, named] = operands;
  if (from === undefined || !from.exact || /^[^/]{1,255}:/.test(from.text)) return;
  const path = (text: string): string | undefined => resolvePath(text, cwd, invocation.world).path;
  const source = path(from.text);
  const to = named === undefined ? path(baseName(from.text)) : named.exact ? path(named.text) : undefined;
  if (source === undefined || to === undefined || source === to) return;
  const folders = [`${source}/.git`, ...(source.endsWith(".git") ? [source] : [])];
  invocation.shell.core.overlay.write(
    to,
    folders.map((folder) => fileSource({ written: folder, path: folder }, true)),
    true,
  );
}

const NO_CONTENT = new Set([
  "stat",
  "shortstat",
  "numstat",
  "name-only",
  "name-status",
  "summary",
  "dirstat",
  "quiet",
  "s",
  "no-patch",
  "check",
  "exit-code",
  "compact-summary",
  "raw",
]);

/** Content that git prints: what `git show`, `git diff` and the like put on standard output. */
function prints(invocation: Invocation, subcommand: string, rest: readonly Argument[]): void {
  const options = readOptions(rest, {
    short: "SGOUlLnMC",
    long: "format pretty output diff-filter inter-hunk-context since until after before author grep max-count word-diff-regex color",
  });
  const without = options.options.some((option) => NO_CONTENT.has(option.name));
  const content = (): Source => ({ from: "git content", path: namedPath(rest), plain: true });
  switch (subcommand) {
    case "show":
    case "diff":
    case "diff-index":
    case "diff-files":
    case "diff-tree":
    case "format-patch":
    case "range-diff":
    case "difftool": {
      const patch = options.has("p", "patch", "u", "patch-with-stat", "U", "unified");
      const output = options.value("output");
      if (without && !patch) break;
      if (/^diff-(?:index|files|tree)$/.test(subcommand) && !patch) break;
      if (subcommand === "format-patch" && !options.has("stdout")) break;
      if (output !== undefined) return invocation.write(output, [content()]);
      // `git diff --no-index a b` reads plain files.
      if (options.has("no-index")) return invocation.print(invocation.readAll(options.operands.filter((operand) => operand.text !== "--")));
      return invocation.print([content()]);
    }
    case "log":
    case "reflog":
    case "whatchanged":
      if (options.has("p", "patch", "u", "c", "cc", "S", "G", "L", "U", "full-diff") && options.has("p", "patch", "u", "c", "cc", "L", "U"))
        return invocation.print([content()]);
      break;
    case "cat-file":
      if (options.has("p", "textconv", "filters", "batch") || /^(?:blob|tree|commit|tag)$/.test(options.operands[0]?.text ?? ""))
        return invocation.print([content()]);
      break;
    case "stash":
      if (options.operands[0]?.text === "show" && options.has("p", "patch", "u", "include-untracked")) return invocation.print([content()]);
      break;
    case "grep":
      if (options.has("no-index")) {
        const named = readOptions(rest, { short: "eABCfmO", long: "threads max-depth max-count" });
        if (named.has("l", "c", "q", "L", "files-with-matches", "count", "quiet", "name-only")) break;
        const files = named.operands.slice(named.has("e", "f") ? 0 : 1);
        return invocation.print(invocation.readAll(files.length === 0 ? [literal(".")] : files));
      }
      if (!options.has("l", "c", "q", "L", "files-with-matches", "count", "quiet", "name-only")) return invocation.print([content()]);
      break;
    case "config":
      return configures(invocation, rest);
    case "blame":
    case "annotate":
      return invocation.print([{ from: "git content", path: options.operands[options.operands.length - 1]?.text, plain: true }]);
    case "archive":
    case "bundle":
    case "fast-export": {
      const own = readOptions(rest, { short: "o", long: "output format prefix remote add-file add-virtual-file mtime exec" });
      const packed: readonly Source[] = [
        { from: "git content", path: undefined, plain: false },
        ...(subcommand === "archive" ? transformed(own.values("add-file").flatMap((file) => [...invocation.read(file)])) : []),
        ...(subcommand === "archive" ? transformed(own.values("add-virtual-file").flatMap(argumentSources)) : []),
      ];
      const target = subcommand === "bundle" ? options.operands[1] : own.value("o", "output");
      if (target !== undefined) return invocation.write(target, packed);
      return invocation.print(packed);
    }
    case "credential":
      if (options.operands[0]?.text === "fill")
        return invocation.print([{ from: "credential command", command: "git credential fill", plain: true }]);
      break;
    case "credential-store":
    case "credential-cache":
    case "credential-osxkeychain":
    case "credential-manager":
      if (options.operands.some((operand) => operand.text === "get"))
        return invocation.print([{ from: "credential command", command: `git ${subcommand} get`, plain: true }]);
      break;
    case "stripspace":
    case "column":
      return invocation.print(invocation.stdin);
    case "interpret-trailers":
      return invocation.print(invocation.readAll(readOptions(rest, { long: "trailer where if-exists if-missing" }).operands));
    case "hash-object":
    case "check-ignore":
      break;
  }
  invocation.print([{ from: "unknown" }]);
}

/** `git config -f f key` prints from any file, and writes into it. */
function configures(invocation: Invocation, rest: readonly Argument[]): void {
  const options = readOptions(rest, { short: "ft", long: "file blob type default comment value url" });
  const file = options.value("f", "file");
  if (file === undefined) return invocation.print([{ from: "unknown" }]);
  const words = options.operands.map((operand) => operand.text);
  const reads =
    options.options.some(({ name }) => /^(?:get|get-all|get-regexp|get-urlmatch|list|l)$/.test(name)) ||
    /^(?:get|list)$/.test(words[0] ?? "") ||
    words.length < 2;
  const removes = options.options.some(({ name }) => /^(?:unset|unset-all|remove-section|rename-section|edit|e)$/.test(name));
  if (reads && !removes) return invocation.print(options.has("name-only") ? [{ from: "unknown" }] : invocation.read(file));
  invocation.change(file, "edit");
  invocation.emit({ kind: "write", file: invocation.file(file), sources: options.operands.flatMap(argumentSources), append: true });
}

/** The one path a command names: `REV:path`, or what follows `--`. */
function namedPath(rest: readonly Argument[]): string | undefined {
  const dashes = rest.findIndex((argument) => argument.text === "--");
  if (dashes >= 0) return rest.length === dashes + 2 && rest[dashes + 1]?.exact === true ? rest[dashes + 1]?.text : undefined;
  for (const argument of rest) {
    if (argument.text.startsWith("-") || !argument.exact) continue;
    const match = /^[^:\s]{0,255}:(?:\.\/)?([^:].{0,4095})$/.exec(argument.text);
    if (match !== null) return match[1];
  }
  const last = rest[rest.length - 1];
  return last !== undefined &&
    last.exact &&
    !last.text.startsWith("-") &&
    /^[\w@./-]{1,1024}$/.test(last.text) &&
    last.text.includes(".") &&
    !last.text.endsWith(".") &&
    !last.text.includes("..")
    ? last.text
    : undefined;
}
