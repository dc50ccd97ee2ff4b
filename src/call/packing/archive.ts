/**
 * What lies in an archive: zip (wheels, extensions, NuGet packages), tar, gzip, and one of them inside another (a gem).
 * Trust: archives are anybody's. Sizes are bounded before anything is unpacked, names are only compared, nothing is written.
 */
import { CHOSEN } from "../../limits.ts";

/** A file in an archive. */
export interface Member {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Names under which archives travel. */
export const ARCHIVE_NAME = /\.(?:zip|whl|jar|war|ear|vsix|nupkg|xpi|crx|apk|ipa|aab|tar|tgz|tar\.gz|gz|crate|gem|egg|conda)$/i;

/** The files in an archive; undefined when the bytes are none, or one that is not understood. Larger ones are read as far as the limits go. */
export function members(bytes: Uint8Array): readonly Member[] | undefined {
  return unpacked(bytes, { bytes: CHOSEN.packed_archive_bytes, members: CHOSEN.packed_archive_members }, 0);
}

interface Left {
  bytes: number;
  members: number;
}

/** Archives inside archives that are opened: a gem is a tar with a tar.gz in it. */
const DEPTH = 2;

function unpacked(bytes: Uint8Array, left: Left, depth: number): readonly Member[] | undefined {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return zip(bytes, left);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const inner = inflate(bytes, left, "gunzipSync");
    if (inner === undefined) return undefined;
    return tar(inner, left, depth) ?? [{ name: "", bytes: inner }];
  }
  return tar(bytes, left, depth);
}

function inflate(bytes: Uint8Array, left: Left, how: "gunzipSync" | "inflateRawSync"): Uint8Array | undefined {
  if (left.bytes <= 0) return undefined;
  try {
    const plain = process.getBuiltinModule("node:zlib")[how](bytes, { maxOutputLength: left.bytes });
    left.bytes -= plain.length;
    return plain;
  } catch {
    return undefined; // Damaged, or larger than may be unpacked.
  }
}

function tar(bytes: Uint8Array, left: Left, depth: number): readonly Member[] | undefined {
  if (bytes.length < 512 || latin(bytes, 257, 5) !== "ustar") return undefined;
  const found: Member[] = [];
  let longName: string | undefined;
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0 && left.members > 0; ) {
    const size = sizeOf(bytes, at + 124);
    if (size === undefined) break;
    const type = String.fromCharCode(bytes[at + 156] ?? 0);
    const body = bytes.subarray(at + 512, Math.min(bytes.length, at + 512 + size));
    const prefix = text(bytes, at + 345, 155);
    const name = longName ?? (prefix === "" ? text(bytes, at, 100) : `${prefix}/${text(bytes, at, 100)}`);
    longName = undefined;
    if (type === "L") longName = text(body, 0, body.length);
    else if (type === "x") longName = /(?:^|\n)\d{1,20} path=([^\n]{1,4096})/.exec(new TextDecoder().decode(body))?.[1];
    else if (type === "0" || type === "\0" || type === "7") {
      left.members--;
      const inner = depth < DEPTH - 1 && ARCHIVE_NAME.test(name) ? unpacked(body, left, depth + 1) : undefined;
      if (inner === undefined) found.push({ name, bytes: body });
      else found.push(...inner.map((member) => (member.name === "" ? { name: name.replace(/\.gz$/, ""), bytes: member.bytes } : member)));
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

/** An octal number; undefined for what is none. */
function sizeOf(bytes: Uint8Array, at: number): number | undefined {
  const digits = latin(bytes, at, 12)
    .replace(/[\0 ]{1,12}$/, "")
    .trim();
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function zip(bytes: Uint8Array, left: Left): readonly Member[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // The directory stands at the end, behind it at most a comment.
  let end = bytes.length - 22;
  const first = Math.max(0, end - 65_535);
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < first) return undefined;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const found: Member[] = [];
  for (let one = 0; one < count && left.members > 0; one++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) break;
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const nameLength = view.getUint16(at + 28, true);
    const name = text(bytes, at + 46, nameLength);
    const local = view.getUint32(at + 42, true);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (name.endsWith("/") || local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) continue;
    left.members--;
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const body = bytes.subarray(start, Math.min(bytes.length, start + packed));
    const plain = method === 0 ? body : method === 8 ? inflate(body, left, "inflateRawSync") : undefined;
    if (plain !== undefined) found.push({ name, bytes: plain });
  }
  return found;
}

function latin(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.max(0, Math.min(length, bytes.length - at))).toString("latin1");
}

/** A name up to its NUL. */
function text(bytes: Uint8Array, at: number, length: number): string {
  const whole = new TextDecoder().decode(bytes.subarray(at, at + length));
  const end = whole.indexOf("\0");
  return end < 0 ? whole : whole.slice(0, end);
}
