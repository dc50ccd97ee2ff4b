/** Functions that one command takes in from a file and another one calls: `. ./lib.sh; deploy`. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Effect } from "../effect.ts";
import { inFolder } from "./file.ts";
import { shellStart, spelled, type Start, type Started, textAt } from "./start.ts";

/** What the commands call that a file before them defines, each as that file followed by the call. */
export function calledFunctions(effects: readonly Effect[], system: System): readonly Started[] {
  const files = new Map<string, string>();
  const found: Started[] = [];
  for (const effect of effects) {
    if (effect.kind !== "run" || effect.cwd === undefined) continue;
    const start = effect as Start;
    if (start.name === "." || start.name === "source") {
      const [file] = start.args;
      if (file?.exact !== true || files.size >= CHOSEN.started_files) continue;
      const path = inFolder(start.cwd, file.text);
      const content = textAt(path, system);
      if (content !== undefined) files.set(path, content);
      continue;
    }
    for (const [path, content] of files) {
      if (found.length >= CHOSEN.started_files) return found;
      if (defines(content, start.name))
        found.push(shellStart(start, path, `${content}\n${[start.name, ...start.args.map(spelled)].join(" ")}`));
    }
  }
  return found;
}

/** Whether a script defines a function of this name, as far as its text tells. */
function defines(script: string, name: string): boolean {
  return /^[\w-]{1,64}$/.test(name) && [`${name}()`, `${name} ()`, `function ${name}`].some((head) => script.includes(head));
}
