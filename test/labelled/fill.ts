/**
 * Lines with drawn parts: `«hex 40»` in a template becomes 40 random hex digits. `¦` stands where a published example is
 * cut in two, so that no scanner takes this repository for a leak, and disappears.
 */
import type { Mint } from "../mint.ts";

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: "0123456789abcdef",
  HEX: "0123456789ABCDEF",
  b62: DIGITS + UPPER + LOWER,
  b36: DIGITS + LOWER,
  B36: DIGITS + UPPER,
  b32: `${UPPER}234567`,
  b32l: `${LOWER}234567`,
  b58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  b64: `${DIGITS}${UPPER}${LOWER}+/`,
  b64u: `${DIGITS}${UPPER}${LOWER}-_`,
  d: "123456789",
  az: LOWER,
  AZ: UPPER,
  aZ: UPPER + LOWER,
};

/** A number from `least` to `most`, both included. */
export function number(from: Mint, least: number, most: number): number {
  return least + (((from.byte() << 8) | from.byte()) % (most - least + 1));
}

/** One of a list. */
export function pick<T>(from: Mint, list: readonly T[]): T {
  return list[number(from, 0, list.length - 1)] as T;
}

/** The template with its drawn parts filled in: `«b62 20»`, `«b62 20-44»`, `«uuid»`, `«one a|b|c»`. */
export function fill(from: Mint, template: string): string {
  return template
    .replace(/«(\w+)(?: ([^»]+))?»/g, (whole, kind: string, rest = "") => {
      if (kind === "uuid") return from.uuid();
      if (kind === "one") return pick(from, rest.split("|"));
      const alphabet = ALPHABETS[kind];
      const [least, most] = rest.split("-").map(Number) as [number, number?];
      if (alphabet === undefined || !(least > 0)) throw new Error(`unknown part ${whole} in a template`);
      return from.text(alphabet, most === undefined ? least : number(from, least, most));
    })
    .replaceAll("¦", "");
}
