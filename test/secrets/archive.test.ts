import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { CHOSEN } from "../../src/limits.ts";
import { entriesOf, isArchive } from "../../src/secrets/archive.ts";
import { temporaryFolder } from "../product.ts";

const LONG = `${"deep/".repeat(30)}name.txt`;

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
    `python3 -c "import zipfile;z=zipfile.ZipFile('../stored.zip','w');z.write('.env');z.write('${LONG}');z.close();z=zipfile.ZipFile('../packed.zip','w',8);z.write('.env');z.write('${LONG}')"`,
  );
  // Written to a pipe: sizes stand behind the contents.
  run(
    `python3 -c "import zipfile,sys;z=zipfile.ZipFile(sys.stdout.buffer,'w',8);z.write('.env');z.write('${LONG}');z.close()" | cat > ../piped.zip`,
  );
  return (name: string) => new Uint8Array(readFileSync(join(folder, name)));
})();

describe("what lies in an archive", () => {
  test.each(["gnu.tar", "posix.tar", "packed.tgz", "stored.zip", "packed.zip", "piped.zip"])("%s", (name) => {
    const entries = entriesOf(made(name));
    expect(entries.map(({ path }) => path).sort()).toEqual([".env", LONG]);
    expect(new TextDecoder().decode(entries.find(({ path }) => path === ".env")?.bytes)).toBe("K=v\n");
    expect(entries.find(({ path }) => path === LONG)?.bytes.length).toBe(2_000);
  });

  test("a single file in gzip, and what is no archive", () => {
    expect(entriesOf(made("one.gz")).map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual([["", "K=v\n"]]);
    expect(isArchive(new TextEncoder().encode("PK is a text"))).toBe(false);
    expect(entriesOf(new Uint8Array(600))).toEqual([]);
  });

  test("a bomb gives its beginning", () => {
    const bomb = Bun.gzipSync(new Uint8Array(CHOSEN.archive_bytes * 4));
    const bytes = entriesOf(bomb).reduce((sum, entry) => sum + entry.bytes.length, 0);
    expect(bytes).toBeLessThanOrEqual(CHOSEN.archive_bytes);
  });

  test("never throws, whatever is changed or cut", () => {
    const names = fc.constantFrom("gnu.tar", "packed.tgz", "packed.zip", "piped.zip", "one.gz");
    fc.assert(
      fc.property(names, fc.nat(4_000), fc.nat(255), fc.nat(9_000), (name, at, value, end) => {
        const bytes = made(name).slice(0, end);
        if (at < bytes.length) bytes[at] = value;
        entriesOf(bytes);
      }),
      { numRuns: 200 },
    );
  });
});
