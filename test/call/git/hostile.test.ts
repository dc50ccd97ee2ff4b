import { afterEach, describe, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHOSEN } from "../../../src/limits.ts";
import { takes } from "../../../src/call/git/index.ts";
import { contentOf, pathsOf, Scratch } from "./scratch.ts";

let scratch: Scratch;
afterEach(() => scratch.remove());
const made = () => {
  scratch = new Scratch();
  return scratch;
};

describe("a hostile repository runs nothing (design §6.2, D-29)", () => {
  test("filters, monitors, hooks, pagers, external programs, promisors: no sentinel appears, git itself would have made it", () => {
    const at = made();
    const sentinel = join(at.home, "ran");
    const evil = join(at.home, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${sentinel}'\ncat\n`, { mode: 0o755 });
    at.commit({ "a.txt": "aaaa", "b.txt": "bbbb", ".env": "K=" });
    at.git("remote", "add", "origin", join(at.home, "nowhere.git"));
    at.git("update-ref", "refs/remotes/origin/main", "HEAD");
    at.commit({ "c.txt": "cccc" });
    at.write(".gitattributes", "* filter=evil diff=evil\n*.txt filter=process\n");
    const settings: Record<string, string> = {
      "filter.evil.clean": evil,
      "filter.evil.smudge": evil,
      "filter.evil.required": "true",
      "filter.process.process": evil,
      "diff.evil.textconv": evil,
      "diff.evil.command": evil,
      "diff.external": evil,
      "core.fsmonitor": evil,
      "core.pager": evil,
      "core.editor": evil,
      "core.askPass": evil,
      "core.sshCommand": evil,
      "core.alternateRefsCommand": evil,
      "core.hooksPath": join(at.home, "hooks"),
      "credential.helper": `!${evil}`,
      "gpg.program": evil,
      "log.showSignature": "true",
      "remote.origin.uploadpack": evil,
      "remote.origin.promisor": "true",
      "remote.origin.partialclonefilter": "blob:none",
      "extensions.partialClone": "origin",
      "protocol.allow": "always",
      "protocol.ext.allow": "always",
      "pager.ls-files": evil,
      "pager.config": evil,
      "core.quotePath": "true",
      "status.showUntrackedFiles": "no",
      "alias.add": `!${evil}`,
      "trace2.eventTarget": join(at.home, "trace"),
    };
    mkdirSync(join(at.home, "hooks"));
    for (const hook of ["pre-commit", "post-index-change", "pre-push", "prepare-commit-msg", "fsmonitor-watchman"])
      writeFileSync(join(at.home, "hooks", hook), readFileSync(evil), { mode: 0o755 });
    for (const [key, value] of Object.entries(settings)) at.git("-c", "core.fsmonitor=false", "config", key, value);
    utimesSync(join(at.root, "a.txt"), new Date(), new Date());
    at.write("b.txt", "BBBB");
    at.write(".env", "K=v");
    at.write("new.txt", "n");
    rmSync(sentinel, { force: true });
    const before = readFileSync(join(at.root, ".git/index"));

    expect(pathsOf(at.takes("add", "-A"))).toEqual([".env", ".gitattributes", "b.txt", "new.txt"]);
    expect(pathsOf(at.takes("commit", "-am", "x"))).toEqual([".env", "b.txt"]);
    expect(pathsOf(at.takes("commit", "-m", "x"))).toEqual([]);
    expect(pathsOf(at.takes("push", "--follow-tags"))).toEqual(["c.txt"]);
    at.takes("unknownname");
    at.line([["add", "-A"], ["push"]], [], {
      globals: ["-c", `core.fsmonitor=${evil}`, "-c", `filter.evil.clean=${evil}`, `--exec-path=${at.home}`, "-p"],
    });
    expect(existsSync(sentinel)).toBe(false);
    expect(readFileSync(join(at.root, ".git/index")).equals(before)).toBe(true);

    // The sentinel works: the commands this room avoids do run the repository's programs.
    Bun.spawnSync(["git", "add", "--dry-run", "."], { cwd: at.root, env: at.environment });
    expect(existsSync(sentinel)).toBe(true);
  });

  test("filters are taken away whatever they are called and wherever they are set", () => {
    const at = made();
    const sentinel = join(at.home, "ran");
    const evil = join(at.home, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\ntouch '${sentinel}'\ncat\n`, { mode: 0o755 });
    at.write(".gitattributes", "*.a filter=plain\n*.b filter=a=b\n*.c filter=included\n*.d filter=given\n*.e filter=Other.Name\n");
    at.commit({ "x.a": "aaaa", "x.b": "bbbb", "x.c": "cccc", "x.d": "dddd", "x.e": "eeee" });
    const included = join(at.home, "included");
    writeFileSync(included, `[filter "included"]\n\tclean = ${evil}\n\trequired\n[filter "a=b"]\n\tprocess = ${evil}\n\tclean = ${evil}\n`);
    at.git("config", "filter.plain.clean", evil);
    at.git("config", "filter.plain.required", "true");
    at.git("config", "filter.Other.Name.clean", evil);
    at.git("config", "include.path", included);
    // Every entry is doubtful: Git has to compare contents.
    utimesSync(join(at.root, ".git/index"), 1, 1);
    rmSync(sentinel, { force: true });
    const settings = ["-c", `filter.given.clean=${evil}`, "-c", `include.path=${included}`, "-c", `FILTER.plain.clean=${evil}`];
    const environment = {
      GIT_CONFIG_PARAMETERS: `'filter.given.clean'='${evil}'`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "filter.plain.process",
      GIT_CONFIG_VALUE_0: evil,
    };
    for (const more of [{}, { globals: settings }, { environment }]) {
      expect(pathsOf(at.line([["add", "-A"]], [], more)[0])).toEqual([]);
      at.line([["commit", "-am", "x"]], [], more);
      at.line([["stash"]], [], more);
    }
    expect(existsSync(sentinel)).toBe(false);
    Bun.spawnSync(["git", "diff-files"], { cwd: at.root, env: at.environment });
    expect(existsSync(sentinel)).toBe(true);
  });

  test("links in a circle, pipes, folders where files are expected, and damaged objects come to an end", () => {
    const at = made();
    at.commit({ a: "a", "sub/b": "b" }, "first");
    at.git("remote", "add", "origin", "https://example.com/x.git");
    at.git("update-ref", "refs/remotes/origin/main", "HEAD");
    at.link("round/one", "../round/two");
    at.link("round/two", "one");
    at.link("self", "self");
    at.link("up", "..");
    Bun.spawnSync(["mkfifo", join(at.root, "pipe")]);
    at.write(".gitmodules", '[submodule "x"]\n\tpath = ../..\n\turl = ext::sh\n[submodule "y"]\n\tpath = sub\n');
    expect(pathsOf(at.takes("add", "-A"))).toEqual([".gitmodules"]);
    at.takes("submodule", "foreach", "git add -A");
    at.commit({ c: "c" }, "second");
    const commit = at.git("rev-parse", "HEAD").trim();
    const object = join(at.root, ".git/objects", commit.slice(0, 2), commit.slice(2));
    rmSync(object);
    writeFileSync(object, "no object at all");
    expect(at.takes("push", "origin", "main").unfinished).toBeDefined();
    expect(at.takes("push", "--mirror").unfinished).toBeDefined();
  });

  test("objects missing from a partial clone are not fetched", () => {
    const at = made();
    const sentinel = join(at.home, "ran");
    const evil = join(at.home, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\ntouch '${sentinel}'\n`, { mode: 0o755 });
    at.commit({ a: "first" });
    at.git("remote", "add", "origin", at.home);
    at.git("update-ref", "refs/remotes/origin/main", "HEAD");
    at.git("config", "remote.origin.uploadpack", evil);
    at.git("config", "remote.origin.promisor", "true");
    at.git("config", "extensions.partialClone", "origin");
    at.git("config", "core.repositoryFormatVersion", "1");
    at.commit({ b: "second" });
    const blob = at.git("rev-parse", "HEAD:b").trim();
    rmSync(join(at.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    rmSync(sentinel, { force: true });
    at.takes("push");
    at.write("b", "third");
    at.takes("add", ".");
    at.takes("commit", "-am", "x");
    expect(existsSync(sentinel)).toBe(false);

    // The sentinel works: git without the hardening does fetch.
    Bun.spawnSync(["git", "cat-file", "blob", blob], { cwd: at.root, env: at.environment });
    expect(existsSync(sentinel)).toBe(true);
  });

  test("a git program inside the repository or a relative PATH entry is never started", () => {
    const at = made();
    const sentinel = join(at.home, "ran");
    at.write("bin/git", `#!/bin/sh\ntouch '${sentinel}'\n`, 0o755);
    at.write("sub/x", "x");
    at.environment.PATH = `bin:.:${at.root}/bin:${process.env.PATH}`;
    expect(pathsOf(at.line([["add", "."]], [], { cwd: join(at.root, "sub") })[0])).toEqual(["sub/x"]);
    expect(existsSync(sentinel)).toBe(false);
    expect(at.started.every(([program]) => program?.startsWith("/") && !program.startsWith(at.root))).toBe(true);
  });

  test("X-155: odd settings do not hide an untracked file", () => {
    const at = made();
    at.commit({ a: "a" });
    for (const [key, value] of [
      ["core.quotePath", "true"],
      ["core.pager", "false"],
      ["diff.external", "false"],
      ["status.showUntrackedFiles", "no"],
      ["core.precomposeUnicode", "true"],
    ] as const)
      at.git("config", key, value);
    at.write(".env", "K=v");
    expect(pathsOf(at.takes("add", "-A"))).toEqual([".env"]);
  });
});

describe("what cannot be checked is unfinished, never silent (L-048)", () => {
  test("a damaged repository", () => {
    const at = made();
    at.write(".env", "K=v");
    at.git("add", ".env");
    const blob = at.git("rev-parse", ":.env").trim();
    rmSync(join(at.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(at.takes("commit", "-m", "x").unfinished).toBeString();
    writeFileSync(join(at.root, ".git/index"), "garbage");
    expect(at.takes("add", ".").unfinished).toBeString();
    writeFileSync(join(at.root, ".git/config"), "[broken");
    expect(at.takes("add", ".").unfinished).toBeString();
  });

  test.skipIf(process.getuid?.() !== 0)("a repository that belongs to another user", () => {
    const at = made();
    at.write(".env", "K=v");
    for (const path of ["", ".git"]) chownSync(join(at.root, path), 12345, 12345);
    expect(at.takes("add", ".").unfinished).toContain("another user");
  });

  test("no git program, no time left, a process that is ended, too much content", () => {
    const at = made();
    at.write(".env", "K=v");
    const invocation = at.invocation(["add", "."]);
    const run = (more: Partial<ReturnType<Scratch["system"]>>) => takes([invocation], [], { ...at.system(), ...more })[0]?.unfinished;
    expect(run({ info: (path) => (path.endsWith("/git") ? undefined : at.system().info(path)) })).toContain("no git program");
    let clock = 0;
    expect(run({ now: () => (clock += CHOSEN.git_call_ms) })).toContain("too long");
    expect(run({ run: () => ({ code: null, stdout: new Uint8Array(), stderr: "", cut: true }) })).toBeString();
    expect(run({ run: () => ({ code: null, stdout: new Uint8Array(), stderr: "", cut: false }) })).toBeString();
    expect(run({ read: () => ({ bytes: new Uint8Array(CHOSEN.git_bytes + 1), cut: false }) })).toContain("more content");
  });

  test("a new file whose name is not UTF-8 is unfinished, a committed one is read as an object", () => {
    const at = made();
    at.commit({ a: "a" });
    Bun.spawnSync(["bash", "-c", "printf secret > $'caf\\xe9'"], { cwd: at.root });
    expect(at.takes("add", ".").unfinished).toContain("UTF-8");
    at.git("add", ".");
    const taking = at.takes("commit", "-m", "x");
    expect(taking.unfinished).toBeUndefined();
    expect(taking.taken.some(({ bytes }) => bytes !== undefined && new TextDecoder().decode(bytes) === "secret")).toBe(true);
    at.commit();
    expect(at.takes("add", ".")).toMatchObject({ taken: [], unfinished: undefined });
  });
});

describe("large content", () => {
  const size = CHOSEN.git_binary_bytes + 100_000;

  test("large media is no question: only its beginning is looked at; large text is read whole", () => {
    const at = made();
    at.write("video.mp4", new Uint8Array(size));
    at.write("dump.sql", `${"x".repeat(size)}END`);
    const staged = at.takes("add", ".");
    at.git("add", ".");
    for (const taking of [staged, at.takes("commit", "-m", "x")]) {
      expect(taking.unfinished).toBeUndefined();
      expect(contentOf(taking, "dump.sql")?.endsWith("END")).toBe(true);
    }
    expect(staged.taken.find(({ path }) => path === "video.mp4")?.bytes?.length).toBe(CHOSEN.git_binary_bytes);
  });

  test("content beyond one batch is measured first, then read", () => {
    const at = made();
    const third = Math.ceil(CHOSEN.git_batch_bytes / 3);
    for (const name of ["a", "b", "c", "d"]) at.write(name, name.repeat(third));
    at.write("movie", new Uint8Array(size));
    at.git("add", ".");
    const taking = at.takes("commit", "-m", "x");
    expect(pathsOf(taking)).toEqual(["a", "b", "c", "d", "movie"]);
    expect(contentOf(taking, "d")?.length).toBe(third);
    expect(taking.taken.find(({ path }) => path === "movie")?.bytes?.length).toBe(CHOSEN.git_binary_bytes);
  });

  test("a text file past the limit is unfinished; what was found before it stays", () => {
    const at = made();
    at.write("a.txt", "a");
    at.write("z.txt", "z".repeat(CHOSEN.git_text_bytes + 1));
    at.git("add", "a.txt");
    expect(at.takes("add", "z.txt").unfinished).toContain("too large");
  });
});
