/**
 * The user's key `~/.poisonzero/key` (D-24, U-007) and what is derived from it.
 *
 * Trust: 32 random bytes, 0600, made at first use. Hashes keyed with it cannot be reversed by guessing without it.
 * Where it cannot be kept (no home, read-only, foreign files) a key of this process alone serves: hashes are still
 * given, they then mean nothing to the next process.
 */
import { SPECIFIED } from "../limits.ts";
import type { System } from "../system.ts";
import { userFolder } from "./folder.ts";

/** The key of one user. */
export interface UserKey {
  readonly bytes: Uint8Array;
  /** False: this process alone knows it; nothing keyed with it is worth storing. */
  readonly stored: boolean;
}

/** What a keyed hash is for; each use has its own, so that one never answers for another. */
export type Purpose = "audit line" | "clean content" | "session name" | "settings file" | "short hash" | "value" | "window" | "window mask";

const KEY_BYTES = 32;
const keys = new WeakMap<System, UserKey>();

/** The user's key, made at first use; read once per process. Never throws. */
export function userKey(system: System): UserKey {
  let key = keys.get(system);
  if (!key) {
    key = storedKey(system) ?? { bytes: system.random(KEY_BYTES), stored: false };
    keys.set(system, key);
  }
  return key;
}

/** The user's key where one is kept. Makes nothing. */
export function keptKey(system: System): UserKey | undefined {
  const found = system.home === "" ? undefined : readKey(system, `${system.home}/.poisonzero/key`);
  return found && { bytes: found.bytes, stored: true };
}

/** Keyed hash (HMAC-SHA-256) of a text for one purpose, as lower-case hex. */
export function keyedHash(key: UserKey, purpose: Purpose, text: string): string {
  return new Bun.CryptoHasher("sha256", key.bytes).update(`${purpose}\0`).update(text).digest("hex");
}

/** The short hash people see in messages and audit (D-25): 8 lower-case hex characters. */
export function shortHash(key: UserKey, value: string): string {
  return keyedHash(key, "short hash", value).slice(0, SPECIFIED.short_hash_chars);
}

function storedKey(system: System): UserKey | undefined {
  const folder = userFolder(system);
  if (folder === undefined) return undefined;
  const path = `${folder}/key`;
  const found = readKey(system, path);
  if (found?.closed) return { bytes: found.bytes, stored: true };
  try {
    return system.locked(`${folder}/key.lock`, () => {
      // Another process may have made it while this one waited; a key open to others is closed and kept, so that
      // what was remembered stays known.
      const again = readKey(system, path);
      const bytes = again?.bytes ?? system.random(KEY_BYTES);
      if (!again?.closed) system.replace(path, bytes, 0o600);
      return { bytes, stored: true };
    });
  } catch {
    return undefined;
  }
}

function readKey(system: System, path: string): { readonly bytes: Uint8Array; readonly closed: boolean } | undefined {
  const info = system.info(path);
  if (info?.kind !== "file" || info.size_bytes !== KEY_BYTES) return undefined;
  const posix = system.platform !== "windows";
  if (posix && info.uid !== system.uid) return undefined;
  const content = system.read(path, KEY_BYTES);
  if (content?.bytes.length !== KEY_BYTES) return undefined;
  return { bytes: content.bytes, closed: !posix || (info.mode & 0o077) === 0 };
}
