/**
 * The search for long texts: native/scan/scan.c as WebAssembly. It costs about 1 ms to start and 3 ms per MiB.
 *
 * The text is copied in windows, one byte per UTF-16 unit (the low one), so that offsets in the window are offsets
 * in the text whatever it holds; `Hits` checks every find on the text itself.
 */
import type { Hits } from "./hits.ts";
import { PROGRAM } from "./program.ts";

/** The sizes fixed in scan.c. */
const WINDOW = 262_144;
/** Longest needle and body: how far they may reach to either side of the piece that is searched. A multiple of four. */
const OVERLAP = 208;
const POOL = 32_768;
const HITS = 4_096;

interface Exports {
  readonly memory: WebAssembly.Memory;
  pool(): number;
  window(): number;
  hits(): number;
  resume(): number;
  load(length: number): number;
  scan(at: number, length: number, end: number): number;
}

/** A search program that holds one list of needles. */
export class WasmSearch {
  readonly #needles: readonly string[];
  readonly #exports: Exports;
  readonly #window: Buffer;
  readonly #hits: Uint32Array;

  /** Throws when WebAssembly is not to be had or the list does not fit (needles of 3 to 200 ASCII characters, 32 KiB together). */
  constructor(needles: readonly string[]) {
    const program = new WebAssembly.Module(Uint8Array.fromBase64(PROGRAM));
    const exports = new WebAssembly.Instance(program, {}).exports as unknown as Exports;
    const memory = exports.memory.buffer;
    const list = `${needles.join("\n")}\n`;
    const length = Buffer.from(memory, exports.pool(), POOL).write(list, "latin1");
    if (length !== list.length || exports.load(length) !== needles.length) throw new Error("the needles do not fit");
    this.#needles = needles;
    this.#exports = exports;
    this.#window = Buffer.from(memory, exports.window(), WINDOW + 2 * OVERLAP);
    this.#hits = new Uint32Array(memory, exports.hits(), HITS * 2);
  }

  /** Offers every place where a needle stands. Throws only when the program fails. */
  search(text: string, hits: Hits): void {
    for (let from = 0; from < text.length && !hits.full; from += WINDOW) {
      const left = Math.max(0, from - OVERLAP);
      const end = this.#window.write(text.slice(left, from + WINDOW + OVERLAP), "latin1");
      const length = Math.min(from + WINDOW, text.length) - left;
      let at = from - left;
      while (at < length && !hits.full) {
        const count = this.#exports.scan(at, length, end);
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
