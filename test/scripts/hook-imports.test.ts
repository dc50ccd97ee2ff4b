/** What the hook path loads at start, and that the list that guards it sees what it should. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "../product.ts";
import { hookImports } from "./hook-imports.ts";

function tree(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder("imports");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

test("the hook path loads unbash and nothing else, and no command", () => {
  const { packages, problems, files } = hookImports(resolve(import.meta.dir, "../.."));
  expect(problems).toEqual([]);
  expect(packages).toEqual(["unbash"]);
  expect(files).toContain("src/hook/hook.ts");
});

describe("the list", () => {
  test("sees a module of the runtime and a package behind another file", () => {
    const root = tree({
      "src/main.ts": 'import { a } from "./a.ts";\na();\n',
      "src/a.ts": 'import { readFileSync } from "node:fs";\nimport * as v from "valibot";\nexport const a = () => [readFileSync, v];\n',
    });
    expect(hookImports(root).problems).toEqual(["src/a.ts: imports node:fs", "src/a.ts: imports valibot"]);
  });

  test("sees a command that is loaded at once", () => {
    const root = tree({
      "src/main.ts": 'import { b } from "./commands/b.ts";\nb();\n',
      "src/commands/b.ts": "export const b = () => 1;\n",
    });
    expect(hookImports(root).problems).toHaveLength(1);
  });

  test("lets types and lazy loading pass", () => {
    const root = tree({
      "src/main.ts":
        'import type { C } from "node:fs";\nexport const c: C | undefined = undefined;\nif (c) await import("./commands/c.ts");\n',
      "src/commands/c.ts": 'import "node:fs";\n',
    });
    expect(hookImports(root).problems).toEqual([]);
  });
});
