/**
 * Arguments that come back: a program prints its arguments, or its messages quote them (`ls "$(base64 f)"`,
 * `date +"$(…)"`). What substitutions bring into them is then in the output.
 */
import type { Source } from "../../effect.ts";
import { transformed, unique } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { fileCommand } from "./files.ts";
import { interpreterCommand } from "./interpreters.ts";
import { textCommand } from "./text.ts";

/** Puts what substitutions brought into the arguments on the outputs. `known`: the program has a handler of its own. */
export function echoArguments(invocation: Invocation, known: boolean): void {
  const brought = unique(invocation.args.flatMap(({ sources }) => sources.filter(isContent)));
  if (brought.length === 0) return;
  const sources = returned(invocation, known, brought);
  if (sources.length > 0) invocation.tell(sources);
}

/** Tools that start programs of a project, and databases that answer: their output may be anything. */
function startsProjects(name: string): boolean {
  return /^(?:go|cargo|npm|pnpm|yarn|bun|deno|dotnet|mvnw?|gradlew?|pytest|jest|vitest|tsc|psql|mysql|mariadb|sqlite3|redis-cli|mongosh)$/.test(
    name,
  );
}

/** Small programs that print what they are given, or quote it in a message. */
const PRINTERS = new Set(["expr", "yes", "seq", "factor", "figlet", "toilet", "cowsay", "banner", "numfmt", "cal", "id", "getent"]);

function isContent(source: Source): boolean {
  return source.from === "file" || source.from === "credential command" || source.from === "git content";
}

function returned(invocation: Invocation, known: boolean, brought: readonly Source[]): readonly Source[] {
  const { name } = invocation;
  if (PRINTERS.has(name)) return brought;
  // A credential handed to a program is its use, whatever the program prints; an encoded one is no use of it.
  if (!known || interpreterCommand(name) !== undefined || startsProjects(name)) {
    const found = brought.filter((source) => source.from === "git content" || ("plain" in source && !source.plain));
    const inline = known && invocation.args.some(({ text }) => /^-\w{0,3}[ceEpr]$|^--(?:eval|print|run)$/.test(text));
    if (!inline) return found;
    const code = invocation.args.map(({ text }) => text).join(" ");
    return /argv|ARGV|\$@|\$1|\$_/.test(code) ? transformed(brought) : [];
  }
  switch (name) {
    case "[":
    case "test":
      return invocation.args.some(({ text }) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(text)) ? brought : [];
    case "git":
      return invocation.args.some(({ text }) => /^(?:commit|push|tag|notes|clone|fetch|pull|remote|ls-remote|merge|stash)$/.test(text))
        ? []
        : brought;
    case "cd":
    case "pushd":
    case "kill":
    case "exit":
    case "return":
    case "shift":
    case "wait":
    case "type":
    case "hash":
    case "umask":
    case "ulimit":
    case "source":
    case ".":
    case "let":
    case "make":
    case "systemctl":
    case "journalctl":
    case "service":
      return brought;
    // A text handed to these is kept or shown elsewhere.
    case "tee":
    case "sponge":
    case "pbcopy":
    case "clip":
    case "wl-copy":
    case "xclip":
    case "xsel":
      return [];
    default:
      return fileCommand(name) !== undefined || textCommand(name) !== undefined ? brought : [];
  }
}
