/**
 * Known credential files (B1): what a file is by its place and its content, and secret fields in any text.
 *
 * Trust: paths and texts are hostile. Pure functions over strings; links are the caller's to resolve (L-017)
 * and bytes the caller's to decode. Cost is linear in the text times the kinds whose markers stand in it.
 */
import { CHOSEN } from "../../limits.ts";
import type { Secret } from "../secret.ts";
import { announce, surveyOf } from "../survey.ts";
import type { CredentialKind, Field, Home, Identified } from "./file.ts";
import { kinds } from "./kinds.ts";
import { isAt, isOwn, namesMovedTo, type Place, place, type Spots, spotsOf } from "./place.ts";

export type { CredentialKind, Field, FileClass, Home, Identified } from "./file.ts";
export { entriesOf, isSecretFileName } from "./dotenv.ts";
export { isSecretValue } from "./entry-value.ts";
export { environmentSecrets, isSecretEntry, secretEntries } from "./environment.ts";
export { isEnvironment } from "./listed-entries.ts";
export { isSecretName, mayBeSecret } from "./name.ts";
export { secretsInText } from "./layouts.ts";

/** A kind at one of its places. */
interface Entry {
  readonly kind: CredentialKind;
  readonly notation: string;
  /** The notation, read when a file's name fits: most fit none. */
  place: Place | undefined;
}

/** A place whose last name holds a `*`: how that name begins, with the `/` before it, and ends. */
interface OpenEntry extends Entry {
  readonly head: string;
  readonly tail: string;
  /** The nearest folder of a written-out name above it, between `/`; empty without one. */
  readonly folder: string;
}

/** Made at first use; plain lists, since a call looks at few files and an index (`byName`) would cost more than it saves. */
interface Table {
  /** Places whose last name is written out. */
  readonly exact: readonly Entry[];
  /** Their last names, each between `/` and a line end. */
  readonly names: string;
  /** Places whose last name holds a `*`. */
  readonly open: readonly OpenEntry[];
  readonly anywhere: readonly CredentialKind[];
}

let table: Table | undefined;
announce(() => known().anywhere.flatMap(({ markers }) => markers ?? []));

function known(): Table {
  if (table !== undefined) return table;
  const exact: Entry[] = [];
  let names = "";
  const open: OpenEntry[] = [];
  const anywhere: CredentialKind[] = [];
  for (const kind of kinds()) {
    if (kind.markers !== undefined) anywhere.push(kind);
    for (const notation of kind.places) {
      const name = notation.slice(notation.lastIndexOf("/"));
      const star = name.indexOf("*");
      const entry = { kind, notation, place: undefined };
      if (star < 0) {
        exact.push(entry);
        names += `${name}\n`;
      } else {
        const above = notation
          .split("/")
          .slice(1, -1)
          .findLast((folder) => !folder.includes("*"));
        const folder = above === undefined ? "" : `/${above}/`;
        open.push({ ...entry, head: name.slice(0, star), tail: name.slice(name.lastIndexOf("*") + 1), folder });
      }
    }
  }
  table = { exact, names, open, anywhere };
  return table;
}

/** Places by their last name, made once many files were looked at (`scan`). */
let byName: Map<string, Entry[]> | undefined;
let lookedUp = 0;

function namesOf(exact: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  if (byName === undefined) {
    byName = new Map();
    for (const entry of exact) {
      const end = entry.notation.slice(entry.notation.lastIndexOf("/"));
      const same = byName.get(end);
      if (same === undefined) byName.set(end, [entry]);
      else same.push(entry);
    }
  }
  return byName;
}

/** Entries whose notation may end in one of these names, each with the `/` before it. */
function named({ exact, names: all }: Table, names: readonly string[]): readonly Entry[] {
  const standing = names.filter((name) => all.includes(`${name}\n`));
  const [name] = standing;
  if (name === undefined) return [];
  // The order of the kinds decides between two that fit; of several names only the plain way keeps it.
  if (standing.length > 1 || lookedUp <= CHOSEN.place_lookups_plain)
    return exact.filter((entry) => standing.some((one) => entry.notation.endsWith(one)));
  return namesOf(exact).get(name) ?? [];
}

/** A path whose readings all end in its own last name, whose case counts, and which takes no detour. */
const STRAIGHT = /^\/(?!(?:users|system|private|proc|mnt|cygdrive|.)\/)(?:[^/\\]+\/)*[^/\\]{3,}$/i;

/**
 * False where no place can be meant, told by the last name alone once many files were looked at: of nearly all files of a
 * source tree it says enough, and the readings of a path cost as much as a look through a short text.
 */
function mayBeAtPlace(path: string, home: Home): boolean {
  if (++lookedUp <= CHOSEN.place_lookups_plain || path.includes("/..") || !STRAIGHT.test(path)) return true;
  const end = path.lastIndexOf("/");
  const name = path.slice(end);
  return (
    namesOf(known().exact).has(name) ||
    openBelow(path.slice(0, end + 1)).some(({ head, tail }) => name.startsWith(head) && name.endsWith(tail)) ||
    movedNames(home.environment).some((moved) => `${path}/`.includes(moved))
  );
}

let below: { readonly folder: string; readonly entries: readonly OpenEntry[] } | undefined;

/** Open entries that may stand in this folder, which ends in `/`; files come folder by folder. */
function openBelow(folder: string): readonly OpenEntry[] {
  if (below?.folder !== folder) below = { folder, entries: known().open.filter((entry) => folder.includes(entry.folder)) };
  return below.entries;
}

let moved: { readonly environment: Home["environment"]; readonly names: readonly string[] } | undefined;

/** Last names of the files and folders the environment moves credentials to. */
function movedNames(environment: Home["environment"]): readonly string[] {
  if (moved?.environment !== environment) moved = { environment, names: namesMovedTo(environment) };
  return moved.names;
}

type Match = typeof isAt;

/** Kinds that have one of the readings of a path among their places, each once. */
function kindsAt(spots: Spots, matches: Match = isAt): readonly CredentialKind[] {
  const table = known();
  const { exact, open } = table;
  const found = new Set<CredentialKind>();
  const add = (entry: Entry) => {
    entry.place ??= place(entry.notation);
    if (!found.has(entry.kind) && matches(spots, entry.place)) found.add(entry.kind);
  };
  // Where case does not matter, or an 8.3 name may stand for any name, every place is compared in full.
  const names = spots.fold ? undefined : [...new Set(spots.readings.map((reading) => `/${reading.names.at(-1) ?? ""}`))];
  for (const entry of names === undefined ? exact : named(table, names)) add(entry);
  for (const entry of open) {
    if (names === undefined || names.some((name) => name.startsWith(entry.head) && name.endsWith(entry.tail))) add(entry);
  }
  return [...found];
}

/**
 * True when a tool keeps a credential file of a PROVEN kind at this very path of a home, of the system, or by the
 * caller's environment; a copy in a repository is not at its place. Proves nothing without content.
 */
export function isKnownPlace(path: string, home: Home): boolean {
  return kindsAt(spotsOf(path, home), isOwn).some((kind) => kind.class === "PROVEN");
}

/**
 * What a file is, or undefined when no kind's content test passes. `path` is absolute, or relative to a
 * repository; `text` is the decoded content, of at most `CHOSEN.credential_file_bytes`. PROVEN goes before
 * QUESTION, a known place before content alone.
 */
export function identify(path: string, text: string, home: Home): Identified | undefined {
  if (text.length < 8) return undefined;
  if (text.charCodeAt(0) === 0xfeff) {
    // A byte order mark is no part of the content; positions are of the text as it was given.
    const bare = identify(path, text.slice(1), home);
    const moved = bare?.secrets.map((secret) => (secret.start < 0 ? secret : { ...secret, start: secret.start + 1, end: secret.end + 1 }));
    return bare === undefined || moved === undefined ? undefined : { ...bare, secrets: moved };
  }
  const placed = mayBeAtPlace(path, home) ? kindsAt(spotsOf(path, home)) : [];
  const survey = surveyOf(text);
  const marked = known().anywhere.filter(({ markers }) => (markers ?? []).every((marker) => survey.has(marker)));
  return (
    first(placed, "PROVEN", "resolved path", path, text) ??
    first(marked, "PROVEN", "structure", path, text) ??
    first(placed, "QUESTION", "resolved path", path, text) ??
    first(marked, "QUESTION", "structure", path, text)
  );
}

function first(
  candidates: readonly CredentialKind[],
  wanted: CredentialKind["class"],
  proof: Identified["proof"],
  path: string,
  text: string,
): Identified | undefined {
  for (const kind of candidates) {
    if (kind.class !== wanted) continue;
    const fields = kind.confirm(text, path);
    if (fields.length === 0) continue;
    const secrets = fields.map((field) => secretOf(kind, field)).sort((a, b) => a.start - b.start);
    return { id: kind.id, title: kind.title, class: kind.class, proof, secrets };
  }
  return undefined;
}

function secretOf(kind: CredentialKind, field: Field): Secret {
  const strong = kind.class === "PROVEN" && !field.password;
  return {
    family: kind.id,
    title: kind.title,
    grade: strong ? "credential" : "field",
    kind: strong ? "structure" : "field",
    value: field.value,
    start: field.start,
    end: field.end,
  };
}
