/**
 * Looking at files on Linux through libc itself: `node:fs` costs the hook 1.3 ms to load, `dlopen` about 0.3 (measured).
 *
 * Trust: paths are hostile; one with a NUL byte names nothing. Structures are read by the kernel's fixed layout of
 * `statx`, which is the same on every architecture. Where libc cannot be opened, `system.ts` uses `node:fs`.
 */
import type { FileBytes, FileInfo } from "./system.ts";

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
const STATX_BASIC_STATS = 0x7ff;
const PATH_MAX = 4096;
/** O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC: a FIFO cannot block the open, a terminal is not taken over. */
const OPEN_FLAGS = 0x800 | 0x100 | 0x80000;
const FILE_TYPE = 0o170000;

/** The few calls the hook needs. */
export interface Libc {
  info(path: string): FileInfo | undefined;
  realPath(path: string): string | undefined;
  read(path: string, bytes_max: number, from_bytes: number, room?: Uint8Array): FileBytes | undefined;
}

/** libc of this machine; undefined where it is not glibc on Linux. */
export function openLibc(): Libc | undefined {
  if (process.platform !== "linux") return undefined;
  const { ptr } = ffi();
  let libc: ReturnType<typeof open>;
  try {
    libc = open(ffi());
  } catch {
    return undefined;
  }
  const stat = new Uint8Array(256);
  const view = new DataView(stat.buffer);
  const encoder = new TextEncoder();
  const spelled = (path: string): Uint8Array | undefined => (path.includes("\0") ? undefined : encoder.encode(`${path}\0`));
  const filled = (): FileInfo => {
    const mode = view.getUint16(28, true);
    const type = mode & FILE_TYPE;
    return {
      kind: type === 0o100000 ? "file" : type === 0o040000 ? "folder" : type === 0o120000 ? "link" : "other",
      size_bytes: Number(view.getBigUint64(40, true)),
      mode: mode & 0o7777,
      uid: view.getUint32(20, true),
      mtime_ms: Number(view.getBigInt64(112, true)) * 1000 + view.getUint32(120, true) / 1e6,
    };
  };
  const empty = encoder.encode("\0");

  return {
    info(path) {
      const name = spelled(path);
      if (name === undefined || libc.statx(AT_FDCWD, ptr(name), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, ptr(stat)) !== 0) return undefined;
      return filled();
    },
    realPath(path) {
      const name = spelled(path);
      if (name === undefined) return undefined;
      const buffer = new Uint8Array(PATH_MAX);
      if (libc.realpath(ptr(name), ptr(buffer)) === null) return undefined;
      return new TextDecoder().decode(buffer.subarray(0, buffer.indexOf(0)));
    },
    read(path, bytes_max, from_bytes, room) {
      const name = spelled(path);
      if (name === undefined) return undefined;
      const fd = libc.open(ptr(name), OPEN_FLAGS, 0);
      if (fd < 0) return undefined;
      try {
        if (libc.statx(fd, ptr(empty), AT_EMPTY_PATH, STATX_BASIC_STATS, ptr(stat)) !== 0) return undefined;
        const { kind, size_bytes } = filled();
        if (kind !== "file") return undefined;
        // Files of /proc are read from their beginning only: not all of them take a position.
        const more = (buffer: Uint8Array, at: number): number =>
          Number(
            from_bytes === 0
              ? libc.read(fd, ptr(buffer, at), buffer.length - at)
              : positioned().pread(fd, ptr(buffer, at), buffer.length - at, from_bytes + at),
          );
        return readAll(size_bytes - from_bytes, bytes_max, more, room);
      } finally {
        libc.close(fd);
      }
    },
  };
}

type Ffi = typeof import("bun:ffi");

/** `bun:ffi` itself takes a quarter of a millisecond to load (measured), which calls that need no libc need not pay. */
export function ffi(): Ffi {
  return process.getBuiltinModule("bun:ffi") as Ffi;
}

function open({ dlopen }: Ffi) {
  return dlopen("libc.so.6", {
    statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" },
    realpath: { args: ["ptr", "ptr"], returns: "ptr" },
    open: { args: ["ptr", "i32", "i32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  }).symbols;
}

type Positioned = ReturnType<typeof openPositioned>;
let opened: Positioned | undefined;

/** Reading from a place on: no hook needs it, and every name that is opened costs time. */
function positioned(): Positioned {
  return (opened ??= openPositioned());
}

function openPositioned() {
  return ffi().dlopen("libc.so.6", { pread: { args: ["i32", "ptr", "u64", "i64"], returns: "i64" } }).symbols;
}

/**
 * Reads to the end or to `bytes_max`, whichever comes first. Files of /proc say size 0 and still have content, so the
 * size is a hint only. `read` fills `buffer` from `at` and returns the count, 0 at the end, negative for an error.
 * Where `room` has more than `bytes_max` bytes, what was read stands in it.
 */
export function readAll(
  size: number,
  bytes_max: number,
  read: (buffer: Uint8Array, at: number) => number,
  room?: Uint8Array,
): FileBytes | undefined {
  let buffer =
    room !== undefined && room.length > bytes_max
      ? room.subarray(0, bytes_max + 1)
      : new Uint8Array(Math.min(bytes_max, Math.max(size, PATH_MAX)) + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > bytes_max) break;
      const larger = new Uint8Array(Math.min(bytes_max + 1, buffer.length * 2));
      larger.set(buffer);
      buffer = larger;
    }
    const count = read(buffer, length);
    if (count < 0) return undefined;
    const full = count === buffer.length - length;
    length += count;
    // A file as long as it says has ended where fewer bytes came than there was room for.
    if (count === 0 || (!full && size > 0 && length >= size)) break;
  }
  return { bytes: buffer.subarray(0, Math.min(length, bytes_max)), cut: length > bytes_max };
}
