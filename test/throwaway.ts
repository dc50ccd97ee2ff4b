/** A throwaway machine for tests: the real system with a temporary home, data directory and passwd file. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSystem, type System } from "../src/system.ts";

export interface Throwaway {
  /** The folder that holds everything. */
  readonly root: string;
  readonly system: System;
  readonly home: string;
  readonly data: string;
  /** Another opening of the same machine, as the next process would have it. */
  reopen(changes?: Partial<System>): System;
  /** Writes a file of the data directory as the administrator would. */
  setting(name: string, content: string, mode?: number): void;
  /** Writes a file below the home folder and answers its path. */
  file(name: string, content: string | Uint8Array, mode?: number): string;
  [Symbol.dispose](): void;
}

/** Settings for every user of the real machine are out of a test's reach: it finds and makes its own. */
function managedBelow(root: string, system: System): Partial<System> {
  const at = (path: string) => (path === MANAGED || path.startsWith(`${MANAGED}/`) ? join(root, path) : path);
  return {
    info: (path) => system.info(at(path)),
    read: (path, ...rest) => system.read(at(path), ...rest),
    list: (folder) => system.list(at(folder)),
    replace: (path, ...rest) => system.replace(at(path), ...rest),
    makeFolder: (path, mode) => system.makeFolder(at(path), mode),
    remove: (path) => system.remove(at(path)),
  };
}

const MANAGED = "/etc/claude-code";

/** Makes one; `using machine = throwaway()` removes it at the end of the test. */
export function throwaway(environment: Readonly<Record<string, string>> = {}): Throwaway {
  const root = mkdtempSync(join(tmpdir(), "poisonzero-test-"));
  // Other accounts may pass through, as on a real machine.
  chmodSync(root, 0o711);
  const home = join(root, "home");
  const data = join(root, "data");
  mkdirSync(home, { mode: 0o755 });
  mkdirSync(data, { mode: 0o755 });
  const reopen = (changes: Partial<System> = {}): System => {
    const system = openSystem({ environment: { HOME: home, ...environment }, dataFolder: data, ownerUid: process.getuid?.() ?? 0 });
    // No test may look at the accounts of the machine it runs on.
    const read: System["read"] = (path, ...rest) => (path === "/etc/passwd" ? undefined : system.read(path, ...rest));
    return { ...system, ...managedBelow(root, { ...system, read }), ...changes };
  };
  const put = (path: string, content: string | Uint8Array, mode: number): string => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content, { mode });
    return path;
  };
  return {
    root,
    system: reopen(),
    home,
    data,
    reopen,
    setting: (name, content, mode = 0o644) => void put(join(data, name), content, mode),
    file: (name, content, mode = 0o644) => put(join(home, name), content, mode),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
