/**
 * Files behind paths that only the shell knows (L-109): no proof before the call, but once the output is there, what such
 * a path can stand for is looked at on disk, so that values without any format of their own are recognised in it.
 */
import { CHOSEN } from "../limits.ts";
import { baseName, resolvePath } from "../call/path.ts";
import { isSecretFileName } from "../secrets/files/index.ts";
import type { Look } from "./files.ts";
import { type Case, worldOf } from "./judgement.ts";
import { perCall } from "./per-call.ts";

/** Where people keep what they sign in with, below the home folder; folders are looked through. */
const HOME_PLACES = [
  ".aws",
  ".azure/msal_token_cache.json",
  ".cargo/credentials.toml",
  ".claude/.credentials.json",
  ".claude.json",
  ".codex/auth.json",
  ".config/gcloud/application_default_credentials.json",
  ".config/gh/hosts.yml",
  ".config/glab-cli/config.yml",
  ".config/rclone/rclone.conf",
  ".docker/config.json",
  ".gemini/oauth_creds.json",
  ".git-credentials",
  ".kube/config",
  ".my.cnf",
  ".netrc",
  ".npmrc",
  ".pgpass",
  ".pypirc",
  ".ssh",
  ".vault-token",
];

/** What a path only the shell knows can stand for on this disk, seen from a folder: a glob's matches, or itself when it is no glob. */
export function matches(at: Case, written: string, folder: string = at.call.cwd): readonly string[] {
  const path = written.startsWith("/") ? written : folder === "" ? undefined : `${folder}/${written}`;
  if (path === undefined || !/^[^$`]+$/.test(path)) return [];
  return /[*?[{]/.test(path) ? expanded(at, path) : [path];
}

/** The secret files a hidden path stands for: a glob's matches, or what lies inside a folder; at any depth, the usual places. */
export function behind(at: Case, written: string): readonly Look[] {
  const [folder = "", name, ...more] = written.split("/**/");
  if (name !== undefined && more.length === 0) {
    const root = resolvePath(folder, at.call.cwd, worldOf(at)).path;
    if (root === undefined) return [];
    const pattern = /[*?[]/.test(name) ? new Bun.Glob(name) : undefined;
    const fits = (path: string): boolean => baseName(path) === name || pattern?.match(baseName(path)) === true;
    const near = nearby(at).filter(({ path }) => path.startsWith(`${root}/`) && fits(path));
    if (pattern !== undefined) return near;
    return [...near, ...at.files.within(`${root}/${name}`).filter((look) => look.secrets.length > 0)];
  }
  return matches(at, written)
    .flatMap((one) => at.files.within(one))
    .filter((look) => look.secrets.length > 0);
}

/** The secret files that are close at hand: the usual places below the home folder, and the project's `.env` files. */
export function nearby(at: Case): readonly Look[] {
  const { home } = at.system;
  const places = home === "" ? [] : HOME_PLACES.map((place) => `${home}/${place}`);
  return [...places.flatMap((place) => at.files.within(place, 1)), ...dotenvs(at)].filter((look) => look.secrets.length > 0);
}

/** The project's `.env` files: in the call's folder and at the root of its repository. */
export function dotenvs(at: Case): readonly Look[] {
  return dotenvsFrom(at, at.call.cwd);
}

const dotenvsFrom = perCall((at, cwd): readonly Look[] => {
  if (cwd === "") return [];
  const root = at.files.repositories.rootOf(`${cwd}/.`);
  const folders = new Set(root === undefined ? [cwd] : [cwd, root]);
  return [...folders].flatMap((folder) =>
    at.system
      .list(folder)
      .filter(isSecretFileName)
      .flatMap((name) => at.files.look(`${folder}/${name}`) ?? []),
  );
});

/** Matches of a glob on disk, name by name from the root; bounded. */
const expanded = perCall((at, glob): readonly string[] => {
  let folders = [""];
  for (const name of glob.split("/").filter((part) => part !== "")) {
    if (!/[*?[{]/.test(name)) {
      folders = folders.map((folder) => `${folder}/${name}`);
      continue;
    }
    const matcher = new Bun.Glob(name);
    folders = folders.flatMap((folder) =>
      namesIn(at, folder === "" ? "/" : folder)
        .filter((entry) => isLeft(at, name) && matcher.match(entry) && (!entry.startsWith(".") || name.startsWith(".")))
        .map((entry) => `${folder}/${entry}`),
    );
    if (folders.length > CHOSEN.glob_matches) folders = folders.slice(0, CHOSEN.glob_matches);
  }
  return folders;
});

const namesIn = perCall((at, folder) => at.system.list(folder));

/** Whether one more name may be compared with a pattern. */
function isLeft({ files }: Case, pattern: string): boolean {
  files.work.spend(NAME_WORK + pattern.length);
  if (files.work.spent) files.unread ??= "its patterns fit more files than can be looked at";
  return !files.work.spent;
}

/** What comparing a name with a pattern costs beside the pattern's length, as characters of a pattern. */
const NAME_WORK = 40;
