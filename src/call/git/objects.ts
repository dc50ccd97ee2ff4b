/** Git's objects, read in as few processes as possible and never more than the limits allow. */
import { CHOSEN } from "../../limits.ts";
import { type Budget, Unfinished } from "./budget.ts";
import { isBinary } from "./content.ts";
import type { Git } from "./process.ts";

export interface GitObject {
  readonly type: "blob" | "tree" | "commit" | "tag";
  readonly bytes: Uint8Array;
}

const NEWLINE = 10;
const decoder = () => new TextDecoder("utf-8");

/** Type and size by object name, in one process. Names are revisions without line feeds; what does not resolve is left out. */
export function measure(
  git: Git,
  names: readonly string[],
): ReadonlyMap<string, { readonly oid: string; readonly type: GitObject["type"]; readonly size: number }> {
  const found = new Map<string, { oid: string; type: GitObject["type"]; size: number }>();
  const asked = names.filter((name) => name !== "" && !name.includes("\n"));
  if (asked.length === 0) return found;
  const output = decoder().decode(
    git.must(["cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], { stdin: `${asked.join("\n")}\n` }),
  );
  output.split("\n").forEach((line, index) => {
    const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d{1,15})$/.exec(line);
    const name = asked[index];
    if (match !== null && name !== undefined)
      found.set(name, { oid: match[1] ?? "", type: match[2] as GitObject["type"], size: Number(match[3]) });
  });
  return found;
}

/**
 * Contents by object id. Everything in one process when it is little; otherwise sizes first. Large binary content comes
 * cut to its beginning, large text leaves the check unfinished. Objects that are missing here are left out, they cannot be sent either.
 */
export function readObjects(git: Git, oids: readonly string[], budget: Budget): ReadonlyMap<string, GitObject> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  const all = batch(git, wanted, CHOSEN.git_batch_bytes);
  if (all !== undefined) {
    for (const object of all.values()) budget.read(object.bytes.length);
    return all;
  }
  return readMeasured(git, [...measure(git, wanted).values()], budget);
}

/** Names of everything these revisions reach, each with the first path Git names for it ("" for none), as Git prints them. */
export function listing(git: Git, revisions: readonly string[]): Uint8Array {
  return git.must(["rev-list", "--objects", "--missing=allow-promisor", ...revisions, "--"]);
}

/** A listing as a map. */
export function listedObjects(listed: Uint8Array, budget: Budget): Map<string, string> {
  const paths = new Map<string, string>();
  for (const line of decoder().decode(listed).split("\n")) {
    if (line === "") continue;
    budget.walk();
    const cut = line.indexOf(" ");
    const oid = cut < 0 ? line : line.slice(0, cut);
    if (!paths.has(oid)) paths.set(oid, cut < 0 ? "" : line.slice(cut + 1));
  }
  return paths;
}

/**
 * As `readObjects` for everything a push lists, trees left out, a part at a time: of thousands of small objects each
 * process over them counts, and all of them together would not fit into memory.
 */
export function* readListed(git: Git, oids: readonly string[], budget: Budget): Iterable<readonly [string, GitObject]> {
  if (oids.length === 0) return;
  const all = oids.length <= CHOSEN.git_objects_at_once ? batch(git, oids, CHOSEN.git_part_bytes) : undefined;
  if (all !== undefined) {
    for (const [oid, object] of all) {
      if (object.type === "tree") continue;
      budget.read(object.bytes.length);
      yield [oid, object];
    }
    return;
  }
  let part: { oid: string; size: number }[] = [];
  let bytes = 0;
  for (const { oid, type, size } of measure(git, oids).values()) {
    if (type === "tree") continue;
    if (bytes + size > CHOSEN.git_part_bytes && part.length > 0) {
      yield* readMeasured(git, part, budget);
      part = [];
      bytes = 0;
      // The engine would let what is left of many parts pile up.
      Bun.gc(true);
    }
    part.push({ oid, size });
    bytes += size;
  }
  yield* readMeasured(git, part, budget);
}

/** As `readObjects` for objects whose sizes are known. */
export function readMeasured(
  git: Git,
  sizes: readonly { readonly oid: string; readonly size: number }[],
  budget: Budget,
): ReadonlyMap<string, GitObject> {
  const found = new Map<string, GitObject>();
  let oids: string[] = [];
  let bytes = 0;
  const flush = () => {
    if (oids.length === 0) return;
    budget.read(bytes);
    const some = batch(git, oids, bytes + oids.length * 128);
    if (some === undefined) throw new Unfinished("Git took too long, or printed more than it announced");
    for (const [oid, object] of some) found.set(oid, object);
    oids = [];
    bytes = 0;
  };
  for (const { oid, size } of sizes) {
    if (size > CHOSEN.git_binary_bytes) {
      found.set(oid, { type: "blob", bytes: largeBlob(git, oid, size, budget) });
      continue;
    }
    if (bytes + size > CHOSEN.git_batch_bytes) flush();
    oids.push(oid);
    bytes += size;
  }
  flush();
  return found;
}

/** A blob above the binary limit: its beginning when binary, all of it when text that is not too long. */
function largeBlob(git: Git, oid: string, size: number, budget: Budget): Uint8Array {
  const read = (bytes_max: number) => git.run(["cat-file", "blob", oid], { bytes_max, cut: true }).stdout.subarray(0, bytes_max);
  const start = read(CHOSEN.git_binary_bytes);
  if (isBinary(start)) {
    budget.read(start.length);
    return start;
  }
  if (size > CHOSEN.git_text_bytes) throw new Unfinished("a text file is too large to be checked");
  budget.read(size);
  return read(size);
}

/** Those of the objects that lie here; asked for by name, Git would try to fetch the others. */
function present(git: Git, oids: readonly string[]): readonly string[] {
  const listed = git.run(["cat-file", "--batch-all-objects", "--unordered", "--buffer", "--batch-check=%(objectname)"]);
  const here = new Set(decoder().decode(listed.stdout).split("\n"));
  return oids.filter((oid) => here.has(oid));
}

/** `cat-file --batch`; undefined when the output is longer than `bytes_max`. */
function batch(git: Git, oids: readonly string[], bytes_max: number): ReadonlyMap<string, GitObject> | undefined {
  const finished = git.run(["cat-file", "--batch", "--buffer"], { stdin: `${oids.join("\n")}\n`, bytes_max, cut: true });
  if (finished.cut) return undefined;
  if (finished.code !== 0) {
    // In a partial clone Git gives up at the first object that the other side still has to send.
    const here = present(git, oids);
    if (here.length === oids.length) throw new Unfinished("the repository is damaged or incomplete");
    return here.length === 0 ? new Map() : batch(git, here, bytes_max);
  }
  const output = finished.stdout;
  const text = Buffer.from(output.buffer, output.byteOffset, output.length);
  const found = new Map<string, GitObject>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(NEWLINE, at);
    if (end < 0) break;
    const header = text.toString("latin1", at, end);
    const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d{1,15})$/.exec(header);
    at = end + 1;
    if (match === null) continue;
    const size = Number(match[3]);
    found.set(match[1] ?? "", { type: match[2] as GitObject["type"], bytes: output.subarray(at, at + size) });
    at += size + 1;
  }
  return found;
}
