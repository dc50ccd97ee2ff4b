/** `poisonzero completion bash|zsh|fish`: tab completion, made from the tree of commands itself. */
import { Argument, type Command, type Option } from "commander";
import { quoted } from "../call/shell/quoting.ts";
import { type Context, withHelp } from "./context.ts";

interface Word {
  readonly word: string;
  readonly text: string;
}

/** One command with what can follow it on the line. */
interface Place {
  /** Words from the program's name on, without it: `leak0 status`. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly options: readonly Option[];
  /** Paths of files follow, any number of them. */
  readonly files: boolean;
}

const SHELLS = { bash, zsh, fish } as const;

const INSTALL = `Install, for good:
  bash  echo 'eval "$(poisonzero completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(poisonzero completion zsh)"' >> ~/.zshrc    (behind compinit)
  fish  poisonzero completion fish > ~/.config/fish/completions/poisonzero.fish
`;

export function addCompletion(program: Command, context: Context): void {
  const command = program
    .command("completion")
    .summary("print tab completion for your shell")
    .description("Print a script that completes poisonzero's commands, options and their values.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .addHelpText("after", `\n${INSTALL}`.trimEnd())
    .action((shell: keyof typeof SHELLS) => context.terminal.out(SHELLS[shell](places(program, ""))));
  withHelp(command, 'eval "$(poisonzero completion bash)"');
}

function places(command: Command, path: string): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const named = (child: Command): Word => ({ word: child.name(), text: child.summary() || child.description() });
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, text: description })),
  );
  const others = path === "help" && command.parent ? help.visibleCommands(command.parent).filter((child) => child !== command) : [];
  const words = [...[...commands, ...others].map(named), ...choices];
  return [
    {
      path,
      words,
      options: help.visibleOptions(command),
      files: command.registeredArguments.some((argument) => argument.name() === "path"),
    },
    ...commands.flatMap((child) => places(child, `${path} ${child.name()}`.trim())),
  ];
}

/** Both spellings of an option, the long one first. */
function spellings({ long, short }: Option): readonly string[] {
  return [long, short].filter((spelling) => spelling !== undefined && spelling !== null);
}

/** Short spellings are offered once a dash is typed: they are for those who know them. */
function byLength(options: readonly Option[]): { readonly long: readonly Word[]; readonly short: readonly Word[] } {
  const all = options.flatMap((option) => spellings(option).map((word) => ({ word, text: option.description })));
  return { long: all.filter(({ word }) => word.startsWith("--")), short: all.filter(({ word }) => !word.startsWith("--")) };
}

/** Options that take a value, by all their spellings, each once. */
function valued(
  all: readonly Place[],
): readonly { readonly names: readonly string[]; readonly values: readonly string[]; readonly path: boolean }[] {
  const found = new Map<string, Option>();
  for (const { options } of all) for (const option of options) if (option.required) found.set(spellings(option).join(), option);
  return [...found.values()].map((option) => ({
    names: spellings(option),
    values: option.argChoices ?? [],
    path: option.flags.includes("<path>"),
  }));
}

function bash(all: readonly Place[]): string {
  const cases = all.map(({ path, words, options, files }) => {
    const { long, short } = byLength(options);
    const lists = `words=${quoted([...words.map(({ word }) => word), ...long.map(({ word }) => word)].join(" "))}`;
    const pattern = files ? `${quoted(path)}|${quoted(`${path} `)}*` : quoted(path);
    return `        ${pattern}) ${lists} short=${quoted(short.map(({ word }) => word).join(" "))}${files ? " files=1" : ""} ;;`;
  });
  const values = valued(all);
  const given = values.map(({ names, values: choices, path }) =>
    path
      ? `      ${names.join("|")}) COMPREPLY=($(compgen -f -- "$word")); return ;;`
      : `      ${names.join("|")}) words=${quoted(choices.join(" "))} ;;`,
  );
  return `_poisonzero() {
  local path= words= short= value= files= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then continue; fi
    if [[ -n $value ]]; then value=; continue; fi
    case $word in
      ${values.flatMap(({ names }) => names).join("|")}) value=$word ;;
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  word=\${COMP_WORDS[COMP_CWORD]#=}
  case $value in
${given.join("\n")}
      *) case $path in
${cases.join("\n")}
      esac ;;
  esac
  [[ $word == -* ]] && words="$words $short"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$word"))
}
complete -F _poisonzero poisonzero
`;
}

function zsh(all: readonly Place[]): string {
  const entries = (words: readonly Word[]) =>
    words.map(({ word, text }) => quoted(text === "" ? word : `${word}:${text.replaceAll(":", "\\:")}`)).join(" ");
  const cases = all.map(({ path, words, options, files }) => {
    const { long, short } = byLength(options);
    if (files)
      return `      (${quoted(path)}|${quoted(`${path} `)}*) entries=(${entries([...words, ...long])}) short=(${entries(short)}); _files ;;`;
    return `      (${quoted(path)}) entries=(${entries([...words, ...long])}) short=(${entries(short)}) ;;`;
  });
  const values = valued(all);
  const given = values.map(({ names, values: choices, path }) =>
    path
      ? `    (${names.join("|")}) _files; return ;;`
      : `    (${names.join("|")}) entries=(${entries(choices.map((word) => ({ word, text: "" })))}) ;;`,
  );
  return `#compdef poisonzero
_poisonzero() {
  local -a entries short
  local at= value= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $value ]]; then value=; continue; fi
    case $word in
      (${values.flatMap(({ names }) => names).join("|")}) value=$word ;;
      (-*) ;;
      (*) at="\${at:+$at }$word" ;;
    esac
  done
  case $value in
${given.join("\n")}
    (*) case $at in
${cases.join("\n")}
    esac ;;
  esac
  [[ $words[CURRENT] == -* ]] && entries+=($short)
  _describe poisonzero entries
}
compdef _poisonzero poisonzero
`;
}

function fish(all: readonly Place[]): string {
  const at = (path: string, files = false) => `complete -c poisonzero${files ? "" : " -f"} -n ${quoted(`__poisonzero_at ${quoted(path)}`)}`;
  const lines = all.flatMap(({ path, words, options, files }) => [
    ...(files ? [`${at(path, true)} -F`] : []),
    ...words.map(({ word, text }) => `${at(path)} -a ${quoted(word)} -d ${quoted(text)}`),
    ...options.map((option) => {
      const names = spellings(option).map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      const file = option.flags.includes("<path>");
      const value = option.required
        ? file
          ? " -r -F"
          : ` -x${option.argChoices ? ` -a ${quoted(option.argChoices.join(" "))}` : ""}`
        : "";
      return `${at(path, file || files)} ${names.join(" ")}${value} -d ${quoted(option.description)}`;
    }),
  ]);
  return `function __poisonzero_at
  set -l given
  set -l value 0
  set -l all (commandline -opc)
  set -e all[1]
  for word in $all
    if test $value = 1
      set value 0
      continue
    end
    switch $word
      case ${valued(all)
        .flatMap(({ names }) => names)
        .join(" ")}
        set value 1
      case '-*'
      case '*'
        set -a given $word
    end
  end
  test "$given" = "$argv[1]"
end
${lines.join("\n")}
`;
}
