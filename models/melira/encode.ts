/**
 * Rows into token arrays, with the product's own code: `bun encode.ts OUT IN.jsonl…`.
 *
 * Every row becomes one or more streams of tokens: the text in one spelling, and what was hidden in it. OUT.ids holds WIDTH 16-bit
 * ids per token, OUT.streams for each stream its row and token count (32-bit), OUT.rows.jsonl the rows without their texts but with
 * the side of the split they are on. Texts longer than 16 KiB are cut: rows are parts of documents.
 */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { readingOf } from "../../src/melira/reading.ts";
import { tokenise, WIDTH } from "../../src/melira/tokens.ts";
import { inputOf, type Row, setOf, splitOf } from "./splits.ts";

const LONGEST = 16_384;

const [out, ...inputs] = Bun.argv.slice(2);
if (out === undefined || inputs.length === 0) throw new Error("Usage: bun encode.ts OUT IN.jsonl…");

const ids = openSync(`${out}.ids`, "w");
const rows: string[] = [];
const streams: number[] = [];
for (const input of inputs) {
  for (const line of (await Bun.file(input).text()).split("\n")) {
    if (line === "") continue;
    const parsed = JSON.parse(line) as Row;
    const { text, ...rest } = parsed;
    const kind = inputOf(rest);
    for (const stream of readingOf(text.slice(0, LONGEST), kind).streams) {
      const tokens = tokenise(stream.text);
      if (tokens.count === 0) continue;
      if (tokens.ids.length !== tokens.count * WIDTH) throw new Error("tokens and ids do not fit");
      writeSync(ids, Buffer.from(Uint16Array.from(tokens.ids).buffer));
      streams.push(rows.length, tokens.count);
    }
    const file = input
      .split("/")
      .pop()
      ?.replace(/\.jsonl$/, "");
    rows.push(JSON.stringify({ ...rest, file, chars: text.length, input: kind, set: setOf(parsed), split: splitOf(rest) }));
  }
}
closeSync(ids);
writeFileSync(`${out}.streams`, Int32Array.from(streams));
writeFileSync(`${out}.rows.jsonl`, `${rows.join("\n")}\n`);
console.log(`${rows.length} rows, ${streams.length / 2} streams`);
