/** Whether a call can concern leak0 at all, from its effects alone; so that everyday calls load no evidence. */
import type { Effect } from "../call/effect.ts";
import { isQuiet } from "../call/git/quiet.ts";
import type { System } from "../system.ts";
import { startsSender } from "./started.ts";

/** Whether a call is judged before it runs: its effects may concern a rule, or a script it starts may send something. */
export function isJudged(effects: readonly Effect[], system: System): boolean {
  return concerns(effects) || startsSender(effects, system);
}

/**
 * False when no rule of leak0 can say anything about these effects before the call: programs that start (other than
 * ours and those that may end or go round it), Git commands that only look, and output of unknown origin. Everything else is judged.
 */
function concerns(effects: readonly Effect[]): boolean {
  return effects.some((effect) => {
    if (effect.kind === "run") return isWatched(effect.name) || effect.args.some((argument) => aimsAtUs(argument.text));
    // In the agent's own folder, or by its name, what Git puts back may be its settings.
    if (effect.kind === "git") {
      const { subcommand, cwd, args } = effect.invocation;
      return !isQuiet(subcommand) || AGENT_FOLDER.test(cwd ?? "") || args.some(({ text }) => AGENT_FOLDER.test(text));
    }
    // Before a call only a file's own content can block a reading (D-17); everything else is looked at when it was printed.
    return (
      effect.kind !== "show" ||
      effect.sources.some((source) => source.from === "file" && (source.file.path !== undefined || aimsAtUs(source.file.written)))
    );
  });
}

const AGENT_FOLDER = /(?:^|[/:])\.(?:claude|codex|cursor|gemini)(?:\/|$)/;

/** Whether a command may make another commit HEAD, which `swapping.ts` looks into. */
export function movesHead(effect: Effect): boolean {
  return effect.kind === "git" && effect.invocation.args.length > 0 && MOVING.includes(` ${effect.invocation.subcommand} `);
}

const MOVING = " checkout switch reset pull merge rebase cherry-pick revert update-ref symbolic-ref worktree ";

/** Programs whose arguments need a closer look whatever they spell. */
function isWatched(name: string): boolean {
  switch (name) {
    case "kill":
    case "pkill":
    case "killall":
    case "claude":
    case "claude-code":
    case "codex":
    case "gemini":
    case "cursor-agent":
    case "bwrap":
    case "mount":
    case "umount":
    case "bindfs":
    case "mergerfs":
    case "sshfs":
    case "fuse-overlayfs":
      return true;
    default:
      return aimsAtUs(name);
  }
}

function aimsAtUs(word: string): boolean {
  return word === "leak0" || (word.length >= 6 && /poison|CLAUDE_CODE_S/i.test(word));
}
