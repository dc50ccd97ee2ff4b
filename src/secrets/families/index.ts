/**
 * Every token family. To add a format, add one entry to the list it belongs to (or a new list to `LISTS`); nothing else changes.
 *
 * Building all lists takes milliseconds, mostly for the regular expressions, and most hook calls need none of them: which
 * needle belongs to which list is worked out when the program is built (`needles.ts`), and a list is built at its first candidate.
 */
import { privateKey } from "../private-key.ts";
import { azure } from "./azure.ts";
import { checksum } from "./checksum.ts";
import { clouds } from "./clouds.ts";
import { development } from "./development.ts";
import type { Family } from "./family.ts";
import { generic } from "./generic.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { messaging } from "./messaging.ts";
import { models } from "./models.ts";
import { named } from "./named.ts";
import { payments } from "./payments.ts";
import { seedPhrase } from "./seed-phrase.ts";
import { services } from "./services.ts";
import { wallets } from "./wallets.ts";

const LISTS: readonly (() => readonly Family[])[] = [
  privateKey,
  github,
  gitlab,
  checksum,
  azure,
  wallets,
  seedPhrase,
  models,
  clouds,
  development,
  messaging,
  payments,
  services,
  named,
  generic,
];

const built: (readonly Family[] | undefined)[] = [];

function list(at: number): readonly Family[] {
  built[at] ??= (LISTS[at] as () => readonly Family[])();
  return built[at];
}

/** All families, for tests and tools; the scan asks list by list. */
export function families(): readonly Family[] {
  return LISTS.flatMap((_, at) => list(at));
}

/** The families that have this needle, out of the lists that `needles.ts` names for it. */
export function familiesWith(needle: string, lists: readonly number[]): readonly Family[] {
  return lists.flatMap((at) => list(at)).filter((family) => family.needles.includes(needle));
}

/**
 * Every needle once, and the numbers of its lists at the same place; one text each, which costs the program least to hold.
 * Runs when the program is built.
 */
export function needleTable(): { needles: string; lists: string } {
  const table = new Map<string, number[]>();
  for (const at of LISTS.keys()) {
    for (const needle of new Set(list(at).flatMap((family) => family.needles))) {
      const lists = table.get(needle);
      if (lists === undefined) table.set(needle, [at]);
      else lists.push(at);
    }
  }
  return { needles: [...table.keys()].join("\n"), lists: [...table.values()].join("\n") };
}
