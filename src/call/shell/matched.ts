/** What a test of the shell finds of a text: `[[ $x =~ (.*) ]]`. */
import type { Argument } from "../effect.ts";
import { linePattern } from "../pattern-excerpt.ts";
import { excerpted, transformed } from "../source.ts";
import type { Variable } from "./state.ts";

/** `version=([0-9.]+)`: a name with what stands behind it, in signs of one line. */
const NAMED_VALUE = /^[\w ="':/-]{2,100}\(?\[[\w./:-]{1,40}\][+*]\)?["']?$/;

/** `BASH_REMATCH`: what is found as a whole, and of each group. */
export function matched({ sources }: Argument, pattern: Argument): Variable {
  const from = sources.filter((source) => source.from !== "text" && source.from !== "unknown");
  const line = pattern.exact && NAMED_VALUE.test(pattern.text) ? linePattern(pattern.text, "extended", false, true, true) : undefined;
  // A pattern that takes all to the end keeps values whole.
  const found =
    line !== undefined
      ? excerpted(from, { kind: "matches", pattern: line })
      : /\.[*+]\)?\$?$/.test(pattern.text)
        ? from
        : transformed(from);
  const value: Argument = { text: "", exact: false, sources: found };
  return { values: Array.from({ length: GROUPS }, () => value), exported: false, array: true };
}

const GROUPS = 10;
