/** Names under which a program takes in what starts commands: `import subprocess as s`, `from os import system as run`. */

const STARTERS = "execSync|execFileSync|execFile|spawnSync|spawn|exec";

/** The names and what each stands for (`s` → `subprocess`, `run` → `subprocess.run`). */
export function startingNames(code: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (!/\b(?:as|from|import|promisify|=|:)/.test(code) || !/\b(?:subprocess|os|pty|exec\w{0,12}|spawn\w{0,8})\b/.test(code)) return names;
  for (const [, list = ""] of code.matchAll(/\bimport[ \t]{1,8}([^\n;()]{1,300})/g))
    for (const [, module = "", name = ""] of list.matchAll(/(?:^|,)\s{0,8}(subprocess|os)\s{1,8}as\s{1,8}(\w{1,60})/g))
      names.set(name, module);
  for (const [, module = "", list = ""] of code.matchAll(
    /\bfrom[ \t]{1,8}(subprocess|os)[ \t]{1,8}import[ \t]{1,8}\(?([^;)]{1,300}?)(?=[;)\n]|$)/g,
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
    new RegExp(`\\b(\\w{1,60})\\s{0,8}=\\s{0,8}((?:subprocess|os)\\.\\w{1,30}|(?:\\w{1,30}\\.)?(?:${STARTERS}))\\s{0,8}(?=[;\\n)]|$)`, "g"),
  ))
    names.set(name, starter);
  return names;
}

/** Code up to a place, with such a name at its end spelled out. */
export function spelledOut(before: string, names: ReadonlyMap<string, string>): string {
  const [whole, name = "", rest = ""] = /(?<![\w.])(\w{1,60})((?:\.\w{1,30})?\(?\[?)$/.exec(before) ?? [];
  const known = names.get(name);
  return whole === undefined || known === undefined ? before : `${before.slice(0, -whole.length)}${known}${rest}`;
}
