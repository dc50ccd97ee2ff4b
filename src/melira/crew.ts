/**
 * The workers: one for each core, each with a session of its own, and one queue before them.
 *
 * A batch whose text is not wanted any more, or whose time is over, leaves the queue unread. A worker that breaks takes only the batch
 * in its hands with it; a new one takes its place.
 */
import { CHOSEN } from "../limits.ts";
import { MeliraFailure } from "./failure.ts";
import type { Model } from "./files.ts";

/** Memory all workers see: the files are held once. */
interface Files {
  readonly runtime: SharedArrayBuffer;
  readonly reader: SharedArrayBuffer;
  readonly judge: SharedArrayBuffer;
}

/** What a worker is told. */
export type Order =
  | ({ readonly number: number } & Files)
  | { readonly number: number; readonly ids: Int32Array; readonly kinds: Int32Array; readonly length: number }
  | ({ readonly number: number } & Excerpt);

/** What it answers. */
export interface Answer {
  readonly number: number;
  readonly logits?: Float32Array;
  readonly places?: Float32Array;
  readonly error?: string;
}

/** Windows of one length, to be read in one go. */
export interface Batch {
  readonly ids: Int32Array;
  readonly kinds: Int32Array;
  readonly length: number;
}

/** The pieces around one place (pieces.ts), to be judged. */
export interface Excerpt {
  readonly pieces: Int32Array;
  readonly kind: number;
}

/** What the network said: a number for each window, and one for each of its positions. */
export interface Read {
  readonly logits: Float32Array;
  readonly places: Float32Array;
}

interface Waiting {
  readonly work: Batch | Excerpt;
  readonly stopped: () => MeliraFailure | undefined;
  readonly resolve: (read: Answer) => void;
  readonly reject: (failure: MeliraFailure) => void;
}

export class Crew {
  readonly #hands: Hand[] = [];
  readonly #queue: Waiting[] = [];
  readonly #files: Files;
  readonly #most: number;
  #closed = false;

  private constructor(files: Files, most: number) {
    this.#files = files;
    this.#most = most;
  }

  /** Starts `workers` of them and waits for the first; the others join as they are ready. Throws a MeliraFailure: memory or engine. */
  static async open({ files }: Model, workers: number): Promise<Crew> {
    const shared = {
      runtime: sharedCopy(files["runtime.wasm"]),
      reader: sharedCopy(files["reader.onnx"]),
      judge: sharedCopy(files["judge.onnx"]),
    };
    const crew = new Crew(shared, Math.max(1, Math.min(workers, CHOSEN.melira_workers)));
    await crew.#hire().ready;
    return crew;
  }

  /** Workers there may be. */
  get size(): number {
    return this.#most;
  }

  /** Starts those workers that are not there yet, without waiting for them. */
  fill(): void {
    while (!this.#closed && this.#hands.length < this.#most) this.#hire().ready.catch(() => {});
  }

  /** Batches that nobody has begun. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Reads a batch. `stopped` is asked before it is begun: whether it is still wanted, and in time. */
  async read(batch: Batch, stopped: () => MeliraFailure | undefined): Promise<Read> {
    const { logits, places } = await this.#ask(batch, stopped);
    if (logits === undefined || places === undefined) throw new MeliraFailure("engine");
    return { logits, places };
  }

  /** Judges one excerpt: the judge's number. Only the first worker does, so that the judge is held once. */
  async judge(excerpt: Excerpt, stopped: () => MeliraFailure | undefined): Promise<number> {
    const [number] = (await this.#ask(excerpt, stopped)).logits ?? [];
    if (number === undefined) throw new MeliraFailure("engine");
    return number;
  }

  #ask(work: Batch | Excerpt, stopped: () => MeliraFailure | undefined): Promise<Answer> {
    if (this.#closed) return Promise.reject(new MeliraFailure("cancelled"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, stopped, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#closed = true;
    for (const hand of this.#hands.splice(0)) hand.end();
    for (const { reject } of this.#queue.splice(0)) reject(new MeliraFailure("cancelled"));
  }

  #next(): void {
    for (let i = 0; i < this.#queue.length; ) {
      const { work, stopped, resolve, reject } = this.#queue[i] as Waiting;
      const failure = stopped();
      const fit = "pieces" in work ? this.#hands.slice(0, 1) : this.#hands;
      const hand = fit.find((one) => one.free);
      if (failure === undefined && hand === undefined) {
        if (!this.#hands.some((one) => one.free)) return;
        i++;
        continue;
      }
      this.#queue.splice(i, 1);
      if (failure !== undefined) reject(failure);
      else hand?.work(work).then(resolve, reject);
    }
  }

  #hire(): Hand {
    const hand = new Hand(
      this.#files,
      () => this.#next(),
      () => {
        const at = this.#hands.indexOf(hand);
        if (at >= 0) this.#hands.splice(at, 1);
        if (!this.#closed && this.#queue.length > 0 && hand.served) this.#hire().ready.catch(() => {});
        else if (this.#hands.length === 0) for (const { reject } of this.#queue.splice(0)) reject(new MeliraFailure("engine"));
      },
    );
    this.#hands.push(hand);
    return hand;
  }
}

/** The worker's file: in the built program beside the entry, in the sources beside this file. */
const PROGRAM = Bun.isStandaloneExecutable ? "./melira/worker.ts" : new URL("./worker.ts", import.meta.url).href;

/** One worker. */
class Hand {
  readonly ready: Promise<void>;
  /** It has answered at least once: what broke it was a batch, not the model. */
  served = false;
  readonly #worker: Worker;
  readonly #idle: () => void;
  #open = false;
  #number = 0;
  #pending: { resolve: (answer: Answer) => void; reject: (failure: MeliraFailure) => void } | undefined;

  constructor(files: Files, idle: () => void, gone: () => void) {
    this.#idle = idle;
    this.#worker = new Worker(PROGRAM, { smol: true });
    this.#worker.addEventListener("message", (event) => {
      const data = (event as { data: Answer }).data;
      const pending = this.#pending;
      this.#pending = undefined;
      if (data.error === undefined) pending?.resolve(data);
      else pending?.reject(failureOf(data.error));
    });
    const broken = (message: string): void => {
      this.#open = false;
      this.#pending?.reject(failureOf(message));
      this.#pending = undefined;
      gone();
    };
    this.#worker.addEventListener("error", (event) => broken((event as { message?: string }).message ?? ""));
    this.#worker.addEventListener("close", () => broken("it ended"));
    this.ready = this.#start(files, gone);
  }

  async #start(files: Files, gone: () => void): Promise<void> {
    try {
      await this.#ask({ number: 0, ...files });
      this.#open = true;
      this.#idle();
    } catch (failure) {
      this.end();
      gone();
      throw failure;
    }
  }

  get free(): boolean {
    return this.#open && this.#pending === undefined;
  }

  async work(work: Batch | Excerpt): Promise<Answer> {
    try {
      const answer = await this.#ask({ number: ++this.#number, ...work });
      this.served = true;
      return answer;
    } finally {
      queueMicrotask(this.#idle);
    }
  }

  end(): void {
    this.#open = false;
    this.#worker.terminate();
  }

  #ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker.postMessage(order);
    });
  }
}

function failureOf(message: string): MeliraFailure {
  return new MeliraFailure(/memory|allocat/i.test(message) ? "memory" : "engine", message.slice(0, 200));
}

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const made = new SharedArrayBuffer(bytes.length);
  new Uint8Array(made).set(bytes);
  return made;
}
