/**
 * Recognises samples that stand where a secret would stand (L-009, D-20, P-038).
 *
 * Trust: a wrong "yes" here hides a real secret, so only whole values count. A value that merely contains
 * "example" or "test" is not a placeholder.
 */
import { SPECIFIED } from "../limits.ts";
import { isSample } from "./samples.ts";

/** Words a placeholder is written with; a value made of nothing else says nothing. */
const WORDS = new Set(
  (
    "a an the my your yours our own some any this that here there goes with in to of for from and or not is be at on " +
    "insert enter replace put add change changeme changeit me set use fill paste provide specify update edit todo tbd fixme " +
    "example examples sample dummy fake mock placeholder default test testing demo foo bar baz foobar qux none null nil undefined empty " +
    "unset unknown na false true redacted removed hidden masked secret secrets password passwd passphrase pass pw pwd token tokens key keys api " +
    "apikey access id client auth credential credentials private public value string text real actual valid user username login admin root " +
    "bearer basic account service app application db database database_url personal project org organization team github gitlab npm openai " +
    "anthropic google aws azure stripe slack bot hook url webhook session refresh jwt name email hash salt random generated long very super " +
    "please keep safe goes only dev development local localhost abc abcd abcdef mytoken mykey mysecret mypassword mypass myapikey yourtoken yourkey yoursecret yourpassword yourapikey"
  ).split(" "),
);

/** Forms that name a value instead of holding it: `<token>`, `${API_KEY}`, `$API_KEY`, `{{ key }}`, `%KEY%`, `[REDACTED]`, `op://…`. */
const REFERENCE =
  /^(?:<[^<>]{0,200}>|\$\{[^{}]{0,200}\}|\$\([^()]{0,200}\)|\$[A-Za-z_]\w{0,40}|\{\{[^{}]{0,200}\}\}|\{[A-Za-z_]\w{0,100}\}|%[A-Za-z_]\w{0,100}%|__\w{1,100}__|@\w{1,100}@|#\{[^{}]{0,200}\}|\[[A-Za-z][\w :.-]{0,100}\]|process\.env\.\w{1,100}|(?:op|env|vault|ref|file|secretref):[\w./:{}-]{0,200})$/;

/**
 * Whether a body (a value without its public prefix) is a placeholder whatever its check data say: fewer than eight
 * different characters, one repeated character or a run in alphabet or keyboard order (D-20).
 */
export function isPlaceholderBody(body: string): boolean {
  return differentCharacters(body) < SPECIFIED.placeholder_distinct_chars || isRun(body);
}

/** Whether the whole value is a placeholder, a reference to a value or masked. An empty value is one. */
export function isPlaceholder(value: string): boolean {
  const bare = value.trim();
  if (bare === "" || isSample(bare) || REFERENCE.test(bare)) return true;
  if (isMasked(bare) || isShortened(bare) || isRun(bare) || isRun(withoutPrefix(bare))) return true;
  return bare.length <= 100 && isWordy(bare);
}

function differentCharacters(text: string): number {
  const seen = new Set<string>();
  for (const character of text) {
    seen.add(character);
    if (seen.size >= SPECIFIED.placeholder_distinct_chars) break;
  }
  return seen.size;
}

/** One repeated character, or mostly characters that follow each other in either case: `abcdefgh…`, `aBcDeFgH…`, `0123456789ABCDEF…`, `1234-5678-…`. */
function isRun(text: string): boolean {
  if (text.length < 4) return false;
  const plain = text.toLowerCase();
  let same = 0;
  let next = 0;
  for (let at = 1; at < text.length; at++) {
    const before = plain.charCodeAt(at - 1);
    const code = plain.charCodeAt(at);
    if (code === before) same++;
    // The last digit or letter may be followed by the first of the next kind.
    else if (code === before + 1 || (isLast(before) && isFirst(code))) next++;
  }
  return same === text.length - 1 || next * 4 >= (text.length - 1) * 3;
}

const isLast = (code: number) => code === 0x39 || code === 0x7a || code === 0x66;
const isFirst = (code: number) => code === 0x30 || code === 0x31 || code === 0x61;

/** The value without up to three short pieces that end in `-` or `_`: `sk-`, `github_pat_`. */
function withoutPrefix(value: string): string {
  return value.replace(/^(?:[A-Za-z\d]{1,8}[_-]){1,3}/, "");
}

/** Cut short for showing: `ghp_a1B2...x9Y0`, `sk-proj-…`, `sk-ant-api03-ab****yz`. */
function isShortened(value: string): boolean {
  return /^[\w-]{2,24}(?:\.{3}|…|\*{4})[.…*]{0,64}[\w-]{0,8}$/.test(value);
}

/** A body of this many characters and hardly any different ones is filled in, not drawn. */
const MASKED_CHARS = 16;

/** `xxxx`, `****`, `sk-XXXXXXXX`, `••••••`, `000000`: a short prefix aside, nothing but masking characters. */
function isMasked(value: string): boolean {
  if (/^(?:[xX*.•…?#_-]+|0{6,})$/.test(value)) return true;
  const body = withoutPrefix(value);
  return (
    /^(?:[xX*.•…?#_-]{3,}|0{6,})$/.test(body) ||
    (value.length <= 300 && /([xX*•])\1{11}/.test(value)) ||
    (body.length >= MASKED_CHARS && new Set(body).size < 4)
  );
}

/** Letters only, cut at `-_. ` and changes of case, and every piece a word of the list: `your-api-key-here`, `YOUR_SECRET_ACCESS_KEY`, `changeme`. */
function isWordy(value: string): boolean {
  const plain = value.replace(
    /^(?:(?:sk|pk|rk|gh[opsur]|github_pat|npm|gl[a-z]{2,5}|hf|xox[a-z]|dckr_pat|shpat|lin_api|hvs|SG)[._-]|AIza(?:Sy)?)/,
    "",
  );
  if (!/^[A-Za-z][A-Za-z\d _.-]*$/.test(plain)) return false;
  const pieces = plain
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((piece) => piece !== "");
  if (
    pieces.every(
      (piece, at) =>
        WORDS.has(piece) || WORDS.has(piece.replace(/\d{1,3}$/, "")) || /^x+$/.test(piece) || (at > 0 && /^\d{1,4}$/.test(piece)),
    )
  )
    return true;
  // "your-acme-billing-key": whatever stands between, a value that speaks to its reader is not one.
  return /^(?:(?:[a-z\d]{2,8}[-_]){0,3}your|my|insert|enter|replace|change)(?:[-_. ](?:[a-z]{1,24}|[A-Z][a-z]{0,24}))+$|^(?:YOUR|MY|INSERT|ENTER|REPLACE|CHANGE)(?:[-_. ][A-Z]{1,24})+$/.test(
    plain,
  );
}
