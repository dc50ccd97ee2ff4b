/**
 * What lies in an archive: zip (also jar, whl, docx …), tar of every age, gzip, and one in the other (credential-files.md §15).
 *
 * Trust: the bytes are hostile. One `Room` bounds what all archives of a call may unpack to, in bytes, entries and time, and is
 * charged for what failed as well; members of a zip that share bytes are refused. Nothing here throws: what does not fit the
 * format is passed over, and an archive that was cut gives what its beginning holds.
 */
import { CHOSEN } from "../limits.ts";
import type { System } from "../system.ts";

/** What may still be unpacked, of every archive that is given this room. */
export class Room {
  bytes: number;
  entries: number;
  readonly #left_ms: () => number;

  constructor(bytes: number, entries: number, clock?: Pick<System, "left_ms">) {
    this.bytes = bytes;
    this.entries = entries;
    this.#left_ms = () => clock?.left_ms() ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the clock says that it is time to answer (D-27). */
  get late(): boolean {
    return this.#left_ms() < CHOSEN.answer_ms;
  }
}

/** One member. */
export interface Entry {
  /** As the archive names it, without a leading "./" or "/"; "" for the one content of a gzip file. */
  readonly path: string;
  /** As far as it is known before it is unpacked, in bytes; what an archive says may be a lie. */
  readonly size: number;
  /** A file with content of its own; false for a folder, a link, or what is packed in a way that is not read. */
  readonly plain: boolean;
  /** Unpacks it; undefined when it is not plain, damaged, or larger than there is room for. */
  readonly read: () => Uint8Array | undefined;
}

/** A file in an archive. */
export interface Packed {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** An archive that is open. Names come as they are asked for, contents only when one is read. */
export interface Archive {
  readonly entries: Iterable<Entry>;
  /** Every file in it and in the archives in it. */
  readonly files: Iterable<Packed>;
  /** False once something that is there was left out: for want of room, or because members share bytes. */
  readonly complete: boolean;
}

type Zlib = typeof import("node:zlib");
let loaded: Zlib | undefined;
const zlib = (): Zlib => (loaded ??= process.getBuiltinModule("node:zlib"));

/** Whether bytes begin like an archive that is opened here. */
export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isGzip(bytes) || isTar(bytes);
}

/** Opens an archive; undefined for anything else. */
export function archiveOf(bytes: Uint8Array, room: Room): Archive | undefined {
  return isArchive(bytes) ? new Opened(bytes, room, DEPTH) : undefined;
}

/** Archives in archives that are opened. */
const DEPTH = 4;

class Opened implements Archive {
  complete = true;
  readonly #bytes: Uint8Array;
  readonly #room: Room;
  readonly #depth: number;
  #inflated: Uint8Array | undefined;

  constructor(bytes: Uint8Array, room: Room, depth: number) {
    this.#bytes = bytes;
    this.#room = room;
    this.#depth = depth;
  }

  get entries(): Iterable<Entry> {
    if (isZip(this.#bytes)) return this.#zip(this.#bytes);
    if (isTar(this.#bytes)) return this.#tar(this.#bytes);
    const inside = (this.#inflated ??= this.#inflate(this.#bytes, "gunzip"));
    if (inside === undefined) return [];
    return isTar(inside) ? this.#tar(inside) : [{ path: "", size: inside.length, plain: true, read: () => inside }];
  }

  get files(): Iterable<Packed> {
    return this.#files();
  }

  *#files(): Generator<Packed> {
    for (const entry of this.entries) {
      const bytes = entry.read();
      if (bytes === undefined) continue;
      if (this.#depth <= 1 || !isArchive(bytes)) {
        yield { path: entry.path, bytes };
        continue;
      }
      const inner = new Opened(bytes, this.#room, this.#depth - 1);
      for (const file of inner.files) yield file.path === "" ? { ...file, path: entry.path.replace(/\.(?:gz|tgz)$/i, "") } : file;
      if (!inner.complete) this.complete = false;
    }
  }

  /** Whether there is room for one more entry. */
  #next(): boolean {
    if (this.#room.entries <= 0 || this.#room.late) {
      this.complete = false;
      return false;
    }
    this.#room.entries--;
    return true;
  }

  /** Decompressed bytes; of more than there is room for the beginning, and the room is spent then. Undefined when it is no such stream. */
  #inflate(bytes: Uint8Array, how: "gunzip" | "raw"): Uint8Array | undefined {
    const most = Math.min(this.#room.bytes, CHOSEN.archive_stream_bytes);
    if (most <= 0) {
      this.complete = false;
      return undefined;
    }
    // What a stream grows to is not known before, nor how far a damaged one went: it is let grow step by step and each is charged.
    for (let step = Math.min(most, FIRST_STEP); ; step = Math.min(most, step * 8)) {
      const made = unpacked(bytes, how, step);
      this.#room.bytes -= typeof made === "string" ? Math.min(step, bytes.length * GROWTH) : made.length;
      if (made !== "too large") return typeof made === "string" ? undefined : made;
      if (step === most) break;
    }
    this.complete = false;
    this.#room.bytes = 0;
    for (let length = Math.floor(bytes.length / 64); length > 0; length = Math.floor(length / 64)) {
      const made = unpacked(bytes.subarray(0, length), how, most);
      if (made !== "too large") return typeof made === "string" ? undefined : made;
    }
    return undefined;
  }

  /**
   * Every local header from the first one on, so that none is hidden from the directory; sizes and names from the directory,
   * which is what most programs go by, where it is there.
   */
  *#zip(bytes: Uint8Array): Generator<Entry> {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const directory = this.#directory(bytes, view);
    const starts = directory === undefined ? [] : [...directory.keys()].sort((a, b) => a - b);
    const next = new NextHeader(bytes);
    let upcoming = 0;
    for (let at = 0; at + 30 <= bytes.length; ) {
      if (view.getUint32(at, true) !== 0x04034b50) {
        // Something between two members: on with the next one that the directory names.
        while (upcoming < starts.length && (starts[upcoming] as number) <= at) upcoming++;
        const start = starts[upcoming];
        if (start === undefined) return;
        at = start;
        continue;
      }
      if (!this.#next()) return;
      const known = directory?.get(at);
      const flags = view.getUint16(at + 6, true);
      const method = view.getUint16(at + 8, true);
      const nameLength = view.getUint16(at + 26, true);
      const start = at + 30 + nameLength + view.getUint16(at + 28, true);
      const written = view.getUint32(at + 18, true);
      // With bit 3 the size stands behind the content and in the directory at the end.
      const length = known?.packed ?? (written > 0 ? written : (flags & 8) === 0 ? 0 : next.from(start) - start);
      const end = start + length;
      // Members that share bytes are a bomb, or two archives in one; the later one is passed over.
      if (known !== undefined && known.next < end) this.complete = false;
      const path = plain(known?.name ?? new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + nameLength)));
      const readable = (flags & 1) === 0 && (method === 0 || method === 8) && !path.endsWith("/") && known?.link !== true;
      const content = bytes.subarray(start, end);
      yield {
        path,
        size: known?.size ?? view.getUint32(at + 22, true),
        plain: readable,
        read: () => (!readable ? undefined : method === 0 ? content : this.#inflate(content, "raw")),
      };
      at = end;
      if (directory === undefined && (flags & 8) !== 0 && at + 4 <= bytes.length && view.getUint32(at, true) !== 0x04034b50)
        at = next.from(at);
    }
  }

  /** What the directory at the end says of each local header, by its place; undefined where there is none. */
  #directory(bytes: Uint8Array, view: DataView): ReadonlyMap<number, Known> | undefined {
    let end = bytes.length - 22;
    for (const least = Math.max(0, end - LONGEST_COMMENT); end >= least && view.getUint32(end, true) !== 0x06054b50; ) end--;
    if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return undefined;
    const found = new Map<number, Known>();
    let at = view.getUint32(end + 16, true);
    while (at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50) {
      if (found.size >= this.#room.entries) {
        this.complete = false;
        break;
      }
      const nameLength = view.getUint16(at + 28, true);
      const place = view.getUint32(at + 42, true);
      // Two members in one place.
      if (found.has(place)) this.complete = false;
      else
        found.set(place, {
          name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
          packed: view.getUint32(at + 20, true),
          size: view.getUint32(at + 24, true),
          link: (view.getUint16(at + 40, true) & 0xf000) === 0xa000,
          next: bytes.length,
        });
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    const places = [...found.keys()].sort((a, b) => a - b);
    for (const [index, place] of places.entries()) (found.get(place) as Known).next = places[index + 1] ?? bytes.length;
    return found;
  }

  *#tar(bytes: Uint8Array): Generator<Entry> {
    let longName: string | undefined;
    let longSize: number | undefined;
    for (let at = 0; at + BLOCK <= bytes.length; ) {
      if (bytes[at] === 0 && bytes.subarray(at, at + BLOCK).every((byte) => byte === 0)) return;
      const written = isHeader(bytes, at) ? sizeOf(bytes, at + 124) : undefined;
      if (written === undefined) {
        // Programs go on with the next header as well.
        at += BLOCK;
        continue;
      }
      if (!this.#next()) return;
      const type = latin1(bytes, at + 156, at + 157);
      const named = type !== "L" && type !== "K" && type !== "x" && type !== "g";
      const size = named ? (longSize ?? written) : written;
      const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
      // A name that is too long for its field comes in an entry of its own (GNU `L`, POSIX `x`).
      if (type === "L") longName = text(content, 0, Math.min(content.length, 2 * CHOSEN.pattern_line_chars));
      else if (type === "x") {
        const records = new TextDecoder().decode(content.subarray(0, 65_536));
        longName = /(?:^|\n)\d{1,9} path=([^\n]{1,4096})\n/.exec(records)?.[1] ?? longName;
        const stated = /(?:^|\n)\d{1,9} size=(\d{1,15})\n/.exec(records)?.[1];
        longSize = stated === undefined ? undefined : Number(stated);
      } else if (named) {
        const prefix = latin1(bytes, at + 257, at + 262) === "ustar" ? text(bytes, at + 345, at + 500) : "";
        const path = plain(longName ?? `${prefix === "" ? "" : `${prefix}/`}${text(bytes, at, at + 100)}`);
        const isFile = (type === "0" || type === "\0" || type === "7") && !path.endsWith("/");
        longName = undefined;
        longSize = undefined;
        yield { path, size, plain: isFile, read: () => (isFile ? content : undefined) };
      }
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
  }
}

/** Of a stream that is not known yet this much is unpacked at first, in bytes: most files are smaller. */
const FIRST_STEP = 1024 * 1024;

/** Deflate grows a thousandfold at most. */
const GROWTH = 1_032;

/** Unpacks a stream, or as much as there is of one that was cut. */
function unpacked(bytes: Uint8Array, how: "gunzip" | "raw", maxOutputLength: number): Uint8Array | "too large" | "damaged" {
  const { gunzipSync, inflateRawSync, constants } = zlib();
  try {
    return (how === "gunzip" ? gunzipSync : inflateRawSync)(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
  } catch (error) {
    return (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE" ? "too large" : "damaged";
  }
}

/** What a zip's directory says of one member. */
interface Known {
  readonly name: string;
  readonly packed: number;
  readonly size: number;
  readonly link: boolean;
  /** Where the next member begins. */
  next: number;
}

/** Where the next member or the directory of a zip begins; each mark is looked for once over the whole archive. */
class NextHeader {
  readonly #text: Buffer;
  readonly #marks = ["PK\x03\x04", "PK\x01\x02"].map((mark) => ({ mark, at: 0 }));

  constructor(bytes: Uint8Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  from(place: number): number {
    for (const one of this.#marks) {
      if (one.at >= place && one.at > 0) continue;
      const at = this.#text.indexOf(one.mark, place, "latin1");
      one.at = at < 0 ? this.#text.length : at;
    }
    return Math.min(...this.#marks.map(({ at }) => at));
  }
}

const LONGEST_COMMENT = 65_535;
const BLOCK = 512;

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && bytes[0] !== 0 && isHeader(bytes, 0);
}

/** The checksum is in every tar, whatever its age; "ustar" is not. */
function isHeader(bytes: Uint8Array, at: number): boolean {
  const stated = /^ {0,7}([0-7]{1,7})[ \0]?/.exec(latin1(bytes, at + 148, at + 156))?.[1];
  if (stated === undefined) return false;
  let sum = 8 * 32;
  for (let index = 0; index < BLOCK; index++) if (index < 148 || index >= 156) sum += bytes[at + index] ?? 0;
  return Number.parseInt(stated, 8) === sum;
}

/** A number in octal digits, or in GNU's binary form; undefined for what is none. */
function sizeOf(bytes: Uint8Array, at: number): number | undefined {
  if (((bytes[at] ?? 0) & 0x80) !== 0) {
    let size = (bytes[at] ?? 0) & 0x7f;
    for (let index = 1; index < 12; index++) size = size * 256 + (bytes[at + index] ?? 0);
    return Number.isSafeInteger(size) ? size : undefined;
  }
  const digits = text(bytes, at, at + 12).trim();
  return /^[0-7]{0,12}$/.test(digits) ? Number.parseInt(digits || "0", 8) : undefined;
}

/** A field up to its NUL. */
function text(bytes: Uint8Array, start: number, end: number): string {
  const field = bytes.subarray(start, end);
  const stop = field.indexOf(0);
  return new TextDecoder().decode(stop < 0 ? field : field.subarray(0, stop));
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", start, end);
}

function plain(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "").slice(0, 4_096);
}
