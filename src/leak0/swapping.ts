/**
 * Commands that would put another exemption list into HEAD (D-04): a switch, a merge, a moved reference. What the revision
 * they name holds decides; it is read without starting Git, since most of these commands are everyday work.
 *
 * Trust: the agent names the revision, and may have made it in any way. One that is not known here (a substitution, what a pull
 * is about to fetch) says nothing. A list that the project's own remote has is its people's.
 */
import type { Effect, GitInvocation } from "../call/effect.ts";
import { parseOptions } from "../call/git/options.ts";
import { type Room, Store } from "../call/git/stored.ts";
import { resolvePath } from "../call/path.ts";
import { CHOSEN } from "../limits.ts";
import { EXEMPTION_FILE } from "../policy/exemptions.ts";
import type { Session } from "../session/session.ts";
import type { System } from "../system.ts";
import { Repositories } from "./places.ts";
import { movesHead } from "./triage.ts";

/**
 * `becomes`: HEAD will be that commit. `joins`: its changes since the common past come in. `repeats`, `undoes`: the change it
 * made, or the reverse.
 */
type How = "becomes" | "joins" | "repeats" | "undoes";

interface Target {
  readonly revision: string;
  readonly how: How;
  /** The repository it comes from, where that is another one. */
  readonly from?: Store;
}

/** Subcommands of a call that bring another list. `session`: remotes that the agent wrote down itself are nobody's word. */
export function swappedLists(effects: readonly Effect[], system: System, session?: Pick<Session, "hosts">): readonly string[] {
  const repositories = new Repositories(system);
  const stores = new Map<string, Store>();
  const earlier: string[] = [];
  const room: Room = { left: CHOSEN.git_stored_room_bytes };
  return effects.flatMap((effect): readonly string[] => {
    if (effect.kind !== "git") return [];
    const { invocation } = effect;
    const root = invocation.cwd === undefined ? undefined : repositories.rootOf(`${invocation.cwd}/.`);
    if (root === undefined) return [];
    const targets = movesHead(effect)
      ? targetsOf(invocation, storeOf(root), (path) => storeOf(repositories.rootOf(`${path}/.`) ?? path))
      : [];
    // What takes more to read than any real repository is no everyday work.
    const found = targets.some((target) => brings(storeOf(root), target, earlier, session) || room.left < 0);
    earlier.push(...invocation.args.filter(({ exact }) => exact).map(({ text }) => text));
    earlier.splice(0, earlier.length - CHOSEN.git_refs_compared);
    return found ? [invocation.subcommand] : [];
  });

  function storeOf(root: string): Store {
    const known = stores.get(root) ?? new Store(root, system, room);
    stores.set(root, known);
    return known;
  }

  /** What the command makes HEAD of, as far as it says. */
  function targetsOf({ subcommand, args, cwd }: GitInvocation, store: Store, storeAt: (path: string) => Store): readonly Target[] {
    const parsed = parseOptions(args, OPTIONS);
    const { dashes } = parsed;
    const words = parsed.operands.map(({ text, exact }) => (exact ? text : ""));
    const [first = "", second = ""] = words;
    const one = (revision: string, how: How): readonly Target[] => (revision === "" ? [] : [{ revision, how }]);
    switch (subcommand) {
      case "checkout":
      case "switch":
      case "reset":
        // Files taken from there are changes of the working tree.
        return words.length > 1 || (dashes !== undefined && dashes !== words.length) || parsed.has("orphan") ? [] : one(first, "becomes");
      case "merge":
        return words.flatMap((word) => one(word, "joins"));
      case "rebase":
        return [...one(parsed.values("onto").at(-1)?.text ?? first, "joins"), ...one(second, "becomes")];
      case "pull": {
        if (!/^[./~]/.test(first)) return [];
        const { path } = resolvePath(first, cwd ?? "", { home: system.home, environment: system.environment, platform: system.platform });
        if (path === undefined) return [];
        const from = storeAt(path);
        const names = words.slice(1).map((word) => word.replace(/^\+/, "").split(":")[0] ?? "");
        return (names.length === 0 ? ["HEAD"] : names).map((revision) => ({ revision, how: "joins", from }));
      }
      case "cherry-pick":
      case "revert":
        return words.flatMap((word) => one(word, subcommand === "revert" ? "undoes" : "repeats"));
      case "update-ref":
        return parsed.has("d") || ![store.head, "HEAD"].includes(first) ? [] : one(second, "becomes");
      case "symbolic-ref":
        return first === "HEAD" ? one(second, "becomes") : [];
      case "worktree":
        return first === "add" ? one(words[2] ?? "", "becomes") : [];
      default:
        return [];
    }
  }
}

const OPTIONS = [
  "b|create=",
  "B=",
  "c=",
  "C=",
  "orphan",
  "m|message=",
  "F|file=",
  "s|strategy=",
  "X|strategy-option=",
  "S|gpg-sign=?",
  "onto=",
  "x|exec=",
  "conflict=",
  "pathspec-from-file=",
  "reason=",
  "mainline=",
  "cleanup=",
  "d",
];

function brings(
  store: Store,
  { revision, how, from = store }: Target,
  earlier: readonly string[],
  session?: Pick<Session, "hosts">,
): boolean {
  const head = listAt(store, "HEAD");
  if (head === undefined) return false;
  // A name that the line makes first stands for what it is made of.
  const names = from.revision(revision) === undefined ? earlier : [revision];
  return names.some((name) => {
    const commit = from.revision(name)?.oid;
    const past = commit === undefined || how === "becomes" || how === "joins" ? undefined : from.parents(commit)?.[0];
    const [list, old] = [commit, past].map((oid) => (oid === undefined ? undefined : from.entry(oid, EXEMPTION_FILE)));
    const coming = how === "undoes" ? old : list;
    // Without a list nothing is left alone.
    if (coming === undefined || coming === "" || coming === head) return false;
    if ((how === "repeats" || how === "undoes") && list === old) return false;
    if (how === "joins" && head !== "" && isPast(store, coming)) return false;
    return session === undefined || session.hosts.length > 0 || !isPublished(store, coming);
  });
}

function listAt(store: Store, revision: string): string | undefined {
  const commit = store.revision(revision)?.oid;
  return commit === undefined ? undefined : store.entry(commit, EXEMPTION_FILE);
}

/** HEAD once had that list and has changed it since: a merge keeps the change. */
function isPast(store: Store, list: string): boolean {
  let commit = store.revision("HEAD")?.oid;
  for (let step = 0; step < CHOSEN.git_steps && commit !== undefined; step++) {
    if (store.entry(commit, EXEMPTION_FILE) === list) return true;
    commit = store.parents(commit)?.[0];
  }
  return false;
}

/** A branch of the remote the project comes from has that list. */
function isPublished(store: Store, list: string): boolean {
  return ["origin", "upstream"].some((remote) =>
    store.below(`refs/remotes/${remote}`).some((commit) => store.entry(commit, EXEMPTION_FILE) === list),
  );
}
