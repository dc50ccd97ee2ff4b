/** `poisonzero audit tail|verify`: the user's own audit file (L-155 … L-167, D-24). */
import { type Command, InvalidArgumentError } from "commander";
import type { AuditEntry } from "../audit/event.ts";
import { type AuditPlace, auditFollower, auditTail, verifyAudit } from "../audit/reading.ts";
import { CHOSEN } from "../limits.ts";
import { closedTo } from "../refusal.ts";
import { keptKey } from "../session/key.ts";
import { type Context, withHelp, writeJson } from "./context.ts";
import { EXIT, exitHelp } from "./outcome.ts";

interface TailOptions {
  readonly lines: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export function addAudit(program: Command, context: Context): void {
  const audit = program
    .command("audit")
    .summary("show and verify what was decided for this user")
    .description(
      "Show or verify the record of every decision for the current user: agent, tool, rule, mode and a short hash. It never holds a value, a path or a command.",
    );
  withHelp(audit, "poisonzero audit tail -n 20");
  const tail = audit
    .command("tail")
    .summary("print the newest entries")
    .description("Print the newest entries, oldest first: in local time on a terminal, else in UTC.")
    .option("-n, --lines <count>", "how many", parseCount, 10)
    .option("-f, --follow", "go on with every new entry, until Ctrl+C")
    .option("--json", "print one JSON object per line")
    .action((options: TailOptions) => printTail(context, options));
  withHelp(tail, "poisonzero audit tail -n 20 -f");
  const verify = audit
    .command("verify")
    .summary("check that the record is whole")
    .description(
      "Check that every line can be read and that no entry was changed, removed, inserted or moved. Entries cut off at the end leave no trace in the file.",
    )
    .option("--json", "print the outcome as JSON")
    .action((options: { readonly json?: boolean }) => check(context, options.json === true));
  withHelp(verify, "poisonzero audit verify", exitHelp("changed"));
}

async function printTail({ system, terminal }: Context, options: TailOptions): Promise<void> {
  const { entries, unreadable, closed } = auditTail(system, options.lines);
  const print = (all: readonly AuditEntry[]) =>
    terminal.out(all.map((entry) => `${options.json ? JSON.stringify(entry) : line(entry, time(entry))}\n`).join(""));
  const zone = terminal.interactive ? localTime(system.environment.TZ) : undefined;
  const time = (entry: AuditEntry) => zone?.(entry.time) ?? entry.time;
  print(entries);
  if (unreadable.length + closed.length > 0)
    terminal.err(
      `poisonzero: ${entries.length === 0 ? "no entry can be read: " : ""}${damage(unreadable.length, closed)}\n  Next: poisonzero audit verify\n`,
    );
  else if (entries.length === 0 && !options.json) terminal.out("No entries.\n");
  if (entries.length > 0 && keptKey(system) === undefined)
    terminal.err(`poisonzero: ${NO_KEY}, so nobody can tell whether these entries were changed\n  Next: poisonzero audit verify\n`);
  if (!options.follow) return;
  const fresh = auditFollower(system, entries.at(-1));
  while (!terminal.gone) {
    const more = fresh();
    if (more.length > 0) print(more);
    await Bun.sleep(CHOSEN.audit_follow_ms);
  }
}

const NO_KEY = "the key ~/.poisonzero/key is missing";

function damage(unreadable: number, closed: readonly string[]): string {
  const parts: string[] = [];
  if (unreadable > 0) parts.push(`${unreadable} line${unreadable === 1 ? " is" : "s are"} damaged`);
  if (closed.length > 0) parts.push(`${closed.join(", ")} cannot be read`);
  return parts.join(", ");
}

function check(context: Context, json: boolean): void {
  const { system, terminal } = context;
  const outcome = verifyAudit(system);
  const { entries, intact, unreadable, broken, closed, keyed, oldest } = outcome;
  const damaged = unreadable.length + broken.length + closed.length > 0;
  if (!intact) context.code = damaged ? EXIT.changed : EXIT.failed;
  if (json) return writeJson(terminal, outcome);
  if (intact) return terminal.out(entries === 0 ? "No entries.\n" : `${count(entries)}, the chain holds\n`);
  if (entries + unreadable.length === 0) terminal.out("The log cannot be read.\n");
  else terminal.out(`${count(entries)}, ${damaged ? "the log is damaged" : "none can be verified"}\n`);
  for (const file of closed) {
    const folder = file.startsWith("~/") ? closedTo(system.home + file.slice(1), system) : undefined;
    terminal.out(`  ${file}: cannot be read to its end\n${folder === undefined ? "" : `  Next: ${folder.next}\n`}`);
  }
  terminal.out(places(unreadable, "not an entry (torn, garbled or foreign)"));
  terminal.out(places(broken, "does not follow the line before it (changed, removed, inserted or moved)"));
  if (oldest)
    terminal.out("  These are the oldest entries. So it looks, too, when the key ~/.poisonzero/key was lost and made anew after them.\n");
  if (keyed) return;
  terminal.out(
    `  ${NO_KEY.charAt(0).toUpperCase()}${NO_KEY.slice(1)}, and only with it can be told whether an entry was changed: it was deleted or lost, or the entries were copied here without it.\n  Next: put the key back if there is a copy of it. The next event makes a new one, which verifies only what follows; the entries can be read all the same: poisonzero audit tail\n`,
  );
}

function count(entries: number): string {
  return entries === 1 ? "1 entry" : `${entries} entries`;
}

function places(all: readonly AuditPlace[], what: string): string {
  const named = all.slice(0, CHOSEN.audit_places_named).map(({ file, line: number }) => `  ${file}, line ${number}: ${what}\n`);
  const more = all.length - named.length;
  return `${named.join("")}${more > 0 ? `  and ${more} more lines (all of them: --json)\n` : ""}`;
}

function line(entry: AuditEntry, time: string): string {
  const { action, agent, tool, rule, mode, hash, proof, kind, reason } = entry;
  const detail = [proof, kind, hash, reason].filter((part) => part !== undefined);
  return `${time}  ${action}  ${agent} ${tool}  ${rule}  ${mode}${detail.length > 0 ? `  ${detail.join(" · ")}` : ""}`;
}

/** `2026-07-31 14:05:09` where the person is: their TZ, else the machine's zone. */
function localTime(zone: string | undefined): (iso: string) => string {
  const options = { dateStyle: "short", timeStyle: "medium" } as const;
  // The Swedish form is the ISO one.
  let format = new Intl.DateTimeFormat("sv-SE", options);
  try {
    if (zone) format = new Intl.DateTimeFormat("sv-SE", { ...options, timeZone: zone.replace(/^:/, "") });
  } catch {
    // A zone in POSIX notation or by file name: the machine's is shown.
  }
  return (iso) => format.format(new Date(iso));
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("A number from 1 to 999999 is needed.");
  return Number(text);
}
