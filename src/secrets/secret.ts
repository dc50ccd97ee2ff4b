/**
 * What the evidence rooms (families, files, scan) report: spans of text that hold a secret.
 * Trust: `value` lives in memory only. Nothing that is printed or stored may take it; use `shortHash`.
 */
import type { ProofKind } from "../verdict.ts";

/** How much a recognised value proves by itself. */
export type Grade =
  /** D-13: prefix and valid checksum. Blocks as B2. */
  | "token"
  /** A secret field of a content-confirmed credential file, or a whole private key. Blocks as B1. */
  | "credential"
  /** A vendor's format without a proof on the D-13 list: redacts, asks or notes, never blocks by itself. */
  | "vendor"
  /** Named as a secret by its field (`DB_PASSWORD=…` in a .env): redacts, never blocks. */
  | "field";

/** One secret value found in a text. */
export interface Secret {
  /** `[leak0:<family>:…]`: lower case, digits, `-`; `github`, `npm`, `openai`, `private-key`. */
  readonly family: string;
  /** For people: "GitHub personal access token". */
  readonly title: string;
  readonly grade: Grade;
  readonly kind: ProofKind;
  /** The exact value, for hashing and replacing only. */
  readonly value: string;
  /** Half-open UTF-16 range of the value in the scanned text; both -1 when the value was found in a decoded form. */
  readonly start: number;
  readonly end: number;
}

/** Result of looking through one text. */
export interface Scan {
  /** In order of `start`, not overlapping. */
  readonly secrets: readonly Secret[];
  /** False when a limit ended the scan early: "uncertain", never "clean". */
  readonly complete: boolean;
}
