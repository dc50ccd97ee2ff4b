/**
 * How earlier commands of the line move HEAD, branches and the index before a later one looks at them.
 *
 * A command that is not modelled here and may move a reference makes everything possible (`hidden`): the answer may
 * only ever name more than what is really there, never less.
 */
import type { Argument, GitInvocation } from "../effect.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { covers, pathspecs } from "./pathspec.ts";
import type { System } from "../../system.ts";

/** Where references point when a later command runs, in revisions that can be read now. */
export interface Movement {
  /** What HEAD may hold. New commits of the line are not among them: their content is taken where they are made. */
  readonly heads: readonly string[];
  /** References the line makes or moves, by short name. */
  readonly made: ReadonlyMap<string, readonly string[]>;
  /** The branch HEAD stands on has moved as well: under its own name it holds what `heads` says. */
  readonly advanced: boolean;
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
}

export function movement(earlier: readonly GitInvocation[], known: Known): Movement {
  const moves = new Moves(known);
  for (const invocation of earlier) moves.take(invocation);
  return moves;
}

class Moves implements Movement {
  heads: readonly string[] = ["HEAD"];
  readonly made = new Map<string, readonly string[]>();
  advanced = false;
  hidden = false;
  foreign = false;
  redirected = false;
  /** Remotes the line itself adds or points elsewhere. */
  private readonly addresses = new Map<string, string>();

  constructor(private readonly known: Known) {}

  take({ subcommand, args }: GitInvocation): void {
    switch (subcommand) {
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
        const revisions = this.meaning([to]);
        this.make(name, revisions);
        // The branch may be the one HEAD stands on.
        return this.advance(revisions);
      }
      case "symbolic-ref": {
        const [name, to] = parseOptions(args, ["m=", "d|delete", "q|quiet", "short"]).operands;
        if (to === undefined) return;
        const revisions = this.meaning([to]);
        if (name?.exact === true && name.text === "HEAD") this.heads = revisions;
        else this.make(name, revisions);
        return;
      }
      case "merge":
      case "cherry-pick":
      case "revert":
      case "rebase":
      case "reset": {
        const parsed = parseOptions(args, subcommand === "rebase" ? [...COMBINING, "x|exec=", "onto="] : COMBINING);
        // `reset REV -- paths` moves the index only.
        const named = parsed.operands.slice(0, subcommand === "reset" ? 1 : undefined);
        return this.advance(this.meaning([...named, ...parsed.values("onto")]).flatMap((revision) => revision.split(/\.{2,3}/)));
      }
      case "am":
      case "commit":
        this.advanced = true;
        return;
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
        const parsed = parseOptions(args, ["b=", "B=", "reason=", "orphan"]);
        const name = [...parsed.values("b"), ...parsed.values("B")][0] ?? parsed.operands[1];
        if (parsed.operands[0]?.text === "add")
          this.make(
            name?.exact === true ? { ...name, text: name.text.slice(name.text.lastIndexOf("/") + 1) } : name,
            this.start(parsed.operands[2]),
          );
        return;
      }
      case "stash": {
        const [verb, name] = parseOptions(args, ["m|message="]).operands;
        if (verb?.text === "branch") {
          const revisions = ["stash@{0}", "HEAD"];
          this.make(name, revisions);
          this.heads = revisions;
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
    if (!key.exact || /^(?:remote\..{1,1000}\.(?:push|mirror)|push\.(?:default|followtags)|include(?:if)?\..{1,1000})$/i.test(key.text))
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
      this.heads = start;
    } else if (target !== undefined && parsed.operands.length === 1 && parsed.dashes === undefined) {
      const to = this.meaning([target]);
      if (!target.exact) this.heads = [...this.heads, ...to];
      else if (this.made.has(target.text) || to.every(this.known.isCommit)) this.heads = to;
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
    this.heads = [...new Set([...this.heads, ...revisions.filter((revision) => revision !== "")])];
    this.advanced = true;
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
    else if (name.text === "HEAD") this.heads = revisions;
    else this.made.set(shortName(name.text), revisions);
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
  " add annotate apply archive blame bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout-index cherry clean clone column" +
  " commit-graph commit-tree count-objects credential describe diagnose diff diff-files diff-index diff-tree difftool fast-export fetch-pack fmt-merge-msg" +
  " for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook index-pack init init-db interpret-trailers lfs log ls-files ls-remote" +
  " ls-tree mailinfo mailsplit maintenance merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant" +
  " pack-refs patch-id prune prune-packed range-diff read-tree reflog repack request-pull rerere restore rev-list rev-parse rm send-email send-pack shortlog show" +
  " show-branch show-index show-ref sparse-checkout stage status stripspace submodule unpack-file unpack-objects update-index update-server-info var verify-commit" +
  " verify-pack verify-tag version whatchanged write-tree ";

/** Options of the commands that bring other commits in. `-x` stands for a command in a rebase only; a cherry-pick's takes no value. */
const COMBINING = ["m=", "message=", "F|file=", "s|strategy=", "X|strategy-option=", "S|gpg-sign=?", "n|no-commit", "squash"];

/** Content that an earlier command of the line lays into the index or the working tree out of what Git already holds. */
export type Arrival =
  | { readonly tree: Argument; readonly paths: readonly Argument[]; readonly invocation: GitInvocation }
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
        // A revert brings back what stood before the commit.
        return parsed.operands.flatMap((tree) => from(subcommand === "revert" ? { ...tree, text: `${tree.text}^` } : tree));
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

/** Whether an earlier command of the line takes this path's staged content out of the index again (`rm --cached`, `reset`, `restore --staged`, `stash`). */
export function unstages(earlier: readonly GitInvocation[], path: string, root: string, system: System): boolean {
  const brought = earlier.some(
    ({ subcommand, args }) => subcommand === "stash" && args.some(({ text }) => text === "pop" || text === "apply"),
  );
  return earlier.some(({ subcommand, args, cwd }) => {
    const parsed = parseOptions(args, ["s|source=", "S|staged", "soft", "pathspec-from-file=", "m|message="]);
    if (cwd === undefined || parsed.has("pathspec-from-file")) return false;
    if (subcommand === "stash")
      return (
        !brought &&
        (parsed.operands[0] === undefined || (["push", "save"].includes(parsed.operands[0].text) && parsed.operands.length === 1))
      );
    let named = parsed.operands;
    if (subcommand === "reset") {
      if (parsed.has("soft")) return false;
      if (parsed.dashes !== undefined) named = named.slice(parsed.dashes);
      else if (named[0] !== undefined && /^(?:HEAD|@)$/.test(named[0].text)) named = named.slice(1);
      if (named.length === 0) return true;
    } else if (subcommand === "restore" ? !parsed.has("staged") : subcommand !== "rm") {
      return false;
    }
    if (named.length === 0 || named.some((arg) => !arg.exact || arg.text.startsWith(":"))) return false;
    return covers(pathspecs(named, cwd, ""), `${root}/${path}`, root, system);
  });
}
