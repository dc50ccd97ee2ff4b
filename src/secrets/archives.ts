/**
 * What an archive holds: gzip, tar and zip, in each other as well (credential-files.md §15).
 *
 * Trust: the bytes are hostile. Unpacked bytes, entries and nesting are limited; what does not fit is left out, and nothing
 * here throws. Names are as written in the archive and only tell what an entry is: nothing is ever written anywhere.
 */
import { CHOSEN } from "../limits.ts";

/** One file of an archive. */
export interface Entry {
  /** Its path in the archive, "" where the format has none. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is left to be unpacked of one archive, everything inside it included. */
interface Room {
  bytes: number;
  entries: number;
}

/** Archives in archives that are opened: a `.tgz` is two. */
const DEPTH = 4;
/** Bytes in a block of tar. */
const BLOCK = 512;

/** The files of an archive; none for anything else. */
export function entriesOf(bytes: Uint8Array): readonly Entry[] {
  return open(bytes, "", { bytes: CHOSEN.archive_bytes, entries: CHOSEN.archive_entries }, DEPTH);
}

function open(bytes: Uint8Array, name: string, room: Room, depth: number): readonly Entry[] {
  const inside = depth === 0 ? undefined : unpacked(bytes, name, room);
  if (inside === undefined) return [];
  return inside.flatMap((entry) => {
    const deeper = open(entry.bytes, entry.name, room, depth - 1);
    return deeper.length > 0 ? deeper : [entry];
  });
}

function unpacked(bytes: Uint8Array, name: string, room: Room): readonly Entry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length > 18 && bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const made = inflated(bytes, "gzip", room);
    return made && [{ name: name.replace(/\.(?:gz|tgz)$/i, ""), bytes: made }];
  }
  if (bytes.length > 22 && view.getUint32(0, true) === 0x04034b50) return [...zip(bytes, view, room)];
  if (bytes.length > BLOCK && latin1(bytes, 257, 262) === "ustar") return [...tar(bytes, room)];
  return undefined;
}

function* tar(bytes: Uint8Array, room: Room): Generator<Entry> {
  for (let at = 0; at + BLOCK <= bytes.length && room.entries > 0; ) {
    const size = Number.parseInt(latin1(bytes, at + 124, at + 136).trim() || "0", 8);
    const kind = latin1(bytes, at + 156, at + 157);
    if (bytes[at] === 0 || Number.isNaN(size)) return;
    const from = at + BLOCK;
    if (kind === "0" || kind === "\0") {
      room.entries--;
      const prefix = word(bytes, at + 345, at + 500);
      const name = word(bytes, at, at + 100);
      yield { name: prefix === "" ? name : `${prefix}/${name}`, bytes: bytes.subarray(from, from + size) };
    }
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** Entries of the directory at the end of a zip file: what stands before each file may leave its size out. */
function* zip(bytes: Uint8Array, view: DataView, room: Room): Generator<Entry> {
  let end = bytes.length - 22;
  while (end > 0 && view.getUint32(end, true) !== 0x06054b50 && bytes.length - end < 0x10000) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return;
  for (let at = view.getUint32(end + 16, true); at + 46 <= bytes.length && room.entries > 0; ) {
    if (view.getUint32(at, true) !== 0x02014b50) return;
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    const length = view.getUint16(at + 28, true);
    const name = latin1(bytes, at + 46, at + 46 + length);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (local + 30 > bytes.length) continue;
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const stored = bytes.subarray(from, from + size);
    const made = method === 0 ? stored : method === 8 ? inflated(stored, "raw", room) : undefined;
    room.entries--;
    if (made !== undefined && !name.endsWith("/")) yield { name, bytes: made };
  }
}

/** Undefined when it is damaged or larger than the room that is left. */
function inflated(bytes: Uint8Array, format: "gzip" | "raw", room: Room): Uint8Array | undefined {
  // Loaded only where an archive leaves: the module costs about a millisecond.
  const zlib = process.getBuiltinModule("node:zlib");
  if (room.bytes <= 0) return undefined;
  try {
    const limit = { maxOutputLength: room.bytes };
    const made = format === "gzip" ? zlib.gunzipSync(bytes, limit) : zlib.inflateRawSync(bytes, limit);
    room.bytes -= made.length;
    return made;
  } catch {
    return undefined;
  }
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", from, to);
}

/** A field that a NUL ends. */
function word(bytes: Uint8Array, from: number, to: number): string {
  return latin1(bytes, from, to).split("\0", 1)[0] ?? "";
}
