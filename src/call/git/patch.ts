/** Patches that come into the repository (`am`, `apply`) or are mailed to somebody (`send-email`). */
import type { Argument, GitInvocation } from "../effect.ts";
import { Unfinished } from "./budget.ts";
import type { Line } from "./line.ts";
import { contentOf, taken, texts } from "./message.ts";
import { parseOptions } from "./options.ts";
import { wildcard } from "./pathspec.ts";
import { printedText } from "./printed.ts";
import type { Taken } from "./taking.ts";

/**
 * What patches bring that a command names as files, folders of files or its standard input; also the ones that an earlier
 * `git format-patch` of the line writes. What cannot be read leaves only a push of the same line unchecked.
 */
export function patches(
  where: "index" | "push",
  operands: readonly Argument[],
  { stdin, cwd }: GitInvocation,
  earlier: readonly GitInvocation[],
  line: Line,
): Taken[] {
  if (operands.length === 0) return patched(contentOf(STANDARD_INPUT, stdin, cwd, line).text, where);
  const found = operands.flatMap((operand) => {
    if (operand.text === "-" || operand.text.startsWith("/dev/fd/")) return patched(contentOf(operand, stdin, cwd, line).text, where);
    return filesOf(operand, cwd, line).flatMap((path) => patched(new TextDecoder().decode(line.file(path)), where));
  });
  const makers = earlier.filter(({ subcommand, args }) => subcommand === "format-patch" && !args.some(({ text }) => text === "--stdout"));
  if (makers.length > 0) found.push(...patched(printedText(makers, line), where));
  else if (found.length === 0) line.unseen ??= "a patch is only known at run time";
  return found;
}

const STANDARD_INPUT: Argument = { text: "-", exact: true, sources: [] };

/** Files an argument stands for now: itself, what its wildcards match, or what lies in it. */
function filesOf(argument: Argument, cwd: string | undefined, line: Line): readonly string[] {
  const { system } = line;
  const path = /[$`]/.test(argument.text) && !argument.exact ? undefined : line.path(argument.text, cwd);
  if (path === undefined) return [];
  const cut = path.lastIndexOf("/");
  const folder = path.slice(0, cut);
  const pattern = path.slice(cut + 1);
  if (!argument.exact) return system.list(folder).flatMap((name) => (wildcard(pattern, name) ? [`${folder}/${name}`] : []));
  return system.info(path)?.kind === "folder" ? system.list(path).map((name) => `${path}/${name}`) : [path];
}

/** What `git send-email` mails: patches it names, or the ones it makes of revisions. */
export function mailed(invocation: GitInvocation, earlier: readonly GitInvocation[], line: Line): Taken[] {
  const parsed = parseOptions(invocation.args, MAILING);
  if (parsed.has("dry-run") || parsed.has("dump-aliases")) return [];
  const own = [...texts("push", [...parsed.values("subject"), ...parsed.values("from")], line)];
  if (invocation.subcommand === "imap-send") return patches("push", [], invocation, earlier, line);
  const files = parsed.operands.filter((operand) => filesOf(operand, invocation.cwd, line).some((path) => line.file(path) !== undefined));
  const revisions = parsed.operands.filter((operand) => !files.includes(operand));
  if (files.length > 0) own.push(...patches("push", files, invocation, earlier, line));
  const counts = invocation.args.filter(({ text }) => /^-\d{1,6}$/.test(text));
  const made = revisions.filter(({ exact }) => exact);
  if (revisions.some(({ exact, text }) => !exact && !/[*?[]/.test(text))) throw new Unfinished("what is mailed is only known at run time");
  if (made.length > 0 || counts.length > 0)
    own.push(...patched(printedText([{ ...invocation, subcommand: "format-patch", args: [...counts, ...made] }], line), "push"));
  if (files.length === 0 && revisions.length > made.length) own.push(...patches("push", revisions, invocation, earlier, line));
  return own;
}

const MAILING = [
  "to=",
  "cc=",
  "bcc=",
  "from=",
  "subject=",
  "reply-to=",
  "in-reply-to=",
  "sender=",
  "smtp-server=",
  "smtp-server-port=",
  "smtp-server-option=",
  "smtp-user=",
  "smtp-pass=?",
  "smtp-encryption=",
  "smtp-domain=",
  "smtp-auth=",
  "smtp-ssl-cert-path=",
  "smtp-debug=",
  "identity=",
  "confirm=",
  "suppress-cc=",
  "to-cmd=",
  "cc-cmd=",
  "header-cmd=",
  "sendmail-cmd=",
  "transfer-encoding=",
  "compose-encoding=",
  "8bit-encoding=",
  "batch-size=",
  "relogin-delay=",
  "validate",
  "envelope-sender=",
  "dry-run",
  "dump-aliases",
  "v|reroll-count=",
  "subject-prefix=",
];

/** The lines a patch adds, by file, and the mail text around it. Removed and context lines are not taken. */
export function patched(text: string, where: "index" | "push" = "index"): Taken[] {
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
      where,
      path,
      bytes: new TextEncoder().encode(`${lines.join("\n")}\n`),
      text: undefined,
      isNew: true,
    }),
  );
  return [...blobs, ...taken(where === "push" ? "push" : "message", { text: prose.join("\n").trim(), rest: [] })];
}
