/**
 * Changing the administrator's own lists (L-137, L-138, L-142). Command line only.
 * Trust: called after the caller's rights were checked. A file that does not count as it is, is never overwritten: what
 * stands in it would be lost without a word.
 */
import { SPECIFIED } from "../limits.ts";
import type { System } from "../system.ts";
import { type Leak0Lists, parseLists, parseObject, type SecretFileEntry } from "./lists.ts";
import { readSettings, trustsDataFolder } from "./settings-file.ts";

const NAME = "leak0.local.json";

/** What a change came to. */
export type Outcome = "added" | "changed" | "unchanged" | "removed" | "not in the list";

/** Adds a secret file, or gives one that is in the list other fields. Throws, in words for a person. */
export function addSecretFile(system: System, entry: SecretFileEntry): Outcome {
  return change(system, (lists) => {
    const at = lists.secretFiles.findIndex(({ path }) => path === entry.path);
    const secretFiles = [...lists.secretFiles];
    if (at < 0) secretFiles.push(entry);
    else if (JSON.stringify(secretFiles[at]) === JSON.stringify(entry)) return ["unchanged", lists];
    else secretFiles[at] = entry;
    return [at < 0 ? "added" : "changed", { ...lists, secretFiles }];
  });
}

/** Takes a secret file out. Throws, in words for a person. */
export function removeSecretFile(system: System, path: string): Outcome {
  return change(system, (lists) => {
    const secretFiles = lists.secretFiles.filter((entry) => entry.path !== path);
    return [secretFiles.length === lists.secretFiles.length ? "not in the list" : "removed", { ...lists, secretFiles }];
  });
}

/** Adds an exclusion. Throws, in words for a person. */
export function addExclusion(system: System, glob: string): Outcome {
  return change(system, (lists) =>
    lists.exclusions.includes(glob) ? ["unchanged", lists] : ["added", { ...lists, exclusions: [...lists.exclusions, glob] }],
  );
}

/** Takes an exclusion out. Throws, in words for a person. */
export function removeExclusion(system: System, glob: string): Outcome {
  return change(system, (lists) => {
    const exclusions = lists.exclusions.filter((one) => one !== glob);
    return [exclusions.length === lists.exclusions.length ? "not in the list" : "removed", { ...lists, exclusions }];
  });
}

function change(system: System, work: (lists: Leak0Lists) => readonly [Outcome, Leak0Lists]): Outcome {
  system.makeFolder(system.dataFolder, 0o755);
  if (!trustsDataFolder(system))
    throw new Error(`the data directory ${system.dataFolder} must belong to root and be writable by nobody else`);
  return system.locked(`${system.dataFolder}/lists.lock`, () => {
    const { text, problem } = readSettings(system, NAME);
    if (problem) throw new Error(problem);
    const before = text === undefined ? {} : parseObject(text);
    if (before === undefined) throw new Error(`${NAME} is not a JSON object`);
    const lists = parseLists(before);
    if (typeof lists === "string") throw new Error(`${NAME}: ${lists}`);
    const [outcome, after] = work(lists);
    for (const list of [after.secretFiles, after.exclusions]) {
      if (list.length > SPECIFIED.list_entries) throw new Error(`the list is full: it holds ${SPECIFIED.list_entries} entries`);
    }
    if (outcome !== "unchanged" && outcome !== "not in the list")
      system.replace(`${system.dataFolder}/${NAME}`, `${JSON.stringify({ ...before, ...after }, null, 2)}\n`, 0o644);
    return outcome;
  });
}
