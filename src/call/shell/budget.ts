/** Work one call may cause, shared by everything nested in it. Counted, not timed: the same call always ends at the same place. */
import { CHOSEN } from "../../limits.ts";

/** Counters of one call. A method answers false once its limit is reached. */
export class Budget {
  #commands: number = CHOSEN.commands;
  #rounds: number = CHOSEN.rounds;
  #chars: number = CHOSEN.parsed_chars;
  #depth = 0;
  #wrappers = 0;

  /** One more simple command. */
  command(): boolean {
    this.#commands--;
    return this.#commands >= 0;
  }

  /** One more round of a loop, which may hold no command. */
  round(): boolean {
    this.#rounds--;
    return this.#rounds >= 0;
  }

  /** Simple commands evaluated so far. */
  get commands(): number {
    return CHOSEN.commands - this.#commands;
  }

  /** Whether no command may start any more. */
  get spent(): boolean {
    return this.#commands <= 0;
  }

  /** Whether so much more text may be parsed. */
  parse(chars: number): boolean {
    this.#chars -= chars;
    return this.#chars >= 0;
  }

  /** Runs `work` in a command that another command starts; false when too many stand around it and nothing ran. */
  wrapped(work: () => void): boolean {
    if (this.#wrappers >= CHOSEN.wrappers) return false;
    this.#wrappers++;
    try {
      work();
    } finally {
      this.#wrappers--;
    }
    return true;
  }

  /** Runs `work` one level deeper; false when that is too deep and nothing ran. */
  deeper(work: () => void): boolean {
    if (this.#depth >= CHOSEN.nested_scripts) return false;
    this.#depth++;
    try {
      work();
    } finally {
      this.#depth--;
    }
    return true;
  }
}

/** What scripts beside a call's own command may cost, all of them together: those it starts, and those a file it writes holds. */
export class Allowance {
  #commands: number = CHOSEN.scripts_commands;
  #chars: number = CHOSEN.scripts_chars;

  /** Reads one more script of this length; undefined when nothing is left for it and it was not read. */
  read<T>(chars: number, work: (budget: Budget) => T): T | undefined {
    if (this.#commands <= 0 || this.#chars < chars) return undefined;
    const budget = new Budget();
    const read = work(budget);
    this.#commands -= budget.commands;
    this.#chars -= chars;
    return read;
  }
}
