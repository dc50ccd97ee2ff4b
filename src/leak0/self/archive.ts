/**
 * What an archive on disk holds: names, and the text of a member that is asked for. Tar, also gzipped, and zip.
 *
 * Trust: the archive is anyone's. It is read as bytes within bounds and no program is started; one that is longer, packed
 * in another way or broken has no list.
 */
import { CHOSEN } from "../../limits.ts";
import { decode } from "../../secrets/decode.ts";
import type { System } from "../../system.ts";

/** One member. */
export interface Member {
  readonly name: string;
  /** Undefined for what is no plain file, or cannot be unpacked within the bounds. */
  readonly text: () => string | undefined;
}

/** The members of an archive in order; undefined when its list cannot be read cheaply. */
export function archiveMembers(system: System, path: string): readonly Member[] | undefined {
  const read = system.read(path, CHOSEN.archive_listed_bytes);
  if (read === undefined || read.cut) return undefined;
  const { bytes } = read;
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return tar(unzipped(bytes, "gunzipSync"));
    return bytes[0] === 0x50 && bytes[1] === 0x4b ? zip(bytes) : tar(bytes);
  } catch {
    return undefined;
  }
}

const BLOCK = 512;

function tar(bytes: Uint8Array): readonly Member[] | undefined {
  const members: Member[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    if (bytes[at] === 0) return members;
    const header = bytes.subarray(at, at + BLOCK);
    if (field(header, 257, 5) !== "ustar" && members.length === 0 && !isOldHeader(header)) return undefined;
    const size = Number.parseInt(field(header, 124, 12).trim() || "0", 8);
    if (!Number.isSafeInteger(size) || size < 0) return undefined;
    const type = field(header, 156, 1);
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === "L") longName = field(body, 0, body.length);
    else if (type === "x") longName = /(?:^|\n)\d{1,9} path=([^\n]{1,4096})\n/.exec(decode(body).text)?.[1] ?? longName;
    else if (type !== "g") {
      const prefix = field(header, 257, 6) === "ustar" ? field(header, 345, 155) : "";
      const name = longName ?? (prefix === "" ? "" : `${prefix}/`) + field(header, 0, 100);
      const plain = (type === "" || type === "0") && size <= CHOSEN.agent_settings_bytes;
      members.push({ name, text: () => (plain ? decode(body).text : undefined) });
      longName = undefined;
    }
  }
  return members.length === 0 ? undefined : members;
}

/** The checksum field of a header from before the `ustar` mark. */
function isOldHeader(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return Number.parseInt(field(header, 148, 8).trim(), 8) === sum;
}

function field(bytes: Uint8Array, start: number, length: number): string {
  const part = bytes.subarray(start, start + length);
  const end = part.indexOf(0);
  return new TextDecoder().decode(end < 0 ? part : part.subarray(0, end));
}

const LONGEST_COMMENT = 65_535;

function zip(bytes: Uint8Array): readonly Member[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  for (const least = Math.max(0, end - LONGEST_COMMENT); end >= least && view.getUint32(end, true) !== 0x06054b50; ) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) return undefined;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const members: Member[] = [];
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== 0x02014b50) return undefined;
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const plain = (method === 0 || method === 8) && size <= CHOSEN.agent_settings_bytes;
    members.push({ name, text: () => (plain ? zipped(bytes, view, local, method, packed) : undefined) });
  }
  return members;
}

function zipped(bytes: Uint8Array, view: DataView, local: number, method: number, packed: number): string | undefined {
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const body = bytes.subarray(start, start + packed);
  try {
    return decode(method === 0 ? body : unzipped(body, "inflateRawSync")).text;
  } catch {
    return undefined;
  }
}

/** Unpacked within the bounds; throws beyond them. */
function unzipped(bytes: Uint8Array, how: "gunzipSync" | "inflateRawSync"): Uint8Array {
  return process.getBuiltinModule("node:zlib")[how](bytes, { maxOutputLength: CHOSEN.archive_unpacked_bytes });
}
