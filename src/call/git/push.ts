/**
 * `git push`: objects the remote does not have as far as this repository knows (L-045, D-29). Remote-tracking references
 * are the base; stale ones make the set larger, never smaller. Each blob comes once, with the first path Git names for it.
 */
import type { Argument, GitInvocation } from "../effect.ts";
import { Unfinished } from "./budget.ts";
import type { Line, Place } from "./line.ts";
import { texts } from "./message.ts";
import { type Movement, movement } from "./movement.ts";
import { measure, readMeasured } from "./objects.ts";
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
  if (repository === undefined) return undefined;
  const settings = readSettings(repository);
  const operands = parsed.operands.slice(subtree ? 1 : 0);
  const remote = remoteOf(repository, settings, operands[0] ?? parsed.values("repo")[0]);
  const moved = movement(earlier, (revision) => measure(repository.git, [`${revision}^{commit}`]).size > 0);
  const tips = tipsOf(parsed, operands.slice(1), remote, settings, moved, subtree);
  const found = outgoing(repository, tips, remote);
  const folder = subtree ? (parsed.values("prefix")[0]?.text.replace(/\/?$/, "/") ?? "") : "";
  taken.push(...found.filter(({ path }) => path === undefined || path.startsWith(folder)));
  return repository.root;
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
    const head = new TextDecoder().decode(repository.system.read(`${repository.folder}/HEAD`, 4096)?.bytes ?? new Uint8Array());
    const branch = /^ref: refs\/heads\/(.{1,1000})\n/.exec(head)?.[1] ?? "";
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
  if (parsed.has("mirror") || last(`remote.${remote}.mirror`) === "true") groups.push("--glob=refs/*");
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
      // The everyday ways of naming the current branch; anything else may be any reference.
      if (/branch --show-current|rev-parse --abbrev-ref (?:HEAD|@)|symbolic-ref (?:-q )?--short (?:-q )?HEAD/.test(spec.text))
        revisions.push(...moved.heads);
      else groups.push("--all");
      continue;
    }
    if (spec.text === "tag") {
      revisions.push(...named(specs[++index]?.text ?? "", "refs/tags/", moved));
      continue;
    }
    const text = spec.text.replace(/^\+/, "");
    if (text.startsWith("^")) continue;
    const colon = text.indexOf(":");
    const source = colon < 0 ? text : text.slice(0, colon);
    if (text === ":") groups.push("--branches");
    else if (source.includes("*")) groups.push(`--glob=${source.startsWith("refs/") ? source : `refs/heads/${source}`}`);
    else if (source !== "") revisions.push(...named(source, "", moved));
  }
  if (parsed.has("follow-tags") || last("push.followtags") === "true") revisions.push("FOLLOW TAGS");
  return { revisions, groups };
}

/** What a reference holds when the push runs. */
function named(source: string, prefix: string, moved: Movement): readonly string[] {
  if (prefix === "" && (source === "HEAD" || source === "@")) return moved.heads;
  return moved.made.get(source.replace(/^refs\/(?:heads|tags)\//, "")) ?? [prefix + source];
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
  const listed = git.must(["rev-list", "--objects", "--missing=allow-promisor", ...tips.groups, ...revisions, ...base, "--"]);
  const paths = new Map<string, string>();
  for (const line of new TextDecoder().decode(listed).split("\n")) {
    if (line === "") continue;
    budget.walk();
    const cut = line.indexOf(" ");
    const oid = cut < 0 ? line : line.slice(0, cut);
    if (!paths.has(oid)) paths.set(oid, cut < 0 ? "" : line.slice(cut + 1));
  }
  const sent = [...measure(git, [...paths.keys()]).values()].filter(({ type }) => type !== "tree");
  const objects = readMeasured(git, sent, budget);
  return sent.map(({ oid, type }): Taken => {
    const object = objects.get(oid);
    if (object === undefined) throw new Unfinished("the repository is damaged or incomplete");
    const path = paths.get(oid) ?? "";
    if (type === "blob") return { where: "push", path: path === "" ? undefined : path, bytes: object.bytes, text: undefined, isNew: true };
    return { where: "push", path: undefined, bytes: undefined, text: messageOf(new TextDecoder().decode(object.bytes)), isNew: true };
  });
}

/** People and message of a commit or tag; signatures and object ids left out. */
function messageOf(object: string): string {
  const end = object.indexOf("\n\n");
  const header = end < 0 ? object : object.slice(0, end);
  const people = header.split("\n").filter((line) => /^(?:author|committer|tagger|tag) /.test(line));
  return [...people, "", end < 0 ? "" : object.slice(end + 2)].join("\n");
}
