import { afterEach, describe, expect, test } from "bun:test";
import { pathsOf, pathsOfLine, Scratch, textsOf } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());

/** `main` was pushed; `leak` holds `c.txt` one commit before its end. */
const made = () => {
  scratch = new Scratch();
  scratch.commit({ a: "a" });
  scratch.git("remote", "add", "origin", "https://example.com/acme/app.git");
  scratch.git("update-ref", "refs/remotes/origin/main", "HEAD");
  scratch.git("branch", "-q", "--set-upstream-to=origin/main", "main");
  scratch.git("checkout", "-q", "-b", "leak");
  scratch.commit({ "c.txt": "deep" });
  scratch.git("rm", "-q", "c.txt");
  scratch.git("commit", "-q", "-m", "gone");
  scratch.git("checkout", "-q", "main");
  return scratch;
};
const words = (line: string): string[][] => line.split("; ").map((command) => command.split(" "));

describe("L-045 L-048 what a line moves before it pushes or commits", () => {
  test.each([
    "pull . leak; push",
    "fetch . leak:x; push origin x",
    "fetch . leak; push origin FETCH_HEAD:refs/heads/x",
    "symbolic-ref HEAD refs/heads/leak; push",
    "update-ref refs/heads/main leak; push origin main",
    "reset --hard leak; push origin main",
    "cherry-pick leak~2..leak; push",
    "cherry-pick -x leak~1; push",
    "rebase -x true leak; push",
    "config remote.origin.push leak; push",
    "config alias.p push; config push.default matching; p",
    "push . leak:main; push",
    "filter-branch --all; push",
    "some-extension run; push",
  ])("%s: sees what lies on the other branch", (line) => {
    expect(pathsOfLine(made().line(words(line)))).toContain("c.txt");
  });

  test.each([
    "pull; push",
    "pull --rebase origin main; push",
    "fetch origin; push origin main",
    "fetch origin x:x; push origin main",
    "checkout -b fix; push -u origin fix",
    "symbolic-ref --short HEAD; push",
    "config user.name Ann; push",
    "status; push",
    "tag v1; push origin v1",
    "cherry-pick -x main; push",
    "rebase -x leak main; push",
  ])("%s: sees nothing new", (line) => {
    const takings = made().line(words(line));
    expect(pathsOfLine(takings)).toEqual([]);
    expect(takings.at(-1)?.unfinished).toBeUndefined();
  });

  test.each([
    "checkout leak~1 -- c.txt; commit -m x",
    "restore -s leak~1 c.txt; add c.txt; commit -m x",
    "read-tree leak~1; commit -m x",
    "reset leak~1 -- c.txt; commit -m x",
    "cherry-pick -n leak~1; commit -m x",
    "cherry-pick --no-commit leak~1; commit -m x",
    "merge --squash leak~1; commit -m x",
    "revert --no-commit leak; commit -m x",
  ])("%s: commits what was laid into the index", (line) => {
    expect(pathsOfLine(made().line(words(line)))).toContain("c.txt");
  });

  test("a stash that exists comes back with its untracked files; one the line makes is the working tree", () => {
    const at = made();
    at.write("new.txt", "n");
    at.git("stash", "push", "-q", "-u");
    expect(pathsOfLine(at.line(words("stash pop; commit -am x")))).toEqual(["new.txt"]);
    expect(pathsOfLine(at.line(words("stash; stash pop; commit -am x")))).toEqual([]);
    at.write("other.txt", "o");
    expect(pathsOfLine(at.line(words("stash push -u; push origin stash@{0}:refs/heads/x")))).toContain("other.txt");
    expect(pathsOfLine(at.line(words("stash push; push origin main")))).toEqual([]);
  });

  test("a reference written as a file makes every branch count", () => {
    const at = made();
    const line = (path: string) => at.line([["push"]], [{ path: `${at.root}/${path}`, text: "x", append: false }]);
    expect(pathsOfLine(line(".git/refs/heads/main"))).toContain("c.txt");
    expect(pathsOfLine(line("src/main"))).toEqual([]);
  });

  test("an address that changes in the line makes everything new; commits from another repository are unfinished", () => {
    const at = made();
    expect(pathsOf(at.line(words("remote set-url origin https://example.org/x.git; push")).at(-1))).toEqual(["a"]);
    expect(at.line(words("pull ../other main; push")).at(-1)?.unfinished).toContain("another repository");
  });

  test("L-044: names given to the command, and names of what is pushed", () => {
    const at = made();
    const name = "a-name-of-more-than-sixteen";
    expect(textsOf(at.line(words("commit -m x"), [], { environment: { GIT_AUTHOR_NAME: name } })[0])).toContain(name);
    expect(textsOf(at.line(words("commit -m x"), [], { globals: ["-c", `user.email=${name}`] })[0])).toContain(name);
    expect(textsOf(at.takes("push", "origin", `HEAD:${name}`))).toContain(name);
    expect(textsOf(at.line(words(`checkout -b ${name}; push -u origin HEAD`)).at(-1))).toContain(name);
    expect(textsOf(at.line(words(`branch ${name}; push origin main`))[0])).toBe("");
  });
});
