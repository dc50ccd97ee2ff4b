/**
 * The search for long texts: native/scan/scan.c as WebAssembly. It costs about 1 ms to start and 2.5 ms per MiB.
 *
 * The text is copied in windows, one byte per UTF-16 unit (of what is not ASCII the low one), so that offsets in the window are
 * offsets in the text whatever it holds; `Hits` checks every find on the text itself.
 */
import type { Range } from "../runs.ts";
import type { Hits } from "./hits.ts";
import { PROGRAM, SIMD_PROGRAM } from "./program.ts";

/** The sizes fixed in scan.c. */
const WINDOW = 262_144;
/** Longest needle and body: how far they may reach to either side of the piece that is searched. A multiple of four. */
const OVERLAP = 208;
const POOL = 32_768;
const HITS = 4_096;
/** Where a stretch's marks stand in its end. */
const MARKS_SHIFT = 24;

/** What may stand in a stretch: printable ASCII in base64, the same in hex, letters and digits in the length of a key, base32, base64 backwards. */
export const MARKS = { base64: 1, hex: 2, shape: 4, base32: 8, backwards: 16 } as const;

interface Exports {
  readonly memory: WebAssembly.Memory;
  pool(): number;
  window(): number;
  hits(): number;
  resume(): number;
  load(length: number, loud: number): number;
  scan(at: number, length: number, end: number, left: number): number;
  seen(): number;
  stretches(): number;
  survey(end: number, plain: number): number;
  rows(): number;
}

/** A stretch and what may stand in it. */
export interface Stretch extends Range {
  /** Bits of `MARKS`. */
  readonly marks: number;
}

/** What else one pass over a text tells; each may say more than is there, never less. */
export interface Found {
  /** For each quiet needle, by its index among them: 0 where it does not stand in the text, else 1 and the first place where it may. */
  readonly seen: Uint32Array;
  /** Unbroken letters, digits, `_`, `+`, `/` and `-` in which something of `MARKS` may stand, in order, not overlapping; at the border of a window maybe a part. */
  readonly stretches: readonly Stretch[];
  /** A row of hex digits in groups may stand in it. */
  readonly groups: boolean;
  /** A row of single characters with gaps between may stand in it. */
  readonly singles: boolean;
  /** A list of decimal numbers may stand in it. */
  readonly numbers: boolean;
  /** A run of a token's characters may go on over a line end. */
  readonly folds: boolean;
}

/** The program, with SIMD where this processor's is to be had. */
function compiled(): WebAssembly.Module {
  try {
    return new WebAssembly.Module(Uint8Array.fromBase64(SIMD_PROGRAM));
  } catch {
    return new WebAssembly.Module(Uint8Array.fromBase64(PROGRAM));
  }
}

/** A search program that holds one list of needles. */
export class WasmSearch {
  readonly #needles: readonly string[];
  readonly #exports: Exports;
  readonly #window: Buffer;
  readonly #hits: Uint32Array;
  readonly #seen: Uint32Array;
  readonly #stretches: Uint32Array;

  /** `quiet` are needles that are only to be known of (`Found.seen`). Throws when WebAssembly is not to be had or the list does not fit (needles of 3 to 200 ASCII characters, 32 KiB together). */
  constructor(needles: readonly string[], quiet: readonly string[] = []) {
    const exports = new WebAssembly.Instance(compiled(), {}).exports as unknown as Exports;
    const memory = exports.memory.buffer;
    const list = [...needles, ...quiet].map((needle) => `${needle}\n`).join("");
    const length = Buffer.from(memory, exports.pool(), POOL).write(list, "latin1");
    const count = needles.length + quiet.length;
    if (length !== list.length || exports.load(length, needles.length) !== count) throw new Error("the needles do not fit");
    this.#needles = needles;
    this.#exports = exports;
    this.#window = Buffer.from(memory, exports.window(), WINDOW + 2 * OVERLAP);
    this.#hits = new Uint32Array(memory, exports.hits(), HITS * 2);
    this.#seen = new Uint32Array(memory, exports.seen() + needles.length * Uint32Array.BYTES_PER_ELEMENT, quiet.length);
    this.#stretches = new Uint32Array(memory, exports.stretches());
  }

  /** Offers every place where a needle stands. Throws only when the program fails. */
  search(text: string, hits: Hits): void {
    this.#pass(text, hits, () => undefined);
  }

  /** The same, and what else is to be known of the text. Where the hits are full it is no more than a part. */
  survey(text: string, hits: Hits): Found {
    this.#seen.fill(0);
    const stretches: { start: number; end: number; marks: number }[] = [];
    let rows = 0;
    this.#pass(text, hits, (left, end, plain) => {
      const count = this.#exports.survey(end, plain ? 1 : 0);
      rows |= this.#exports.rows();
      for (let i = 0; i < count; i++) {
        const marked = this.#stretches[2 * i + 1] as number;
        const start = left + (this.#stretches[2 * i] as number);
        const stop = left + (marked & ((1 << MARKS_SHIFT) - 1));
        const marks = marked >>> MARKS_SHIFT;
        const last = stretches.at(-1);
        // Windows overlap, and one that reaches over their border is reported in parts.
        if (last !== undefined && start <= last.end) {
          last.end = Math.max(last.end, stop);
          last.marks |= marks;
        } else stretches.push({ start, end: stop, marks });
      }
    });
    return {
      seen: this.#seen.slice(),
      stretches,
      groups: (rows & 1) !== 0,
      singles: (rows & 2) !== 0,
      numbers: (rows & 4) !== 0,
      folds: (rows & 8) !== 0,
    };
  }

  #pass(text: string, hits: Hits, look: (left: number, end: number, plain: boolean) => void): void {
    for (let from = 0; from < text.length && !hits.full; from += WINDOW) {
      const left = Math.max(0, from - OVERLAP);
      const whole = left === 0 && text.length <= WINDOW;
      const part = whole ? text : text.slice(left, from + WINDOW + OVERLAP);
      const end = this.#window.write(part, "latin1");
      // Only ASCII takes one byte a character.
      const plain = Buffer.byteLength(part, "utf8") === end;
      const length = Math.min(from + WINDOW, text.length) - left;
      look(left, end, plain);
      let at = from - left;
      while (at < length && !hits.full) {
        const count = this.#exports.scan(at, length, end, left);
        for (let i = 0; i < count && !hits.full; i++) {
          hits.offer(left + (this.#hits[2 * i] as number), this.#needles[this.#hits[2 * i + 1] as number] as string);
        }
        const next = this.#exports.resume();
        if (next <= at) throw new Error("the search stands still");
        at = next;
      }
    }
  }
}
