/** Names under which a program takes in what starts commands: `import subprocess as s`, `from os import system as run`. */

const STARTERS = "execSync|execFileSync|execFile|spawnSync|spawn|execaCommandSync|execaCommand|execaSync|execa|exec";
/** Modules of Python whose functions start commands. */
const MODULES = "subprocess|os|pty|asyncio\\.subprocess|asyncio|pexpect|invoke|fabric";

/** The names and what each stands for (`s` → `subprocess`, `run` → `subprocess.run`). */
export function startingNames(code: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (
    !/\b(?:as|from|import|promisify|=|:)/.test(code) ||
    !/\b(?:subprocess|os|pty|asyncio|pexpect|invoke|fabric|sh|cross-spawn|exec\w{0,16}|spawn\w{0,8})\b/.test(code)
  )
    return names;
  for (const [, list = ""] of code.matchAll(/\bimport[ \t]{1,8}([^\n;()]{1,300})/g))
    for (const [, module = "", name = ""] of list.matchAll(new RegExp(`(?:^|,)\\s{0,8}(${MODULES})\\s{1,8}as\\s{1,8}(\\w{1,60})`, "g")))
      names.set(name, module);
  for (const [, module = "", list = ""] of code.matchAll(
    new RegExp(`\\bfrom[ \\t]{1,8}(${MODULES}|sh)[ \\t]{1,8}import[ \\t]{1,8}\\(?([^;)]{1,300}?)(?=[;)\\n]|$)`, "g"),
  ))
    for (const [, name = "", other] of list.matchAll(/(\w{1,60})(?:\s{1,8}as\s{1,8}(\w{1,60}))?/g))
      names.set(other ?? name, `${module}.${name}`);
  // `import { execSync as run } from`, `const { execSync: run } = require(…)`.
  for (const [, starter = "", name = ""] of code.matchAll(
    new RegExp(`\\b(${STARTERS})(?:\\s{1,8}as\\s{1,8}|\\s{0,8}:\\s{0,8})(\\w{1,60})(?=\\s{0,8}[,}])`, "g"),
  ))
    names.set(name, starter);
  // `const run = promisify(exec)`, `run = subprocess.run`.
  for (const [, name = "", starter = ""] of code.matchAll(
    /\b(\w{1,60})\s{0,8}=[^\n;=]{0,40}\bpromisify\([^\n;]{0,80}?\b(exec|execFile)\s{0,8}\)/g,
  ))
    names.set(name, starter);
  for (const [, name = "", starter = ""] of code.matchAll(
    new RegExp(
      `\\b(\\w{1,60})\\s{0,8}=\\s{0,8}((?:subprocess|os|pty|asyncio)\\.\\w{1,30}|(?:\\w{1,30}\\.)?(?:${STARTERS}))\\s{0,8}(?=[;\\n)]|$)`,
      "g",
    ),
  ))
    names.set(name, starter);
  // `const run = require("execa")`.
  for (const [, name = ""] of code.matchAll(/\b(\w{1,60})\s{0,8}=\s{0,8}require\(["'](?:execa|cross-spawn)["']\)(?=\s{0,8}(?:[;\n,]|$))/g))
    names.set(name, "execa");
  return names;
}
