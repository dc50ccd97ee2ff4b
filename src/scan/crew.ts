/**
 * Looks at many files with all cores: this process and copies of it, which are handed batches of files.
 *
 * Trust: the copies are this very program, started without the caller's environment; what they need to know travels over
 * their standard input, and no value comes back. One that ends early is replaced by this process: its batches are looked at here.
 * Results come in the order of the files, whoever looked at them.
 */
import { CHOSEN } from "../limits.ts";
import { readLists } from "../policy/leak0.ts";
import type { Leak0Lists } from "../policy/lists.ts";
import { shortHash, userKey } from "../session/key.ts";
import { openSystem, type System } from "../system.ts";
import { type Broken, type Looked, Looker } from "./look.ts";
import type { Entry } from "./tree.ts";

/** What came of one file. */
export interface FileResult extends Looked {
  readonly path: string;
}

/** How a copy of this program is started as a helper; undefined where it cannot be. */
export type HelperCommand = readonly string[] | undefined;

/** What a helper is told first: whose machine it is on. */
interface Briefing {
  readonly environment: Readonly<Record<string, string>>;
  readonly lists: Leak0Lists;
  readonly key: string;
  readonly exempting: boolean;
}

interface Batch {
  readonly number: number;
  readonly files: readonly Entry[];
}

/** Looks at one batch here, and now and then lets others have a turn. Files with nothing to say are only counted. */
async function lookAt(files: readonly Entry[], looker: Looker, turn: () => void): Promise<Summary> {
  const results: FileResult[] = [];
  let bytes = 0;
  let exempt = 0;
  let since = performance.now();
  for (const entry of files) {
    const looked = looker.file(entry);
    bytes += looked.bytes;
    exempt += looked.exempt;
    if (looked.sightings.length > 0 || looked.open !== undefined) results.push({ path: entry.path, ...looked });
    if (performance.now() - since < CHOSEN.scan_turn_ms) continue;
    await new Promise((resolve) => void setImmediate(resolve));
    turn();
    since = performance.now();
  }
  return { results, files: files.length, bytes, exempt, brokenLists: looker.brokenLists() };
}

/** What came of a batch. */
export interface Summary {
  /** Files with a finding, or not looked at to their end. */
  readonly results: readonly FileResult[];
  readonly files: number;
  readonly bytes: number;
  readonly exempt: number;
  readonly brokenLists: readonly Broken[];
}

/** A looker with this user's key. Hashes are those of messages and audit. */
export function lookerOf(system: System, exempting: boolean): Looker {
  const key = userKey(system);
  return new Looker({ system, lists: readLists(system), hash: (value) => shortHash(key, value), exempting });
}

/** Every file's summary, batch by batch and in order. */
export async function* lookAtAll(
  entries: Iterable<Entry>,
  system: System,
  exempting: boolean,
  command: HelperCommand,
): AsyncGenerator<Summary> {
  const queue = new Queue(entries);
  const helpers = command !== undefined && queue.isLong ? hire(command, system, exempting) : [];
  const looker = lookerOf(system, exempting);
  const done = new Map<number, Summary>();
  let printed = 0;
  try {
    const serve = (): void => {
      for (const helper of helpers) {
        for (const [number, summary] of helper.collect()) done.set(number, summary);
        if (helper.ended) queue.giveBack(helper.open.splice(0));
        while (!helper.ended && helper.open.length < CHOSEN.scan_batches_ahead) {
          const batch = queue.next();
          if (batch === undefined) break;
          helper.give(batch);
        }
      }
    };
    for (;;) {
      serve();
      // The helpers have enough for longer than this process takes for a batch of its own.
      const batch = queue.next();
      if (batch !== undefined) done.set(batch.number, await lookAt(batch.files, looker, serve));
      for (let summary = done.get(printed); summary !== undefined; summary = done.get(printed)) {
        done.delete(printed++);
        yield summary;
      }
      if (batch !== undefined) continue;
      const working = helpers.filter(({ ended, open }) => !ended && open.length > 0);
      if (working.length > 0) await Promise.race(working.map((helper) => helper.wait()));
      else if (helpers.every(({ ended, open, news }) => !news && (open.length === 0 || !ended))) return;
    }
  } finally {
    await Promise.all(helpers.map((helper) => helper.dismiss()));
  }
}

/** Files in batches, as they are needed. */
class Queue {
  readonly #rest: Iterator<Batch, undefined>;
  /** Batches that come first: the beginning, or what somebody did not finish. */
  readonly #first: Batch[] = [];
  /** There is enough to do for several processes. */
  readonly isLong: boolean;

  constructor(entries: Iterable<Entry>) {
    this.#rest = batches(entries);
    for (let batch = this.#rest.next().value; batch !== undefined; batch = this.#rest.next().value) {
      this.#first.push(batch);
      if (this.#first.length > CHOSEN.scan_alone_batches) break;
    }
    this.isLong = this.#first.length > CHOSEN.scan_alone_batches;
  }

  next(): Batch | undefined {
    return this.#first.shift() ?? this.#rest.next().value;
  }

  giveBack(unfinished: readonly Batch[]): void {
    this.#first.unshift(...unfinished);
  }
}

function* batches(entries: Iterable<Entry>): Generator<Batch, undefined> {
  let number = 0;
  let files: Entry[] = [];
  for (const entry of entries) {
    if (files.push(entry) < CHOSEN.scan_batch_files) continue;
    yield { number: number++, files };
    files = [];
  }
  if (files.length > 0) yield { number, files };
  return undefined;
}

function hire(command: readonly string[], system: System, exempting: boolean): Helper[] {
  const count = Math.min(navigator.hardwareConcurrency, CHOSEN.scan_processes) - 1;
  const briefing: Briefing = {
    environment: system.environment,
    lists: readLists(system),
    exempting,
    key: Buffer.from(userKey(system).bytes).toString("hex"),
  };
  try {
    return Array.from({ length: count }, () => new Helper(command, briefing));
  } catch {
    return []; // no further process is to be had: this one does it alone
  }
}

/** The engine's last stage of optimisation costs more than it brings: without it a scan takes two thirds of the time (measured). */
const ENGINE = { BUN_JSC_useFTLJIT: "0" };

/** A copy of this program at work. */
class Helper {
  /** Batches it was given and has not answered. */
  readonly open: Batch[] = [];
  ended = false;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #answers: [number, Summary][] = [];
  #wake: (() => void) | undefined;

  constructor(command: readonly string[], briefing: Briefing) {
    this.#child = Bun.spawn([...command], { env: ENGINE, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.#say(briefing);
    void this.#listen();
  }

  give(batch: Batch): void {
    this.open.push(batch);
    this.#say(batch);
  }

  /** Answers that have arrived. */
  collect(): readonly [number, Summary][] {
    return this.#answers.splice(0);
  }

  /** Answers have arrived that were not collected. */
  get news(): boolean {
    return this.#answers.length > 0;
  }

  /** Resolves when something arrived, or the helper ended. */
  async wait(): Promise<void> {
    if (this.news || this.ended) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Ends it: at once where it still has something in hand. */
  async dismiss(): Promise<void> {
    if (this.open.length > 0) this.#child.kill();
    else void this.#child.stdin.end();
    await this.#child.exited;
  }

  #say(value: unknown): void {
    try {
      this.#child.stdin.write(`${JSON.stringify(value)}\n`);
      this.#child.stdin.flush();
    } catch {
      this.ended = true;
    }
  }

  async #listen(): Promise<void> {
    try {
      for await (const line of linesOf(this.#child.stdout)) {
        const [number, summary] = JSON.parse(line) as [number, Summary];
        const at = this.open.findIndex((batch) => batch.number === number);
        if (at < 0) break;
        this.open.splice(at, 1);
        this.#answers.push([number, summary]);
        this.#wake?.();
      }
    } catch {
      // A torn answer counts as none: the batch is looked at by somebody else.
    }
    this.ended = true;
    this.#wake?.();
  }
}

/** The other side: looks at batches until its standard input is closed. */
export async function help(): Promise<void> {
  let looker: Looker | undefined;
  const sink = Bun.stdout.writer();
  for await (const line of linesOf(Bun.stdin.stream())) {
    const value = JSON.parse(line) as Briefing | Batch;
    if ("environment" in value) {
      const system = openSystem({ environment: value.environment });
      const key = { bytes: Uint8Array.fromHex(value.key), stored: false };
      looker = new Looker({ system, lists: value.lists, hash: (one) => shortHash(key, one), exempting: value.exempting });
    } else if (looker !== undefined) {
      sink.write(`${JSON.stringify([value.number, await lookAt(value.files, looker, () => undefined)])}\n`);
      await sink.flush();
    }
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
