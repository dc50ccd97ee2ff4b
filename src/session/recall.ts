/**
 * Finds remembered values in texts, in whatever usual writing (B3): native/recall/recall.c as WebAssembly names the places
 * where eight characters agree, and a keyed hash of what stands there decides. Built once per process from the session file.
 */
import { CHOSEN } from "../limits.ts";
import { bytesOf, hashOf, RECORD_BYTES, type Record, secretsOf, sizeOf, valueHash, WINDOWS_AT } from "./fingerprints.ts";
import type { UserKey } from "./key.ts";
import { PROGRAM } from "./program.ts";
import { normal, SPELLINGS, type Spelling, WINDOW } from "./spellings.ts";

/** Where a remembered value stands in a text: half-open UTF-16 range of its writing. */
export interface Sighting {
  /** Index of its record. */
  readonly record: number;
  /** The value as far as the writing tells it: signs between its letters may be missing. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Texts are looked through in pieces of this many UTF-16 units, each with the end of the one before. */
const PIECE = 2 * 1024 * 1024;
const OVERLAP = 256 * 1024;

/** Text without a value in it. */
const WARMING = "a".repeat(4_096);

interface Exports {
  readonly memory: WebAssembly.Memory;
  reserve(size: number): number;
  streams(): number;
  veil(): number;
  inverses(): number;
  hits(): number;
  resume(): number;
  factor(): number;
  load(records: number, count: number, stride: number, windows: number, spellings: number): number;
  find(text: number, length: number, from: number): number;
  stretch(text: number, length: number, at: number, before: number, size: number, stream: number, out: number): number;
  first(): number;
  last(): number;
}

/** Finds the values of some records. */
export class Finder {
  readonly #key: UserKey;
  readonly #records: Uint8Array;
  readonly #exports: Exports;
  /** Bytes of this text that may still be read to confirm a value. */
  #left = 0;
  /** Addresses of the room for a text, and for one writing. */
  #room: { readonly bytes: number; readonly text: number; readonly out: number } | undefined;

  /** Throws when WebAssembly is not to be had or memory ends. */
  constructor(key: UserKey, records: Uint8Array) {
    this.#key = key;
    this.#records = records;
    const program = new WebAssembly.Module(Uint8Array.fromBase64(PROGRAM));
    this.#exports = new WebAssembly.Instance(program, {}).exports as unknown as Exports;
    const { factor, added, inverses } = secretsOf(key);
    const at = this.#exports.reserve(records.length);
    const memory = this.#exports.memory.buffer;
    new Uint8Array(memory, this.#exports.streams(), SPELLINGS.length).set(SPELLINGS.map(({ stream }) => stream));
    new Int32Array(memory, this.#exports.veil(), added.length).set(added);
    new Int32Array(memory, this.#exports.inverses(), inverses.length).set(inverses);
    new BigUint64Array(memory, this.#exports.factor(), 1)[0] = factor;
    new Uint8Array(memory, at, records.length).set(records);
    const count = records.length / RECORD_BYTES;
    if (at === 0 || this.#exports.load(at, count, RECORD_BYTES, WINDOWS_AT, SPELLINGS.length) === 0)
      throw new Error("the fingerprints do not fit");
    // Its loop is compiled on another thread once it has gone round often enough: best before there is a long text.
    this.#within(WARMING);
  }

  /**
   * Every remembered value in the text: leftmost first, the longest of several at one place, not overlapping. `complete` is
   * false when more places look like a window than are worth confirming.
   */
  find(text: string): { readonly sightings: readonly Sighting[]; readonly complete: boolean } {
    this.#left = CHOSEN.confirmed_bytes;
    const hits: Sighting[] = [];
    for (let from = 0; from + WINDOW <= text.length; from += PIECE - OVERLAP) {
      for (const hit of this.#within(text.slice(from, from + PIECE))) hits.push({ ...hit, start: from + hit.start, end: from + hit.end });
      if (from + PIECE >= text.length) break;
    }
    return { sightings: withoutOverlaps(hits), complete: this.#left >= 0 };
  }

  #within(text: string): readonly Sighting[] {
    const most = 3 * text.length;
    if (this.#room === undefined || this.#room.bytes < most) {
      const [at, out] = [most, most].map((size) => this.#exports.reserve(size));
      if (!at || !out) throw new Error("the text does not fit");
      this.#room = { bytes: most, text: at, out };
    }
    const { memory, hits } = this.#exports;
    const whole = new Uint8Array(memory.buffer, this.#room.text, most);
    const bytes = Buffer.from(memory.buffer, this.#room.text, new TextEncoder().encodeInto(text, whole).written);
    const found: Sighting[] = [];
    for (let from = 0; from < bytes.length && this.#left >= 0; from = this.#exports.resume()) {
      const count = this.#exports.find(this.#room.text, bytes.length, from);
      const pairs = new Uint32Array(memory.buffer, hits(), 2 * count);
      for (let pair = 0; pair < pairs.length && this.#left >= 0; pair += 2) {
        const hit = this.#confirmed(bytes, pairs[pair] as number, pairs[pair + 1] as number, this.#room);
        if (hit !== undefined) found.push(this.#entire(bytes, hit));
      }
    }
    if (bytes.length === text.length) return found;
    const units = unitsAt(
      bytes,
      found.flatMap(({ start, end }) => [start, end]),
    );
    return found.map((hit) => ({ ...hit, start: units.get(hit.start) as number, end: units.get(hit.end) as number }));
  }

  /** The writing around a window that ends at `at`, in bytes, when it is the value's. */
  #confirmed(bytes: Buffer, at: number, entry: number, room: { readonly text: number; readonly out: number }): Sighting | undefined {
    const record = Math.floor(entry / SPELLINGS.length);
    const spelling = SPELLINGS[entry % SPELLINGS.length] as Spelling;
    const one = this.#record(record);
    const size = sizeOf(one);
    const length = spelling.length(size);
    const before = spelling.offset(size) + WINDOW - 1;
    if (length > bytes.length || before < 0) return undefined;
    const exports = this.#exports;
    const kept = exports.stretch(room.text, bytes.length, at, before, length, spelling.stream, room.out);
    const first = exports.first();
    // What stands between the letters is walked over, too.
    const walked = kept === 0 ? at : (kept < length ? bytes.length : exports.last()) - first;
    this.#left -= CHOSEN.confirmed_place_bytes + walked;
    if (kept < length) return undefined;
    const writing = Buffer.from(exports.memory.buffer, room.out, length).toString("latin1");
    const value = spelling.read(writing, size);
    if (valueHash(this.#key, value) !== hashOf(one)) return undefined;
    return { record, value: Buffer.from(value, "latin1").toString("utf8"), start: first, end: exports.last() + 1 };
  }

  /** A value that stands there as it is, with the signs at its ends that no stream keeps. */
  #entire(bytes: Buffer, hit: Sighting): Sighting {
    const { lead, whole } = sizeOf(this.#record(hit.record));
    const start = hit.start - lead;
    const end = start + whole;
    if (start < 0 || end < hit.end) return hit;
    this.#left -= whole;
    const same = normal(bytes.toString("latin1", start, end)) === normal(bytesOf(hit.value));
    return same ? { ...hit, value: bytes.toString("utf8", start, end), start, end } : hit;
  }

  #record(index: number): Record {
    return this.#records.subarray(index * RECORD_BYTES, (index + 1) * RECORD_BYTES);
  }
}

/** Places of bytes of UTF-8, each as the number of UTF-16 units in front of it. One pass, however many there are. */
function unitsAt(bytes: Uint8Array, places: readonly number[]): ReadonlyMap<number, number> {
  const units = new Map<number, number>();
  let count = 0;
  let at = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    for (; at < place; at++) {
      const byte = bytes[at] as number;
      if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
    }
    units.set(place, count);
  }
  return units;
}

function withoutOverlaps(hits: Sighting[]): Sighting[] {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return hits.filter((hit) => {
    if (hit.start < end) return false;
    end = hit.end;
    return true;
  });
}
