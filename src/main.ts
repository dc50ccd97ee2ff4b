/**
 * argv to mode. Only the hook path is imported statically; everything else is loaded when asked for.
 *
 * Trust: started by the launcher with a clean environment; what the caller said arrives as data (handed.ts). The
 * arguments were written by whoever calls the hook.
 */
import { callerEnvironment, eventText } from "./handed.ts";
import { isAgent } from "./agents/table.ts";
import { answer } from "./hook/hook.ts";
import { SPECIFIED } from "./limits.ts";
import { openSystem } from "./system.ts";

/** `poisonzero scan` starts copies of this program by this word (scan/crew.ts); nobody else has a use for it. */
const HELPER = "scan-helper";

const argv = process.argv.slice(2);

if (argv[0] === "hook" && isAgent(argv[1])) {
  const text = await eventText();
  const system = openSystem({ environment: callerEnvironment, time_ms_max: SPECIFIED.engine_ms });
  const { stdout, stderr, code } = await answer(argv[1], argv[2] ?? "", text, system);
  if (stdout !== "") await Bun.write(Bun.stdout, stdout);
  if (stderr !== "") await Bun.write(Bun.stderr, `${stderr}\n`);
  process.exit(code);
} else if (argv[0] === HELPER) {
  const { help } = await import("./scan/crew.ts");
  await help();
} else {
  const { runCommand } = await import("./commands/program.ts");
  process.exit(await runCommand(argv, openSystem({ environment: callerEnvironment })));
}
