/** Databases that live in one file and read others: `sqlite3 f "select readfile('g')"`, `duckdb -c "from 'g.csv'"`. */
import type { Argument, Source } from "../../effect.ts";
import { literal, staticText, transformed, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { contact, filesIn } from "./contact.ts";

/** Options that take a word of their own, and those of which it is a statement. */
const VALUES = /^--?(?:cmd|init|separator|newline|nullvalue|mmap|maxsize|heap|vfs|key|c|s|f)$/;
const STATEMENTS = /^--?(?:cmd|c|s)$/;
/** Statements whose rows are shown. */
const SHOWS = /^\s{0,200}(?:\(?\s{0,8}(?:select|with|values|from|table|pivot|summarize)\b|explain\b)|\breturning\b/i;
/** What tells nothing of a file but its size or its kind. */
const ASKS = /\b(?:length|octet_length|typeof|count|sha1|sha256|sha3|md5)\s{0,4}\(\s{0,4}(?:readfile|read_blob)\s{0,4}\($/i;
const STATEMENT = /(?:'[^']{0,65536}'|"[^"]{0,65536}"|[^;'"]){1,65536}/g;

/** What flows through one call. */
interface Session {
  database: Argument | undefined;
  readonly stored: Source[];
  readonly shown: Source[];
  /** Where rows go instead of standard output. */
  output: string | undefined;
}

/** Follows statements and commands of a database that lives in a file: what they read, store, show, write and start. */
export const embeddedDatabase: Handler = (invocation) => {
  contact(invocation);
  const texts: Argument[] = [];
  const operands: Argument[] = [];
  for (let at = 0; at < invocation.args.length; at++) {
    const argument = invocation.args[at] as Argument;
    if (!argument.text.startsWith("-")) operands.push(argument);
    else if (VALUES.test(argument.text)) {
      const value = invocation.args[++at];
      if (value !== undefined && STATEMENTS.test(argument.text)) texts.push(value);
    }
  }
  texts.push(...operands.slice(1));
  if (texts.length === 0 || operands.length < 2) {
    const given = staticText(invocation.stdin);
    if (given !== undefined && given !== "") texts.push(literal(given));
  }
  const session: Session = { database: operands[0], stored: [], shown: [], output: undefined };
  for (const text of texts) run(invocation, text, session);
  deliver(invocation, session);
  const { database, stored } = session;
  if (stored.length > 0 && database !== undefined && isFile(database.text)) invocation.write(database, transformed(unique(stored)), true);
  invocation.print([{ from: "unknown" }]);
};

/** `\\! cmd`, `system cmd`: the shell of a database starts one of the system's. */
export function shellEscapes(invocation: Invocation): void {
  for (const text of [...invocation.args.map((argument) => argument.text), staticText(invocation.stdin) ?? ""])
    for (const match of text.matchAll(/(?:^|\n)[ \t]{0,40}(?:\\!|system[ \t])[ \t]{0,40}([^\n]{1,4000})/g))
      invocation.script(literal(match[1] ?? ""));
}

function isFile(text: string): boolean {
  return text !== "" && !text.startsWith(":") && !text.startsWith("md:");
}

function run(invocation: Invocation, argument: Argument, session: Session): void {
  const rows: string[] = [];
  for (const line of argument.text.split("\n"))
    if (/^\s{0,40}\./.test(line)) command(invocation, line.trim(), session);
    else rows.push(line);
  for (const [text] of rows.join("\n").matchAll(STATEMENT)) statement(invocation, { ...argument, text }, session);
}

/** What is typed to the shell of the database itself: `.import f t`, `.shell cmd`. */
function command(invocation: Invocation, line: string, session: Session): void {
  const name = /^\.\w{1,20}/.exec(line)?.[0] ?? "";
  const rest = line.slice(name.length).trim();
  const [first = ""] = [...rest.matchAll(/"([^"]{0,4096})"|'([^']{0,4096})'|(\S{1,4096})/g)]
    .filter(([word]) => !word.startsWith("-"))
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  switch (name) {
    case ".shell":
    case ".system":
      return invocation.script(literal(rest));
    case ".import":
      if (first.startsWith("|")) return invocation.script(literal(first.slice(1)));
      session.stored.push(...invocation.read(literal(first)));
      return;
    case ".open":
      session.database = literal(first);
      return;
    case ".output":
    case ".once":
      deliver(invocation, session);
      session.output = first === "" || first === "stdout" ? undefined : first;
      return;
    case ".backup":
    case ".save":
      if (session.stored.length > 0) invocation.write(literal(first), transformed(unique(session.stored)));
      return;
    case ".dump":
      session.shown.push(...session.stored);
  }
}

function statement(invocation: Invocation, argument: Argument, session: Session): void {
  const { text } = argument;
  const files = [...filesIn(argument), ...readByName(invocation, argument)];
  const asked = files.filter((file) => {
    const at = text.indexOf(file.text);
    return !ASKS.test(text.slice(Math.max(0, at - 65), Math.max(0, at - 1)));
  });
  const loaded = asked.flatMap((file) => [...invocation.read(file)]);
  const target = /\bwritefile\s{0,4}\(\s{0,4}'([^']{1,4096})'|\bto\s{1,8}'([^']{1,4096})'/i.exec(text);
  const written = target?.[1] ?? target?.[2];
  if (written !== undefined) invocation.write(literal(written), transformed(unique([...loaded, ...session.stored])));
  const editor = /\bedit\s{0,4}\(/i.test(text) ? /,\s{0,8}'([^']{1,4096})'\s{0,4}\)/.exec(text)?.[1] : undefined;
  if (editor !== undefined) invocation.script(literal(editor), { stdin: transformed(loaded) });
  if (SHOWS.test(text) && written === undefined) session.shown.push(...loaded, ...session.stored);
  else session.stored.push(...loaded);
}

/** Files that DuckDB reads by their names alone: `from 'f.csv'`, `read_text('f')`. */
function readByName(invocation: Invocation, argument: Argument): readonly Argument[] {
  if (invocation.name !== "duckdb") return [];
  return [
    ...argument.text.matchAll(
      /\b(?:from|join|copy\s{1,8}\w{1,60}\s{1,8}from|read_\w{1,20}\s{0,4}\(|sniff_csv\s{0,4}\()\s{0,8}'([^']{1,4096})'/gi,
    ),
  ].map((match) => ({ ...argument, text: match[1] ?? "" }));
}

function deliver(invocation: Invocation, session: Session): void {
  const shown = transformed(unique(session.shown.splice(0)));
  if (shown.length === 0) return;
  const { output } = session;
  if (output === undefined) invocation.print(shown);
  else if (output.startsWith("|")) invocation.script(literal(output.slice(1)), { stdin: shown });
  else invocation.write(literal(output), shown);
}
