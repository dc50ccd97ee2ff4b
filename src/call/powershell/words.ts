/**
 * Cuts PowerShell text into statements, pipelines and words. Not a parser: quoting, escapes, blocks and
 * here-strings are understood, everything else is handed on as text. Linear; never throws.
 */

/** A piece of a word. */
export type Piece =
  /** Certain text. */
  | { readonly kind: "text"; readonly text: string }
  /** `$name`, `${name}`, `$env:NAME`. */
  | { readonly kind: "variable"; readonly name: string }
  /** `$( … )` or `( … )`: a script of its own. */
  | { readonly kind: "script"; readonly text: string }
  /** `@{ … }`, `@( … )`, `{ … }`: kept for the command that takes it. */
  | { readonly kind: "block"; readonly open: string; readonly text: string };

export interface PowerWord {
  readonly pieces: readonly Piece[];
  /** The word as written. */
  readonly raw: string;
  /** Quoted words are never parameters or operators. */
  readonly quoted: boolean;
}

/** Commands joined by `|`; each is its words. */
export interface PowerPipeline {
  readonly commands: readonly (readonly PowerWord[])[];
}

interface Cursor {
  at: number;
}

/** The statements of a script, in order. `odd` tells that something did not close. */
export function powerStatements(source: string): { readonly statements: readonly PowerPipeline[]; readonly odd: boolean } {
  const statements: PowerPipeline[] = [];
  let commands: PowerWord[][] = [];
  let words: PowerWord[] = [];
  let odd = false;
  const endCommand = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  const endStatement = (): void => {
    endCommand();
    if (commands.length > 0) statements.push({ commands });
    commands = [];
  };
  const cursor: Cursor = { at: 0 };
  while (cursor.at < source.length) {
    const char = source[cursor.at] as string;
    if (char === "#" && (cursor.at === 0 || /[\s;{(]/.test(source[cursor.at - 1] ?? ""))) {
      const line = source.indexOf("\n", cursor.at);
      cursor.at = line < 0 ? source.length : line;
    } else if (char === "<" && source[cursor.at + 1] === "#") {
      const end = source.indexOf("#>", cursor.at);
      cursor.at = end < 0 ? source.length : end + 2;
    } else if (char === "`" && /\r?\n/.test(source.slice(cursor.at + 1, cursor.at + 3))) {
      cursor.at += source[cursor.at + 1] === "\r" ? 3 : 2;
    } else if (char === "\n" || char === ";") {
      // A line that ends in a pipe goes on.
      if (char === ";" || words.length > 0 || commands.length === 0) endStatement();
      cursor.at++;
    } else if (char === "|" && source[cursor.at + 1] === "|") {
      endStatement();
      cursor.at += 2;
    } else if (char === "&" && source[cursor.at + 1] === "&") {
      endStatement();
      cursor.at += 2;
    } else if (char === "|") {
      endCommand();
      cursor.at++;
    } else if (/\s/.test(char)) cursor.at++;
    else if (char === ")" || char === "}") {
      odd = true;
      cursor.at++;
    } else {
      const word = readWord(source, cursor);
      if (word === undefined) {
        odd = true;
        break;
      }
      words.push(word);
    }
  }
  endStatement();
  return { statements, odd };
}

function readWord(source: string, cursor: Cursor): PowerWord | undefined {
  const start = cursor.at;
  const pieces: Piece[] = [];
  let text = "";
  let quoted = false;
  const flush = (): void => {
    if (text !== "") pieces.push({ kind: "text", text });
    text = "";
  };
  while (cursor.at < source.length) {
    const char = source[cursor.at] as string;
    const next = source[cursor.at + 1];
    if (char === "`") {
      text += escaped(next ?? "");
      cursor.at += 2;
    } else if (char === "'") {
      const end = singleEnd(source, cursor.at + 1);
      if (end < 0) return undefined;
      if (cursor.at === start) quoted = true;
      flush();
      pieces.push({ kind: "text", text: source.slice(cursor.at + 1, end).replaceAll("''", "'") });
      cursor.at = end + 1;
    } else if (char === '"') {
      if (cursor.at === start) quoted = true;
      flush();
      cursor.at++;
      if (!readDouble(source, cursor, pieces)) return undefined;
    } else if (char === "@" && (next === "'" || next === '"') && /^\s{0,8}\r?\n/.test(source.slice(cursor.at + 2, cursor.at + 12))) {
      const end = source.indexOf(`\n${next}@`, cursor.at);
      if (end < 0) return undefined;
      flush();
      quoted = true;
      const body = source.slice(source.indexOf("\n", cursor.at) + 1, Math.max(end, source.indexOf("\n", cursor.at) + 1));
      if (next === "'") pieces.push({ kind: "text", text: body });
      else readDouble(`${body.replaceAll('"', '`"')}"`, { at: 0 }, pieces);
      cursor.at = end + 3;
    } else if (char === "$") {
      flush();
      readDollar(source, cursor, pieces);
    } else if (char === "(" || char === "{" || (char === "@" && (next === "{" || next === "("))) {
      const open = char === "@" ? (next as string) : char;
      const from = cursor.at + (char === "@" ? 2 : 1);
      const end = closing(source, from, open === "(" ? ")" : "}");
      if (end < 0) return undefined;
      flush();
      const inside = source.slice(from, end);
      if (char === "(") pieces.push({ kind: "script", text: inside });
      else pieces.push({ kind: "block", open: char === "@" ? `@${open}` : open, text: inside });
      cursor.at = end + 1;
    } else if (/[\s;|)}]/.test(char) || (char === "&" && next === "&") || (char === "," && text === "" && pieces.length === 0)) {
      if (char === "," && cursor.at === start) {
        text = ",";
        cursor.at++;
      }
      break;
    } else if (char === ">" && cursor.at === start) {
      text = next === ">" ? ">>" : ">";
      cursor.at += text.length;
      break;
    } else {
      text += char;
      cursor.at++;
    }
  }
  flush();
  return { pieces, raw: source.slice(start, cursor.at), quoted };
}

function escaped(char: string): string {
  switch (char) {
    case "n":
      return "\n";
    case "t":
      return "\t";
    case "r":
      return "\r";
    case "0":
      return "\0";
    default:
      return char;
  }
}

function singleEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] !== "'") continue;
    if (source[at + 1] === "'") at++;
    else return at;
  }
  return -1;
}

/** Reads up to the closing double quote; false when there is none. */
function readDouble(source: string, cursor: Cursor, pieces: Piece[]): boolean {
  let text = "";
  const flush = (): void => {
    if (text !== "") pieces.push({ kind: "text", text });
    text = "";
  };
  while (cursor.at < source.length) {
    const char = source[cursor.at] as string;
    if (char === "`") {
      text += escaped(source[cursor.at + 1] ?? "");
      cursor.at += 2;
    } else if (char === '"') {
      if (source[cursor.at + 1] === '"') {
        text += '"';
        cursor.at += 2;
        continue;
      }
      cursor.at++;
      flush();
      if (pieces.length === 0) pieces.push({ kind: "text", text: "" });
      return true;
    } else if (char === "$" && /[A-Za-z_{(]/.test(source[cursor.at + 1] ?? "")) {
      flush();
      readDollar(source, cursor, pieces);
    } else {
      text += char;
      cursor.at++;
    }
  }
  return false;
}

function readDollar(source: string, cursor: Cursor, pieces: Piece[]): void {
  const next = source[cursor.at + 1];
  if (next === "(") {
    const end = closing(source, cursor.at + 2, ")");
    if (end < 0) {
      pieces.push({ kind: "script", text: source.slice(cursor.at + 2) });
      cursor.at = source.length;
      return;
    }
    pieces.push({ kind: "script", text: source.slice(cursor.at + 2, end) });
    cursor.at = end + 1;
    return;
  }
  const rest = source.slice(cursor.at + 1, cursor.at + 300);
  const match = /^\{([^}]{1,256})\}|^((?:[A-Za-z_]\w{0,60}:)?[A-Za-z_]\w{0,127}|[_?$^])/.exec(rest);
  if (match === null) {
    pieces.push({ kind: "text", text: "$" });
    cursor.at++;
    return;
  }
  pieces.push({ kind: "variable", name: match[1] ?? match[2] ?? "" });
  cursor.at += 1 + match[0].length;
}

/** The bracket that closes at this level; quotes and escapes are skipped. */
function closing(source: string, from: number, close: ")" | "}"): number {
  const open = close === ")" ? "(" : "{";
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === "`") at++;
    else if (char === "'") {
      const end = singleEnd(source, at + 1);
      if (end < 0) return -1;
      at = end;
    } else if (char === '"') {
      at++;
      while (at < source.length && source[at] !== '"') at += source[at] === "`" ? 2 : 1;
    } else if (char === open) depth++;
    else if (char === close && --depth === 0) return at;
  }
  return -1;
}
