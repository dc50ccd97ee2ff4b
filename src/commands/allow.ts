/**
 * `poisonzero leak0 allow FILE…` (L-062, L-069, L-075).
 *
 * Approvals are issued by the PoisonZero service, which checks the person's sign-in. Where no service answers, none can be
 * issued: the command says so and what to do instead, and changes nothing.
 */
import type { Command } from "commander";
import { type Context, withHelp } from "./context.ts";
import { CommandError, exitHelp } from "./outcome.ts";

export function addAllow(leak0: Command, { system }: Context): void {
  const allow = leak0
    .command("allow")
    .summary("approve files that leak0 asks about, where the service runs")
    .description(
      "Approve the present content of files that leak0 stopped on their way into Git. The PoisonZero service checks your sign-in; without it there is nothing that could, and you run the Git command yourself.",
    )
    .argument("<file...>", "the files")
    .action((files: readonly string[]) => {
      const missing = files.find((file) => system.info(file) === undefined);
      if (missing !== undefined) throw new CommandError(`there is no file '${missing}'`, "write the path as leak0's message shows it");
      throw new CommandError(
        "nothing was approved: no PoisonZero service answers on this machine, so your sign-in cannot be checked",
        "run the Git command yourself in your own terminal; leak0 stands between you and an agent, not in your way",
      );
    });
  withHelp(allow, "poisonzero leak0 allow .env", exitHelp());
}
