/** Editors that are driven by commands: `ed`, `ex`, `vim -c`. What they take in, write, print and start. */
import type { Source } from "../../effect.ts";
import { literal, staticText, unique } from "../../source.ts";
import type { Invocation } from "../invocation.ts";

/** A file opened is shown only by the batch modes that print. */
export function editor(invocation: Invocation): void {
  const options = invocation.options({ short: "cSTuUWw", long: "cmd" });
  const commands = invocation.args.map((argument) => argument.text).join(" ");
  const files = options.operands.filter((operand) => !operand.text.startsWith("+"));
  const input = invocation.stdin.map((source) => (source.from === "text" ? source.text : "")).join("");
  const scripts = options.values("S").map((file) => staticText(invocation.readScript(file)) ?? "");
  const lines = [
    ...options.values("c", "cmd").map(({ text }) => text),
    ...invocation.args.flatMap(({ text }) => (text.startsWith("+") ? [text.slice(1)] : [])),
    ...[...scripts, input].flatMap((text) => text.split("\n", LINES_MAX)),
  ].flatMap((line) => (invocation.name === "ed" ? [line] : line.split(" | ")));
  const prints =
    /(?:%|\d)?p(?:rint)?\b|:?w\s{0,4}!|\bprint\b|cat\b/.test(commands) &&
    (options.has("c", "cmd", "e", "es", "s") || invocation.name === "ex" || commands.includes("+"));
  const scripted = /%p|,p|\bp\b/.test(input);
  for (const match of commands.matchAll(/(?:^|[\s|+:])!([^|'"]{1,1000})/g)) invocation.script(literal(match[1] ?? ""));
  const taken = lines.flatMap((line) => takenIn(invocation, line));
  if (/(?:^|[\s|;+'":])(?:w|wq|x|wa|wqa|xa|update|up)!?(?:$|[\s|;'"])/m.test(`${commands}\n${input}`)) {
    for (const file of files) {
      if (taken.length > 0) invocation.writeInto(file, taken);
      else invocation.change(file, "edit");
    }
  }
  for (const line of lines) {
    const target = WRITTEN.exec(line)?.[1];
    const content = (): Source[] => unique([...(files.length > 0 ? invocation.readAll(files) : []), ...taken]);
    if (target?.startsWith("!")) invocation.script(literal(target.slice(1)), { stdin: content() });
    else if (target !== undefined) invocation.write(literal(place(invocation, target)), content());
  }
  if (prints || scripted) invocation.print([...invocation.readAll(files.length > 0 ? files : []), ...taken]);
}

const LINES_MAX = 2000;

/** `r f`, `:0read f`, `r !cmd`. */
const READ = /^[\s:]{0,16}(?:[\d.$%,+-]{0,20}|\/[^/]{0,200}\/)\s{0,8}r(?:e|ea|ead)?(?:\s{1,16}|(?=!))(\S.{0,1023})$/;
/** `w f`, `:%w! f`, `w >> f`, `w !cmd`. */
const WRITTEN = /^[\s:]{0,16}[\d.$%,+-]{0,20}w(?:r|ri|rit|rite)?(?:!(?=\s)|\b)\s{1,16}(?:>>\s{0,8})?(\S.{0,1023})$/;

/** What a command of the editor puts into the text. */
function takenIn(invocation: Invocation, line: string): readonly Source[] {
  const from = READ.exec(line)?.[1]?.trim();
  if (from === undefined) return [];
  if (from.startsWith("!")) return invocation.captureScript(literal(from.slice(1)));
  return invocation.read(literal(place(invocation, from)));
}

/** A file's name as the editors expand it. */
function place({ world }: Invocation, written: string): string {
  return written.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => world.home).replace(/\\ /g, " ");
}
