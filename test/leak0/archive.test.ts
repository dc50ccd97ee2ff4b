import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHOSEN } from "../../src/limits.ts";
import { archiveMembers } from "../../src/leak0/self/archive.ts";
import { openSystem } from "../../src/system.ts";
import { temporaryFolder } from "../product.ts";

const folder = temporaryFolder("archive");
const system = openSystem({ environment: {} });
const long = `${"d/".repeat(90)}settings.json`;

/** Runs a shell line in the folder. */
function shell(command: string): void {
  const done = Bun.spawnSync(["sh", "-c", command], { cwd: folder, env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: folder } });
  if (done.exitCode !== 0) throw new Error(done.stderr.toString());
}

const list = (name: string) => archiveMembers(system, join(folder, name))?.map((member) => [member.name, member.text()]);

shell(`mkdir -p in/$(dirname ${long}) && printf short > in/a.json && printf deep > in/${long} && ln -s a.json in/link`);

test.each([
  ["ustar", "tar --format=ustar -cf x.tar -C in a.json", [["a.json", "short"]]],
  ["before ustar", "tar --format=v7 -cf x.tar -C in a.json", [["a.json", "short"]]],
  [
    "GNU, a long name",
    `tar --format=gnu -cf x.tar -C in a.json ${long}`,
    [
      ["a.json", "short"],
      [long, "deep"],
    ],
  ],
  [
    "pax, a long name",
    `tar --format=pax -cf x.tar -C in ${long} a.json`,
    [
      [long, "deep"],
      ["a.json", "short"],
    ],
  ],
  ["gzipped, from a folder", "tar -czf x.tar -C in ./a.json", [["./a.json", "short"]]],
  ["a link has no text", "tar -cf x.tar -C in link", [["link", undefined]]],
])("L-023 tar, %s", (_title, command, members) => {
  shell(command);
  expect(list("x.tar")).toEqual(members as [string, string | undefined][]);
});

test("L-023 zip, stored and deflated", () => {
  shell(
    `git init -q . && printf '%s' "${"long text ".repeat(50)}" > b.txt && cp in/a.json . && git add a.json b.txt && git -c user.name=x -c user.email=x@example.com commit -qm x`,
  );
  for (const level of [0, 9]) {
    shell(`git archive -${level} --format=zip -o x.zip HEAD`);
    expect(list("x.zip")).toEqual([
      ["a.json", "short"],
      ["b.txt", "long text ".repeat(50)],
    ]);
  }
});

test("what cannot be listed within the bounds has no list", () => {
  const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, name), bytes);
  put("text", "no archive at all\n".repeat(100));
  put("cut.zip", "PK\u0003\u0004 and nothing more");
  put("bomb.gz", Bun.gzipSync(new Uint8Array(CHOSEN.archive_unpacked_bytes + 1)));
  put("large.tar", new Uint8Array(CHOSEN.archive_bytes + 1));
  for (const name of ["text", "cut.zip", "bomb.gz", "large.tar", "missing"]) expect(list(name)).toBeUndefined();
});
