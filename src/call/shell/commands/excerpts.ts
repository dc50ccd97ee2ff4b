/** What a text tool's options let through of the files it opens, where they tell that exactly. */
import type { Argument, Excerpt, Span } from "../../effect.ts";
import { type Dialect, linePattern } from "../../pattern-excerpt.ts";
import { isReadable } from "../../query.ts";
import type { Options } from "../options.ts";

/** What `head` and `tail` print; undefined where an option makes it more than a number of whole lines, or of first bytes. */
export function endLines(options: Options, kind: "first lines" | "last lines"): Excerpt | undefined {
  let count = "10";
  let bytes: string | undefined;
  for (const { name, value } of options.options) {
    if (name === "n" || name === "lines") count = value?.exact === true ? value.text : "";
    else if (name === "c" || name === "bytes") bytes = value?.exact === true ? value.text : "";
    else if (/^\d{1,9}$/.test(name)) count = name;
    else if (!/^(?:q|quiet|silent|v|verbose)$/.test(name)) return undefined;
  }
  if (bytes !== undefined)
    return kind === "first lines" && /^\d{1,9}$/.test(bytes) ? { kind: "first bytes", count: Number(bytes) } : undefined;
  return /^\d{1,9}$/.test(count) ? { kind, count: Number(count) } : undefined;
}

/** Options that leave the chosen lines as they are and choose no other ones. */
const LINE_FLAGS = new Set(
  (
    "i n N H I h s a E F G S b w x o v ignore-case smart-case line-number no-line-number with-filename no-filename no-heading no-messages text " +
    "extended-regexp fixed-strings basic-regexp only-matching invert-match color colour e regexp m max-count"
  ).split(" "),
);

/** Whether a search prints its lines, or what it finds, and nothing in front of them. */
export function bareLines(options: Options): boolean {
  const bare = /^(?:i|E|F|G|v|o|e|s|a|ignore-case|extended-regexp|fixed-strings|basic-regexp|invert-match|only-matching|regexp)$/;
  return options.operands.length <= 2 && options.options.every(({ name }) => bare.test(name));
}

/** The lines of a search, or what it finds in them; undefined when the pattern or an option makes it more than that. */
export function searched(options: Options, dialect: Dialect): Excerpt | undefined {
  if (!options.options.every(({ name }) => LINE_FLAGS.has(name))) return undefined;
  const patterns = options.values("e", "regexp");
  const pattern = patterns[0] ?? options.operands[0];
  if (pattern === undefined || !pattern.exact || patterns.length > 1) return undefined;
  const written: Dialect = options.has("F", "fixed-strings") ? "fixed" : options.has("E", "extended-regexp") ? "extended" : dialect;
  const only = options.has("o", "only-matching");
  const inverted = options.has("v", "invert-match");
  // Of lines that are left out more may come through than are told.
  if (inverted && (only || options.has("w", "x", "S", "smart-case"))) return undefined;
  const line = linePattern(pattern.text, written, options.has("i", "ignore-case", "S", "smart-case"), only, !only);
  if (line === undefined) return undefined;
  return only ? { kind: "matches", pattern: line } : { kind: "lines matching", pattern: line, inverted };
}

/** `2`, `1,3`, `2-4`, `3-`. */
function spansOf(list: Argument | undefined): readonly Span[] | undefined {
  if (list?.exact !== true || !/^(?:\d{1,6}(?:-\d{0,6})?|-\d{1,6})(?:,(?:\d{1,6}(?:-\d{0,6})?|-\d{1,6})){0,20}$/.test(list.text))
    return undefined;
  return list.text.split(",").map((part): Span => {
    const [first = "", last] = part.split("-");
    return [Number(first === "" ? "1" : first), last === undefined ? Number(first) : Number(last === "" ? "0" : last)];
  });
}

/** What `cut` prints. */
export function cutParts(options: Options): Excerpt | undefined {
  if (!options.options.every(({ name }) => /^(?:d|f|c|b|s|delimiter|fields|characters|bytes|only-delimited)$/.test(name))) return undefined;
  const delimiter = options.value("d", "delimiter") ?? { text: "\t", exact: true, sources: [] };
  const fields = spansOf(options.value("f", "fields"));
  const columns = spansOf(options.value("c", "b", "characters", "bytes"));
  if (fields === undefined) return columns === undefined ? undefined : { kind: "columns", spans: columns };
  if (columns !== undefined || !delimiter.exact || delimiter.text.length !== 1) return undefined;
  return { kind: "fields", separator: delimiter.text, spans: fields, whole: !options.has("s", "only-delimited") };
}

/** What a sed script prints: chosen lines, or all with something replaced. */
export function sedPart(scripts: readonly Argument[], options: Options): Excerpt | undefined {
  const understood = /^(?:n|quiet|silent|e|expression|E|r|regexp-extended)$/;
  if (scripts.some(({ exact }) => !exact) || !options.options.every(({ name }) => understood.test(name))) return undefined;
  const quiet = options.has("n", "quiet", "silent");
  const dialect: Dialect = options.has("E", "r", "regexp-extended") ? "extended" : "basic";
  const text = scripts
    .map((script) => script.text)
    .join("\n")
    .trim();
  const [, first, last, verb] = /^(\d{1,9})(?:,(\d{1,9}|\$))?([pqd])$/.exec(text) ?? [];
  if (first !== undefined) {
    if (verb === "p" && quiet)
      return { kind: "lines", span: [Number(first), last === undefined ? Number(first) : last === "$" ? 0 : Number(last)] };
    if (verb === "q" && !quiet && last === undefined) return { kind: "first lines", count: Number(first) };
    if (verb === "d" && !quiet && first === "1" && last !== "$") return { kind: "lines", span: [Number(last ?? "1") + 1, 0] };
    return verb === "d" && !quiet && last === "$" ? { kind: "first lines", count: Number(first) - 1 } : undefined;
  }
  if (text === "$p" && quiet) return { kind: "last lines", count: 1 };
  const [, address, does] = /^\/((?:[^/\\]|\\.){1,200})\/([pd])$/.exec(text) ?? [];
  if (address !== undefined) {
    const pattern = linePattern(address, dialect, false);
    return pattern === undefined || quiet !== (does === "p") ? undefined : { kind: "lines matching", pattern, inverted: does === "d" };
  }
  // Numbers of lines.
  if (/^\/(?:[^/\\]|\\.){1,200}\/=$/.test(text) && quiet) return NOTHING;
  return quiet ? changedLines(text, dialect) : sedSteps(text, dialect);
}

/** Nothing of the file. */
const NOTHING: Excerpt = { kind: "first bytes", count: 0 };

/** `s/a/b/p` alone: the lines that change, as they are then. */
function changedLines(script: string, dialect: Dialect): Excerpt | undefined {
  const [, mark, found = "", by, flags = ""] =
    /^s([/|#,:@!%])((?:(?!\1)[^\\\n]|\\.){1,200})\1((?:(?!\1)[^\\\n]|\\[1-9]){0,200})\1([gI]{0,2})p$/.exec(script) ?? [];
  if (mark === undefined) return undefined;
  const pattern = linePattern(mark === "/" ? found : found.replaceAll(`\\${mark}`, mark), dialect, flags.includes("I"), false, true);
  const change = replacing(mark, found, by, flags, dialect);
  if (pattern === undefined) return undefined;
  // What cannot be worked out comes from these lines all the same.
  const lines: Excerpt = { kind: "lines matching", pattern, inverted: false };
  return change === undefined ? lines : { kind: "then", steps: [lines, change] };
}

/** Commands of a sed script that are followed one after the other. */
const COMMANDS_MAX = 8;

/** `s/a/b/`, `/c/d`, one after the other: what becomes of each line. */
function sedSteps(script: string, dialect: Dialect): Excerpt | undefined {
  const steps: Excerpt[] = [];
  for (let rest = script; rest !== ""; ) {
    const [whole, mark, found, by, flags, address] =
      /^(?:s([/|#,:@!%])((?:(?!\1)[^\\\n]|\\.){1,200})\1((?:(?!\1)[^\\\n]|\\[1-9]){0,200})\1([gI]{0,2})|\/((?:[^/\\\n]|\\.){1,200})\/d)(?:\s{0,64}[;\n]\s{0,64}|$)/.exec(
        rest,
      ) ?? [];
    if (whole === undefined || steps.length >= COMMANDS_MAX) return undefined;
    const step = address === undefined ? replacing(mark, found, by, flags, dialect) : leavingOut(address, dialect);
    if (step === undefined) return undefined;
    steps.push(step);
    rest = rest.slice(whole.length);
  }
  return steps.length > 1 ? { kind: "then", steps } : steps[0];
}

function leavingOut(address: string, dialect: Dialect): Excerpt | undefined {
  const pattern = linePattern(address, dialect, false);
  return pattern && { kind: "lines matching", pattern, inverted: true };
}

function replacing(mark = "/", found = "", by = "", flags = "", dialect: Dialect): Excerpt | undefined {
  const written = mark === "/" ? found : found.replaceAll(`\\${mark}`, mark);
  const pattern = linePattern(written, dialect, flags.includes("I"), true, true);
  const parts = by.split(/(\\\d|&)/).map((part) => (part === "&" ? 0 : part.startsWith("\\") ? Number(part[1]) : part));
  return pattern && { kind: "replaced", pattern, by: parts.filter((part) => part !== ""), all: flags.includes("g") };
}

/** `BEGIN{FS=OFS="="}` in front of a program. */
const AWK_SEPARATOR =
  /^BEGIN\s{0,4}\{\s{0,4}(?:OFS\s{0,4}=\s{0,4})?FS\s{0,4}=\s{0,4}(?:OFS\s{0,4}=\s{0,4})?"([^"\\])"\s{0,4};?\s{0,4}\}\s{0,8};?\s{0,8}/;

/** What an awk program of one rule prints: chosen lines, or fields of all lines or some. */
export function awkPart(program: Argument, options: Options): Excerpt | undefined {
  if (!program.exact || !options.options.every(({ name }) => /^(?:F|field-separator)$/.test(name))) return undefined;
  const [begin = "", own] = AWK_SEPARATOR.exec(program.text.trim()) ?? [];
  const text = program.text.trim().slice(begin.length);
  const separator = own === undefined ? options.value("F", "field-separator") : { text: own, exact: true };
  const [, pattern] = /^\/((?:[^/\\]|\\.){1,200})\/\s{0,4}(?:\{\s{0,4}print(?:\s{0,4}\$0)?\s{0,4};?\s{0,4}\})?$/.exec(text) ?? [];
  if (pattern !== undefined) {
    const line = linePattern(pattern, "extended", false);
    return line === undefined ? undefined : { kind: "lines matching", pattern: line, inverted: false };
  }
  const [, address, action] = /^(?:\/((?:[^/\\]|\\.){1,200})\/|BEGIN|END)\s{0,4}\{([^{}|<>\n]{1,200})\}$/.exec(text) ?? [];
  if (action !== undefined && printsOnly(action)) {
    if (!action.includes("$")) return NOTHING;
    const line = address === undefined ? undefined : linePattern(address, "extended", false);
    const fields = printedFields(text);
    // Which fields they are is told below where the separator is a plain one.
    if (line !== undefined && (fields === undefined || separator !== undefined))
      return { kind: "lines matching", pattern: line, inverted: false };
  }
  const [, sign, count] = /^NR\s{0,4}(==|<=)\s{0,4}(\d{1,9})\s{0,4}(?:\{\s{0,4}print(?:\s{0,4}\$0)?\s{0,4}\})?$/.exec(text) ?? [];
  if (count !== undefined)
    return sign === "==" ? { kind: "lines", span: [Number(count), Number(count)] } : { kind: "first lines", count: Number(count) };
  const fields = printedFields(text);
  if (fields === undefined) return undefined;
  const spans = fields.map((field): Span => [field, field]);
  if (
    spans.some(([first]) => first === 0) ||
    (separator !== undefined && (!separator.exact || !/^(?:\\t|[^\\ ^$.*+?()[\]{}|])$/.test(separator.text)))
  )
    return undefined;
  return { kind: "fields", separator: separator?.text.replace("\\t", "\t") ?? "", spans, whole: false };
}

/** Whether an action of awk does nothing but print fields of the line, counts and texts. */
function printsOnly(action: string): boolean {
  return (
    /^\s{0,4}printf?\b/.test(action) &&
    action.replace(
      /"[^"\\]{0,100}"|\$(?:\d{1,3}|NF|\(NF-\d{1,2}\))|\b(?:printf?|NR|NF|FNR|tolower|toupper|length)\b|[\s,;()+-]|\d/g,
      "",
    ) === ""
  );
}

/** The fields that an awk program of one rule prints, texts between them: `{print $1 "=" tolower($2)}`; undefined for any other. */
function printedFields(program: string): readonly number[] | undefined {
  const open = program.indexOf("{");
  const guard = program.slice(0, Math.max(0, open)).replaceAll('""', "");
  // What stands in front chooses lines, as long as it assigns and calls nothing.
  if (open < 0 || /[()"]/.test(guard) || /=/.test(guard.replace(/[=!<>]=/g, ""))) return undefined;
  const printed = /^\{\s{0,4}print\s{0,4}([^{}\n]{1,200})\}$/.exec(program.slice(open))?.[1] ?? "";
  const fields: number[] = [];
  for (const [part] of printed.replace(/;\s{0,4}$/, "").matchAll(/\$\d{1,3}|to(?:lower|upper)\(|"[^"\\]{0,40}"|[\s,)]|[^]/g)) {
    if (/^\$\d/.test(part)) fields.push(Number(part.slice(1)));
    else if (!/^(?:to|"[^]*"$|[\s,)])/.test(part)) return undefined;
  }
  return fields.length === 0 ? undefined : fields;
}

/** `.a.b[0]["c"]`, and nothing beside it. */
const MEMBER = /^(?:\.[A-Za-z_]\w{0,99}|\.?\[(?:\d{1,9}|"[^"\\]{1,99}")\])+$/;
const JQ_FLAGS = /^(?:r|j|c|M|C|S|e|raw-output|join-output|compact-output|monochrome-output|color-output|sort-keys|exit-status|tab)$/;
const YQ_FLAGS =
  /^-(?:r|e|M|C|P|c|y|N|oj|oy|o=?(?:j|y|json|yaml)|-(?:raw-output|prettyPrint|unwrapScalar|no-colors|no-doc|exit-status|output-format=(?:json|yaml)))$/;

/** What jq or yq prints of each document it is given by name; undefined when the program or an option makes it more. */
export function queriedPart(name: string, args: readonly Argument[], { options }: Options): Excerpt | undefined {
  const words = name === "yq" ? args.filter(({ text }) => !/^(?:e|eval|ea|eval-all)$/.test(text)) : args;
  const program = words.find(({ text }) => !text.startsWith("-"));
  if (program?.exact !== true) return undefined;
  if (name === "yq") {
    if (!words.every(({ text }) => !text.startsWith("-") || YQ_FLAGS.test(text))) return undefined;
    return isReadable(program.text) ? { kind: "query", program: program.text, language: "YAML" } : undefined;
  }
  if (!/^(?:jq|gojq|jaq)$/.test(name) || !options.every((option) => JQ_FLAGS.test(option.name))) return undefined;
  if (MEMBER.test(program.text)) {
    const steps = program.text.match(/[A-Za-z_]\w*|\d+|"[^"]*"/g) ?? [];
    return { kind: "member", path: steps.map((step) => step.replaceAll('"', "")) };
  }
  return isReadable(program.text) ? { kind: "query", program: program.text, language: "JSON" } : undefined;
}
