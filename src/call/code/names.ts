/**
 * Files that program code changes through a name: `p = "…"; open(p, "w")`. No language is parsed: calls that write are
 * looked for, and the name in the file's place is traced to a path the code holds.
 *
 * Trust: the code is hostile. A name whose value is not seen may stand for any path of the code.
 */
import { CHOSEN } from "../../limits.ts";

/** A path of the code and where its first literal starts. */
export interface PlacedPath {
  readonly path: string;
  readonly start: number;
}

/** What is changed: nothing here says what the files become. */
export interface NamedChanges {
  readonly edits: readonly string[];
  readonly removes: readonly string[];
  /** A file that one of the program's arguments names is written or removed. */
  readonly operands: boolean;
}

/** Calls that write, remove or replace a file, each with the place of the file among their arguments. */
const CALLS =
  /\b(?:open|fopen|openSync|writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|outputFileSync|writeJsonSync|writeJSONSync|file_put_contents|truncateSync|truncate|spit|write|writeTextFile|writeTextFileSync|remove|unlink|unlinkSync|rmSync|rmtree|rm_rf|delete|removeSync|copy|copy2|copyfile|move|copyFileSync|copyFile|renameSync|rename|replace|cp|mv)\(/g;
const OPENS = /^(?:open|fopen|openSync)\($/;
const REMOVES = /^(?:remove|unlink|unlinkSync|rmSync|rmtree|rm_rf|delete|removeSync)\($/;
const REPLACES = /^(?:copy|copy2|copyfile|move|copyFileSync|copyFile|renameSync|rename|replace|cp|mv)\($/;
/** Words that are functions of files only behind one of these. */
const AMBIGUOUS = /^(?:write|remove|delete|copy|move|rename|replace|cp|mv|truncate)\($/;
const FILE_MODULE = /(?:\bos|\bshutil|\bfs|\bFile|\bIO|\bFileUtils|\bDeno|\bBun|\bpromises|\bfsp)\.$/;
/** A method that writes its own file: `p.write_text(…)`, `p.open("w")`. */
const METHODS = /\.(?:write_text|write_bytes|touch|unlink)\(|\.open\((?:mode=)?["'][wax]/g;
const ARGUMENTS = /\b(?:sys\.argv|process\.argv|ARGV|Deno\.args)\b|\$argv\b/;

/** Characters of a call's arguments, and in front of a method, that are looked at. */
const REACH_CHARS = 240;

/** Traces every writing call of the code. */
export function changesByName(code: string, paths: readonly PlacedPath[]): NamedChanges {
  const names = new Map<string, string[]>();
  for (const { path, start } of paths) {
    const name = assignedName(code, start);
    const known = name === undefined ? undefined : names.get(name);
    if (known !== undefined) known.push(path);
    else if (name !== undefined) names.set(name, [path]);
  }
  // What is opened where it stands is told by its own mode.
  const held = paths.filter(({ start }) => !/\bopen\(\s?$/.test(code.slice(Math.max(0, start - 8), start))).map(({ path }) => path);
  const edits = new Set<string>();
  const removes = new Set<string>();
  let operands = false;
  const traced = new Set<string>();
  const looked = new Map<string, readonly string[] | undefined>();
  const meaning = (name: string): readonly string[] | undefined => {
    if (names.has(name) || looked.has(name)) return names.get(name) ?? looked.get(name);
    // One more step: `q = p`.
    const origin = looked.size >= CHOSEN.code_names ? undefined : copiedName(code, name);
    const found = origin === undefined ? undefined : names.get(origin);
    looked.set(name, found);
    return found;
  };
  const changed = (target: string, into: Set<string>): void => {
    if (ARGUMENTS.test(target)) operands = true;
    const name = /^(?:str\(|Path\(|os\.fspath\()?\$?([A-Za-z_]\w{0,79})/.exec(target)?.[1];
    // A path written out is told where it stands; a name is traced once.
    const key = `${name}${into === removes ? "-" : ""}`;
    if (name === undefined || /["'`]/.test(target) || traced.has(key)) return;
    traced.add(key);
    const found = meaning(name);
    if (found !== undefined) for (const path of found) into.add(path);
    // Not all of them are known to be removed: what is lost is told only where it is certain.
    else if (into === edits) {
      for (const path of held) edits.add(path);
      held.length = 0;
    }
  };
  for (const match of code.matchAll(CALLS)) {
    const [call] = match;
    if (AMBIGUOUS.test(call) && !FILE_MODULE.test(code.slice(Math.max(0, match.index - 12), match.index))) continue;
    const list = callArguments(code, match.index + call.length);
    if (OPENS.test(call)) {
      if (list.slice(1).some((argument) => /^(?:mode\s?=\s?)?["'](?:[wax]|r[bt]?\+)/.test(argument))) changed(list[0] ?? "", edits);
    } else if (REMOVES.test(call)) changed(list[0] ?? "", removes);
    else changed((REPLACES.test(call) ? list[1] : list[0]) ?? "", edits);
  }
  for (const match of code.matchAll(METHODS)) {
    const before = code.slice(Math.max(0, match.index - REACH_CHARS), match.index);
    changed(ownerOf(before), match[0].startsWith(".unlink") ? removes : edits);
  }
  return { edits: [...edits], removes: [...removes], operands };
}

/** What stands in front of a method: a name, or what the parentheses before it hold. */
function ownerOf(before: string): string {
  if (before.endsWith(")")) return before.slice(before.lastIndexOf("(") + 1, -1);
  let from = before.length;
  while (from > 0 && /[\w$]/.test(before[from - 1] as string)) from--;
  return before.slice(from);
}

/** The arguments of a call whose parenthesis opens in front of `at`, as far as they are near. */
function callArguments(code: string, at: number): string[] {
  const list: string[] = [];
  let depth = 0;
  let from = at;
  const end = Math.min(code.length, at + REACH_CHARS);
  for (let place = at; place < end; place++) {
    const char = code[place];
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") {
      if (depth-- > 0) continue;
      list.push(code.slice(from, place).trim());
      return list;
    } else if (char === "," && depth === 0) {
      list.push(code.slice(from, place).trim());
      from = place + 1;
    }
  }
  list.push(code.slice(from, end).trim());
  return list;
}

/** The name that the statement around a place assigns to (`p = …`, `const p = …`, `for p in …`). */
export function assignedName(code: string, at: number): string | undefined {
  const near = code.slice(Math.max(0, at - 200), at);
  const statement = near.slice(Math.max(near.lastIndexOf(";"), near.lastIndexOf("\n")) + 1);
  for (const { 0: name, index } of statement.matchAll(/\w+/g)) {
    if (name.length > 80 || !/[A-Za-z_]/.test(name.charAt(0)) || statement.charAt(index - 1) === ".") continue;
    ASSIGNS.lastIndex = index + name.length;
    if (ASSIGNS.test(statement)) return name;
  }
  return undefined;
}

/** What stands behind a name that is assigned to: a type, then the sign or the word. */
const ASSIGNS = /(?:[ \t]?:[ \t]?\w{1,40})?(?:[ \t]?:?=(?![=>])|[ \t](?:in|of)[ \t])/y;

/** The name whose value another one takes: `q = p`, `q = str(p)`. */
function copiedName(code: string, name: string): string | undefined {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    if (/[\w.]/.test(code[at - 1] ?? "")) continue;
    const origin = /^[ \t]?=[ \t]?(?:str\(|Path\()?\$?([A-Za-z_]\w{0,79})/.exec(code.slice(at + name.length, at + name.length + 100))?.[1];
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/** Names that hold the home folder itself: `const h = require("os").homedir()`. */
export function homeNames(code: string): string[] {
  const names: string[] = [];
  for (const match of code.matchAll(
    /(?:^|[^\w.])([A-Za-z_]\w{0,79})[ \t]{0,4}=[ \t]{0,4}(?:(?:(?:require\(["'](?:node:)?os["']\)|os)\.)?homedir\(\)|(?:process|Bun)\.env(?:\.HOME|\[["']HOME["']\])|Deno\.env\.get\(["']HOME["']\)|os\.environ(?:\[|\.get\()["']HOME["'][\])]|os\.getenv\(["']HOME["']\)|os\.path\.expanduser\(["']~["']\)|(?:pathlib\.)?Path\.home\(\)|Dir\.home|ENV\[["']HOME["']\])[ \t]{0,4}(?=[;,\n)]|$)/g,
  ))
    if (match[1] !== undefined && names.length < CHOSEN.code_names) names.push(match[1]);
  return names;
}
