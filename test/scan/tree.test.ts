import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { filesOf, type LeftOut, Missing } from "../../src/scan/tree.ts";
import type { System } from "../../src/system.ts";
import { type Throwaway, throwaway } from "../throwaway.ts";

function walk(machine: Throwaway, paths: readonly string[], ignoring = true, system: System = machine.system) {
  const left: LeftOut = { ignored: 0, unreadable: [] };
  const files = [...filesOf(paths, machine.home, ignoring, left, system)].map(({ path }) => path);
  return { files, ...left };
}

/** A repository with something of every kind in it. */
function repository(machine: Throwaway, folder = "repo"): string {
  const root = join(machine.home, folder);
  mkdirSync(root, { recursive: true });
  Bun.spawnSync(["git", "init", "-q", root]);
  machine.file(`${folder}/.gitignore`, "*.log\n.env\nbuild/\n");
  machine.file(`${folder}/a.ts`, "");
  machine.file(`${folder}/x.log`, "");
  machine.file(`${folder}/build/out.js`, "");
  machine.file(`${folder}/src/b.ts`, "");
  machine.file(`${folder}/src/.env`, "");
  machine.file(`${folder}/src/.gitignore`, "!.env\n");
  return root;
}

describe("a repository", () => {
  test("in order of names, without what its ignore files leave out and without .git", () => {
    using machine = throwaway();
    repository(machine);
    expect(walk(machine, ["repo"])).toEqual({
      files: ["repo/.gitignore", "repo/a.ts", "repo/src/.env", "repo/src/.gitignore", "repo/src/b.ts"],
      ignored: 2,
      unreadable: [],
    });
    expect(walk(machine, ["repo"], false).files).toContain("repo/build/out.js");
    expect(walk(machine, ["repo"], false).files.some((path) => path.includes(".git/"))).toBe(false);
  });

  test("rules above a named folder hold in it; what is named itself is looked at whatever they say", () => {
    using machine = throwaway();
    repository(machine);
    machine.file("repo/src/y.log", "");
    expect(walk(machine, ["repo/src"]).files).toEqual(["repo/src/.env", "repo/src/.gitignore", "repo/src/b.ts"]);
    expect(walk(machine, ["repo/build", "repo/x.log"]).files).toEqual(["repo/build/out.js", "repo/x.log"]);
  });

  test("what Git tracks is part of it, whatever a rule says", () => {
    using machine = throwaway();
    const root = repository(machine);
    Bun.spawnSync(["git", "-C", root, "add", "-f", "x.log", "build/out.js"]);
    for (const named of ["repo", "repo/build"]) {
      const { files } = walk(machine, [named]);
      expect(files.filter((path) => path === "repo/build/out.js")).toHaveLength(1);
    }
    expect(walk(machine, ["repo"]).files.filter((path) => path === "repo/x.log")).toHaveLength(1);
  });

  test(".git/info/exclude counts, in a worktree of another place too; another repository inside has rules of its own", () => {
    using machine = throwaway();
    const root = repository(machine);
    machine.file("repo/.git/info/exclude", "secret.txt\n");
    machine.file("repo/secret.txt", "");
    repository(machine, "repo/inner");
    machine.file("repo/inner/secret.txt", "");
    const { files } = walk(machine, ["repo"]);
    expect(files).not.toContain("repo/secret.txt");
    expect(files).toContain("repo/inner/secret.txt");
    Bun.spawnSync(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"]);
    Bun.spawnSync(["git", "-C", root, "worktree", "add", "-q", join(machine.home, "tree")]);
    machine.file("tree/secret.txt", "");
    machine.file("tree/plain.txt", "");
    expect(walk(machine, ["tree"]).files).toEqual(["tree/plain.txt"]);
  });
});

test("links are followed where they are named and nowhere else; what is no file is left out", () => {
  using machine = throwaway();
  machine.file("real/a", "");
  symlinkSync(join(machine.home, "real"), join(machine.home, "link"));
  mkdirSync(join(machine.home, "top"));
  symlinkSync(join(machine.home, "real/a"), join(machine.home, "top/b"));
  symlinkSync(join(machine.home, "top"), join(machine.home, "top/loop"));
  Bun.spawnSync(["mkfifo", join(machine.home, "top/fifo")]);
  expect(walk(machine, ["link", "top"])).toEqual({ files: ["link/a"], ignored: 0, unreadable: [] });
});

test("names as they were given, without ./ before and // inside", () => {
  using machine = throwaway();
  machine.file("d/e/f", "");
  expect(walk(machine, ["./d//e/"]).files).toEqual(["d/e/f"]);
  expect(walk(machine, ["."]).files).toEqual(["d/e/f"]);
  expect(walk(machine, [`${machine.home}/d`]).files).toEqual([`${machine.home}/d/e/f`]);
});

test("from the root of the disk down, without what the kernel makes up", () => {
  using machine = throwaway();
  const entries: System["entries"] = (folder) =>
    folder === "/"
      ? ["dev", "etc", "proc", "sys"].map((name) => ({ name, kind: "folder" }))
      : [{ name: "file", kind: folder === "/etc" ? "file" : "folder" }];
  expect(walk(machine, ["/"], false, machine.reopen({ entries })).files).toEqual(["/etc/file"]);
});

test("a missing path is told before anything is looked at, a closed folder after", () => {
  using machine = throwaway();
  machine.file("d/e/f", "");
  expect(() => walk(machine, ["d", "nothing"])).toThrow(Missing);
  chmodSync(join(machine.home, "d/e"), 0);
  const closed: System["entries"] = (folder) => (folder.endsWith("/e") ? undefined : machine.system.entries(folder));
  expect(walk(machine, ["d"], true, machine.reopen({ entries: closed })).unreadable).toEqual(["d/e/"]);
});
