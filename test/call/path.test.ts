import { describe, expect, test } from "bun:test";
import { type World, resolvePath } from "../../src/call/path.ts";

const LINUX: World = { home: "/home/u", environment: { USER: "u" }, platform: "linux" };
const MAC: World = { home: "/Users/u", environment: {}, platform: "darwin" };
const WINDOWS: World = { home: "C:\\Users\\u", environment: { APPDATA: "C:\\Users\\u\\AppData\\Roaming" }, platform: "windows" };

describe("L-018 written paths become absolute ones", () => {
  const rows: [string, string | undefined, World?, string?][] = [
    ["a/b", "/home/u/p/a/b"],
    ["./a/../b", "/home/u/p/b"],
    ["../../../../x", "/x"],
    ["/a//b/./c/", "/a/b/c"],
    ["~", "/home/u"],
    ["~/.netrc", "/home/u/.netrc"],
    ["~u/x", "/home/u/x"],
    ["~root/x", "/root/x"],
    ["~bob/x", "/home/bob/x"],
    ["~bob/x", "/Users/bob/x", MAC],
    ["file:///home/u/a%20b", "/home/u/a b"],
    ["file://localhost/etc/x", "/etc/x"],
    ["/proc/self/root/home/u/.netrc", "/home/u/.netrc"],
    ["/proc/1/root/etc/x", "/etc/x"],
    ["/proc/self/cwd/a", "/home/u/p/a"],
    ["/proc/self/root/proc/self/root/etc/x", "/etc/x"],
    ["%USERPROFILE%\\.aws\\credentials", "/home/u/.aws/credentials"],
    ["%HOMEDRIVE%%HOMEPATH%\\.netrc", "/home/u/.netrc"],
    ["/home/u/p\\docs\\a.md", "/home/u/p/docs/a.md"],
    ["docs\\a.md", "/home/u/p/docs/a.md"],
    ["c:\\Users\\x\\..\\y\\.netrc", "C:/Users/y/.netrc"],
    ["\\\\server\\share\\a.txt", "//server/share/a.txt", WINDOWS],
    ["~\\.aws\\credentials", "C:/Users/u/.aws/credentials", WINDOWS],
    ["%APPDATA%\\gcloud\\x", "C:/Users/u/AppData/Roaming/gcloud/x", WINDOWS],
    ["/c/Users/u/.netrc", "C:/Users/u/.netrc", WINDOWS],
    ["C:\\Users\\u\\.aws\\credentials. ::$DATA", "C:/Users/u/.aws/credentials", WINDOWS],
    ["\\\\?\\C:\\Users\\u\\.netrc", "C:/Users/u/.netrc", WINDOWS],
    [".env", "C:/p/.env", WINDOWS, "C:\\p"],
    ["", undefined],
    ["a\0b", undefined],
    ["file://other/etc/x", undefined],
    ["%UNKNOWN%/x", "/home/u/p/%UNKNOWN%/x"],
  ];
  for (const [written, path, world = LINUX, cwd = "/home/u/p"] of rows) {
    test(`${JSON.stringify(written)} on ${world.platform}`, () => {
      expect(resolvePath(written, cwd, world)).toEqual({ written, path });
    });
  }

  test("a relative path without a folder stays hidden", () => {
    expect(resolvePath("a", "", LINUX).path).toBeUndefined();
    expect(resolvePath("a", undefined, LINUX).path).toBeUndefined();
    expect(resolvePath("/a", undefined, LINUX).path).toBe("/a");
  });

  test("no home, no guess", () => {
    expect(resolvePath("~/x", "/p", { ...LINUX, home: "" }).path).toBeUndefined();
  });
});
