/**
 * What Git would take or send (L-042 … L-048): for each Git command of one shell line, the content it would put into
 * the index or a commit or send to a remote, and the texts it would publish.
 *
 * Trust: repository, configuration and arguments are hostile (see process.ts). Commands that surely take nothing start
 * no process and open no file. What cannot be found out within the limits is `unfinished`, never silence.
 */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Argument, GitInvocation } from "../effect.ts";
import { added, hashed, indexed } from "./add.ts";
import { meaningOf } from "./alias.ts";
import { Unfinished } from "./budget.ts";
import { committed } from "./commit.ts";
import { Line, type Place } from "./line.ts";
import { settingOf } from "./movement.ts";
import { contentOf, patched, taken as textTaken, textFiles, texts } from "./message.ts";
import { parseOptions } from "./options.ts";
import { pushed } from "./push.ts";
import { isQuiet } from "./quiet.ts";
import type { Pending, Taken, Taking } from "./taking.ts";

export { Unfinished } from "./budget.ts";
export { isBinary, readableRuns } from "./content.ts";
export { ignoredBy, ignoredByGit, type IgnoreRule, ignoreRules, ignores } from "./ignore.ts";
export { type Printed, printed, prints } from "./printed.ts";
export type { Pending, Taken, Taking } from "./taking.ts";

const NOTHING: Taking = { root: undefined, taken: [], unfinished: undefined };

/**
 * What each command takes, in order; one answer per invocation. Later commands count on what earlier ones do, so the
 * union of all answers is what the line takes. `pending` are files the line writes before Git sees them.
 * Never throws for hostile input.
 */
export function takes(invocations: readonly GitInvocation[], pending: readonly Pending[], system: System): readonly Taking[] {
  const line = new Line(pending, system);
  const earlier: GitInvocation[] = [];
  return invocations.map((invocation, index) => {
    const taken: Taken[] = [];
    line.step = index;
    let real: GitInvocation | { readonly shell: string } = invocation;
    try {
      real = withoutAliases(invocation, earlier, line);
      if ("shell" in real) {
        const place = line.place(invocation);
        return { root: place && line.repository(place)?.root, taken, unfinished: undefined, shell: real.shell };
      }
      const commits = invocations.slice(index + 1).some(({ subcommand }) => subcommand === "commit");
      return takesOne(real, earlier, commits, line, taken);
    } catch (problem) {
      if (!(problem instanceof Unfinished)) throw problem;
      return { root: undefined, taken, unfinished: problem.message };
    } finally {
      // What a shell alias did to references cannot be told.
      earlier.push("shell" in real ? { ...invocation, subcommand: "!", args: [] } : real);
    }
  });
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

function takesOne(invocation: GitInvocation, earlier: readonly GitInvocation[], commits: boolean, line: Line, taken: Taken[]): Taking {
  const { subcommand, args, stdin, cwd } = invocation;
  if (NAMING.includes(` ${subcommand} `)) taken.push(...identities(invocation, earlier));
  const answer = (root?: string, shell?: string): Taking => ({
    root,
    taken,
    unfinished: undefined,
    ...(shell === undefined ? {} : { shell }),
  });
  const place = (): Place => {
    const found = line.place(invocation);
    if (found === undefined) throw new Unfinished("the folder is only known at run time");
    return found;
  };
  switch (subcommand) {
    case "add":
    case "stage": {
      // Without content until a commit of the same line picks the paths up.
      const intent = parseOptions(args, ["N|intent-to-add", "chmod=", "pathspec-from-file="]).has("intent-to-add");
      return intent && !commits ? NOTHING : answer(added(invocation, place(), line, taken));
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
    case "subtree":
      return args[0]?.text === "push" || args.some(({ text }) => text === "push")
        ? answer(pushed(invocation, earlier, place(), line, taken, true))
        : NOTHING;
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
      return answer();
    }
    case "mktag":
      taken.push(...textTaken("tag message", line.flow(stdin)));
      return answer();
    case "fast-import":
      taken.push(...textTaken("commit", line.flow(stdin)));
      return answer();
    case "am":
    case "apply": {
      const parsed = parseOptions(args, [
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
      ]);
      if (subcommand === "apply" && !["index", "cached", "3way"].some((option) => parsed.has(option))) return NOTHING;
      const files: readonly Argument[] = parsed.operands.length > 0 ? parsed.operands : [{ text: "-", exact: true, sources: [] }];
      for (const file of files) taken.push(...patched(contentOf(file, stdin, cwd, line).text));
      return answer();
    }
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
      if (verb === "foreach")
        return answer(
          undefined,
          parsed.operands
            .slice(1)
            .map(({ text }) => text)
            .join(" "),
        );
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
              .map(({ text, exact }) => (exact ? `'${text.replaceAll("'", "'\\''")}'` : text))
              .join(" "),
          )
        : NOTHING;
    case "init":
    case "init-db":
    case "clone": {
      const folder = createdFolder(invocation, line);
      if (folder !== undefined) line.create(folder);
      return NOTHING;
    }
    default:
      return NOTHING;
  }
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

/** The working tree `git init` or `git clone` makes; undefined when it cannot be told or is bare. */
function createdFolder({ subcommand, args, cwd }: GitInvocation, line: Line): string | undefined {
  const parsed = parseOptions(args, [
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
  ]);
  if (parsed.has("bare") || parsed.has("mirror")) return undefined;
  const [first, second] = parsed.operands;
  if (subcommand !== "clone") return first === undefined ? cwd : first.exact ? line.path(first.text, cwd) : undefined;
  const name = second ?? first;
  if (name === undefined || !name.exact) return undefined;
  return line.path(second?.text ?? cloneName(name.text), cwd);
}

/** The folder a clone of this address gets by default. */
function cloneName(address: string): string {
  const parts = address.split(/[/:]/).filter((part) => part !== "" && part !== ".git");
  return (parts.at(-1) ?? "").replace(/\.git$/, "");
}

/** Git's own commands handled above; no alias can stand in their place. */
const TAKING =
  " add stage update-index hash-object commit push send-pack tag merge notes commit-tree mktag fast-import am apply remote submodule config rebase bisect init init-db clone ";
