import { afterEach, describe, expect, test } from "bun:test";
import { type Printed, printed } from "../../../src/call/git/index.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());

/** `old` holds `c.txt` one commit before its end; the working tree changes `b.txt`. */
const made = () => {
  scratch = new Scratch();
  scratch.commit({ "a.txt": "a\n", "b.txt": "first\n", "sub/.env": "K=v\n" });
  scratch.git("checkout", "-q", "-b", "old");
  scratch.commit({ "c.txt": "deep\n" }, "with a message");
  scratch.git("rm", "-q", "c.txt");
  scratch.git("commit", "-q", "-m", "gone");
  scratch.git("checkout", "-q", "main");
  scratch.write("b.txt", "second\n");
  return scratch;
};

const print = (at: Scratch, ...words: string[]): Record<string, string> => {
  const wanted = (path: string) => path.endsWith(".env");
  const found: readonly Printed[] = printed([at.invocation(words)], wanted, at.system());
  const texts: Record<string, string> = {};
  for (const { path, bytes } of found) texts[path] = (texts[path] ?? "") + new TextDecoder().decode(bytes);
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replace(/\n+/g, "\n")]));
};

describe("what git prints on its way to a stranger (L-021, D-18)", () => {
  test("a named blob is read whole, whatever its name", () => {
    const at = made();
    expect(print(at, "show", "old~1:c.txt")).toEqual({ "c.txt": "deep\n" });
    expect(print(at, "cat-file", "-p", "old~1:c.txt")).toEqual({ "c.txt": "deep\n" });
    expect(print(at, "show", "main:gone.txt")).toEqual({});
  });

  test("a patch gives its lines by file, and the message", () => {
    const at = made();
    expect(print(at, "show", "old~1")).toEqual({ "": expect.stringContaining("with a message"), "c.txt": "deep\n" });
    expect(print(at, "diff", "main", "old~1")["c.txt"]).toBe("deep\n");
    expect(print(at, "diff", "main..old~1", "--", "a.txt")["c.txt"]).toBeUndefined();
    expect(print(at, "log", "-p", "-1", "old")["c.txt"]).toBe("deep\n");
    expect(print(at, "format-patch", "--stdout", "main..old")["c.txt"]).toBe("deep\ndeep\n");
    expect(print(at, "log", "-p", "-1", "main")["c.txt"]).toBeUndefined();
  });

  test("a diff of the working tree shows both sides of what changed, and no filter runs", () => {
    const at = made();
    at.write(".gitattributes", "*.txt filter=x diff=x\n");
    for (const key of ["filter.x.clean", "filter.x.smudge", "diff.x.textconv", "diff.x.command"])
      at.git("config", key, `touch ${at.home}/ran; cat`);
    const content = print(at, "diff")["b.txt"] ?? "";
    expect(content).toContain("second");
    expect(content).toContain("first");
    expect(at.system().info(`${at.home}/ran`)).toBeUndefined();
  });

  test("a search sees the working tree and what is new in the index, of the named folder", () => {
    const at = made();
    at.write("sub/d.txt", "staged\n");
    at.write("e.txt", "staged\n");
    at.git("add", "sub/d.txt", "e.txt");
    at.write("sub/.env", "K=w\n");
    at.write("sub/f.txt", "untracked\n");
    expect(print(at, "grep", "K")["sub/.env"]).toContain("K=w");
    const named = print(at, "grep", "", "--", "sub");
    expect([Object.keys(named).toSorted(), named["sub/.env"]]).toEqual([["sub/.env", "sub/d.txt"], expect.stringContaining("K=w")]);
    expect(print(at, "grep", "--untracked", "", "--", "sub")["sub/f.txt"]).toBe("untracked\n");
    expect(print(at, "grep", "", "HEAD", "--", "sub")).toEqual({ "sub/.env": "K=v\n" });
  });

  test("an archive made below the top holds that folder only", () => {
    const at = made();
    const below = printed([at.invocation(["archive", "HEAD"], { cwd: `${at.root}/sub` })], () => true, at.system());
    expect(below.map(({ path }) => path)).toEqual(["sub/.env"]);
  });

  test("of a tree or history everything, of a search without paths only names that may be secret", () => {
    const at = made();
    expect(print(at, "archive", "HEAD")).toEqual({ "a.txt": "a\n", "b.txt": "first\n", "sub/.env": "K=v\n" });
    expect(print(at, "archive", "HEAD", "a.txt")).toEqual({ "a.txt": "a\n" });
    expect(print(at, "bundle", "create", "-", "--all")["c.txt"]).toBe("deep\n");
    expect(print(at, "bundle", "create", "-", "main")["c.txt"]).toBeUndefined();
    expect(print(at, "grep", "K")).toEqual({ "sub/.env": "K=v\n" });
    expect(print(at, "grep", "-h", "", "--", "a.txt")["a.txt"]).toContain("a");
  });

  test("no repository: nothing; a revision known at run time only: unfinished", () => {
    const at = made();
    expect(printed([at.invocation(["show", "HEAD"], { cwd: at.home })], () => true, at.system())).toEqual([]);
    const computed = at.invocation(["show", { text: "$(x)", exact: false, sources: [] }]);
    expect(() => printed([computed], () => true, at.system())).toThrow("run time");
  });
});
