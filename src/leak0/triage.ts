/** Whether a call can concern leak0 at all, from its effects alone; so that everyday calls load no evidence. */
import type { Effect } from "../call/effect.ts";
import { isQuiet } from "../call/git/quiet.ts";

/**
 * False when no rule of leak0 can say anything about these effects before the call: programs that start (other than
 * ours), Git commands that only look, and output of unknown origin. Everything else is judged.
 */
export function concerns(effects: readonly Effect[]): boolean {
  return effects.some((effect) => {
    if (effect.kind === "run") return aimsAtUs(effect.name) || effect.args.some((argument) => aimsAtUs(argument.text));
    if (effect.kind === "git") return !isQuiet(effect.invocation.subcommand);
    // Before a call only a file's own content can block a reading (D-17); everything else is looked at when it was printed.
    return effect.kind !== "show" || effect.sources.some((source) => source.from === "file" && source.file.path !== undefined);
  });
}

function aimsAtUs(word: string): boolean {
  return word === "leak0" || (word.length >= 10 && word.toLowerCase().includes("poisonzero"));
}
