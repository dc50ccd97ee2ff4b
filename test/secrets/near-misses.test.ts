/**
 * The closed list against an oracle of its own and against chance. Ordinarily fifty thousand strings are tried; the
 * whole run is `POISONZERO_NEAR_MISSES=10000000 bun test test/secrets/near-misses.test.ts` and takes ten minutes.
 */
import { describe, expect, test } from "bun:test";
import { scan } from "../../src/secrets/scan.ts";
import { fill } from "../labelled/fill.ts";
import { PROVEN } from "../labelled/formats.ts";
import { mint, seeded } from "../mint.ts";
import { isValid } from "./oracle.ts";

const make = (layout: (typeof PROVEN)[number]["layout"]): string => (typeof layout === "string" ? fill(mint, layout) : layout(mint));

/** Values that the scan proves where each stands on a line of its own, behind a name that makes bare keys count. */
function provenIn(values: readonly string[]): { readonly proven: ReadonlySet<string>; readonly complete: boolean } {
  const { secrets, complete } = scan(values.map((value) => `secret_key = "${value}"`).join("\n"));
  return { proven: new Set(secrets.filter(({ grade }) => grade === "token").map(({ value }) => value)), complete };
}

/** A small fast generator: SHA-512 for each character would take the whole time. */
function xorshift(seed: string): (below: number) => number {
  let state = seeded(seed).bytes(4).readUInt32LE() || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const CLASSES = ["0123456789", "abcdef", "ghjkmnpqrstuvwxyz", "ilo", "ABCDEF", "GHJKLMNPQRSTUVWXYZ", "IO"];
/** Another character of a kind that mostly fits the alphabet of the one that stands there. */
function other(character: string, random: (below: number) => number): string {
  const group = CLASSES.find((one) => one.includes(character));
  if (group === undefined) return character;
  const rest = group.replace(character, "");
  return rest[random(rest.length)] as string;
}

const REST =
  /^(?:gh[a-z]_|github_pat_|[a-z]{2,6}[a-z\d_]*_|gl[a-z]+-(?:t\d_)?|AT[A-Z]{2}T3xFfG[FN]0|ATBB|cflt|AGE-SECRET-KEY-(?:PQ-)?1|[a-z\d_-]+1|[a-z]prv|PVT_[KR]1_|edsk|spsk|p2sk|k4\.secret\.)/;

/** A string that is nearly a token: the ways in which people, tools and chance spoil one. */
function spoiled(token: string, foreign: string, random: (below: number) => number): string {
  const prefix = REST.exec(token)?.[0].length ?? 0;
  const place = prefix + random(Math.max(1, token.length - prefix));
  switch (random(8)) {
    case 0: // one character
      return token.slice(0, place) + other(token[place] as string, random) + token.slice(place + 1);
    case 1: // two neighbours
      return place + 1 < token.length
        ? token.slice(0, place) + token.charAt(place + 1) + token.charAt(place) + token.slice(place + 2)
        : `${token}0`;
    case 2: // the check of another token
      return token.slice(0, -6) + foreign.slice(-6);
    case 3: // the other case
      return (
        token.slice(0, place) +
        token.slice(place).replace(/[a-zA-Z]/g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()))
      );
    case 4: // cut
      return token.slice(0, -1 - random(4));
    case 5: // the body of another token, its own check
      return token.slice(0, prefix) + foreign.slice(prefix, -8) + token.slice(-8);
    case 6: // the check turned round
      return token.slice(0, -6) + [...token.slice(-6)].reverse().join("");
    default: // drawn anew behind the prefix
      return token.slice(0, prefix) + [...token.slice(prefix)].map((character) => other(character, random)).join("");
  }
}

/** Key pairs cost two milliseconds each and are bounded in one scan. */
const isPair = (value: string): boolean =>
  value.startsWith("[") || value.startsWith("k4.") || (value.length >= 86 && value.length <= 88 && !value.includes("="));

describe("L-019 D-13: the product and the oracle agree", () => {
  test.each(PROVEN.map(({ family, layout }, at) => [family, at, layout] as const))(
    "%s %d: what is minted is valid to both",
    (_, __, layout) => {
      for (let round = 0; round < 20; round++) {
        const token = make(layout);
        const isBase58Pair = isPair(token) && !/^\[|^k4/.test(token);
        expect(isValid(token) || isBase58Pair).toBe(true);
        expect([...provenIn([token]).proven]).toContain(token);
      }
    },
  );

  test("the issuer's own test values of the older Azure DevOps token", () => {
    for (const parts of [
      ["36tbhyubwbvmi3xzek5n7gz2", "mxxx3ywxoujzjoxtb3ptgdyfauia"],
      ["xwejwqtlcznyx5ateua3232d", "3iq4xx2zt3dinyqyvmvk4my6ctfq"],
      // The last four bits carry nothing.
      ["67csyuknm2k4azb2q3ktjb7d", "wnafo2xj5bwpv7vt7ei2l5a7wwfb"],
    ]) {
      const token = parts.join("");
      expect(isValid(token)).toBe(true);
      expect([...provenIn([token]).proven]).toEqual([token]);
      expect([...provenIn([mint.broken(token)]).proven]).toEqual([]);
    }
  });

  test("no random string, near miss or look-alike is proven", () => {
    const wanted = Number(process.env["POISONZERO_NEAR_MISSES"] ?? "50000");
    const random = xorshift(`near misses ${mint.seed}`);
    const cheap = PROVEN.filter(({ layout }) => !isPair(make(layout)));
    const dear = PROVEN.filter(({ layout }) => isPair(make(layout)));
    const wrong: string[] = [];
    const missed: string[] = [];
    let tried = 0;
    let valid = 0;
    while (tried < wanted) {
      const batch: string[] = [];
      for (const [formats, each] of [
        [cheap, 40],
        [dear, 6],
      ] as const) {
        for (const { layout } of formats) {
          const [token, foreign] = [make(layout), make(layout)];
          for (let copy = 0; copy < each; copy++) batch.push(spoiled(token, foreign, random));
        }
      }
      const { proven, complete } = provenIn(batch);
      expect(complete).toBe(true);
      for (const value of batch) {
        // A spoiled form may hold a valid token of another form: the same key in other spare bits, a body behind a sibling's prefix.
        if (isValid(value)) {
          valid++;
          if (!proven.has(value)) missed.push(value);
        } else if (proven.has(value)) wrong.push(value);
      }
      for (const value of proven) if (!batch.includes(value) && !isValid(value)) wrong.push(value);
      tried += batch.length;
    }
    if (wrong.length + missed.length > 0 || wanted > 1_000_000)
      console.log(
        `near misses: seed ${mint.seed}, ${tried} tried, ${valid} valid after all, ${wrong.length} wrongly proven, ${missed.length} missed`,
      );
    expect(wrong.map((value) => value.slice(0, 8))).toEqual([]);
    expect(missed.map((value) => value.slice(0, 8))).toEqual([]);
  }, 3_600_000);
});
