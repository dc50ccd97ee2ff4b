import { describe, expect, test } from "bun:test";
import { isOwnable, manifestHosts, ownHosts, remoteHosts, repositoryHost, tomlHosts } from "../../src/destinations/own.ts";
import type { System } from "../../src/system.ts";

/** Only `read` is needed here; every other use of the system fails the test. */
function files(content: Record<string, string>): { system: System; asked: string[] } {
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    const text = content[path];
    return text === undefined ? undefined : { bytes: new TextEncoder().encode(text), cut: false };
  };
  return { system: { read } as unknown as System, asked };
}

describe("L-032 the project's own hosts", () => {
  test("remotes in every spelling, and no other section", () => {
    const config =
      '[core]\n\turl = https://no.acme.io/x\n[remote "origin"]\n\turl = git@git.acme.io:team/app.git\n\tpushurl = "ssh://git@push.acme.io:2222/app"\n[remote "up"] url = https://user:x@up.acme.io:8443/app.git\n[remote "disk"]\n\turl = /srv/git/app.git\n[url "https://alias.acme.io/"]\n\tinsteadOf = https://other.acme.io/\n[branch "main"]\n\tremote = origin\n';
    expect(remoteHosts(config)).toEqual(["git.acme.io", "push.acme.io", "up.acme.io"]);
  });

  test.each([
    ["git@host.io:a/b", "host.io"],
    ["host.io:a/b", "host.io"],
    ["ssh://git@Host.IO:22/a", "host.io"],
    ["git+https://host.io/a.git", "host.io"],
    ["https://a:b@host.io/a", "host.io"],
    ["/local/path", undefined],
    ["../up", undefined],
    ["file:///srv/x", undefined],
    ["C:/repo", undefined],
    ["C:\\repo", undefined],
  ])("%s -> %p", (address, expected) => {
    expect(repositoryHost(address)).toBe(expected);
  });

  test("manifest: repository and home page, nothing from broken or hostile ones", () => {
    expect(
      manifestHosts('{"homepage":"https://app.acme.dev/x","repository":{"type":"git","url":"git+ssh://git@git.acme.io/a.git"}}'),
    ).toEqual(["app.acme.dev", "git.acme.io"]);
    expect(manifestHosts('{"homepage":7,"repository":"acme/app"}')).toEqual([]);
    for (const text of ["", "[", "null", "[1]", '"x"', '{"repository":null}']) expect(manifestHosts(text)).toEqual([]);
  });

  test("manifests of other languages, and the domain of a project's pages", () => {
    expect(tomlHosts('[package]\nname = "a"\nrepository = "https://git.acme.dev/a"\nhomepage = "https://a.acme.io"\n')).toEqual([
      "git.acme.dev",
      "a.acme.io",
    ]);
    expect(tomlHosts('[project.urls]\nSource = "https://src.acme.dev/x"\n[tool.poetry]\nhomepage = "acme"\n')).toEqual(["src.acme.dev"]);
    for (const text of ["", "[", "x = 1", '[package]\nrepository = 7\n[project]\nurls = "x"\n']) expect(tomlHosts(text)).toEqual([]);
    const { system } = files({ "/r/CNAME": "pages.acme.dev\n", "/r/Cargo.toml": '[package]\nrepository = "https://github.com/acme/a"\n' });
    expect(ownHosts("/r", system).claimed()).toEqual(["pages.acme.dev"]);
  });

  test("nothing is read before it is asked, and each file once", () => {
    const { system, asked } = files({
      "/r/.git/config": '[remote "o"]\n url = https://git.acme.io/a\n',
      "/r/package.json": '{"homepage":"https://acme.dev","repository":"https://github.com/acme/a"}',
    });
    const own = ownHosts("/r", system);
    expect(asked).toEqual([]);
    expect(own.remotes()).toEqual(["git.acme.io"]);
    expect(own.remotes()).toEqual(["git.acme.io"]);
    expect(own.claimed()).toEqual(["acme.dev"]);
    expect(own.claimed()).toEqual(["acme.dev"]);
    expect(asked.filter((path) => path === "/r/package.json").length).toBe(1);
    expect(new Set(asked).size).toBe(asked.length);
  });

  test("a worktree's remotes stand in the common folder", () => {
    const { system } = files({
      "/w/.git": "gitdir: /r/.git/worktrees/w\n",
      "/r/.git/worktrees/w/commondir": "../..\n",
      "/r/.git/worktrees/w/../../config": '[remote "o"]\n\turl = git@git.acme.io:a\n',
    });
    expect(ownHosts("/w", system).remotes()).toEqual(["git.acme.io"]);
  });

  test("no repository, no hosts", () => {
    expect(ownHosts(undefined, files({}).system).remotes()).toEqual([]);
    expect(ownHosts("/none", files({}).system).claimed()).toEqual([]);
  });

  test.each(["acme.io", "git.acme.io", "acme.co.uk", "team.github.io", "acme.com.au"])("D-18: somebody can own %s", (host) => {
    expect(isOwnable(host)).toBe(true);
  });

  test.each(["com", "dev", "localhost", "co.uk", "com.au", "org.nz", "github.io", "github.com", "", ".com", "x..com"])(
    "D-18: nobody owns %p",
    (host) => {
      expect(isOwnable(host)).toBe(false);
    },
  );
});
