/**
 * In which order code lies in the program. What everyday calls run stands together, so that a start touches fewer pages
 * (measured: 0.3 of 7 ms). A build of the same sources on the runtime as it is delivered writes down what such calls run;
 * it is kept as long as no source changes, and says the same every time.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is recorded, the most important first: calls as agents make them most. */
const EVENTS: readonly Readonly<Record<string, unknown>>[] = [
  { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls && npm test" } },
  { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git status --short | head -20" } },
  { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: "README.md" } },
  {
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    tool_response: { stdout: "ok 1\n".repeat(200), stderr: "", interrupted: false, isImage: false, noOutputExpected: false },
  },
];

/** How the recorder is built: writes the program to `output`, for a data directory in which leak0 enforces. */
export type BuildRecorder = (output: string, dataFolder: string) => void;

/** The files that `--bytecode-order` takes. `flags`: what else the recording hangs on. Throws when it cannot be made. */
export function everydayOrder(root: string, cache: string, flags: readonly string[], buildRecorder: BuildRecorder): readonly string[] {
  const folder = join(cache, "order", fingerprint(root, flags));
  const files = EVENTS.map((_, at) => join(folder, `${at}.order`));
  if (existsSync(folder)) return files;
  mkdirSync(join(cache, "order"), { recursive: true });
  const making = mkdtempSync(join(cache, "order", "making-"));
  try {
    const data = join(making, "data");
    mkdirSync(data, { mode: 0o755 });
    writeFileSync(join(data, "leak0mode"), "enforce\n", { mode: 0o644 });
    const recorder = join(making, "recorder");
    buildRecorder(recorder, data);
    for (const [at, event] of EVENTS.entries()) record(recorder, making, event, join(making, `${at}.order`));
    for (const name of readdirSync(making)) if (!name.endsWith(".order")) rmSync(join(making, name), { recursive: true });
    try {
      renameSync(making, folder);
    } catch (error) {
      // Another build was faster; it wrote the same.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return files;
}

function record(recorder: string, folder: string, event: Readonly<Record<string, unknown>>, output: string): void {
  // Each event meets a user who has never called it, so that the recording does not hang on the one before.
  const home = mkdtempSync(join(folder, "home-"));
  const session = { session_id: "s", transcript_path: "", cwd: home, permission_mode: "default", tool_use_id: "t" };
  const done = Bun.spawnSync([recorder, "hook", "claude"], {
    stdin: Buffer.from(JSON.stringify({ ...session, ...event })),
    stdout: "ignore",
    stderr: "pipe",
    env: { PATH: "/usr/bin:/bin", HOME: home, BUN_BYTECODE_ORDER_OUT: output },
    cwd: home,
  });
  if (done.exitCode !== 0 || !existsSync(output))
    throw new Error(`what an everyday call runs could not be recorded: ${done.stderr} Next step: run the tests, test/hook first`);
}

/** Of everything the recording comes from. */
function fingerprint(root: string, flags: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256").update(flags.join("\0"));
  const source = join(root, "src");
  const names = readdirSync(source, { recursive: true, encoding: "utf8" }).sort();
  for (const name of ["bun.lock", ...names.filter((one) => /\.(?:ts|json|wasm)$/.test(one)).map((one) => join("src", one))])
    hash.update(`\0${name}\0`).update(readFileSync(join(root, name)));
  hash.update(readFileSync(import.meta.path));
  return hash.digest("hex").slice(0, 16);
}
