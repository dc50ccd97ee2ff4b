/**
 * argv to mode. Only the hook path is imported statically; everything else is loaded when asked for.
 *
 * Trust: started by the launcher with a clean environment; the caller's environment arrives as data on descriptor 3,
 * announced by PZ_ENVIRONMENT_FD (D-28). The arguments were written by whoever calls the hook.
 */
import { AGENTS, answer } from "./hook/hook.ts";
import { readEvent } from "./hook/stdin.ts";
import { CHOSEN, SPECIFIED } from "./limits.ts";
import { openSystem } from "./system.ts";

const argv = process.argv.slice(2);
const environment = callerEnvironment();

if (argv[0] === "hook" && (AGENTS as readonly (string | undefined)[]).includes(argv[1])) {
  const event = await readEvent(CHOSEN.event_bytes);
  const system = openSystem({ environment, time_ms_max: SPECIFIED.engine_ms });
  const { stdout, stderr, code } = await answer(event.text, system);
  if (stdout !== "") await Bun.write(Bun.stdout, stdout);
  if (stderr !== "") await Bun.write(Bun.stderr, `${stderr}\n`);
  process.exit(code);
} else {
  const { runCommand } = await import("./commands/program.ts");
  process.exit(await runCommand(argv, openSystem({ environment })));
}

/** The caller's environment as the launcher hands it over; this process's own one when it was started without launcher. */
function callerEnvironment(): Readonly<Record<string, string>> {
  const descriptor = Number(process.env.PZ_ENVIRONMENT_FD);
  if (!Number.isInteger(descriptor) || descriptor < 3) return { ...process.env } as Record<string, string>;
  // Mapping the sealed memory file costs nothing; reading it as a Bun.file costs 0.5 ms (measured).
  const block = new TextDecoder().decode(mapped(`/proc/self/fd/${descriptor}`));
  const environment: Record<string, string> = Object.create(null);
  for (const entry of block.split("\0")) {
    const equals = entry.indexOf("=");
    if (equals > 0) environment[entry.slice(0, equals)] ??= entry.slice(equals + 1);
  }
  return environment;
}

function mapped(path: string): Uint8Array {
  try {
    return Bun.mmap(path, { shared: false });
  } catch {
    return new Uint8Array(); // an empty file cannot be mapped: the caller had no environment
  }
}
