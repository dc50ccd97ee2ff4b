/** A mistyped command line in our own words; what to type instead stands in the help that follows it. */
import type { Command, CommanderError } from "commander";

/** What is wrong, without a full stop. `command` is where it was noticed. */
export function mistake({ code, message }: CommanderError, command: Command): string {
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? "";
  const meant = /\(Did you mean ([^)]{1,80})\?\)/.exec(message)?.[1];
  const suggestion = meant === undefined ? "" : `; did you mean ${meant}?`;
  switch (code) {
    case "commander.unknownCommand":
      return `there is no command '${pathOf(command, quoted)}'${suggestion}`;
    case "commander.unknownOption":
      return `'${pathOf(command)}' has no option ${quoted}${suggestion}`;
    case "commander.excessArguments":
      return excess(command);
    case "commander.missingArgument":
      return `'${pathOf(command)}' needs ${needed(command)}`;
    case "commander.optionMissingArgument":
      return `${quoted.split(/[ ,]+/)[0]} needs a value`;
    case "commander.invalidArgument":
      return invalid(message, command);
    default:
      return message.replace(/^error: /, "");
  }
}

function pathOf(command: Command, ...further: readonly string[]): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return [...names, ...further].join(" ");
}

function excess(command: Command): string {
  const extra = command.args.slice(command.registeredArguments.length);
  const option = command.options.find(({ argChoices }) => argChoices?.includes(extra[0] ?? ""));
  if (option) return `'${extra[0]}' needs its option: ${pathOf(command, option.long ?? "", extra[0] ?? "")}`;
  return `'${pathOf(command)}' takes nothing more, and '${extra.join(" ")}' follows`;
}

function needed(command: Command): string {
  const argument = command.registeredArguments[command.args.length];
  return argument?.argChoices?.join(", ").replace(/, ([^,]*)$/, " or $1") ?? argument?.name() ?? "more";
}

/** Commander: `option '--agent <agent>' argument 'x' is invalid. …`, or the same of an argument with the value first. */
function invalid(message: string, command: Command): string {
  const [first = "", second = ""] = [...message.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? "");
  const isOption = message.includes("option '");
  const where = isOption ? (first.match(/--[\w-]+/)?.[0] ?? first) : `'${pathOf(command)}'`;
  const reason = message.replace(/^.*? is invalid[^.]{0,80}\.\s*/, "");
  const choices = reason.replace(/^Allowed choices are (.*)\.$/, "choose from: $1").replace(/\.$/, "");
  return `'${isOption ? second : first}' does not fit ${where}: ${choices.charAt(0).toLowerCase()}${choices.slice(1)}`;
}
