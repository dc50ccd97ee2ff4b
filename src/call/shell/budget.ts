/** Work one call may cause, shared by everything nested in it. Counted, not timed: the same call always ends at the same place. */
import { CHOSEN } from "../../limits.ts";

/** Counters of one call. A method answers false once its limit is reached. */
export class Budget {
  #commands: number = CHOSEN.commands;
  #chars: number = CHOSEN.parsed_chars;
  #depth = 0;
  #wrappers = 0;

  /** One more simple command. */
  command(): boolean {
    this.#commands--;
    return this.#commands >= 0;
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
