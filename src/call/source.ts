/** Flows of bytes inside one call: lists of sources, and the few things done to them. */
import { CHOSEN } from "../limits.ts";
import type { Argument, Excerpt, Listed, PathRef, Selection, Source } from "./effect.ts";

/** The same flow after a command changed its bytes beyond recognition (L-110). */
export function transformed(sources: readonly Source[]): Source[] {
  return sources.map((source) =>
    source.from === "unknown" || source.from === "ciphertext" || !source.plain ? source : { ...source, plain: false },
  );
}

/** The same flow encrypted. */
export function sealed(sources: readonly Source[]): Source[] {
  const of = transformed(unsealed(sources)).filter(({ from }) => from !== "unknown");
  return of.length === 0 ? [{ from: "unknown" }] : [{ from: "ciphertext", of }];
}

/** What stands behind a flow, for whoever may have the key. */
export function unsealed(sources: readonly Source[]): readonly Source[] {
  return sources.some(({ from }) => from === "ciphertext")
    ? sources.flatMap((source) => (source.from === "ciphertext" ? source.of : [source]))
    : sources;
}

/** What comes back of a command that ran on another machine or in a container: its files and its environment, none of ours. */
export function fromElsewhere(sources: readonly Source[]): Source[] {
  return sources.flatMap((source): Source[] => {
    if (source.from === "elsewhere" || source.from === "file") return [source];
    if (source.from !== "environment") return [];
    return [{ from: "elsewhere", plain: source.plain, ...(source.name === undefined ? {} : { variable: source.name }) }];
  });
}

/** The same flow where options leave out part of a folder. */
export function selected(sources: readonly Source[], selection: Selection): readonly Source[] {
  if (selection.rules.length === 0) return sources;
  return sources.map((source) => (source.from === "file" ? { ...source, selection } : source));
}

/** Text of the call itself as a flow; nothing for "". */
export function textSource(text: string): Source[] {
  return text === "" ? [] : [{ from: "text", text, plain: true }];
}

/** The flow's whole text when it stands in the call itself, undefined when any part is only known at run time. */
export function staticText(sources: readonly Source[]): string | undefined {
  let text = "";
  for (const source of sources) {
    if (source.from !== "text" || !source.plain) return undefined;
    text += source.text;
  }
  return text;
}

/** An argument's bytes as they would travel: its own text and what its substitutions bring in. */
export function argumentSources(argument: Argument): Source[] {
  return unique([...textSource(argument.text), ...argument.sources]);
}

/** Stands for what `unique` left out; recognised by identity where a flow ends. */
export const CUT: Source = { from: "unknown" };

/** Without repetitions, bounded; what is cut off is told by `CUT`. */
export function unique(sources: readonly Source[]): Source[] {
  if (sources.length < 2) return [...sources];
  const seen = new Set<string>();
  const texts = [new Set<string>(), new Set<string>()] as const;
  const kept: Source[] = [];
  for (const source of sources) {
    // Long texts are their own keys: a key made of one would copy it.
    const set = source.from === "text" ? texts[source.plain ? 0 : 1] : seen;
    const key = source.from === "text" ? source.text : keyOf(source);
    if (source !== CUT) {
      if (set.has(key)) continue;
      set.add(key);
    }
    if (source === CUT || kept.length >= CHOSEN.flow_sources) {
      if (!kept.includes(CUT)) kept.push(CUT);
      if (kept.length > CHOSEN.flow_sources) break;
      continue;
    }
    kept.push(source);
  }
  return kept;
}

function keyOf(source: Exclude<Source, { from: "text" }>): string {
  switch (source.from) {
    case "file":
      return `f${source.plain}${source.whole === true}${source.maybe === true}${source.lists === undefined ? "" : `l${source.lists.written}\n`}${source.made === undefined ? "" : `m${source.made.written}\n`}${source.file.path ?? `?${source.file.written}`}${source.excerpt === undefined && source.selection === undefined ? "" : `\n${JSON.stringify([source.excerpt, source.selection])}`}`;
    case "environment":
      return `e${source.plain}${source.name ?? ""}`;
    case "elsewhere":
      return `x${source.plain}${source.file ?? ""}\n${source.variable ?? ""}`;
    case "credential command":
      return `c${source.plain}${source.command}`;
    case "git content":
      return `g${source.plain}${source.path ?? ""}`;
    case "ciphertext":
      return `s${JSON.stringify(source.of)}`;
    case "unknown":
      return source.names === undefined ? "u" : `u${source.names.map(({ text, exact, sure }) => `${exact}${sure}${text}`).join("\n")}`;
  }
}

/**
 * What a person would see that is not already in the call: everything but its own text, what is not known to be shown, and
 * files by a list on disk, whose names nobody knows before (L-109).
 */
export function revealing(sources: readonly Source[]): Source[] {
  const reveals = (source: Source): boolean =>
    source.from !== "text" &&
    source.from !== "unknown" &&
    !(source.from === "file" && (source.maybe === true || source.lists !== undefined));
  return unique(sources.filter((source) => reveals(source) || source === CUT));
}

/** A flow taken apart. */
export interface Listing {
  /** Files that it lists. */
  readonly files: readonly Listed[];
  /** Everything else in it. */
  readonly others: readonly Source[];
}

/** The files that a flow lists. */
export function listing(sources: readonly Source[]): Listing {
  if (!sources.some((source) => source.from === "unknown" && source.names !== undefined)) return { files: [], others: sources };
  const names = sources.flatMap((source) => (source.from === "unknown" && source.names !== undefined ? source.names : []));
  const others = sources.filter((source) => source.from !== "unknown" || source.names === undefined);
  // What `ls` was given may stand in the flow as text, too.
  const told = names.flatMap(({ text, exact }) => (exact ? [`${text}\n`] : [])).join("");
  return {
    files: names,
    others: staticText(others) === told ? [] : others,
  };
}

/** The files whose names stand in the files of a flow, one a line, seen from a folder. */
export function namesInFiles(sources: readonly Source[], folder: PathRef): readonly Source[] {
  return sources.flatMap((source): readonly Source[] =>
    source.from === "file" && source.plain && source.file.path !== undefined ? [{ ...source, plain: false, lists: folder }] : [],
  );
}

/** A file of a list as a word: certain where it is sure to be in the list. */
export function listedWord({ text, exact, sure, sources }: Listed): Argument {
  return { text, exact: exact && sure, sources };
}

/** An argument whose text is certain. */
export function literal(text: string): Argument {
  return { text, exact: true, sources: [] };
}

/** The argument after its first `count` characters. */
export function sliceArgument(argument: Argument, count: number): Argument {
  return { ...argument, text: argument.text.slice(count) };
}

/** How a word reads that is the top folder of the repository: not a certain path, but git can be asked there. */
export const TOP_LEVEL_TEXT = "$(git:top)";
/** The same for the repository's own folder, and for the name of the branch HEAD stands on. */
export const GIT_FOLDER_TEXT = "$(git:dir)";
export const BRANCH_TEXT = "$(git:branch)";

/** How a substitution that asks for a revision's name reads (`$(git rev-parse X)`). */
export function revisionText(revision: string): string {
  return `$(git:at ${revision})`;
}

/** The revision in such a text, and what stands behind it. */
export function askedRevision(text: string): { readonly revision: string; readonly rest: string } | undefined {
  const match = /^\$\(git:at ([^ ()]{1,200})\)(.{0,1000})$/.exec(text);
  return match === null ? undefined : { revision: match[1] ?? "", rest: match[2] ?? "" };
}

/** The same sources, of their files only the excerpt: of one that is an excerpt already, the excerpt of that. */
export function excerpted(sources: readonly Source[], excerpt: Excerpt | undefined): readonly Source[] {
  if (excerpt === undefined) return sources;
  return sources.map((source) =>
    source.from === "file" && source.plain
      ? { ...source, excerpt: source.excerpt === undefined ? excerpt : after(source.excerpt, excerpt) }
      : source,
  );
}

/** Steps that are told one after the other; of a longer line of commands the first ones bound what comes through. */
const STEPS_MAX = 8;

function after(first: Excerpt, next: Excerpt): Excerpt {
  const steps = first.kind === "then" ? first.steps : [first];
  return steps.length < STEPS_MAX ? { kind: "then", steps: [...steps, next] } : first;
}

/** The same sources where what they are read from is one file as it lies there, marked as that. */
export function asWhole(sources: readonly Source[], path: string | undefined): readonly Source[] {
  const [only] = sources;
  const itself = sources.length === 1 && only?.from === "file" && only.plain && only.excerpt === undefined && only.file.path === path;
  return itself ? [{ ...only, whole: true }] : sources;
}

/** The same sources after a program had them in its hands. `lines`: it leaves out lines at most, and changes none. */
export function handled(sources: readonly Source[], lines: boolean): readonly Source[] {
  if (!sources.some((source) => (source.from === "file" && source.whole) || (source.from === "unknown" && source.names))) return sources;
  return sources.map((source) => {
    if (source.from === "unknown" && source.names !== undefined)
      return lines ? { from: "unknown", names: source.names.map((name) => ({ ...name, sure: false })) } : { from: "unknown" };
    if (source.from !== "file") return source;
    const { whole: _, ...rest } = source;
    return rest;
  });
}
