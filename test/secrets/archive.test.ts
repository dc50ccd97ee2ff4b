import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { CHOSEN } from "../../src/limits.ts";
import { archiveOf, isArchive, Room } from "../../src/secrets/archive.ts";
import { temporaryFolder } from "../product.ts";

const LONG = `${"deep/".repeat(30)}name.txt`;
const bytes = (text: string) => Buffer.from(text, "latin1");
const roomy = () => new Room(CHOSEN.archive_bytes, CHOSEN.archive_entries);

/** Everything in an archive, with nested ones opened, and whether that is all. */
function read(archive: Uint8Array, room = roomy()): { readonly files: readonly string[]; readonly complete: boolean | undefined } {
  const open = archiveOf(archive, room);
  const files = [...(open?.files ?? [])].map((file) => `${file.path}=${Buffer.from(file.bytes).toString("latin1")}`);
  return { files, complete: open?.complete };
}

/** The members of the archive itself. */
function list(archive: Uint8Array): readonly (readonly [path: string, text: string | undefined])[] {
  return [...(archiveOf(archive, roomy())?.entries ?? [])].map((entry) => {
    const content = entry.read();
    return [entry.path, content === undefined ? undefined : Buffer.from(content).toString("latin1")];
  });
}

/** Archives as the real programs write them. */
const made = (() => {
  const folder = temporaryFolder("archive");
  mkdirSync(join(folder, "in", "deep/".repeat(30)), { recursive: true });
  writeFileSync(join(folder, "in/.env"), "K=v\n");
  writeFileSync(join(folder, "in", LONG), "long\n".repeat(400));
  const run = (line: string) => {
    const done = Bun.spawnSync(["bash", "-c", line], { cwd: join(folder, "in") });
    if (done.exitCode !== 0) throw new Error(`${line}: ${done.stderr}`);
  };
  run(`tar cf ../gnu.tar . && tar --format=posix -cf ../posix.tar . && tar czf ../packed.tgz . && gzip -c .env > ../one.gz`);
  run(
    `tar --format=v7 -cf ../old.tar .env && tar --format=ustar -cf ../ustar.tar .env && ln -s .env link && tar cf ../link.tar link && rm link`,
  );
  run(
    `python3 -c "import zipfile;z=zipfile.ZipFile('../stored.zip','w');z.write('.env');z.write('${LONG}');z.close();z=zipfile.ZipFile('../packed.zip','w',8);z.write('.env');z.write('${LONG}')"`,
  );
  // Written to a pipe: sizes stand behind the contents.
  run(
    `python3 -c "import zipfile,sys;z=zipfile.ZipFile(sys.stdout.buffer,'w',8);z.write('.env');z.write('${LONG}');z.close()" | cat > ../piped.zip`,
  );
  return (name: string) => new Uint8Array(readFileSync(join(folder, name)));
})();

/** A tar file by the layout of POSIX.1-1988. `size`: what its header says instead of the truth, as it stands in the field. */
function tar(files: readonly (readonly [name: string, content: Buffer])[], size?: Buffer): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, "latin1");
    head.write(content.length.toString(8).padStart(11, "0"), 124, "latin1");
    size?.copy(head, 124);
    head.write("        0ustar", 148, "latin1");
    head.write(
      head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0"),
      148,
      "latin1",
    );
    head[154] = 0;
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

interface Written {
  readonly name: string;
  readonly packed: Buffer;
  /** The directory's entry points to this member's header instead of its own. */
  readonly at?: number;
}

/** A zip file by PKWARE's note. `stream`: sizes stand in the directory only; `bare`: there is no directory. */
function zip(files: readonly Written[], how: { readonly stream?: true; readonly bare?: true } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: number[] = [];
  let at = 0;
  for (const { name, packed, at: other } of files) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(how.stream || how.bare ? 8 : 0, 6);
    local.writeUInt16LE(8, 8);
    if (!how.stream && !how.bare) local.writeUInt32LE(packed.length, 18);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt16LE(name.length, 28);
    places.push(at);
    central.writeUInt32LE(other === undefined ? at : (places[other] ?? 0), 42);
    directory.push(central, bytes(name));
    if (other !== undefined) continue;
    parts.push(local, bytes(name), packed);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(at, 16);
  return Buffer.concat(how.bare ? parts : [...parts, ...directory, end]);
}

const zipped = (files: readonly (readonly [name: string, content: Buffer])[], how = {}) =>
  zip(
    files.map(([name, content]) => ({ name, packed: deflateRawSync(content) })),
    how,
  );

const TWO = [
  ["home/.aws/credentials", bytes("one")],
  ["b.txt", bytes("two")],
] as const;
const TWO_FILES = ["home/.aws/credentials=one", "b.txt=two"];

describe("credential-files §15: what lies in an archive", () => {
  test.each(["gnu.tar", "posix.tar", "packed.tgz", "stored.zip", "packed.zip", "piped.zip"])("as programs write it: %s", (name) => {
    const { files, complete } = read(made(name));
    expect([...files].sort()).toEqual([".env=K=v\n", `${LONG}=${"long\n".repeat(400)}`]);
    expect(complete).toBe(true);
  });

  test("L-023 tar from before 1988 and after, a link, a single file in gzip, and what is none", () => {
    for (const name of ["old.tar", "ustar.tar"]) expect(list(made(name))).toEqual([[".env", "K=v\n"]]);
    expect(list(made("link.tar"))).toEqual([["link", undefined]]);
    expect(list(made("one.gz"))).toEqual([["", "K=v\n"]]);
    for (const other of ["", "PK", "\x1f\x8b", "a plain text", "PK is a text", "0000644 ".repeat(100)]) {
      expect(isArchive(bytes(other))).toBe(false);
      expect(archiveOf(bytes(other), roomy())).toBeUndefined();
    }
    expect(archiveOf(new Uint8Array(600), roomy())).toBeUndefined();
  });

  test("gzip, tar, zip, and each in the other", () => {
    expect(read(gzipSync(bytes("alone"))).files).toEqual(["=alone"]);
    const inner = gzipSync(tar(TWO));
    for (const archive of [
      tar(TWO),
      inner,
      zipped(TWO),
      zipped(TWO, { stream: true }),
      zipped([["in.tgz", inner]]),
      tar([["in.zip", zipped(TWO)]]),
    ])
      expect(read(archive)).toEqual({ files: TWO_FILES, complete: true });
  });

  test("a zip without its end, with sizes behind the contents", () => {
    expect(read(zipped(TWO, { bare: true }))).toEqual({ files: TWO_FILES, complete: true });
    expect(read(zipped(TWO).subarray(0, -30)).files).toEqual(TWO_FILES);
  });

  test("sizes in GNU's binary form, and what stands behind a broken header", () => {
    const size = Buffer.alloc(12);
    size[0] = 0x80;
    size[11] = 3;
    expect(list(tar([["a", bytes("one")]], size))).toEqual([["a", "one"]]);
    const broken = tar([["a", bytes("one")], ...TWO]);
    broken[1_024] = (broken[1_024] as number) ^ 1;
    expect(read(broken).files).toEqual(["a=one", "b.txt=two"]);
  });
});

describe("D-27: hostile archives", () => {
  const nulls = (length: number) => Buffer.alloc(length);

  test("members that share bytes are unpacked once, and something is left out", () => {
    const packed = deflateRawSync(nulls(1_000_000));
    const shared = zip([{ name: "m0", packed }, ...Array.from({ length: 60 }, (_, n) => ({ name: `m${n + 1}`, packed, at: 0 }))]);
    const room = roomy();
    const open = archiveOf(shared, room);
    expect([...(open?.files ?? [])].map(({ path }) => path)).toEqual(["m0"]);
    expect([CHOSEN.archive_bytes - room.bytes, open?.complete]).toEqual([1_000_000, false]);
    // A member whose bytes reach into the next one.
    const over = zipped(TWO);
    over.writeUInt32LE(500, over.indexOf("PK\x01\x02") + 20);
    expect(read(over).complete).toBe(false);
    expect(read(zipped(TWO)).complete).toBe(true);
  });

  test("what is too large is charged, gives its beginning, and ends the room", () => {
    const room = new Room(4_000_000, 100);
    const bomb = { name: "bomb", packed: deflateRawSync(nulls(9_000_000)) };
    const open = archiveOf(zip([bomb, ...Array.from({ length: 9 }, (_, n) => ({ ...bomb, name: `b${n}` }))]), room);
    const files = [...(open?.files ?? [])];
    expect(files.length).toBe(1);
    expect(files[0]?.bytes.length).toBeLessThanOrEqual(4_000_000);
    expect([open?.complete, room.bytes <= 0]).toEqual([false, true]);
    const whole = read(gzipSync(tar([["a", nulls(3_000_000)]])), new Room(5_000_000, 100));
    expect([whole.files.length, whole.complete]).toEqual([1, true]);
  });

  test("damaged members are charged for what they may have grown to", () => {
    const packed = Buffer.concat([deflateRawSync(nulls(3_000_000)).subarray(0, -6), bytes("\xff".repeat(40))]);
    const room = new Room(40_000_000, 1_000);
    const open = archiveOf(zip(Array.from({ length: 900 }, (_, n) => ({ name: `m${n}`, packed }))), room);
    expect([...(open?.files ?? [])].length).toBeLessThan(40);
    expect(open?.complete).toBe(false);
  });

  test("all archives of a call share entries, bytes and time", () => {
    const room = new Room(10_000, 3);
    expect(read(tar(TWO), room).complete).toBe(true);
    expect(read(tar(TWO), room)).toEqual({ files: [TWO_FILES[0] as string], complete: false });
    let nested = bytes("deep");
    for (let depth = 0; depth < 10; depth++) nested = gzipSync(nested);
    expect(read(nested).files.length).toBeLessThanOrEqual(1);
    const late = new Room(10_000, 100, { left_ms: () => CHOSEN.answer_ms - 1 });
    expect(read(tar(TWO), late)).toEqual({ files: [], complete: false });
  });

  test("members without sizes are found in one pass", () => {
    const many = zip(
      Array.from({ length: 2_000 }, (_, n) => ({ name: `m${n}`, packed: deflateRawSync(bytes(`${n}`)) })),
      { bare: true },
    );
    const { indexOf } = Buffer.prototype;
    let searched = 0;
    Buffer.prototype.indexOf = function (this: Buffer, value: string, from: number, encoding: BufferEncoding) {
      const at = indexOf.call(this, value, from, encoding);
      searched += (at < 0 ? this.length : at) - from;
      return at;
    } as typeof indexOf;
    try {
      expect(read(many).files.length).toBe(2_000);
    } finally {
      Buffer.prototype.indexOf = indexOf;
    }
    expect(searched).toBeGreaterThan(many.length / 2);
    expect(searched).toBeLessThan(4 * many.length);
  });

  test("whatever is cut off or changed gives less, never an error", () => {
    const names = fc.constantFrom("gnu.tar", "packed.tgz", "packed.zip", "piped.zip", "one.gz", "old.tar");
    fc.assert(
      fc.property(names, fc.nat(4_000), fc.nat(255), fc.nat(9_000), (name, at, value, end) => {
        const bytes = made(name).slice(0, end);
        if (at < bytes.length) bytes[at] = value;
        read(bytes);
      }),
      { numRuns: 200 },
    );
    for (const archive of [gzipSync(tar(TWO)), tar(TWO), zipped(TWO), zipped(TWO, { bare: true })]) {
      for (let cut = 0; cut < archive.length; cut += 7) expect(() => read(archive.subarray(0, cut))).not.toThrow();
      for (let at = 0; at < archive.length; at += 11) {
        const damaged = Buffer.from(archive);
        damaged[at] = (damaged[at] as number) ^ 0xff;
        expect(() => read(damaged)).not.toThrow();
      }
    }
  });
});
