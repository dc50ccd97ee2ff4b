/** Git aliases from configuration (`alias.aa = add -A`). */
import type { Argument, GitInvocation } from "../effect.ts";
import { quoted } from "../shell/quoting.ts";
import type { Line } from "./line.ts";
import { settingOf } from "./movement.ts";
import { Git } from "./process.ts";

/** What an alias stands for: another Git command, or a shell command line when it starts with `!`. */
export type Meaning = { readonly invocation: GitInvocation } | { readonly shell: string };

/** One step of an alias, also of one that an earlier command of the line sets; undefined when the name is none. */
export function meaningOf(invocation: GitInvocation, earlier: readonly GitInvocation[], line: Line): Meaning | undefined {
  const { subcommand } = invocation;
  const place = line.place(invocation);
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(subcommand)) return undefined;
  const set = earlier.findLast(
    (command) => command.subcommand === "config" && settingOf(command.args)?.key.text.toLowerCase() === `alias.${subcommand.toLowerCase()}`,
  );
  const written = set === undefined ? undefined : settingOf(set.args)?.value.text;
  if (written !== undefined) return standsFor(written, invocation);
  // In a folder that is not known or not there, the user's own configuration still counts.
  const git = place?.git ?? new Git(line.system, line.budget, "/", { ...invocation, globals: [] });
  const finished = git.run(["config", "-z", "--get", `alias.${subcommand}`]);
  if (finished.code !== 0) return undefined;
  return standsFor(new TextDecoder().decode(finished.stdout).replace(/\0$/, "").trim(), invocation);
}

function standsFor(value: string, invocation: GitInvocation): Meaning {
  if (value.startsWith("!")) {
    return {
      shell: [value.slice(1), ...invocation.args.map(({ text, exact }) => (exact ? quoted(text) : text))].join(" "),
    };
  }
  return { invocation: expanded(value, invocation) };
}

/** The alias' words in front of the command's own arguments; its leading `-c` settings become global options. */
function expanded(value: string, invocation: GitInvocation): GitInvocation {
  const words = splitWords(value);
  const globals = [...invocation.globals];
  while (words[0]?.startsWith("-") === true) {
    const option = words.shift() ?? "";
    globals.push(option);
    if (/^(?:-c|--git-dir|--work-tree|--namespace)$/.test(option)) globals.push(words.shift() ?? "");
  }
  const subcommand = words.shift() ?? "";
  const own = words.map((text): Argument => ({ text, exact: true, sources: [] }));
  return { ...invocation, globals, subcommand, args: [...own, ...invocation.args] };
}

/** Git's own word splitting of aliases: blanks, both quotes, backslashes. */
function splitWords(value: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < value.length; at++) {
    const sign = value.charAt(at);
    if (quote === "" && /\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === "\\" && quote !== "'") word = (word ?? "") + value.charAt(++at);
    else if (quote === sign) quote = "";
    else if (quote === "" && (sign === "'" || sign === '"')) {
      quote = sign;
      word ??= "";
    } else word = (word ?? "") + sign;
  }
  if (word !== undefined) words.push(word);
  return words;
}
