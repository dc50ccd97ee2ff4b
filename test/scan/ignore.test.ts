import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ignoring, rulesIn } from "../../src/scan/ignore.ts";
import { temporaryFolder } from "../product.ts";

const PATTERNS =
  "*.log|!keep.log|/root|a/b|a/**/z|**/deep|foo/|b*r|[ab]x|[!c]y|{x,y}|q\\*|\\#h|\\!b|sp\\ |tr  |x**y|*/mid|d/*|!d/k|abc/**|?z|w[|[]-]p|!!n|**|ä*|**/|e\\|[a-c]/q|#c| |r\r".split(
    "|",
  );
const PATHS =
  "a.log|keep.log|root|s/root|a/b|s/a/b|a/z|a/1/2/z|deep|1/deep|foo/x|s/foo/x|bar|bxxr|b/r|ax|cx|cy|dy|{x,y}|x|q*|qq|#h|!b|sp |sp|tr|xaay|xy|m/mid|m/n/mid|mid|d/k|d/l|abc/1|az|aaz|w[|]p|-p|!n|ärger|e|e\\|b/q|d/q|r".split(
    "|",
  );

function git(folder: string, args: readonly string[], stdin = ""): string {
  return Bun.spawnSync(["git", "-C", folder, ...args], { stdin: Buffer.from(stdin) }).stdout.toString();
}

/** What our rules say of a path below the folder with these rules. */
function ignored(rules: Ignoring, path: string): boolean {
  let at = rules;
  const names = path.split("/");
  return names.some((name, index) => {
    const is = at.ignores(name, index < names.length - 1);
    at = at.inside(name);
    return is;
  });
}

test("every pattern alone and behind every other: as git check-ignore says", () => {
  const folder = temporaryFolder("ignore");
  git(folder, ["init", "-q"]);
  for (const first of PATTERNS) {
    // Each with all others in turn would be a thousand processes; each with its neighbours and a few of weight is enough.
    for (const second of ["", "!*", "*", "!keep.log", "a/", "!a/b", PATTERNS[(PATTERNS.indexOf(first) + 7) % PATTERNS.length] ?? ""]) {
      const text = `${first}\n${second}\n`;
      writeFileSync(join(folder, ".gitignore"), text);
      const said = new Set(git(folder, ["check-ignore", "-z", "--no-index", "--stdin"], PATHS.join("\0")).split("\0"));
      const rules = Ignoring.nothing.with(rulesIn(text));
      for (const path of PATHS) expect({ text, path, ignored: ignored(rules, path) }).toEqual({ text, path, ignored: said.has(path) });
    }
  }
});

test("files deeper in the tree count before those above, as git check-ignore says", () => {
  const folder = temporaryFolder("ignore");
  git(folder, ["init", "-q"]);
  const files = { ".gitignore": "*.txt\n/only\nsub/no\n", "sub/.gitignore": "!yes.txt\n/here\n", "sub/in/.gitignore": "*.txt\n!sub.txt\n" };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const paths = "a.txt only sub/yes.txt sub/no sub/here sub/in/yes.txt sub/in/sub.txt sub/in/here sub/only sub/in/no".split(" ");
  const said = new Set(git(folder, ["check-ignore", "-z", "--no-index", "--stdin"], paths.join("\0")).split("\0"));
  const top = Ignoring.nothing.with(rulesIn(files[".gitignore"]));
  const sub = top.inside("sub").with(rulesIn(files["sub/.gitignore"]));
  const inner = sub.inside("in").with(rulesIn(files["sub/in/.gitignore"]));
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const at = path.startsWith("sub/in/") ? inner : path.startsWith("sub/") ? sub : top;
    expect({ path, ignored: at.ignores(name, false) }).toEqual({ path, ignored: said.has(path) });
  }
});
