/** Whether a file below a folder travels, as `--exclude` and its kin say. */
import { CHOSEN } from "../../limits.ts";
import type { System } from "../../system.ts";
import type { Selection, SelectionRule } from "../effect.ts";
import { Pattern, Wild } from "./pattern.ts";
import { textOf } from "./text.ts";

/** `relative`: the file's path from the folder that travels, "" when the folder is itself that file. */
export function selects(selection: Selection, relative: string, system: System): boolean {
  const parts = `${selection.prefix}${relative}`.split("/").filter((part) => part !== "" && part !== ".");
  const rules = selection.rules.flatMap((rule) => linesOf(rule, system));
  for (let depth = selection.prunes ? 1 : parts.length; depth <= parts.length; depth++) {
    const here = parts.slice(0, depth);
    const fitting = selection.first ? rules.find((rule) => fits(rule, here)) : rules.findLast((rule) => fits(rule, here));
    // A folder that no rule takes out is gone into; for the file itself the rule decides.
    if (fitting !== undefined && !fitting.takes) return false;
  }
  return true;
}

interface Line {
  readonly takes: boolean;
  readonly pattern: string;
  readonly how: SelectionRule["how"];
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

function fits({ pattern, how }: Line, parts: readonly string[]): boolean {
  const body = pattern.replace(/\/{1,8}$/, "");
  if (body === "") return false;
  if (how === "crossing") return new Wild(body.replace(/^\.?\//, "")).matches(parts.join("/"));
  const anchored = body.startsWith("/") || how === "path";
  const bare = body.replace(/^\.?\//, "");
  if (how === "crossing anywhere") {
    const glob = new Wild(bare);
    return parts.some((_, from) => (from === 0 || !body.startsWith("/")) && glob.matches(parts.slice(from).join("/")));
  }
  const glob = new Pattern(bare, { whole: true, plain: true });
  return parts.some((_, from) => (from === 0 || !anchored) && glob.matches(parts.slice(from)));
}
