/** A secret and the place it was seen at; holds no value. */
import type { ProofKind, RuleClass } from "../verdict.ts";

/** What `poisonzero scan` reports of one secret. */
export interface Sighting {
  /** As shown; `-` for standard input. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units; bytes in a binary file. */
  readonly column: number;
  /** Behind its last character, where it ends on its line. */
  readonly end_column: number | undefined;
  readonly family: string;
  /** For people: "GitHub personal access token". */
  readonly title: string;
  readonly proof: ProofKind;
  /** Keyed short hash, 8 characters. */
  readonly hash: string;
  /** The rule by which leak0 guards a value of this kind. */
  readonly rule: RuleClass;
  /** Its line with every value replaced, shortened; undefined where the line is no text for people. */
  readonly excerpt: string | undefined;
}

/** Whether anything proves it; what does not may be another thing of the same form. */
export function isProven({ proof }: Sighting): boolean {
  return proof !== "pattern" && proof !== "field";
}
