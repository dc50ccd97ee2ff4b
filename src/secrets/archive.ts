/**
 * What lies in an archive: zip (also jar, whl, docx …), tar, gzip, and one in the other (credential-files.md §15).
 *
 * Trust: the bytes are hostile. Everything is bounded: entries, unpacked bytes of all together, nesting. Nothing here throws;
 * what does not fit the format ends the list, and an archive that was cut gives what its beginning holds.
 */
import { CHOSEN } from "../limits.ts";

/** One file in an archive. */
export interface Entry {
  /** As the archive names it, without a leading "./"; "" for the one content of a gzip file. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

type Zlib = typeof import("node:zlib");
let loaded: Zlib | undefined;
const zlib = (): Zlib => (loaded ??= process.getBuiltinModule("node:zlib"));

/** Whether bytes begin like an archive that `entriesOf` opens. */
export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isGzip(bytes) || isTar(bytes);
}

/** What is left to be unpacked of one archive, everything inside it included. */
interface Room {
  bytes: number;
  entries: number;
}

/** Archives in archives that are opened: a `.tgz` is two. */
const DEPTH = 4;

/** The files in an archive and in the archives in it, as far as the limits go; none for anything else. */
export function entriesOf(
  bytes: Uint8Array,
  limits: Room = { bytes: CHOSEN.archive_bytes, entries: CHOSEN.archive_entries },
): readonly Entry[] {
  return open({ path: "", bytes }, { ...limits }, DEPTH) ?? [];
}

/** Undefined for what is no archive. */
function open({ path, bytes }: Entry, room: Room, depth: number): readonly Entry[] | undefined {
  const inside = depth === 0 ? undefined : unpacked(bytes, path, room);
  return inside?.flatMap((entry) => open(entry, room, depth - 1) ?? [entry]);
}

function unpacked(bytes: Uint8Array, path: string, room: Room): readonly Entry[] | undefined {
  try {
    if (isZip(bytes)) return zip(bytes, room);
    if (isTar(bytes)) return tar(bytes, room);
    if (!isGzip(bytes)) return undefined;
    const inside = inflate(bytes, "gunzip", room);
    return inside && [{ path: path.replace(/\.(?:gz|tgz)$/i, ""), bytes: inside }];
  } catch {
    return undefined;
  }
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** "ustar" stands in every tar that is younger than 1988. */
function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= 512 && latin1(bytes, 257, 262) === "ustar";
}

/** Decompressed bytes, as many as there is room for; of more the beginning. Undefined when it is no such stream. */
function inflate(bytes: Uint8Array, how: "gunzip" | "raw", room: Room): Uint8Array | undefined {
  if (room.bytes <= 0) return undefined;
  const { gunzipSync, inflateRawSync, constants } = zlib();
  const unpack = how === "gunzip" ? gunzipSync : inflateRawSync;
  // A cut stream gives what there is.
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  for (let length = bytes.length; length > 0; length = Math.floor(length / 8)) {
    try {
      const made = unpack(bytes.subarray(0, length), { ...options, maxOutputLength: room.bytes });
      room.bytes -= made.length;
      return made;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    }
  }
  return undefined;
}

/** Local headers in order: they are there even when the end of the file is not. */
function zip(bytes: Uint8Array, room: Room): readonly Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: Entry[] = [];
  const sizes = centralSizes(bytes, view);
  for (let at = 0; at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50; ) {
    if (room.entries-- <= 0) break;
    const flags = view.getUint16(at + 6, true);
    const method = view.getUint16(at + 8, true);
    const nameLength = view.getUint16(at + 26, true);
    const start = at + 30 + nameLength + view.getUint16(at + 28, true);
    const path = new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + nameLength));
    const written = view.getUint32(at + 18, true);
    // With bit 3 the size stands behind the content and in the directory at the end.
    const size = written > 0 ? written : (sizes.get(at) ?? ((flags & 8) !== 0 ? nextHeader(bytes, start) - start : 0));
    const content = bytes.subarray(start, start + size);
    const isReadable = (flags & 1) === 0 && (method === 0 || method === 8);
    if (isReadable && !path.endsWith("/")) {
      const inside = method === 0 ? content : inflate(content, "raw", room);
      if (inside !== undefined) found.push({ path: plain(path), bytes: inside });
    }
    at = start + size;
    if ((flags & 8) !== 0 && at < bytes.length && view.getUint32(Math.min(at, bytes.length - 4), true) !== 0x04034b50)
      at = nextHeader(bytes, at);
  }
  return found;
}

/** Sizes from the directory at the end, by the place of the local header. */
function centralSizes(bytes: Uint8Array, view: DataView): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 65_557); end--) {
    if (bytes[end] !== 0x50 || view.getUint32(end, true) !== 0x06054b50) continue;
    let at = view.getUint32(end + 16, true);
    while (at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50 && sizes.size < CHOSEN.archive_entries) {
      sizes.set(view.getUint32(at + 42, true), view.getUint32(at + 20, true));
      at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    break;
  }
  return sizes;
}

/** Where the next local header or the directory begins. */
function nextHeader(bytes: Uint8Array, from: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const next = text.indexOf("PK\x03\x04", from, "latin1");
  // The directory is looked for no further than that: it stands at the very end, which would be searched for every entry.
  const until = next < 0 ? bytes.length : next;
  const directory = text.subarray(from, until).indexOf("PK\x01\x02", 0, "latin1");
  return directory < 0 ? until : from + directory;
}

function tar(bytes: Uint8Array, room: Room): readonly Entry[] {
  const found: Entry[] = [];
  let longName: string | undefined;
  for (let at = 0; at + 512 <= bytes.length; ) {
    if (room.entries-- <= 0) break;
    const size = Number.parseInt(text(bytes, at + 124, at + 136).trim() || "0", 8);
    if (bytes[at] === 0 || !Number.isSafeInteger(size) || size < 0) break;
    const type = latin1(bytes, at + 156, at + 157);
    const content = bytes.subarray(at + 512, at + 512 + size);
    const prefix = text(bytes, at + 345, at + 500);
    const name = longName ?? `${prefix === "" ? "" : `${prefix}/`}${text(bytes, at, at + 100)}`;
    longName = undefined;
    // A name that is too long for its field comes in an entry of its own (GNU `L`, POSIX `x`).
    if (type === "L") longName = text(content, 0, content.length);
    else if (type === "x")
      longName = /(?:^|\n)\d{1,9} path=([^\n]{1,4096})\n/.exec(new TextDecoder().decode(content.subarray(0, 65_536)))?.[1];
    else if (type === "0" || type === "\0" || type === "7") found.push({ path: plain(name), bytes: content });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
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
