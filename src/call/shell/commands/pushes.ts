/** Tools beside Git that push commits by themselves: each is a push of the branch that is checked out. */
import { literal } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";

/** The handler of a tool for stacked or reviewed branches. */
export function pushingCommand(name: string): Handler | undefined {
  switch (name) {
    case "gt":
      return pushingWith(/^(?:submit|s|ss|push|(?:stack|downstack|upstack) (?:submit|s))\b/);
    case "av":
      return pushingWith(/^(?:sync|pr(?: create)?|stack (?:submit|sync))\b/);
    case "arc":
      return pushingWith(/^(?:diff|land)\b/);
    case "ghstack":
      return pushingWith(/^(?:submit\b|$)/);
    case "git-town":
      return pushingWith(/^(?:sync|propose|ship)\b/);
    case "git-spr":
    case "spr":
      return pushingWith(/^(?:update|u|up|diff|land)\b/);
    default:
      return undefined;
  }
}

/** Git's own word for a tool that is installed as `git-NAME`, where the words behind it push; undefined for every other. */
export function pushesBehind(subcommand: string, words: string): boolean {
  switch (subcommand) {
    case "town":
      return /^(?:sync|propose|ship)\b/.test(words);
    case "spr":
      return /^(?:update|u|up)\b/.test(words);
    case "machete":
      return /^(?:push|traverse|github (?:create|retarget)-pr|gitlab create-mr)\b/.test(words);
    case "flow":
      return /\bpublish\b/.test(words);
    case "review":
    case "codereview":
      return !/^(?:-d|--download|-l|--list|-s|--setup|help|pending|sync|change)\b/.test(words);
    default:
      return false;
  }
}

function pushingWith(verb: RegExp): Handler {
  return (invocation) => {
    const words = invocation.options({ short: "m", long: "message" }).operands.map(({ text }) => text);
    if (verb.test(words.join(" "))) pushes(invocation);
    invocation.print([{ from: "unknown" }]);
  };
}

/** Tells the push. */
export function pushes(invocation: Invocation, ...args: readonly string[]): void {
  if (invocation.args.some(({ text }) => /^(?:-n|--dry-run|--help)$/.test(text))) return;
  invocation.emit({
    kind: "git",
    invocation: {
      cwd: invocation.cwd,
      chain: invocation.shell.core.chain,
      globals: [],
      environment: {},
      subcommand: "push",
      args: args.map(literal),
      stdin: [],
    },
  });
}
