/** Whether a file below a folder travels, as `--exclude` and its kin say. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Selection, SelectionRule } from "../effect.ts";
import { Pattern, Wild, type Work } from "./pattern.ts";
import { textOf } from "./text.ts";

/**
 * A test for one selection: whether a file travels, by its path from the folder that travels ("" when the folder is itself that
 * file). Its rules are read once. Once no work is left it answers false: ask `work` afterwards.
 */
export function selector(selection: Selection, system: System, work: Work): (relative: string) => boolean {
  const rules = selection.rules.flatMap((rule) => linesOf(rule, system)).map((line) => ruleOf(line, work));
  return (relative) => {
    const parts = `${selection.prefix}${relative}`.split("/").filter((part) => part !== "" && part !== ".");
    for (let depth = selection.prunes ? 1 : parts.length; depth <= parts.length; depth++) {
      const here = parts.slice(0, depth);
      const fits = (rule: Rule): boolean => !work.spent && rule.fits(here);
      const fitting = selection.first ? rules.find(fits) : rules.findLast(fits);
      if (work.spent) return false;
      // A folder that no rule takes out is gone into; for the file itself the rule decides.
      if (fitting !== undefined && !fitting.takes) return false;
    }
    return true;
  };
}

interface Line {
  readonly takes: boolean;
  readonly pattern: string;
  readonly how: SelectionRule["how"];
}

interface Rule {
  readonly takes: boolean;
  readonly fits: (parts: readonly string[]) => boolean;
}

/** A rule, or the lines of the file it names. `+ x` and `- x` say themselves which way they go. */
function linesOf(rule: SelectionRule, system: System): readonly Line[] {
  if (typeof rule.pattern === "string") return [{ ...rule, pattern: rule.pattern }];
  const text = rule.pattern.path === undefined ? undefined : textOf(rule.pattern.path, system);
  return (text ?? "").split(/\r?\n/, CHOSEN.ignore_lines).flatMap((written): readonly Line[] => {
    const line = written.trim();
    if (line === "" || /^[#;!]/.test(line)) return [];
    const signed = /^([+-]) (.{1,4000})$/.exec(line);
    return signed === null ? [{ ...rule, pattern: line }] : [{ takes: signed[1] === "+", pattern: signed[2] ?? "", how: rule.how }];
  });
}

function ruleOf({ takes, pattern, how }: Line, work: Work): Rule {
  // Reading a pattern costs more than comparing it once.
  work.spend(8 * pattern.length);
  const body = pattern.replace(/\/{1,8}$/, "");
  if (body === "") return { takes, fits: () => false };
  const bare = body.replace(/^\.?\//, "");
  const wild = (): ((text: string) => boolean) => {
    const glob = new Wild(bare);
    return (text) => {
      work.spend(bare.length + text.length);
      return glob.matches(text);
    };
  };
  if (how === "crossing") {
    const matches = wild();
    return { takes, fits: (parts) => matches(parts.join("/")) };
  }
  if (how === "crossing anywhere") {
    const matches = wild();
    const places = (parts: readonly string[]): readonly string[] => (body.startsWith("/") ? parts.slice(0, 1) : parts);
    return { takes, fits: (parts) => places(parts).some((_, from) => matches(parts.slice(from).join("/"))) };
  }
  const glob = new Pattern(bare, { whole: true, plain: true, work });
  const anchored = body.startsWith("/") || how === "path";
  return { takes, fits: (parts) => parts.some((_, from) => (from === 0 || !anchored) && glob.matches(parts.slice(from))) };
}
