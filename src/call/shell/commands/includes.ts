/** Documents that take other files in: `include(f)`, `#include "f"`, `.so f`, an entity of XML, a template's `file.Read`. */
import type { Argument, Source } from "../../effect.ts";
import { CHOSEN } from "../../../limits.ts";
import { literal, staticText, unique } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import type { OptionTable } from "../options.ts";
import { filter } from "./filter.ts";

/** What a program prints of its documents, and of the files they take in as far as the call itself tells them. */
export function including(invocation: Invocation): void {
  const table = TABLES[invocation.name] ?? TABLE;
  const options = invocation.options(table);
  const taken = [
    ...included(invocation, options.operands),
    ...options.values("include", "imacros").flatMap((file) => [...invocation.read(file)]),
  ];
  if (taken.length > 0) invocation.print(taken);
  filter({ plain: true, table, texts: ["f", "t", "from", "to", "metadata", "variable", "D", "U", "T", "m", "xpath"] })(invocation);
}

/** `gomplate -f t -d name=f`, `gomplate -i text`: text and file both come as options, an operand is none of them. */
export function gomplate(invocation: Invocation): void {
  const options = invocation.options({ short: "fiodctV", long: "file in out input-dir output-dir datasource context template" });
  const documents = options.values("f", "file");
  const texts = options.values("i", "in");
  const output = options.value("o", "out");
  const sources = unique([
    ...(texts.length > 0 ? texts.flatMap((text) => text.sources) : invocation.readAll(documents)),
    ...included(invocation, documents, texts),
    ...options.values("d", "datasource", "c", "context").flatMap((named) => [...invocation.read(datasource(named))]),
  ]);
  if (output === undefined) invocation.print(sources);
  else invocation.write(output, sources);
}

const TABLE: OptionTable = { short: "fto", long: "from to output metadata variable" };
const TABLES: Readonly<Record<string, OptionTable>> = {
  m4: { short: "DUIBFRo", long: "define undefine include prefix-builtins freeze-state reload-state" },
  cpp: { short: "DUIo", long: "include imacros", single: true },
  groff: { short: "TmPfdFIKLorw" },
};

/** `name=f`, `name=file:///f`. */
function datasource(argument: Argument): Argument {
  return { ...argument, text: argument.text.replace(/^[\w.]{1,100}=/, "").replace(/^file:\/\//, "") };
}

/** Files that documents take in, and what the commands in them print; of documents that stand in the call itself. */
export function included(invocation: Invocation, documents: readonly Argument[], texts: readonly Argument[] = []): readonly Source[] {
  const read =
    documents.length === 0 && texts.length === 0
      ? [staticText(invocation.stdin)]
      : [
          ...documents.map((file) => staticText(file.text === "-" ? invocation.stdin : invocation.readScript(file))),
          ...texts.map(({ text }) => text),
        ];
  return read.flatMap((text) => (text === undefined || text === "" ? [] : ofText(invocation, text)));
}

function ofText(invocation: Invocation, text: string): readonly Source[] {
  const found = named(text, TAKES[invocation.name] ?? COMPILED).flatMap((file) => [...invocation.read(literal(file))]);
  const started = RUNS[invocation.name];
  if (started !== undefined) for (const command of named(text, started)) found.push(...invocation.captureScript(literal(command)));
  return found;
}

/** What a pattern names in a text: anywhere, or once a line where it is not global. */
function named(text: string, pattern: RegExp): readonly string[] {
  const matches = pattern.global
    ? [...text.matchAll(pattern)]
    : text.split(/\r?\n/, CHOSEN.ignore_lines).flatMap((line) => [pattern.exec(line)]);
  return matches.flatMap((match) => match?.[1] ?? []);
}

const COMPILED = /^\s{0,40}#\s{0,40}(?:include|include_next|import|embed)\s{0,40}["<]([^">\s]{1,1024})[">]/;
const ROFF = /^[.']\s{0,8}(?:so|mso)\s{1,8}(\S{1,1024})/;
const ENTITY = /\bSYSTEM\s{1,20}["'](?:file:\/\/)?([^"'\n]{1,1024})["']/g;
const TAKES: Readonly<Record<string, RegExp>> = {
  m4: /\b(?:m4_)?(?:s?include|undivert)\(\s{0,8}`{0,4}([^)'`\s]{1,1024})/g,
  groff: ROFF,
  nroff: ROFF,
  troff: ROFF,
  soelim: ROFF,
  asciidoctor: /^include::([^[]{1,1024})\[/,
  xmllint: ENTITY,
  xmlstarlet: ENTITY,
  xsltproc: ENTITY,
  gomplate: /\b(?:file\.Read|include|defineDatasource)\s{1,8}"([^"\n]{1,1024})"/g,
};
const RUNS: Readonly<Record<string, RegExp>> = {
  m4: /\b(?:m4_)?e?syscmd\(\s{0,8}`{0,4}([^)'`\n]{1,1024})/g,
};
