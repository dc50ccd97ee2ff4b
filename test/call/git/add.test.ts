import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { contentOf, hidden, pathsOf, pathsOfLine, Scratch } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());
const made = (init = true) => {
  scratch = new Scratch(init);
  return scratch;
};

describe("what git add takes (L-011, L-043)", () => {
  test("L-043: untracked files by name, folder, `.`, -A, stage; the content comes along", () => {
    const at = made();
    at.commit({ "a.txt": "a" });
    at.write("app/.env", "K=v");
    at.write("other.txt", "o");
    expect(pathsOf(at.takes("add", "app/.env"))).toEqual(["app/.env"]);
    expect(pathsOf(at.takes("stage", "app"))).toEqual(["app/.env"]);
    expect(pathsOf(at.takes("add", "."))).toEqual(["app/.env", "other.txt"]);
    expect(pathsOf(at.takes("add", "-A"))).toEqual(["app/.env", "other.txt"]);
    expect(pathsOf(at.takes("add", "--al"))).toEqual(["app/.env", "other.txt"]);
    expect(pathsOf(at.takes("add", "*.txt"))).toEqual(["other.txt"]);
    expect(pathsOf(at.takes("add", ":(glob)**/.env"))).toEqual(["app/.env"]);
    expect(pathsOf(at.takes("add", ".", ":!app"))).toEqual(["other.txt"]);
    expect(contentOf(at.takes("add", "-A"), "app/.env")).toBe("K=v");
    expect(at.takes("add", "-A").taken.every(({ isNew, where }) => isNew && where === "index")).toBe(true);
    expect(at.takes("add", "-A").root).toBe(at.root);
  });

  test("L-043: from a subfolder `.` takes that folder, -A and :/ take everything", () => {
    const at = made();
    at.commit({ "a.txt": "a" });
    at.write("sub/.env", "K=v");
    at.write("top.txt", "t");
    const cwd = join(at.root, "sub");
    expect(pathsOf(at.line([["add", "."]], [], { cwd })[0])).toEqual(["sub/.env"]);
    expect(pathsOf(at.line([["add", "-A"]], [], { cwd })[0])).toEqual(["sub/.env", "top.txt"]);
    expect(pathsOf(at.line([["add", ":/"]], [], { cwd })[0])).toEqual(["sub/.env", "top.txt"]);
    expect(pathsOf(at.line([["add", "../top.txt"]], [], { cwd })[0])).toEqual(["top.txt"]);
  });

  test("only what changed: clean, touched and racily clean files are not taken, same-size changes are", () => {
    const at = made();
    at.commit({ "a.txt": "aaaa", "b.txt": "bbbb", "c.txt": "cccc" });
    expect(pathsOf(at.takes("add", "-A"))).toEqual([]);
    utimesSync(join(at.root, "a.txt"), new Date(1e9), new Date(1e9));
    at.write("b.txt", "BBBB");
    const taking = at.takes("add", ".");
    expect(pathsOf(taking)).toEqual(["b.txt"]);
    expect(taking.taken[0]?.isNew).toBe(false);
    expect(pathsOf(at.takes("add", "-u"))).toEqual(["b.txt"]);
    expect(pathsOf(at.takes("add", "-p"))).toEqual(["b.txt"]);
  });

  test("line endings alone are no change (D-29)", () => {
    const at = made();
    at.git("config", "core.autocrlf", "true");
    at.commit({ "a.txt": "one\ntwo\n" });
    at.write("a.txt", "one\r\ntwo\r\n");
    expect(pathsOf(at.takes("add", "."))).toEqual([]);
  });

  test("ignored files only with -f; a list of paths from a file; options that take nothing", () => {
    const at = made();
    at.commit({ ".gitignore": ".env\nbuild/\n" });
    at.write(".env", "K=v");
    at.write("build/x", "x");
    at.write("n.txt", "n");
    at.write("list", ".env\nn.txt\n");
    expect(pathsOf(at.takes("add", "-A"))).toEqual(["list", "n.txt"]);
    expect(pathsOf(at.takes("add", ".env"))).toEqual([]);
    expect(pathsOf(at.takes("add", "-f", ".env"))).toEqual([".env"]);
    expect(pathsOf(at.takes("add", "-Af", "."))).toEqual([".env", "build/x", "list", "n.txt"]);
    expect(pathsOf(at.takes("add", "-f", "--pathspec-from-file=list"))).toEqual([".env", "n.txt"]);
    expect(pathsOf(at.takes("add", "-n", "n.txt"))).toEqual([]);
    expect(pathsOf(at.takes("add", "--dry-run", "n.txt"))).toEqual([]);
    expect(pathsOf(at.takes("add"))).toEqual([]);
    expect(pathsOf(at.takes("add", "missing.txt"))).toEqual([]);
    expect(pathsOf(at.takes("add", "/etc/passwd"))).toEqual([]);
  });

  test("-N takes no content until a commit of the same line does", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write(".env", "K=v");
    expect(pathsOf(at.takes("add", "-N", "."))).toEqual([]);
    expect(
      pathsOfLine(
        at.line([
          ["add", "-N", "."],
          ["commit", "-am", "x"],
        ]),
      ),
    ).toEqual([".env"]);
    at.git("add", "-N", ".env");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
    expect(pathsOf(at.takes("commit", "-am", "x"))).toEqual([".env"]);
  });

  test("a path only known at run time widens to the tree, not to ignored files", () => {
    const at = made();
    at.commit({ ".gitignore": "*.log\n" });
    at.write(".env", "K=v");
    at.write("x.log", "l");
    expect(pathsOf(at.takes("add", hidden("$FILE")))).toEqual([".env"]);
    expect(pathsOf(at.takes("add", "-f", hidden("$FILE")))).toEqual([".env", "x.log"]);
  });

  test("files an update would skip stay out: assume-unchanged, skip-worktree", () => {
    const at = made();
    at.commit({ ".env": "K=", b: "b" });
    at.git("update-index", "--assume-unchanged", ".env");
    at.git("update-index", "--skip-worktree", "b");
    at.write(".env", "K=real");
    at.write("b", "real");
    expect(pathsOf(at.takes("add", "-A"))).toEqual([]);
    expect(pathsOf(at.takes("commit", "-am", "x"))).toEqual([]);
  });

  test("L-017: a symbolic link comes with the file it points to", () => {
    const at = made();
    at.commit({ a: "a" });
    mkdirSync(join(at.home, ".aws"));
    Bun.write(join(at.home, ".aws/credentials"), "");
    at.write("../.aws/credentials", "[default]\n");
    at.link("notes.txt", "../.aws/credentials");
    at.link("gone", "../nothing");
    at.link("folder", "/etc");
    const taking = at.takes("add", ".");
    expect(pathsOf(taking)).toEqual(["notes.txt"]);
    expect(contentOf(taking, "notes.txt")).toBe("[default]\n");
    expect(taking.taken[0]?.link).toBe(join(at.home, ".aws/credentials"));
    at.git("add", ".");
    expect(contentOf(at.takes("commit", "-m", "x"), "notes.txt")).toBe("[default]\n");
    at.commit();
    expect(pathsOf(at.takes("add", "."))).toEqual([]);
  });

  test("odd file names: quotes, newline, spaces, umlauts, leading dash and colon", () => {
    const at = made();
    const names = ['a"b', "new\nline", "with space", "übung", "-dash", ":colon", "star*"];
    for (const name of names) at.write(name, name);
    const taking = at.takes("add", ".");
    expect(pathsOf(taking)).toEqual([...names].sort());
    for (const name of names) expect(contentOf(taking, name)).toBe(name);
    at.git("add", ".");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([...names].sort());
  });

  test("nested repositories and submodules give no content", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write("inner/.env", "K=v");
    at.gitIn(join(at.root, "inner"), "init", "-q");
    at.gitIn(join(at.root, "inner"), "add", ".");
    at.gitIn(join(at.root, "inner"), "commit", "-qm", "x");
    expect(pathsOf(at.takes("add", "."))).toEqual([]);
    at.git("add", ".");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
  });

  test("update-index and hash-object -w take what they name, ignored or not", () => {
    const at = made();
    at.commit({ ".gitignore": ".env\n" });
    at.write(".env", "K=v");
    expect(pathsOf(at.takes("update-index", "--add", ".env"))).toEqual([".env"]);
    expect(pathsOf(at.takes("update-index", "--assume-unchanged", ".env"))).toEqual([]);
    expect(contentOf(at.takes("hash-object", "-w", ".env"), ".env")).toBe("K=v");
    expect(pathsOf(at.takes("hash-object", ".env"))).toEqual([]);
  });

  test("an unreadable file, a FIFO and a missing folder are no question", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write("locked", "x");
    chmodSync(join(at.root, "locked"), 0);
    Bun.spawnSync(["mkfifo", join(at.root, "pipe")]);
    expect(at.takes("add", ".").unfinished).toBeUndefined();
    expect(at.line([["add", "."]], [], { cwd: "/nowhere/at/all" })[0]?.unfinished).toBeUndefined();
    expect(at.line([["add", "."]], [], { cwd: undefined })[0]?.unfinished).toBeString();
  });
});

describe("files the line writes before git add", () => {
  test("L-043: new, rewritten, appended and removed files count as they will be", () => {
    const at = made();
    at.commit({ "old.txt": "old", "gone.txt": "g" });
    at.write(".env", "K=secret");
    const path = (name: string) => join(at.root, name);
    const takings = (pending: Parameters<Scratch["line"]>[1], ...words: string[]) => at.line([words], pending)[0];
    expect(contentOf(takings([{ path: path("new/.env"), text: "N=1" }], "add", "."), "new/.env")).toBe("N=1");
    expect(contentOf(takings([{ path: path("new/.env"), text: "N=1" }], "add", "new"), "new/.env")).toBe("N=1");
    expect(contentOf(takings([{ path: path("new/.env"), text: "N=1" }], "add", "-f", "*/.env"), "new/.env")).toBe("N=1");
    expect(pathsOf(takings([{ path: path("new/.env"), text: "N=1" }], "add", "other"))).toEqual([]);
    expect(pathsOf(takings([{ path: path("new/.env"), text: "N=1" }], "add", "-u"))).toEqual([]);
    expect(contentOf(takings([{ path: path(".env"), text: "K=", append: false }], "add", "."), ".env")).toBe("K=");
    expect(contentOf(takings([{ path: path("old.txt"), text: "+new" }], "add", "."), "old.txt")).toBe("old+new");
    expect(contentOf(takings([{ path: path("old.txt"), text: "x", append: false }], "commit", "-am", "m"), "old.txt")).toBe("x");
    expect(pathsOf(takings([{ path: path("old.txt"), text: "old", append: false }], "add", ".env"))).toEqual([".env"]);
    expect(contentOf(takings([{ path: path(".env"), text: "" }], "add", "."), ".env")).toBe("K=secret");
    expect(pathsOf(takings([{ path: path(".env"), text: undefined }], "add", "."))).toEqual([]);
    const late = at.line(
      [
        ["add", ".env"],
        ["commit", "-am", "x"],
      ],
      [
        { path: path(".env"), text: undefined, after: 1 },
        { path: path("old.txt"), text: "later", append: false, after: 1 },
      ],
    );
    expect(late.map((taking) => taking.taken.flatMap(({ path: name }) => name ?? []))).toEqual([[".env"], ["old.txt"]]);
    expect(pathsOf(takings([{ path: join(at.home, "outside"), text: "x" }], "add", "."))).toEqual([".env"]);
  });

  test("ignore rules hold for coming files, and coming ignore rules for all", () => {
    const at = made();
    at.commit({ ".gitignore": "*.log\n" });
    at.write(".env", "K=v");
    at.write("sub/.env.local", "K=v");
    at.write("x.log", "l");
    const rule = (text: string, adds: boolean, name = ".gitignore") => [{ path: join(at.root, name), text, append: adds }];
    expect(pathsOf(at.line([["add", "."]], [{ path: join(at.root, "y.log"), text: "l" }])[0])).toEqual([".env", "sub/.env.local"]);
    expect(pathsOf(at.line([["add", "."]], rule(".env\n", true))[0])).toEqual([".gitignore", "sub/.env.local"]);
    expect(pathsOf(at.line([["add", "."]], rule(".env*\n", true))[0])).toEqual([".gitignore"]);
    expect(pathsOf(at.line([["add", "."]], rule("sub/\n/.env\n", true))[0])).toEqual([".gitignore"]);
    expect(pathsOf(at.line([["add", "."]], rule(".env.local", false, "sub/.gitignore"))[0])).toEqual([".env", "sub/.gitignore"]);
    expect(pathsOf(at.line([["add", "."]], rule("nothing\n", false))[0])).toEqual([".env", ".gitignore", "sub/.env.local", "x.log"]);
    expect(pathsOf(at.line([["add", "-f", ".env"]], rule(".env\n", true))[0])).toEqual([".env"]);
  });

  test("L-043: git init in the same line; ignore files hold, links and coming files come along", () => {
    const at = made(false);
    at.write(".env", "K=v");
    at.write(".gitignore", "*.log\n");
    at.write("x.log", "l");
    at.write("src/a.ts", "a");
    const line = at.line(
      [["init"], ["add", "."], ["commit", "-m", "first"], ["push", "-u", "origin", "main"]],
      [{ path: join(at.root, "new.txt"), text: "n" }],
    );
    expect(pathsOfLine(line)).toEqual([".env", ".gitignore", "new.txt", "src/a.ts"]);
    expect(line.map(({ unfinished }) => unfinished)).toEqual([undefined, undefined, undefined, undefined]);
    expect(pathsOfLine(at.line([["add", "."]]))).toEqual([]);
    expect(pathsOfLine(at.line([["init"], ["add", "src"]]))).toEqual(["src/a.ts"]);
  });

  test("a folder the line makes: relative paths stay below it, -A still means the whole tree", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write("top.txt", "t");
    const cwd = join(at.root, "made");
    const pending = [{ path: join(cwd, ".env"), text: "K=v" }];
    expect(pathsOf(at.line([["add", "."]], pending, { cwd })[0])).toEqual(["made/.env"]);
    expect(pathsOf(at.line([["add", "-A"]], pending, { cwd })[0])).toEqual(["made/.env", "top.txt"]);
  });
});
