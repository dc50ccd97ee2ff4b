/** Texts a command writes into Git: messages, names, URLs, settings. */
import type { Argument, Source } from "../effect.ts";
import type { Line } from "./line.ts";
import type { Taken } from "./taking.ts";

/** A text as something taken; undefined when there is nothing in it. */
export function taken(where: Taken["where"], known: { readonly text: string; readonly rest: readonly Source[] }): Taken[] {
  if (known.text === "" && known.rest.length === 0) return [];
  const text: Taken = { where, path: undefined, bytes: undefined, text: known.text, isNew: true };
  return [known.rest.length === 0 ? text : { ...text, sources: known.rest }];
}

/** Arguments that become text. */
export function texts(where: Taken["where"], args: readonly Argument[], line: Line): Taken[] {
  return args.flatMap((argument) => taken(where, line.argument(argument)));
}

/** Files that become text; `-` is standard input. */
export function textFiles(
  where: Taken["where"],
  args: readonly Argument[],
  stdin: readonly Source[],
  cwd: string | undefined,
  line: Line,
): Taken[] {
  return args.flatMap((argument) => taken(where, contentOf(argument, stdin, cwd, line)));
}

/** What stands in a file a command names, or in its standard input. */
export function contentOf(
  argument: Argument,
  stdin: readonly Source[],
  cwd: string | undefined,
  line: Line,
): { readonly text: string; readonly rest: readonly Source[] } {
  if (argument.text === "-") return line.flow(stdin);
  if (argument.text.startsWith("/dev/fd/")) return line.flow(argument.sources);
  const path = argument.exact ? line.path(argument.text, cwd) : undefined;
  // A file only known at run time: what the substitution brings in is its name, not its content.
  if (path === undefined) return { text: "", rest: [] };
  const bytes = line.file(path);
  return { text: bytes === undefined ? "" : new TextDecoder().decode(bytes), rest: [] };
}
