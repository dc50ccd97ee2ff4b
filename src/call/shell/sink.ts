/** Where a command's output goes, and the descriptors a command runs with. */
import type { Destination, Effect, PathRef, Source } from "../effect.ts";
import { revealing, unique, unsealed } from "../source.ts";

/** The far end of an output descriptor. `close` is called once, by whoever opened it. */
export interface Sink {
  readonly kind: "show" | "collect" | "null" | "file" | "send";
  put(sources: readonly Source[]): void;
  close(): void;
}

/**
 * Reaches the conversation. Text of the call itself and unknown output reveal nothing and are left out; what is encrypted
 * counts, since a further call may decrypt it.
 */
export class ShowSink implements Sink {
  readonly kind = "show";
  constructor(private readonly emit: (effect: Effect) => void) {}
  put(sources: readonly Source[]): void {
    const shown = revealing(unsealed(sources));
    if (shown.length > 0) this.emit({ kind: "show", sources: shown });
  }
  close(): void {}
}

/** A pipe or a substitution: kept for the next reader. */
export class CollectSink implements Sink {
  readonly kind = "collect";
  #sources: Source[] = [];
  #mixed = false;
  put(sources: readonly Source[]): void {
    for (const source of sources) this.#sources.push(source);
    this.#mixed = true;
  }
  close(): void {}
  /** Everything put so far, without repetitions. */
  get sources(): readonly Source[] {
    if (this.#mixed) this.#sources = unique(this.#sources);
    this.#mixed = false;
    return this.#sources;
  }
}

export const NULL_SINK: Sink = { kind: "null", put() {}, close() {} };

/** A file that a redirection opens: written when it is closed. */
export class FileSink implements Sink {
  readonly kind = "file";
  readonly #collected = new CollectSink();
  #closed = false;
  constructor(
    private readonly file: PathRef,
    private readonly append: boolean,
    private readonly write: (file: PathRef, sources: readonly Source[], append: boolean) => void,
  ) {}
  put(sources: readonly Source[]): void {
    this.#collected.put(sources);
  }
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.write(this.file, this.#collected.sources, this.append);
  }
}

/** A connection that a redirection opens (`/dev/tcp/host/port`): each output is sent. */
export class SendSink implements Sink {
  readonly kind = "send";
  constructor(
    private readonly via: string,
    private readonly destination: Destination,
    private readonly emit: (effect: Effect) => void,
  ) {}
  put(sources: readonly Source[]): void {
    if (sources.length > 0)
      this.emit({ kind: "send", via: this.via, parts: [{ sources, position: "data" }], destination: this.destination });
  }
  close(): void {}
}

/** The descriptors of a running command. Scopes copy it; only `exec` changes one in place. */
export interface Io {
  stdin: readonly Source[];
  readonly out: Map<number, Sink>;
  /** Input descriptors above 0 (`exec 3<f`). */
  readonly inputs: Map<number, readonly Source[]>;
}

/** The same descriptors with another standard output. */
export function withOut(io: Io, sink: Sink, both = false): Io {
  const out = new Map(io.out).set(1, sink);
  if (both) out.set(2, sink);
  return { stdin: io.stdin, out, inputs: new Map(io.inputs) };
}

/** The same descriptors with another standard input. */
export function withStdin(io: Io, stdin: readonly Source[]): Io {
  return { stdin, out: new Map(io.out), inputs: new Map(io.inputs) };
}
