/** `poisonzero inject0 score`, `inject0 threshold`: how a text is scored for injected instructions (I-009, I-022). */
import { type Command, Option } from "commander";
import { CHOSEN, SPECIFIED } from "../limits.ts";
import { THRESHOLD } from "../melira/calibration.ts";
import { type Cause, MeliraFailure } from "../melira/failure.ts";
import { modelPlace } from "../melira/folder.ts";
import { type Score, Scorer, type Span } from "../melira/scorer.ts";
import { type Kind, KINDS } from "../melira/tokens.ts";
import { type Context, withHelp } from "./context.ts";
import { CommandError, EXIT, exitHelp } from "./outcome.ts";
import { paint, type Terminal } from "./terminal.ts";

interface Options {
  readonly jsonl?: boolean;
  readonly kind: Kind;
  readonly explain?: boolean;
}

export function addInject0(program: Command, context: Context): void {
  const inject0 = program
    .command("inject0")
    .summary("instructions hidden in what an agent reads")
    .description("Score text for instructions that nobody asked for, as an agent would meet them in tool results, files and memory.")
    .action(() => inject0.help({ error: true }));
  withHelp(inject0, "poisonzero inject0 score README.md");

  const score = inject0
    .command("score")
    .summary("score a text between 0.000 and 1.000")
    .description(
      `Score a file or standard input (-) between 0.000 and 1.000; ${THRESHOLD.toFixed(2)} and above counts as an injection. Everything stays on this machine. Longer texts than 256 KiB are read where they are most suspicious.`,
    )
    .argument("[path]", "the file, or - for standard input", "-")
    .option("--jsonl", 'one {"text"} per line in, one {"score"} per line out, in the same order')
    .addOption(new Option("--kind <kind>", "what the text is to the agent").choices(KINDS).default("tool"))
    .option("--explain", "show the parts that raised the score")
    .action((path: string, options: Options) => (options.jsonl ? scoreLines : scoreText)(context, path, options));
  withHelp(score, "poisonzero inject0 score page.html\n  git log -20 | poisonzero inject0 score --explain -", exitHelp("hit"));

  const threshold = inject0
    .command("threshold")
    .summary("show the score from which a text counts as an injection")
    .description("Show the score from which a text counts as an injection, and where that number comes from. It cannot be changed here.")
    .action(() => context.terminal.out(`${THRESHOLD.toFixed(2)} (default)\n`));
  withHelp(threshold, "poisonzero inject0 threshold");
}

async function scoreText(context: Context, path: string, { kind, explain = false }: Options): Promise<void> {
  const { terminal } = context;
  const bytes = path === "-" ? await standardInput() : context.system.read(path, SPECIFIED.inject0_bytes + 1)?.bytes;
  if (bytes === undefined) throw new CommandError(`${path} cannot be read`, "check the path");
  const text = textOf(bytes);
  const scorer = await open(context);
  try {
    const result = await scorer.score(text, { kind, explain, time_ms: CHOSEN.melira_command_ms }).catch((error: unknown) => {
      throw spoken(error);
    });
    terminal.out(`${result.score.toFixed(3)}\n`);
    if (explain) terminal.out(explained(result, text, terminal));
    context.code = result.hit ? EXIT.hit : EXIT.done;
  } finally {
    scorer.close();
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > SPECIFIED.inject0_bytes) throw spoken(new MeliraFailure("size", `over ${SPECIFIED.inject0_bytes / 2 ** 20} MiB`));
  return new TextDecoder().decode(bytes);
}

async function standardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of Bun.stdin.stream()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > SPECIFIED.inject0_bytes) break;
  }
  return Buffer.concat(chunks);
}

/** Lines are scored side by side and answered in their order, each as soon as it can be; as many are read ahead as keep the workers busy. */
async function scoreLines(context: Context, path: string, { kind, explain = false }: Options): Promise<void> {
  const { terminal } = context;
  const scorer = await open(context);
  const said: Promise<void>[] = [];
  let failed = false;
  const say = async (scored: ReturnType<typeof scoreLine>, before: Promise<void> | undefined): Promise<void> => {
    const one = await scored;
    await before;
    failed ||= one.failed;
    terminal.out(`${one.line}\n`);
  };
  try {
    for await (const line of linesOf(path)) {
      if (line.trim() === "") continue;
      said.push(say(scoreLine(line, scorer, kind, explain), said.at(-1)));
      if (said.length >= LINES_AHEAD) await said.shift();
      if (terminal.gone) return;
    }
    await said.at(-1);
  } finally {
    scorer.close();
  }
  context.code = failed ? EXIT.failed : EXIT.done;
}

/** Lines in work at once. */
const LINES_AHEAD = 3;

async function scoreLine(line: string, scorer: Scorer, kind: Kind, explain: boolean): Promise<{ line: string; failed: boolean }> {
  const fail = (error: string) => ({ line: JSON.stringify({ error }), failed: true });
  let row: { readonly text?: unknown; readonly kind?: unknown };
  try {
    row = JSON.parse(line) as typeof row;
  } catch {
    return fail("not JSON");
  }
  if (typeof row !== "object" || row === null || typeof row.text !== "string") return fail('no "text"');
  const told = row.kind === undefined ? kind : KINDS.find((one) => one === row.kind);
  if (told === undefined) return fail(`"kind" is none of ${KINDS.join(", ")}`);
  try {
    const { score, spans } = await scorer.score(row.text, { kind: told, explain, time_ms: CHOSEN.melira_command_ms });
    return { line: JSON.stringify(explain ? { score, spans } : { score }), failed: false };
  } catch (error) {
    return fail(error instanceof MeliraFailure ? error.message : "the text could not be scored");
  }
}

/** Lines of a file or of standard input as they come: an answer is not held back until the next chunk is full. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of path === "-" ? Bun.stdin.stream() : Bun.file(path).stream()) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield rest.join("") + line;
      rest = [];
    }
    rest.push(last);
  }
  yield rest.join("") + decoder.decode();
}

async function open(context: Context): Promise<Scorer> {
  try {
    return await Scorer.open(context.system, { place: modelPlace() });
  } catch (error) {
    throw spoken(error);
  }
}

const NEXT: Readonly<Partial<Record<Cause, string>>> = {
  missing: "install poisonzero again with the folder libexec/melira beside its program",
  damaged: "install poisonzero again: its program and its model belong together",
  version: "install poisonzero again: its program and its model belong together",
  simd: "use a machine whose processor has SIMD (any of the last ten years)",
  memory: "free some memory, then try again",
  size: "score it in smaller parts",
};

function spoken(error: unknown): unknown {
  return error instanceof MeliraFailure ? new CommandError(error.message, NEXT[error.reason] ?? "try again") : error;
}

/** What raised the score, for a person. */
function explained({ spans, forms, whole, hit }: Score, text: string, terminal: Terminal): string {
  const about = [
    hit ? "an injection" : "no injection",
    ...(forms.length > 0 ? [`hidden text was read: ${forms.join(", ")}`] : []),
    ...(whole ? [] : ["too long to be read whole: read where it is most suspicious"]),
  ];
  return `${about.join("; ")}\n${spans.map((span) => spanLine(span, text, terminal)).join("")}`;
}

function spanLine({ start, score, text: said, hidden }: Span, text: string, terminal: Terminal): string {
  const line = text.slice(0, start).split("\n").length;
  const short = printable(said.length > SHOWN ? `${said.slice(0, SHOWN)}…` : said);
  return `  ${score.toFixed(3)}  line ${line}${hidden ? ", hidden" : ""}: ${paint(terminal, "yellow", short)}\n`;
}

const SHOWN = 160;

/** Hostile text on a terminal: no control character, no direction mark. */
function printable(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\p{C}]/gu, "�");
}
