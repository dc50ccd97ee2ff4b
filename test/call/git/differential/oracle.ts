/** What real Git holds before and after a command: the difference is what it took and what it sent. */
import { join } from "node:path";
import { decode } from "../../../../src/secrets/decode.ts";
import { type Bench, MARK } from "./bench.ts";
import type { State } from "./states.ts";

export type Marks = ReadonlySet<string>;

/** One repository at one moment. */
interface Snapshot {
  /** Marks by object id. */
  readonly blobs: ReadonlyMap<string, Marks>;
  /** Marks of commits' and tags' own text by object id. */
  readonly texts: ReadonlyMap<string, Marks>;
  /** Marks of the index's entries by path and object id. */
  readonly index: ReadonlyMap<string, Marks>;
  /** Marks of everything that hangs on a commit. */
  readonly committed: Marks;
}

export interface Moment {
  readonly local: readonly Snapshot[];
  readonly remotes: readonly Snapshot[];
}

/** What a command did, in marks. */
export interface Took {
  /** In blobs and texts that are new in a repository of this machine. */
  readonly stored: Marks;
  /** In index entries that are new. */
  readonly staged: Marks;
  /** In blobs that now hang on a commit and did not before. */
  readonly committed: Marks;
  /** In what the new commits change. */
  readonly recorded: Marks;
  /** In objects that arrived at a remote which held none of their text. */
  readonly sent: Marks;
  /** Everything the repositories of this machine, and the remotes, held before. */
  readonly held: Marks;
  readonly remote: Marks;
}

export function marksOf(bytes: Uint8Array | string): Marks {
  return new Set((typeof bytes === "string" ? bytes : decode(bytes).text).match(MARK) ?? []);
}

export function look(bench: Bench, state: State): Moment {
  return {
    local: state.repositories.map((folder) => snapshot(bench, join(bench.world, folder), true)),
    remotes: state.remotes.map((folder) => snapshot(bench, join(bench.world, folder), false)),
  };
}

/** Objects never change: what was read once is known. */
const known = new Map<string, { readonly type: string; readonly marks: Marks }>();

function snapshot(bench: Bench, folder: string, whole: boolean): Snapshot {
  const blobs = new Map<string, Marks>();
  const texts = new Map<string, Marks>();
  const output = Buffer.from(bench.git(folder, "cat-file", "--batch", "--batch-all-objects", "--unordered"));
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [oid = "", type = "", size = "0"] = output.toString("latin1", at, end).split(" ");
    let object = known.get(oid);
    if (object === undefined) {
      object = { type, marks: marksOf(output.subarray(end + 1, end + 1 + Number(size))) };
      known.set(oid, object);
    }
    if (type === "blob") blobs.set(oid, object.marks);
    else if (type !== "tree") texts.set(oid, object.marks);
    at = end + 1 + Number(size) + 1;
  }
  const index = new Map<string, Marks>();
  const committed = new Set<string>();
  if (!whole) return { blobs, texts, index, committed };
  for (const entry of text(bench.git(folder, "ls-files", "-s", "-z")).split("\0")) {
    const oid = entry.split(" ")[1] ?? "";
    if (entry !== "") index.set(entry.slice(entry.indexOf("\t") + 1) + oid, blobs.get(oid) ?? new Set());
  }
  const reached = text(
    bench.git(folder, "rev-list", "--objects", "--all", "--reflog", "--ignore-missing", "--missing=allow-any", "HEAD", "--"),
  );
  for (const line of reached.split("\n")) for (const mark of blobs.get(line.split(" ")[0] ?? "") ?? []) committed.add(mark);
  return { blobs, texts, index, committed };
}

export function difference(bench: Bench, state: State, before: Moment, after: Moment): Took {
  const fresh = (side: "local" | "remotes", kind: "blobs" | "texts" | "index"): Set<string> => {
    const marks = new Set<string>();
    for (const [place, now] of after[side].entries())
      for (const [key, own] of now[kind]) if (before[side][place]?.[kind].has(key) !== true) for (const mark of own) marks.add(mark);
    return marks;
  };
  const all = (side: "local" | "remotes"): Set<string> =>
    union(before[side].flatMap(({ blobs, texts }) => [...blobs.values(), ...texts.values()]));
  const committedBefore = union(before.local.map(({ committed }) => committed));
  return {
    stored: union([fresh("local", "blobs"), fresh("local", "texts")]),
    staged: fresh("local", "index"),
    committed: new Set([...union(after.local.map(({ committed }) => committed))].filter((mark) => !committedBefore.has(mark))),
    recorded: union(
      after.local.map(({ blobs, texts }, place) =>
        changesIn(
          bench,
          state,
          place,
          blobs,
          [...texts.keys()].filter((oid) => before.local[place]?.texts.has(oid) !== true),
        ),
      ),
    ),
    sent: union(
      before.remotes.map((remote, place) => {
        const had = union([...remote.blobs.values(), ...remote.texts.values()]);
        const now = after.remotes[place];
        return [...union([...(now?.blobs.values() ?? []), ...(now?.texts.values() ?? [])])].filter((mark) => !had.has(mark));
      }),
    ),
    held: all("local"),
    remote: all("remotes"),
  };
}

/** Marks of the blobs that commits bring, each against its parents. */
function changesIn(bench: Bench, state: State, place: number, blobs: ReadonlyMap<string, Marks>, commits: readonly string[]): Marks {
  if (commits.length === 0) return new Set();
  const raw = bench.git(
    join(bench.world, state.repositories[place] ?? ""),
    "log",
    "--no-walk",
    "-m",
    "-r",
    "--root",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--format=",
    ...commits,
  );
  return union([...text(raw).matchAll(/^:\d+ \d+ \w+ (\w+) /gm)].map(([, oid = ""]) => blobs.get(oid) ?? []));
}

export function union(sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const mark of set) all.add(mark);
  return all;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
