/** What every command does that starts another one: its own words are taken off, the rest is begun. */
import type { Argument } from "../../effect.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable } from "../options.ts";

interface Wrapper {
  readonly table: OptionTable;
  /** Words in front of the options, of which one has to be there (`perf stat`). */
  readonly verbs?: RegExp;
  /** Operands between the options and the command. */
  readonly skip?: number;
  /** `NAME=value` words in front of the command set its environment. */
  readonly assigns?: boolean;
}

/** A handler that takes off what the table says is the command's own, and starts the rest. */
export function wrap(spec: Wrapper): Handler {
  return (invocation) => {
    if (spec.verbs?.test(invocation.text(0)) === false) return;
    const options = invocation.options({ ...spec.table, stop: true }, spec.verbs === undefined ? 0 : 1);
    begin(invocation, options.operands.slice(spec.skip ?? 0), spec.assigns === true);
  };
}

/** Starts what is left after a wrapper's own words. */
export function begin(invocation: Invocation, words: readonly Argument[], assigns: boolean): void {
  let at = 0;
  const environment = new Map(invocation.environment);
  if (assigns) {
    for (; at < words.length; at++) {
      const word = words[at] as Argument;
      const match = /^([A-Za-z_][A-Za-z0-9_]{0,255})=/.exec(word.text);
      if (match === null) break;
      environment.set(match[1] ?? "", { ...word, text: word.text.slice(match[0].length) });
    }
  }
  if (at < words.length) invocation.start(words.slice(at), { environment });
}
