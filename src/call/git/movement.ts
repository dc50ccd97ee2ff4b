/**
 * How earlier commands of the line move HEAD, branches and the index before a later one looks at them.
 *
 * A command that is not modelled here and may move a reference makes everything possible (`hidden`): the answer may
 * only ever name more than what is really there, never less.
 */
import type { Argument, GitInvocation } from "../effect.ts";
import { baseName } from "../path.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { covers, pathspecs } from "./pathspec.ts";
import type { System } from "../../system.ts";

/** Where references point when a later command runs, in revisions that can be read now. */
export interface Movement {
  /** What HEAD may hold. New commits of the line are not among them: their content is taken where they are made. */
  readonly heads: readonly string[];
  /** References the line makes or moves, by short name. */
  readonly made: ReadonlyMap<string, readonly string[]>;
  /** Single commits or ranges whose changes are repeated in new commits. */
  readonly repeated: readonly string[];
  /** Something moves in a way that cannot be told: any reference may hold anything. */
  readonly hidden: boolean;
  /** Commits come from another repository on this machine, which nobody has looked at. */
  readonly foreign: boolean;
  /** A remote may stand for another address than before: what it has is not known. */
  readonly redirected: boolean;
}

/** What the movements need to know of the repository. */
export interface Known {
  /** Tells a branch from a file name where Git accepts both. */
  readonly isCommit: (revision: string) => boolean;
  /** The address of a configured remote; undefined for a name that is none. */
  readonly address: (remote: string) => string | undefined;
  /** The remote the later command sends to. What comes from there may go back. */
  readonly target: string | undefined;
  /** The branch HEAD stands on before the line, "" for none. */
  readonly branch: string;
  /** References a fast-import stream sets, with what they come from. */
  readonly imported: (invocation: GitInvocation) => ReadonlyMap<string, readonly string[]> | undefined;
}

/** Where references point when a command runs, after the line's `earlier` ones; `branch` is the one HEAD stands on in a working tree the line added. */
export function movement({ chain }: GitInvocation, earlier: readonly GitInvocation[], branch: string | undefined, known: Known): Movement {
  const moves = new Moves(known);
  for (const invocation of earlier) moves.follow(invocation, invocation.chain === chain);
  if (branch !== undefined) moves.enter(branch);
  return moves;
}

/** Whether a command goes on with a merge, rebase or the like that stopped: it commits what is staged. */
export function resumes({ subcommand, args }: GitInvocation): boolean {
  return (
    ["merge", "rebase", "cherry-pick", "revert", "am"].includes(subcommand) &&
    args.some(({ text }) => /^--(?:continue|skip|resolved)$|^-r$/.test(text)) &&
    !(args.some(({ text }) => text === "-r") && subcommand !== "am")
  );
}

/** The working tree `git worktree add` makes: its folder as written, its branch ("" for none), and what it starts from. */
export function addedWorktree({
  subcommand,
  args,
}: GitInvocation): { readonly folder: Argument; readonly branch: Argument | undefined; readonly start: Argument | undefined } | undefined {
  if (subcommand !== "worktree") return undefined;
  const parsed = parseOptions(args, ["b=", "B=", "reason=", "orphan", "d|detach", "f|force", "track=?"]);
  const [verb, folder, start] = parsed.operands;
  if (verb?.text !== "add" || folder === undefined) return undefined;
  const named = [...parsed.values("b"), ...parsed.values("B")][0];
  // Without a name the branch is called as the folder, unless one is named to be stood on.
  const own = { ...folder, text: baseName(folder.text) };
  return { folder, start, branch: named ?? (parsed.has("detach") ? undefined : (start ?? own)) };
}

class Moves implements Movement {
  readonly made = new Map<string, readonly string[]>();
  readonly repeated: string[] = [];
  hidden = false;
  foreign = false;
  redirected = false;
  /** Remotes the line itself adds or points elsewhere. */
  private readonly addresses = new Map<string, string>();

  /** Where HEAD may stand: branches, "" for none, each with what HEAD holds there. */
  private readonly places: Map<string, readonly string[]>;
  /** The command at hand has surely succeeded once the later one runs. */
  private sure = true;

  constructor(private readonly known: Known) {
    this.places = new Map([[known.branch, ["HEAD"]]]);
  }

  get heads(): readonly string[] {
    return [...new Set([...this.places].flatMap(([on, own]) => this.held(on, own)))];
  }

  private held(on: string, own: readonly string[]): readonly string[] {
    return (on === "" ? undefined : this.made.get(on)) ?? own;
  }

  /** HEAD of a working tree that the line added; "" is a detached one. */
  enter(branch: string): void {
    this.sure = true;
    this.stand(branch, this.made.get(branch) ?? [branch]);
  }

  /** HEAD stands on a branch, or on revisions without one. */
  private stand(on: string, revisions: readonly string[]): void {
    if (this.sure) this.places.clear();
    this.places.set(on, [...(this.places.get(on) ?? []), ...revisions]);
  }

  /** `sure`: whether the later command only runs when this one succeeded. */
  follow(invocation: GitInvocation, sure: boolean): void {
    this.sure = sure;
    this.take(invocation);
  }

  private take(invocation: GitInvocation): void {
    const { subcommand, args } = invocation;
    // The end of something begun before: its commits lie in places that are not followed.
    if (resumes(invocation)) {
      this.hidden = true;
      return this.advance(["MERGE_HEAD"]);
    }
    switch (subcommand) {
      case "commit":
        // It may conclude a merge.
        return this.advance(["MERGE_HEAD"]);
      case "checkout":
      case "switch":
        return this.checkout(subcommand, args);
      case "branch":
      case "tag":
        return this.branch(subcommand, args);
      case "update-ref": {
        const parsed = parseOptions(args, ["m=", "d", "no-deref", "stdin", "z", "create-reflog"]);
        if (parsed.has("stdin")) this.hidden = true;
        const [name, to] = parsed.operands;
        if (to === undefined) return;
        return this.make(name, this.meaning([to]));
      }
      case "symbolic-ref": {
        const [name, to] = parseOptions(args, ["m=", "d|delete", "q|quiet", "short"]).operands;
        if (to === undefined) return;
        const revisions = this.meaning([to]);
        if (name?.exact === true && name.text === "HEAD") this.stand(shortName(to.text), revisions);
        else this.make(name, revisions);
        return;
      }
      case "cherry-pick": {
        const commits = this.meaning(parseOptions(args, COMBINING).operands);
        // What the commits change comes in, not what they build on.
        this.repeated.push(...commits.map((commit) => (commit.includes("..") ? commit : `${commit}^!`)));
        return this.advance([]);
      }
      case "merge":
      case "revert":
      case "rebase":
      case "reset": {
        const parsed = parseOptions(args, subcommand === "rebase" ? [...COMBINING, "x|exec=", "onto="] : COMBINING);
        if (subcommand === "reset" && this.sure && args.some(({ text }) => text === "--hard") && parsed.operands[0]?.exact === true) {
          const revisions = this.meaning(parsed.operands.slice(0, 1));
          for (const on of this.places.keys()) {
            this.places.set(on, revisions);
            if (on !== "") this.made.set(on, revisions);
          }
          return;
        }
        // `reset REV -- paths` moves the index only.
        const named = parsed.operands.slice(0, subcommand === "reset" ? 1 : undefined);
        return this.advance(this.meaning([...named, ...parsed.values("onto")]).flatMap((revision) => revision.split(/\.{2,3}/)));
      }
      case "fast-import": {
        const imported = this.known.imported(invocation);
        if (imported === undefined) this.hidden = true;
        for (const [name, revisions] of imported ?? [])
          this.made.set(
            shortName(name),
            revisions.flatMap((from) => this.made.get(shortName(from)) ?? [from]),
          );
        return;
      }
      case "subtree": {
        const parsed = parseOptions(args, ["P|prefix=", "b|branch=", "onto=", "m|message=", "annotate="]);
        if (parsed.operands[0]?.text !== "split" && parsed.operands[0]?.text !== "push") this.hidden = true;
        for (const name of parsed.values("branch")) this.make(name, this.heads);
        return;
      }
      case "pull":
      case "fetch":
        return this.fetch(subcommand, args);
      case "push": {
        // Into this very repository: its own branches move.
        const [to, ...specs] = parseOptions(args, ["o|push-option=", "repo=", "receive-pack=", "exec="]).operands;
        if (to?.exact !== true || !isHere(this.addressOf(to.text) ?? to.text)) return;
        for (const spec of specs) {
          const [source = "", name = source] = spec.text.replace(/^\+/, "").split(":");
          const revisions = this.meaning([{ ...spec, text: source }]);
          this.make({ ...spec, text: name }, revisions);
          this.advance(revisions);
        }
        return;
      }
      case "worktree": {
        const added = addedWorktree(invocation);
        if (added?.branch !== undefined && added.branch !== added.start) this.make(added.branch, this.start(added.start));
        if (added !== undefined && added.branch === undefined) this.made.set("", this.start(added.start));
        return;
      }
      case "stash": {
        const [verb, name] = parseOptions(args, ["m|message="]).operands;
        if (verb?.text === "branch") {
          const revisions = ["stash@{0}", "HEAD"];
          this.make(name, revisions);
          this.stand(name?.exact === true ? name.text : "", revisions);
        }
        return;
      }
      case "remote": {
        const { operands } = parseOptions(args, ["t=", "m=", "mirror=?", "f", "tags", "push", "add", "delete"]);
        if (args.some(({ text }) => text.startsWith("--mirror"))) this.hidden = true;
        const [verb, name, to] = operands;
        if (verb?.text === "add" || verb?.text === "set-url") {
          if (name === undefined || to === undefined) return;
          if (verb.text === "set-url") this.redirected = true;
          if (name.exact && to.exact) this.addresses.set(name.text, to.text);
          else this.hidden = true;
        } else if (verb?.text === "rename" && operands[2] !== undefined)
          this.addresses.set(operands[2].text, this.addressOf(name?.text ?? "") ?? "");
        return;
      }
      case "config":
        return this.configure(args);
      default:
        if (!STILL.includes(` ${subcommand} `)) this.hidden = true;
    }
  }

  private configure(args: readonly Argument[]): void {
    const setting = settingOf(args);
    if (setting === undefined) return;
    const { key, value } = setting;
    // Everything else that is written out counts as if it were set already.
    if (!key.exact || /^include(?:if)?\./i.test(key.text) || (!value.exact && /^(?:remote|push|branch)\./i.test(key.text)))
      this.hidden = true;
    const address = /^remote\.(.{1,1000})\.(?:push)?url$/i.exec(key.text)?.[1];
    if (address !== undefined) {
      this.addresses.set(address, value.text);
      this.redirected = true;
    }
    if (/^url\..{1,2000}\.(?:push)?insteadof$/i.test(key.text)) this.redirected = true;
  }

  private checkout(subcommand: string, args: readonly Argument[]): void {
    const parsed = parseOptions(args, ["b=", "B=", "c|create=", "C|force-create=", "orphan=", "t|track=?", "conflict=", "d|detach"]);
    const name = [...(subcommand === "checkout" ? ["b", "B"] : ["create", "force-create"]), "orphan"].flatMap((option) =>
      parsed.values(option),
    )[0];
    const [target] = parsed.operands;
    if (name !== undefined) {
      const start = this.start(target);
      this.make(name, start);
      this.stand(name.exact ? shortName(name.text) : "", start);
    } else if (target !== undefined && parsed.operands.length === 1 && parsed.dashes === undefined) {
      const to = this.meaning([target]);
      if (!target.exact) this.stand("", [...this.heads, ...to]);
      else if (this.made.has(target.text) || to.every(this.known.isCommit)) this.stand(parsed.has("detach") ? "" : target.text, to);
    }
  }

  private branch(subcommand: string, args: readonly Argument[]): void {
    const parsed = parseOptions(args, [
      "d|delete",
      "D",
      "m|move",
      "M",
      "c|copy",
      "C",
      "u|set-upstream-to=",
      "message=",
      "F|file=",
      "local-user=",
      "track=?",
      ...(subcommand === "tag" ? ["m|message=", "u|local-user="] : []),
    ]);
    const { operands } = parsed;
    if (parsed.has("delete") || parsed.has("D") || operands.length === 0) return;
    const renames = subcommand === "branch" && ["move", "M", "copy", "C"].some((option) => parsed.has(option));
    if (renames) this.make(operands.at(-1), operands.length > 1 ? this.meaning(operands.slice(0, 1)) : this.heads);
    else this.make(operands[0], this.start(operands[1]));
  }

  /** What comes from a network remote lies with somebody else already; what comes from this machine does not. */
  private fetch(subcommand: "fetch" | "pull", args: readonly Argument[]): void {
    const parsed = parseOptions(args, [
      "o|server-option=",
      "j|jobs=",
      "depth=",
      "deepen=",
      "shallow-since=",
      "refmap=",
      "upload-pack=",
      "negotiation-tip=",
      "s|strategy=",
      "X|strategy-option=",
      "r|rebase=?",
    ]);
    const [from, ...specs] = parsed.operands;
    const address = from === undefined ? "" : !from.exact ? undefined : (this.addressOf(from.text) ?? from.text);
    const own = address !== undefined && isHere(address);
    const local = address === undefined || (address !== "" && /^(?:\.|\/|~|file:|[A-Za-z]:[\\/])/.test(address));
    if (local && !own && from?.text !== this.known.target) this.foreign = true;
    const arrived: string[] = [];
    for (const spec of specs) {
      const [source = "", to] = spec.text.replace(/^\+/, "").split(":");
      if (!spec.exact || source.includes("*")) {
        this.hidden ||= own || !spec.exact;
        continue;
      }
      const revisions = own ? this.meaning([{ ...spec, text: source }]) : [];
      arrived.push(...revisions);
      if (to !== undefined && to !== "") this.make({ ...spec, text: to }, own ? revisions : [to]);
    }
    if (own && specs.length === 0) this.hidden = true;
    if (arrived.length > 0 || own) this.made.set("FETCH_HEAD", arrived);
    if (subcommand === "pull") this.advance(arrived);
  }

  private addressOf(remote: string): string | undefined {
    return this.addresses.get(remote) ?? this.known.address(remote);
  }

  private advance(revisions: readonly string[]): void {
    for (const [on, own] of this.places) {
      const heads = [...new Set([...this.held(on, own), ...revisions.filter((revision) => revision !== "")])];
      this.places.set(on, heads);
      if (on !== "") this.made.set(on, heads);
    }
  }

  private start(at: Argument | undefined): readonly string[] {
    return at === undefined ? this.heads : this.meaning([at]);
  }

  private meaning(args: readonly Argument[]): string[] {
    if (args.some((arg) => !arg.exact)) this.hidden = true;
    return args
      .filter((arg) => arg.exact)
      .flatMap(({ text }) =>
        text === "HEAD" || text === "@" ? this.heads : (this.made.get(shortName(text)) ?? [text === "-" ? "@{-1}" : text]),
      );
  }

  private make(name: Argument | undefined, revisions: readonly string[]): void {
    if (name === undefined) return;
    if (!name.exact) this.hidden = true;
    else if (name.text === "HEAD") this.advance(revisions);
    else {
      const short = shortName(name.text);
      const before = this.sure ? [] : (this.made.get(short) ?? [name.text]);
      this.made.set(short, [...revisions, ...before]);
    }
  }
}

/** The key and value a `git config` command sets, in either of its forms; undefined when it sets none. */
export function settingOf(args: readonly Argument[]): { readonly key: Argument; readonly value: Argument } | undefined {
  const { operands } = parseOptions(args, ["f|file=", "t|type=", "comment=", "value=", "default=", "blob="]);
  const [key, value] = operands[0]?.text === "set" ? operands.slice(1) : operands;
  return key === undefined || value === undefined || ["get", "unset", "list"].includes(key.text) ? undefined : { key, value };
}

/** Whether an address is the repository itself. */
function isHere(address: string): boolean {
  return /^(?:\.\/?|(?:\.\/)?\.git\/?)$/.test(address);
}

/** A reference's name as people write it. */
export function shortName(reference: string): string {
  return reference.replace(/^refs\/(?:heads|tags)\//, "");
}

/** Commands that move no reference, or only ones that are never pushed unnamed. */
const STILL =
  " add am annotate apply archive blame bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout-index cherry clean clone column" +
  " commit commit-graph commit-tree count-objects credential describe diagnose diff diff-files diff-index diff-tree difftool fast-export fetch-pack fmt-merge-msg" +
  " for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook index-pack init init-db interpret-trailers lfs log ls-files ls-remote" +
  " ls-tree mailinfo mailsplit maintenance merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant" +
  " pack-refs patch-id prune prune-packed range-diff read-tree reflog repack request-pull rerere restore rev-list rev-parse rm send-email send-pack shortlog show" +
  " show-branch show-index show-ref sparse-checkout stage status stripspace submodule unpack-file unpack-objects update-index update-server-info var verify-commit" +
  " verify-pack verify-tag version whatchanged write-tree ";

/** Options of the commands that bring other commits in. `-x` stands for a command in a rebase only; a cherry-pick's takes no value. */
const COMBINING = ["m=", "message=", "F|file=", "s|strategy=", "X|strategy-option=", "S|gpg-sign=?", "n|no-commit", "squash"];

/** Content that an earlier command of the line lays into the index or the working tree out of what Git already holds. */
export type Arrival =
  | {
      readonly tree: Argument;
      readonly paths: readonly Argument[];
      readonly invocation: GitInvocation;
      /** What the content is new against, HEAD when left out. */
      readonly base?: string;
    }
  | { readonly blob: string; readonly path: string };

/** All such content, for a commit that follows. A whole stash counts, its untracked files included. */
export function arrivals(earlier: readonly GitInvocation[]): readonly Arrival[] {
  // What the line stashes itself lies in the working tree while this is asked.
  let stashed = 0;
  return earlier.flatMap((invocation): readonly Arrival[] => {
    const { subcommand, args } = invocation;
    const from = (tree: Argument | undefined, paths: readonly Argument[] = []): Arrival[] =>
      tree === undefined ? [] : [{ tree, paths, invocation }];
    switch (subcommand) {
      case "checkout": {
        const parsed = parseOptions(args, [
          "b=",
          "B=",
          "orphan=",
          "t|track=?",
          "conflict=",
          "pathspec-from-file=",
          "p|patch",
          "ours",
          "theirs",
        ]);
        const { operands, dashes } = parsed;
        const limited = operands.length > 1 || dashes !== undefined || parsed.has("pathspec-from-file");
        if (!limited || dashes === 0 || ["b", "B", "orphan"].some((option) => parsed.has(option))) return [];
        return from(operands[0], operands.slice(1));
      }
      case "restore": {
        const parsed = parseOptions(args, ["s|source=", "S|staged", "W|worktree", "conflict=", "pathspec-from-file="]);
        return from(parsed.values("source")[0], parsed.operands);
      }
      case "read-tree":
        return parseOptions(args, ["prefix=", "index-output=", "exclude-per-directory="]).operands.flatMap((tree) => from(tree));
      case "reset": {
        const { operands } = parseOptions(args, ["pathspec-from-file="]);
        return operands.length > 1 ? from(operands[0], operands.slice(1)) : [];
      }
      case "merge":
      case "cherry-pick":
      case "revert": {
        const parsed = parseOptions(args, COMBINING);
        if (!parsed.has("no-commit") && !parsed.has("squash")) return [];
        return parsed.operands.flatMap((tree): Arrival[] => {
          if (subcommand === "merge" || tree.text.includes("..")) return from(tree);
          const parent = `${tree.text}^`;
          // A revert brings back what stood before the commit.
          const [to, base] = subcommand === "revert" ? [parent, tree.text] : [tree.text, parent];
          return [{ tree: { ...tree, text: to }, base, paths: [], invocation }];
        });
      }
      case "stash": {
        const parsed = parseOptions(args, ["index", "q|quiet", "m|message="]);
        if (makesStash(invocation)) stashed++;
        else if (parsed.operands.length === 1 && stashed > 0) stashed--;
        else return ofStash(parsed, from);
        return [];
      }
      case "update-index":
        return parseOptions(args, ["cacheinfo=", "add"])
          .values("cacheinfo")
          .flatMap(({ text }, index): Arrival[] => {
            const [, oid, path] = text.includes(",") ? text.split(",") : spread(args, index);
            return oid === undefined ? [] : [{ blob: oid, path: path ?? "" }];
          });
      default:
        return [];
    }
  });
}

function ofStash(parsed: Parsed, from: (tree: Argument) => Arrival[]): Arrival[] {
  const [verb, ...rest] = parsed.operands;
  if (verb === undefined || !["pop", "apply", "branch"].includes(verb.text)) return [];
  const named = rest[verb.text === "branch" ? 1 : 0];
  const text = named === undefined ? "stash@{0}" : /^\d{1,4}$/.test(named.text) ? `stash@{${named.text}}` : named.text;
  return ["", "^3"].flatMap((parent) => from({ text: text + parent, exact: named?.exact ?? true, sources: [] }));
}

/** Whether a command puts the working tree into a stash. */
export function makesStash({ subcommand, args }: GitInvocation): boolean {
  if (subcommand !== "stash") return false;
  const verb = parseOptions(args, ["m|message="]).operands[0]?.text;
  return verb === undefined || verb === "push" || verb === "save" || verb === "create";
}

/** The old form `--cacheinfo MODE OID PATH`. */
function spread(args: readonly Argument[], nth: number): readonly (string | undefined)[] {
  const places = args.flatMap(({ text }, index) => (text === "--cacheinfo" ? [index] : []));
  const at = places[nth] ?? args.length;
  return [args[at + 1]?.text, args[at + 2]?.text, args[at + 3]?.text];
}

/** Options that leave the commands below doing what they do. */
const HARMLESS = /^--(?:cached|quiet|force|staged|worktree|mixed|hard|soft|)$|^-[rqfSWu]{1,5}$/;

/** Whether a command may put this path's file into the index. */
function stages({ subcommand, args, cwd }: GitInvocation, path: string, root: string, system: System): boolean {
  if (subcommand === "apply" || subcommand === "am") return true;
  if (!["add", "stage", "update-index", "commit"].includes(subcommand)) return false;
  const { operands, has, hidden } = parseOptions(args, [
    "m|message=",
    "F|file=",
    "a|A|all",
    "u|update",
    "p|patch",
    "chmod=",
    "author=",
    "date=",
  ]);
  if (hidden || cwd === undefined || ["all", "update", "patch", "stdin", "pathspec-from-file", "again"].some((option) => has(option)))
    return true;
  if (operands.some(({ exact, text }) => !exact || text.startsWith(":"))) return true;
  return operands.length > 0 && covers(pathspecs(operands, cwd, ""), `${root}/${path}`, root, system);
}

/**
 * Whether an earlier command of the line takes this path's staged content out of the index again (`rm --cached`, `reset`,
 * `restore --staged`, `stash`). Only where the command surely does not fail: `staged` are the paths that are in the index.
 */
export function unstages(
  earlier: readonly GitInvocation[],
  path: string,
  staged: readonly string[],
  root: string,
  system: System,
): boolean {
  // What is staged once more afterwards is there again.
  const again = earlier.findLastIndex((invocation) => stages(invocation, path, root, system));
  return taken(earlier.slice(again + 1), path, staged, root, system, (subcommand, has, hasPaths) => {
    switch (subcommand) {
      case "reset":
        return !has("--soft");
      case "restore":
        return has("--staged") || has("-S");
      case "rm":
        return hasPaths;
      default:
        return subcommand === "stash";
    }
  });
}

/** The same for changes of the working tree that are thrown away (`checkout -- paths`, `restore`, `reset --hard`, `stash`). */
export function discards(
  earlier: readonly GitInvocation[],
  path: string,
  tracked: readonly string[],
  root: string,
  system: System,
): boolean {
  return taken(earlier, path, tracked, root, system, (subcommand, has, hasPaths) => {
    switch (subcommand) {
      case "reset":
        return has("--hard") && !hasPaths;
      case "restore":
        return (!has("--staged") && !has("-S")) || has("--worktree") || has("-W");
      case "checkout":
        return hasPaths && has("--");
      default:
        return subcommand === "stash";
    }
  });
}

type Has = (option: string) => boolean;

function taken(
  earlier: readonly GitInvocation[],
  path: string,
  known: readonly string[],
  root: string,
  system: System,
  does: (subcommand: string, has: Has, hasPaths: boolean) => boolean,
): boolean {
  const brought = earlier.some(
    ({ subcommand, args }) => subcommand === "stash" && args.some(({ text }) => /^(?:pop|apply|branch)$/.test(text)),
  );
  return earlier.some(({ subcommand, args, cwd }) => {
    const options = args.filter(({ text }) => text.startsWith("-"));
    if (cwd === undefined || options.some(({ text }) => !HARMLESS.test(text))) return false;
    const has: Has = (option) =>
      options.some(({ text }) => text === option || (/^-\w$/.test(option) && /^-\w+$/.test(text) && text.includes(option.slice(1))));
    const { operands, dashes } = parseOptions(args, []);
    let named = operands;
    if (subcommand === "stash") {
      if (brought) return false;
      if (named[0] !== undefined && named[0].text !== "push") return false;
      named = named.slice(1);
    } else if (subcommand === "reset" || subcommand === "checkout") {
      const revisions = dashes === undefined ? named.slice(0, 1).filter(({ text }) => /^(?:HEAD|@)$/.test(text)) : named.slice(0, dashes);
      // Another revision may not exist, and the command fails.
      if (revisions.some(({ text }) => !/^(?:HEAD|@)$/.test(text))) return false;
      named = named.slice(revisions.length);
    }
    if (!does(subcommand, has, named.length > 0)) return false;
    if (named.length === 0) return subcommand !== "restore" && subcommand !== "rm";
    if (named.some((arg) => !arg.exact || arg.text.startsWith(":"))) return false;
    // A path that matches nothing makes the whole command fail.
    const each = named.map((arg) => pathspecs([arg], cwd, ""));
    if (!each.every((specs) => known.some((one) => covers(specs, `${root}/${one}`, root, system)))) return false;
    return each.some((specs) => covers(specs, `${root}/${path}`, root, system));
  });
}
