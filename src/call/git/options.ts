/** Git's own option grammar: bundled letters, attached values, unique prefixes of long names, `--no-`, `--`. */
import type { Argument } from "../effect.ts";

/** The parsed arguments of one Git command. */
export interface Parsed {
  /** Last of `--name` and `--no-name` wins. */
  has(name: string): boolean;
  /** Values in order; an option given without its optional value yields none. */
  values(name: string): readonly Argument[];
  /** What is not an option, in order, `--` left out. */
  readonly operands: readonly Argument[];
  /** How many operands stand before `--`; undefined without one. */
  readonly dashes: number | undefined;
  /** Some option may be hidden in an argument that is only known at run time. */
  readonly hidden: boolean;
}

/**
 * Parses arguments. Each entry of `known` is `letters|name`, `name`, with `=` behind it when it takes a value and
 * `=?` when the value is optional (only attached): `m|message=`, `S|gpg-sign=?`. Options not listed are taken as flags.
 */
export function parseOptions(args: readonly Argument[], known: readonly string[]): Parsed {
  const kinds = new Map<string, "flag" | "value" | "optional">();
  const letters = new Map<string, string>();
  for (const entry of known) {
    const kind = entry.endsWith("=?") ? "optional" : entry.endsWith("=") ? "value" : "flag";
    const names = entry.replace(/=\??$/, "").split("|");
    const name = names.at(-1) ?? "";
    kinds.set(name, kind);
    for (const letter of names) if (letter.length === 1) letters.set(letter, name);
  }
  const flags = new Map<string, boolean>();
  const values = new Map<string, Argument[]>();
  const operands: Argument[] = [];
  let dashes: number | undefined;
  let hidden = false;
  const give = (name: string, value: Argument) => {
    flags.set(name, true);
    values.set(name, [...(values.get(name) ?? []), value]);
  };
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (arg === undefined) break;
    const text = arg.text;
    if (dashes !== undefined || !text.startsWith("-") || text === "-") {
      if (!arg.exact && dashes === undefined && (text === "" || text.startsWith("$"))) hidden = true;
      operands.push(arg);
    } else if (text === "--") {
      dashes = operands.length;
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const written = equals < 0 ? text.slice(2) : text.slice(2, equals);
      const name = fullName(written, kinds);
      if (equals >= 0) give(name, { ...arg, text: text.slice(equals + 1) });
      else if (kinds.get(name) === "value" && index + 1 < args.length) give(name, args[++index] as Argument);
      else if (name.startsWith("no-") && !kinds.has(name)) flags.set(name.slice(3), false);
      else flags.set(name, true);
    } else {
      for (let at = 1; at < text.length; at++) {
        const name = letters.get(text.charAt(at)) ?? text.charAt(at);
        const kind = kinds.get(name) ?? "flag";
        flags.set(name, true);
        if (kind === "flag") continue;
        const rest = text.slice(at + 1);
        if (rest !== "" || (kind === "value" && !arg.exact && arg.sources.length > 0)) give(name, { ...arg, text: rest });
        else if (kind === "value" && index + 1 < args.length) give(name, args[++index] as Argument);
        break;
      }
    }
  }
  return {
    has: (name) => flags.get(name) === true,
    values: (name) => values.get(name) ?? [],
    operands,
    dashes,
    hidden,
  };
}

/** The long name that `written` abbreviates; itself when it is exact, unknown or ambiguous. */
function fullName(written: string, kinds: ReadonlyMap<string, unknown>): string {
  if (kinds.has(written) || written === "") return written;
  const candidates = [...kinds.keys()].filter((name) => name.length > 1 && name.startsWith(written));
  return candidates.length === 1 ? (candidates[0] ?? written) : written;
}
