import { afterEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { contentOf, hidden, pathsOf, pathsOfLine, Scratch, textsOf } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());
const made = () => {
  scratch = new Scratch();
  return scratch;
};

describe("what git commit takes (L-011, L-044)", () => {
  test("L-044: the index against HEAD, also before the first commit", () => {
    const at = made();
    at.write(".env", "K=v");
    at.write("b", "b");
    at.git("add", ".env");
    const first = at.takes("commit", "-m", "x");
    expect(pathsOf(first)).toEqual([".env"]);
    expect(contentOf(first, ".env")).toBe("K=v");
    expect(first.taken.find(({ path }) => path === ".env")).toMatchObject({ where: "commit", isNew: true });
    at.commit();
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
    at.write(".env", "K=w");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
    at.git("add", ".env");
    expect(at.takes("commit", "-m", "x").taken.find(({ path }) => path === ".env")?.isNew).toBe(false);
  });

  test("L-044: -a, -am, --all and paths take the working tree of tracked files", () => {
    const at = made();
    at.commit({ ".env": "K=", "b.txt": "b", "sub/c": "c" });
    at.write(".env", "K=v");
    at.write("sub/c", "changed");
    at.write("untracked", "u");
    for (const words of [["-a"], ["-am", "x"], ["--all", "-m", "x"], ["-qam", "x"]])
      expect(pathsOf(at.takes("commit", ...words))).toEqual([".env", "sub/c"]);
    expect(pathsOf(at.takes("commit", "-m", "x", ".env"))).toEqual([".env"]);
    expect(pathsOf(at.takes("commit", "-m", "x", "--", "sub"))).toEqual(["sub/c"]);
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
    at.git("add", ".env");
    at.write(".env", "K=later");
    expect(contentOf(at.takes("commit", "-m", "x"), ".env")).toBe("K=v");
    expect(contentOf(at.takes("commit", "-am", "x"), ".env")).toBe("K=later");
    expect(pathsOf(at.takes("commit", "-m", "x", "sub/c"))).toEqual(["sub/c"]);
    expect(pathsOf(at.takes("commit", "-i", "-m", "x", "sub/c"))).toEqual([".env", "sub/c"]);
    expect(pathsOf(at.takes("commit", "--dry-run", "-am", "x"))).toEqual([]);
    expect(pathsOf(at.takes("commit", hidden("$OPTIONS")))).toEqual([".env", "sub/c"]);
  });

  test("L-044: add and commit in one line; the union is what the line takes", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write(".env", "K=v");
    expect(
      pathsOfLine(
        at.line([
          ["add", "."],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual([".env"]);
    at.git("add", ".env");
    expect(pathsOfLine(at.line([["commit", "-m", "x"], ["push"]]))).toEqual([".env", "a"]);
  });

  test("the way out works: what the line takes out of the index again is not committed", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write(".env", "K=v");
    at.write("b", "b");
    at.git("add", "-A");
    expect(
      pathsOfLine(
        at.line([
          ["rm", "--cached", ".env"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual(["b"]);
    expect(
      pathsOfLine(
        at.line([
          ["reset", "HEAD", ".env"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual(["b"]);
    expect(
      pathsOfLine(
        at.line([
          ["reset", "-q", "--", ".env"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual(["b"]);
    expect(
      pathsOfLine(
        at.line([
          ["restore", "--staged", ".env"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual(["b"]);
    expect(pathsOfLine(at.line([["reset"], ["add", "b"], ["commit", "-m", "x"]]))).toEqual(["b"]);
    expect(pathsOfLine(at.line([["reset"], ["add", "-A"], ["commit", "-m", "x"]]))).toEqual([".env", "b"]);
    expect(
      pathsOfLine(
        at.line([
          ["restore", ".env"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual([".env", "b"]);
    expect(
      pathsOfLine(
        at.line([
          ["reset", "--soft", "HEAD"],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual([".env", "b"]);
    expect(
      pathsOfLine(
        at.line([
          ["rm", "--cached", hidden("$F")],
          ["commit", "-m", "x"],
        ]),
      ),
    ).toEqual([".env", "b"]);
  });

  test("amend takes what is new since HEAD; a merge takes neither side's content", () => {
    const at = made();
    at.commit({ a: "a", ".env": "K=v" });
    expect(pathsOf(at.takes("commit", "--amend", "--no-edit"))).toEqual([]);
    at.write("b", "b");
    at.git("add", "b");
    expect(pathsOf(at.takes("commit", "--amend", "--no-edit"))).toEqual(["b"]);
    at.commit();
    at.git("checkout", "-q", "-b", "other");
    at.commit({ "theirs.env": "T=1", a: "theirs" });
    at.git("checkout", "-q", "main");
    at.commit({ a: "ours" });
    expect(() => at.git("merge", "other")).toThrow();
    at.write("a", "resolved");
    at.write("extra", "e");
    at.git("add", "-A");
    expect(pathsOf(at.takes("commit", "-m", "merge"))).toEqual(["a", "extra"]);
  });

  test("a rename carries no new content only when Git says so: the new path is listed with its blob", () => {
    const at = made();
    at.commit({ "config.txt": "K=v" });
    at.git("mv", "config.txt", ".env");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([".env"]);
    at.git("reset", "-q", "--hard");
    at.git("rm", "-q", "--cached", "config.txt");
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
  });

  test("X-014: messages from -m, --message, abbreviations, -F, standard input, trailers, authors", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write("message.txt", "from file");
    at.commit();
    expect(textsOf(at.takes("commit", "-m", "one", "--message=two", "--mess", "three", "-mfour", "-am", "five"))).toBe(
      "one\ntwo\nthree\nfour\nfive",
    );
    expect(textsOf(at.takes("commit", "-F", "message.txt"))).toBe("from file");
    expect(textsOf(at.takes("commit", "-t", "message.txt"))).toBe("from file");
    expect(textsOf(at.line([["commit", "-F", "-"]], [], { stdin: [{ from: "text", text: "from stdin", plain: true }] })[0])).toBe(
      "from stdin",
    );
    expect(textsOf(at.line([["commit", "-F", "m"]], [{ path: join(at.root, "m"), text: "coming" }])[0])).toBe("coming");
    expect(textsOf(at.takes("commit", "--trailer", "Key: value", "--author=A <a@b>"))).toBe("A <a@b>\nKey: value");
    expect(textsOf(at.takes("commit", "-m", hidden("fix ", [{ from: "text", text: "inner", plain: true }])))).toBe("fix \ninner");
    at.environment.SECRET_VALUE = "from environment";
    expect(
      textsOf(at.takes("commit", "-m", hidden("$SECRET_VALUE", [{ from: "environment", name: "SECRET_VALUE", plain: true }]))),
    ).toContain("from environment");
    const path = join(at.root, "message.txt");
    expect(
      textsOf(at.takes("commit", "-m", hidden("$(cat message.txt)", [{ from: "file", file: { written: path, path }, plain: true }]))),
    ).toContain("from file");
    const command = { from: "credential command", command: "gh auth token", plain: true } as const;
    expect(at.takes("commit", "-m", hidden("", [command])).taken[0]?.sources).toEqual([command]);
    expect(textsOf(at.takes("commit", "--allow-empty", "-m", "alone"))).toBe("alone");
  });

  test("tag, notes, merge and commit-tree messages; remote URLs; settings", () => {
    const at = made();
    expect(at.takes("tag", "-a", "v1", "-m", "built")).toMatchObject({ taken: [{ where: "tag message", text: "built" }] });
    expect(textsOf(at.takes("tag", "-am", "built", "v1"))).toBe("built");
    expect(at.takes("tag", "v1").taken).toEqual([]);
    expect(at.takes("tag", "-d", "v1").taken).toEqual([]);
    expect(textsOf(at.takes("notes", "add", "-m", "note"))).toBe("note");
    expect(textsOf(at.takes("merge", "other", "-m", "merged"))).toBe("merged");
    expect(textsOf(at.takes("commit-tree", "HEAD^{tree}", "-m", "tree"))).toBe("tree");
    expect(textsOf(at.line([["commit-tree", "HEAD^{tree}"]], [], { stdin: [{ from: "text", text: "piped", plain: true }] })[0])).toBe(
      "piped",
    );
    expect(at.takes("remote", "add", "origin", "https://u:p@host/x")).toMatchObject({
      taken: [{ where: "remote url", text: "https://u:p@host/x" }],
    });
    expect(textsOf(at.takes("remote", "set-url", "--push", "origin", "https://host/x"))).toBe("https://host/x");
    expect(at.takes("remote", "set-url", "--delete", "origin", "x").taken).toEqual([]);
    expect(at.takes("config", "--global", "user.token", "value")).toMatchObject({ taken: [{ where: "config", text: "value" }] });
    expect(textsOf(at.takes("config", "set", "user.token", "value"))).toBe("value");
    expect(at.takes("config", "--get", "user.token").taken).toEqual([]);
    expect(at.takes("config", "user.token").taken).toEqual([]);
    expect(at.started).toEqual([]);
  });

  test("patches: added lines by file and the mail text, not what they remove", () => {
    const at = made();
    const patch =
      "From: a\nSubject: s\n\n---\ndiff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n@@ -1,2 +1,2 @@\n-OLD=1\n keep\n+NEW=2\n-- \n2.39\n";
    const stdin = [{ from: "text", text: patch, plain: true }] as const;
    const taking = at.line([["am"]], [], { stdin })[0];
    expect(contentOf(taking, ".env")).toBe("NEW=2\n");
    expect(textsOf(taking)).toContain("Subject: s");
    expect(textsOf(taking)).not.toContain("OLD");
    at.write("p.diff", patch);
    expect(pathsOf(at.takes("apply", "--index", "p.diff"))).toEqual([".env"]);
    expect(pathsOf(at.takes("apply", "p.diff"))).toEqual([]);
  });

  test("aliases: expanded with their arguments, nested, `!` handed back as a shell line, loops end", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write(".env", "K=v");
    at.git("config", "alias.aa", "add -A");
    at.git("config", "alias.bb", "aa");
    at.git("config", "alias.loop", "loop");
    at.git("config", "alias.ci", "commit -m 'two words'");
    at.git("config", "alias.sh", "!git add");
    expect(pathsOf(at.takes("aa"))).toEqual([".env"]);
    expect(pathsOf(at.takes("bb"))).toEqual([".env"]);
    expect(textsOf(at.takes("ci"))).toBe("two words");
    expect(at.takes("sh", "it's").shell).toBe("git add 'it'\\''s'");
    expect(at.takes("loop")).toMatchObject({ taken: [], unfinished: undefined });
    expect(at.takes("unknown")).toMatchObject({ taken: [], unfinished: undefined });
    expect(pathsOf(at.line([["own"]], [], { globals: ["-c", "alias.own=add ."] })[0])).toEqual([".env"]);
  });

  test("commands that take nothing start no process and open no file", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write(".env", "K=v");
    const quiet =
      "status|log -p|diff HEAD|show HEAD:a|fetch --all|pull|checkout -b x|switch main|branch -d x|config --list|stash list|stash drop|merge x|rebase main|reset --hard|restore .|blame a|clone https://example.com/x|init|remote -v|rm --cached a|mv a b|worktree add ../w|cherry-pick x|revert x|clean -fd|gc|archive HEAD|bundle create b HEAD|format-patch -1|tag -l|notes show|ls-files|grep x|describe";
    for (const words of quiet.split("|"))
      expect(at.takes(...words.split(" "))).toEqual({ root: undefined, taken: [], unfinished: undefined });
    expect(at.started).toEqual([]);
    expect(at.opened).toEqual([]);
  });

  test("everyday commands cost few processes", () => {
    const at = made();
    at.commit({ a: "a" });
    at.write("b", "b");
    at.takes("add", ".");
    expect(at.started.length).toBe(4);
    at.git("add", ".");
    at.started.length = 0;
    at.takes("commit", "-m", "x");
    expect(at.started.length).toBe(3);
  });

  test("outside a repository nothing is taken and nothing asked; a message still counts", () => {
    const at = made();
    rmSync(join(at.root, ".git"), { recursive: true });
    at.write(".env", "K=v");
    expect(at.takes("add", ".")).toMatchObject({ taken: [], unfinished: undefined });
    expect(at.takes("push")).toMatchObject({ taken: [], unfinished: undefined });
    expect(at.takes("commit", "-m", "x")).toMatchObject({ unfinished: undefined, taken: [{ text: "x" }] });
  });
});
