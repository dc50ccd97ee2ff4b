/** `poisonzero completion bash|zsh|fish`: tab completion, made from the tree of commands itself. */
import { Argument, type Command } from "commander";
import { type Context, withHelp } from "./context.ts";

/** One command with what can follow it on the line. */
interface Place {
  /** Words from the program's name on, without it: `leak0 status`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly text: string }[];
}

const SHELLS = { bash, zsh, fish } as const;

export function addCompletion(program: Command, context: Context): void {
  const command = program
    .command("completion")
    .summary("tab completion for your shell")
    .description("Prints a script that completes poisonzero's commands and options.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => context.terminal.out(SHELLS[shell](places(program, ""))));
  withHelp(command, 'eval "$(poisonzero completion bash)"');
}

function places(command: Command, path: string): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((child) => child.name() !== "help");
  const options = help.visibleOptions(command).flatMap((option) => (option.long ? [{ word: option.long, text: option.description }] : []));
  const choices = command.registeredArguments.flatMap((argument) =>
    (argument.argChoices ?? []).map((word) => ({ word, text: argument.description })),
  );
  const words = [
    ...commands.map((child) => ({ word: child.name(), text: child.summary() || child.description() })),
    ...choices,
    ...options,
  ];
  return [{ path, words }, ...commands.flatMap((child) => places(child, `${path} ${child.name()}`.trim()))];
}

function bash(all: readonly Place[]): string {
  const cases = all.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(" "))} ;;`);
  return `_poisonzero() {
  local path= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] || path="\${path:+$path }\${COMP_WORDS[i]}"
  done
  case $path in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _poisonzero poisonzero
`;
}

function zsh(all: readonly Place[]): string {
  const cases = all.map(({ path, words }) => {
    const entries = words.map(({ word, text }) => quoted(`${word}:${text.replaceAll(":", "\\:")}`));
    return `    ${quoted(path)}) entries=(${entries.join(" ")}) ;;`;
  });
  return `#compdef poisonzero
_poisonzero() {
  local -a entries given
  given=(\${\${(@)words[2,CURRENT-1]}:#-*})
  case "\${(j: :)given}" in
${cases.join("\n")}
  esac
  _describe poisonzero entries
}
compdef _poisonzero poisonzero
`;
}

function fish(all: readonly Place[]): string {
  const lines = all.flatMap(({ path, words }) =>
    words.map(({ word, text }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${quoted(word)}`;
      return `complete -c poisonzero -f -n ${quoted(`__poisonzero_at ${quoted(path)}`)} ${what} -d ${quoted(text)}`;
    }),
  );
  return `function __poisonzero_at
  set -l given (commandline -opc)[2..-1]
  test (string join ' ' -- (string match -v -- '-*' $given)) = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** Single quotes hold for all three shells; our own words have none. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
