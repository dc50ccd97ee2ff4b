import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "bun:test";
import { CHOSEN } from "../../src/limits.ts";
import { entriesOf } from "../../src/secrets/archive.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const names = (archive: Uint8Array) => entriesOf(archive).map(({ path, bytes }) => `${path}=${Buffer.from(bytes).toString("latin1")}`);

/** A tar file by the layout of POSIX.1-1988 (ustar). */
function tar(...files: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0, "latin1");
    head.write(content.length.toString(8).padStart(11, "0"), 124, "latin1");
    head.write("0ustar", 156, "latin1");
    head.write("ustar", 257, "latin1");
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

/** A zip file by PKWARE's note; sizes stand at the end only, as streaming writers leave them. */
function zip(...files: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of files) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    directory.push(central, bytes(name));
    parts.push(local, bytes(name), packed);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

describe("credential-files §15: archives that hold a file", () => {
  const two = [
    ["home/.aws/credentials", bytes("one")],
    ["b.txt", bytes("two")],
  ] as const;

  test("gzip, tar, zip, and each in the other", () => {
    expect(names(gzipSync(bytes("alone")))).toEqual(["=alone"]);
    for (const archive of [tar(...two), zip(...two), gzipSync(tar(...two)), zip(["in.tgz", gzipSync(tar(...two))])])
      expect(names(archive)).toEqual(["home/.aws/credentials=one", "b.txt=two"]);
  });

  test("text and other bytes are none", () => {
    for (const other of ["", "PK", "\x1f\x8b", "a plain text", "PK\x03\x04".padEnd(64, "x")]) expect(entriesOf(bytes(other))).toEqual([]);
  });

  test("whatever is cut off or damaged anywhere gives less, never an error", () => {
    for (const archive of [gzipSync(tar(...two)), tar(...two), zip(...two)]) {
      for (let cut = 0; cut < archive.length; cut += 7) expect(() => entriesOf(archive.subarray(0, cut))).not.toThrow();
      for (let at = 0; at < archive.length; at += 11) {
        const damaged = Buffer.from(archive);
        damaged[at] = (damaged[at] as number) ^ 0xff;
        expect(() => entriesOf(damaged)).not.toThrow();
      }
    }
  });

  test("endless archives end", () => {
    let nested = bytes("deep");
    for (let depth = 0; depth < 10; depth++) nested = gzipSync(nested);
    expect(entriesOf(nested).length).toBeLessThanOrEqual(1);
    const many = tar(...Array.from({ length: CHOSEN.archive_entries + 50 }, (_, n) => [`f${n}`, bytes("x")] as const));
    expect(entriesOf(many).length).toBe(CHOSEN.archive_entries);
  });
});
