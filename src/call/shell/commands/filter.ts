/** Commands that read files or standard input and print what they read. */
import type { Argument, Source } from "../../effect.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";

/** How one filter reads and prints. */
export interface Filter {
  readonly table?: OptionTable;
  /** Operands in front of the files (a pattern, a script). */
  readonly skip?: number | ((options: Options) => number);
  /** Whether values stay recognisable in the output (L-110). */
  readonly plain: boolean | ((options: Options, invocation: Invocation) => boolean);
  /** Options under which only names, counts or a status come out. */
  readonly silent?: readonly string[];
  /** Options under which nothing is read from standard input because the folder is searched. */
  readonly folder?: (options: Options, invocation: Invocation) => boolean;
}

/** A handler for a filter. */
export function filter(spec: Filter): Handler {
  return (invocation) => {
    const options = invocation.options(spec.table ?? {});
    if (spec.silent !== undefined && options.has(...spec.silent)) return;
    const skip = typeof spec.skip === "function" ? spec.skip(options) : (spec.skip ?? 0);
    let files: readonly Argument[] = options.operands.slice(skip);
    if (files.length === 0 && spec.folder?.(options, invocation) === true) files = [{ text: ".", exact: true, sources: [] }];
    // A table may be wrong about which option takes a value: what is written like a path counts as read, too.
    const values = options.options.flatMap(({ value }) => (value !== undefined && value.text.includes("/") ? [value] : []));
    const sources = invocation.readAll([...files, ...values]);
    const plain = typeof spec.plain === "function" ? spec.plain(options, invocation) : spec.plain;
    if (plain) invocation.print(sources);
    else invocation.printTransformed(sources);
  };
}

/** A command that may read but prints no content (`wc`, `stat`). */
export const silent: Handler = () => {};

/** A command whose output is unknown and has nothing to do with its input. */
export const unrelated: Handler = (invocation) => invocation.print(UNKNOWN);

const UNKNOWN: readonly Source[] = [{ from: "unknown" }];
