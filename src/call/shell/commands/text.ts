/** Text tools: what prints a file as it is, what changes it, what only counts. */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, Source } from "../../effect.ts";
import { argumentSources, literal, sliceArgument, staticText, transformed, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";
import { stringLiterals } from "../../text.ts";
import { unescape } from "./builtins.ts";
import { awkPart, bareLines, cutParts, endLines, queriedPart, searched, sedPart } from "./excerpts.ts";
import { filter, swallowed } from "./filter.ts";

/** The handler of a text tool. */
export function textCommand(name: string): Handler | undefined {
  switch (name) {
    case "cat":
      return concatenation;
    case "zcat":
    case "gzcat":
    case "bzcat":
    case "xzcat":
    case "zstdcat":
    case "lzcat":
      return filter({ plain: true, table: { short: "S", long: "suffix" } });
    case "pv":
      return filter({
        plain: true,
        table: {
          short: "DiwHNFsLBRPdm",
          long: "delay-start interval width height name format size rate-limit buffer-size remote pidfile watchfd average-rate-window",
        },
        texts: ["N", "name", "F", "format"],
      });
    case "shuf":
      return shuffled;
    case "uconv":
      return filter({
        plain: false,
        table: { short: "ftxb", long: "from-code to-code from-callback to-callback callback block-size fallback" },
        texts: ["f", "t", "x", "from-code", "to-code", "from-callback", "to-callback", "callback"],
      });
    case "tac":
    case "expand":
    case "unexpand":
    case "dos2unix":
    case "colordiff":
    case "bzless":
    case "xzless":
    case "glow":
    case "mdcat":
    case "bc":
    case "dc":
    case "m4":
    case "tsort":
    case "ptx":
    case "yamllint":
    case "jsonlint":
    case "shellcheck":
    case "pandoc":
    case "cpp":
    case "xsltproc":
    case "view":
    case "vimdiff":
    case "vimcat":
    case "pdftotext":
    case "antiword":
    case "rst2html":
    case "markdown":
    case "groff":
    case "nroff":
    case "troff":
    case "mandoc":
    case "html2text":
    case "par":
      return filter({
        plain: true,
        table: { short: "fto", long: "from to output metadata variable" },
        texts: ["f", "t", "from", "to", "metadata", "variable"],
      });
    case "look":
      return filter({ plain: true, skip: 1 });
    case "crudini":
      return crudini;
    case "gcc":
    case "cc":
    case "clang":
    case "g++":
    case "clang++":
    case "c++":
    case "tcc":
      return compiler;
    case "date":
      return date;
    case "cmp":
      return (invocation) => {
        const options = invocation.options({ short: "in", long: "ignore-initial bytes" });
        if (options.has("l", "verbose", "b", "print-bytes")) invocation.printTransformed(invocation.readAll(options.operands));
      };
    case "sponge":
      return sponge;
    case "nl":
      return filter({ table: { short: "bdfhilnsvw", long: "body-numbering number-format number-separator number-width" }, plain: true });
    case "head":
    case "tail":
      return filter({
        table: { short: "ncs", long: "lines bytes sleep-interval pid max-unchanged-stats" },
        plain: (options) => !options.has("c", "bytes"),
        excerpt: (options) => endLines(options, name === "head" ? "first lines" : "last lines"),
        drops: (options) => {
          const count = options.value("c", "bytes")?.text ?? "";
          return /^-?\d$/.test(count) && Math.abs(Number(count)) <= SHOWN_CHARS && !options.has("v", "verbose");
        },
      });
    case "less":
    case "more":
    case "most":
    case "zless":
    case "zmore":
      return filter({ table: { short: "bhjkoOpPtTxyz" }, plain: true, skip: 0, texts: ["p", "P"] });
    case "bat":
    case "batcat":
      return filter({
        table: {
          short: "lHrm",
          long: "language highlight-line line-range map-syntax theme style tabs wrap color decorations paging pager file-name diff-context",
        },
        texts: ["l", "language", "m", "map-syntax", "theme", "style", "wrap", "color", "decorations", "paging", "pager", "file-name"],
        plain: true,
      });
    case "pygmentize":
    case "highlight":
      return filter({
        table: { short: "lfFOPS", long: "syntax out-format style" },
        plain: true,
        texts: ["l", "f", "F", "O", "P", "S", "syntax", "out-format", "style"],
      });
    case "vim":
    case "vi":
    case "nvim":
    case "ex":
    case "nano":
    case "emacs":
    case "ed":
      return editor;
    case "sort":
      return filter({
        table: { short: "kotST", long: "key output field-separator buffer-size temporary-directory files0-from parallel" },
        texts: ["k", "key", "o", "output", "t", "T", "temporary-directory"],
        plain: true,
      });
    case "uniq":
      return filter({ table: { short: "fsw", long: "skip-fields skip-chars check-chars" }, plain: true });
    case "grep":
    case "egrep":
    case "fgrep":
    case "zgrep":
    case "rgrep":
    case "ggrep":
      return filter({
        table: {
          short: "eABCDdfm",
          long: "regexp file after-context before-context context max-count include exclude exclude-dir exclude-from label binary-files devices directories",
        },
        skip: patternCount,
        drops: leavesLogin,
        texts: ["e", "regexp", "include", "exclude", "exclude-dir", "label", "binary-files", "devices", "directories", "d", "D", "color"],
        silent: ["q", "quiet", "silent", "c", "count", "l", "files-with-matches", "L", "files-without-match"],
        plain: wholeMatches,
        excerpt: (options) => searched(options, name === "egrep" ? "extended" : name === "fgrep" ? "fixed" : "basic"),
        exact: bareLines,
        folder: (options) => options.has("r", "R", "recursive", "dereference-recursive"),
      });
    case "rg":
    case "ag":
    case "ack":
    case "ugrep":
    case "pt":
      return filter({
        table: {
          short: "eABCfgjmMtTr",
          long: "regexp after-context before-context context file glob iglob threads max-count max-columns type type-not replace sort sortr max-depth max-filesize pre encoding engine color colors ignore ignore-dir",
        },
        skip: patternCount,
        texts: [
          "e",
          "regexp",
          "g",
          "glob",
          "iglob",
          "t",
          "T",
          "type",
          "type-not",
          "r",
          "replace",
          "sort",
          "sortr",
          "E",
          "encoding",
          "color",
          "colors",
          "ignore",
          "ignore-dir",
          "engine",
          "pre",
        ],
        silent: ["q", "quiet", "c", "count", "l", "files-with-matches", "files-without-match", "count-matches", "files", "L"],
        plain: (options) => wholeMatches(options) && !options.has("r", "replace"),
        excerpt: (options) => (name === "rg" ? searched(options, "extended") : undefined),
        folder: (_options, invocation) => invocation.stdin.length === 0,
      });
    case "sed":
    case "gsed":
      return sed;
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
    case "goawk":
      return awk;
    case "cut":
      return cutting;
    case "column":
      return filter({
        table: {
          short: "csoNWRTHOEnlx",
          long: "columns separator output-separator table-columns table-wrap table-name table-order table-hide table-right",
        },
        texts: ["s", "o", "N", "W", "O", "n", "separator", "output-separator", "table-columns", "table-name", "table-order"],
        plain: true,
      });
    case "fmt":
      return filter({ table: { short: "wpg", long: "width prefix goal" }, plain: true });
    case "pr":
      return filter({
        table: { short: "hlowWND", long: "header length width page-width date-format" },
        plain: true,
        texts: ["h", "header", "D", "date-format"],
      });
    case "paste":
      return filter({ table: { short: "d", long: "delimiters" }, plain: true });
    case "join":
      return filter({ table: { short: "12aejotv" }, plain: true });
    case "comm":
    case "diff":
    case "diff3":
    case "sdiff":
    case "zdiff":
    case "wdiff":
    case "icdiff":
    case "difft":
      return filter({
        table: { short: "CUWLIFxX", long: "context unified width label ignore-matching-lines exclude exclude-from color" },
        texts: ["L", "label", "I", "ignore-matching-lines", "F", "x", "exclude", "color"],
        plain: true,
        silent: ["q", "brief"],
      });
    case "strings":
      return filter({ table: { short: "ntesT", long: "bytes radix encoding output-separator target" }, plain: true });
    case "jq":
    case "gojq":
    case "jaq":
    case "yq":
    case "tomlq":
    case "xq":
    case "dasel":
    case "fx":
      return jq;
    case "xmllint":
    case "xmlstarlet":
    case "hcl2json":
    case "envsubst":
    case "csvcut":
    case "csvlook":
      return filter({ plain: true });
    case "mlr":
      return miller;
    case "tr":
      return translate;
    case "rev":
    case "fold":
    case "iconv":
    case "base64":
    case "gbase64":
    case "base32":
    case "basenc":
    case "base58":
    case "xxd":
    case "od":
    case "hd":
    case "hexdump":
    case "hexyl":
    case "uuencode":
    case "uudecode":
    case "rot13":
    case "figlet":
    case "toilet":
    case "qrencode":
    case "caesar":
    case "lolcat":
    case "cowsay":
    case "json_pp":
    case "ascii85":
    case "mimencode":
      return coder;
    case "split":
    case "csplit":
      return split;
    default:
      return undefined;
  }
}

/** `cat f` passes a file on as it lies there. */
function concatenation(invocation: Invocation): void {
  const [operand, ...more] = invocation.args;
  if (operand === undefined || more.length > 0 || operand.text.startsWith("-")) return CONCATENATION(invocation);
  invocation.printWhole(operand);
}

const CONCATENATION = filter({ plain: true, table: {} });

/** Characters of a login that tell nothing of it. */
const SHOWN_CHARS = 4;

/** `grep -v password`, `grep ^username`: the line with the login does not come through. */
function leavesLogin(options: Options): boolean {
  const pattern = options.value("e", "regexp") ?? options.operands[0];
  if (pattern === undefined || !pattern.exact || options.has("o", "only-matching")) return false;
  if (options.has("v", "invert-match")) return /^\^?(?:password|passwd|secret|token)=?$/i.test(pattern.text);
  return /^\^(?:username|host|protocol|path|user|server|name|region|account|email)\b[=: ]?$/i.test(pattern.text);
}

function cutting(invocation: Invocation): void {
  const table: OptionTable = { short: "bcdf", long: "bytes characters delimiter fields output-delimiter" };
  const text = staticText(invocation.stdin);
  const known = text === undefined ? undefined : cutText(text, invocation.options(table));
  if (known !== undefined) return invocation.print([{ from: "text", text: known, plain: true }]);
  filter({
    table,
    texts: ["b", "c", "d", "f", "bytes", "characters", "delimiter", "fields", "output-delimiter"],
    plain: (options) => !options.has("b", "c", "bytes", "characters"),
    excerpt: cutParts,
    exact: () => true,
    drops: (options) => {
      const range = /^(\d)?-?(\d)$/.exec(options.value("b", "c", "bytes", "characters")?.text ?? "");
      return range !== null && Number(range[2]) - Number(range[1] ?? 1) < SHOWN_CHARS;
    },
  })(invocation);
}

/** A pattern is an operand unless `-e`/`-f` gave it. */
function patternCount(options: Options): number {
  return options.has("e", "regexp", "f", "file", "files") ? 0 : 1;
}

/** `grep -o` prints pieces; only a pattern that takes the rest of the line, or names before `=`, keeps values whole. */
function wholeMatches(options: Options): boolean {
  if (!options.has("o", "only-matching")) return true;
  const pattern = options.value("e", "regexp") ?? options.operands[0];
  return pattern !== undefined && pattern.exact && /\.[*+]\$?$|^\^\[(?:\^=|A-Z[A-Za-z0-9_-]{0,12})\][*+]=?$/.test(pattern.text);
}

/** Options with a value, by encoder. */
function coderTable(name: string): OptionTable {
  switch (name) {
    case "xxd":
      // One dash stands in front of whole words (`-ps`), so letters are never joined.
      return { single: true, long: "c cols g groupsize l len o off s skip seek n name R" };
    case "od":
      return { short: "AjNSt", long: "address-radix skip-bytes read-bytes format" };
    case "hexdump":
    case "hd":
      return { short: "efns", long: "" };
    case "hexyl":
      return { short: "ncsob", long: "length bytes skip block-size display-offset border color panels group-size base" };
    case "iconv":
      return { short: "fto", long: "from-code to-code output" };
    case "fold":
      return { short: "w", long: "width" };
    case "qrencode":
      return { short: "ostlrmSdv", long: "output read-from size type level" };
    case "base64":
    case "gbase64":
    case "base32":
    case "basenc":
      return { short: "wbo", long: "wrap break output" };
    case "figlet":
    case "toilet":
    case "cowsay":
      return { short: "fdwTeWC", long: "font width" };
    default:
      return {};
  }
}

/** Options of encoders whose value is a keyword, a format or a place to write to. */
const CODER_TEXTS = [
  "f",
  "t",
  "e",
  "A",
  "o",
  "output",
  "from-code",
  "to-code",
  "format",
  "address-radix",
  "R",
  "n",
  "name",
  "border",
  "color",
];

/** Encoders and decoders: named files or standard input. A text of the call itself is decoded here. */
function coder(invocation: Invocation): void {
  const { name } = invocation;
  const options = invocation.options(coderTable(name));
  const files = name === "xxd" ? options.operands.slice(0, 1) : options.operands;
  const output =
    name === "xxd"
      ? options.operands[1]
      : (options.value("output") ?? (/^(?:xxd|od|hexdump|hd|hexyl)$/.test(name) ? undefined : options.value("o")));
  const input = options.value("read-from", "r");
  const texts = name === "hexdump" || name === "hd" ? CODER_TEXTS.filter((one) => one !== "f") : CODER_TEXTS;
  const read = invocation.readAll([...(name === "qrencode" && input !== undefined ? [input] : files), ...swallowed(options, texts)]);
  const text = staticText(read);
  const plain = text === undefined ? undefined : decoded(name, text, options);
  const sources: readonly Source[] = plain === undefined ? transformed(read) : [{ from: "text", text: plain, plain: true }];
  if (output !== undefined) invocation.write(output, sources);
  else invocation.print(sources);
}

/** What a decoder prints for a known text; undefined for an encoder. */
function decoded(name: string, text: string, options: Options): string | undefined {
  if (text.length > CHOSEN.word_chars) return undefined;
  if (name === "rev")
    return text
      .split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n");
  if (/^g?base64$/.test(name) && options.has("d", "D", "decode")) return Buffer.from(text, "base64").toString("utf8");
  if (name === "xxd" && options.has("r", "revert") && options.has("p", "ps", "plain", "postscript"))
    return Buffer.from(text.replace(/\s+/g, ""), "hex").toString("utf8");
  return undefined;
}

/** `shuf f`, `shuf -e words`, `shuf -i 1-9`. */
function shuffled(invocation: Invocation): void {
  const options = invocation.options({ short: "inor", long: "input-range head-count output random-source" });
  const output = options.value("o", "output");
  const sources = options.has("i", "input-range")
    ? [{ from: "unknown" } as const]
    : options.has("e", "echo")
      ? unique(options.operands.flatMap(argumentSources))
      : invocation.readAll(options.operands);
  if (output === undefined) invocation.print(sources);
  else invocation.write(output, sources);
}

/** `mlr cat then sort -f a f`: the chain of verbs ends where only the verbs tell, and the files are the last words. */
function miller(invocation: Invocation): void {
  const words = invocation.options({ long: "from ifs ofs fs ips ops ps irs ors rs nr-progress-mod load mload" });
  const files = [...words.values("from"), ...words.operands.slice(1).filter(({ text }) => /[./]/.test(text))];
  invocation.print(files.length === 0 ? invocation.stdin : unique([...invocation.stdin, ...invocation.readAll(files)]));
}

/** Every piece holds a part of what is split: all of their names count. */
function split(invocation: Invocation): void {
  const byContext = invocation.name === "csplit";
  const options = invocation.options(
    byContext
      ? { short: "fbn", long: "prefix suffix-format digits" }
      : { short: "abClnt", long: "suffix-length bytes line-bytes lines number additional-suffix filter separator" },
  );
  const sources = transformed(invocation.readAll(options.operands.slice(0, 1)));
  if (sources.length === 0) return;
  const command = options.value("filter");
  if (command !== undefined)
    return invocation.shell.runText(
      command.text,
      { ...invocation.io, stdin: sources },
      { same: false, remote: false, environment: new Map() },
    );
  // `-n 2/3` prints that piece.
  if (/^(?:[lr]\/)?\d{1,9}\/\d{1,9}$/.test(options.value("n", "number")?.text ?? "") && !byContext) return invocation.print(sources);
  const prefix = (byContext ? options.value("f", "prefix") : options.operands[1]) ?? literal(byContext ? "xx" : "x");
  for (const suffix of byContext ? contextSuffixes(options) : suffixes(options)) {
    const { written, path } = invocation.file({ ...prefix, text: prefix.text + suffix });
    invocation.shell.writeFile({ written, path }, sources, false);
  }
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX_DIGITS = `${DIGITS}abcdef`;

/** `aa`, `ab` …, or numbers from a first one on (`-d`, `-x`); how many there will be is not known. */
function suffixes(options: Options): readonly string[] {
  const hex = options.has("x", "hex-suffixes");
  const numeric = options.has("d", "numeric-suffixes");
  const digits = hex ? HEX_DIGITS : numeric ? DIGITS : ALPHABET;
  const first = Number.parseInt(options.value("numeric-suffixes", "hex-suffixes")?.text ?? "0", digits.length) || 0;
  const parts = Number(options.value("n", "number")?.text.replace(/^.{0,20}\//, "") ?? Number.NaN);
  const length = Number(options.value("a", "suffix-length")?.text ?? 0) || Math.max(2, lengthFor(parts, digits.length));
  const count = Math.min(CHOSEN.split_pieces, parts > 0 ? parts : CHOSEN.split_pieces, digits.length ** Math.min(length, 3));
  const after = options.value("additional-suffix")?.text ?? "";
  return Array.from({ length: count }, (_, index) => suffix(first + index, digits, length) + after);
}

/** Digits that many pieces need. */
function lengthFor(parts: number, base: number): number {
  return parts > 1 ? Math.ceil(Math.log(parts) / Math.log(base)) : 1;
}

function suffix(number: number, digits: string, length: number): string {
  let text = "";
  for (let left = number; text.length < Math.min(length, CHOSEN.split_suffix_chars); left = Math.floor(left / digits.length))
    text = (digits[left % digits.length] as string) + text;
  return text;
}

function contextSuffixes(options: Options): readonly string[] {
  const format = /^([^%]{0,100})%0?(\d?)d([^%]{0,100})$/.exec(options.value("b", "suffix-format")?.text ?? "");
  const length = Number(format?.[2] || (options.value("n", "digits")?.text ?? 2)) || 2;
  return Array.from(
    { length: CHOSEN.split_pieces },
    (_, index) => (format?.[1] ?? "") + String(index).padStart(Math.min(length, CHOSEN.split_suffix_chars), "0") + (format?.[3] ?? ""),
  );
}

/** `tr` on white space and quotes keeps values whole; any other set rewrites them. */
function translate(invocation: Invocation): void {
  const options = invocation.options({});
  const text = staticText(invocation.stdin);
  const known = text === undefined || text.length > CHOSEN.translated_chars ? undefined : translated(text, options);
  if (known !== undefined) return invocation.print([{ from: "text", text: known, plain: true }]);
  const harmless = (argument: Argument): boolean =>
    argument.exact && /^(?:\\[nrt0]|\\?["' ,;:]|\[:space:\]|\[:blank:\]|\\012|\\015){0,16}$/.test(argument.text);
  if (options.operands.every(harmless)) invocation.print(invocation.stdin);
  else invocation.printTransformed(invocation.stdin);
}

/** What `tr` makes of a known text; undefined for sets that are not read. */
function translated(text: string, options: Options): string | undefined {
  if (options.options.some(({ name }) => name !== "d" && name !== "delete") || options.operands.some(({ exact }) => !exact))
    return undefined;
  const from = trSet(options.operands[0]?.text ?? "");
  const to = trSet(options.operands[1]?.text ?? "");
  if (from === undefined || to === undefined) return undefined;
  if (options.options.length > 0) return [...text].filter((char) => !from.includes(char)).join("");
  if (to.length === 0) return undefined;
  return [...text].map((char) => (from.includes(char) ? (to[Math.min(from.lastIndexOf(char), to.length - 1)] ?? char) : char)).join("");
}

/** The characters of a set such as `a-z_\n`. */
function trSet(written: string): string[] | undefined {
  if (written.length > 200) return undefined;
  const classes: Readonly<Record<string, string>> = {
    "[:lower:]": "a-z",
    "[:upper:]": "A-Z",
    "[:digit:]": "0-9",
    "[:alpha:]": "A-Za-z",
    "[:space:]": " \t\n\r",
  };
  const set = unescape(classes[written] ?? written);
  const found: string[] = [];
  for (let at = 0; at < set.length; at++) {
    const last = set.charCodeAt(at + 2);
    if (set[at + 1] === "-" && at + 2 < set.length) {
      for (let code = set.charCodeAt(at); code <= last && found.length < 1024; code++) found.push(String.fromCharCode(code));
      at += 2;
    } else found.push(set[at] as string);
  }
  return /[[\]]/.test(set) ? undefined : found;
}

/** `cut -d… -f…` and `cut -c…` on a known text; undefined for what is not read. */
function cutText(text: string, options: Options): string | undefined {
  if (
    text.length > CHOSEN.word_chars ||
    options.options.some(({ name, value }) => value?.exact !== true || !/^(?:d|f|c|b|delimiter|fields|characters|bytes)$/.test(name))
  )
    return undefined;
  const list = options.value("f", "fields") ?? options.value("c", "b", "characters", "bytes");
  const range = /^(\d{1,6})?(-)?(\d{1,6})?$/.exec(list?.text ?? "");
  if (range === null || list === undefined || options.operands.length > 0) return undefined;
  const first = Number(range[1] ?? 1);
  const last = range[3] !== undefined ? Number(range[3]) : range[2] === undefined ? first : Number.POSITIVE_INFINITY;
  const byField = options.has("f", "fields");
  const mark = byField ? (options.value("d", "delimiter")?.text ?? "\t") : "";
  return text.replace(/[^\n]+/g, (line) => {
    const pieces = line.split(mark);
    return byField && pieces.length === 1 ? line : pieces.slice(first - 1, last).join(mark);
  });
}

function sed(invocation: Invocation): void {
  const options = invocation.options({ short: "efl", long: "expression file line-length" });
  const inline = options.options.some((option) => option.name === "i" || option.name === "in-place" || option.name === "I");
  const given = options.values("e", "expression");
  const hasScript = given.length > 0 || options.has("f", "file");
  // BSD sed takes the suffix of -i as its own argument: `-i ''`.
  let operands = options.operands;
  if (inline && operands[0]?.text === "" && operands[0].exact) operands = operands.slice(1);
  const scripts = hasScript ? given : operands.slice(0, 1);
  const files = hasScript ? operands : operands.slice(1);
  for (const script of scripts) {
    // GNU sed's `w file` and `e` are rare; their presence is a doubt, not a reading.
    if (/(?:^|[;}/\d$gp])\s{0,8}e(?:\s|$)/.test(script.text) || /\/[gIp0-9]{0,8}e[gIp]{0,8}$/.test(script.text))
      invocation.doubt("sed runs a command");
    const target = /(?:^|[;}/\dgp])w\s{1,8}([^\s;}]{1,1024})$/.exec(script.text);
    for (const part of script.text.split(/[;\n]/)) {
      const read =
        /^[\s{]{0,64}(?:\d{1,9}|\$|\/[^/]{0,200}\/I?)?(?:,(?:[+~]?\d{1,9}|\$|\/[^/]{0,200}\/I?))?[!\s]{0,8}[rR]\s{0,8}([^\s}]{1,1024})[\s}]{0,64}$/.exec(
          part,
        );
      if (read !== null && !inline) invocation.print(invocation.read({ text: read[1] ?? "", exact: script.exact, sources: [] }));
    }
    if (target !== null) invocation.write({ text: target[1] ?? "", exact: script.exact, sources: [] }, invocation.readAll(files));
  }
  if (inline) {
    for (const file of files) {
      invocation.change(
        file,
        "edit",
        scripts.every(({ exact }) => exact) && !options.has("f", "file") ? touchedLines(scripts.map(({ text }) => text)) : undefined,
      );
      const texts = scripts.flatMap((script) =>
        script.text === "" ? [] : [{ from: "text", text: script.text, plain: true } as const, ...script.sources],
      );
      if (texts.length > 0) invocation.emit({ kind: "write", file: invocation.file(file), sources: texts, append: true });
    }
    return;
  }
  const part = scripts.length === 0 || files.length > 1 ? undefined : sedPart(scripts, options);
  const sources = invocation.readParts(files, part);
  if (scripts.length > 0 && scripts.every((script) => script.exact && keepsValues(script.text)) && !options.has("f", "file"))
    invocation.printParts(sources, part);
  else invocation.printTransformed(sources);
}

/** Texts of which a line has to hold one to be touched by these sed scripts; undefined when that cannot be told. */
function touchedLines(scripts: readonly string[]): readonly string[] | undefined {
  const found: string[] = [];
  for (const script of scripts) {
    for (const part of script.split(/[;\n]/)) {
      const text = part.trim();
      if (text === "" || /^(?:\d{1,9}|\$)?[aiAI]\\?(?:\s|$)/.test(text)) continue; // adds lines only
      const pattern =
        /^\/((?:[^/\\]|\\.){1,200})\/I?[d]$/.exec(text)?.[1] ??
        /^s([/|#,@!])((?:(?!\1)[^\\]|\\.){1,200})\1(?:(?!\1)[^\\]|\\.){0,200}\1[gIp\d]{0,4}$/.exec(text)?.[2];
      if (pattern === undefined || /[*[\]+?(){}|]|\\[^./$^*|#,@!-]/.test(pattern)) return undefined;
      const pieces = pattern.replace(/\\(.)/g, "$1").split(/[.^$]/);
      const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), "");
      if (longest === "") return undefined;
      found.push(longest);
    }
  }
  return found;
}

/** Whether a sed script only selects lines, cuts off line ends, or removes a fixed beginning. */
function keepsValues(script: string): boolean {
  if (script.length > 1024) return false;
  return script.split(/[;\n]/).every((part) => {
    let text = part.trim();
    // An address: numbers, `$`, `/pattern/`, one or two of them.
    for (let count = 0; count < 2; count++) {
      const address = /^(?:\+?\d{1,9}|\$|\/[^/]{0,200}\/I?)/.exec(text);
      if (address === null) break;
      text = text.slice(address[0].length).replace(/^[,! ]{1,4}/, "");
    }
    text = text.replace(/[{}\s]/g, (char) => (char === " " ? " " : "")).trim();
    if (/^[pdqQ=nN]?\d{0,3}$/.test(text)) return true;
    if (text[0] !== "s" || text.length < 4) return false;
    const [pattern, replacement, flags] = text.slice(2).split(text[1] as string);
    if (pattern === undefined || replacement === undefined || /[&\\]/.test(replacement) || /e/.test(flags ?? "")) return false;
    return /\.\*\$?$/.test(pattern) || /^\^[A-Za-z0-9_ #-]{0,64}$/.test(pattern);
  });
}

function awk(invocation: Invocation): void {
  const options = invocation.options({ short: "Fvf", long: "field-separator assign file source" });
  const fromFile = options.has("f", "file");
  const script = fromFile ? undefined : (options.value("source") ?? options.operands[0]);
  const files = options.operands.slice(fromFile ? 0 : 1).filter((operand) => !/^[A-Za-z_]\w{0,63}=/.test(operand.text));
  const text = script?.text ?? "";
  const known = script !== undefined && script.exact && text.length <= 4096;
  const named: Argument[] = [];
  if (fromFile) for (const file of options.values("f", "file")) invocation.complain(file);
  const strings = stringLiterals(text, false).map((found) => ({
    argument: { text: found.value, exact: true, sources: [] } as Argument,
    before: text.slice(Math.max(0, found.start - 24), found.start).trimEnd(),
    after: text.slice(found.end, found.end + 16).trimStart(),
  }));
  for (const { argument, before, after } of strings) {
    if (!/\bsystem\s{0,4}\($/.test(before) && !before.endsWith("|") && !after.startsWith("|")) continue;
    invocation.script(argument);
    invocation.doubt("awk runs a command");
  }
  if (text.includes("getline") || text.includes("ARGV")) {
    // `-v f=…`, `f=…` and plain operands may be what `getline < f` reads.
    const assigned = [...options.values("v", "assign"), ...options.operands.filter((operand) => /^[A-Za-z_]\w{0,63}=/.test(operand.text))];
    named.push(...assigned.map((one) => sliceArgument(one, one.text.indexOf("=") + 1)));
    for (const match of text.matchAll(/\b[A-Za-z_]\w{0,63}\s{0,4}=\s{0,4}"([^"\n]{1,1024})"/g)) named.push(literal(match[1] ?? ""));
  }
  if (/(?:^|\s)-i\s{0,4}inplace|--include=inplace/.test(invocation.args.map((argument) => argument.text).join(" ")))
    for (const file of files) invocation.change(file, "edit");
  const begins = /^\s{0,64}BEGIN\s{0,8}\{[^}]{0,4000}\}\s{0,64}$/.test(text);
  const part =
    script === undefined || files.length > 1 || options.operands.length !== files.length + (options.has("source") ? 0 : 1)
      ? undefined
      : awkPart(script, options);
  const sources = begins && files.length === 0 ? [] : invocation.readParts(files, part);
  if (named.length > 0) sources.push(...invocation.readAll(named));
  for (const { argument, before } of strings) {
    if (before.endsWith("<") && text.includes("getline")) sources.push(...invocation.read(argument));
    else if (before.endsWith(">")) invocation.write(argument, sources, true);
  }
  if (/ENVIRON/.test(text)) sources.push({ from: "environment", name: /ENVIRON\["(\w{1,128})"\]/.exec(text)?.[1], plain: true });
  const whole =
    known &&
    !/\b(?:substr|gsub|sub|gensub|split|toupper|tolower|sprintf|printf|reverse|strftime|index|match)\b|FS\s{0,8}=\s{0,8}""|-F\s{0,8}""/.test(
      text,
    ) &&
    options.value("F")?.text !== "";
  if (whole) invocation.print(sources);
  else invocation.printTransformed(sources);
}

function jq(invocation: Invocation): void {
  const options = invocation.options({ short: "fL", long: "from-file indent" });
  const text = invocation.args.map((argument) => argument.text).join(" ");
  if (invocation.name === "yq" && options.has("i", "inplace", "in-place")) {
    for (const file of options.operands.slice(1)) invocation.change(file, "edit");
    return;
  }
  if (/\b(?:length|keys|type|has)\b[^|]{0,20}$/.test(text.slice(0, 2000)) && !/\.\w/.test(text)) return;
  // Names, a count or nothing of the document come out.
  if (invocation.args.some(({ text: program, exact }) => exact && NAMES_ONLY.test(program))) return;
  // --arg NAME VALUE and --rawfile NAME FILE take two words.
  const args = [...invocation.args];
  const files: Argument[] = [];
  let filterSeen = options.has("f", "from-file");
  const sources = [];
  let nullInput = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    if (/^--(?:arg|argjson)$/.test(argument.text)) {
      sources.push(...(args[at + 2]?.sources ?? []));
      const value = args[at + 2];
      if (value !== undefined && value.text !== "") sources.push({ from: "text", text: value.text, plain: true } as const);
      at += 2;
    } else if (/^--(?:slurpfile|rawfile)$/.test(argument.text)) {
      const file = args[at + 2];
      if (file !== undefined) sources.push(...invocation.read(file));
      at += 2;
    } else if (/^--(?:indent|from-file)$|^-[fL]$/.test(argument.text)) at++;
    else if (argument.text === "-" && argument.exact) files.push(argument);
    else if (argument.text.startsWith("-")) nullInput ||= /^-[a-zA-Z]{0,8}n|^--null-input$/.test(argument.text);
    else if (!filterSeen && !/^(?:eval|e|eval-all|ea)$/.test(argument.text)) filterSeen = true;
    else if (filterSeen) files.push(argument);
  }
  if (!nullInput || files.length > 0) sources.push(...invocation.readParts(files, queriedPart(invocation.name, invocation.args, options)));
  const program = args.find((argument) => !argument.text.startsWith("-"))?.text ?? "";
  if (/\benv\b|\$ENV/.test(program))
    sources.push({ from: "environment", name: /(?:\benv|\$ENV)\.(\w{1,128})/.exec(program)?.[1], plain: true } as const);
  if (
    /@(?:base64|base32|uri|html|sh|csv|tsv)\b|explode|split\(|gsub|\bsub\(|\[\d{0,6}:\d{0,6}\]|ascii_|tojson|reverse|ltrimstr|rtrimstr/.test(
      text,
    )
  )
    invocation.printTransformed(sources);
  else invocation.print(sources);
}

/** `empty`, `.a | keys[]`, `.b|length`. */
const NAMES_ONLY = /^(?:[.\w]{1,200} {0,4}\| {0,4})?(?:keys(?:_unsorted)?(?:\[\])?|length|type|empty)$/;

/** `crudini --get f section key` prints, `--set` writes. */
function crudini(invocation: Invocation): void {
  const options = invocation.options({ long: "format existing output" });
  const [file, ...values] = options.operands;
  if (file === undefined) return;
  if (options.has("set", "del", "merge")) {
    invocation.change(file, "edit");
    invocation.emit({ kind: "write", file: invocation.file(file), sources: values.flatMap(argumentSources), append: true });
  } else if (options.has("get")) invocation.print(invocation.read(file));
}

/** A compiler prints a preprocessed file, and quotes the lines it does not understand. */
function compiler(invocation: Invocation): void {
  const options = invocation.options({ short: "oIDULlxBTu", long: "param" });
  if (options.has("E") || options.options.some(({ name }) => name === "x")) invocation.print(invocation.readAll(options.operands));
  else invocation.print([{ from: "unknown" }]);
}

/** `date -f f` quotes every line it does not understand. */
function date(invocation: Invocation): void {
  const options = invocation.options({ short: "dfrsv", long: "date file reference set" });
  for (const file of options.values("f", "file")) if (!file.text.includes("%")) invocation.tell(invocation.read(file));
  invocation.print([{ from: "unknown" }]);
}

/** Takes all input, then writes it to the file. */
function sponge(invocation: Invocation): void {
  const options = invocation.options({});
  const [target] = options.operands;
  if (target === undefined) invocation.print(invocation.stdin);
  else invocation.write(target, invocation.stdin, options.has("a"));
}

/** Editors: a file opened is shown only by the batch modes that print. */
function editor(invocation: Invocation): void {
  const options = invocation.options({ short: "cSTuUWw", long: "cmd" });
  const commands = invocation.args.map((argument) => argument.text).join(" ");
  const prints =
    /(?:%|\d)?p(?:rint)?\b|:?w\s{0,4}!|\bprint\b|cat\b/.test(commands) &&
    (options.has("c", "cmd", "e", "es", "s") || invocation.name === "ex" || commands.includes("+"));
  const files = options.operands.filter((operand) => !operand.text.startsWith("+"));
  const scripted = /%p|,p|\bp\b/.test(invocation.stdin.map((source) => (source.from === "text" ? source.text : "")).join(""));
  const input = invocation.stdin.map((source) => (source.from === "text" ? source.text : "")).join("");
  if (/(?:^|[\s|;+'":])(?:w|wq|x|wa|wqa|xa|update|up)!?(?:$|[\s|;'"])/m.test(`${commands}\n${input}`))
    for (const file of files) invocation.change(file, "edit");
  for (const match of commands.matchAll(/(?:^|[\s|+:])!([^|'"]{1,1000})/g)) invocation.script(literal(match[1] ?? ""));
  if (prints || scripted) invocation.print(invocation.readAll(files.length > 0 ? files : []));
}
