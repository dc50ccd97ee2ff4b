/**
 * What the judge reads of rows: `bun excerpts.ts PIECES PLACES OUT ROWS.jsonl…`, the pieces around the places that places.py found, in the
 * order of the files that were encoded. One line for each row: its number and its excerpts, the worst place first.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { Pieces } from "../../src/melira/pieces.ts";
import { readingOf } from "../../src/melira/reading.ts";
import { tokenise } from "../../src/melira/tokens.ts";
import { inputOf, type Row } from "./splits.ts";

const LONGEST = 16_384;
const APART_CHARS = 240;
const MOST = 3;

const [list, from, out, ...inputs] = Bun.argv.slice(2);
if (list === undefined || from === undefined || out === undefined) throw new Error("Usage: bun excerpts.ts PIECES PLACES OUT ROWS.jsonl…");
const pieces = new Pieces(await Bun.file(list).text());
const wanted = new Map<number, [number, number, number][]>();
for (const line of (await Bun.file(from).text()).split("\n")) {
  if (line === "") continue;
  const { row, places } = JSON.parse(line) as { row: number; places: [number, number, number][] };
  wanted.set(row, places);
}
const file = openSync(out, "w");
let number = 0;
for (const input of inputs) {
  for (const line of (await Bun.file(input).text()).split("\n")) {
    if (line === "") continue;
    const places = wanted.get(number++);
    if (places === undefined) continue;
    const { text, ...rest } = JSON.parse(line) as Row;
    const streams = readingOf(text.slice(0, LONGEST), inputOf(rest))
      .streams.map((stream) => ({ stream, tokens: tokenise(stream.text) }))
      .filter(({ tokens }) => tokens.count > 0);
    const taken: { logit: number; stream: number; at: number; ids: number[] }[] = [];
    for (const [logit, stream, token] of places) {
      const one = streams[stream];
      const at = one?.tokens.starts[token] ?? 0;
      if (taken.length >= MOST || taken.some((other) => other.stream === stream && Math.abs(other.at - at) < APART_CHARS)) continue;
      taken.push({ logit, stream, at, ids: [...pieces.around(one?.stream.text ?? "", at)] });
    }
    const excerpts = taken.map(({ logit, ids }) => ({ logit, ids }));
    writeSync(file, `${JSON.stringify({ row: number - 1, excerpts })}\n`);
  }
}
closeSync(file);
