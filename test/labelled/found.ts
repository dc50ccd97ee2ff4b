/** What the product finds in a file of the labelled set, as `scan` reports it: formats, layouts, and the file's own kind. */
import { identify, secretsInText } from "../../src/secrets/files/index.ts";
import { disjoint } from "../../src/secrets/pieces.ts";
import { scan } from "../../src/secrets/scan.ts";
import type { Secret } from "../../src/secrets/secret.ts";
import type { LabelledFile } from "./set.ts";

const NOBODY = { folder: "/home/nobody", environment: {} };

export function foundIn(file: LabelledFile): readonly Secret[] {
  const identified = identify(file.path, file.text, NOBODY)?.secrets ?? [];
  return disjoint([...scan(file.text).secrets, ...secretsInText(file.text), ...identified]);
}
