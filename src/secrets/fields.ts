/**
 * The values of the fields that texts on their way out hold (`a=…&b=…`, JSON, query and path of an address, words), put together
 * in the ways a value cut in pieces would be read again: all in a row, in the other order, and any two of them.
 *
 * Trust: the texts are hostile. Longer ones than a form has are left out, and of many values only the first are paired.
 */

/** Characters of all texts together. */
const TEXTS_MOST = 16 * 1024;
/** Lengths a piece of a value may have. */
const SHORTEST = 3;
const LONGEST = 512;
/** Values that are read in a row, and those that are paired with each other. */
const ROW_MOST = 256;
const PAIRED_MOST = 16;
/** Between two readings: no value goes on over it. */
const BETWEEN = "\n~ Zq0 ~\n";

/** What fields say together. */
export interface Together {
  /** All values in a row, in both orders. */
  readonly rows: string;
  /** Any two of them. */
  readonly pairs: string;
}

/** What the values of the texts' fields say together; undefined where there are fewer than two or too much is sent. */
export function fieldsTogether(texts: readonly string[]): Together | undefined {
  if (texts.reduce((sum, text) => sum + text.length, 0) > TEXTS_MOST) return undefined;
  const values = [...new Set(texts.flatMap(valuesOf))].slice(0, ROW_MOST);
  if (values.length < 2) return undefined;
  const few = values.slice(0, PAIRED_MOST);
  const pairs = few.flatMap((one, at) => few.flatMap((other, index) => (at === index ? [] : [one + other])));
  return { rows: [values.join(""), values.toReversed().join("")].join(BETWEEN), pairs: pairs.join(BETWEEN) };
}

/** Names in front of a value: `a=`, `a:=`, `X-Key:`. */
const NAME = /^[\w.[\]-]{1,64}(?::=|==|[=:@])(?=.)/;

function valuesOf(text: string): readonly string[] {
  // What stands in an address by its parts; elsewhere a `/` may be a character of base64.
  const parts = text.split(/[\s"'`{}[\](),;&?|<>\\]+/).flatMap((part) => (part.includes("://") ? part.split("/").slice(3) : [part]));
  return parts.map((part) => part.replace(NAME, "")).filter(({ length }) => length >= SHORTEST && length <= LONGEST);
}
