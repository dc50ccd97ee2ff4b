/**
 * Git's objects in the files of a `.git` folder that lies in an archive: single ones and packs, read without Git.
 *
 * Trust: the bytes are hostile. Everything is bounded, nothing throws; what does not fit the format ends the list, and
 * `whole` says whether all of it was read.
 */
import { CHOSEN } from "../limits.ts";
import type { Packed } from "./archive.ts";

export interface Objects {
  /** Contents of files, and commits and tags as Git keeps them. */
  readonly contents: readonly Uint8Array[];
  readonly whole: boolean;
}

type Zlib = typeof import("node:zlib");
let loaded: Zlib | undefined;
const zlib = (): Zlib => (loaded ??= process.getBuiltinModule("node:zlib"));

const LOOSE = /(?:^|\/)objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}$/;
const PACK = /(?:^|\/)objects\/pack\/pack-[0-9a-f]{40,64}\.pack$/;

/** What is left to be read of one archive. */
interface Room {
  bytes: number;
  objects: number;
}

/** Whether a path in an archive is a file of Git's object store. */
export function isGitObject(path: string): boolean {
  return LOOSE.test(path) || PACK.test(path);
}

/** The objects in these files of an object store. */
export function gitObjects(entries: readonly Packed[]): Objects {
  const room: Room = { bytes: CHOSEN.archive_git_bytes, objects: CHOSEN.archive_git_objects };
  const contents: Uint8Array[] = [];
  let whole = true;
  for (const { path, bytes } of entries) {
    if (LOOSE.test(path)) {
      const object = inflate(bytes, room)?.bytes;
      const end = object?.indexOf(0) ?? -1;
      if (object === undefined || end < 0) whole = false;
      else if (!isTree(object)) contents.push(object.subarray(end + 1));
    } else if (PACK.test(path) && !packed(bytes, room, contents)) whole = false;
  }
  return { contents, whole };
}

/** `tree 123`: names and hashes only. */
function isTree(object: Uint8Array): boolean {
  return object[0] === 0x74 && object[1] === 0x72;
}

interface Inflated {
  readonly bytes: Uint8Array;
  /** How much of the input it took. */
  readonly taken: number;
}

/** One compressed stream at the beginning of some bytes. */
function inflate(bytes: Uint8Array, room: Room): Inflated | undefined {
  if (room.bytes <= 0 || room.objects-- <= 0) return undefined;
  try {
    const result: unknown = zlib().inflateSync(bytes, { info: true, maxOutputLength: room.bytes });
    const { buffer, engine } = result as { buffer: Uint8Array; engine: { bytesWritten: number } };
    room.bytes -= buffer.length;
    return { bytes: buffer, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

const COMMIT = 1;
const TREE = 2;
const TAG = 4;
const OFFSET_DELTA = 6;

/** Adds the objects of a pack; false when not all of it could be read. */
function packed(bytes: Uint8Array, room: Room, contents: Uint8Array[]): boolean {
  if (bytes.length < 32 || Buffer.from(bytes.buffer, bytes.byteOffset, 4).toString("latin1") !== "PACK") return false;
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8);
  const known = new Map<number, { readonly type: number; readonly bytes: Uint8Array }>();
  let at = 12;
  for (let index = 0; index < count; index++) {
    const start = at;
    let byte = bytes[at++] ?? 0;
    let type = (byte >> 4) & 7;
    while ((byte & 0x80) !== 0 && at < bytes.length) byte = bytes[at++] ?? 0;
    let base: { readonly type: number; readonly bytes: Uint8Array } | undefined;
    if (type === OFFSET_DELTA) {
      byte = bytes[at++] ?? 0;
      let distance = byte & 0x7f;
      while ((byte & 0x80) !== 0 && at < bytes.length) {
        byte = bytes[at++] ?? 0;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      base = known.get(start - distance);
      if (base === undefined) return false;
    } else if (type < COMMIT || type > TAG) return false; // A base by its name stands in packs on their way only.
    const inflated = inflate(bytes.subarray(at), room);
    if (inflated === undefined) return false;
    at += inflated.taken;
    let content: Uint8Array | undefined = inflated.bytes;
    if (base !== undefined) {
      type = base.type;
      content = changed(base.bytes, content, room);
    }
    if (content === undefined) return false;
    known.set(start, { type, bytes: content });
    if (type !== TREE) contents.push(content);
  }
  return true;
}

/** What a delta makes of its base. */
function changed(base: Uint8Array, delta: Uint8Array, room: Room): Uint8Array | undefined {
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let shift = 1; at < delta.length; shift *= 128) {
      const byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * shift;
      if ((byte & 0x80) === 0) break;
    }
    return value;
  };
  if (length() !== base.length) return undefined;
  const size = length();
  if (size > room.bytes) return undefined;
  room.bytes -= size;
  const made = new Uint8Array(size);
  let filled = 0;
  while (at < delta.length) {
    const code = delta[at++] ?? 0;
    let piece: Uint8Array;
    if ((code & 0x80) === 0) {
      piece = delta.subarray(at, at + code);
      at += code;
    } else {
      const field = (bits: number): number => {
        let value = 0;
        for (let byte = 0, shift = 1; byte < 4; byte++, shift *= 256) if ((bits & (1 << byte)) !== 0) value += (delta[at++] ?? 0) * shift;
        return value;
      };
      const from = field(code & 0x0f);
      const count = field((code >> 4) & 0x07) || 0x10000;
      piece = base.subarray(from, from + count);
    }
    if (piece.length === 0 || filled + piece.length > size) return undefined;
    made.set(piece, filled);
    filled += piece.length;
  }
  return filled === size ? made : undefined;
}
