/** What the tools' own programs cannot be asked about here: limits, images, archives. */
import { expect, test } from "bun:test";
import { dockerIgnore } from "../../../src/call/packing/docker.ts";
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
    const ignored = dockerIgnore(text);
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
