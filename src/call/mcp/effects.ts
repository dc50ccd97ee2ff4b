/**
 * What a call of an MCP tool does: everything in its input goes to the tool's server, and files, addresses and commands in it
 * are read as far as the tool's name and the names of its fields tell. Loaded at first use.
 *
 * Trust: names and input are hostile text; what a server really does is not known.
 */
import { CHOSEN } from "../../limits.ts";
import type { Action, Call, Effect, Part, PathRef, Source } from "../effect.ts";
import { fileAt, resolvePath, type World } from "../path.ts";
import { filesIn } from "../shell/commands/contact.ts";
import { literal, textSource, unique } from "../source.ts";
import { targetOf, urlParts } from "../url.ts";
import { startedBy } from "./commands.ts";
import { SENDING_TOOL, stringsOf } from "./input.ts";

type McpAction = Extract<Action, { kind: "mcp" }>;

/** Effects of an MCP call; `shell` tells those of a command that it starts here. */
export function mcpEffects(action: McpAction, call: Call, world: World, shell: (command: string) => readonly Effect[]): readonly Effect[] {
  const { texts, files, complete } = stringsOf(action.input, action.tool);
  const content: Source[] = files.map((file) => ({ from: "file", file: resolvePath(file, call.cwd, world), plain: true }));
  const send: Effect = {
    kind: "send",
    via: call.tool,
    parts: [
      {
        sources: [...texts.flatMap(textSource), ...(SENDING_TOOL.test(action.tool) && !MAKING_TOOL.test(action.tool) ? content : [])],
        position: "data",
        input: action.input,
      },
    ],
    destination: { kind: "mcp", host: undefined, url: undefined, tool: `${action.server}/${action.tool}` },
  };
  // What such a tool asks an address for goes there as well, as with any other client.
  const asked = requestedAt(action.tool, action.input).map((url): Effect => {
    const target = targetOf(url, "https");
    const others = [...texts.filter((text) => text !== url).flatMap(textSource), ...content];
    const parts: Part[] = [...urlParts(literal(url), target), { sources: others, position: "data", input: action.input }];
    return { kind: "send", via: call.tool, parts, destination: target.destination };
  });
  const command = startedBy(action, action.input);
  const changed: Effect[] = [...movedFile(action.tool, action.input, call.cwd, world)];
  if (WRITING_TOOL.test(action.tool))
    changed.push(...files.slice(0, 16).flatMap((file) => fileChange(action.tool, resolvePath(file, call.cwd, world), action.input)));
  const opened = OPENING_TOOL.test(action.tool)
    ? texts.flatMap((text): Source[] => {
        const file = fileAt(text, call.cwd, world);
        return file === undefined ? [] : [{ from: "file", file, plain: true }];
      })
    : [];
  const loaded = QUERY_TOOL.test(action.tool) ? texts.flatMap((text) => filesIn(literal(text))) : [];
  const queried = loaded.map(({ text }): Source => ({ from: "file", file: resolvePath(text, call.cwd, world), plain: true }));
  const read = [...(READING_TOOL.test(action.tool) && !TELLING_TOOL.test(action.tool) ? content : []), ...opened, ...queried];
  const shown: Effect[] = read.length > 0 ? [{ kind: "show", sources: unique(read) }] : [];
  const effects = [send, ...asked, ...changed, ...shown, ...(command === undefined ? [] : shell(command))];
  return complete ? effects : [...effects, { kind: "uncertain", why: "the tool's input is nested too deeply to read", partial: true }];
}

/** Tools that change a named file of this machine. */
const WRITING_TOOL = /(?:^|_)(?:write|edit|append|save|move|rename|delete|remove|replace|patch)(?:_|$)/i;

/** `move_file {source, destination}`, `copy_file {from, to}`. */
function movedFile(tool: string, input: unknown, cwd: string, world: World): readonly Effect[] {
  if (!/(?:^|_)(?:move|rename|copy)(?:_|$)/i.test(tool) || typeof input !== "object" || input === null) return [];
  const { source, from, src, destination, to, dest } = input as Readonly<Record<string, unknown>>;
  const [old, next] = [source ?? from ?? src, destination ?? to ?? dest];
  if (typeof old !== "string" || typeof next !== "string") return [];
  const file = resolvePath(old, cwd, world);
  const copy: Effect = { kind: "copy", file, to: resolvePath(next, cwd, world), either: true };
  return /copy/i.test(tool) ? [copy] : [copy, { kind: "change", file, how: "move" }];
}

/** What such a tool does to one of the files it names: known whole where it is given the content. */
function fileChange(tool: string, file: PathRef, input: unknown): readonly Effect[] {
  if (/move|rename/i.test(tool)) return [{ kind: "change", file, how: "move" }];
  if (/delete|remove/i.test(tool)) return [{ kind: "change", file, how: "remove" }];
  const { content } = input as { readonly content?: unknown };
  if (typeof content !== "string" || !/write|save/i.test(tool)) return [{ kind: "change", file, how: "edit" }];
  return [{ kind: "write", file, sources: textSource(content), append: false }];
}

/** Tools that answer with what stands at an address. */
const OPENING_TOOL =
  /(?:^|[_-])(?:navigate|goto|go|fetch|open|browse|visit|load|get|read|view|scrape|crawl|extract|markdown|screenshot)(?:$|[_-])/i;

/** Tools that answer with a named file's content. */
const READING_TOOL = /^(?:read|get|open|view|cat|show|head|tail|load)(?![a-z])/i;

/** Tools that make the file they name. */
const MAKING_TOOL = /(?:create|make|new)_?(?:or_?update_?)?(?:new_?)?(?:file|dir|folder|branch|project|workspace)/i;

/** Tools that answer with something about a file. */
const TELLING_TOOL = /info|metadata|stat(?:us|s)?(?:$|_)|size|exists|permissions/i;

/** Tools that run statements which may read a file themselves. */
const QUERY_TOOL = /sql|query|duckdb/i;

/** Fields that hold the address of a request, and those that say that it is one. */
const ADDRESS_KEY = /^(?:url|uri|endpoint|address|href|webhook|(?:target|request|webhook|base|api)_?url)$/i;

const REQUEST_KEY = /^(?:body|data|payload|json|form|headers|method|params|query|content|multipart)$/i;

const REQUEST_TOOL = /http|request|curl|fetch|webhook|(?:^|[_-])(?:post|put|get|navigate|goto)(?:[_-]|$)/i;

/** The addresses that a tool asks by its own words: `http_request {url, body}`. A note about an address asks for nothing. */
function requestedAt(tool: string, input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  const found: string[] = [];
  const isRequest = REQUEST_TOOL.test(tool);
  for (const level of [input, ...Object.values(input).slice(0, CHOSEN.single_texts)]) {
    if (typeof level !== "object" || level === null || Array.isArray(level)) continue;
    const fields = Object.entries(level).slice(0, CHOSEN.single_texts);
    if (!isRequest && !(REQUESTING_TOOL.test(tool) && fields.some(([name]) => REQUEST_KEY.test(name)))) continue;
    for (const [name, value] of fields)
      if (typeof value === "string" && value.length <= 4_096 && ADDRESS_KEY.test(name) && /^https?:\/\//i.test(value)) found.push(value);
  }
  return found.slice(0, REQUESTS_MOST);
}

const REQUESTING_TOOL = /call|send|submit|upload|notify|invoke|query|api|rest/i;

const REQUESTS_MOST = 8;
