/** What Git would take or send, as the products see it. */
import type { Source } from "../effect.ts";

/** One thing Git would put into a commit or send away. */
export interface Taken {
  /**
   * `index`: content staged by this command. `commit`: content it commits. `push`: content or a message it sends.
   * `message`, `tag message`: text of the command itself. `remote url`, `config`: text kept in Git's own configuration.
   */
  readonly where: "index" | "commit" | "push" | "message" | "tag message" | "stash" | "remote url" | "config";
  /** Repository-relative with "/", for file content; undefined for messages. */
  readonly path: string | undefined;
  /** The blob, or the working-tree bytes before conversions and filters (D-29). Binary content may be cut (`git_binary_bytes`). */
  readonly bytes: Uint8Array | undefined;
  /** Text of a message, URL or setting. */
  readonly text: string | undefined;
  /** The path is not in the commit (or, when staging, not in the index) this builds on. A known path is listed only when its content changes. */
  readonly isNew: boolean;
  /** The path is a symbolic link to this file; `bytes` are the file's, although Git stores only the link (L-017). */
  readonly link?: string;
  /** It may be taken or not: reason for a question at most. */
  readonly unsure?: true;
  /** What substitutions bring into the text beyond what `text` already holds. */
  readonly sources?: readonly Source[];
}

/** What one Git command of a line would take or send. */
export interface Taking {
  /** Absolute root of the working tree; undefined when nothing had to be looked at or there is none. */
  readonly root: string | undefined;
  readonly taken: readonly Taken[];
  /** Why the check is not complete, for people; such a call never goes through unasked (L-048). */
  readonly unfinished: string | undefined;
  /** A shell command line Git itself would start (`!` alias, `rebase --exec`), to be judged like any other; it runs in `root`. */
  readonly shell?: string;
}

/**
 * A file the same command line writes before Git sees it.
 * `text` undefined means removed.
 */
export interface Pending {
  /** Absolute, free of `.` and `..`. */
  readonly path: string;
  readonly text: string | undefined;
  /** False only when `text` is surely the whole content afterwards; otherwise what is on disk counts as well. */
  readonly append?: boolean;
  /** An ignore file of which nobody can tell what will be left of it: what it hides may come to light. */
  readonly unsure?: true;
  /** What the line's Git commands print stands in it as well. */
  readonly printed?: true;
  /** How many of the line's Git commands run before this write, and so do not see it; 0 when left out. */
  readonly after?: number;
}

/** Where what is taken goes as it is found, so that a large push is never held as a whole. */
export interface Sink {
  push(...taken: readonly Taken[]): unknown;
}

/** Contents of one repository that were looked at before and held nothing. */
export interface Clean {
  has(oid: string, path: string): boolean;
  add(oid: string, path: string): void;
  /** The same for a whole listing of objects with their paths. */
  hasAll(listing: Uint8Array): boolean;
  addAll(listing: Uint8Array): void;
}

/** Somebody who looks at each thing at once instead of having it listed. */
export interface Inspector {
  /** True when nothing at all was found in it. `root` asks for the root of its working tree, which may start Git. */
  look(taken: Taken, root: () => string | undefined): boolean;
  /** What is known of the repository whose own folder this is. */
  clean(folder: string): Clean | undefined;
}
