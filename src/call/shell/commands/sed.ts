/** `sed`: whether values stay whole, and what it changes in place. */
import type { Argument, Source } from "../../effect.ts";
import { literal, staticText, textSource } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import type { Options } from "../options.ts";
import { sedPart } from "./excerpts.ts";

/** What is printed of the files, and files that are changed in place. */
export function sed(invocation: Invocation): void {
  const options = invocation.options({ short: "efl", long: "expression file line-length" });
  const inline = options.options.some((option) => option.name === "i" || option.name === "in-place" || option.name === "I");
  const given = options.values("e", "expression");
  const hasScript = given.length > 0 || options.has("f", "file");
  // BSD sed takes the suffix of -i as its own argument: `-i ''`.
  let operands = options.operands;
  if (inline && operands[0]?.text === "" && operands[0].exact) operands = operands.slice(1);
  const scripts = hasScript ? given : operands.slice(0, 1);
  const files = hasScript ? operands : operands.slice(1);
  const taken: Source[] = [];
  for (const script of [...scripts, ...kept(invocation, options)]) {
    // The last part of `s///e` runs what the line then holds; its presence is a doubt, not a reading.
    if (/(?:^|[;}/\d$gp])\s{0,8}e(?:\s|$)/.test(script.text) || /\/[gIp0-9]{0,8}e[gIp]{0,8}$/.test(script.text))
      invocation.doubt("sed runs a command");
    const target = /(?:^|[;}/\dgp])w\s{1,8}([^\s;}]{1,1024})$/.exec(script.text);
    for (const part of script.text.split("\n")) {
      const command = EXECUTED.exec(part)?.[1];
      if (command !== undefined) taken.push(...invocation.captureScript({ ...script, text: command }));
    }
    for (const part of script.text.split(/[;\n]/)) {
      const read = READ.exec(part);
      if (read !== null) taken.push(...invocation.read({ text: read[1] ?? "", exact: script.exact, sources: [] }));
    }
    if (target !== null) invocation.write({ text: target[1] ?? "", exact: script.exact, sources: [] }, invocation.readAll(files));
  }
  if (!inline && taken.length > 0) invocation.print(taken);
  if (inline) {
    for (const file of files) {
      invocation.change(
        file,
        "edit",
        scripts.every(({ exact }) => exact) && !options.has("f", "file") ? touchedLines(scripts.map(({ text }) => text)) : undefined,
      );
      const texts = scripts.flatMap((script) => (script.text === "" ? [] : [...textSource(broughtIn(script.text)), ...script.sources]));
      if (taken.length > 0) invocation.write(file, [...texts, ...taken], true);
      else if (texts.length > 0) invocation.emit({ kind: "write", file: invocation.file(file), sources: texts, append: true });
    }
    return;
  }
  const part = scripts.length === 0 || files.length > 1 ? undefined : sedPart(scripts, options);
  const sources = invocation.readParts(files, part);
  if (scripts.length > 0 && scripts.every((script) => script.exact && keepsValues(script.text)) && !options.has("f", "file"))
    invocation.printParts(sources, part);
  else invocation.printTransformed(sources);
}

/** What a script may put into the text: all of it but the patterns it looks for, which may take a token out. */
function broughtIn(script: string): string {
  const rest = script.replace(/s([/|#,@!%:])((?:(?!\1)[^\\\n]|\\.){1,2000})\1((?:(?!\1)[^\\\n]|\\.){0,2000})\1/g, "$3\n");
  return rest.split("\n").map(withoutAddresses).join("\n");
}

/** A line of a script without the patterns that choose what its commands are for: `/a/d` → `d`. */
function withoutAddresses(line: string): string {
  let kept = "";
  let from = 0;
  for (let open = line.indexOf("/"); open >= 0; open = line.indexOf("/", from)) {
    let close = open + 1;
    while (close < line.length && line[close] !== "/") close += line[close] === "\\" ? 2 : 1;
    const isAddress = "IdDcai!{,".includes(line.charAt(close + 1) || " ");
    kept += line.slice(from, isAddress ? open : close + 1);
    from = close + 1;
  }
  return kept + line.slice(from);
}

/** Where a command of sed applies: nothing, one or two addresses, and a block that opens. */
const ADDRESS = String.raw`^[\s{]{0,64}(?:\d{1,9}|\$|\/[^/]{0,200}\/I?)?(?:,(?:[+~]?\d{1,9}|\$|\/[^/]{0,200}\/I?))?[!\s{]{0,8}`;
/** `r file`, `R file`: a file is put in. */
const READ = new RegExp(String.raw`${ADDRESS}[rR]\s{0,8}([^\s}]{1,1024})[\s}]{0,64}$`);
/** `e command`: what a command prints is put in. */
const EXECUTED = new RegExp(String.raw`${ADDRESS}e\s{1,8}(\S.{0,1023})$`);

/** Scripts in files, as far as this call wrote them itself. */
function kept(invocation: Invocation, options: Options): readonly Argument[] {
  return options.values("f", "file").flatMap((file) => {
    const text = staticText(invocation.readScript(file));
    return text === undefined || text === "" ? [] : [literal(text)];
  });
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
