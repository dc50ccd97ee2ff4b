/**
 * `git push`: objects the remote does not have as far as this repository knows (L-045, D-29). Remote-tracking references
 * are the base; stale ones make the set larger, never smaller. Each blob comes once, with the first path Git names for it.
 */
import { CHOSEN } from "../../limits.ts";
import type { Argument, GitInvocation } from "../effect.ts";
import { askedRevision, BRANCH_TEXT, literal } from "../source.ts";
import { trimEnd } from "../text.ts";
import { importedReferences } from "./import.ts";
import { ofChange, workingTree } from "./add.ts";
import { Unfinished } from "./budget.ts";
import { stagedContent } from "./commit.ts";
import type { Line, Place } from "./line.ts";
import { texts } from "./message.ts";
import { makesStash, type Movement, movement, shortName } from "./movement.ts";
import { listedObjects, listing, measure, readListed } from "./objects.ts";
import { type Parsed, parseOptions } from "./options.ts";
import { wildcard } from "./pathspec.ts";
import type { Repository } from "./repository.ts";
import type { Sink, Taken } from "./taking.ts";

const OPTIONS = [
  "all",
  "branches",
  "mirror",
  "tags",
  "follow-tags",
  "d|delete",
  "n|dry-run",
  "u|set-upstream",
  "f|force",
  "force-with-lease=?",
  "force-if-includes",
  "o|push-option=",
  "repo=",
  "receive-pack=",
  "exec=",
  "recurse-submodules=",
  "signed=?",
  "prune",
  "atomic",
  "porcelain",
  "v|verbose",
  "q|quiet",
  "progress",
  "thin",
  "4|ipv4",
  "6|ipv6",
  "no-verify",
  "P|prefix=",
];

/** What is pushed: revisions, and options of rev-list that stand for many references. */
interface Tips {
  readonly revisions: readonly string[];
  readonly groups: readonly string[];
}

/** What `git push` sends; of a subtree (`git subtree push`) a folder only. */
export function pushed(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  place: Place,
  line: Line,
  taken: Sink,
  how: "whole" | "subtree" | "svn" = "whole",
): string | undefined {
  const subtree = how === "subtree";
  const parsed = parseOptions(invocation.args, OPTIONS);
  taken.push(...texts("push", parsed.values("push-option"), line));
  if (parsed.has("dry-run") || parsed.has("delete")) return undefined;
  // A working tree the line adds does not stand yet; its repository does.
  const linked = place.linked === undefined ? undefined : line.place(place.linked.from);
  const repository = line.repository(linked ?? place);
  if (repository === undefined) {
    // A folder the line makes in a way that is not followed: a copy of a repository, an unpacked archive.
    if (place.beyond !== "" && place.created === undefined) throw new Unfinished("the folder is not there yet");
    return undefined;
  }
  const settings = readSettings(repository);
  const operands = parsed.operands.slice(subtree ? 1 : 0);
  const remote = remoteOf(repository, settings, operands[0] ?? parsed.values("repo")[0]);
  // A reference or the configuration written as a file.
  const behind = line.pending.some(({ path }) => path.includes("/.git/"));
  const moved = movement(invocation, earlier, place.linked?.branch, {
    isCommit: (revision) => measure(repository.git, [`${revision}^{commit}`]).size > 0,
    address: (name) => settings.get(`remote.${name}.url`)?.at(-1),
    target: remote,
    branch: branchOf(repository),
    imported: (stream) => importedReferences(line.flow(stream.stdin)),
  });
  const specs = operands.slice(1);
  const tips = tipsOf(
    parsed,
    specs,
    remote,
    settings,
    behind ? { heads: moved.heads, made: moved.made, repeated: moved.repeated, foreign: false, redirected: true, hidden: true } : moved,
    subtree,
  );
  taken.push(...names(repository, specs, tips, moved, line));
  taken.push(...stashed(repository, place, specs, tips, earlier, line));
  const redirected =
    behind || moved.redirected || invocation.globals.some((global) => REDIRECTING.test(global)) || pushesElsewhere(settings, remote);
  const base = how === "svn" ? subversionBase(repository) : redirected || remote === undefined ? [] : [`--remotes=${remote}`];
  const listed = outgoing(repository, tips, base, moved.repeated);
  const folder = subtree ? (parsed.values("prefix")[0]?.text.replace(/\/?$/, "/") ?? "") : "";
  send(repository, listed, folder, line, taken);
  // Last: what is known to be sent is judged in any case.
  if (moved.foreign) throw new Unfinished("commits come from another repository on this machine");
  if (line.unseen !== undefined) throw new Unfinished(line.unseen);
  return repository.root;
}

/** Whether a remote's pushes go to another place than its references come from: what lies there is not known. */
function pushesElsewhere(settings: Settings, remote: string | undefined): boolean {
  const url = settings.get(`remote.${remote}.url`)?.[0];
  const pushUrls = settings.get(`remote.${remote}.pushurl`) ?? [];
  if (url === undefined) return false;
  const rewritten = (address: string, key: "insteadof" | "pushinsteadof"): string | undefined => {
    const rules = [...settings].flatMap(([name, prefixes]) => {
      const base = name.startsWith("url.") && name.endsWith(`.${key}`) ? name.slice("url.".length, -key.length - 1) : undefined;
      return base === undefined ? [] : prefixes.filter((prefix) => address.startsWith(prefix)).map((prefix) => ({ base, prefix }));
    });
    const [best] = rules.sort((a, b) => b.prefix.length - a.prefix.length);
    return best === undefined ? undefined : best.base + address.slice(best.prefix.length);
  };
  const from = rewritten(url, "insteadof") ?? url;
  const to =
    pushUrls.length > 0 ? pushUrls.map((address) => rewritten(address, "insteadof") ?? address) : [rewritten(url, "pushinsteadof") ?? from];
  return to.some((address) => placeOf(address) !== placeOf(from));
}

/** Host and path of an address, whichever way it is reached: `git@host:a/b.git` is `https://host/a/b`. */
function placeOf(address: string): string {
  const plain = trimEnd(address, "/").replace(/\.git$/, "");
  const url = /^[a-z][a-z0-9+.-]{0,20}:\/\/(?:[^@/]{0,1000}@)?([^/:]{0,1000})(?::\d{1,5})?\/(.*)$/i.exec(plain);
  const short = url === null ? /^(?:[^@/:]{1,200}@)?([^/:]{2,1000}):(.*)$/.exec(plain) : null;
  const [, host, path] = url ?? short ?? [];
  return host === undefined ? plain : `${host.toLowerCase()}/${path?.replace(/^\/+/, "") ?? ""}`;
}

/** Settings given with `-c` that send a remote's pushes elsewhere: what lies there is not known. */
const REDIRECTING = /^(?:-c)?(?:remote\..{1,1000}\.(?:push)?url|url\..{1,2000}\.(?:push)?insteadof)=/i;

/** A shorter name holds no token. */
const NAME_CHARS = 16;

/** Names travel as well: of branches, tags and other references, on either side of a colon. */
function names(repository: Repository, specs: readonly Argument[], tips: Tips, moved: Movement, line: Line): readonly Taken[] {
  const found = [...moved.made.keys(), branchOf(repository)];
  if (tips.groups.length > 0)
    found.push(new TextDecoder().decode(repository.git.must(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags"])));
  const text = found.filter((name) => name.length >= NAME_CHARS).join("\n");
  const written = specs.filter((spec) => spec.text.length >= NAME_CHARS || spec.sources.length > 0);
  return [
    ...texts("push", written, line),
    ...(text === "" ? [] : [{ where: "push", path: undefined, bytes: undefined, text, isNew: true } as const]),
  ];
}

/** A stash this line makes does not exist yet: it will hold the working tree and the index. */
function stashed(
  repository: Repository,
  place: Place,
  specs: readonly Argument[],
  tips: Tips,
  earlier: readonly GitInvocation[],
  line: Line,
): readonly Taken[] {
  // A commit made by plumbing holds the index.
  const built =
    specs.some(({ text }) => /commit-tree|write-tree/.test(text)) || earlier.some(({ subcommand }) => subcommand === "commit-tree");
  const index = built ? stagedContent(repository) : [];
  const makers = earlier.filter(makesStash);
  const named =
    specs.some(({ text, exact }) => !exact || /stash/.test(text)) ||
    tips.groups.some((group) => group === "--all" || group.startsWith("--glob"));
  if (makers.length === 0 || !named) return index;
  const flags = makers.flatMap(({ args }) => args.map(({ text }) => text)).join(" ");
  const untracked = /(?:^| )(?:--all|-[a-z]*a)/.test(flags)
    ? "all"
    : /(?:^| )(?:--include-untracked|-[a-z]*u)/.test(flags)
      ? "standard"
      : "none";
  const changes = workingTree(place, line, { specs: { texts: [], cwd: place.git.cwd }, untracked })?.changes ?? [];
  return [...index, ...stagedContent(repository), ...changes.map((change) => ofChange("push", change))];
}

/** The branch HEAD stands on, "" for none. */
function branchOf(repository: Repository): string {
  const head = new TextDecoder().decode(repository.system.read(`${repository.folder}/HEAD`, 4096)?.bytes ?? new Uint8Array());
  return /^ref: refs\/heads\/(.{1,1000})\n/.exec(head)?.[1] ?? "";
}

/** Git's settings by lower-case key; the last value of each. */
type Settings = ReadonlyMap<string, readonly string[]>;

function readSettings(repository: Repository): Settings {
  const finished = repository.git.run([
    "config",
    "-z",
    "--get-regexp",
    "^(branch\\..*\\.(remote|pushremote)|remote\\..*\\.(push|mirror|url|pushurl)|remote\\.pushdefault|push\\.(default|followtags)|url\\..*\\.(push)?insteadof)$",
  ]);
  const settings = new Map<string, string[]>();
  for (const entry of new TextDecoder().decode(finished.stdout).split("\0")) {
    const cut = entry.indexOf("\n");
    if (cut < 0) continue;
    const key = entry.slice(0, cut);
    settings.set(key, [...(settings.get(key) ?? []), entry.slice(cut + 1)]);
  }
  return settings;
}

/** The configured remote a push goes to; undefined when nothing is known of what it has. */
function remoteOf(repository: Repository, settings: Settings, written: Argument | undefined): string | undefined {
  const last = (key: string) => settings.get(key)?.at(-1);
  if (written === undefined) {
    const branch = branchOf(repository);
    return last(`branch.${branch}.pushremote`) ?? last("remote.pushdefault") ?? last(`branch.${branch}.remote`) ?? "origin";
  }
  if (!written.exact) return undefined;
  if (settings.has(`remote.${written.text}.url`)) return written.text;
  for (const [key, values] of settings) {
    const name = /^remote\.(.{1,1000})\.(?:url|pushurl)$/.exec(key)?.[1];
    if (name !== undefined && values.includes(written.text)) return name;
  }
  return undefined;
}

function tipsOf(
  parsed: Parsed,
  refspecs: readonly Argument[],
  remote: string | undefined,
  settings: Settings,
  moved: Movement,
  subtree: boolean,
): Tips {
  const last = (key: string) => settings.get(key)?.at(-1);
  const groups: string[] = [];
  const revisions: string[] = [];
  if (moved.hidden) groups.push("--all");
  if (parsed.has("mirror") || last(`remote.${remote}.mirror`) === "true") groups.push("--exclude=refs/stash", "--glob=refs/*"); // only two-part names
  if (parsed.has("all") || parsed.has("branches")) groups.push("--branches");
  if (parsed.has("tags")) groups.push("--tags");
  const chosen = groups.length > 0 && !moved.hidden;
  if (subtree) return { revisions: moved.heads, groups };
  let specs: readonly Argument[] = refspecs;
  if (specs.length === 0 && !chosen) {
    specs = (settings.get(`remote.${remote}.push`) ?? []).map((text) => ({ text, exact: true, sources: [] }));
    if (specs.length === 0 && last("push.default") === "matching") groups.push("--branches");
    if (specs.length === 0) revisions.push(...moved.heads);
  }
  for (let index = 0; index < specs.length; index++) {
    const spec = specs[index];
    if (spec === undefined) break;
    if (!spec.exact) {
      // A revision the line asks Git for; where the line moves references it may have been asked for before.
      const asked = askedRevision(spec.text.replace(/^\+/, ""));
      if (asked !== undefined) revisions.push(...named(asked.revision, "", moved));
      if (asked !== undefined && isStill(moved) && moved.made.size === 0 && /^(?::[^$]{0,1000})?$/.test(asked.rest)) continue;
      // The name of the current branch; anything else may be any reference.
      const [source, to = ""] = spec.text.replace(/^\+/, "").replaceAll(BRANCH_TEXT, "\0").split(":");
      if (source === "HEAD" || (/^(?:refs\/heads\/)?\0$/.test(source ?? "") && !to.includes("$"))) revisions.push(...moved.heads);
      else groups.push("--all");
      continue;
    }
    if (spec.text === "tag") {
      revisions.push(...named(specs[++index]?.text ?? "", "refs/tags/", moved));
      continue;
    }
    const text = spec.text.replace(/^\+/, "");
    if (text.startsWith("^")) continue;
    // `:/words` names a commit by its message; its own colon is none between two references.
    const colon = text.startsWith(":/") ? text.lastIndexOf(":") : text.indexOf(":");
    const source = colon < 0 ? text : text.slice(0, colon);
    if (text === ":") groups.push("--branches");
    else if (source.includes("*")) groups.push(`--glob=${source.startsWith("refs/") ? source : `refs/heads/${source}`}`);
    else if (source !== "") revisions.push(...named(source, "", moved));
  }
  // References made earlier in the line are not there yet for a group to name.
  const patterns = groups.filter((group) => !group.startsWith("--exclude="));
  const mayName = (name: string): boolean =>
    patterns.some(
      (group) => !group.startsWith("--glob=") || group === "--glob=refs/*" || wildcard(shortName(group.slice("--glob=".length)), name),
    );
  for (const [name, made] of moved.made) if (mayName(name)) revisions.push(...made);
  if (parsed.has("follow-tags") || last("push.followtags") === "true") revisions.push("FOLLOW TAGS");
  return { revisions, groups };
}

/** What a reference holds when the push runs. */
function named(source: string, prefix: string, moved: Movement): readonly string[] {
  // `main~1` stands on another commit once `main` has moved.
  const base = /^[^~^@{:]{1,1000}/.exec(source)?.[0] ?? source;
  const around = base === source || (source.startsWith("@") && source !== "@") ? [] : [source];
  if (prefix === "" && (base === "HEAD" || source === "@"))
    return around.length > 0 && isStill(moved) ? around : [...around, ...moved.heads];
  const made = prefix === "" || prefix === "refs/tags/" ? moved.made.get(shortName(base)) : undefined;
  if (made !== undefined) return [...around, ...made];
  // The stash the line makes stands on HEAD, and holds what a merge brought into the index.
  return /^(?:refs\/)?stash\b/.test(source) ? [source, ...moved.heads, "MERGE_HEAD"] : [prefix + source];
}

/** Nothing the line did moves HEAD. */
function isStill({ heads, repeated }: Movement): boolean {
  return heads.length === 1 && heads[0] === "HEAD" && repeated.length === 0;
}

/** Names of the objects to be sent, newest first. */
function outgoing(repository: Repository, tips: Tips, known: readonly string[], repeated: readonly string[]): Uint8Array {
  const { git } = repository;
  const followTags = tips.revisions.includes("FOLLOW TAGS");
  const found = measure(git, tips.revisions);
  // A reference to something that cannot be read is not the same as no reference.
  const unknown = tips.revisions.filter((revision) => !found.has(revision) && revision !== "FOLLOW TAGS" && !revision.startsWith("-"));
  if (unknown.some((revision) => git.run(["rev-parse", "-q", "--verify", revision]).code === 0))
    throw new Unfinished("the repository is damaged or incomplete");
  const revisions = new Set([...found.values()].map(({ oid }) => oid));
  if (followTags) {
    const grouped = tips.groups.length === 0 ? "" : new TextDecoder().decode(git.must(["rev-parse", ...tips.groups]));
    const merged = [...revisions, ...grouped.split("\n").filter((oid) => oid !== "")].map((oid) => `--merged=${oid}`);
    const tags =
      merged.length === 0
        ? ""
        : new TextDecoder().decode(git.must(["for-each-ref", "--format=%(objecttype) %(objectname)", ...merged, "refs/tags"]));
    for (const line of tags.split("\n")) if (line.startsWith("tag ")) revisions.add(line.slice(4));
  }
  if (revisions.size === 0 && tips.groups.length === 0) return new Uint8Array();
  const base = known.length === 0 ? [] : ["--not", ...known];
  const lists = [listing(git, [...tips.groups, ...revisions, ...base])];
  for (const commits of repeated) {
    const ends = commits.split("..").map((end) => end.replace(/\^!$/, ""));
    // No such commit: Git refuses as well.
    if (measure(git, ends).size > 0) lists.push(listing(git, [commits, ...base]));
  }
  return lists.length === 1 ? (lists[0] ?? new Uint8Array()) : Buffer.concat(lists);
}

/** `git svn dcommit [branch]` as a push of that branch. */
export function dcommitted(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  place: Place,
  line: Line,
  taken: Sink,
): string | undefined {
  const parsed = parseOptions(invocation.args.slice(1), [
    "n|dry-run",
    "m|merge",
    "M",
    "e|edit",
    "s|strategy=",
    "commit-url=",
    "mergeinfo=",
    "username=",
  ]);
  if (parsed.has("dry-run")) return undefined;
  const branch = parsed.operands[0] ?? literal("HEAD");
  return pushed({ ...invocation, args: [literal("svn"), branch] }, earlier, place, line, taken, "svn");
}

/** What a Subversion server has, as far as this repository knows: the references that `git svn fetch` keeps. */
function subversionBase({ git }: Repository): readonly string[] {
  const listed = git.run(["config", "-z", "--get-regexp", "^svn-remote\\..*\\.(fetch|branches|tags)$"]);
  const patterns = new TextDecoder()
    .decode(listed.stdout)
    .split("\0")
    .flatMap((entry) => /\n[^\n]{0,1000}:(refs\/remotes\/[^:\n]{1,1000})$/.exec(entry)?.[1] ?? []);
  // Without a wildcard a pattern stands for what lies below it.
  return patterns.flatMap((pattern) => {
    if (pattern.includes("*")) return [`--glob=${pattern}`];
    return measure(git, [pattern]).size > 0 ? [pattern] : [];
  });
}

/** Hands on messages and contents of listed objects; what is known to be clean is not read again. */
function send(repository: Repository, listed: Uint8Array, folder: string, line: Line, taken: Sink): void {
  const { git, budget } = repository;
  const paths = listedObjects(listed, budget);
  const { inspector } = line;
  const clean = paths.size > CHOSEN.git_objects_remembered ? inspector?.clean(repository.folder) : undefined;
  const list = Buffer.concat([listed, Buffer.from(`\0${folder}`)]);
  if (clean?.hasAll(list) === true) return;
  const oids = [...paths].flatMap(([oid, path]) => (clean?.has(oid, path) === true ? [] : [oid]));
  let all = true;
  for (const [oid, { type, bytes }] of readListed(git, oids, budget)) {
    const path = paths.get(oid) ?? "";
    if (type === "blob" && !path.startsWith(folder)) continue;
    const one: Taken =
      type === "blob"
        ? { where: "push", path: path === "" ? undefined : path, bytes, text: undefined, isNew: true }
        : { where: "push", path: undefined, bytes: undefined, text: messageOf(new TextDecoder().decode(bytes)), isNew: true };
    if (inspector === undefined) taken.push(one);
    else if (inspector.look(one, () => repository.root)) clean?.add(oid, path);
    else all = false;
  }
  if (all) clean?.addAll(list);
}

/** People and message of a commit or tag; signatures and object ids left out. */
function messageOf(object: string): string {
  const end = object.indexOf("\n\n");
  const header = end < 0 ? object : object.slice(0, end);
  const people = header.split("\n").filter((line) => /^(?:author|committer|tagger|tag) /.test(line));
  return [...people, "", end < 0 ? "" : object.slice(end + 2)].join("\n");
}
