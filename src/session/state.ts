/**
 * The session file: one line of JSON, then the fingerprints as bytes, 0600 (L-170). It holds paths of copies, host
 * names and names of images, too, and never a value. Thousands of fingerprints are read as fast as one: as a block.
 * Trust: the file may be torn, foreign or forged; what does not fit is dropped.
 */
import { CHOSEN } from "../limits.ts";
import type { Grade } from "../secrets/secret.ts";
import { type BuiltImage, imageRow, readImage } from "./image.ts";
import { type Copy, copyRow, readCopy } from "./copy.ts";
import { hashOf, type Known, kindOf, RECORD_BYTES, type Record, withKind } from "./fingerprints.ts";

/** What one session remembers, oldest first. */
export interface SessionState {
  readonly kinds: readonly Known[];
  /** Fingerprints one behind the other; each names its kind by its index. */
  readonly records: Uint8Array;
  readonly copies: readonly Copy[];
  /** Hosts of Git remotes that the agent itself wrote down in this session. */
  readonly hosts: readonly string[];
  /** Container images that were built. */
  readonly images: readonly BuiltImage[];
}

export const EMPTY: SessionState = { kinds: [], records: new Uint8Array(), copies: [], hosts: [], images: [] };

/** Counts up with every change of the layout: what is stored is worth a day at most. */
const VERSION = 4;
const GRADES: readonly string[] = ["token", "credential", "vendor", "field"] satisfies Grade[];

/** Both states in one, each value and path once, the oldest forgotten past the limits. */
export function merge(older: SessionState, newer: SessionState): SessionState {
  const kinds: Known[] = [];
  const indexes = new Map<string, number>();
  const records = new Map<string, Record>();
  for (const state of [older, newer]) {
    const moved = state.kinds.map((kind) => {
      const name = JSON.stringify([kind.family, kind.grade, kind.title]);
      const index = indexes.get(name) ?? kinds.push(kind) - 1;
      indexes.set(name, index);
      return index;
    });
    for (const record of recordsOf(state)) records.set(hashOf(record), withKind(record, moved[kindOf(record)] ?? 0));
  }
  const copies = new Map<string, Copy>();
  for (const copy of [...older.copies, ...newer.copies]) {
    copies.delete(copy.path); // the newest stand last
    copies.set(copy.path, copy);
  }
  const hosts = new Set([...older.hosts, ...newer.hosts]);
  const images = new Map<string, BuiltImage>();
  for (const image of [...older.images, ...newer.images]) {
    const row = JSON.stringify(imageRow(image));
    images.delete(row);
    images.set(row, image);
  }
  return {
    kinds,
    records: Buffer.concat([...records.values()].slice(-CHOSEN.session_values)),
    copies: newest([...copies.values()].slice(-CHOSEN.session_copies), CHOSEN.session_copies_bytes, copyRow),
    hosts: newest([...hosts].slice(-CHOSEN.session_hosts), CHOSEN.session_hosts_bytes, (host) => host),
    images: newest([...images.values()].slice(-CHOSEN.session_images), CHOSEN.session_images_bytes, imageRow),
  };
}

/** The last of a list that fit into so many bytes of JSON: a file that is too long would not be read at all. */
function newest<T>(list: readonly T[], bytes_max: number, rowOf: (one: T) => unknown): readonly T[] {
  let left = bytes_max;
  let from = list.length;
  while (from > 0) {
    left -= Buffer.byteLength(JSON.stringify(rowOf(list[from - 1] as T))) + 1;
    if (left < 0) break;
    from--;
  }
  return from === 0 ? list : list.slice(from);
}

/** The fingerprints one by one. */
export function recordsOf({ records }: SessionState): readonly Record[] {
  return Array.from({ length: records.length / RECORD_BYTES }, (_, at) => records.subarray(at * RECORD_BYTES, (at + 1) * RECORD_BYTES));
}

/** The file's content. */
export function writeState(state: SessionState): Uint8Array {
  const kinds = state.kinds.map(({ family, grade, title }) => [family, grade, title]);
  const head = JSON.stringify({
    v: VERSION,
    kinds,
    copies: state.copies.map(copyRow),
    hosts: state.hosts,
    images: state.images.map(imageRow),
  });
  return Buffer.concat([Buffer.from(`${head}\n`), state.records]);
}

/** Reads a session file; whatever is not of this version is empty. */
export function readState(content: Uint8Array): SessionState {
  const end = content.indexOf(10);
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder().decode(content.subarray(0, Math.max(end, 0))));
  } catch {
    return EMPTY;
  }
  if (typeof root !== "object" || root === null || (root as { v?: unknown }).v !== VERSION) return EMPTY;
  const { kinds, copies, hosts, images } = root as { readonly [field: string]: unknown };
  const known = list(kinds).slice(0, CHOSEN.session_kinds).flatMap(readKind);
  const block = content.subarray(end + 1);
  const torn = known.length === 0 || known.length !== list(kinds).length || block.length % RECORD_BYTES !== 0;
  return {
    kinds: torn ? [] : known,
    records: torn ? new Uint8Array() : block.subarray(-CHOSEN.session_values * RECORD_BYTES),
    copies: list(copies)
      .flatMap((row) => readCopy(row) ?? [])
      .slice(-CHOSEN.session_copies),
    hosts: list(hosts).filter(isPath).slice(-CHOSEN.session_hosts),
    images: list(images)
      .flatMap((row) => readImage(row) ?? [])
      .slice(-CHOSEN.session_images),
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readKind(row: unknown): Known[] {
  if (!Array.isArray(row)) return [];
  const [family, grade, title] = row as unknown[];
  if (typeof family !== "string" || !/^[a-z0-9-]{1,64}$/.test(family)) return [];
  if (typeof grade !== "string" || !GRADES.includes(grade)) return [];
  if (typeof title !== "string" || !/^[^\p{C}]{1,100}$/u.test(title)) return [];
  return [{ family, grade: grade as Grade, title }];
}

/** A path or name that can be remembered. */
export function isPath(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= CHOSEN.list_glob_chars && !value.includes("\0");
}
