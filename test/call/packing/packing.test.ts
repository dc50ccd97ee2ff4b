/** What the tools' own programs cannot be asked about here: limits, images, archives. */
import { expect, test } from "bun:test";
import { dockerIgnore } from "../../../src/call/packing/docker.ts";
import { selector } from "../../../src/call/packing/selection.ts";
import { Work } from "../../../src/call/packing/pattern.ts";
import { packed } from "../../../src/call/packing/index.ts";
import type { Packing } from "../../../src/call/effect.ts";
import { CHOSEN } from "../../../src/limits.ts";
import type { System } from "../../../src/system.ts";
import { throwaway } from "../../throwaway.ts";

const at = (tool: string, path: string, more: Partial<Packing> = {}): Packing => ({ tool, folder: { written: path, path }, ...more });

test("L-048 D-12: a folder with more entries than are looked at is told to be cut", () => {
  using machine = throwaway();
  machine.file("p/package.json", '{"name":"p","version":"1.0.0"}');
  const { list, info } = machine.system;
  const folder = `${machine.home}/p`;
  const many = Array.from({ length: CHOSEN.packed_entries }, (_, index) => `f${index}`);
  const system: System = {
    ...machine.system,
    list: (path) => (path === folder ? [...list(path), ...many] : list(path)),
    info: (path) => (/\/f\d+$/.test(path) ? { kind: "other", size_bytes: 0, mode: 0, uid: 0, mtime_ms: 0 } : info(path)),
  };
  for (const tool of ["npm", "pnpm", "vercel", "docker"]) {
    machine.file("p/Dockerfile", "FROM x\nCOPY . .\n");
    expect(packed(at(tool, folder), system).map(({ cut }) => cut)).toEqual([true]);
    expect(packed(at(tool, folder), machine.system).map(({ cut }) => cut)).toEqual([false]);
  }
});

test("L-048 D-27: patterns without end are compared as far as one call's work goes, and then the check is unfinished", () => {
  using machine = throwaway();
  for (let index = 0; index < 40; index++) machine.file(`p/ws/w${index}/y/aabbaabb${index}`, "x");
  const many = (count: number) => Array.from({ length: count }, (_, index) => `ws/*a*b*${index}/*a*b*${index}`);
  const folder = `${machine.home}/p`;
  const cuts = (count: number) => {
    machine.file("p/package.json", JSON.stringify({ name: "p", version: "1.0.0", workspaces: many(count) }));
    machine.file(
      "p/p.gemspec",
      many(count)
        .map((pattern) => `'${pattern}'`)
        .join("\n"),
    );
    machine.file("p/firebase.json", JSON.stringify({ hosting: { public: ".", ignore: many(count) } }));
    machine.file(
      "p/Dockerfile",
      `FROM x\n${many(count)
        .map((pattern) => `COPY ${pattern} /a`)
        .join("\n")}\n`,
    );
    const spec = { file: { written: "p.gemspec", path: `${folder}/p.gemspec` } };
    const packings = [at("npm", folder, { members: "all" }), at("gem", folder, spec), at("firebase", folder), at("docker", folder)];
    return packings.map((packing) => {
      // As if most of the call's work had been done already.
      const work = new Work();
      work.spend(CHOSEN.pattern_work_chars - 4_000_000);
      return packed(packing, machine.system, work).some(({ cut }) => cut);
    });
  };
  expect(cuts(5)).toEqual([false, false, false, false]);
  expect(cuts(5_000)).toEqual([true, true, true, true]);
});

test("L-048 D-27: what several packages of one call cost is counted together", () => {
  using machine = throwaway();
  machine.file("p/package.json", '{"name":"p","version":"1.0.0"}');
  const work = new Work();
  const cut = () => packed(at("npm", `${machine.home}/p`), machine.system, work).some((one) => one.cut);
  expect(cut()).toBe(false);
  let rounds = 1;
  while (rounds < 100_000 && !cut()) rounds++;
  expect(rounds).toBeLessThan(3_000);
});

test("D-27: nothing more is looked at when the time is over", () => {
  using machine = throwaway();
  machine.file("p/package.json", '{"name":"p","version":"1.0.0"}');
  const system: System = { ...machine.system, left_ms: () => CHOSEN.answer_ms - 1 };
  expect(packed(at("npm", `${machine.home}/p`), system)).toEqual([{ folder: `${machine.home}/p`, files: [], cut: true }]);
});

/** Stages that each take everything four times from stages before them: 4 to the power of their number, when it is followed by hand. */
const TOWER = Array.from(
  { length: 40 },
  (_, index) => `FROM x AS s${index}\nCOPY ${index === 0 ? "key" : "src/a"} /k${index}\n${`COPY --from=s${index - 1} / /\n`.repeat(4)}`,
).join("");

test("L-042 D-27: stages built on stages are worked out once each", () => {
  using machine = throwaway();
  for (const name of ["key", "src/a", ".env"]) machine.file(`p/${name}`, "x");
  machine.file("p/Dockerfile", TOWER);
  const work = new Work();
  const [image] = packed(at("docker", `${machine.home}/p`), machine.system, work);
  expect([image?.files.map(({ relative }) => relative).sort(), work.spent]).toEqual([["key", "src/a"], false]);
});

test("D-27: the rules of a selection are read once for all files, and out of work nothing is taken for selected", () => {
  using machine = throwaway();
  const path = machine.file("ex", ".env\n*.log\n");
  let reads = 0;
  const system: System = { ...machine.system, read: (...args) => (reads++, machine.system.read(...args)) };
  const work = new Work();
  const rule = { takes: false, pattern: { written: "ex", path }, how: "anywhere" } as const;
  const takes = selector({ prefix: "d/", rules: [rule], prunes: true, first: false }, system, work);
  expect([".env", "a.log", "b/a.log", "b/.envrc"].map(takes)).toEqual([false, false, false, true]);
  expect(reads).toBe(1);
  work.spend(CHOSEN.pattern_work_chars);
  expect([takes("b/.envrc"), work.spent]).toEqual([false, true]);
});

/** Answers of moby/patternmatcher 0.6.1 (its differential run covered 6,000 random files). */
const IGNORED: readonly (readonly [text: string, hidden: readonly string[], kept: readonly string[]])[] = [
  [".env", [".env"], ["a/.env", ".env.local"]],
  ["**/.env", [".env", "a/.env", "a/b/.env"], [".envrc"]],
  ["*", [".env", "a/b"], []],
  ["*\n!a", ["b/x", ".env"], ["a/.env", "a"]],
  ["a\n!a/.env", ["a/x"], ["a/.env"]],
  ["!a\na", ["a/x"], []],
  ["/a/", ["a/x"], ["b/a/x"]],
  ["./a/../b", ["b/x"], ["a/x"]],
  ["a/*", ["a/x", "a/x/y"], ["a"]],
  ["# a\n\n  b  ", ["b"], ["a", "# a"]],
  ["A", ["A/x"], ["a/x"]],
  ["{a,b}", ["{a,b}"], ["a"]],
  ["[a-c]?", ["ax", "c1/y"], ["d1", "a"]],
];

test("L-042: what a .dockerignore leaves out of the context", () => {
  for (const [text, hidden, kept] of IGNORED) {
    const ignored = dockerIgnore(text, new Work());
    expect([text, hidden.filter((path) => !ignored(path)), kept.filter(ignored)]).toEqual([text, [], []]);
  }
});

/** Dockerfiles and the files of the context that the image keeps. */
const IMAGES: readonly (readonly [dockerfile: string, kept: readonly string[], target?: string])[] = [
  ["FROM x\nCOPY . .", [".env", "Dockerfile", "key", "src/a", "src/b/c"]],
  ["FROM x\nCOPY src /app", ["src/a", "src/b/c"]],
  ["FROM x\nCOPY src/* key /app/", ["key", "src/a", "src/b/c"]],
  ["FROM x\nADD --chown=1:1 ./key /k", ["key"]],
  ['FROM x\nCOPY ["key", "src/a", "/k/"]', ["key", "src/a"]],
  ["FROM x\nCOPY \\\n  # a remark\n  key \\\n  /k", ["key"]],
  ["FROM x AS one\nCOPY . .\nFROM y\nCOPY src src", ["src/a", "src/b/c"]],
  ["FROM x AS one\nCOPY . /app\nFROM y\nCOPY --from=one /app/src /s", ["src/a", "src/b/c"]],
  ["FROM x AS one\nCOPY . /app\nFROM y\nCOPY --from=0 /app /s", [".env", "Dockerfile", "key", "src/a", "src/b/c"]],
  ["FROM x AS one\nWORKDIR /w\nCOPY key .\nFROM y\nCOPY --from=one /w/key /k", ["key"]],
  ["FROM x AS one\nWORKDIR /w\nCOPY key .\nFROM y\nCOPY --from=one /w/other /k", []],
  ["FROM x AS one\nCOPY key /\nFROM one AS two\nCOPY src/a /", ["key", "src/a"]],
  ["FROM x AS one\nCOPY key /\nFROM y AS two\nCOPY src/a /", ["key"], "one"],
  ["FROM x\nCOPY --from=nginx /etc/nginx /e\nADD https://h.example/f /f", []],
  ["FROM x\nRUN --mount=type=bind,target=/s make", []],
  ["FROM x\nARG P=key\nCOPY $P /k", [".env", "Dockerfile", "key", "src/a", "src/b/c"]],
  ["FROM x\nCOPY <<EOF /k\ntext\nEOF\nCOPY key /", ["key"]],
  ["# escape=`\nFROM x\nCOPY key `\n /k", ["key"]],
];

test("L-042: an image keeps what reaches its last stage", () => {
  using machine = throwaway();
  for (const name of [".env", "key", "src/a", "src/b/c", "node_modules/m/x"]) machine.file(`p/${name}`, "x");
  for (const [dockerfile, kept, target] of IMAGES) {
    machine.file("p/Dockerfile", dockerfile);
    const [image] = packed(at("docker", `${machine.home}/p`, target === undefined ? {} : { target }), machine.system);
    expect([dockerfile, image?.files.map(({ relative }) => relative).sort()]).toEqual([dockerfile, [...kept].sort()]);
  }
});
