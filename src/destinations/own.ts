/**
 * Which hosts are the user's own: the same machine, private networks and names, and the hosts the project declares.
 * Trust: a Git remote is usually the user's own act (cloning), but `git remote add` is open to the agent as well; a
 * manifest is repository content. What either names is own only as a claim, and only when it is a name somebody can own.
 */
import { gitFolder } from "../call/git/folder.ts";
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";
import { plainHost } from "./host.ts";
import { SECOND_LEVELS } from "./lists/suffix.ts";
import { isShared } from "./third-party.ts";

/** The hosts a project declares. Both are read at first use and then kept. */
export interface OwnHosts {
  /** Hosts of the repository's remotes as written, shared ones (`github.com`) included: a token's own forge. */
  readonly remotes: () => readonly string[];
  /** Hosts that the project's manifests name as repository or home page, and its own domain; shared ones excluded. */
  readonly claimed: () => readonly string[];
}

/** No project at all. */
export const NO_HOSTS: OwnHosts = { remotes: () => [], claimed: () => [] };

/** Folder names looked at above a Git folder file (`.git` of a worktree or submodule) are given by Git itself. */

/**
 * The hosts declared by the repository at `root` (the folder that holds `.git`). Nothing is read before a question is
 * asked; reading is bounded and goes through `system` only. Without a root nothing is declared. `agents` are hosts that the
 * agent itself wrote down as remotes: no claim of the project's.
 */
export function ownHosts(root: string | undefined, system: System, agents: () => readonly string[] = () => []): OwnHosts {
  if (root === undefined || root === "") return NO_HOSTS;
  let remotes: readonly string[] | undefined;
  let claimed: readonly string[] | undefined;
  return {
    remotes: () =>
      (remotes ??= remoteHosts(text(`${gitFolder(root, system).common}/config`, system)).filter((host) => !agents().includes(host))),
    claimed: () => (claimed ??= declared(root, system).filter((host) => !isShared(host))),
  };
}

/** Hosts named by the manifests at a project's root and by the file that gives its pages a domain. */
function declared(root: string, system: System): readonly string[] {
  const domain = text(`${root}/CNAME`, system).trim();
  return [
    ...manifestHosts(text(`${root}/package.json`, system)),
    ...manifestHosts(text(`${root}/composer.json`, system)),
    ...tomlHosts(text(`${root}/Cargo.toml`, system)),
    ...tomlHosts(text(`${root}/pyproject.toml`, system)),
    ...(/^[\w.-]{4,253}$/.test(domain) ? [plainHost(domain) ?? ""] : []),
  ].filter((host) => host !== "");
}

function text(path: string, system: System): string {
  const file = system.read(path, CHOSEN.project_file_bytes);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}

/** Hosts in the `url` and `pushurl` lines of the `[remote …]` sections of a Git config text. */
export function remoteHosts(config: string): readonly string[] {
  const hosts = new Set<string>();
  let inRemote = false;
  for (const line of config.split("\n")) {
    const section = /^[ \t]*\[[ \t]*([A-Za-z0-9.-]+)/.exec(line);
    if (section !== null) inRemote = (section[1] ?? "").toLowerCase() === "remote";
    if (!inRemote) continue;
    const value = /(?:^|\])[ \t]*(?:push)?url[ \t]*=[ \t]*"?([^"\s]{1,2000})/i.exec(line)?.[1];
    const host = value === undefined ? undefined : repositoryHost(value);
    if (host !== undefined) hosts.add(host);
  }
  return [...hosts];
}

/** The host of a repository address: a URL, `git@host:path` or `host:path`; undefined for local paths. */
export function repositoryHost(address: string): string | undefined {
  const url = /^(?:git\+)?([a-z][a-z0-9+.-]{0,20}):\/\/([^/?#\\]{1,2000})/i.exec(address);
  if (url !== null) return url[1]?.toLowerCase() === "file" ? undefined : plainHost(url[2] ?? "");
  const short = /^(?:[^@:/\s]{1,200}@)?([^@:/\\\s]{2,300}):(?!\/\/)/.exec(address);
  return short === null ? undefined : plainHost(short[1] ?? "");
}

/** Hosts that a package.json text names as repository or home page. Anything that is not such a manifest names none. */
export function manifestHosts(json: string): readonly string[] {
  const manifest = parsed(json);
  const repository = manifest["repository"];
  const named = [
    manifest["homepage"],
    typeof repository === "object" && repository !== null ? (repository as Record<string, unknown>)["url"] : repository,
  ];
  const hosts = named.map((value) => (typeof value === "string" && value.includes("://") ? repositoryHost(value) : undefined));
  return hosts.filter((host) => host !== undefined);
}

/** Hosts that a Cargo.toml or pyproject.toml text names as repository, home page or address of the project. */
export function tomlHosts(toml: string): readonly string[] {
  let root: unknown;
  try {
    root = toml === "" ? {} : Bun.TOML.parse(toml);
  } catch {
    return []; // A broken manifest declares nothing.
  }
  const inside = (value: unknown, ...names: readonly string[]): unknown =>
    names.reduce((at, name) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined), value);
  const named: unknown[] = [];
  for (const place of [["package"], ["project"], ["tool", "poetry"]]) {
    named.push(inside(root, ...place, "repository"), inside(root, ...place, "homepage"));
    const urls = inside(root, ...place, "urls");
    if (typeof urls === "object" && urls !== null) named.push(...Object.values(urls));
  }
  return named.flatMap((value) => (typeof value === "string" && value.includes("://") ? (repositoryHost(value) ?? []) : []));
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // A broken manifest declares nothing.
  }
}

/** Whether somebody can own this name and what lies below it: not a top-level domain, not a registry's suffix (`co.uk`), not a shared host. */
export function isOwnable(host: string): boolean {
  const labels = host.split(".");
  if (labels.length < 2 || labels.includes("") || isShared(host)) return false;
  const [second = "", top = ""] = labels;
  return !(labels.length === 2 && top.length === 2 && (second.length === 1 || SECOND_LEVELS.includes(` ${second} `)));
}

/** Names that public DNS does not hold. */
const PRIVATE_NAMES =
  /\.(?:localhost|internal|local|lan|home\.arpa|intranet|corp|home|private|svc|svc\.cluster\.local|cluster\.local|ts\.net|localdomain)$/;

/** Whether a name belongs to the machine or its network: single label, `*.internal`, `*.svc`, a tailnet … */
export function isPrivateName(host: string): boolean {
  return !host.includes(".") || PRIVATE_NAMES.test(host);
}

/** Names that are never anybody's server (RFC 2606, RFC 6761; D-18). */
export function isReservedName(host: string): boolean {
  return /(?:^|\.)(?:example\.(?:com|org|net)|test|example|invalid)$/.test(host);
}
