/** The oracle is git: what it really holds or sends after the command is what had to be announced before it. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Scratch } from "./scratch.ts";

const NAMES = [".env", "a.txt", "sub/b.txt", "sub/.env", "sub/deep/c", "x.log", "ö ü", "-d", "*.t"];
const name = fc.constantFrom(...NAMES);
const content = fc.constantFrom("", "one\n", "two\n", "three", "K=v\r\nL=w\r\n");
const step = fc.oneof(
  fc.record({ do: fc.constant("write" as const), name, content }),
  fc.record({ do: fc.constant("write" as const), name, content }),
  fc.record({ do: fc.constant("remove" as const), name, content }),
  fc.record({ do: fc.constant("touch" as const), name, content }),
  fc.record({ do: fc.constant("stage" as const), name, content }),
);
const ADDS = [
  ["."],
  ["-A"],
  ["-u"],
  ["-u", "."],
  ["-f", "."],
  ["sub"],
  ["sub/.env", "a.txt"],
  ["--", "-d"],
  ["*.t"],
  ["*.txt"],
  ["-f", "x.log"],
  [":/"],
  [":!sub", "."],
  ["-v", "--all"],
  ["sub/deep/.."],
];
const COMMITS = [
  ["-m", "x"],
  ["-am", "x"],
  ["-qm", "x", "sub"],
  ["-m", "x", ".env"],
  ["-i", "-m", "x", "a.txt"],
  ["-m", "x", "*.txt"],
  ["--amend", "-m", "y"],
  ["--amend", "-am", "y"],
  ["-m", "x", "--", "-d", "sub/b.txt"],
];

function perform(at: Scratch, steps: readonly { readonly do: string; readonly name: string; readonly content: string }[]): void {
  for (const [index, { do: what, name: path, content: text }] of steps.entries()) {
    const full = join(at.root, path);
    if (what === "write") at.write(path, text);
    else if (what === "remove") rmSync(full, { force: true });
    else if (!existsSync(full)) continue;
    else if (what === "touch") utimesSync(full, index, index);
    else at.git("add", "-f", "--", `:(literal)${path}`);
  }
}

/** Object id by path in the index or a tree. */
function listed(at: Scratch, root: string, ...args: string[]): Map<string, string> {
  const done = Bun.spawnSync(["git", ...args], { cwd: root, env: at.environment });
  return new Map(
    done.stdout
      .toString()
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => [
        line.slice(line.indexOf("\t") + 1),
        line
          .slice(0, line.indexOf("\t"))
          .split(" ")
          .find((word) => /^[0-9a-f]{40}$/.test(word)) ?? "",
      ]),
  );
}

test("L-043 L-044: add and commit take exactly what git then holds", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...ADDS.map((words) => ["add", ...words]), ...COMMITS.map((words) => ["commit", ...words])),
      fc.boolean(),
      (before, after, command, below) => {
        const at = new Scratch();
        try {
          at.write(".gitignore", "*.log\n");
          perform(at, before);
          at.git("add", "-A");
          at.git("commit", "-qm", "first");
          perform(at, after);
          mkdirSync(join(at.root, "sub"), { recursive: true });
          const folder = below ? "sub" : ".";
          const taking = at.line([command], [], { cwd: join(at.root, folder) })[0];

          const copy = join(at.home, "copy");
          cpSync(at.root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
          const state = (): Map<string, string> =>
            command[0] === "add" ? listed(at, copy, "ls-files", "-s", "-z") : listed(at, copy, "ls-tree", "-r", "-z", "HEAD");
          const held = state();
          const done = Bun.spawnSync(["git", ...command], { cwd: join(copy, folder), env: at.environment });
          const real = [...state()].filter(([path, oid]) => held.get(path) !== oid);

          expect(taking?.unfinished).toBeUndefined();
          const announced = new Map(
            taking?.taken.flatMap(({ path, bytes }) =>
              path === undefined || bytes === undefined ? [] : [[path, Buffer.from(bytes).toString()] as const],
            ),
          );
          const actual = new Map(
            real.map(([path, oid]) => [
              path,
              Bun.spawnSync(["git", "cat-file", "blob", oid], { cwd: copy, env: at.environment }).stdout.toString(),
            ]),
          );
          if (done.exitCode === 0) expect(announced).toEqual(actual);
          else for (const [path, text] of actual) expect(announced.get(path)).toBe(text);
        } finally {
          at.remove();
        }
      },
    ),
    { numRuns: 35, interruptAfterTimeLimit: 4_000, markInterruptAsFailure: false },
  );
}, 15_000);

const PUSHES = [
  [],
  ["origin"],
  ["origin", "HEAD"],
  ["origin", "side"],
  ["-u", "origin", "side:other"],
  ["--all"],
  ["--tags"],
  ["--follow-tags"],
  ["--mirror"],
  ["origin", "+main:new"],
  ["origin", "HEAD:refs/heads/hotfix"],
  ["origin", ":side"],
  ["origin", "v1"],
  ["--dry-run"],
];
const move = fc.oneof(
  fc.record({ do: fc.constant("commit" as const), name, content }),
  fc.record({ do: fc.constant("commit" as const), name, content }),
  fc.record({ do: fc.constantFrom("main" as const, "side" as const, "detach" as const, "tag" as const, "push" as const), name, content }),
);

test("L-045: push announces everything that arrives at the remote, and nothing that is new to it beyond that", () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 2, maxLength: 10 }), fc.constantFrom(...PUSHES), (moves, words) => {
      const at = new Scratch();
      try {
        const bare = join(at.home, "remote.git");
        at.gitIn(at.home, "init", "-q", "--bare", bare);
        at.commit({ first: "first" });
        at.git("remote", "add", "origin", bare);
        at.git("branch", "side");
        at.git("tag", "v1");
        let tags = 1;
        for (const { do: what, name: path, content: text } of moves) {
          if (what === "commit") {
            at.write(path, text);
            at.git("add", "-A");
            at.git("commit", "-q", "--allow-empty", "-m", `message ${tags} ${path}`);
          } else if (what === "tag") at.git("tag", "-a", `v${++tags}`, "-m", `tag ${tags}`);
          else if (what === "push") at.git("push", "-q", "-f", "origin", "HEAD:refs/heads/pushed", "side");
          else at.git("checkout", "-q", ...(what === "detach" ? ["--detach"] : [what]));
        }
        const taking = at.takes("push", ...words);
        expect(taking.unfinished).toBeUndefined();
        const objects = () =>
          new Set(
            Bun.spawnSync(["git", "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"], {
              cwd: bare,
              env: at.environment,
            })
              .stdout.toString()
              .split("\n")
              .filter((line) => /^(?:blob|commit|tag) /.test(line)),
          );
        const before = objects();
        const done = Bun.spawnSync(["git", "push", ...words], { cwd: at.root, env: at.environment });
        const arrived = [...objects()].filter((object) => !before.has(object));
        const read = (object: string) =>
          Bun.spawnSync(["git", "cat-file", ...object.split(" ")], { cwd: at.root, env: at.environment }).stdout.toString();

        const blobs = new Set(taking.taken.flatMap(({ bytes }) => (bytes === undefined ? [] : [Buffer.from(bytes).toString()])));
        const messages = taking.taken.flatMap(({ text }) => (text === undefined ? [] : [text.trimEnd()]));
        const known = new Set([...before].filter((object) => object.startsWith("blob")).map(read));
        for (const object of arrived) {
          const text = read(object);
          if (object.startsWith("blob")) expect(blobs.has(text)).toBe(true);
          else expect(messages.some((message) => message.endsWith(text.slice(text.indexOf("\n\n")).trimEnd()))).toBe(true);
        }
        if (done.exitCode === 0) {
          const sent = new Set(arrived.filter((object) => object.startsWith("blob")).map(read));
          for (const blob of blobs) expect(sent.has(blob) || known.has(blob)).toBe(true);
        }
      } finally {
        at.remove();
      }
    }),
    { numRuns: 25, interruptAfterTimeLimit: 4_000, markInterruptAsFailure: false },
  );
}, 15_000);
