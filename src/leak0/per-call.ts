/** What is found out once for a call, however often its effects ask for it. */
import type { Files } from "./files.ts";
import type { Case } from "./judgement.ts";

/** `find` with its answers kept for the rest of the call. Only for what does not depend on where in the call it is asked. */
export function perCall<T>(find: (at: Case, key: string) => T): (at: Case, key: string) => T {
  const calls = new WeakMap<Files, Map<string, T>>();
  return (at, key) => {
    const known = calls.get(at.files) ?? new Map<string, T>();
    calls.set(at.files, known);
    if (known.has(key)) return known.get(key) as T;
    const found = find(at, key);
    known.set(key, found);
    return found;
  };
}
