/**
 * Pushes of Jujutsu, Mercurial and Sapling, and files that are added to what is no Git. Jujutsu keeps its commits in a Git repository, which is looked at like any
 * other. Of the others only the working folder can be seen here: a secret file that is tracked may be in what is pushed.
 *
 * Trust: none of these programs is started; their configuration names programs of its own. Their files are hostile data.
 */
import { CHOSEN } from "../../limits.ts";
import type { GitInvocation } from "../effect.ts";
import { ofChange, workingTree } from "./add.ts";
import { Unfinished } from "./budget.ts";
import type { Line } from "./line.ts";
import { pushed } from "./push.ts";
import type { Sink } from "./taking.ts";
import { readFile } from "./worktree.ts";

const FOLDERS: Readonly<Record<string, string>> = { "jj push": ".jj", "hg push": ".hg", "sl push": ".sl" };

/** What such a push may send. */
export function otherPushed(invocation: GitInvocation, line: Line, taken: Sink): string | undefined {
  const { system } = line;
  if (invocation.cwd === undefined) throw new Unfinished("the folder is only known at run time");
  const name = FOLDERS[invocation.subcommand] ?? "";
  let root = invocation.cwd;
  while (root !== "" && system.info(`${root}/${name}`) === undefined) root = root.slice(0, root.lastIndexOf("/"));
  if (root === "") return undefined;
  const store = [`${root}/.git`, `${root}/.jj/repo/store/git`, `${root}/.sl/store/git`].find((folder) => system.info(folder) !== undefined);
  if (store !== undefined && name !== ".hg") return ofStore(invocation, root, store, line, taken);
  const tracked = name === ".hg" ? dirstate(system.read(`${root}/.hg/dirstate`, CHOSEN.git_list_bytes)?.bytes) : system.list(root);
  for (const path of tracked) {
    line.budget.walk();
    if (!MAY_BE_SECRET.test(path.slice(path.lastIndexOf("/") + 1))) continue;
    const content = readFile(system, line.budget, `${root}/${path}`);
    if (content !== undefined) taken.push({ where: "push", path, text: undefined, isNew: true, unsure: true, ...content });
  }
  return root;
}

/**
 * The files that another program is told to keep: Mercurial, Sapling and Subversion in a working folder of theirs, a manager of
 * dotfiles anywhere. What becomes of them is for its next commands: a question at most.
 */
export function otherAdded({ subcommand, args, cwd }: GitInvocation, line: Line, taken: Sink): void {
  const { system } = line;
  const marks = subcommand.startsWith("svn") ? [".svn"] : subcommand.startsWith("chezmoi") ? [] : [".hg", ".sl"];
  let root = cwd ?? "";
  while (root !== "" && !marks.some((name) => system.info(`${root}/${name}`) !== undefined)) root = root.slice(0, root.lastIndexOf("/"));
  if (marks.length > 0 && root === "") return;
  for (const { text, exact } of args) {
    const named = exact ? line.path(text, cwd) : undefined;
    if (named === undefined) continue;
    const inside = system.info(named)?.kind === "folder" ? system.list(named).map((name) => `${named}/${name}`) : [named];
    for (const path of inside) {
      line.budget.walk();
      const content = readFile(system, line.budget, path);
      const base = [cwd, system.home].find((folder) => folder !== undefined && folder !== "" && path.startsWith(`${folder}/`)) ?? "";
      const relative = path.slice(base.length + 1);
      if (content !== undefined) taken.push({ where: "index", path: relative, text: undefined, isNew: true, unsure: true, ...content });
    }
  }
}

/** All branches (in a store of its own all that Jujutsu keeps), and the working copy, which it commits with every command. */
function ofStore(invocation: GitInvocation, root: string, store: string, line: Line, taken: Sink): string | undefined {
  const place = line.place({ ...invocation, cwd: root, globals: [`--git-dir=${store}`, `--work-tree=${root}`] });
  if (place === undefined) return undefined;
  const push: GitInvocation = {
    ...invocation,
    cwd: root,
    subcommand: "push",
    args: [{ text: store.endsWith("/.git") ? "--all" : "--mirror", exact: true, sources: [] }],
  };
  const changes = workingTree(place, line, { specs: { texts: [], cwd: root }, untracked: "standard" })?.changes ?? [];
  for (const change of changes)
    if (!change.path.startsWith(".jj/") && !change.path.startsWith(".sl/")) taken.push(ofChange("push", change));
  pushed(push, [], place, line, taken);
  return root;
}

/** Files whose names are worth a look where nothing tells what changed. */
const MAY_BE_SECRET = /^\.|^id_|cred|secret|token|passw|auth|\.(?:pem|key|p8|ppk|asc|env|json|ya?ml|toml|ini|conf|cfg|properties)$/i;

/** Tracked paths in Mercurial's dirstate: two parents, then state, mode, size, time, length and name of each file. */
function dirstate(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: string[] = [];
  for (let at = 40; at + 17 <= bytes.length; ) {
    const length = view.getUint32(at + 13);
    if (length === 0 || at + 17 + length > bytes.length) break;
    // A copied file's name is followed by a NUL and where it comes from; `r` is one that is removed.
    const name = new TextDecoder().decode(bytes.subarray(at + 17, at + 17 + length)).split("\0")[0] ?? "";
    if (bytes[at] !== 0x72) found.push(name);
    at += 17 + length;
  }
  return found;
}
