/** One thing `doctor` looked at. Every problem names the next step; a note is worth knowing and nothing to mend. */
export type Fact = {
  /** For scripts; stays the same across versions. */
  readonly check: Check;
  /** In words for a person. */
  readonly text: string;
} & ({ readonly state: "fine" | "note" } | { readonly state: "problem"; readonly next: string });

/** What `doctor` looks at. */
export type Check =
  | "program"
  | "program rights"
  | "path"
  | "data directory"
  | "own folder"
  | "clock"
  | "disk"
  | "settings"
  | "entries"
  | "entry program"
  | "adapter"
  | "seen";

export function fine(check: Check, text: string): Fact {
  return { check, text, state: "fine" };
}

export function note(check: Check, text: string): Fact {
  return { check, text, state: "note" };
}

export function problem(check: Check, text: string, next: string): Fact {
  return { check, text, state: "problem", next };
}
