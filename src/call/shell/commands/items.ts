/** Commands that start another one for each item of a list. */
import type { Argument, Source } from "../../effect.ts";
import { baseName } from "../../path.ts";
import { familyOf } from "../../switches.ts";
import { listedWord, listing, literal, staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";

/** `xargs cmd`: its items are the words, or with a marker the lines, that come in. */
export function xargs(invocation: Invocation): void {
  const options = invocation.options({
    short: "IiLnPsdEaJRS",
    long: "replace arg-file delimiter max-args max-procs max-lines max-chars eof",
    stop: true,
  });
  const marker = options.value("I", "J")?.text ?? (options.has("i", "replace") ? (options.value("i", "replace")?.text ?? "{}") : undefined);
  const file = options.value("a", "arg-file");
  const input = file === undefined ? invocation.stdin : invocation.read(file);
  const words = options.operands.length === 0 ? [literal("echo")] : options.operands;
  const text = staticText(input);
  const zero = options.has("0", "null");
  // A program that runs the files it is given.
  const runs = familyOf(baseName(words[0]?.text ?? "")) !== undefined;
  const { files, others } = listing(input);
  const listed = files.map((file) => (runs ? { text: file.text, exact: file.exact, sources: file.sources } : listedWord(file)));
  const items: readonly Argument[] =
    text === undefined || input.length === 0
      ? listed.length > 0 && others.length === 0
        ? listed
        : [...listed, unknownItem(invocation, others)]
      : text
          .split(zero ? "\0" : marker === undefined ? /\s/ : "\n")
          .filter((item) => item.trim() !== "")
          .map((item) => literal(bare(item.trim())));
  const environment = { stdin: [] };
  // A script is the first word a shell is given; which one of them that is, is not known.
  if (runs && marker === undefined && listed.length > 0)
    return invocation.shell.each(items, (item) => invocation.start([...words, item], environment));
  // Which of the words behind an option is its value depends on how many files there are.
  if (marker === undefined && listed.length > 1) invocation.shell.each(listed, (item) => invocation.start([...words, item], environment));
  if (marker === undefined) return invocation.start([...words, ...items], environment);
  invocation.shell.each(items, (item) =>
    invocation.start(
      words.map((word) => filled(word, marker, item)),
      environment,
    ),
  );
}

/** A word of a command with an item in the marker's place. */
export function filled(word: Argument, marker: string, item: Argument): Argument {
  if (!word.text.includes(marker)) return word;
  const made = {
    text: word.text.replaceAll(marker, () => item.text),
    exact: word.exact && item.exact,
    sources: [...word.sources, ...item.sources],
  };
  return item.listed === undefined ? made : { ...made, listed: item.listed };
}

/** An item without the quotes around it. */
function bare(item: string): string {
  const quote = item[0];
  return item.length > 1 && (quote === '"' || quote === "'") && item.endsWith(quote) ? item.slice(1, -1) : item;
}

/** Items behind `:::`, and the lines of files behind `::::`. */
function listed(invocation: Invocation, words: readonly Argument[]): Argument[] {
  const items: Argument[] = [];
  let files = false;
  for (const word of words) {
    if (/^:{3,4}\+?$/.test(word.text)) files = word.text.startsWith("::::");
    else items.push(...(files ? linesOf(invocation, invocation.read(word)) : [word]));
  }
  return items;
}

/** An item of which nothing is known but where it comes from: a name, where that is a file that lists some. */
function unknownItem(invocation: Invocation, sources: readonly Source[]): Argument {
  return { text: "{}", exact: false, sources, listed: invocation.readListed(sources) };
}

/** Items that come one a line. */
function linesOf(invocation: Invocation, input: readonly Source[]): readonly Argument[] {
  const { files, others } = listing(input);
  const text = staticText(input);
  if (files.length > 0 && others.length === 0) return files.map(listedWord);
  if (text === undefined || text === "") return [...files.map(listedWord), unknownItem(invocation, others)];
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(literal);
}

/** `parallel cmd ::: a b`, or items that come in one a line. */
export function parallel(invocation: Invocation): void {
  const options = invocation.options({
    short: "jNSaIL",
    long: "jobs arg-file sshlogin joblog results timeout delay retries colsep",
    stop: true,
  });
  const from = options.operands.findIndex((word) => /^:::/.test(word.text));
  const words = from < 0 ? options.operands : options.operands.slice(0, from);
  const list = options.value("a", "arg-file");
  const items =
    from < 0
      ? linesOf(invocation, list === undefined ? invocation.stdin : invocation.read(list))
      : listed(invocation, options.operands.slice(from));
  if (words.length === 0) {
    // Without a command each item is one.
    invocation.shell.each(from < 0 ? [] : items, (item) => invocation.script(item));
    return invocation.print(items.flatMap(({ sources }) => [...sources]));
  }
  invocation.shell.each(items, (item) => {
    const named = words.some((word) => word.text.includes("{"));
    const made = words.map((word) => filled(word, "{}", item));
    if (!named) made.push(item);
    // GNU parallel hands the joined words to a shell.
    if (made.length === 1 && made[0] !== undefined) invocation.script(made[0]);
    else invocation.start(made, { stdin: [] });
  });
}
