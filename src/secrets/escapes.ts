/**
 * Characters that are written out inside a text: `\u0067`, `\x67`, `\147`, `%u0067`, `&#103;`, and the control characters of a
 * terminal as programs, JSON and `cat -v` write them (`\u001b[31m`, `\e[31m`, `^[[31m`, `g^Hg`).
 *
 * Trust: the text is hostile. It is walked once. Only a word is read that holds an escape which stands for a letter, a digit, a
 * joint of tokens or something that is not shown; what programs have to escape (`\u003c`, `&#39;`, `\u00e9`) makes none.
 */
import { stripAnsi } from "./ansi.ts";
import { DIGITS, kindOf, LETTERS } from "./runs.ts";
import { Composing, through, type View } from "./view.ts";

/** Where an escape may begin. Strings in strings write the backslash twice. */
const BEGINS = /\\(?=\\?[uUxX0-7eEb])|&(?=#)|%(?=u)|\^(?=[H[])/g;
/** Shortest word that could hold a secret, read. */
const SHORTEST = 8;
/** How far in front of its first such escape a word is read. */
const BEFORE = 512;

/** The words of the text with escapes in them, as they read. */
export function escapedWords(text: string, take: (word: View) => void): void {
  if (!mayEscape(text)) return;
  let covered = 0;
  BEGINS.lastIndex = 0;
  while (BEGINS.test(text)) {
    const begin = BEGINS.lastIndex - 1;
    if (!isTelling(escapeAt(text, begin) % LENGTH)) continue;
    let start = begin;
    while (start > covered && begin - start < BEFORE && isWord(text.charCodeAt(start - 1))) start--;
    const made = new Composing(text);
    made.copy(start, begin);
    let at = begin;
    while (at < text.length) {
      const one = escapeAt(text, at);
      if (one === NONE) {
        if (!isWord(text.charCodeAt(at))) break;
        let end = at + 1;
        while (end < text.length && isWord(text.charCodeAt(end)) && !isBegin(text.charCodeAt(end))) end++;
        made.copy(at, end);
        at = end;
        continue;
      }
      const end = at + Math.floor(one / LENGTH);
      made.sign(at, end, String.fromCharCode(one % LENGTH));
      at = end;
    }
    covered = at;
    BEGINS.lastIndex = at;
    if (made.length < SHORTEST) continue;
    const word = made.view();
    const bare = stripAnsi(word.text);
    if (bare.text.length >= SHORTEST) take(bare.text === word.text ? word : through(word, bare));
  }
}

/** Single characters are looked for much faster than anything else, and most texts have none of these. */
function mayEscape(text: string): boolean {
  return ["\\", "&", "%", "^"].some((sign) => text.includes(sign));
}

/** An escape as one number: the character's code, and its length in the text times this. */
const LENGTH = 0x10000;
const NONE = 0xffff;

/** The escape that stands there; `NONE` when none does. */
function escapeAt(text: string, at: number): number {
  const told = (code: number, end: number): number => (code < 0 || code >= NONE ? NONE : code + (end - at) * LENGTH);
  switch (text[at]) {
    case "\\": {
      const sign = text[at + 1] === "\\" ? at + 2 : at + 1;
      switch (text[sign]) {
        case "u":
          if (text[sign + 1] !== "{") return told(number(text, sign + 1, 4, 16), sign + 5);
          return bracketed(text, at, sign + 2, 16, "}");
        case "U":
          return text.startsWith("0000", sign + 1) ? told(number(text, sign + 5, 4, 16), sign + 9) : NONE;
        case "x":
        case "X":
          return told(number(text, sign + 1, 2, 16), sign + 3);
        case "e":
        case "E":
          return text[sign + 1] === "[" ? told(27, sign + 1) : NONE;
        case "b":
          // `\b` is a word's border more often: a backspace stands between the same letter twice.
          return isPrintedOver(text, at, sign + 1 - at) ? told(8, sign + 1) : NONE;
        default: {
          const end = endOf(text, sign, 3, 8);
          return end - sign < 2 ? NONE : told(number(text, sign, end - sign, 8), end);
        }
      }
    }
    case "&":
      if (text[at + 1] !== "#") return NONE;
      return /[xX]/.test(text.charAt(at + 2)) ? bracketed(text, at, at + 3, 16, ";") : bracketed(text, at, at + 2, 10, ";");
    case "%":
      return text[at + 1] === "u" ? told(number(text, at + 2, 4, 16), at + 6) : NONE;
    case "^":
      if (text[at + 1] === "H") return told(8, at + 2);
      return text[at + 1] === "[" && text[at + 2] === "[" ? told(27, at + 2) : NONE;
    default:
      return NONE;
  }
}

/** A number of up to eight digits with a sign behind it. */
function bracketed(text: string, at: number, from: number, base: number, close: string): number {
  const end = endOf(text, from, 8, base);
  if (end === from || text[end] !== close) return NONE;
  const code = number(text, from, end - from, base);
  return code >= NONE ? NONE : code + (end + 1 - at) * LENGTH;
}

/** Where digits end, at most so many. */
function endOf(text: string, from: number, most: number, base: number): number {
  let at = from;
  while (at < from + most && digit(text.charCodeAt(at)) < base) at++;
  return at;
}

/** So many digits as a number; -1 when there are fewer. */
function number(text: string, from: number, digits: number, base: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const one = digit(text.charCodeAt(at));
    if (one >= base) return -1;
    value = value * base + one;
  }
  return value;
}

function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 87;
  return letter >= 10 && letter < 16 ? letter : 16;
}

function isPrintedOver(text: string, at: number, length: number): boolean {
  const before = text.charAt(at - 1);
  const behind = text.charAt(at + length);
  return behind !== "" && isWord(behind.charCodeAt(0)) && (before === behind || before === "_");
}

function isBegin(code: number): boolean {
  return code === 92 || code === 38 || code === 94 || code === 37;
}

/** Letters, digits, `_`, `-`, `.`, and what a terminal does not show. */
function isTelling(code: number): boolean {
  if (code < 0x80) return TELLING.codes[code] === 1;
  return (code >= 0x2000 && code <= 0x206f) || code === 0x9b || code === 0xad || code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f);
}

const TELLING = kindOf(`${DIGITS}${LETTERS}_-.\u001b\b`);

/** What a word with escapes goes on with: printable ASCII that ends no string, list or element. A backslash alone is none of it. */
function isWord(code: number): boolean {
  return code > 32 && code < 127 && code !== 34 && code !== 39 && code !== 44 && code !== 60 && code !== 62 && code !== 92 && code !== 96;
}
