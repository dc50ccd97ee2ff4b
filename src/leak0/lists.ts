/**
 * The administrator's own lists at work: files they named as secret and files they excluded (L-128, L-129).
 * Trust: the lists belong to the administrator; the paths matched against them are hostile text.
 */
import type { Leak0Lists, SecretFileEntry } from "../policy/lists.ts";
import { valuesAt } from "../secrets/files/keyed-value.ts";
import { secretEntries } from "../secrets/files/index.ts";
import { isPlaceholder } from "../secrets/placeholders.ts";
import type { Identified } from "../secrets/files/file.ts";
import type { Secret } from "../secrets/secret.ts";

/** Shortest value of a listed file that is replaced, in characters. */
const VALUE_CHARS = 4;

/** A file is not a secret source when one of its names matches an exclusion. */
export function isExcluded(names: readonly string[], policy: Leak0Lists, home: string): boolean {
  return policy.exclusions.some((glob) => matches(glob, names, home));
}

/** Whether one of a file's names is on the list of secret files. */
export function isListed(names: readonly string[], policy: Leak0Lists, home: string): boolean {
  return policy.secretFiles.some(({ path }) => matches(path, names, home));
}

/** What a listed secret file is; undefined when the file is not listed or holds none of the named fields. */
export function listed(names: readonly string[], text: string, policy: Leak0Lists, home: string): Identified | undefined {
  const entry = policy.secretFiles.find(({ path }) => matches(path, names, home));
  if (entry === undefined) return undefined;
  const secrets = fields(entry, text);
  return secrets.length === 0
    ? undefined
    : { id: "listed", title: "a file listed as secret", class: "QUESTION", proof: "resolved path", secrets };
}

function fields(entry: SecretFileEntry, text: string): readonly Secret[] {
  if (entry.keys === undefined) return secretEntries(text);
  return entry.keys
    .flatMap((key) => [...valuesAt(text, key)])
    .filter(({ value }) => value.length >= VALUE_CHARS && !isPlaceholder(value))
    .map((field) => ({ family: "listed", title: "a value of a file listed as secret", grade: "field", kind: "field", ...field }));
}

function matches(glob: string, names: readonly string[], home: string): boolean {
  const plain = glob.replaceAll("\\", "/").replace(/^(?:~|%USERPROFILE%)(?=\/|$)/i, () => home);
  const matcher = new Bun.Glob(plain);
  // A glob without a folder means the file's name anywhere.
  return names.some((name) => matcher.match(name) || (!plain.includes("/") && matcher.match(name.slice(name.lastIndexOf("/") + 1))));
}
