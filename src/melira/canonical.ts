/**
 * One spelling for what has many: invisible characters, look-alike letters, escapes and entities are taken out of a text, so that
 * an instruction reads the same however it was written.
 *
 * Trust: the text is hostile. Work is linear in its length, and no pattern can be made to look back.
 * A text that needs no change comes back as it is; places in a changed text lead back to places in the original, piece by piece.
 */

/** A text in one spelling. */
export interface Canonical {
  readonly text: string;
  /** The place in the original that a place in `text` came from: exact where nothing was changed, else the beginning of its piece. */
  origin(at: number): number;
}

/** Longest piece that is rewritten as one, in UTF-16 units; places in a rewritten piece are known to this exactness. */
const PIECE = 2_048;

/** Characters that nobody sees: joiners, direction marks, variation selectors, soft hyphens, tags, fillers. */
const INVISIBLE =
  /[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|\u034f|[\u17b4-\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|\ud834[\udd73-\udd7a]|\udb40[\udc00-\uddef]/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const BACKSLASHED = /\\(?:[nrt"'/\\]|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|x[0-9a-fA-F]{2})/g;
const ENTITY = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);/g;
const PERCENT = /(?:%[0-9a-fA-F]{2})+/g;
/** A text changes only when it holds one of these. */
const CHANGEABLE = /[^\x00-\x7f]|\\[nrt"'/\\uUx]|&(?:#|amp;|lt;|gt;|quot;|apos;|nbsp;)|%[0-9a-fA-F]{2}/;
/** Where percent signs are, a plus sign is a space. */
const QUERY = /[^\s"'<>]+/g;
/** Fewer percent signs are a share of something, not an encoding. */
const PERCENT_SIGNS = 4;

/** Letters of other scripts that look like ours, in pairs. */
const LOOK_ALIKE =
  "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwɡgьbкkмmнhтtвbгrпnАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԌG" +
  "αaεeιiκkνvοoρpτtυuχxγyηnωwςsβbΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" +
  "ոnսuօoսuցgհhաwɑaıiʟlᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz";
const LATIN = new Map<string, string>();
for (let i = 0; i + 1 < LOOK_ALIKE.length; i += 2) LATIN.set(LOOK_ALIKE[i] as string, LOOK_ALIKE[i + 1] as string);
const FOLDABLE = new RegExp(`[${[...LATIN.keys()].join("")}]`, "g");
const LETTERS = /[A-Za-z\u0131\u0251\u0261\u026a\u0262\u0274\u0280\u0299\u029c\u029f\u0370-\u058f\u1d00-\u1d2b\ua730\ua731]+/g;
const ASCII_LETTER = /[A-Za-z]/;
const SMALL_CAPITALS = /[\u1d00-\u1d2b\u0262\u026a\u0274\u0280\u0299\u029c\u029f\ua730\ua731]/;

/** Without such a place no word needs a closer look. */
const MIXED =
  /[A-Za-z][\u0131\u0251\u0261\u0370-\u058f]|[\u0131\u0251\u0261\u0370-\u058f][A-Za-z]|[\u1d00-\u1d2b\u0262\u026a\u0274\u0280\u0299\u029c\u029f\ua730\ua731]/;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const ESCAPED: Readonly<Record<string, string>> = { n: "\n ", r: "\n ", t: "  ", '"': ' "', "'": " '", "/": " /", "\\": "\\ " };

/** The text in one spelling. */
export function canonical(text: string): Canonical {
  if (!CHANGEABLE.test(text)) return { text, origin: (at) => at };
  const parts: string[] = [];
  const newStarts: number[] = [];
  const oldStarts: number[] = [];
  const exact: boolean[] = [];
  let written = 0;
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    const piece = text.slice(from, to);
    const rewritten = rewrite(piece);
    newStarts.push(written);
    oldStarts.push(from);
    exact.push(rewritten.length === piece.length);
    parts.push(rewritten);
    written += rewritten.length;
    from = to;
  }
  return {
    text: parts.join(""),
    origin: (at) => {
      const i = lastNotAbove(newStarts, at);
      const old = oldStarts[i] ?? 0;
      return exact[i] ? old + at - (newStarts[i] ?? 0) : old;
    },
  };
}

/** A line, several short ones, or a part of a long one that cuts no word where that can be helped. */
function endOfPiece(text: string, from: number): number {
  const limit = from + PIECE;
  if (limit >= text.length) return text.length;
  // Searched in a copy: in the whole text, each search that finds nothing would run back to its beginning.
  const reach = text.slice(from, limit);
  const line = reach.lastIndexOf("\n");
  if (line >= 0) return from + line + 1;
  const space = reach.lastIndexOf(" ");
  if (space > PIECE / 2) return from + space + 1;
  // Never between the halves of one character.
  const unit = text.charCodeAt(limit - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? limit - 1 : limit;
}

function rewrite(piece: string): string {
  if (!CHANGEABLE.test(piece)) return piece;
  let text = piece;
  if (text.includes("%") && percentSigns(text) >= PERCENT_SIGNS) {
    if (text.includes("+")) text = text.replace(QUERY, (run) => (run.includes("%") ? run.replaceAll("+", " ") : run));
    text = text.replace(PERCENT, fromPercent);
  }
  if (text.includes("\\")) text = text.replace(BACKSLASHED, fromBackslash);
  if (text.includes("&")) text = text.replace(ENTITY, fromEntity);
  if (BEYOND_ASCII.test(text)) {
    text = text.replace(INVISIBLE, "").normalize("NFKC");
    if (MIXED.test(text)) text = text.replace(LETTERS, oneScript);
  }
  return text;
}

function percentSigns(text: string): number {
  return text.match(PERCENT)?.reduce((sum, run) => sum + run.length / 3, 0) ?? 0;
}

function fromPercent(run: string): string {
  const bytes = Uint8Array.fromHex(run.replaceAll("%", ""));
  return UTF8.decode(bytes);
}

const UTF8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function fromBackslash(escape: string): string {
  const plain = ESCAPED[escape[1] as string];
  if (plain !== undefined) return plain;
  const code = Number.parseInt(escape.slice(2), 16);
  return code > 0x10ffff ? " " : String.fromCodePoint(code);
}

function fromEntity(entity: string): string {
  const named = NAMED[entity.slice(1, -1)];
  if (named !== undefined) return named;
  const code = entity[2] === "x" || entity[2] === "X" ? Number.parseInt(entity.slice(3, -1), 16) : Number(entity.slice(2, -1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

/** A word of mixed scripts is ours with foreign letters in it; one of a single other script is left alone. */
function oneScript(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word;
  return ASCII_LETTER.test(word) || SMALL_CAPITALS.test(word) ? word.replace(FOLDABLE, (letter) => LATIN.get(letter) ?? letter) : word;
}

function lastNotAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
