/**
 * The vocabulary of known credential files (proof B1, L-016).
 *
 * Trust: paths and contents are hostile. A path alone proves nothing: a kind is confirmed only by its own
 * `confirm`, which wants two independent facts, the container's shape and the secret's
 * (credential-files.md §14). Nothing here touches the disk or the process environment.
 */
import type { Secret } from "../secret.ts";

/** The user the paths are judged for. */
export interface Home {
  /** Absolute home folder; "" when there is none. */
  readonly folder: string;
  /** The caller's environment: KUBECONFIG, XDG_CONFIG_HOME, AWS_SHARED_CREDENTIALS_FILE … */
  readonly environment: Readonly<Record<string, string>>;
}

/** A value that stands in a text, or was decoded from it. */
export interface Leaf {
  /** Keys from the document's root down; list positions as decimal text. */
  readonly path: readonly string[];
  /** The value as its reader would see it: escapes undone, quotes removed. */
  readonly value: string;
  /** Half-open UTF-16 range of the value as it is written, inside its quotes; -1 when it is not written in one piece. */
  readonly start: number;
  readonly end: number;
}

/** A secret field of a confirmed file. */
export interface Field {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** A value without a format of its own, chosen by a person: it never blocks by itself (D-19, L-112). */
  readonly password: boolean;
}

/**
 * What the content of a confirmed file is worth. PROVEN is B1 (D-17); a QUESTION file often holds no secret
 * worth stopping for or is shared on purpose: asked, redacted, never blocked (L-033).
 */
export type FileClass = "PROVEN" | "QUESTION";

/** One kind of credential file. */
export interface CredentialKind {
  /** Lower case, digits, `-`; the family of its secrets in `[leak0:<family>:…]`. */
  readonly id: string;
  /** For people: "AWS credentials file". */
  readonly title: string;
  readonly class: FileClass;
  /** Where the file lies by its tool's own rules, in the notation of `place.ts`. */
  readonly places: readonly string[];
  /**
   * Texts that all stand in every file of the kind. Present on kinds whose content is proof by itself
   * under any name (credential-files.md §14.4); without it the place is part of the proof.
   */
  readonly markers?: readonly string[];
  /** The secret fields, or nothing when the content is not this kind, holds no secret, or only placeholders. */
  confirm(text: string, path: string): readonly Field[];
}

/** A file whose content confirmed a kind. */
export interface Identified {
  readonly id: string;
  readonly title: string;
  /** B1 is decided by this. The grade of a single secret says only what that value is worth alone. */
  readonly class: FileClass;
  /** Known place and fitting content, or content that is proof under any name. */
  readonly proof: "resolved path" | "structure";
  /**
   * In order of position. PROVEN kinds: grade "credential", and "field" for passwords without a format
   * (D-19); QUESTION kinds: "field".
   */
  readonly secrets: readonly Secret[];
}
