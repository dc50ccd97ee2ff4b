/** `poisonzero scan`: secrets in files, folders and standard input, with proof and short hash (L-168, L-169). */
import type { Command } from "commander";
import { CHOSEN } from "../limits.ts";
import { EXEMPTION_FILE } from "../policy/exemptions.ts";
import { type FileResult, type HelperCommand, lookAtAll, lookerOf, type Summary } from "../scan/crew.ts";
import { printable } from "../scan/look.ts";
import { filesOf, type LeftOut, Missing } from "../scan/tree.ts";
import { shortHash, userKey } from "../session/key.ts";
import type { System } from "../system.ts";
import { type Context, withHelp } from "./context.ts";
import { CommandError, EXIT, exitHelp } from "./outcome.ts";
import { JsonWriter, Progress, SarifWriter, summary, TextWriter } from "./scan-report.ts";

interface Options {
  readonly json?: boolean;
  readonly sarif?: boolean;
  /** False with `--no-ignore`. */
  readonly ignore: boolean;
  /** False with `--no-exempt`. */
  readonly exempt: boolean;
}

/** Registers `poisonzero scan`, which ends with `EXIT.found` when it found something. */
export function addScan(program: Command, context: Context): void {
  const command = program
    .command("scan")
    .summary("find secrets in files, folders or standard input")
    .description(
      "Find secrets in files and folders, or in standard input (-), by the same evidence the hook decides by. Everything stays on this machine, and no value is ever printed: each is shown as a short hash. What .gitignore leaves out is left out, unless Git tracks it; links are not followed; of binary files the first 4 MiB count.",
    )
    .argument("[path...]", "files and folders, or - for standard input; the current folder without any")
    .option("--no-ignore", "look at what .gitignore leaves out as well")
    .option("--no-exempt", "report what a repository's exemption list (.leak0-exempt) leaves out as well")
    .option("--json", "print one JSON object per finding and line")
    .option("--sarif", "print one SARIF 2.1.0 log")
    .action((paths: readonly string[], options: Options) => scan(context, paths, options));
  withHelp(command, "poisonzero scan src .env\n  git diff | poisonzero scan -", exitHelp("found"));
}

async function scan(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const { system, terminal } = context;
  if (options.json && options.sarif)
    throw new CommandError("--json and --sarif are two forms of the same", "choose one of them", EXIT.usage);
  if (paths.includes("-") && paths.length > 1)
    throw new CommandError("- stands for standard input and takes no further path", "poisonzero scan -", EXIT.usage);
  if (paths.includes("")) throw new CommandError("an empty path names nothing", "poisonzero scan . for the current folder", EXIT.usage);
  const from = performance.now();
  const left: LeftOut = { ignored: 0, unreadable: [] };
  const writer = options.sarif ? new SarifWriter(terminal) : options.json ? new JsonWriter(terminal) : new TextWriter(terminal);
  const progress = new Progress(terminal);
  const total = { files: 0, bytes: 0, found: 0, foundIn: 0, part: 0, exempt: 0 };
  const open: FileResult[] = [];
  const broken = new Map<string, string>();
  writer.begin();
  for await (const { results, files, bytes, exempt, brokenLists } of summaries(paths, options, left, system)) {
    total.files += files;
    total.bytes += bytes;
    total.exempt += exempt;
    for (const { root, why } of brokenLists) broken.set(root, why);
    progress.clear();
    for (const result of results) {
      if (result.open === "binary beyond its beginning") total.part++;
      else if (result.open !== undefined) open.push(result);
      if (result.sightings.length === 0) continue;
      total.found += result.sightings.length;
      total.foundIn++;
      writer.file(result.sightings);
    }
    if (terminal.gone) break;
    progress.show(total);
  }
  progress.clear();
  const key = userKey(system);
  const hash = (value: string) => shortHash(key, value);
  const problems = [
    ...left.unreadable.map((path) => `${printable(path, hash)}: cannot be read`),
    ...open.map(
      ({ path, open: why }) => `${printable(path, hash)}: ${why === "unreadable" ? "cannot be read" : "holds too many places to check"}`,
    ),
  ];
  writer.end(problems);
  for (const problem of problems) terminal.err(`poisonzero: ${problem}\n`);
  if (problems.length > 0)
    terminal.err("  Next: what is named above was not looked at to its end; make it readable, or scan it in smaller parts\n");
  for (const [root, why] of broken)
    terminal.err(
      `poisonzero: ${printable(root, hash)}/${EXEMPTION_FILE} exempts nothing: ${why}\n  Next: correct that line and commit the list\n`,
    );
  if (writer instanceof TextWriter) terminal.out(summary(total, left, (performance.now() - from) / 1000, terminal));
  context.code = total.found > 0 ? EXIT.found : problems.length > 0 ? EXIT.failed : EXIT.done;
}

async function* summaries(paths: readonly string[], { ignore, exempt }: Options, left: LeftOut, system: System): AsyncGenerator<Summary> {
  if (paths[0] === "-") {
    const parts = lookerOf(system, false).stream("-");
    for await (const { bytes, last } of windows(Bun.stdin.stream())) {
      const sightings = parts.take(bytes, last);
      const open = last && !parts.complete ? "too many places" : undefined;
      yield {
        results: [{ path: "-", sightings, exempt: 0, bytes: bytes.length, open }],
        files: last ? 1 : 0,
        bytes: bytes.length,
        exempt: 0,
        brokenLists: [],
      };
    }
    return;
  }
  try {
    const entries = filesOf(paths.length === 0 ? ["."] : paths, process.cwd(), ignore, left, system);
    yield* lookAtAll(entries, system, exempt, helperCommand());
  } catch (problem) {
    if (!(problem instanceof Missing)) throw problem;
    throw new CommandError(problem.message, "check the path; poisonzero scan --help shows how to name files");
  }
}

/** The stream in pieces of the size that is held at a time; the last one may be empty. */
async function* windows(stream: ReadableStream<Uint8Array>): AsyncGenerator<{ bytes: Uint8Array; last: boolean }> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < CHOSEN.scan_window_bytes) continue;
    yield { bytes: Buffer.concat(chunks), last: false };
    chunks = [];
    length = 0;
  }
  yield { bytes: Buffer.concat(chunks), last: true };
}

/** Only the installed program can start itself again. */
function helperCommand(): HelperCommand {
  return Bun.isStandaloneExecutable ? [process.execPath, "scan-helper"] : undefined;
}
