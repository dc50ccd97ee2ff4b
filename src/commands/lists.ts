/** `poisonzero leak0 file|exclude add|remove|list` (L-128, L-129, L-131, L-137, L-138, L-142). */
import type { Command } from "commander";
import { CHOSEN } from "../limits.ts";
import { newGlobProblem } from "../policy/glob.ts";
import { readLists, resolveLeak0 } from "../policy/leak0.ts";
import type { SecretFileEntry } from "../policy/lists.ts";
import { onCloud } from "../policy/mode.ts";
import { addExclusion, addSecretFile, type Outcome, removeExclusion, removeSecretFile } from "../policy/own-lists.ts";
import { refusalOf } from "../refusal.ts";
import { asAdministrator, requireAdministrator, requirePrivateDevice } from "./administrator.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { CommandError, EXIT, exitHelp } from "./outcome.ts";

interface List {
  readonly name: "file" | "exclude";
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly example: string;
}

const FILE: List = {
  name: "file",
  title: "secret files",
  summary: "your own list of secret files",
  description: "Name files of your own that hold secrets. leak0 then treats them like a .env: it asks and redacts, and never blocks.",
  example: "'**/house.vars' --keys door,alarm",
};

const EXCLUDE: List = {
  name: "exclude",
  title: "exclusions",
  summary: "files that leak0 does not treat as a source of secrets",
  description: "Name files that leak0 does not treat as a source of secrets, such as the fixtures of your tests.",
  example: "'**/fixtures/**'",
};

export function addLists(leak0: Command, context: Context): void {
  for (const list of [FILE, EXCLUDE]) addList(leak0, context, list);
}

function addList(leak0: Command, context: Context, list: List): void {
  const { system, terminal } = context;
  const path = `leak0 ${list.name}`;
  const group = leak0.command(list.name).summary(list.summary).description(list.description);
  withHelp(group, `sudo poisonzero ${path} add ${list.example}`);

  const globs =
    "A glob is compared with the whole path; ~ stands for the home folder of whoever runs the agent. Without a / it is a file's name in any folder. Put it in quotes.";
  const add = group
    .command("add")
    .summary(`add to the ${list.title}`)
    .description(`Add to the ${list.title}. ${globs} Administrators only.`)
    .argument("<glob>", "which files")
    .action((glob: string, options: { readonly keys?: string }) => {
      const problem = newGlobProblem(glob, list.name);
      if (problem !== undefined) throw new CommandError(`'${glob}' ${problem}`, `poisonzero ${path} add --help`, EXIT.usage);
      const entry = entryOf(glob, options.keys);
      change(context, list, `add '${glob}'`, glob, () => (list === FILE ? addSecretFile(system, entry) : addExclusion(system, glob)));
    });
  if (list === FILE)
    add.option("--keys <names>", "the fields that hold the secret, with commas between; all secret-looking ones without it");
  withHelp(add, `sudo poisonzero ${path} add ${list.example}`, exitHelp("refused"));

  const remove = group
    .command("remove")
    .summary(`take out of the ${list.title}`)
    .description(`Take an entry out of the ${list.title}, written as \`list\` shows it. Administrators only.`)
    .argument("<glob>", "the entry")
    .action((glob: string) =>
      change(context, list, `remove '${glob}'`, glob, () =>
        list === FILE ? removeSecretFile(system, glob) : removeExclusion(system, glob),
      ),
    );
  withHelp(remove, `sudo poisonzero ${path} remove ${list.example.split(" ")[0]}`, exitHelp("refused"));

  const show = group
    .command("list")
    .summary(`show the ${list.title}`)
    .description(`Show the ${list.title}: the local ones, or those of the console's profile on a device steered from one.`)
    .option("--json", "print them as JSON")
    .action((options: { readonly json?: boolean }) => {
      const problems: string[] = [];
      const { secretFiles, exclusions } = readLists(system, problems);
      if (options.json) writeJson(terminal, list === FILE ? { secretFiles } : { exclusions });
      else {
        const lines = list === FILE ? secretFiles.map(lineOf) : exclusions;
        const command = onCloud(system)
          ? "the console, under Settings, Profiles"
          : asAdministrator(system, `poisonzero ${path} add ${list.example}`);
        terminal.out(lines.length > 0 ? lines.map((line) => `${line}\n`).join("") : `No ${list.title}.\n  Add one: ${command}\n`);
      }
      for (const problem of problems)
        terminal.err(`poisonzero: does not count: ${problem}\n  Next: correct that file; poisonzero leak0 status\n`);
      if (problems.length > 0) context.code = EXIT.failed;
    });
  withHelp(show, `poisonzero ${path} list`);
}

function entryOf(path: string, keys: string | undefined): SecretFileEntry {
  if (keys === undefined) return { path };
  const names = keys.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw new CommandError("--keys holds an empty name", "write the names with commas between: --keys door,alarm", EXIT.usage);
  if (names.length > CHOSEN.list_keys)
    throw new CommandError(`--keys takes at most ${CHOSEN.list_keys} names`, "leave --keys out to take every field", EXIT.usage);
  if (names.some((name) => name.length > CHOSEN.list_glob_chars || name.includes("\0")))
    throw new CommandError("a name in --keys is too long", "write the field's name as it stands in the file", EXIT.usage);
  return { path, keys: [...new Set(names)] };
}

function lineOf({ path, keys }: SecretFileEntry): string {
  return keys === undefined ? path : `${path}  (fields: ${keys.join(", ")})`;
}

function change({ system, terminal }: Context, list: List, words: string, glob: string, work: () => Outcome): void {
  const command = `poisonzero leak0 ${list.name} ${words}`;
  requirePrivateDevice(system);
  requireAdministrator(system, command);
  let outcome: Outcome;
  try {
    outcome = work();
  } catch (error) {
    const { words, next } = refusalOf(error, system);
    throw new CommandError(`the list was not changed: ${words}`, `${next ?? "correct that"}, then run it again: sudo ${command}`);
  }
  if (outcome === "not in the list")
    throw new CommandError(`'${glob}' is not among the ${list.title}`, `poisonzero leak0 ${list.name} list`);
  const said = {
    added: `added to the ${list.title}: ${glob}`,
    changed: `other fields for: ${glob}`,
    unchanged: `already among the ${list.title}: ${glob}`,
    removed: `taken out of the ${list.title}: ${glob}`,
  }[outcome];
  terminal.out(`${said}\n`);
  if (resolveLeak0(system).mode === "off")
    terminal.out(`leak0 is off, so the list has no effect yet.\n  Switch it on: ${asAdministrator(system, "poisonzero leak0 enforce")}\n`);
}
