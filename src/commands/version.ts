/** `poisonzero version`. */
import type { Command } from "commander";
import { version } from "../../package.json";
import { type Context, withHelp, writeJson } from "./context.ts";

export const VERSION: string = version;

export function addVersion(program: Command, context: Context): void {
  const command = program
    .command("version")
    .summary("print the version")
    .description("Print the version.")
    .option("--json", "print it as JSON")
    .action((options: { readonly json?: boolean }) => {
      if (options.json) writeJson(context.terminal, { version: VERSION });
      else context.terminal.out(`poisonzero ${VERSION}\n`);
    });
  withHelp(command, "poisonzero version");
}
