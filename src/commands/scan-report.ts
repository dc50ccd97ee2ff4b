/** What `poisonzero scan` writes: for people, as JSON lines, as SARIF, and how far it is while it runs. No value in any of them. */
import { CHOSEN } from "../limits.ts";
import { sarifFoot, sarifHead, sarifResult } from "../scan/sarif.ts";
import { isProven, type Sighting } from "../scan/sighting.ts";
import type { LeftOut } from "../scan/tree.ts";
import { paint, type Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

/** What a scan came to so far. */
export interface Total {
  readonly files: number;
  readonly bytes: number;
  readonly found: number;
  readonly foundIn: number;
  /** Binary files of which only the beginning was looked at. */
  readonly part: number;
  /** Findings that an exemption list leaves out. */
  readonly exempt: number;
}

/** The last line for people. */
export function summary(total: Total, { ignored }: LeftOut, seconds: number, terminal: Terminal): string {
  const looked = `Looked at ${count(total.files, "file")}, ${megabytes(total.bytes)}, in ${seconds.toFixed(1)} s.`;
  const result =
    total.found === 0
      ? paint(terminal, "green", "Nothing found.")
      : paint(terminal, "bold", `${count(total.found, "secret")} in ${count(total.foundIn, "file")}.`);
  const out = ignored === 0 ? "" : ` Ignore rules left out ${count(ignored, "file or folder", "files or folders")} (--no-ignore).`;
  const part = total.part === 0 ? "" : ` Of ${count(total.part, "binary file")} the first 4 MiB.`;
  const exempt = total.exempt === 0 ? "" : ` ${count(total.exempt, "finding")} left out by .leak0-exempt (--no-exempt).`;
  return `${result} ${looked}${out}${exempt}${part}\n`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A line on the terminal that says how far a long scan is; gone before anything else is written. */
export class Progress {
  readonly #terminal: Terminal;
  #next = performance.now() + CHOSEN.scan_progress_after_ms;
  #shown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show({ files, bytes, found }: Total): void {
    if (!this.#terminal.watched || performance.now() < this.#next) return;
    this.#next = performance.now() + CHOSEN.scan_progress_every_ms;
    this.#terminal.err(`\r${count(files, "file")}, ${megabytes(bytes)}, ${count(found, "secret")}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#terminal.err("\r\x1b[K");
    this.#shown = false;
  }
}

/** One way to write down what was found. */
export interface Writer {
  begin(): void;
  /** All sightings of one file. */
  file(sightings: readonly Sighting[]): void;
  end(problems: readonly string[]): void;
}

export class TextWriter implements Writer {
  readonly #terminal: Terminal;
  #path: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begin(): void {}

  file(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const { path, line, column, title, proof, hash, excerpt } = sighting;
      if (path !== this.#path) {
        this.#terminal.out(
          `${this.#path === undefined ? "" : "\n"}${paint(this.#terminal, "bold", path === "-" ? "standard input" : path)}\n`,
        );
        this.#path = path;
      }
      const colour = isProven(sighting) ? "red" : "yellow";
      const place = paint(this.#terminal, "dim", `${line}:${column}`);
      this.#terminal.out(`  ${place}  ${paint(this.#terminal, colour, title)} · ${proofWords(proof)} · hash ${hash}\n`);
      if (excerpt !== undefined) this.#terminal.out(`      ${excerpt}\n`);
    }
  }

  end(): void {
    if (this.#path !== undefined) this.#terminal.out("\n");
  }
}

function proofWords(proof: Sighting["proof"]): string {
  return proof === "pattern" || proof === "field" ? `not proven (${proof})` : `proven (${proof})`;
}

export class JsonWriter implements Writer {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begin(): void {}

  file(sightings: readonly Sighting[]): void {
    const lines = sightings.map(({ path, line, column, family, proof, hash, rule }) =>
      JSON.stringify({ path, line, column, family, proof, hash, rule }),
    );
    this.#terminal.out(`${lines.join("\n")}\n`);
  }

  end(): void {}
}

export class SarifWriter implements Writer {
  readonly #terminal: Terminal;
  #first = true;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begin(): void {
    this.#terminal.out(sarifHead(VERSION));
  }

  file(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      this.#terminal.out(`${this.#first ? "" : ","}\n${sarifResult(sighting)}`);
      this.#first = false;
    }
  }

  end(problems: readonly string[]): void {
    this.#terminal.out(sarifFoot(problems));
  }
}
