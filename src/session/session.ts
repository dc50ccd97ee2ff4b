/**
 * What one agent session has seen: fingerprints of recognised values and paths of copies (L-170, B3).
 *
 * Trust: state of the user's own account; it can only add proofs. The session id comes from the agent and may be any
 * string: its keyed hash names the file. Every failure (no home, read-only, torn or foreign file, lock) leaves a
 * session that works in memory: the hook goes on. Nothing is read before the first question.
 */
import { CHOSEN, SPECIFIED } from "../limits.ts";
import type { Scan, Secret } from "../secrets/secret.ts";
import type { System } from "../system.ts";
import { type Copy, isCopy } from "./copy.ts";
import { bytesOf, fingerprint, hashOf, type Known, kindOf, RECORD_BYTES, type Record, valueHash, withKind } from "./fingerprints.ts";
import { userSubfolder } from "./folder.ts";
import { type BuiltImage, imageRow } from "./image.ts";
import { keyedHash, shortHash, type UserKey, userKey } from "./key.ts";
import { Finder } from "./recall.ts";
import { EMPTY, isPath, merge, readState, recordsOf, type SessionState, writeState } from "./state.ts";

/** One agent session; several hooks may hold the same one at once. No method throws. */
export interface Session {
  /** The short hash of a value for messages and audit (D-25). */
  shortHash(value: string): string;
  /** Remembers values of at least 8 characters (D-19); shorter ones are left out. */
  remember(secrets: readonly Secret[]): void;
  /** Whether any value is remembered. */
  readonly remembers: boolean;
  /** Tells one set of remembered values from the next, as hex; "" while there is none. */
  readonly valuesStamp: string;
  /** Makes ready what `valuesIn` needs: its program is compiled while the caller does something else. */
  prepare(): void;
  /**
   * Remembered values that stand in the text in any usual writing, as secrets of kind `hash match` with the grade they had
   * when seen. Their range is that of the writing.
   */
  valuesIn(text: string): Scan;
  /** Remembers paths that hold copies of secret files; the newest word on a path counts. */
  rememberCopies(copies: readonly Copy[]): void;
  readonly copies: readonly Copy[];
  /** Remembers hosts that the agent itself wrote down as Git remotes: what it claims is not the project's own. */
  rememberHosts(hosts: readonly string[]): void;
  /** Hosts remembered that way. */
  readonly hosts: readonly string[];
  /** Remembers container images and what they were built from; those that cannot be kept are left out. */
  rememberImages(images: readonly BuiltImage[]): void;
  /** Images remembered, oldest first. */
  readonly images: readonly BuiltImage[];
  /** Forgets everything and removes the file (the agent reported the session's end). */
  end(): void;
}

/** The session an agent calls by this id. Reads nothing yet. */
export function openSession(system: System, id: string): Session {
  return new FileSession(system, id);
}

/** Removes session files older than 24 hours (L-170); bounded, and never throws. Called when a session starts. */
export function sweepSessions(system: System): void {
  if (!userKey(system).stored) return;
  const folder = userSubfolder(system, "sessions");
  if (folder === undefined) return;
  const oldest = system.now() - SPECIFIED.session_ms;
  for (const name of system
    .list(folder)
    .filter((name) => FILE_NAME.test(name))
    .slice(0, CHOSEN.session_sweep)) {
    const info = system.info(`${folder}/${name}`);
    if (info && info.mtime_ms < oldest) attempt(() => system.remove(`${folder}/${name}`));
  }
}

/** Session files and what a crash in mid-write may have left of one. */
const FILE_NAME = /^[0-9a-f]{32}\.json/;

class FileSession implements Session {
  readonly #system: System;
  readonly #id: string;
  #loaded: SessionState | undefined;
  /** What this process has to say and no file holds yet. */
  #unsaved: SessionState = EMPTY;
  #finder: Finder | undefined;

  constructor(system: System, id: string) {
    this.#system = system;
    this.#id = id;
  }

  shortHash(value: string): string {
    return shortHash(this.#key, value);
  }

  remember(secrets: readonly Secret[]): void {
    const worth = secrets.filter(
      ({ value, grade }) => value.length >= SPECIFIED.remembered_value_chars && !(grade === "field" && isWord(value)),
    );
    if (worth.length === 0) return;
    const known = new Set(recordsOf(this.#state).map(hashOf));
    const kinds: Known[] = [];
    const fresh: Record[] = [];
    for (const { value, family, title, grade } of worth) {
      const hash = valueHash(this.#key, bytesOf(value));
      if (known.has(hash)) continue;
      known.add(hash);
      fresh.push(withKind(fingerprint(this.#key, value), kinds.push({ family, title, grade }) - 1));
    }
    if (fresh.length > 0) this.#add({ ...EMPTY, kinds, records: Buffer.concat(fresh) });
  }

  get remembers(): boolean {
    return this.#state.records.length > 0;
  }

  get valuesStamp(): string {
    return this.remembers ? new Bun.CryptoHasher("sha256").update(this.#state.records).digest("hex") : "";
  }

  prepare(): void {
    if (this.remembers) this.#finder ??= new Finder(this.#key, this.#state.records);
  }

  valuesIn(text: string): Scan {
    this.prepare();
    if (this.#finder === undefined) return { secrets: [], complete: true };
    const { kinds, records } = this.#state;
    const { sightings, complete } = this.#finder.find(text);
    const secrets = sightings.flatMap(({ record, value, start, end }): Secret[] => {
      const kind = kinds[kindOf(records.subarray(record * RECORD_BYTES, (record + 1) * RECORD_BYTES))];
      return kind === undefined ? [] : [{ ...kind, kind: "hash match", value, start, end }];
    });
    return { secrets, complete };
  }

  rememberCopies(copies: readonly Copy[]): void {
    const known = new Map(this.copies.map((copy) => [copy.path, copy]));
    const fresh = copies.filter((copy) => isCopy(copy) && !Bun.deepEquals(known.get(copy.path), copy));
    if (fresh.length > 0) this.#add({ ...EMPTY, copies: fresh });
  }

  rememberHosts(hosts: readonly string[]): void {
    const known = new Set(this.#state.hosts);
    const fresh = hosts.filter((host) => isPath(host) && !known.has(host));
    if (fresh.length > 0) this.#add({ ...EMPTY, hosts: fresh });
  }

  get hosts(): readonly string[] {
    return this.#state.hosts;
  }

  get copies(): readonly Copy[] {
    return this.#state.copies;
  }

  rememberImages(images: readonly BuiltImage[]): void {
    const known = new Set(this.images.map((image) => JSON.stringify(imageRow(image))));
    const fresh = images.filter((image) => {
      const row = imageRow(image);
      return row !== undefined && !known.has(JSON.stringify(row));
    });
    if (fresh.length > 0) this.#add({ ...EMPTY, images: fresh });
  }

  get images(): readonly BuiltImage[] {
    return this.#state.images;
  }

  end(): void {
    this.#loaded = EMPTY;
    this.#unsaved = EMPTY;
    this.#finder = undefined;
    const path = this.#path();
    if (path !== undefined) attempt(() => this.#system.remove(path));
  }

  get #key(): UserKey {
    return userKey(this.#system);
  }

  get #state(): SessionState {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  #read(): SessionState {
    // A question alone makes no folder and no key.
    if (!this.#system.info(`${this.#system.home}/.poisonzero/sessions`)) return EMPTY;
    const path = this.#path();
    const info = path === undefined ? undefined : this.#system.info(path);
    if (path === undefined || info?.kind !== "file") return EMPTY;
    const content = this.#system.read(path, CHOSEN.session_file_bytes);
    return content && !content.cut ? readState(content.bytes) : EMPTY;
  }

  /**
   * Memory first, so that this process knows in any case; then the file as others left it meanwhile: only what is new is put
   * there, since of a copy the newest word counts.
   */
  #add(more: SessionState): void {
    this.#loaded = merge(this.#state, more);
    this.#unsaved = merge(this.#unsaved, more);
    this.#finder = undefined;
    const path = this.#path();
    if (path === undefined) return;
    attempt(() => {
      this.#system.locked(`${path.slice(0, path.lastIndexOf("/"))}/lock`, () => {
        const there = this.#read();
        const all = merge(there === EMPTY ? this.#state : there, this.#unsaved);
        this.#loaded = all;
        this.#system.replace(path, writeState(all), 0o600);
        this.#unsaved = EMPTY;
      });
    });
  }

  /** The file, or undefined where none can be kept. */
  #path(): string | undefined {
    if (!this.#key.stored) return undefined;
    const folder = userSubfolder(this.#system, "sessions");
    if (folder === undefined) return undefined;
    return `${folder}/${keyedHash(this.#key, "session name", this.#id).slice(0, 32)}.json`;
  }
}

/** A single word is in many texts: found again it says nothing about where it comes from. */
function isWord(value: string): boolean {
  return /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20})$/.test(value);
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // State that cannot be kept must never stop the hook; memory still serves this call.
  }
}
