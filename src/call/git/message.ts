/** Texts a command writes into Git: messages, names, URLs, settings, and patches it applies. */
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

/** The lines a patch adds, by file, and the mail text around it. Removed and context lines are not taken. */
export function patched(text: string): Taken[] {
  const prose: string[] = [];
  const files = new Map<string, string[]>();
  let added: string[] | undefined;
  let left = 0;
  for (const line of text.split("\n")) {
    const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(line);
    if (hunk !== null) {
      left = Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1);
    } else if (left > 0) {
      if (line.startsWith("+")) added?.push(line.slice(1));
      left -= line.startsWith("+") || line.startsWith("-") ? 1 : line.startsWith("\\") ? 0 : 2;
    } else if (line.startsWith("+++ ")) {
      const path = (line.slice(4).split("\t")[0] ?? "").replace(/^"?b\//, "").replace(/"$/, "");
      added = files.get(path) ?? [];
      files.set(path, added);
    } else prose.push(line);
  }
  const blobs = [...files].map(
    ([path, lines]): Taken => ({
      where: "index",
      path,
      bytes: new TextEncoder().encode(`${lines.join("\n")}\n`),
      text: undefined,
      isNew: true,
    }),
  );
  return [...blobs, ...taken("message", { text: prose.join("\n").trim(), rest: [] })];
}
