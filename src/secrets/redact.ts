/**
 * Replaces secret values and nothing else: `OPENAI_API_KEY=[leak0:openai:a1b2c3d4]` (L-007, L-093).
 *
 * Trust: whatever stands outside a value stays as it is, byte for byte. A replaced value gives no finding when the text
 * is scanned again. `hash` is the keyed short hash (`shortHash` with the user's key).
 */
import type { Secret } from "./secret.ts";

/** `[leak0:<family>:<hash>]`. */
export function placeholder(secret: Secret, hash: (value: string) => string): string {
  return `[leak0:${secret.family}:${hash(secret.value)}]`;
}

/** The text with every secret replaced. Secrets must be in order and not overlap, as `scan` gives them; those without a place are left out. */
export function redactText(text: string, secrets: readonly Secret[], hash: (value: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const secret of secrets) {
    if (secret.start < from) continue;
    pieces.push(text.slice(from, secret.start), placeholder(secret, hash));
    from = secret.end;
  }
  if (from === 0) return text;
  pieces.push(text.slice(from));
  return pieces.join("");
}

/** A JSON value after redaction, and what was found in it, in no particular order. */
export interface RedactedTree {
  readonly value: unknown;
  readonly secrets: readonly Secret[];
}

/**
 * Redacts all strings of a JSON value, keys included, at any depth. Parts without a secret are the same objects as
 * before; the whole is when nothing was found. The value must be a tree, as JSON is; the walk uses no recursion.
 */
export function redactTree(json: unknown, find: (text: string) => readonly Secret[], hash: (value: string) => string): RedactedTree {
  const secrets: Secret[] = [];
  const known = new Map<string, string>();
  const clean = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = find(text);
    for (const secret of found) secrets.push(secret);
    const after = found.length === 0 ? text : redactText(text, found, hash);
    known.set(text, after);
    return after;
  };
  if (typeof json === "string") return { value: clean(json), secrets };
  if (!isContainer(json)) return { value: json, secrets };

  // Containers in the order they are met: a parent always comes before its children, so backwards each child is done first.
  const order: Container[] = [json];
  for (let at = 0; at < order.length; at++) {
    for (const child of childrenOf(order[at] as Container)) if (isContainer(child)) order.push(child);
  }
  const done = new Map<Container, Container>();
  const renewed = (child: unknown): unknown =>
    typeof child === "string" ? clean(child) : isContainer(child) ? (done.get(child) ?? child) : child;
  for (let at = order.length - 1; at >= 0; at--) {
    const container = order[at] as Container;
    const after = Array.isArray(container)
      ? renewArray(container, renewed)
      : renewObject(container as Record<string, unknown>, renewed, clean);
    if (after !== container) done.set(container, after);
  }
  return { value: done.get(json) ?? json, secrets };
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function childrenOf(container: Container): readonly unknown[] {
  return Array.isArray(container) ? container : Object.values(container);
}

function renewArray(array: readonly unknown[], renewed: (child: unknown) => unknown): readonly unknown[] {
  let changed = false;
  const after = array.map((child) => {
    const now = renewed(child);
    if (now !== child) changed = true;
    return now;
  });
  return changed ? after : array;
}

function renewObject(
  object: Readonly<Record<string, unknown>>,
  renewed: (child: unknown) => unknown,
  clean: (text: string) => string,
): Readonly<Record<string, unknown>> {
  let changed = false;
  const entries = Object.entries(object).map(([key, child]): [string, unknown] => {
    const name = clean(key);
    const now = renewed(child);
    if (name !== key || now !== child) changed = true;
    return [name, now];
  });
  // `fromEntries` defines own properties, so a key such as `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : object;
}
