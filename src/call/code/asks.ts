/**
 * Places of program code that only ask about a file (is it there, how big, which digest) and show none of its
 * content: `existsSync(p)`, `os.stat(p)`, `Bun.file(p).size`, `hashlib.sha256(open(p,"rb").read())`.
 *
 * Trust: the code is hostile. What is not plainly a question counts as a read.
 */
import { CHOSEN } from "../../limits.ts";
import type { Literal } from "../text.ts";

/** Half-open range of the code. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What the code asks about files without reading them. */
export interface Asks {
  /** The code with every question blanked out, of the same length. */
  readonly rest: string;
  /** The path of the literals in this range is only asked about, where it stands or through `name`, which holds it. */
  readonly only: (start: number, end: number, name: string | undefined) => boolean;
}

const CALLS =
  /\b(?:existsSync|l?statSync|accessSync|(?:fs|fsp|promises|os|Deno)\.(?:stat|lstat|access|exists)|path\.(?:l?exists|getsize|getmtime|getctime|getatime|isfile|isdir|islink)|File\.(?:exists?\?|size\??|stat|lstat|file\?|directory\?|symlink\?|readable\?|writable\?|zero\?|empty\?|[mac]time)|file_exists|filesize|filemtime|fileperms|is_file|is_dir|is_readable)\(/g;
const DIGESTS =
  /\b(?:hashlib\.(?:md5|sha1|sha224|sha256|sha384|sha512|sha3_\d{3}|blake2[bs])|createHash\(["'`][\w-]{1,20}["'`]\)\.update|CryptoHasher\(["'`][\w-]{1,20}["'`]\)\.update|Digest::\w{1,8}\.(?:hex|base64)?digest|Bun\.(?:hash|SHA\d{1,3}\.hash))\(/g;
/** A question put to the file object in front of it. */
const METHODS =
  /\.(?:(?:exists|stat|lstat|is_file|is_dir|is_symlink)\(\)|(?:exist|file|directory|readable)\?|(?:size|lastModified)\b(?!\s{0,4}[=(]))/g;
const FILE_OBJECT = /(?:\bBun\.file|\bPath|\bPathname(?:\.new)?|\.joinpath|\.expanduser|\.resolve|\.absolute|(?:^|[^\w.\])]))$/;
/** In a question, these could bring content into it or carry the path out of it. */
const MORE =
  /\b(?:read\w{0,30}|open\w{0,20}|binread|load\w{0,10}|slurp|text|bytes|cat|file_get_contents|eval|exec\w{0,8})\s{0,4}\(|=|\bfunction\b|->/;
const READ_CALL = /^(?:await\s)?(?:require\(["'](?:node:)?fs["']\)\.)?(?:\w{1,40}\.){0,2}(?:open|readFileSync|read|binread)$/;
/** Code of which the uses of a name cannot be told. */
const HIDDEN_USES = /\b(?:eval|exec|globals|locals|vars|binding|local_variables|Function|compact|extract)\s{0,4}[(.]|\$\$/;
/** Words that put a path together. */
const BUILDS =
  /^(?:os|path|join|joinpath|resolve|normalize|Path|Pathname|pathlib|new|home|homedir|str|expanduser|expand_path|require|process|env|HOME|ENV|environ|get|getenv|File|Dir|Bun|file|r|f|b|u|const|let|var|my)$/;

/** Characters of one question that are looked at. */
const REACH_CHARS = 400;

/** Whether more than a question stands in it: a reading, or a call inside a template. */
function bringsMore(inner: string): boolean {
  const template = inner.indexOf("${");
  return (template >= 0 && inner.includes("(", template)) || MORE.test(inner);
}

/** Finds the questions of the code. */
export function asksOf(code: string, literals: readonly Literal[]): Asks {
  const { closes, opens } = parentheses(code, literals);
  const spans: Span[] = [];
  const add = (start: number, open: number, fits: (inner: string, from: number) => boolean): void => {
    const close = closes.get(open);
    if (close !== undefined && close - open <= REACH_CHARS && fits(code.slice(open + 1, close), open + 1))
      spans.push({ start, end: close + 1 });
  };
  const question = (inner: string): boolean => !bringsMore(inner);
  for (const match of code.matchAll(CALLS)) add(match.index, match.index + match[0].length - 1, question);
  for (const match of code.matchAll(DIGESTS))
    add(match.index, match.index + match[0].length - 1, (inner, from) => {
      // The whole file and nothing of its parts: a digest of one character tells it.
      const read = inner.trimEnd().replace(/\.read\(\)$/, "");
      const open = opens.get(from + read.length - 1);
      if (open === undefined || open < from) return false;
      const callee = code.slice(from, open).trim();
      const whole = !/\bopen$/.test(callee) || read.length < inner.trimEnd().length;
      const parts = code.slice(open + 1, from + read.length - 1);
      return whole && READ_CALL.test(callee) && !bringsMore(parts) && !/,\s{0,4}(?:\d|\w{1,20}\s{0,4}[:,])/.test(parts);
    });
  for (const match of code.matchAll(METHODS)) {
    const end = match.index + match[0].length;
    if (code[match.index - 1] !== ")") {
      const name = /(?:^|[^\w.])([A-Za-z_]\w{0,79})$/.exec(code.slice(Math.max(0, match.index - 82), match.index))?.[1];
      if (name !== undefined) spans.push({ start: match.index - name.length, end });
      continue;
    }
    let open = opens.get(match.index - 1);
    // `Path(…).expanduser().exists()`: the file stands one call further in front.
    let before = open === undefined ? "" : code.slice(Math.max(0, open - 40), open);
    const step = /\)\.(?:expanduser|resolve|absolute)$/.exec(before)?.[0].length ?? 0;
    if (open !== undefined && step > 0) {
      open = opens.get(open - step);
      before = open === undefined ? "" : code.slice(Math.max(0, open - 40), open);
    }
    if (open === undefined || match.index - open > REACH_CHARS || !FILE_OBJECT.test(before)) continue;
    if (question(code.slice(open + 1, match.index - 1))) spans.push({ start: open, end });
  }
  if (spans.length === 0) return { rest: code, only: () => false };
  spans.sort((left, right) => left.start - right.start);
  let rest = "";
  for (const { start, end } of spans) {
    if (end <= rest.length) continue;
    if (start > rest.length) rest += code.slice(rest.length, start);
    rest += " ".repeat(end - rest.length);
  }
  rest += code.slice(rest.length);
  const hidden = HIDDEN_USES.test(code);
  const known = new Map<string, boolean>();
  const only = (start: number, end: number, name: string | undefined): boolean => {
    if (rest.slice(start, end).trim() === "") return true;
    if (name === undefined || hidden || !holdsPath(code, start, end, name)) return false;
    const answer: boolean = known.get(name) ?? (known.size < CHOSEN.code_names && asked(code, rest, name));
    if (known.size < CHOSEN.code_names) known.set(name, answer);
    return answer;
  };
  return { rest, only };
}

/** Matching parentheses outside of literals, both ways. */
function parentheses(code: string, literals: readonly Literal[]): { closes: Map<number, number>; opens: Map<number, number> } {
  const closes = new Map<number, number>();
  const opens = new Map<number, number>();
  const stack: number[] = [];
  let next = 0;
  for (let at = 0; at < code.length; at++) {
    const literal = literals[next];
    if (literal !== undefined && at === literal.start) {
      at = literal.end - 1;
      next++;
    } else if (code[at] === "(") stack.push(at);
    else if (code[at] === ")") {
      const open = stack.pop();
      if (open === undefined) continue;
      closes.set(open, at);
      opens.set(at, open);
    }
  }
  return { closes, opens };
}

/** The statement gives the name the path itself, not what a call makes of it. */
function holdsPath(code: string, start: number, end: number, name: string): boolean {
  const near = code.slice(Math.max(0, start - 200), start);
  const before = near.slice(Math.max(near.lastIndexOf(";"), near.lastIndexOf("\n")) + 1);
  const after = /^[^;\n]{0,200}/.exec(code.slice(end, end + 200))?.[0] ?? "";
  const words = `${before} ${after}`.replace(/(["'])[^"'\n]{0,200}\1/g, " ");
  if (/[^\w\s()[\],+/.=$"']/.test(words)) return false;
  return (words.match(/\w+/g) ?? []).every((word) => word === name || BUILDS.test(word));
}

/** Beyond its assignment and the questions, the name is only printed: that shows a path. */
function asked(code: string, rest: string, name: string): boolean {
  let assignments = 0;
  let questions = 0;
  let uses = 0;
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    if (/\w/.test(code[at - 1] ?? "") || /\w/.test(code[at + name.length] ?? "")) continue;
    if (++uses > CHOSEN.code_name_uses) return false;
    const after = rest.slice(at + name.length, at + name.length + 8);
    if (rest[at] === " ") questions++;
    else if (/^\s{0,4}=(?!=)/.test(after)) assignments++;
    else if (!/\b(?:print|console\.log|puts)\s{0,2}\(\s{0,4}$/.test(rest.slice(Math.max(0, at - 24), at)) || !/^\s{0,4}[,)]/.test(after))
      return false;
  }
  return assignments === 1 && questions > 0;
}
