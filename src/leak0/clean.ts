/**
 * Which contents of a repository a push was looked through for before and nothing was found: the second push of a large
 * history costs a listing only.
 *
 * Trust: entries are hashes keyed with the user's key, so nothing that the repository or its authors can write makes an entry.
 * The key covers this build, leak0's lists and the values the session knows: after an update, a new list or a newly seen value
 * everything is looked at again. Only contents without
 * any finding get in, each with the path it was judged under. Whoever reads the key runs with the user's rights already.
 */
import type { Clean } from "../call/git/index.ts";
import { CHOSEN } from "../limits.ts";
import { userSubfolder } from "../session/folder.ts";
import { keyedHash, userKey } from "../session/key.ts";
import type { System } from "../system.ts";
import type { Case } from "./judgement.ts";

/** Bytes of one entry: a collision by chance is out of reach, and without the key none can be made. */
const ENTRY_BYTES = 8;

/** What is remembered of the repository in this folder; undefined where nothing can be kept. `save` writes what was added. */
export function cleanContents(
  folder: string,
  { policy: { secretFiles, exclusions }, session, system }: Pick<Case, "policy" | "session" | "system">,
): (Clean & { save(): void }) | undefined {
  // Whether a path still is a copy changes with the disk.
  if (session.copies.length > 0) return undefined;
  const key = userKey(system);
  if (!key.stored) return undefined;
  const cleanFolder = userSubfolder(system, "clean");
  if (cleanFolder === undefined) return undefined;
  const path = `${cleanFolder}/${keyedHash(key, "clean content", `repository\0${folder}`).slice(0, 32)}`;
  const rules = keyedHash(
    key,
    "clean content",
    `rules\0${system.build}\0${JSON.stringify([secretFiles, exclusions])}\0${session.valuesStamp}`,
  );
  const secret = Buffer.from(rules, "hex");
  const entry = (what: string, content: string | Uint8Array): bigint =>
    new Bun.CryptoHasher("sha256", secret).update(`${what}\0`).update(content).digest().readBigUInt64LE(0);
  const known = read(path, system);
  const added: bigint[] = [];
  const add = (one: bigint): void => {
    if (known.has(one)) return;
    known.add(one);
    added.push(one);
  };
  const of = (oid: string, name: string): bigint => entry("content", `${oid} ${name}`);
  return {
    has: (oid, name) => known.has(of(oid, name)),
    add: (oid, name) => add(of(oid, name)),
    hasAll: (listing) => known.has(entry("listing", listing)),
    addAll: (listing) => add(entry("listing", listing)),
    save() {
      if (added.length === 0) return;
      try {
        // Another hook may have written meanwhile; what it added is only looked at once more.
        const all = [...known];
        const kept = all.length > CHOSEN.git_clean_entries ? all.slice(all.length - CHOSEN.git_clean_entries / 2) : all;
        system.replace(path, new Uint8Array(BigUint64Array.from(kept).buffer), 0o600);
      } catch {
        // Memory of clean contents is a help only.
      }
    },
  };
}

function read(path: string, system: System): Set<bigint> {
  const file = system.read(path, CHOSEN.git_clean_entries * ENTRY_BYTES);
  // A torn or foreign file has no entry that fits.
  if (file === undefined || file.cut) return new Set();
  const whole = file.bytes.slice(0, file.bytes.length - (file.bytes.length % ENTRY_BYTES));
  return new Set(new BigUint64Array(whole.buffer));
}
