/**
 * Which pieces of words the judge knows: `bun pieces.ts VOCABULARY OUT ROWS.jsonl…`, those of the encoder's own vocabulary that the
 * training side uses most, and every single character it uses at all.
 */
import { Pieces } from "../../src/melira/pieces.ts";
import { type Row, splitOf } from "./splits.ts";

const MOST = 12_600;
const CHARS = 1_500;
const LEAST = 3;

const [vocabulary, out, ...inputs] = Bun.argv.slice(2);
if (vocabulary === undefined || out === undefined || inputs.length === 0)
  throw new Error("Usage: bun pieces.ts VOCABULARY OUT ROWS.jsonl…");
const known = (await Bun.file(vocabulary).text()).split("\n").filter((piece) => piece !== "" && !/^\[.+\]$/.test(piece));
const pieces = new Pieces(known.join("\n"));
const seen = new Map<string, number>();
for (const input of inputs)
  for (const [i, line] of (await Bun.file(input).text()).split("\n").entries()) {
    if (line === "" || i % 3 > 0) continue;
    const row = JSON.parse(line) as Row;
    if (splitOf(row) !== "train") continue;
    for (const piece of pieces.split(row.text.slice(0, CHARS))) seen.set(piece, (seen.get(piece) ?? 0) + 1);
  }
const ranked = known.filter((piece) => (seen.get(piece) ?? 0) >= LEAST).sort((a, b) => (seen.get(b) ?? 0) - (seen.get(a) ?? 0));
const single = ranked.filter((piece) => [...piece.replace(/^##/, "")].length === 1);
const chosen = [...new Set([...single, ...ranked])].slice(0, MOST);
await Bun.write(out, `${chosen.sort().join("\n")}\n`);
console.log(`${chosen.length} pieces, ${single.length} of them single characters`);
