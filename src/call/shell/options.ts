/** Reading a command's options: which arguments are values, which are operands. */
import type { Argument } from "../effect.ts";
import { sliceArgument } from "../source.ts";

/** Which options of a command take a value. Everything else that starts with `-` is a flag. */
export interface OptionTable {
  /** Letters of short options with a value: "odX". */
  readonly short?: string;
  /** Names of long options with a value, separated by spaces, without dashes. */
  readonly long?: string;
  /** True when long options start with one dash (`find`, `openssl`). */
  readonly single?: boolean;
  /** Long options may be cut short as long as one is meant; these whole words are flags of their own, separated by spaces. */
  readonly abbreviated?: string;
  /** True when options end at the first operand (`env`, `sudo`, `ssh`). */
  readonly stop?: boolean;
}

/** One option as it was given. */
export interface Option {
  /** `o`, `output`; without dashes. */
  readonly name: string;
  readonly value: Argument | undefined;
  /** The value is an argument of its own: a table that is wrong about this option took an operand for it. */
  readonly separate: boolean;
}

/** The arguments of a command, told apart by its table. */
export interface Options {
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
  /** Whether any of these options is given. */
  has(...names: readonly string[]): boolean;
  /** The last value of any of these options. */
  value(...names: readonly string[]): Argument | undefined;
  /** All values of any of these options, in order. */
  values(...names: readonly string[]): Argument[];
}

/** `-5`; without a pattern, since every command comes through here. */
function isNumber(text: string): boolean {
  if (text.length < 2 || text[0] !== "-") return false;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Shortest beginning of a long option that is taken for it: shorter ones are flags or nearly always mean several. */
const BEGINNING = 4;

/** The option that a word stands for, whole or cut short. */
function wholeName(name: string, long: readonly string[], { abbreviated }: OptionTable): string {
  if (abbreviated === undefined || name.length < BEGINNING || long.includes(name) || abbreviated.split(" ").includes(name)) return name;
  const [meant, ...others] = long.filter((one) => one.startsWith(name));
  return meant !== undefined && others.length === 0 ? meant : name;
}

/** Divides arguments into options and operands as getopt does. */
export function readOptions(args: readonly Argument[], table: OptionTable): Options {
  const options: Option[] = [];
  const operands: Argument[] = [];
  const long = table.long === undefined ? [] : table.long.split(" ");
  const short = table.short ?? "";
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument;
    const text = arg.text;
    if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (isNumber(text)) {
      // `head -5`
      options.push({ name: text.slice(1), value: undefined, separate: false });
      continue;
    }
    if (text.length < 2 || !text.startsWith("-")) {
      operands.push(arg);
      if (table.stop === true) {
        operands.push(...args.slice(at + 1));
        break;
      }
      continue;
    }
    if (text.startsWith("--") || table.single === true) {
      const dashes = text.startsWith("--") ? 2 : 1;
      const equals = text.indexOf("=");
      const name = wholeName(text.slice(dashes, equals < 0 ? undefined : equals), long, table);
      if (equals >= 0) options.push({ name, value: sliceArgument(arg, equals + 1), separate: false });
      else if (long.includes(name)) options.push({ name, value: args[++at], separate: true });
      else options.push({ name, value: undefined, separate: false });
      continue;
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text[letter] as string;
      if (!short.includes(name)) {
        options.push({ name, value: undefined, separate: false });
        continue;
      }
      if (letter + 1 < text.length) options.push({ name, value: sliceArgument(arg, letter + 1), separate: false });
      else options.push({ name, value: args[++at], separate: true });
      break;
    }
  }
  return {
    options,
    operands,
    has: (...names) => options.some((option) => names.includes(option.name)),
    value: (...names) => options.findLast((option) => names.includes(option.name))?.value,
    values: (...names) => options.flatMap((option) => (names.includes(option.name) && option.value !== undefined ? [option.value] : [])),
  };
}
