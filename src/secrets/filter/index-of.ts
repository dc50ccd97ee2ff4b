/** The search for short texts, and the one that works everywhere: needle after needle, at memory speed. */
import { CHOSEN } from "../../limits.ts";
import type { Hits } from "./hits.ts";

/** Offers every place where a needle stands. Linear: units × needles. */
export function searchByIndexOf(text: string, needles: readonly string[], hits: Hits): void {
  // A `Buffer` searches several times faster than a string, but the first one costs half a millisecond.
  if (text.length > CHOSEN.filter_string_units) searchBuffer(text, needles, hits);
  else searchString(text, needles, hits);
}

function searchString(text: string, needles: readonly string[], hits: Hits): void {
  for (const needle of needles) {
    // Nearly always absent, which `includes` says in half the time.
    if (!text.includes(needle)) continue;
    for (let at = text.indexOf(needle); at !== -1 && !hits.full; at = text.indexOf(needle, at + 1)) hits.offer(at, needle);
  }
}

function searchBuffer(text: string, needles: readonly string[], hits: Hits): void {
  // One byte per UTF-16 unit (the low one), so that offsets stay equal; `Hits` checks on the text.
  const bytes = Buffer.from(text, "latin1");
  for (const needle of needles) {
    let at = bytes.indexOf(needle, 0, "latin1");
    while (at !== -1 && !hits.full) {
      hits.offer(at, needle);
      at = bytes.indexOf(needle, at + 1, "latin1");
    }
  }
}
