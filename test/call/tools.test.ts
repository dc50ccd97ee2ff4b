import { describe, expect, test } from "bun:test";
import type { Action } from "../../src/call/effect.ts";
import { effectsOf } from "../../src/call/effects.ts";
import { readPatch } from "../../src/call/patch.ts";
import { WORLD, effect } from "./notation.ts";

const tell = (action: Action): string[] =>
  effectsOf({ agent: "claude", stage: "before", session: "s", cwd: "/home/u/p", tool: "T", action }, WORLD).map(effect);

describe("L-003 the agent's own tools", () => {
  test("L-013 reading shows the file", () => {
    expect(tell({ kind: "read", path: "/proc/self/root/home/u/.aws/credentials" })).toEqual(["show ~/.aws/credentials"]);
    expect(tell({ kind: "read", path: "a\\b.txt" })).toEqual(["show a/b.txt"]);
    expect(tell({ kind: "read", path: "" })).toEqual(["show ?"]);
  });

  test("searching shows content only where the tool prints it", () => {
    expect(tell({ kind: "search", path: "~/.aws", showsContent: true })).toEqual(["show ~/.aws"]);
    expect(tell({ kind: "search", path: "", showsContent: true })).toEqual(["show ."]);
    expect(tell({ kind: "search", path: "~/.aws", showsContent: false })).toEqual([]);
  });

  test("L-014 writing and editing", () => {
    expect(tell({ kind: "write", path: "/home/u/p\\docs\\a.md", content: "x" })).toEqual(['write docs/a.md = "x"']);
    expect(tell({ kind: "edit", path: "a", edits: [{ old: "", new: "x", all: false }] })).toEqual(['write a = "x"']);
    expect(
      tell({
        kind: "edit",
        path: "a",
        edits: [
          { old: "b", new: "x", all: false },
          { old: "c", new: "", all: true },
        ],
      }),
    ).toEqual(["edit a", 'append a = "x"']);
  });

  test("L-014 a patch is the files it adds, changes, moves and removes", () => {
    const files = readPatch(
      "*** Begin Patch\n*** Add File: a\n+x\n+\n*** Update File: b\n*** Move to: c\n@@ def f\n y\n-old\n+new\n*** Delete File: d\n*** End Patch\n+left over\n",
    );
    expect(tell({ kind: "patch", files })).toEqual([
      'write a = "x\\n\\n"',
      "edit b",
      'append b = "new\\n"',
      "copy b -> c",
      "move b",
      "remove d",
    ]);
    expect(files[1]?.edits).toEqual([{ old: "y\nold", new: "y\nnew", all: false }]);
    expect(readPatch("no patch at all")).toEqual([]);
    expect(tell({ kind: "remove", path: "a" })).toEqual(["remove a"]);
  });

  test("several files read, several addresses opened", () => {
    expect(tell({ kind: "read", path: "a", more: ["~/.netrc"] })).toEqual(["show a ~/.netrc"]);
    expect(tell({ kind: "fetch", url: "https://a.example/x", text: "", more: ["https://b.example/y"] })).toEqual([
      'send a.example "https://a.example/x"',
      'send b.example "https://b.example/y"',
    ]);
  });

  test("L-012 fetching sends the address and the prompt; a login in it is one", () => {
    expect(tell({ kind: "fetch", url: "https://u:t@H.Example/x?q=1", text: "p" })).toEqual([
      'send h.example "https://H.Example/x?q=1" | login:"u:t" | "p"',
    ]);
    expect(tell({ kind: "search web", text: "q" })).toEqual(['send search engine:? "q"']);
  });

  test("L-012 an MCP call sends every string of its input", () => {
    expect(tell({ kind: "mcp", server: "github", tool: "create_issue", input: { title: "t", body: ["a", { b: "c" }], n: 1 } })).toEqual([
      'send mcp:github/create_issue "title" "t" "body" "a" "b" "c" "n"',
    ]);
  });

  test("L-012 a file an MCP tool is to read travels with it; a name or a text does not", () => {
    expect(tell({ kind: "mcp", server: "slack", tool: "upload", input: { path: "~/.netrc", attachments: ["/home/u/.pgpass"] } })).toEqual([
      'send mcp:slack/upload "path" "~/.netrc" "attachments" "/home/u/.pgpass" ~/.netrc ~/.pgpass',
    ]);
    expect(tell({ kind: "mcp", server: "notes", tool: "add", input: { path: "a/b", text: "/home/u/.netrc" } })).toEqual([
      'send mcp:notes/add "path" "a/b" "text" "/home/u/.netrc"',
    ]);
  });

  test("L-003 a command an MCP tool starts is read like the shell's", () => {
    const tool = (name: string, input: unknown): string[] =>
      tell({ kind: "mcp", server: "s", tool: name, input }).filter((line) => !line.startsWith("run"));
    expect(tool("execute_command", { command: "cat ~/.netrc" })).toEqual([
      'send mcp:s/execute_command "command" "cat ~/.netrc"',
      "show ~/.netrc",
    ]);
    expect(tool("run", { command: "cat", args: ["/home/u/.netrc"] })).toContain("show ~/.netrc");
    expect(tool("explain", { command: "cat ~/.netrc" })).toEqual(['send mcp:s/explain "command" "cat ~/.netrc"']);
  });

  test("L-048 a deeply nested MCP input ends as uncertain", () => {
    let input: unknown = "x";
    for (let depth = 0; depth < 10_000; depth++) input = [input];
    expect(tell({ kind: "mcp", server: "x", tool: "y", input })).toEqual([
      "send mcp:x/y",
      "uncertain the tool's input is nested too deeply to read",
    ]);
  });

  test("other tools stay inside the agent", () => {
    expect(tell({ kind: "other", input: { prompt: "x" } })).toEqual([]);
  });
});
