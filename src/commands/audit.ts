/** `poisonzero audit tail|verify`: the user's own audit file (L-155 … L-167, D-24). */
import { type Command, InvalidArgumentError } from "commander";
import type { AuditEntry } from "../audit/event.ts";
import { auditTail, verifyAudit } from "../audit/reading.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { EXIT, EXIT_HELP } from "./outcome.ts";

export function addAudit(program: Command, context: Context): void {
  const audit = program
    .command("audit")
    .helpCommand(false)
    .summary("what was decided for this user")
    .description(
      "The record of every decision for the current user: agent, tool, rule, mode and a short hash. It never holds a value, a path or a command.",
    );
  withHelp(audit, "poisonzero audit tail -n 20");
  const tail = audit
    .command("tail")
    .description("Prints the newest entries, oldest first.")
    .option("-n, --lines <count>", "how many", parseCount, 10)
    .option("--json", "print one JSON object per line")
    .action((options: { readonly lines: number; readonly json?: boolean }) => {
      const entries = auditTail(context.system, options.lines);
      const lines = entries.map((entry) => `${options.json ? JSON.stringify(entry) : line(entry)}\n`);
      context.terminal.out(entries.length === 0 && !options.json ? "The audit is empty.\n" : lines.join(""));
    });
  withHelp(tail, "poisonzero audit tail -n 20 --json");
  const verify = audit
    .command("verify")
    .description("Checks that no entry was changed, removed, inserted or moved. Entries cut off at the end leave no trace in the file.")
    .option("--json", "print the outcome as JSON")
    .action((options: { readonly json?: boolean }) => check(context, options.json === true));
  withHelp(verify, "poisonzero audit verify", `${EXIT_HELP}\n  2   entries were changed, removed, inserted or moved`);
}

function check(context: Context, json: boolean): void {
  const { system, terminal } = context;
  const outcome = verifyAudit(system);
  if (outcome.broken.length > 0) context.code = EXIT.changed;
  if (json) return writeJson(terminal, { ...outcome, intact: outcome.broken.length === 0 });
  terminal.out(`${outcome.entries} entries, ${outcome.broken.length === 0 ? "the chain holds" : "the chain is broken"}\n`);
  for (const { file, line: number } of outcome.torn) terminal.out(`  ${file}, line ${number}: not an entry (torn or foreign)\n`);
  for (const { file, line: number } of outcome.broken) terminal.out(`  ${file}, line ${number}: does not follow the line before it\n`);
  if (!outcome.keyed) terminal.out("  The key ~/.poisonzero/key cannot be kept, so nothing can be verified.\n");
}

function line(entry: AuditEntry): string {
  const { time, action, agent, tool, rule, mode, hash, proof, kind, reason } = entry;
  const detail = [proof, kind, hash, reason].filter((part) => part !== undefined);
  return `${time}  ${action}  ${agent} ${tool}  ${rule}  ${mode}${detail.length > 0 ? `  ${detail.join(" · ")}` : ""}`;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("A number from 1 to 999999 is needed.");
  return Number(text);
}
