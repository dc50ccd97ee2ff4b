/** Reading a cmdlet's parameters: `-Name value`, `-Name:value`, switches, positional values. */
import type { Argument } from "../effect.ts";
import type { PowerWord } from "./words.ts";

const SWITCHES =
  /^(?:usebasicparsing|skipcertificatecheck|skipheadervalidation|skiphttperrorcheck|allowunencryptedauthentication|usedefaultcredentials|verbose|debug|force|recurse|raw|append|nonewline|noclobber|passthru|whatif|confirm|quiet|wait|nonewwindow|asbytestream|allmatches|casesensitive|simplematch|notmatch|list|container|unique|compress|asjob|resume|disablekeepalive|noproxy|file|directory|hidden|s|f|r)$/;

/** Parameters by name; any unambiguous beginning of a name counts, as PowerShell allows. */
export interface Parameters {
  readonly positional: readonly Argument[];
  has(...names: readonly string[]): boolean;
  value(...names: readonly string[]): Argument | undefined;
  all(...names: readonly string[]): Argument[];
}

/** Divides words into parameters and positional values. */
export function readParameters(words: readonly PowerWord[], value: (word: PowerWord) => Argument): Parameters {
  const named: { name: string; values: Argument[] }[] = [];
  const positional: Argument[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as PowerWord;
    const match = word.quoted ? null : /^-([A-Za-z]{1,40})(?::(.*))?$/s.exec(word.raw);
    if (match === null) {
      if (word.raw !== ",") positional.push(...items(value(word), word));
      continue;
    }
    const name = (match[1] ?? "").toLowerCase();
    const entry = { name, values: [] as Argument[] };
    named.push(entry);
    if (match[2] !== undefined && match[2] !== "") {
      const whole = value(word);
      entry.values.push({ ...whole, text: whole.text.slice((match[1] ?? "").length + 2) });
      continue;
    }
    if (SWITCHES.test(name)) continue;
    const next = words[at + 1];
    if (next === undefined || (!next.quoted && /^-[A-Za-z]{2,40}$/.test(next.raw))) continue;
    at++;
    entry.values.push(...items(value(next), next));
    // `a, b` as one list.
    while (words[at + 1]?.raw === "," && words[at + 2] !== undefined) {
      entry.values.push(...items(value(words[at + 2] as PowerWord), words[at + 2] as PowerWord));
      at += 2;
    }
  }
  const matches = (entry: { name: string }, names: readonly string[]): boolean =>
    names.some((name) => name === entry.name || (entry.name.length > 1 && name.startsWith(entry.name)));
  const all = (...names: readonly string[]): Argument[] => named.flatMap((entry) => (matches(entry, names) ? entry.values : []));
  return { positional, has: (...names) => named.some((entry) => matches(entry, names)), value: (...names) => all(...names).at(-1), all };
}

/** `a,b` written without spaces is a list; a trailing comma only separates. */
function items(argument: Argument, word: PowerWord): Argument[] {
  if (word.quoted || !argument.text.includes(",") || word.pieces.length !== 1 || word.pieces[0]?.kind !== "text") return [argument];
  return argument.text
    .split(",")
    .filter((text) => text !== "")
    .map((text) => ({ ...argument, text }));
}
