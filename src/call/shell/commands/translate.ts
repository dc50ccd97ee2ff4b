/** `tr` and `cut` on a text that is known. */
import { CHOSEN } from "../../../limits.ts";
import type { Argument } from "../../effect.ts";
import { staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import type { Options } from "../options.ts";
import { unescape } from "./builtins.ts";

/** `tr` on white space and quotes keeps values whole; any other set rewrites them. */
export function translate(invocation: Invocation): void {
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
export function cutText(text: string, options: Options): string | undefined {
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
