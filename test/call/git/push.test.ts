import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BRANCH_TEXT, revisionText } from "../../../src/call/source.ts";
import { contentOf, hidden, pathsOf, pathsOfLine, Scratch, textsOf } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());

/** A repository whose `main` was pushed, with one more commit that holds `.env`. */
const made = () => {
  scratch = new Scratch();
  scratch.commit({ a: "a" }, "first");
  scratch.git("remote", "add", "origin", "https://example.com/acme/app.git");
  scratch.git("update-ref", "refs/remotes/origin/main", "HEAD");
  scratch.git("branch", "-q", "--set-upstream-to=origin/main", "main");
  return scratch;
};
const withSecret = () => {
  const at = made();
  at.commit({ ".env": "K=v" }, "adds the environment");
  return at;
};

describe("what git push sends (L-045)", () => {
  test("L-045: a revision that the line asks for, also one that no reference names any more", () => {
    const at = withSecret();
    at.git("reset", "-q", "--hard", "HEAD~1");
    expect(pathsOf(at.takes("push", "origin", hidden(`${revisionText("HEAD")}:refs/heads/x`)))).toEqual([]);
    expect(pathsOf(at.takes("push", "origin", hidden(`${revisionText("HEAD@{1}")}:refs/heads/x`)))).toEqual([".env"]);
    // Asked for before the line moved HEAD, it stands for something else than when the push runs.
    at.git("checkout", "-q", "-b", "feature", "HEAD@{1}");
    const moved = (revision: string) =>
      at.line([
        ["checkout", "main"],
        ["push", "origin", hidden(`${revisionText(revision)}:refs/heads/x`)],
      ]);
    expect(pathsOfLine(moved("HEAD"))).toEqual([".env"]);
  });

  test("L-045: with an upstream, without one, and as the first push", () => {
    const at = withSecret();
    expect(pathsOf(at.takes("push"))).toEqual([".env"]);
    expect(contentOf(at.takes("push"), ".env")).toBe("K=v");
    expect(textsOf(at.takes("push"))).toContain("adds the environment");
    expect(textsOf(at.takes("push"))).not.toContain("first");
    at.git("branch", "--unset-upstream");
    expect(pathsOf(at.takes("push", "-u", "origin", "main"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "HEAD"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "https://example.com/acme/app.git", "main"))).toEqual([".env"]);
    at.git("update-ref", "-d", "refs/remotes/origin/main");
    expect(pathsOf(at.takes("push", "-u", "origin", "main"))).toEqual([".env", "a"]);
  });

  test("L-045: git svn dcommit sends what the references of Subversion do not have", () => {
    const at = withSecret();
    at.git("update-ref", "refs/remotes/svn/trunk", "HEAD~1");
    at.git("config", "svn-remote.svn.fetch", "trunk:refs/remotes/svn/trunk");
    at.git("config", "svn-remote.svn.branches", "branches/*:refs/remotes/svn/*");
    expect(pathsOf(at.takes("svn", "dcommit"))).toEqual([".env"]);
    expect(pathsOf(at.takes("svn", "dcommit", "main"))).toEqual([".env"]);
    for (const words of [["dcommit", "--dry-run"], ["fetch"], ["rebase"], ["dcommit", "HEAD~1"]])
      expect(at.takes("svn", ...words)).toMatchObject({ taken: [], unfinished: undefined });
    // What another remote has is not what Subversion has.
    at.git("update-ref", "refs/remotes/origin/main", "HEAD");
    expect(pathsOf(at.takes("svn", "dcommit"))).toEqual([".env"]);
  });

  test("nothing new, a deletion, a dry run: nothing", () => {
    const at = made();
    expect(at.takes("push").taken).toEqual([]);
    at.commit({ ".env": "K=v" });
    for (const words of [["origin", ":gone"], ["-d", "origin", "gone"], ["--delete", "origin", "gone"], ["--dry-run"], ["-n"]])
      expect(at.takes("push", ...words).taken).toEqual([]);
  });

  test("only the branch that is pushed counts", () => {
    const at = made();
    at.git("checkout", "-q", "-b", "feature");
    at.commit({ ".env": "K=v" });
    expect(pathsOf(at.takes("push", "origin", "main"))).toEqual([]);
    expect(pathsOf(at.takes("push", "origin", "feature"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "feature:main"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "+HEAD:refs/heads/hotfix"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", hidden(BRANCH_TEXT)))).toEqual([".env"]);
    at.git("checkout", "-q", "main");
    expect(pathsOf(at.takes("push"))).toEqual([]);
    expect(pathsOf(at.takes("push", "--all"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "--mirror"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "refs/heads/*:refs/heads/*"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", ":"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", hidden("$BRANCH")))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", hidden(BRANCH_TEXT)))).toEqual([]);
    expect(pathsOf(at.takes("push", "origin", hidden(`${revisionText("main")}:refs/heads/x`)))).toEqual([]);
    expect(pathsOf(at.takes("push", "origin", hidden(`+${revisionText("feature")}:refs/heads/x`)))).toEqual([".env"]);
    at.git("config", "push.default", "matching");
    expect(pathsOf(at.takes("push"))).toEqual([".env"]);
  });

  test("L-045: tags: --tags, by name, --follow-tags with their messages", () => {
    const at = made();
    at.git("checkout", "-q", "--detach");
    at.commit({ ".env": "K=v" });
    at.git("tag", "v1");
    at.git("tag", "-a", "v2", "-m", "words of the tag");
    at.git("checkout", "-q", "main");
    expect(pathsOf(at.takes("push"))).toEqual([]);
    expect(pathsOf(at.takes("push", "--tags"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "v1"))).toEqual([".env"]);
    expect(pathsOf(at.takes("push", "origin", "tag", "v1"))).toEqual([".env"]);
    expect(textsOf(at.takes("push", "origin", "v2"))).toContain("words of the tag");
    expect(textsOf(at.takes("push", "--follow-tags"))).not.toContain("words of the tag");
    at.git("merge", "-q", "v1");
    expect(textsOf(at.takes("push", "--follow-tags"))).toContain("words of the tag");
    expect(textsOf(at.takes("push"))).not.toContain("words of the tag");
  });

  test("a detached HEAD, a file that was added and removed again, a remote without tracking references", () => {
    const at = withSecret();
    at.git("rm", "-q", ".env");
    at.git("commit", "-q", "-m", "removes it");
    expect(pathsOf(at.takes("push"))).toEqual([".env"]);
    at.git("checkout", "-q", "--detach");
    expect(pathsOf(at.takes("push", "origin", "HEAD:refs/heads/hotfix"))).toEqual([".env"]);
    at.git("remote", "add", "fork", "https://example.org/fork.git");
    expect(pathsOf(at.takes("push", "fork", "HEAD:main"))).toEqual([".env", "a"]);
  });

  test("what the line does to branches before the push", () => {
    const at = made();
    at.git("checkout", "-q", "-b", "feature");
    at.commit({ ".env": "K=v" });
    at.git("checkout", "-q", "main");
    expect(
      pathsOfLine(
        at.line([
          ["checkout", "feature"],
          ["push", "origin", "HEAD"],
        ]),
      ),
    ).toEqual([".env"]);
    expect(pathsOfLine(at.line([["merge", "feature"], ["push"]]))).toEqual([".env"]);
    expect(
      pathsOfLine(
        at.line([
          ["checkout", "-b", "new", "feature"],
          ["push", "-u", "origin", "new"],
        ]),
      ),
    ).toEqual([".env"]);
    expect(
      pathsOfLine(
        at.line([
          ["branch", "new", "feature"],
          ["push", "origin", "new"],
        ]),
      ),
    ).toEqual([".env"]);
    expect(
      pathsOfLine(
        at.line([
          ["tag", "v9", "feature"],
          ["push", "origin", "v9"],
        ]),
      ),
    ).toEqual([".env"]);
    expect(pathsOfLine(at.line([["checkout", "a"], ["push"]]))).toEqual([]);
    at.git("checkout", "-q", "feature");
    expect(pathsOfLine(at.line([["checkout", "main"], ["push"]]))).toEqual([]);
    expect(
      pathsOfLine(
        at.line([
          ["switch", "-c", "next"],
          ["push", "-u", "origin", "next"],
        ]),
      ),
    ).toEqual([".env"]);
    expect(
      pathsOfLine(
        at.line([
          ["branch", "-M", "renamed"],
          ["push", "-u", "origin", "renamed"],
        ]),
      ),
    ).toEqual([".env"]);
  });

  test("before the first commit: the commit of the same line is what is pushed", () => {
    scratch = new Scratch();
    const at = scratch;
    at.write(".env", "K=v");
    at.git("add", ".");
    const line = at.line([
      ["commit", "-m", "first"],
      ["branch", "-M", "main"],
      ["remote", "add", "origin", "https://example.com/x.git"],
      ["push", "-u", "origin", "main"],
    ]);
    expect(pathsOfLine(line)).toEqual([".env"]);
    expect(at.takes("push", "origin", "nothing")).toMatchObject({ taken: [], unfinished: undefined });
  });

  test("from a bare repository, with --git-dir, with GIT_DIR", () => {
    const at = withSecret();
    at.gitIn(at.home, "clone", "-q", "--bare", "app", "bare.git");
    expect(pathsOf(at.line([["push", "https://example.com/y.git", "main"]], [], { cwd: join(at.home, "bare.git") })[0])).toEqual([
      ".env",
      "a",
    ]);
    expect(pathsOf(at.line([["push"]], [], { cwd: at.home, globals: ["--git-dir=app/.git"] })[0])).toEqual([".env"]);
    expect(pathsOf(at.line([["push"]], [], { cwd: at.home, environment: { GIT_DIR: join(at.root, ".git") } })[0])).toEqual([".env"]);
  });

  test("a linked working tree has its own HEAD and index", () => {
    const at = made();
    at.git("worktree", "add", "-q", "-b", "linked", join(at.home, "linked"));
    const cwd = join(at.home, "linked");
    Bun.spawnSync(["sh", "-c", "printf K=v > .env"], { cwd });
    expect(pathsOf(at.line([["add", "."]], [], { cwd })[0])).toEqual([".env"]);
    at.gitIn(cwd, "add", ".");
    expect(pathsOf(at.line([["commit", "-m", "x"]], [], { cwd })[0])).toEqual([".env"]);
    at.gitIn(cwd, "commit", "-qm", "x");
    expect(pathsOf(at.line([["push", "origin", "HEAD"]], [], { cwd })[0])).toEqual([".env"]);
    expect(pathsOf(at.takes("push"))).toEqual([]);
  });

  test("subtree push sends its folder", () => {
    const at = made();
    at.commit({ "lib/.env": "K=v", "other/.env": "K=v2" });
    expect(pathsOf(at.takes("subtree", "push", "--prefix=lib", "origin", "lib"))).toEqual(["lib/.env"]);
    expect(at.takes("subtree", "pull", "--prefix=lib", "origin", "lib").taken).toEqual([]);
  });
});
