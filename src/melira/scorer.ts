/**
 * Melira: how likely a text tries to give an agent instructions nobody asked for, between 0 and 1.
 *
 * Trust: texts are hostile. Every one gets an answer or a MeliraFailure in bounded time and memory: a text is read whole up to a limit
 * and in its most suspicious parts beyond it, and nothing in it is ever run. A failure is never a score.
 *
 * One scorer is held warm by whoever scores often; it loads the model once and has a worker for each core.
 */
import { CHOSEN, SPECIFIED } from "../limits.ts";
import type { System } from "../system.ts";
import { calibrated, judgeMatters, THRESHOLD, together } from "./calibration.ts";
import { type Batch, Crew } from "./crew.ts";
import { MeliraFailure } from "./failure.ts";
import { type Model, type ModelPlace, readModel } from "./files.ts";
import type { HiddenForm } from "./hidden.ts";
import { Pieces } from "./pieces.ts";
import { readingOf, type Stream } from "./reading.ts";
import { bestParts, type Part } from "./scan.ts";
import { KINDS, type Kind, kindId, type Tokens, tokenise, WIDTH } from "./tokens.ts";

/** Tokens of a window, and from one window to the next; the network was trained with these. */
const WINDOW = 256;
const STRIDE = 192;
/** Of usual text; only texts that are not read whole are measured so. */
const CHARS_PER_TOKEN = 4;
/** Windows are filled up to a multiple of this. */
const ROUND = 32;

/** A part of the text that raised the score; places in UTF-16 units of the text as it was given. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** The words as they were read, in one spelling: for what was hidden this is what it says. */
  readonly text: string;
  readonly hidden: boolean;
}

export interface Score {
  readonly score: number;
  /** At or above the threshold (I-019). */
  readonly hit: boolean;
  /** Only asked for with `explain`: the worst places first, none when the text is clean. */
  readonly spans: readonly Span[];
  /** Ways of hiding that were met and read. */
  readonly forms: readonly HiddenForm[];
  /** The text was read to its end, not only where it is most suspicious. */
  readonly whole: boolean;
  readonly tokens: number;
}

export interface Ask {
  readonly kind?: Kind;
  readonly explain?: boolean;
  /** Longest wait for the answer, in milliseconds. */
  readonly time_ms?: number;
  readonly signal?: AbortSignal;
}

interface Window {
  readonly stream: Stream;
  readonly tokens: Tokens;
  readonly from: number;
  readonly count: number;
  /** Where the stream's read part begins in the stream. */
  readonly offset: number;
}

/** The judge reads the worst places of the worst windows, places so far apart that they are not one; it was calibrated with these. */
const JUDGED_WINDOWS = 4;
const JUDGED_PLACES = 3;
const APART_CHARS = 240;

/** What the networks said of a window. */
interface Seen {
  readonly window: Window;
  readonly logit: number;
  readonly places: Float32Array;
}

export interface ScorerOptions {
  readonly place: ModelPlace;
  /** Workers; without it one for each core. */
  readonly workers?: number;
  /** Memory that is free, in bytes; a test says otherwise. */
  readonly free_bytes?: number;
  /** Whether WebAssembly runs with SIMD here; a test says otherwise. */
  readonly simd?: boolean;
}

export class Scorer {
  readonly #model: Omit<Model, "files">;
  readonly #crew: Crew;
  readonly #table: Int8Array;
  readonly #pieces: Pieces;
  #texts = 0;
  /** Characters scored since the last sweep. */
  #left_chars = 0;

  private constructor(model: Model, crew: Crew) {
    // Not the files: the workers have their own copy, and this one is as large as all the rest.
    this.#model = { version: model.version, calibration: model.calibration };
    this.#crew = crew;
    this.#pieces = new Pieces(new TextDecoder().decode(model.files["pieces.txt"]));
    const scan = model.files["scan.bin"];
    this.#table = new Int8Array(scan.buffer, scan.byteOffset, scan.length);
  }

  /** Loads the model and starts the first worker. Throws a MeliraFailure: missing, damaged, version, simd, memory or engine. */
  static async open(system: System, options: ScorerOptions): Promise<Scorer> {
    if (!(options.simd ?? hasSimd())) throw new MeliraFailure("simd");
    const workers = options.workers ?? navigator.hardwareConcurrency;
    const free = options.free_bytes ?? freeBytes(system);
    if (free < CHOSEN.melira_memory_bytes) throw new MeliraFailure("memory", `${Math.round(free / 2 ** 20)} MiB are free`);
    const model = readModel(options.place, system);
    const scorer = new Scorer(model, await Crew.open(model, workers));
    // What loading left behind is a good part of all there is; it goes before the first text comes.
    queueMicrotask(() => Bun.gc(true));
    return scorer;
  }

  /** Which model this is. */
  get version(): string {
    return this.#model.version;
  }

  /** Starts the workers of the other cores as well, without waiting for them. */
  warm(): void {
    this.#crew.fill();
  }

  close(): void {
    this.#crew.close();
  }

  /** Scores a text. Throws a MeliraFailure: size, busy, time, cancelled, memory or engine. */
  async score(text: string, { kind = "tool", explain = false, time_ms = CHOSEN.melira_time_ms, signal }: Ask = {}): Promise<Score> {
    if (text.length > SPECIFIED.inject0_bytes) throw new MeliraFailure("size", `${text.length} characters`);
    if (this.#texts >= CHOSEN.melira_texts_waiting) throw new MeliraFailure("busy");
    const deadline = performance.now() + time_ms;
    const stopped = (): MeliraFailure | undefined => {
      if (signal?.aborted) return new MeliraFailure("cancelled");
      return performance.now() > deadline ? new MeliraFailure("time", `${time_ms} ms`) : undefined;
    };
    const check = (): void => {
      const failure = stopped();
      if (failure !== undefined) throw failure;
    };
    this.#texts++;
    try {
      check();
      const reading = readingOf(text, kind);
      check();
      const { windows, tokens, whole } = this.#windowsOf(reading.streams);
      check();
      const curve = this.#model.calibration[kind];
      // Of a text that is not read whole the worst windows are read, and these are the worst of all of it.
      const extent = whole ? tokens : Math.max(tokens, text.length / CHARS_PER_TOKEN);
      const scoreOf = (logit: number): number => calibrated(logit, extent, curve);
      const read = await this.#read(windows, kind, stopped);
      const seen = await this.#judge(read, kind, (logit) => judgeMatters(logit, extent, curve), stopped);
      const worst = seen.reduce((most, { logit }) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
      // Rounded as it is shown, so that what is shown and what is decided agree.
      const score = Math.round(Math.max(reading.floor, seen.length === 0 ? 0 : scoreOf(worst)) * 1_000) / 1_000;
      const spans = explain ? spansOf(seen, scoreOf) : [];
      return { score, hit: score >= THRESHOLD, spans, forms: reading.forms, whole, tokens };
    } finally {
      this.#texts--;
      this.#sweep(text.length);
    }
  }

  /** What a text leaves behind is many times its size and lies outside of what the engine counts: long ones are swept away at once. */
  #sweep(chars: number): void {
    this.#left_chars += chars;
    if (this.#left_chars < CHOSEN.melira_sweep_chars) return;
    this.#left_chars = 0;
    Bun.gc(true);
  }

  /** Windows over all that is read. */
  #windowsOf(streams: readonly Stream[]): { readonly windows: readonly Window[]; readonly tokens: number; readonly whole: boolean } {
    const windows: Window[] = [];
    let tokens = 0;
    let whole = true;
    for (const stream of streams) {
      const parts = this.#partsOf(stream.text);
      if (parts.length > 1 || (parts[0]?.end ?? 0) < stream.text.length) whole = false;
      for (const { start, end } of parts) {
        const read = tokenise(
          start === 0 && end === stream.text.length ? stream.text : stream.text.slice(start, end),
          CHOSEN.melira_tokens,
        );
        tokens += read.count;
        for (const from of startsOf(read.count))
          windows.push({ stream, tokens: read, from, count: Math.min(WINDOW, read.count - from), offset: start });
      }
    }
    if (windows.length <= CHOSEN.melira_windows) return { windows, tokens, whole };
    return { windows: windows.slice(0, CHOSEN.melira_windows), tokens, whole: false };
  }

  #partsOf(text: string): readonly Part[] {
    if (text.length <= CHOSEN.melira_whole_chars) return text === "" ? [] : [{ start: 0, end: text.length }];
    const ends = CHOSEN.melira_ends_chars;
    const middle = bestParts(text.slice(ends, -ends), this.#table, CHOSEN.melira_whole_chars - 2 * ends);
    return [
      { start: 0, end: ends },
      ...middle.map(({ start, end }) => ({ start: start + ends, end: end + ends })),
      { start: text.length - ends, end: text.length },
    ];
  }

  async #read(windows: readonly Window[], kind: Kind, stopped: () => MeliraFailure | undefined): Promise<readonly Seen[]> {
    if (windows.length === 0) return [];
    const batches = batchesOf(windows, this.#crew.size);
    if (batches.length > CHOSEN.melira_batches_alone) this.#crew.fill();
    const read = await Promise.all(
      batches.map(async ({ windows: some, length }): Promise<Seen[]> => {
        const { logits, places } = await this.#crew.read(batchOf(some, length, kind), stopped);
        return some.map((window, i) => ({ window, logit: logits[i] ?? 0, places: places.subarray(i * length, i * length + window.count) }));
      }),
    );
    return read.flat();
  }

  /** What the reader said, moved by what the judge says of the worst places; of those alone for which it matters. */
  async #judge(
    read: readonly Seen[],
    kind: Kind,
    matters: (logit: number) => boolean,
    stopped: () => MeliraFailure | undefined,
  ): Promise<readonly Seen[]> {
    const asked: { readonly one: Seen; readonly at: number }[] = [];
    for (const one of read.toSorted((a, b) => b.logit - a.logit).slice(0, JUDGED_WINDOWS)) {
      if (asked.length >= JUDGED_PLACES || !matters(one.logit)) break;
      const { stream, tokens, from, offset } = one.window;
      const at = offset + (tokens.starts[from + highest(one.places)] ?? 0);
      if (!asked.some((other) => other.one.window.stream === stream && Math.abs(other.at - at) < APART_CHARS)) asked.push({ one, at });
    }
    const said = await Promise.all(
      asked.map(({ one, at }) =>
        this.#crew.judge({ pieces: this.#pieces.around(one.window.stream.text, at), kind: KINDS.indexOf(kind) }, stopped),
      ),
    );
    const moved = new Map(asked.map(({ one }, i) => [one, said[i]]));
    return read.map((one) => ({ ...one, logit: together(one.logit, moved.get(one)) }));
  }
}

/** Where windows begin in so many tokens; the last one ends where they do. */
function startsOf(tokens: number): readonly number[] {
  if (tokens === 0) return [];
  const starts: number[] = [];
  for (let at = 0; at < tokens - WINDOW; at += STRIDE) starts.push(at);
  return [...starts, Math.max(0, tokens - WINDOW)];
}

/** Windows of about one length together, as many as one run takes, and enough batches that every worker has one. */
function batchesOf(
  windows: readonly Window[],
  workers: number,
): readonly { readonly windows: readonly Window[]; readonly length: number }[] {
  const sorted = windows.toSorted((a, b) => b.count - a.count);
  const most = Math.max(1, Math.min(CHOSEN.melira_batch_windows, Math.ceil(windows.length / workers)));
  const batches: { windows: Window[]; length: number }[] = [];
  for (const window of sorted) {
    const length = Math.ceil(window.count / ROUND) * ROUND;
    const last = batches.at(-1);
    if (last !== undefined && last.windows.length < most && length * 2 > last.length) last.windows.push(window);
    else batches.push({ windows: [window], length });
  }
  return batches;
}

function batchOf(windows: readonly Window[], length: number, kind: Kind): Batch {
  const ids = new Int32Array(windows.length * length * WIDTH);
  for (const [i, { tokens, from, count }] of windows.entries())
    ids.set(tokens.ids.subarray(from * WIDTH, (from + count) * WIDTH), i * length * WIDTH);
  return { ids, kinds: new Int32Array(windows.length).fill(kindId(kind)), length };
}

/** The places that raised the score: in each suspicious window the stretch around its highest position. */
function spansOf(seen: readonly Seen[], scoreOf: (logit: number) => number): readonly Span[] {
  const spans: Span[] = [];
  for (const { window, logit, places } of seen.toSorted((a, b) => b.logit - a.logit)) {
    const score = scoreOf(logit);
    if (score < THRESHOLD || spans.length >= CHOSEN.melira_spans) break;
    const { stream, tokens, from, offset } = window;
    const [first, last] = stretch(places);
    const begin = offset + (tokens.starts[from + first] ?? 0);
    const end = offset + (tokens.starts[from + last + 1] ?? 0);
    const start = stream.origin(begin);
    const stop = Math.max(start, stream.origin(end));
    if (spans.some((span) => start < span.end && stop > span.start)) continue;
    spans.push({ start, end: stop, score, text: stream.text.slice(begin, end).trim(), hidden: stream.name === "hidden" });
  }
  return spans;
}

function highest(places: Float32Array): number {
  let top = 0;
  for (let i = 1; i < places.length; i++) if ((places[i] as number) > (places[top] as number)) top = i;
  return top;
}

/** Positions around the highest one that are high themselves, gaps of a few allowed. */
function stretch(places: Float32Array): readonly [number, number] {
  const top = highest(places);
  const mean = places.reduce((sum, value) => sum + value, 0) / places.length;
  const high = mean + ((places[top] as number) - mean) * 0.4;
  const reach = (step: number): number => {
    let last = top;
    for (let i = top + step; i >= 0 && i < places.length && Math.abs(i - last) <= 4; i += step) if ((places[i] as number) >= high) last = i;
    return last;
  };
  return [reach(-1), reach(1)];
}

/** A module of one SIMD instruction: where it is not valid, the runtime cannot be either. */
function hasSimd(): boolean {
  return WebAssembly.validate(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11),
  );
}

/** Memory that can be had without taking it from others; unknown counts as enough. */
function freeBytes(system: System): number {
  const lines = system.read("/proc/meminfo", CHOSEN.melira_manifest_bytes);
  const kib = lines && /^MemAvailable:\s+(\d+) kB/m.exec(new TextDecoder().decode(lines.bytes))?.[1];
  return kib === undefined ? Number.POSITIVE_INFINITY : Number(kib) * 1024;
}
