/**
 * Cuts long data (here-document bodies, quoted strings) out of a long command before it is parsed, so that
 * `cat > f <<'X' … 2 MiB … X; git commit -m …` is still read. One linear pass; what is cut out stays text.
 */
import { CHOSEN } from "../../limits.ts";

/** Marks a cut place; a private-use character that the original text does not hold. */
const MARK = "\uE000";

/** A command with its long data replaced by marks. */
export interface CutScript {
  /** Pieces that can be parsed one after the other; more than one only when the whole is still too long. */
  readonly pieces: readonly string[];
  /** What each mark stands for, by number. */
  readonly data: readonly string[];
  /** False when a piece is still longer than what is parsed, or an unquoted body held substitutions. */
  readonly complete: boolean;
}

interface Pending {
  readonly delimiter: string;
  readonly tabs: boolean;
  readonly quoted: boolean;
}

/** Replaces long data in `source` by marks. */
export function cutScript(source: string): CutScript {
  if (source.includes(MARK)) return { pieces: [source], data: [], complete: source.length <= CHOSEN.command_chars };
  const data: string[] = [];
  const out: string[] = [];
  let complete = true;
  const pending: Pending[] = [];
  /** Places in `out` where a new piece may start: ends of lines and `;` outside quotes. */
  const breaks: number[] = [];
  const long = (text: string): string => {
    if (text.length <= CHOSEN.cut_out_chars) return text;
    data.push(text);
    return `${MARK}${data.length - 1}${MARK}`;
  };
  let at = 0;
  let copied = 0;
  /** Open double quotes and parentheses, innermost last: a quote inside `"$( … )"` starts anew. */
  const open: ("double" | "group")[] = [];
  const flush = (end: number): void => {
    if (end > copied) out.push(source.slice(copied, end));
    copied = end;
  };
  const replace = (from: number, to: number): void => {
    flush(from);
    out.push(long(source.slice(from, to)));
    copied = to;
  };
  let broken = 0;
  /** Lines close together make one piece: a text of short lines would be nothing but places to divide it. */
  const mayBreak = (): void => {
    if (at - broken < CHOSEN.cut_lines_chars) return;
    broken = at;
    flush(at);
    breaks.push(out.length);
  };
  while (at < source.length) {
    const char = source[at];
    const quoted = open[open.length - 1] === "double";
    if (char === "\\") {
      at += 2;
    } else if (char === "$" && source[at + 1] === "(") {
      open.push("group");
      at += 2;
    } else if (char === '"') {
      const close = quoted ? -1 : plainDoubleEnd(source, at + 1);
      if (quoted) open.pop();
      else if (close < 0) open.push("double");
      if (close - at > CHOSEN.cut_out_chars) replace(at + 1, close);
      at = Math.max(at, close) + 1;
    } else if (quoted) {
      at++;
    } else if (char === "'") {
      const close = source.indexOf("'", at + 1);
      if (close < 0) break;
      if (close - at > CHOSEN.cut_out_chars && source[at - 1] !== "$") replace(at + 1, close);
      at = close + 1;
    } else if (char === "(") {
      open.push("group");
      at++;
    } else if (char === ")") {
      open.pop();
      at++;
    } else if (char === "<" && source[at + 1] === "<" && source[at + 2] !== "<" && source[at - 1] !== "<") {
      const start = hereStart(source, at + 2);
      if (start !== undefined) pending.push(start.pending);
      at = start?.end ?? at + 2;
    } else if (char === ";" && source[at + 1] !== ";" && open.length === 0 && pending.length === 0) {
      at++;
      mayBreak();
    } else if (char === "#" && (at === 0 || /[\s;&|(]/.test(source[at - 1] ?? ""))) {
      const line = source.indexOf("\n", at);
      at = line < 0 ? source.length : line;
    } else if (char === "\n") {
      at++;
      for (const here of pending.splice(0)) {
        const end = bodyEnd(source, at, here);
        if (end - at > CHOSEN.cut_out_chars) {
          if (!here.quoted && hasSubstitution(source, at, end)) complete = false;
          replace(at, end);
          out.push("\n");
        }
        at = end;
      }
      while (source[at] === "\n") at++;
      if (open.length === 0) mayBreak();
    } else at++;
  }
  if (open.length > 0) complete = false;
  flush(source.length);
  const pieces = join(out, breaks);
  return { pieces, data, complete: complete && pieces.length === 1 && (pieces[0]?.length ?? 0) <= CHOSEN.command_chars };
}

/** Puts marked data back into a text. */
export function restore(text: string, data: readonly string[]): string {
  if (data.length === 0 || !text.includes(MARK)) return text;
  return text.replace(/\uE000(\d{1,9})\uE000\n?/g, (whole, number: string) => data[Number(number)] ?? whole);
}

function hasSubstitution(source: string, from: number, to: number): boolean {
  const body = source.slice(from, to);
  return body.includes("$(") || body.includes("`");
}

/** End of a double-quoted string without expansions, at its closing quote; -1 when it has any or never ends. */
function plainDoubleEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === '"') return at;
    if (char === "$" || char === "`" || char === "\\") return -1;
  }
  return -1;
}

function hereStart(source: string, from: number): { pending: Pending; end: number } | undefined {
  let at = from;
  const tabs = source[at] === "-";
  if (tabs) at++;
  while (source[at] === " " || source[at] === "\t") at++;
  const match = /^(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|((?:\\?[A-Za-z0-9_.+%@!:/-]){1,200}))/.exec(source.slice(at, at + 420));
  if (match === null) return undefined;
  const word = match[1] ?? match[2] ?? match[3] ?? "";
  const quoted = match[3] === undefined || word.includes("\\");
  return { pending: { delimiter: word.replaceAll("\\", ""), tabs, quoted }, end: at + match[0].length };
}

/** Where the body that starts at `from` ends: the start of its closing line, or the end of the text. */
function bodyEnd(source: string, from: number, here: Pending): number {
  let at = from;
  while (at < source.length) {
    const newline = source.indexOf("\n", at);
    const end = newline < 0 ? source.length : newline;
    if (end - at <= here.delimiter.length + 64) {
      let line = source.slice(at, end);
      if (here.tabs) line = line.replace(/^\t{1,64}/, "");
      if (line === here.delimiter) return at;
    }
    at = end + 1;
  }
  return source.length;
}

/** Joins the parts; a text still too long is divided at line ends and semicolons. */
function join(parts: readonly string[], breaks: readonly number[]): string[] {
  const whole = parts.join("");
  if (whole.length <= CHOSEN.command_chars) return [whole];
  const pieces: string[] = [];
  let piece = "";
  let from = 0;
  for (const end of [...breaks, parts.length]) {
    const line = parts.slice(from, end).join("");
    from = end;
    if (piece.length + line.length > CHOSEN.command_chars && piece !== "") {
      pieces.push(piece);
      piece = "";
    }
    piece += line;
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}
