/**
 * Wallet seed phrases (BIP-39, English): 12 to 24 words of one list whose last bits are a checksum.
 *
 * The checksum has 4 to 8 bits and every word is a common one, so the words alone say nothing: a phrase counts only
 * behind a label that calls it one, and it never proves itself (D-13).
 */
import type { validateMnemonic } from "@scure/bip39";
import { isSample } from "../samples.ts";
import type { Family, Match } from "./family.ts";

/** What stands between a label and the first word: quotes, colons, a line end, "is", the number of words. */
const BETWEEN =
  /[a-z]{0,8}(?:[ _-](?:phrase|words?|seed|code|key)){0,2}["'`\])*]{0,4}\s{0,3}(?:is\b\s{0,3}|\(\d\d words\)\s{0,3})?[:=>-]{0,3}\s{0,4}["'`[(]{0,3}\s{0,4}/iy;
/** One word and what parts it from the next: blanks, commas, quotes, numbers of a list. */
const WORD = /(?:\d{1,2}[.):]?\s{0,3})?["']?(?<word>[a-z]{3,8})(?![A-Za-z])["']?[,;]?[ \t]{0,4}(?:\r?\n|\\n)?[ \t]{0,4}/y;

const LENGTHS = [24, 21, 18, 15, 12];
/** Of so many different words or fewer a phrase is a test vector: `abandon abandon … about`, `test test … junk`. */
const VECTOR_WORDS = 4;

export const seedPhrase = (): readonly Family[] => [
  {
    id: "bip39",
    title: "wallet seed phrase",
    needles: [
      "nemonic",
      "NEMONIC",
      "eed phrase",
      "eed Phrase",
      "eedPhrase",
      "eed_phrase",
      "EED_PHRASE",
      "EED PHRASE",
      "ecovery phrase",
      "ecoveryPhrase",
      "ecovery_phrase",
      "ECOVERY_PHRASE",
      "ecret recovery",
      "ackup phrase",
    ],
    find: phraseBehind,
  },
];

function phraseBehind(text: string, at: number, needle: string): Match | undefined {
  BETWEEN.lastIndex = at + needle.length;
  if (BETWEEN.exec(text) === null) return undefined;
  const words: string[] = [];
  const ends: number[] = [];
  let start = -1;
  WORD.lastIndex = BETWEEN.lastIndex;
  while (words.length < (LENGTHS[0] as number)) {
    const from = WORD.lastIndex;
    const found = WORD.exec(text);
    const word = found?.groups?.["word"];
    if (word === undefined) break;
    const place = text.indexOf(word, from);
    if (start < 0) start = place;
    words.push(word);
    ends.push(place + word.length);
  }
  for (const length of LENGTHS) {
    if (words.length < length || new Set(words.slice(0, length)).size <= VECTOR_WORDS || !isPhrase(words.slice(0, length).join(" ")))
      continue;
    if (isSample(words.slice(0, length).join(" "))) return undefined;
    const end = ends[length - 1] as number;
    return { start, end, value: text.slice(start, end), grade: "vendor", kind: "structure" };
  }
  return undefined;
}

let loaded: ((phrase: string) => boolean) | undefined;

/** The library and its word list are loaded when the first dozen words stand behind a label. */
function isPhrase(phrase: string): boolean {
  loaded ??= load();
  return loaded(phrase);
}

function load(): (phrase: string) => boolean {
  const library = require("@scure/bip39") as { readonly validateMnemonic: typeof validateMnemonic };
  const { wordlist } = require("@scure/bip39/wordlists/english.js") as typeof import("@scure/bip39/wordlists/english.js");
  return (phrase) => library.validateMnemonic(phrase, wordlist);
}
