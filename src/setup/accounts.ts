/**
 * Keeping every user's fail rule in step with the mode (D-21, L-153).
 *
 * Trust: run by root over other people's homes. All work in a home is done with that user's rights (no link in it can
 * lead root anywhere), and only for homes that belong to the user the passwd file names.
 */
import { CHOSEN } from "../limits.ts";
import { refusalOf } from "../refusal.ts";
import type { System } from "../system.ts";
import { AGENT_SETUPS } from "./agents.ts";
import { updateFailRule } from "./claude.ts";
import { managedEntries, updateManaged } from "./managed.ts";
import { hasEntries, type SettingsChange } from "./settings.ts";

/** What was changed, and what could not be, in words for a person. */
export interface FailRuleUpdate {
  /** Accounts with an agent whose settings carry our entries. */
  readonly users: readonly string[];
  readonly changed: readonly SettingsChange[];
  readonly problems: readonly string[];
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** Root: every account with a home on this machine. Anybody else: the own settings. Never throws. */
export function updateFailRules(system: System, enforced: boolean): FailRuleUpdate {
  const users: string[] = [];
  const changed: SettingsChange[] = [];
  const problems: string[] = [];
  const attempt = (name: string, work: () => { readonly changes: readonly SettingsChange[]; readonly entries: boolean }) => {
    try {
      const { changes, entries } = work();
      if (entries) users.push(name);
      changed.push(...changes.filter(({ change }) => change === "changed"));
    } catch (error) {
      problems.push(`${name}: ${refusalOf(error, system).words}`);
    }
  };
  const update = (whose: System) => ({
    changes: updateFailRule(whose, enforced),
    entries: hasEntries(whose, AGENT_SETUPS.claude.file) || othersCall(whose),
  });
  if (system.uid !== 0 || system.platform === "windows") {
    attempt("this user", () => update(system));
    return { users, changed, problems };
  }
  attempt("every user", () => {
    const change = updateManaged(system, enforced);
    return { changes: change === undefined ? [] : [change], entries: managedEntries(system) !== undefined };
  });
  const { problems: more } = forEveryUser(system, (theirs, name) => attempt(name, () => update(theirs)));
  return { users, changed, problems: [...problems, ...more] };
}

/** Does something for every account with its own rights and home; root only. `problems` names accounts where it could not. */
export function forEveryUser<T>(
  system: System,
  work: (theirs: System, name: string) => T,
): { readonly results: readonly T[]; readonly problems: readonly string[] } {
  const results: T[] = [];
  const problems: string[] = [];
  for (const account of accounts(system)) {
    const theirs = { ...system, home: account.home, uid: account.uid, environment: account.home === system.home ? system.environment : {} };
    try {
      results.push(account.uid === 0 ? work(theirs, account.name) : system.actAs(account, () => work(theirs, account.name)));
    } catch (error) {
      problems.push(`${account.name}: ${refusalOf(error, system).words}`);
    }
  }
  return { results, problems };
}

/** Whether another agent of this user calls PoisonZero; a broken file of one says nothing about the rule that is updated here. */
function othersCall(whose: System): boolean {
  return Object.values(AGENT_SETUPS).some(({ file }) => {
    try {
      return hasEntries(whose, file);
    } catch {
      return false;
    }
  });
}

/** Folders below a home that show an agent, or PoisonZero, was used there. */
const USED = [".claude", ".codex", ".cursor", ".gemini", ".antigravity", ".poisonzero"];

/** Accounts whose home exists, is theirs, and has been used with an agent or PoisonZero; root's own HOME as well. */
function accounts(system: System): readonly Account[] {
  const passwd = system.read("/etc/passwd", CHOSEN.passwd_bytes);
  const lines = passwd ? new TextDecoder().decode(passwd.bytes).split("\n") : [];
  const found = new Map<string, Account>([[system.home, { name: "root", uid: 0, gid: 0, home: system.home }]]);
  for (const line of lines) {
    const [name = "", , uid = "", gid = "", , home = ""] = line.split(":");
    if (!home.startsWith("/") || !/^\d+$/.test(uid) || !/^\d+$/.test(gid) || found.get(home)?.uid === Number(uid)) continue;
    found.set(home, { name, uid: Number(uid), gid: Number(gid), home });
  }
  return [...found.values()].filter(({ uid, home }) => {
    const info = system.info(home);
    return info?.kind === "folder" && info.uid === uid && USED.some((folder) => system.info(`${home}/${folder}`));
  });
}
