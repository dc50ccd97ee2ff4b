/**
 * The lines of `.env` files and of what is printed of them: entries with positions. `util.parseEnv` reads the same files
 * but tells neither positions nor the earlier ones of repeated names. Which entries are secret: environment.ts.
 */

/** `NAME=value` as it is written, in whatever notation. */
export interface Entry {
  readonly name: string;
  /** What a program gets: inside the quotes, `\n` in double quotes turned to a line feed. */
  readonly value: string;
  /** Half-open UTF-16 range of the value as written, without its quotes. */
  readonly start: number;
  readonly end: number;
}

/** Every entry in order, repeated names included. Lines that are none are skipped; never fails. */
export function entriesOf(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  /** Quotes that nothing closes from here on: looked for once. */
  const unclosed = new Set<string>();
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const feed = lineEnd(text, at);
    const entry = readEntry(text, at, feed, unclosed);
    if (entry !== undefined) entries.push(entry);
    // A quoted value may have taken further lines.
    at = entry !== undefined && entry.end > feed ? lineEnd(text, entry.end) + 1 : feed + 1;
  }
  return entries;
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed < 0 ? text.length : feed;
}

function readEntry(text: string, at: number, feed: number, unclosed: Set<string>): Entry | undefined {
  const head = /^[ \t\r]*(?:export[ \t]+)?([\w.-]{1,256})(?:[ \t]*=|:[ \t])/.exec(text.slice(at, Math.min(feed, at + 400)));
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  let start = at + head[0].length;
  while (start < feed && isBlank(text, start)) start++;
  const quote = text[start];
  if ((quote === '"' || quote === "'" || quote === "`") && !unclosed.has(quote)) {
    const close = closing(text, start + 1, quote);
    if (close < 0) unclosed.add(quote);
    if (close >= 0) {
      const written = text.slice(start + 1, close);
      const value = written.replaceAll("\r\n", "\n");
      return { name, value: quote === '"' ? value.replace(/\\n/g, "\n").replace(/\\r/g, "\r") : value, start: start + 1, end: close };
    }
  }
  const hash = text.slice(start, feed).indexOf("#");
  let end = hash >= 0 ? start + hash : feed;
  while (end > start && isBlank(text, end - 1)) end--;
  return { name, value: text.slice(start, end), start, end };
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** The quote that ends a value: a `\` takes the next character along. -1 when there is none. */
function closing(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== "\\" || at === from) return at;
  }
  return -1;
}

/** What stands before an entry when a tool prints it: line numbers, a file name, a diff's sign; and the sign of a comment. */
const DECORATION =
  /^(?:[^\s=:"']{0,256}[:-])?[ \t]{0,10}(?:\d{1,7}[:\t→|-]?)?[ \t]{0,10}[+\- ]?[ \t]{0,10}#?[ \t]{0,10}(?=(?:export[ \t]+|declare -x[ \t]+|set -gx[ \t]+)?[A-Za-z_][\w.]{0,255}[= ])/;

/**
 * Entries in printed lines of environment-like text: output of `env` or `set`, `cat -n .env`, `git diff` of one,
 * `grep -rn KEY .env`. Line by line, so a quoted value ends with its line.
 */
export function* printedEntries(text: string): Generator<Entry> {
  for (let at = 0; at < text.length; ) {
    const feed = lineEnd(text, at);
    const line = text.slice(at, Math.min(feed, at + 66_000));
    if (line.includes("=") || line.includes("set -gx")) {
      const skip = DECORATION.exec(line)?.[0].length ?? 0;
      const body = line.slice(skip).replace(/^(?:declare -x|set -gx)[ \t]+/, (word) => "export ".padEnd(word.length));
      const shell = body.startsWith("export ") && !body.includes("=") ? body.replace(/^(export[ \t]+\w+) /, "$1=") : body;
      const entry = readEntry(shell, 0, shell.length, new Set());
      if (entry !== undefined) yield { ...entry, start: entry.start + at + skip, end: entry.end + at + skip };
    }
    at = feed + 1;
  }
}

const TEMPLATE = /\.(?:example|sample|template|dist|tpl|tmpl|defaults?|schema)$/;

/** `.env`, `.env.production`, `app.env`, `.envrc`, `.dev.vars`; not `.env.example` and its like, nor `environment.ts`. */
export function isSecretFileName(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  if (TEMPLATE.test(name) || /\.env\.[\w-]*(?:example|sample|template)/.test(name) || /^(?:example|sample|template)\.env$/.test(name))
    return false;
  return /^\.env(?:$|[.-]\S)/.test(name)
    ? !/\.(?:[cm]?[jt]sx?|py|rb|go|rs|md|json|ya?ml|php|java|sh|d\.ts)$/.test(name)
    : /^[\w.-]*\.env$|^\.envrc$|^\.dev\.vars(?:$|\.)|^\.flaskenv$|^\.env_/.test(name);
}
