/** Walks through a folder for tools whose rules are ignore files and names that never go. */
import { ignoredBy, ignoredByGit, type IgnoreRule, ignoreRules, Unfinished } from "../git/index.ts";
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Work } from "./pattern.ts";
import { textOf } from "./text.ts";

/** What a tool looks at while it chooses. */
export interface Rules {
  /** Ignore files in Git's notation; of those in one folder the first that is there counts. */
  readonly ignoreFiles?: readonly string[];
  /** Files the repository does not track and ignores stay out. */
  readonly git?: true;
  /** Relative paths that never go, folders with all that lies in them. */
  readonly never?: RegExp;
  /** Folders that are another package's. */
  readonly other?: (relative: string) => boolean;
  /** Asked last, for files only. */
  readonly takes?: (relative: string) => boolean;
}

/** The regular files below `folder` that the rules let through. Links are not followed. `cut`: there are more entries than are looked at. */
export function walk(
  folder: string,
  rules: Rules,
  system: System,
  work: Work,
): { readonly files: readonly string[]; readonly cut: boolean } {
  const found: string[] = [];
  let entries = 0;
  let cut = false;
  const into = (relative: string, outer: readonly IgnoreFile[]): void => {
    const here = relative === "" ? folder : `${folder}/${relative}`;
    const own = ignoreFile(here, relative, rules.ignoreFiles ?? [], system);
    const all = own === undefined ? outer : [...outer, own];
    for (const name of system.list(here)) {
      work.entry();
      // Every rule is asked at every depth: a file with thousands of them must not take all the time there is.
      work.spend(RULE_WORK * all.reduce((sum, file) => sum + file.rules.length, 1) * (relative.split("/").length + 1));
      if (++entries > CHOSEN.packed_entries || work.spent) {
        cut = true;
        return;
      }
      const path = relative === "" ? name : `${relative}/${name}`;
      if (rules.never?.test(path) === true) continue;
      const kind = system.info(`${folder}/${path}`)?.kind;
      if (kind === "folder") {
        if (rules.other?.(path) !== true) into(path, all);
      } else if (kind === "file" && rules.takes?.(path) !== false && !hidden(path, all)) found.push(path);
    }
  };
  into("", []);
  const ignored = rules.git === true ? ignoredFiles(folder, found, system) : undefined;
  return { files: ignored === undefined ? found : found.filter((relative) => !ignored.has(`${folder}/${relative}`)), cut };
}

/** What asking one rule costs, as characters of a pattern (measured: about 150 ns). */
export const RULE_WORK = 12;

/** The rules of one ignore file and the folder they count in. */
interface IgnoreFile {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

function ignoreFile(here: string, folder: string, names: readonly string[], system: System): IgnoreFile | undefined {
  for (const name of names) {
    const lines = textOf(`${here}/${name}`, system)?.split(/\r?\n/, CHOSEN.ignore_lines);
    if (lines !== undefined) return { folder, rules: ignoreRules(lines) };
  }
  return undefined;
}

function hidden(path: string, rules: readonly IgnoreFile[]): boolean {
  const parts = path.split("/");
  let out = false;
  for (const one of rules) out = ignoredBy(one.rules, one.folder === "" ? parts : parts.slice(one.folder.split("/").length)) ?? out;
  return out;
}

function ignoredFiles(folder: string, found: readonly string[], system: System): ReadonlySet<string> | undefined {
  try {
    return ignoredByGit(
      folder,
      found.map((relative) => `${folder}/${relative}`),
      system,
    );
  } catch (problem) {
    if (!(problem instanceof Unfinished)) throw problem;
    return undefined; // Git gives no answer: nothing is known to stay out.
  }
}
