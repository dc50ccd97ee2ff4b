/** The bound on all Git work of one call: counted bytes and paths first, the clock as back-stop (D-27). */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";

/** The check cannot be completed; the message is for people and holds no content (L-048). */
export class Unfinished extends Error {}

export class Budget {
  private bytes = CHOSEN.git_bytes;
  private paths = CHOSEN.git_paths;
  private steps = 0;
  private readonly end: number;

  constructor(private readonly system: System) {
    this.end = system.now() + CHOSEN.git_call_ms;
  }

  /** Milliseconds one more process may take. Throws `Unfinished` when there are none. */
  processTime(): number {
    const left = this.end - this.system.now();
    if (left <= 0) throw new Unfinished("Git took too long to answer");
    return Math.min(left, CHOSEN.git_process_ms);
  }

  /** Counts bytes that were or are about to be read. */
  read(count: number): void {
    this.bytes -= count;
    if (this.bytes < 0) throw new Unfinished("there is more content than can be checked at once");
  }

  /** Counts paths; looks at the clock now and then. */
  walk(count = 1): void {
    this.paths -= count;
    if (this.paths < 0) throw new Unfinished("there are more files than can be checked at once");
    if (++this.steps % 64 === 0) this.processTime();
  }
}
