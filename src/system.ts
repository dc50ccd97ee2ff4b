/**
 * The one door to the operating system: clock, environment, files, processes, randomness.
 *
 * Trust: paths and file contents handed through here are hostile. Reads are bounded, never block on a
 * FIFO or device, and never follow a link unless the caller resolved it. The environment is the caller's,
 * handed over as data by the launcher (D-28); the process's own environment is not used.
 * `node:fs` is loaded at first use, synchronously; on Linux looking and reading go through libc, which costs less.
 */
import { CHOSEN } from "./limits.ts";
import { ffi, type Libc, openLibc, readAll } from "./libc.ts";

/** What a path points to, links not followed. */
export interface FileInfo {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size_bytes: number;
  readonly mode: number;
  readonly uid: number;
  readonly mtime_ms: number;
}

/** A name in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: FileInfo["kind"];
}

/** A bounded read. `cut` tells that the file is longer than what was read. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/** A finished child process. `code` is null when it was killed or did not start. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** Ended by us: over time or over `stdout_bytes_max`. */
  readonly cut: boolean;
}

/** How a child runs: every bound is the caller's to state. */
export interface RunOptions {
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array;
  readonly time_ms_max: number;
  readonly stdout_bytes_max: number;
}

/** What the engine may ask of the machine. Tests replace parts of it; nothing else reaches the system. */
export interface System {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds left of the time this process gives itself (D-27); infinite where it gives itself none. */
  left_ms(): number;
  /** The caller's environment: HOME, XDG_*, GIT_*, KUBECONFIG … */
  readonly environment: Readonly<Record<string, string>>;
  /** The user's home folder, absolute: HOME, else the passwd entry; "" when there is none. */
  readonly home: string;
  /** Numeric user id. */
  readonly uid: number;
  /** The data directory (L-140), a build-time constant. */
  readonly dataFolder: string;
  /** Who may own settings in the data directory: root, or the builder's choice in a test build. */
  readonly ownerUid: number;
  readonly platform: "linux" | "darwin" | "windows";
  /** Tells this build of the program from every other: another one may know other secrets. */
  readonly build: string;
  /** Undefined when nothing is there or it may not be looked at. */
  info(path: string): FileInfo | undefined;
  /** The path with every symbolic link resolved; undefined when it does not exist or loops. */
  realPath(path: string): string | undefined;
  /** The text of a symbolic link; undefined when it is none. */
  linkTarget(path: string): string | undefined;
  /**
   * Reads a regular file (never a FIFO, socket or device; links are followed), at most `bytes_max` from a position on, else from the beginning. Undefined when that is impossible.
   * The bytes stand in `room` when that is given and longer than `bytes_max`: until it is used again.
   */
  read(path: string, bytes_max: number, from_bytes?: number, room?: Uint8Array): FileBytes | undefined;
  /** Names in a folder; empty when it cannot be listed. */
  list(folder: string): readonly string[];
  /** The same with what each is, links not followed; undefined when the folder cannot be listed. */
  entries(folder: string): readonly FolderEntry[] | undefined;
  /** Creates or replaces a file atomically (temp, fsync, rename) with this mode. Throws with the reason. */
  replace(path: string, content: string | Uint8Array, mode: number): void;
  /**
   * Appends the line `makeLine` returns for the file's last complete line (undefined when there is none), under
   * a lock and in a single write; creates the file with this mode. Throws with the reason.
   */
  append(path: string, mode: number, makeLine: (last: string | undefined) => string): void;
  /** Runs `work` while holding the lock file `path` exclusively (created 0600). Throws with the reason. */
  locked<T>(path: string, work: () => T): T;
  /** Creates a folder and its missing parents, each 0700, or the folder itself with `mode` whatever the umask. An existing folder keeps its mode. Throws with the reason. */
  makeFolder(path: string, mode?: number): void;
  /** Renames within one folder and replaces what is there. Throws with the reason. */
  rename(from: string, to: string): void;
  /** Removes a file; no error when it is not there. */
  remove(path: string): void;
  /** Bytes this user may still write where a file or folder lies; undefined when that cannot be told. */
  free_bytes(path: string): number | undefined;
  /** Runs a program directly (no shell), bounded in time and output. */
  run(argv: readonly string[], options: RunOptions): Finished;
  /** Cryptographically random bytes. */
  random(count: number): Uint8Array;
  /**
   * Runs `work` with another account's rights (effective user and group, no further groups): root only, on the
   * command line only. Files are then opened, made and refused as for that account. Throws when it cannot switch.
   */
  actAs<T>(account: { readonly uid: number; readonly gid: number }, work: () => T): T;
}

declare const PZ_DATA_FOLDER: string | undefined;
declare const PZ_OWNER_UID: number | undefined;

const DATA_FOLDERS = {
  linux: "/var/lib/poisonzero",
  darwin: "/Library/Application Support/PoisonZero",
  windows: "C:\\ProgramData\\PoisonZero",
} as const;

/** What `openSystem` takes: the caller's environment, and in tests other folders. */
export interface SystemOptions {
  /** Given as a function it is read when it is first asked for, which most hook calls never do. */
  readonly environment: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  readonly dataFolder?: string;
  readonly ownerUid?: number;
  /** Milliseconds from now after which no child process is given more time (D-27's back-stop for the hook). */
  readonly time_ms_max?: number;
}

type Fs = typeof import("node:fs");

/** Longest line that is looked back over when a chained file is appended to, in bytes. */
const LAST_LINE_BYTES = 64 * 1024;

/** Largest file that is mapped instead of opened through libc. */
const MAPPED_BYTES = 64 * 1024;

/** What Bun says of when a path changed that the system tells nothing about: most often there is no such file. */
const UNTOLD_MS = 2 ** 52 - 1;

/**
 * A small file without loading libc, which costs an everyday call a third of a millisecond (measured): most need nothing but a
 * package.json, or to know that there is none. Undefined for everything else, also for FIFOs and devices, whose size is not
 * finite. The bytes are copied at once: what is mapped goes when the file is cut.
 */
function readMapped(path: string, bytes_max: number): FileBytes | "absent" | undefined {
  if (process.platform !== "linux" || !path.startsWith("/")) return undefined;
  try {
    const file = Bun.file(path);
    const { size } = file;
    if (size === 0 && file.lastModified === UNTOLD_MS) return "absent";
    if (!(size > 0 && size <= Math.min(bytes_max, MAPPED_BYTES))) return undefined;
    const bytes = Bun.mmap(path, { shared: false }).slice();
    return bytes.length > bytes_max ? undefined : { bytes, cut: false };
  } catch {
    return undefined;
  }
}

/** The real machine. */
export function openSystem(options: SystemOptions): System {
  let loaded: Fs | undefined;
  const fs = (): Fs => (loaded ??= process.getBuiltinModule("node:fs"));
  let looked: Libc | null | undefined;
  const libc = (): Libc | null => (looked === undefined ? (looked = openLibc() ?? null) : looked);
  const platform = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "darwin" : "linux";
  const builtIn = typeof PZ_DATA_FOLDER === "string" ? PZ_DATA_FOLDER : DATA_FOLDERS[platform];
  const owner = typeof PZ_OWNER_UID === "number" ? PZ_OWNER_UID : 0;
  const uid = process.getuid?.() ?? 0;
  const deadline = options.time_ms_max === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.time_ms_max;
  let environment: System["environment"] | undefined;
  let home: string | undefined;

  const system: System = {
    now: () => Date.now(),
    left_ms: () => deadline - Date.now(),
    get environment() {
      return (environment ??= typeof options.environment === "function" ? options.environment() : options.environment);
    },
    get home() {
      home ??= absolute(system.environment.HOME) ?? absolute(system.environment.USERPROFILE) ?? passwdHome(system, uid) ?? "";
      return home;
    },
    uid,
    dataFolder: options.dataFolder ?? builtIn,
    ownerUid: options.ownerUid ?? owner,
    platform,
    get build() {
      const program = system.info(process.execPath);
      return `${program?.size_bytes} ${program?.mtime_ms}`;
    },
    info(path) {
      if (libc()) return libc()?.info(path);
      try {
        const stat = fs().lstatSync(path);
        return { kind: kindOf(stat), size_bytes: stat.size, mode: stat.mode & 0o7777, uid: stat.uid, mtime_ms: stat.mtimeMs };
      } catch {
        return undefined;
      }
    },
    realPath(path) {
      if (libc()) return libc()?.realPath(path);
      try {
        return fs().realpathSync.native(path);
      } catch {
        return undefined;
      }
    },
    linkTarget(path) {
      try {
        return fs().readlinkSync(path);
      } catch {
        return undefined;
      }
    },
    read(path, bytes_max, from_bytes = 0, room) {
      const mapped = looked === undefined && from_bytes === 0 ? readMapped(path, bytes_max) : undefined;
      if (mapped !== undefined) return mapped === "absent" ? undefined : mapped;
      return libc() ? libc()?.read(path, bytes_max, from_bytes, room) : readRegular(fs(), path, bytes_max, from_bytes, room);
    },
    list(folder) {
      try {
        return fs().readdirSync(folder);
      } catch {
        return [];
      }
    },
    entries(folder) {
      try {
        return fs()
          .readdirSync(folder, { withFileTypes: true })
          .map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      } catch {
        return undefined;
      }
    },
    replace(path, content, mode) {
      const temporary = `${path}.${process.pid}.${Buffer.from(system.random(6)).toString("hex")}.tmp`;
      const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs().constants;
      const fd = fs().openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode);
      try {
        writeWhole(fs(), fd, typeof content === "string" ? Buffer.from(content) : content);
        fs().fchmodSync(fd, mode);
        fs().fsyncSync(fd);
        fs().closeSync(fd);
        fs().renameSync(temporary, path);
      } catch (error) {
        fs().rmSync(temporary, { force: true });
        throw error;
      }
    },
    append(path, mode, makeLine) {
      system.locked(`${path}.lock`, () => {
        const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = fs().constants;
        const fd = fs().openSync(path, O_RDWR | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), mode);
        try {
          const { last, torn } = lastLine(fs(), fd);
          // A torn last line (a crash in mid-write) is closed first, so that the new line stands alone.
          const line = `${torn ? "\n" : ""}${makeLine(last)}\n`;
          writeWhole(fs(), fd, Buffer.from(line));
        } finally {
          fs().closeSync(fd);
        }
      });
    },
    locked(path, work) {
      const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs().constants;
      const fd = fs().openSync(path, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
      try {
        lockExclusive(fd, platform);
        return work();
      } finally {
        fs().closeSync(fd); // closing releases the lock, also after a crash
      }
    },
    makeFolder(path, mode) {
      const made = fs().mkdirSync(path, { recursive: true, mode: 0o700 });
      if (made !== undefined && mode !== undefined) fs().chmodSync(path, mode);
    },
    rename(from, to) {
      fs().renameSync(from, to);
    },
    remove(path) {
      fs().rmSync(path, { force: true });
    },
    free_bytes(path) {
      try {
        const { bavail, bsize } = fs().statfsSync(path);
        return bavail * bsize;
      } catch {
        return undefined;
      }
    },
    run(argv, runOptions) {
      const left_ms = system.left_ms();
      if (left_ms <= 0) return { code: null, stdout: new Uint8Array(), stderr: "no time is left", cut: true };
      return runBounded(argv, { ...runOptions, time_ms_max: Math.min(runOptions.time_ms_max, left_ms) });
    },
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    actAs,
  };
  return system;
}

function absolute(path: string | undefined): string | undefined {
  if (path === undefined || path.includes("\0")) return undefined;
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) ? path : undefined;
}

/** The home folder the passwd file names for this uid. */
function passwdHome(system: System, uid: number): string | undefined {
  const passwd = system.read("/etc/passwd", CHOSEN.passwd_bytes);
  if (!passwd) return undefined;
  for (const line of new TextDecoder().decode(passwd.bytes).split("\n")) {
    const fields = line.split(":");
    if (fields[2] === String(uid)) return absolute(fields[5]);
  }
  return undefined;
}

/** O_NONBLOCK keeps a FIFO from blocking the open; anything but a regular file is refused after the open, so nothing can be swapped in between. */
function readRegular(fs: Fs, path: string, bytes_max: number, from_bytes: number, room?: Uint8Array): FileBytes | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const position = (at: number) => (from_bytes === 0 ? null : from_bytes + at);
    return readAll(stat.size - from_bytes, bytes_max, (buffer, at) => fs.readSync(fd, buffer, at, buffer.length - at, position(at)), room);
  } catch {
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FileInfo["kind"] {
  return entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";
}

function writeWhole(fs: Fs, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
}

function lastLine(fs: Fs, fd: number): { last: string | undefined; torn: boolean } {
  const size = fs.fstatSync(fd).size;
  if (size === 0) return { last: undefined, torn: false };
  const length = Math.min(size, LAST_LINE_BYTES);
  const bytes = new Uint8Array(length);
  const count = fs.readSync(fd, bytes, 0, length, size - length);
  const text = new TextDecoder().decode(bytes.subarray(0, count));
  const torn = !text.endsWith("\n");
  const lines = text.split("\n");
  lines.pop(); // what follows the last newline: nothing, or the torn line
  return { last: lines.at(-1), torn };
}

/** LOCK_EX | LOCK_NB */
const EXCLUSIVE_NOW = 2 | 4;
let flock: ((fd: number, operation: number) => number) | undefined;

/**
 * flock(2): the kernel drops it when the holder ends, so a crash leaves no stale lock. Never waits long: whoever runs the
 * agent can hold a lock for ever, and the answer must not depend on it.
 */
function lockExclusive(fd: number, platform: System["platform"]): void {
  if (platform === "windows") return;
  if (!flock) {
    const library = platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
    flock = ffi().dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
  }
  for (let waited_ms = 0; waited_ms <= CHOSEN.lock_wait_ms; waited_ms += CHOSEN.lock_poll_ms) {
    if (flock(fd, EXCLUSIVE_NOW) === 0) return;
    Bun.sleepSync(CHOSEN.lock_poll_ms);
  }
  throw new Error("the lock is held by somebody else");
}

/** The real user id stays root, so the way back is open; the order matters in both directions. */
function actAs<T>(account: { readonly uid: number; readonly gid: number }, work: () => T): T {
  const { seteuid, setegid, setgroups, getegid, getgroups } = process;
  if (!seteuid || !setegid || !setgroups || !getegid || !getgroups) throw new Error("accounts cannot be switched on this system");
  const before = { gid: getegid(), groups: getgroups() };
  try {
    setgroups([account.gid]);
    setegid(account.gid);
    seteuid(account.uid);
    return work();
  } finally {
    seteuid(0);
    setegid(before.gid);
    setgroups(before.groups);
  }
}

function runBounded(argv: readonly string[], options: RunOptions): Finished {
  try {
    const child = Bun.spawnSync([...argv], {
      cwd: options.cwd,
      env: { ...options.environment },
      stdin: options.stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: options.time_ms_max,
      killSignal: "SIGKILL",
      maxBuffer: options.stdout_bytes_max,
    });
    const cut = child.exitedDueToTimeout === true || child.exitedDueToMaxBuffer === true;
    const stderr = child.stderr.subarray(0, 4096).toString();
    return { code: child.signalCode ? null : child.exitCode, stdout: child.stdout, stderr, cut };
  } catch (error) {
    return { code: null, stdout: new Uint8Array(), stderr: error instanceof Error ? error.message : "did not start", cut: false };
  }
}
