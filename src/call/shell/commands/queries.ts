/** Query languages over text: `awk`, `jq`, `mlr`. */
import type { Argument } from "../../effect.ts";
import { literal, sliceArgument, unique } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { stringLiterals } from "../../text.ts";
import { awkPart, queriedPart } from "./excerpts.ts";

/** `mlr cat then sort -f a f`: the chain of verbs ends where only the verbs tell, and the files are the last words. */
export function miller(invocation: Invocation): void {
  const words = invocation.options({ long: "from ifs ofs fs ips ops ps irs ors rs nr-progress-mod load mload" });
  const files = [...words.values("from"), ...words.operands.slice(1).filter(({ text }) => /[./]/.test(text))];
  invocation.print(files.length === 0 ? invocation.stdin : unique([...invocation.stdin, ...invocation.readAll(files)]));
}

/** What a program prints of its files: whole values or pieces, and commands that it starts. */
export function awk(invocation: Invocation): void {
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
    for (const match of text.matchAll(/\b[A-Za-z_]\w{0,63}(?:\[[^[\]\n]{0,40}\])?\s{0,4}=\s{0,4}"([^"\n]{1,1024})"/g))
      named.push(literal(match[1] ?? ""));
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

/** What a filter prints of its files: one member where that can be told. */
export function jq(invocation: Invocation): void {
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
const NAMES_ONLY = /^(?:\.[.\w]{0,200} {0,4}\| {0,4})?(?:keys(?:_unsorted)?(?:\[\])?|length|type|empty)$/;
