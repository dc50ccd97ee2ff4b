/** Text tools: what prints a file as it is, what changes it, what only counts. */
import { argumentSources, staticText, unique } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";
import { bareLines, cutParts, endLines, searched } from "./excerpts.ts";
import { filter } from "./filter.ts";
import { coder } from "./coders.ts";
import { editor } from "./editors.ts";
import { gomplate, included, including } from "./includes.ts";
import { awk, jq, miller } from "./queries.ts";
import { split } from "./split.ts";
import { cutText, translate } from "./translate.ts";
import { sed } from "./sed.ts";

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
    case "colordiff":
    case "bzless":
    case "xzless":
    case "glow":
    case "mdcat":
    case "bc":
    case "dc":
    case "tsort":
    case "ptx":
    case "yamllint":
    case "jsonlint":
    case "shellcheck":
    case "pandoc":
    case "view":
    case "vimdiff":
    case "vimcat":
    case "pdftotext":
    case "antiword":
    case "rst2html":
    case "markdown":
    case "mandoc":
    case "html2text":
    case "par":
      return filter({
        plain: true,
        table: { short: "fto", long: "from to output metadata variable" },
        texts: ["f", "t", "from", "to", "metadata", "variable"],
      });
    case "m4":
    case "cpp":
    case "xsltproc":
    case "groff":
    case "nroff":
    case "troff":
    case "soelim":
    case "asciidoctor":
      return including;
    case "gomplate":
      return gomplate;
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
        names: ["l", "files-with-matches", "L", "files-without-match"],
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
        names: ["l", "files-with-matches", "files-without-match", "files"],
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
    case "dos2unix":
    case "unix2dos":
      return lineEnds;
    case "gron":
    case "jless":
    case "jnv":
    case "objdump":
      return filter({ table: { short: "bmjMdDlSE", long: "target architecture section start-address stop-address" }, plain: false });
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
      return including;
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

/** `dos2unix f` changes the file; without one what comes in goes on. */
function lineEnds(invocation: Invocation): void {
  const { operands } = invocation.options({ short: "cD", long: "convmode display-enc" });
  if (operands.length === 0) invocation.print(invocation.stdin);
  for (const operand of operands) invocation.change(operand, "edit");
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
  const taken = included(invocation, options.operands);
  if (options.has("E") || options.options.some(({ name }) => name === "x"))
    return invocation.print([...invocation.readAll(options.operands), ...taken]);
  invocation.complainOf(taken);
  invocation.print([{ from: "unknown" }]);
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
