/**
 * What is left of a secret file in a text that was made of it: `sed 's/=.*$/=changeme/' .env > .env.example` leaves its names.
 * Nothing in a changed copy need be recognisable, so what counts is whether there is anything in it that is not known to be harmless.
 */
import { SPECIFIED } from "../limits.ts";
import { isPlaceholder } from "../secrets/placeholders.ts";
import type { Secret } from "../secrets/secret.ts";

/** The file a copy was made of, as it is now. */
export interface Origin {
  readonly text: string;
  readonly secrets: readonly Pick<Secret, "value">[];
}

/** Words that stand in the file beside its values may come again, with more around them; a text many times as long is something else. */
const TIMES_MOST = 4;

/** Words in front of a name in what such files become. */
const SYNTAX = new Set(["export", "set", "setenv", "declare", "env", "process"]);

/**
 * Whether no part of the file's values can stand in the text: all its words stand in the file outside of them, or are
 * placeholders, but for fewer characters than a piece of a value has (D-25).
 */
export function carriesNothing(text: string, origin: Origin): boolean {
  if (origin.secrets.length === 0 || text.length > TIMES_MOST * origin.text.length) return false;
  const known = new Set(wordsOf(origin.secrets.reduce((rest, { value }) => rest.replaceAll(value, " "), origin.text)));
  let left = 0;
  for (const word of wordsOf(text)) {
    if (!known.has(word) && !SYNTAX.has(word) && !isPlaceholder(word)) left += word.length;
    if (left >= SPECIFIED.value_piece_chars) return false;
  }
  return true;
}

/** Letters and digits in a row, whatever their case, and every run of other signs than ASCII's. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z\d]+|[^\0-\x7f]+/g) ?? [];
}
