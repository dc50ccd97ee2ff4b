/**
 * Trains the scan's table: `bun scan.ts OUT IN.jsonl…`. A linear model over hashed features, as src/melira/scan.ts computes them;
 * a row is an attack when its worst window is. Weights become int8. The seed is fixed, so the same rows give the same bytes.
 */
import { writeFileSync } from "node:fs";
import { canonical } from "../../src/melira/canonical.ts";
import { blocks, SCAN_BITS, SPAN } from "../../src/melira/scan.ts";
import { type Row, splitOf } from "./splits.ts";

const [out, ...inputs] = Bun.argv.slice(2);
if (out === undefined || inputs.length === 0) throw new Error("Usage: bun scan.ts OUT IN.jsonl…");

const EPOCHS = 4;
const RATE = 0.35;
/** Rows are taken until memory for this many features is used; every n-th of a file is taken. */
const FEATURES = 120_000_000;
const CHARS = 4_000;
const SCALE = 0.05;
/** Features of fewer rows are not learned: they are names and numbers. */
const ROWS_LEAST = 3;
const LARGEST = 4;

interface Seen {
  readonly features: Uint32Array;
  /** Where each block's features end. */
  readonly ends: Uint32Array;
  readonly label: number;
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 2 ** 32;
};

const rows: Row[] = [];
for (const input of inputs)
  for (const line of (await Bun.file(input).text()).split("\n")) {
    if (line === "") continue;
    const row = JSON.parse(line) as Row;
    if (splitOf(row) === "train") rows.push(row);
  }
for (let i = rows.length - 1; i > 0; i--) {
  const j = Math.floor(random() * (i + 1));
  [rows[i], rows[j]] = [rows[j] as Row, rows[i] as Row];
}

const seen: Seen[] = [];
const rowsOf = new Uint16Array(2 ** SCAN_BITS);
const last = new Int32Array(2 ** SCAN_BITS).fill(-1);
let used = 0;
for (const { text, label } of rows) {
  const features: number[] = [];
  const ends: number[] = [];
  blocks(canonical(text.slice(0, CHARS)).text, (_, some, count) => {
    for (let i = 0; i < count; i++) features.push(some[i] as number);
    ends.push(features.length);
  });
  for (const feature of features)
    if (last[feature] !== seen.length) {
      last[feature] = seen.length;
      if ((rowsOf[feature] as number) < 65_535) rowsOf[feature] = (rowsOf[feature] as number) + 1;
    }
  seen.push({ features: Uint32Array.from(features), ends: Uint32Array.from(ends), label });
  used += features.length;
  if (used > FEATURES) break;
}
console.log(`${seen.length} of ${rows.length} rows`);

const weights = new Float32Array(2 ** SCAN_BITS);
const squares = new Float32Array(2 ** SCAN_BITS);
let bias = -2;

const from = (ends: Uint32Array, block: number): number => (block <= 0 ? 0 : (ends[block - 1] as number));

function sumOf({ features, ends }: Seen, first: number, end: number): number {
  let sum = 0;
  for (let i = from(ends, first); i < from(ends, end); i++) sum += weights[features[i] as number] as number;
  return sum * SCALE + bias;
}

function learn({ features, ends }: Seen, first: number, end: number, gradient: number, rate: number): void {
  if (Math.abs(gradient) < 1e-3) return;
  for (let i = from(ends, first); i < from(ends, end); i++) {
    const feature = features[i] as number;
    if ((rowsOf[feature] as number) < ROWS_LEAST) continue;
    const g = gradient * SCALE;
    squares[feature] = (squares[feature] as number) + g * g;
    const next = (weights[feature] as number) - (rate * g) / (1e-4 + Math.sqrt(squares[feature] as number));
    weights[feature] = Math.max(-LARGEST, Math.min(LARGEST, next));
  }
  bias -= 0.002 * gradient;
}

const probability = (logit: number): number => 1 / (1 + Math.exp(-logit));

for (let epoch = 0; epoch < EPOCHS; epoch++) {
  let loss = 0;
  const rate = RATE / (1 + epoch);
  for (const row of seen) {
    const total = row.ends.length;
    let best = Number.NEGATIVE_INFINITY;
    let at = 0;
    for (let first = 0; first === 0 || first + SPAN <= total; first += SPAN / 2) {
      const logit = sumOf(row, first, Math.min(total, first + SPAN));
      if (logit > best) [best, at] = [logit, first];
    }
    loss += Math.log1p(Math.exp(row.label === 1 ? -best : best));
    learn(row, at, Math.min(total, at + SPAN), probability(best) - row.label, rate);
    if (row.label === 0 && total > SPAN) {
      const first = Math.floor(random() * (total - SPAN));
      learn(row, first, first + SPAN, probability(sumOf(row, first, first + SPAN)) * 0.5, rate);
    }
  }
  console.log(`pass ${epoch + 1} of ${EPOCHS}, loss ${(loss / seen.length).toFixed(4)}`);
}

writeFileSync(
  out,
  Int8Array.from(weights, (weight) => Math.round((weight / LARGEST) * 127)),
);
