/**
 * References and small objects of a repository, read without starting Git: what an everyday command would make of HEAD is one
 * question, and a process costs more than all the rest.
 *
 * Trust: every file is hostile data. Sizes, depths and counts are bounded; what does not fit or cannot be read is not known.
 */
import { CHOSEN } from "../../limits.ts";
import type { FileBytes, System } from "../../system.ts";
import { type GitFolder, gitFolder } from "./folder.ts";

/** A commit by its name, and the reference it was found under. */
export interface Revision {
  readonly oid: string;
  /** `refs/heads/main`; undefined for an object's own name. */
  readonly ref: string | undefined;
}

/** Bytes at the start of a small file or a packed object. */
const PAGE = 4_096;

interface Stored {
  readonly type: string;
  readonly bytes: Buffer;
}

/** What may still be read, in bytes; one for all repositories of a call. Below zero nothing more is known. */
export interface Room {
  left: number;
}

/** One repository. */
export class Store {
  readonly #git: GitFolder;
  readonly #system: System;
  readonly #room: Room;
  #packs: readonly string[] | undefined;
  #packed: string | undefined;

  constructor(root: string, system: System, room: Room) {
    this.#room = room;
    this.#git = gitFolder(root, system);
    this.#system = system;
  }

  /** What HEAD stands on: the branch's reference, or an object's name. */
  get head(): string {
    return this.#text(`${this.#git.own}/HEAD`).replace(/^ref:\s*/, "");
  }

  /** The commit a revision names: references, object names, `-`, `@{-1}`, `~2`, `^`. Undefined when that is not known. */
  revision(written: string): Revision | undefined {
    const [, name = "", steps = ""] = /^([^~^]{1,300})((?:[~^]\d{0,4}|\^\{commit\}){0,20})$/.exec(written) ?? [];
    const found = this.#named(name === "@" ? "HEAD" : name === "-" ? (this.#before(1) ?? "") : name);
    let oid = found === undefined ? undefined : this.#peeled(found.oid);
    for (const [step, sign, digits = ""] of steps.matchAll(/([~^])(\d{0,4})(?:\{commit\})?/g)) {
      const count = digits === "" ? 1 : Number(digits);
      if (count > CHOSEN.git_steps) return undefined;
      if (step.endsWith("}") || (sign === "^" && count === 0)) continue;
      for (let left = sign === "~" ? count : 1; left > 0 && oid !== undefined; left--)
        oid = this.parents(oid)?.[sign === "~" ? 0 : count - 1];
    }
    return oid === undefined ? undefined : { oid, ref: steps === "" ? found?.ref : undefined };
  }

  /** The name of the blob at the root of a commit's tree, "" when there is none; undefined when that is not known. */
  entry(commit: string, name: string): string | undefined {
    const tree = /^tree ([0-9a-f]{40,64})\n/.exec(this.#object(commit, "commit")?.toString("latin1") ?? "")?.[1];
    const bytes = tree === undefined ? undefined : this.#object(tree, "tree");
    if (tree === undefined || bytes === undefined) return undefined;
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0, at);
      if (end < 0) return undefined;
      const next = end + 1 + tree.length / 2;
      if (bytes.toString("latin1", at, end) === `100644 ${name}` || bytes.toString("latin1", at, end) === `100755 ${name}`)
        return bytes.toString("hex", end + 1, next);
      at = next;
    }
    return "";
  }

  /** A commit's parents; undefined when it is not known. */
  parents(commit: string): readonly string[] | undefined {
    const text = this.#object(commit, "commit")?.toString("latin1");
    if (text === undefined) return undefined;
    return [...text.slice(0, text.indexOf("\n\n")).matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map((match) => match[1] as string);
  }

  /** Commits of the references below a folder of references (`refs/remotes/origin`), some at most. */
  below(folder: string): readonly string[] {
    const names = this.#list(`${this.#git.common}/${folder}`).map((name) => `${folder}/${name}`);
    for (const line of this.#packedRefs.split("\n")) {
      const name = line.slice(line.indexOf(" ") + 1);
      if (name.startsWith(`${folder}/`)) names.push(name);
    }
    return [...new Set(names)].slice(0, CHOSEN.git_refs_compared).flatMap((name) => this.#ref(name) ?? []);
  }

  // ---- references ----

  #named(name: string): Revision | undefined {
    const earlier = /^@\{-(\d{1,3})\}$/.exec(name)?.[1];
    if (earlier !== undefined) return this.#named(this.#before(Number(earlier)) ?? "");
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return { oid: name, ref: undefined };
    if (!/^[\w@+][^\0-\x20~^:?*[\\\x7f]{0,300}$/.test(name) || name.includes("..") || name.includes("@{")) return undefined;
    for (const prefix of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]) {
      const ref = prefix + name;
      if (prefix === "" && !/^(?:[A-Z_]{4,30}$|refs\/)/.test(name)) continue;
      const oid = this.#ref(ref);
      if (oid !== undefined) return { oid, ref };
    }
    const oid = /^[0-9a-f]{4,63}$/.test(name) ? this.#abbreviated(name) : undefined;
    return oid === undefined ? undefined : { oid, ref: undefined };
  }

  #ref(name: string, hops = 0): string | undefined {
    const text = this.#text(`${this.#git.own}/${name}`) || this.#text(`${this.#git.common}/${name}`);
    const symbolic = /^ref:\s*(refs\/[^\0-\x20~^:?*[\\\x7f]{1,300})$/.exec(text)?.[1];
    if (symbolic !== undefined) return hops < 5 && !symbolic.includes("..") ? this.#ref(symbolic, hops + 1) : undefined;
    const oid = /^[0-9a-f]{40,64}\b/.exec(text)?.[0];
    if (oid !== undefined) return oid;
    const at = this.#packedRefs.indexOf(` ${name}\n`);
    const line = at < 0 ? "" : this.#packedRefs.slice(this.#packedRefs.lastIndexOf("\n", at) + 1, at);
    return /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
  }

  get #packedRefs(): string {
    if (this.#packed === undefined) {
      const file = this.#read(`${this.#git.common}/packed-refs`, CHOSEN.git_refs_bytes);
      this.#packed = file === undefined ? "" : new TextDecoder().decode(file.bytes);
    }
    return this.#packed;
  }

  /** The branch or commit HEAD stood on so many switches ago. */
  #before(count: number): string | undefined {
    const path = `${this.#git.own}/logs/HEAD`;
    const size = this.#system.info(path)?.size_bytes ?? 0;
    const file = this.#read(path, CHOSEN.project_file_bytes, Math.max(0, size - CHOSEN.project_file_bytes));
    const moves = [...new TextDecoder().decode(file?.bytes).matchAll(/\tcheckout: moving from (\S{1,300}) to /g)];
    return moves.at(-count)?.[1];
  }

  /** The first line of a small file, "" when there is none. */
  #text(path: string): string {
    const file = this.#read(path, PAGE);
    return file === undefined ? "" : (new TextDecoder().decode(file.bytes).split("\n", 1)[0] ?? "").trim();
  }

  // ---- objects ----

  #peeled(oid: string): string | undefined {
    let name: string | undefined = oid;
    for (let hops = 0; hops < 5 && name !== undefined; hops++) {
      const stored: Stored | undefined = this.#find(name, 0);
      if (stored?.type === "commit") return name;
      name = stored?.type === "tag" ? /^object ([0-9a-f]{40,64})\n/.exec(stored.bytes.toString("latin1"))?.[1] : undefined;
    }
    return undefined;
  }

  #object(oid: string, type: string): Buffer | undefined {
    const stored = this.#find(oid, 0);
    return stored?.type === type ? stored.bytes : undefined;
  }

  #find(oid: string, depth: number): Stored | undefined {
    const file = this.#read(`${this.#git.common}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, CHOSEN.git_stored_bytes);
    if (file !== undefined) {
      const bytes = file.cut ? undefined : inflated(file.bytes);
      const end = bytes?.indexOf(0) ?? -1;
      if (bytes === undefined || end < 0) return undefined;
      return { type: bytes.toString("latin1", 0, end).split(" ", 1)[0] ?? "", bytes: bytes.subarray(end + 1) };
    }
    for (const pack of this.#packNames) {
      const place = this.#places(pack, oid)[0];
      if (place !== undefined) return this.#packedObject(pack, place.offset, depth);
    }
    return undefined;
  }

  get #packNames(): readonly string[] {
    const folder = `${this.#git.common}/objects/pack`;
    this.#packs ??= this.#list(folder)
      .filter((name) => name.endsWith(".idx"))
      .slice(0, CHOSEN.git_packs)
      .map((name) => `${folder}/${name.slice(0, -4)}`);
    return this.#packs;
  }

  #abbreviated(prefix: string): string | undefined {
    const loose = this.#list(`${this.#git.common}/objects/${prefix.slice(0, 2)}`).map((rest) => prefix.slice(0, 2) + rest);
    const all = new Set([
      ...loose.filter((oid) => oid.startsWith(prefix)),
      ...this.#packNames.flatMap((pack) => this.#places(pack, prefix).map(({ oid }) => oid)),
    ]);
    return all.size === 1 ? [...all][0] : undefined;
  }

  /** Objects of a pack whose names begin so, and where they stand, by its index of version 2. */
  #places(pack: string, prefix: string): readonly { readonly oid: string; readonly offset: number }[] {
    const index = `${pack}.idx`;
    const head = this.#bytes(index, 0, 8 + 1024);
    if (head?.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2) return [];
    const first = Number.parseInt(prefix.slice(0, 2), 16);
    const [from, to, count] = [
      first === 0 ? 0 : head.readUInt32BE(4 + 4 * first),
      head.readUInt32BE(8 + 4 * first),
      head.readUInt32BE(8 + 4 * 255),
    ];
    const length = this.#nameBytes;
    const names = this.#bytes(index, 1032 + from * length, (to - from) * length);
    if (names === undefined) return [];
    const found: { oid: string; offset: number }[] = [];
    const wanted = Buffer.from(prefix.slice(0, prefix.length & ~1), "hex");
    for (let at = names.indexOf(wanted); at >= 0 && found.length < 8; at = names.indexOf(wanted, at + 1)) {
      const oid = names.toString("hex", at, at + length);
      if (at % length !== 0 || !oid.startsWith(prefix)) continue;
      const offsets = 1032 + count * (length + 4);
      const near = this.#bytes(index, offsets + 4 * (from + at / length), 4)?.readUInt32BE(0);
      if (near === undefined) continue;
      const far = near < 0x80000000 ? undefined : this.#bytes(index, offsets + 4 * count + 8 * (near - 0x80000000), 8);
      const offset = near < 0x80000000 ? near : Number(far?.readBigUInt64BE(0) ?? -1n);
      if (offset >= 0) found.push({ oid, offset });
    }
    return found;
  }

  /** Bytes of one object's name in this repository. */
  get #nameBytes(): number {
    return /^[0-9a-f]{64}\b/.test(this.#ref("HEAD") ?? "") ? 32 : 20;
  }

  #packedObject(pack: string, offset: number, depth: number): Stored | undefined {
    const path = `${pack}.pack`;
    const start = this.#read(path, PAGE, offset);
    if (start === undefined || depth > CHOSEN.git_delta_depth) return undefined;
    const reader = { bytes: Buffer.from(start.bytes), at: 0 };
    let byte = reader.bytes[reader.at++] ?? 0;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte >= 0x80 && shift < 32; shift += 7) {
      byte = reader.bytes[reader.at++] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (size > CHOSEN.git_stored_bytes) return undefined;
    let base: Stored | undefined;
    if (type === 6) {
      byte = reader.bytes[reader.at++] ?? 0;
      let back = byte & 0x7f;
      for (let step = 0; byte >= 0x80 && step < 8; step++) {
        byte = reader.bytes[reader.at++] ?? 0;
        back = (back + 1) * 128 + (byte & 0x7f);
      }
      if (back <= 0 || back > offset) return undefined;
      base = this.#packedObject(pack, offset - back, depth + 1);
    } else if (type === 7) {
      const length = this.#nameBytes;
      base = this.#find(reader.bytes.toString("hex", reader.at, reader.at + length), depth + 1);
      reader.at += length;
    }
    // What is packed grows by little at most.
    const content = this.#bytes(path, offset + reader.at, size + (size >> 8) + 128, true);
    const bytes = content === undefined ? undefined : inflated(content);
    if (bytes?.length !== size) return undefined;
    if (type === 6 || type === 7) {
      const whole = base === undefined ? undefined : patched(base.bytes, bytes);
      return base === undefined || whole === undefined ? undefined : { type: base.type, bytes: whole };
    }
    return { type: ["", "commit", "tree", "blob", "tag"][type] ?? "", bytes };
  }

  #read(path: string, bytes_max: number, from = 0): FileBytes | undefined {
    // Opening one costs as much as a page.
    this.#room.left -= PAGE;
    if (this.#room.left < 0) return undefined;
    const file = this.#system.read(path, bytes_max, from);
    this.#room.left -= file?.bytes.length ?? 0;
    return file;
  }

  #list(folder: string): readonly string[] {
    this.#room.left -= PAGE;
    const names = this.#room.left < 0 ? [] : this.#system.list(folder);
    this.#room.left -= names.length * 64;
    return names;
  }

  /** A stretch of a file; undefined unless all of it is there, or `less` will do. */
  #bytes(path: string, from: number, size: number, less = false): Buffer | undefined {
    if (size > 2 * CHOSEN.git_stored_bytes) return undefined;
    if (size === 0) return Buffer.alloc(0);
    const file = this.#read(path, size, from);
    return file === undefined || (!less && file.bytes.length < size) ? undefined : Buffer.from(file.bytes.subarray(0, size));
  }
}

/** What a deflated stream that begins there holds; undefined for a broken or a long one. */
function inflated(bytes: Uint8Array): Buffer | undefined {
  const { inflateSync, constants } = process.getBuiltinModule("node:zlib");
  try {
    return inflateSync(bytes, { maxOutputLength: CHOSEN.git_stored_bytes + 64, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/** A delta laid over its base: copies of stretches, and bytes of its own. */
function patched(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  if (number() !== base.length) return undefined;
  const size = number();
  if (size > CHOSEN.git_stored_bytes) return undefined;
  const parts: Buffer[] = [];
  let total = 0;
  while (at < delta.length && total <= size) {
    const code = delta[at++] ?? 0;
    let part: Buffer;
    if (code >= 0x80) {
      let [from, length] = [0, 0];
      for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
      part = base.subarray(from, from + (length === 0 ? 0x10000 : length));
    } else {
      part = delta.subarray(at, at + code);
      at += code;
    }
    // A copy of nothing goes on for as long as the delta does, and no longer.
    parts.push(part);
    total += part.length;
  }
  return total === size ? Buffer.concat(parts) : undefined;
}
