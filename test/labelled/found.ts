/** What `poisonzero scan` finds in a file of the labelled set, asked in this process. */
import { type Guarded, evidenceInFile } from "../../src/scan/evidence.ts";
import { NO_LISTS } from "../../src/policy/lists.ts";
import { throwaway } from "../throwaway.ts";
import type { LabelledFile } from "./set.ts";

/** Every secret found, file by file, those with a place in the text. */
export function foundIn(files: readonly LabelledFile[]): ReadonlyMap<LabelledFile, readonly Guarded[]> {
  using machine = throwaway();
  const { system } = machine;
  const found = (file: LabelledFile): readonly Guarded[] =>
    evidenceInFile(`/srv/labelled/${file.path}`, file.text, "text", NO_LISTS, system).secrets.filter(({ start }) => start >= 0);
  return new Map(files.map((file) => [file, found(file)]));
}
