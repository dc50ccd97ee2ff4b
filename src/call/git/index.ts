/**
 * What Git would take or send (L-042 … L-048): for each Git command of one shell line, the content it would put into
 * the index or a commit or send to a remote, and the texts it would publish.
 *
 * Trust: repository, configuration and arguments are hostile (see process.ts). Commands that surely take nothing start
 * no process and open no file. What cannot be found out within the limits is `unfinished`, never silence.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument, GitInvocation, Source } from "../effect.ts";
import { quoted } from "../shell/quoting.ts";
import { added, hashed, indexed } from "./add.ts";
import { meaningOf } from "./alias.ts";
import { Unfinished } from "./budget.ts";
import { committed, stagedContent } from "./commit.ts";
import { Line, type Place } from "./line.ts";
import { imported } from "./import.ts";
import { addedWorktree, makesStash, resumes, settingOf, shortName } from "./movement.ts";
import { taken as textTaken, textFiles, texts } from "./message.ts";
import { parseOptions } from "./options.ts";
import { otherAdded, otherPushed } from "./other.ts";
import { mailed, patches } from "./patch.ts";
import { inside } from "./pathspec.ts";
import { dcommitted, pushed } from "./push.ts";
import { isQuiet } from "./quiet.ts";
import type { Repository } from "./repository.ts";
import { stashed } from "./stash.ts";
import type { Inspector, Pending, Sink, Taken, Taking } from "./taking.ts";

export { Unfinished } from "./budget.ts";
export { committedFile } from "./committed.ts";
export { isBinary, readableRuns } from "./content.ts";
export { isRepositoryFolder, kept } from "./kept.ts";
import { printedText, prints } from "./printed.ts";
export { type IgnoreRule, ignoreRule, ruleFits } from "./gitignore.ts";
export { ignoredBy, ignoredByGit, ignoreRules, trackedAndIgnored } from "./ignore.ts";
export { type Printed, printed, prints } from "./printed.ts";
export type { Clean, Inspector, Pending, Taken, Taking } from "./taking.ts";

const NOTHING: Omit<Taking, "taken"> = { root: undefined, unfinished: undefined };

/**
 * What each command takes, in order; one answer per invocation. Later commands count on what earlier ones do, so the
 * union of all answers is what the line takes. `pending` are files the line writes before Git sees them. An `inspector` gets
 * everything as it comes, and then nothing is listed. Never throws for hostile input.
 */
export function takes(
  invocations: readonly GitInvocation[],
  pending: readonly Pending[],
  system: System,
  inspector?: Inspector,
): readonly Taking[] {
  const line: Line = new Line(pending, system, () => printedText(printingOf(invocations, line), line), inspector);
  const earlier: GitInvocation[] = [];
  return invocations.map((invocation, index) => {
    const listed: Taken[] = [];
    let real: GitInvocation | { readonly shell: string } = invocation;
    const root = (): string | undefined => ("shell" in real ? undefined : rootOf(real, line));
    const taken: Sink = inspector === undefined ? listed : { push: (...items) => items.forEach((item) => inspector.look(item, root)) };
    line.step = index;
    try {
      real = withoutAliases(configured(invocation, earlier, line), earlier, line);
      if ("shell" in real) {
        return { root: rootOf(invocation, line), taken: listed, unfinished: undefined, shell: real.shell };
      }
      return { ...takesOne(real, earlier, invocations.slice(index + 1), line, taken), taken: listed };
    } catch (problem) {
      if (!(problem instanceof Unfinished)) throw problem;
      return { root: undefined, taken: listed, unfinished: problem.message };
    } finally {
      // What a shell alias did to references cannot be told.
      earlier.push("shell" in real ? { ...invocation, subcommand: "!", args: [] } : real);
    }
  });
}

/** Root of the working tree a command runs in. */
function rootOf(invocation: GitInvocation, line: Line): string | undefined {
  const place = line.place(invocation);
  return place && line.repository(place)?.root;
}

/** The command with the settings that earlier ones of the line write into the configuration it will read. */
function configured(invocation: GitInvocation, earlier: readonly GitInvocation[], line: Line): GitInvocation {
  const { cwd } = invocation;
  const globals = earlier.flatMap((before): readonly string[] => {
    const setting = before.subcommand === "config" ? settingOf(before.args) : undefined;
    if (setting === undefined || !setting.key.exact || !setting.value.exact) return [];
    const shared = before.args.some(({ text }) => text === "--global" || text === "--system");
    const near = cwd !== undefined && before.cwd !== undefined && (inside(cwd, before.cwd) || inside(before.cwd, cwd));
    if (!shared && !near) return [];
    const key = setting.key.text;
    // Git reads this one from files only.
    if (key.toLowerCase() === "core.worktree") return [`--work-tree=${line.path(setting.value.text, `${before.cwd}/.git`) ?? ""}`];
    return key.includes(".") && !/[\n=]/.test(key) ? ["-c", `${key}=${setting.value.text}`] : [];
  });
  return globals.length === 0 ? invocation : { ...invocation, globals: [...globals, ...invocation.globals] };
}

/** The line's commands that print content, but for the one at hand. */
function printingOf(invocations: readonly GitInvocation[], { step }: Line): readonly GitInvocation[] {
  return invocations.filter((invocation, index) => index !== step && prints(invocation));
}

/** Follows aliases; only names that Git does not have itself can be any. */
function withoutAliases(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  line: Line,
): GitInvocation | { readonly shell: string } {
  let current = invocation;
  const seen = new Set<string>();
  for (let depth = 0; depth < CHOSEN.git_aliases; depth++) {
    if (seen.has(current.subcommand)) return current; // Git refuses a loop
    seen.add(current.subcommand);
    if (TAKING.includes(` ${current.subcommand} `) || isQuiet(current.subcommand)) return current;
    const meaning = meaningOf(current, earlier, line);
    if (meaning === undefined) return current;
    if ("shell" in meaning) return meaning;
    current = meaning.invocation;
  }
  throw new Unfinished("its aliases are nested too deeply");
}

function takesOne(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  later: readonly GitInvocation[],
  line: Line,
  taken: Sink,
): Omit<Taking, "taken"> {
  const follows = (...names: readonly string[]): boolean => later.some(({ subcommand: name }) => names.includes(name));
  const { subcommand, args, stdin, cwd } = invocation;
  if (NAMING.includes(` ${subcommand} `)) taken.push(...identities(invocation, earlier));
  const answer = (root?: string, shell?: string): Omit<Taking, "taken"> => ({
    root,
    unfinished: undefined,
    ...(shell === undefined ? {} : { shell }),
  });
  const place = (): Place => {
    const found = line.place(invocation);
    if (found === undefined) throw new Unfinished("the folder is only known at run time");
    return found;
  };
  if (resumes(invocation)) {
    const repository = line.repository(place());
    if (repository !== undefined) taken.push(...stagedContent(repository));
    return answer(repository?.root);
  }
  switch (subcommand) {
    case "add":
    case "stage": {
      // Without content until a commit of the same line picks the paths up.
      const intent = parseOptions(args, ["N|intent-to-add", "chmod=", "pathspec-from-file="]).has("intent-to-add");
      return intent && !follows("commit") ? NOTHING : answer(added(invocation, earlier, place(), line, taken));
    }
    case "update-index":
      return answer(indexed(invocation, place(), line, taken));
    case "hash-object":
      hashed(invocation, line, taken);
      return answer();
    case "commit":
      return answer(committed(invocation, earlier, line.place(invocation), line, taken));
    case "push":
    case "send-pack":
      return answer(pushed(invocation, earlier, place(), line, taken));
    case "jj push":
    case "hg push":
    case "sl push":
      return answer(otherPushed(invocation, line, taken));
    case "hg add":
    case "sl add":
    case "svn add":
    case "chezmoi add":
      otherAdded(invocation, line, taken);
      return answer();
    case "subtree":
      return args[0]?.text === "push" || args.some(({ text }) => text === "push")
        ? answer(pushed(invocation, earlier, place(), line, taken, "subtree"))
        : NOTHING;
    case "svn":
      return args[0]?.text === "dcommit" ? answer(dcommitted(invocation, earlier, place(), line, taken)) : NOTHING;
    case "tag":
    case "merge": {
      const parsed = parseOptions(args, [
        "m|message=",
        "F|file=",
        "u|local-user=",
        "n=?",
        "sort=",
        "format=",
        "points-at=",
        "contains=?",
        "cleanup=",
        "s|strategy=",
        "X|strategy-option=",
        "S|gpg-sign=?",
        "d|delete",
        "v|verify",
        "l|list",
      ]);
      const where = subcommand === "tag" ? "tag message" : "message";
      taken.push(...texts(where, parsed.values("message"), line), ...textFiles(where, parsed.values("file"), stdin, cwd, line));
      return answer();
    }
    case "notes":
    case "commit-tree": {
      const parsed = parseOptions(args, ["m|message=", "F|file=", "c|reedit-message=", "C|reuse-message=", "p=", "ref=", "S|gpg-sign=?"]);
      taken.push(...texts("message", parsed.values("message"), line), ...textFiles("message", parsed.values("file"), stdin, cwd, line));
      if (subcommand === "commit-tree" && !parsed.has("message") && !parsed.has("file"))
        taken.push(...textTaken("message", line.flow(stdin)));
      // A tree that is only known at run time is what `write-tree` makes of the index.
      if (subcommand === "commit-tree" && parsed.operands[0]?.exact !== true) {
        const repository = line.repository(place());
        if (repository !== undefined) taken.push(...stagedContent(repository));
      }
      return answer();
    }
    case "mktag":
      taken.push(...textTaken("tag message", line.flow(stdin)));
      return answer();
    case "fast-import":
      // What Git itself exports is judged as it is, not as a stream.
      if (stdin.some(({ from }) => from === "git content")) taken.push(...textTaken("commit", line.flow(stdin)));
      else taken.push(...imported(line.flow(stdin)), ...put(stdin, line));
      return answer();
    case "stash":
      return makesStash(invocation) ? answer(stashed(invocation, place(), line, taken)) : NOTHING;
    case "am":
    case "apply": {
      const parsed = parseOptions(args, APPLYING);
      if (["check", "stat", "numstat", "summary", "abort", "skip", "continue", "quit"].some((option) => parsed.has(option))) return NOTHING;
      const staging = subcommand === "am" || ["index", "cached", "3way"].some((option) => parsed.has(option));
      // What lands in the working tree only is taken by what follows.
      if (!staging && !follows("add", "stage", "commit", "stash", "update-index")) return NOTHING;
      taken.push(...patches("index", parsed.operands, invocation, earlier, line));
      return answer();
    }
    case "send-email":
    case "imap-send":
      taken.push(...mailed(invocation, earlier, line));
      return answer();
    case "remote": {
      const parsed = parseOptions(args, ["t=", "m=", "mirror=?", "f", "tags", "push", "add", "delete"]);
      const verb = parsed.operands[0]?.text;
      if (verb === "add" || (verb === "set-url" && !parsed.has("delete")))
        taken.push(...texts("remote url", parsed.operands.slice(2), line));
      return answer();
    }
    case "submodule": {
      const parsed = parseOptions(args, ["b|branch=", "name=", "reference=", "depth="]);
      const verb = parsed.operands[0]?.text;
      if (verb === "add") taken.push(...texts("remote url", parsed.operands.slice(1, 2), line));
      if (verb === "foreach") return answer(undefined, eachSubmodule(parsed.operands.slice(1), line.repository(place())));
      return answer();
    }
    case "config": {
      taken.push(...texts("config", settingsOf(args), line));
      return answer();
    }
    case "rebase": {
      const commands = parseOptions(args, ["x|exec=", "s|strategy=", "X|strategy-option=", "onto=", "S|gpg-sign=?", "C="]).values("exec");
      return commands.length === 0 ? NOTHING : answer(undefined, commands.map(({ text }) => text).join("\n"));
    }
    case "bisect":
      return args[0]?.text === "run"
        ? answer(
            undefined,
            args
              .slice(1)
              .map(({ text, exact }) => (exact ? quoted(text) : text))
              .join(" "),
          )
        : NOTHING;
    case "worktree": {
      const linked = addedWorktree(invocation);
      const folder = linked?.folder.exact === true ? line.path(linked.folder.text, invocation.cwd) : undefined;
      if (folder !== undefined)
        line.create(folder, { from: invocation, branch: linked?.branch === undefined ? "" : shortName(linked.branch.text) });
      return NOTHING;
    }
    case "init":
    case "init-db":
    case "clone": {
      const folder = createdFolder(invocation, line);
      if (folder !== undefined) line.create(folder, clonedFrom(invocation, line));
      return NOTHING;
    }
    default:
      return NOTHING;
  }
}

/** Files whose content is put into a stream that stands in the line itself: where in it they come to lie is not told. */
function put(stdin: readonly Source[], line: Line): readonly Taken[] {
  if (!stdin.some(({ from }) => from === "text")) return [];
  return stdin.flatMap((source): readonly Taken[] => {
    const path = source.from === "file" ? source.file.path : undefined;
    const bytes = path === undefined ? undefined : line.file(path);
    return bytes === undefined || path === undefined
      ? []
      : [{ where: "commit", path: path.slice(path.lastIndexOf("/") + 1), bytes, text: undefined, isNew: true }];
  });
}

const APPLYING = [
  "index",
  "cached",
  "3|3way",
  "p=",
  "C=",
  "directory=",
  "include=",
  "exclude=",
  "whitespace=",
  "patch-format=",
  "S|gpg-sign=?",
  "check",
  "stat",
  "numstat",
  "summary",
  "abort",
  "skip",
  "continue",
  "quit",
];

/** A shell line that runs a command in every submodule; undefined where there is none. */
function eachSubmodule(words: readonly Argument[], repository: Repository | undefined): string | undefined {
  const root = repository?.root;
  if (repository === undefined || root === undefined || words.length === 0) return undefined;
  const listed = repository.git.run(["config", "-z", "-f", `${root}/.gitmodules`, "--get-regexp", "^submodule\\..*\\.path$"]);
  const folders = new TextDecoder()
    .decode(listed.stdout)
    .split("\0")
    .flatMap((entry) => entry.split("\n")[1] ?? [])
    .filter((path) => repository.system.info(`${root}/${path}/.git`) !== undefined);
  // One word is a script of its own, several are one command.
  const script = words.length === 1 ? words[0]?.text : words.map(({ text, exact }) => (exact ? quoted(text) : text)).join(" ");
  return folders.length === 0 ? undefined : folders.map((path) => `(cd ${quoted(`${root}/${path}`)} && ${script}\n)`).join("\n");
}

/** Commands that write the committer's or the author's name into an object. */
const NAMING = " commit tag merge cherry-pick revert rebase am pull commit-tree stash notes ";

/** Names and addresses given to the command itself: they stand in the commit for everyone to read. */
function identities({ environment, globals }: GitInvocation, earlier: readonly GitInvocation[]): readonly Taken[] {
  const fields = Object.entries(environment).flatMap(([name, value]) =>
    /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)$/.test(name) ? [value] : [],
  );
  for (const global of globals) {
    const value = /^(?:-c)?(?:user|author|committer)\.(?:name|email)=(.{1,4096})$/is.exec(global)?.[1];
    if (value !== undefined) fields.push(value);
  }
  for (const { subcommand, args } of earlier) {
    const setting = subcommand === "config" ? settingOf(args) : undefined;
    if (setting !== undefined && /^(?:user|author|committer)\.(?:name|email)$/i.test(setting.key.text)) fields.push(setting.value.text);
  }
  const text = fields.join("\n");
  return text === "" ? [] : [{ where: "message", path: undefined, bytes: undefined, text, isNew: true }];
}

/** The values a `git config` command writes, in either of its forms. */
function settingsOf(args: readonly Argument[]): readonly Argument[] {
  const parsed = parseOptions(args, [
    "global",
    "system",
    "local",
    "worktree",
    "f|file=",
    "blob=",
    "t|type=",
    "add",
    "replace-all",
    "default=",
    "get",
    "get-all",
    "get-regexp",
    "get-urlmatch",
    "get-color",
    "get-colorbool",
    "unset",
    "unset-all",
    "l|list",
    "e|edit",
    "rename-section",
    "remove-section",
    "comment=",
    "value=",
    "append",
    "all",
  ]);
  if (
    [
      "get",
      "get-all",
      "get-regexp",
      "get-urlmatch",
      "get-color",
      "get-colorbool",
      "unset",
      "unset-all",
      "list",
      "edit",
      "rename-section",
      "remove-section",
    ].some((option) => parsed.has(option))
  )
    return [];
  const [first] = parsed.operands;
  if (first === undefined || ["get", "list", "unset", "edit", "rename-section", "remove-section"].includes(first.text)) return [];
  return parsed.operands.slice(first.text === "set" ? 2 : 1).slice(0, 1);
}

const CREATING = [
  "bare",
  "mirror",
  "b|branch|initial-branch=",
  "template=",
  "separate-git-dir=",
  "object-format=",
  "shared=?",
  "o|origin=",
  "u|upload-pack=",
  "reference=",
  "reference-if-able=",
  "c|config=",
  "depth=",
  "shallow-since=",
  "shallow-exclude=",
  "j|jobs=",
  "filter=",
  "bundle-uri=",
  "server-option=",
];

/** The working tree `git init` or `git clone` makes; undefined when it cannot be told or is bare. */
function createdFolder({ subcommand, args, cwd }: GitInvocation, line: Line): string | undefined {
  const parsed = parseOptions(args, CREATING);
  if (parsed.has("bare") || parsed.has("mirror")) return undefined;
  const [first, second] = parsed.operands;
  if (subcommand !== "clone") return first === undefined ? cwd : first.exact ? line.path(first.text, cwd) : undefined;
  const name = second ?? first;
  if (name === undefined || !name.exact) return undefined;
  return line.path(second?.text ?? cloneName(name.text), cwd);
}

/** A repository of this machine that is cloned: what is pushed from the clone lies in it. */
function clonedFrom(invocation: GitInvocation, line: Line): Place["linked"] {
  if (invocation.subcommand !== "clone") return undefined;
  const [source] = parseOptions(invocation.args, CREATING).operands;
  const path = source?.exact === true ? line.path(source.text.replace(/^file:\/\//, ""), invocation.cwd) : undefined;
  return path === undefined || line.system.info(path)?.kind !== "folder"
    ? undefined
    : { from: { ...invocation, cwd: path, globals: [] }, branch: "HEAD" };
}

/** The folder a clone of this address gets by default. */
function cloneName(address: string): string {
  const parts = address.split(/[/:]/).filter((part) => part !== "" && part !== ".git");
  return (parts.at(-1) ?? "").replace(/\.git$/, "");
}

/** Git's own commands handled above; no alias can stand in their place. */
const TAKING =
  " add stage update-index hash-object commit push send-pack tag merge notes commit-tree mktag fast-import am apply send-email imap-send remote submodule config rebase bisect init init-db clone stash svn worktree cherry-pick revert ";
