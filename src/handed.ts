/**
 * What the launcher hands over as sealed memory files: the caller's environment on the descriptor PZ_ENVIRONMENT_FD
 * names, and the hook event as standard input (D-27, D-28). Mapping a file costs nothing; reading the event from a pipe
 * cost half a millisecond (measured).
 *
 * Trust: both are the caller's words and hostile data. Started without the launcher, this process's own environment and
 * standard input stand for them.
 */

/** Whether the launcher started this process, and on which descriptor the environment stands. */
const descriptor = Number(process.env.PZ_ENVIRONMENT_FD);
const launched = Number.isInteger(descriptor) && descriptor >= 3;

/** The caller's environment; of a name that comes twice the first counts. */
export function callerEnvironment(): Readonly<Record<string, string>> {
  if (!launched) return { ...process.env } as Record<string, string>;
  // An empty file cannot be mapped: the caller had no environment.
  const block = new TextDecoder().decode(mapped(descriptor) ?? new Uint8Array());
  const environment: Record<string, string> = Object.create(null);
  for (const entry of block.split("\0")) {
    const equals = entry.indexOf("=");
    if (equals > 0) environment[entry.slice(0, equals)] ??= entry.slice(equals + 1);
  }
  return environment;
}

/**
 * Everything that came on standard input, as UTF-8: a byte order mark stands as U+FEFF, broken bytes as U+FFFD. The
 * launcher bounds it (`event_bytes`) and ends it after one JSON value; without launcher it is read to its end.
 */
export async function eventText(): Promise<string> {
  const bytes = (launched ? mapped(0) : undefined) ?? (await Bun.stdin.bytes());
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The file behind a descriptor; undefined for an empty one and for what is no file. */
function mapped(file: number): Uint8Array | undefined {
  try {
    return Bun.mmap(`/proc/self/fd/${file}`, { shared: false });
  } catch {
    return undefined;
  }
}
