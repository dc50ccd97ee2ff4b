/** Commands that read files or standard input and print what they read. */
import type { Argument, Excerpt, Source } from "../../effect.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable, Options } from "../options.ts";

/** How one filter reads and prints. */
export interface Filter {
  readonly table?: OptionTable;
  /** Operands in front of the files (a pattern, a script). */
  readonly skip?: number | ((options: Options) => number);
  /** Whether values stay recognisable in the output (L-110). */
  readonly plain: boolean | ((options: Options, invocation: Invocation) => boolean);
  /** The only part that comes out, where that can be told (`grep host file`, `head -1 file`). */
  readonly excerpt?: (options: Options) => Excerpt | undefined;
  /** Whether what comes out is the excerpt byte for byte. */
  readonly exact?: (options: Options) => boolean;
  /** Options under which only names, counts or a status come out. */
  readonly silent?: readonly string[];
  /** Those of them under which the names of files come out. */
  readonly names?: readonly string[];
  /** Options under which nothing is read from standard input because the folder is searched. */
  readonly folder?: (options: Options, invocation: Invocation) => boolean;
  /** Whether what comes through is too little, or not the part, to be a login a command prints. */
  readonly drops?: (options: Options) => boolean;
  /** Options whose value is surely a text (a pattern, a glob), never a file. */
  readonly texts?: readonly string[];
}

/** A handler for a filter. */
export function filter(spec: Filter): Handler {
  return (invocation) => {
    const options = invocation.options(spec.table ?? {});
    const skip = typeof spec.skip === "function" ? spec.skip(options) : (spec.skip ?? 0);
    if (spec.silent !== undefined && options.has(...spec.silent)) {
      if (spec.names !== undefined && options.has(...spec.names)) listNames(invocation, options.operands.slice(skip));
      return;
    }
    let files: readonly Argument[] = options.operands.slice(skip);
    if (files.length === 0 && spec.folder?.(options, invocation) === true) files = [{ text: ".", exact: true, sources: [] }];
    const values = spec.table === undefined ? [] : swallowed(options, spec.texts ?? []);
    const excerpt = spec.excerpt?.(options);
    const read = invocation.readParts([...files, ...values], excerpt);
    const sources = spec.drops?.(options) === true ? read.filter(({ from }) => from !== "credential command") : read;
    const plain = typeof spec.plain === "function" ? spec.plain(options, invocation) : spec.plain;
    if (plain) invocation.printParts(sources, spec.exact?.(options) === true ? excerpt : undefined);
    else invocation.printTransformed(sources);
  };
}

/** Of the files that are named, or lie in the folders that are, those that fit. */
function listNames(invocation: Invocation, places: readonly Argument[]): void {
  const inside = places.map((place): Argument => ({ text: `${place.text}/*`, exact: false, sources: [] }));
  invocation.printNames([...places, ...inside].map((place) => ({ ...place, sure: false })));
}

/**
 * Values that may be files after all: systems differ in which option takes a value. Whatever is no number, no
 * single sign and no plain keyword counts as read, too.
 */
export function swallowed(options: Options, texts: readonly string[]): Argument[] {
  return options.options.flatMap(({ name, value, separate }) =>
    value !== undefined && (separate || value.text.includes("/")) && !texts.includes(name) && mayBeFile(value.text) ? [value] : [],
  );
}

function mayBeFile(text: string): boolean {
  return /[A-Za-z]/.test(text) && !/^[+-]?\d+(?:\.\d+)?[A-Za-z]{0,3}$|^[A-Za-z]$|[\s\\]/.test(text);
}

/** A command that may read but prints no content (`wc`, `stat`). */
export const silent: Handler = () => {};

/** A command whose output is unknown and has nothing to do with its input. */
export const unrelated: Handler = (invocation) => invocation.print(UNKNOWN);

const UNKNOWN: readonly Source[] = [{ from: "unknown" }];
