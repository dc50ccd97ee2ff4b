/**
 * `git push`: objects the remote does not have as far as this repository knows (L-045, D-29). Remote-tracking references
 * are the base; stale ones make the set larger, never smaller. Each blob comes once, with the first path Git names for it.
 */
import type { Argument, GitInvocation } from "../effect.ts";
import { ofChange, workingTree } from "./add.ts";
import { Unfinished } from "./budget.ts";
import { stagedContent } from "./commit.ts";
import type { Line, Place } from "./line.ts";
import { texts } from "./message.ts";
import { makesStash, type Movement, movement, shortName } from "./movement.ts";
import { listedObjects, measure, readListed } from "./objects.ts";
import { type Parsed, parseOptions } from "./options.ts";
import type { Repository } from "./repository.ts";
import type { Taken } from "./taking.ts";

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

/** What `git push` sends. `subtree` limits it to a folder (`git subtree push`). */
export function pushed(
  invocation: GitInvocation,
  earlier: readonly GitInvocation[],
  place: Place,
  line: Line,
  taken: Taken[],
  subtree = false,
): string | undefined {
  const parsed = parseOptions(invocation.args, OPTIONS);
  taken.push(...texts("push", parsed.values("push-option"), line));
  if (parsed.has("dry-run") || parsed.has("delete")) return undefined;
  const repository = line.repository(place);
  if (place.beyond !== "" && earlier.some(({ subcommand }) => subcommand === "worktree"))
    throw new Unfinished("the folder is not there yet");
  if (repository === undefined) return undefined;
  const settings = readSettings(repository);
  const operands = parsed.operands.slice(subtree ? 1 : 0);
  const remote = remoteOf(repository, settings, operands[0] ?? parsed.values("repo")[0]);
  // A reference or the configuration written as a file.
  const behind = line.pending.some(({ path }) => path.includes("/.git/"));
  const moved = movement(earlier, {
    isCommit: (revision) => measure(repository.git, [`${revision}^{commit}`]).size > 0,
    address: (name) => settings.get(`remote.${name}.url`)?.at(-1),
    target: remote,
  });
  const specs = operands.slice(1);
  const tips = tipsOf(
    parsed,
    specs,
    remote,
    settings,
    behind ? { heads: moved.heads, made: moved.made, advanced: moved.advanced, foreign: false, redirected: true, hidden: true } : moved,
    subtree,
    branchOf(repository),
  );
  taken.push(...names(repository, specs, tips, moved, line));
  taken.push(...stashed(repository, place, specs, tips, earlier, line));
  const redirected = behind || moved.redirected || invocation.globals.some((global) => REDIRECTING.test(global));
  const found = outgoing(repository, tips, redirected ? undefined : remote);
  const folder = subtree ? (parsed.values("prefix")[0]?.text.replace(/\/?$/, "/") ?? "") : "";
  taken.push(...found.filter(({ path }) => path === undefined || path.startsWith(folder)));
  // Last: what is known to be sent is judged in any case.
  if (moved.foreign) throw new Unfinished("commits come from another repository on this machine");
  if (line.unseen !== undefined) throw new Unfinished(line.unseen);
  return repository.root;
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
    "^(branch\\..*\\.(remote|pushremote)|remote\\..*\\.(push|mirror|url|pushurl)|remote\\.pushdefault|push\\.(default|followtags))$",
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
  branch: string,
): Tips {
  const last = (key: string) => settings.get(key)?.at(-1);
  const groups: string[] = [];
  const revisions: string[] = [];
  if (moved.hidden) groups.push("--all");
  if (parsed.has("mirror") || last(`remote.${remote}.mirror`) === "true") groups.push("--glob=refs/*");
  if (parsed.has("all") || parsed.has("branches")) groups.push("--branches");
  if (parsed.has("tags")) groups.push("--tags");
  const chosen = groups.length > 0 && !moved.hidden;
  // References made earlier in the line are not there yet for a group to name.
  if (groups.length > 0) revisions.push(...[...moved.made.values()].flat());
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
      // The everyday ways of naming the current branch; anything else may be any reference.
      if (/branch --show-current|rev-parse --abbrev-ref (?:HEAD|@)|symbolic-ref (?:-q )?--short (?:-q )?HEAD/.test(spec.text))
        revisions.push(...moved.heads);
      else groups.push("--all");
      continue;
    }
    if (spec.text === "tag") {
      revisions.push(...named(specs[++index]?.text ?? "", "refs/tags/", moved, branch));
      continue;
    }
    const text = spec.text.replace(/^\+/, "");
    if (text.startsWith("^")) continue;
    // `:/words` names a commit by its message; its own colon is none between two references.
    const colon = text.startsWith(":/") ? text.lastIndexOf(":") : text.indexOf(":");
    const source = colon < 0 ? text : text.slice(0, colon);
    if (text === ":") groups.push("--branches");
    else if (source.includes("*")) groups.push(`--glob=${source.startsWith("refs/") ? source : `refs/heads/${source}`}`);
    else if (source !== "") revisions.push(...named(source, "", moved, branch));
  }
  if (parsed.has("follow-tags") || last("push.followtags") === "true") revisions.push("FOLLOW TAGS");
  return { revisions, groups };
}

/** What a reference holds when the push runs. */
function named(source: string, prefix: string, moved: Movement, branch: string): readonly string[] {
  if (prefix === "" && (source === "HEAD" || source === "@")) return moved.heads;
  const name = shortName(source);
  const own = moved.made.get(name) ?? [prefix + source];
  // A branch that was stood on while HEAD moved holds what HEAD holds.
  return moved.advanced && (name === branch || moved.made.has(name) || moved.heads.includes(name)) ? [...own, ...moved.heads] : own;
}

/** Messages and blobs to be sent, newest first. */
function outgoing(repository: Repository, tips: Tips, remote: string | undefined): readonly Taken[] {
  const { git, budget } = repository;
  const followTags = tips.revisions.includes("FOLLOW TAGS");
  const revisions = new Set([...measure(git, tips.revisions).values()].map(({ oid }) => oid));
  if (followTags && revisions.size > 0) {
    const merged = [...revisions].map((oid) => `--merged=${oid}`);
    const tags = new TextDecoder().decode(git.must(["for-each-ref", "--format=%(objecttype) %(objectname)", ...merged, "refs/tags"]));
    for (const line of tags.split("\n")) if (line.startsWith("tag ")) revisions.add(line.slice(4));
  }
  if (revisions.size === 0 && tips.groups.length === 0) return [];
  const base = remote === undefined ? [] : ["--not", `--remotes=${remote}`];
  const paths = listedObjects(git, [...tips.groups, ...revisions, ...base], budget);
  return [...readListed(git, [...paths.keys()], budget)].map(([oid, { type, bytes }]): Taken => {
    const path = paths.get(oid) ?? "";
    if (type === "blob") return { where: "push", path: path === "" ? undefined : path, bytes, text: undefined, isNew: true };
    return { where: "push", path: undefined, bytes: undefined, text: messageOf(new TextDecoder().decode(bytes)), isNew: true };
  });
}

/** People and message of a commit or tag; signatures and object ids left out. */
function messageOf(object: string): string {
  const end = object.indexOf("\n\n");
  const header = end < 0 ? object : object.slice(0, end);
  const people = header.split("\n").filter((line) => /^(?:author|committer|tagger|tag) /.test(line));
  return [...people, "", end < 0 ? "" : object.slice(end + 2)].join("\n");
}
