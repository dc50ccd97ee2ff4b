/** Names under which a program takes in what starts commands: `import subprocess as s`, `from os import system as run`. */

const STARTERS = "execSync|execFileSync|execFile|spawnSync|spawn|execaCommandSync|execaCommand|execaSync|execa|exec";
/** Modules of Python whose functions start commands. */
const MODULES = "subprocess|os|pty|asyncio\\.subprocess|asyncio|pexpect|invoke|fabric";

/** The names and what each stands for (`s` → `subprocess`, `run` → `subprocess.run`). */
export function startingNames(code: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (
    !/\b(?:as|from|import|promisify|sub|def)\b|[=:]/.test(code) ||
    !/\b(?:subprocess|os|pty|asyncio|pexpect|invoke|fabric|sh|cross-spawn|system|exec\w{0,16}|spawn\w{0,8})\b/.test(code)
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
  if (/\bfrom[ \t]{1,8}subprocess[ \t]{1,8}import[ \t]{1,8}\*/.test(code))
    for (const name of ["run", "call"]) names.set(name, `subprocess.${name}`);
  // `import { execSync as run } from`, `const { execSync: run } = require(…)`.
  for (const [, starter = "", name = ""] of code.matchAll(
    new RegExp(`\\b(${STARTERS})(?:\\s{1,8}as\\s{1,8}|\\s{0,8}:\\s{0,8})(\\w{1,60})(?=\\s{0,8}[,}])`, "g"),
  ))
    names.set(name, starter);
  // `const run = promisify(exec)`, `run = subprocess.run`.
  for (const { 0: call, index } of code.matchAll(/\bpromisify\([^\n;=]{0,80}/g)) {
    const starter = /\b(exec|execFile)\s{0,8}\)/.exec(call)?.[1];
    const name = /\b(\w{1,60})\s{0,8}=[^\n;=]{0,40}$/.exec(code.slice(Math.max(0, index - 110), index))?.[1];
    if (name !== undefined && starter !== undefined) names.set(name, starter);
  }
  for (const [, name = "", starter = ""] of code.matchAll(
    new RegExp(
      `\\b(\\w{1,60})\\s{0,8}=\\s{0,8}((?:subprocess|os|pty|asyncio)\\.\\w{1,30}|(?:\\w{1,30}\\.)?(?:${STARTERS}))\\s{0,8}(?=[;\\n)]|$)`,
      "g",
    ),
  ))
    names.set(name, starter);
  for (const [name, starter] of ownFunctions(code)) if (!names.has(name)) names.set(name, starter);
  // `const run = require("execa")`.
  for (const [, name = ""] of code.matchAll(/\b(\w{1,60})\s{0,8}=\s{0,8}require\(["'](?:execa|cross-spawn)["']\)(?=\s{0,8}(?:[;\n,]|$))/g))
    names.set(name, "execa");
  return names;
}

/** A function of the code, up to what it is given. */
const FUNCTIONS = [
  /\b(?:def|function)[ \t]{1,8}(\w{1,60})[ \t]{0,8}\(([^()\n]{0,200})/g,
  /\bdef[ \t]{1,8}(\w{1,60})[ \t]{1,8}(\w{1,60})/g,
  /\b(\w{1,60})[ \t]{0,8}=[ \t]{0,8}(?:async[ \t]{0,8})?\(([^()\n]{0,200})\)[ \t]{0,8}=>/g,
  /\b(\w{1,60})[ \t]{0,8}=[ \t]{0,8}(\w{1,60})[ \t]{0,8}=>/g,
  /\b(\w{1,60})[ \t]{0,8}=[ \t]{0,8}lambda\b([^:=\n]{0,200}):/g,
  /\bsub[ \t]{1,8}(\w{1,60})/g,
] as const;
/** A call that starts what a name holds, with the sign that spreads it. */
const HANDED =
  /\b(?:subprocess\.\w{1,20}|os\.(?:system|popen)|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|system|popen|Popen|shell_exec|check_output|check_call)[ \t]{0,4}\(?\s{0,20}(\[?\s{0,4}\*|\.\.\.|@)?\$?(\w{1,60})(\s{0,4},\s{0,4}(?:\.\.\.)?\w)?/g;

/** Functions of the code itself that start what they are given: `def r(c): subprocess.run(c)`. */
function ownFunctions(code: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/\b(?:def|function|lambda|sub)\b|=>/.test(code)) return found;
  for (const match of FUNCTIONS.flatMap((form) => [...code.matchAll(form)])) {
    const name = match[1] ?? "";
    const parameters = new Set((match[2] ?? "_").match(/\w{1,60}/g));
    const end = match.index + match[0].length;
    const body = code.slice(end, end + BODY_CHARS);
    for (const call of body.matchAll(HANDED)) {
      if (!parameters.has(call[2] ?? "")) continue;
      const more =
        /\w/.exec((call[3] ?? "").slice(-1)) !== null &&
        parameters.size > 1 &&
        !/=/.test(body.slice(call.index, call.index + call[0].length + 12));
      const spread = new RegExp(`(?:\\*|\\.\\.\\.)\\s{0,2}${call[2]}\\b`).test(match[0]);
      found.set(name, call[1] !== undefined || more || spread ? "spawnSync" : "execSync");
      break;
    }
    if (found.size >= FUNCTIONS_MAX) break;
  }
  return found;
}

/** Characters of a function that are looked at, and functions that count. */
const BODY_CHARS = 300;
const FUNCTIONS_MAX = 16;
