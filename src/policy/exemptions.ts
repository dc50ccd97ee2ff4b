/**
 * A repository's own exemption list, the file `.leak0-exempt` at its root (D-04, P-035, X-063).
 *
 * Trust: the list comes with the repository, and whoever runs the agent can write it; the caller hands over only what is
 * committed in HEAD. A list with one line that is not understood exempts nothing: a mistake must not open more than was meant.
 *
 *     # one entry a line; every part of an entry has to fit
 *     path:test/fixtures/**
 *     path:docs/** rule:leak0:vendor_token_*
 *     sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 */
import { CHOSEN } from "../limits.ts";
import { globProblem } from "./glob.ts";

/** The list's name; it counts at the root of the working tree and nowhere else. */
export const EXEMPTION_FILE = ".leak0-exempt";

/** One entry: what is given has to fit, and at least one part is. */
export interface Exemption {
  readonly path?: string;
  readonly rule?: string;
  /** SHA-256 of the value's UTF-8, 64 lower-case hex characters. */
  readonly sha256?: string;
}

/** What a finding is about. */
export interface Exemptible {
  /** From the root of the repository, with `/`; undefined where it is about no file. */
  readonly path: string | undefined;
  readonly rule: string;
  readonly value: string;
}

/** The entries of a list, or why it counts for nothing, completing "line 3 …". */
export function parseExemptions(text: string): readonly Exemption[] | string {
  const entries: Exemption[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const entry = parseEntry(bare.split(/[ \t]+/));
    if (typeof entry === "string") return `line ${index + 1} ${entry}`;
    entries.push(entry);
    if (entries.length > CHOSEN.exemptions) return `line ${index + 1} is one more than the ${CHOSEN.exemptions} entries that count`;
  }
  return entries;
}

function parseEntry(parts: readonly string[]): Exemption | string {
  const entry: { path?: string; rule?: string; sha256?: string } = {};
  for (const part of parts) {
    const [, key = "", value = ""] = /^(path|rule|sha256):(.{0,4096})$/.exec(part) ?? [];
    if (key !== "path" && key !== "rule" && key !== "sha256") return "has a part that is not path:…, rule:… or sha256:…";
    if (entry[key] !== undefined) return `names ${key}: twice`;
    if (key === "sha256") {
      if (!/^[0-9a-f]{64}$/.test(value)) return "has a sha256: that is not 64 lower-case hex characters";
    } else {
      const problem = globProblem(value);
      if (problem !== undefined) return `has a ${key}: that ${problem}`;
    }
    entry[key] = value;
  }
  return entry;
}

/** Whether an entry fits the finding. */
export function isExempt(entries: readonly Exemption[], { path, rule, value }: Exemptible): boolean {
  return entries.some(
    (entry) =>
      (entry.path === undefined || (path !== undefined && new Bun.Glob(entry.path).match(path))) &&
      (entry.rule === undefined || new Bun.Glob(entry.rule).match(rule)) &&
      (entry.sha256 === undefined || entry.sha256 === sha256(value)),
  );
}

function sha256(value: string): string {
  return new Bun.CryptoHasher("sha256").update(value).digest("hex");
}
