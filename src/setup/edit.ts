/**
 * Edits of a settings text that leave every foreign byte alone (comments, order, layout).
 *
 * Only insertions are made, so the undo is exact: cut what was inserted. Where the file changed meanwhile, our
 * entries are found in the syntax tree and cut out. Trust: the text is the user's own file, maybe hand-written; one
 * that is not valid JSON (comments allowed) is refused with the line, never repaired. Offsets are UTF-16 units.
 */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { CLAUDE_EVENTS, isObject, type JsonObject } from "./entries.ts";
import { lineOf } from "./ignored.ts";
import { SHAPES, type Shape } from "./shape.ts";

/** Text put in at an offset of the original text. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** What setup put around its entries; removed again only when nothing else is in it. */
export interface Containers {
  /** The object that holds the lists. */
  readonly hooks: boolean;
  /** Lists of these events. */
  readonly events: readonly string[];
  /** Members beside that object. */
  readonly beside?: readonly string[];
}

export const NO_CONTAINERS: Containers = { hooks: false, events: [] };

/** A settings text that cannot be edited; the message names the line and holds no content. */
export class SettingsError extends Error {
  /** The command that helps, where there is one. */
  constructor(
    message: string,
    readonly next?: string,
  ) {
    super(message);
  }
}

/** Adds one item of ours at the end of every event's list. The text holds none of ours. */
export function insertEntries(
  text: string,
  items: ReadonlyMap<string, JsonObject>,
  shape: Shape = SHAPES.claude,
): { insertions: readonly Insertion[]; containers: Containers } {
  const { container, inside } = shape;
  const events = [...items.keys()];
  const layout = layoutOf(text);
  const whole = { ...inside, ...Object.fromEntries([...items].map(([event, item]) => [event, [item]])) };
  if (text.trim() === "") {
    const value = { ...shape.beside, [container]: whole };
    const containers = { hooks: true, events, beside: Object.keys(shape.beside) };
    return { insertions: [{ at: text.length, text: `${pretty(value, "", layout)}${layout.eol}` }], containers };
  }
  const root = tree(text);
  const absent = Object.keys(shape.beside).filter((name) => member(root, name) === undefined);
  const beside = absent.map((name) => ({ name, value: shape.beside[name] }));
  const lists = member(root, container);
  if (!lists) {
    const insertions = [into(text, root, layout, [...beside, { name: container, value: whole }])];
    return { insertions, containers: { hooks: true, events, beside: absent } };
  }
  if (lists.type !== "object") throw new SettingsError(`line ${lineOf(text, lists.offset)}: "${container}" is not an object`);
  const insertions: Insertion[] = beside.length === 0 ? [] : [into(text, root, layout, beside)];
  const missing: string[] = [];
  for (const [event, item] of items) {
    const list = member(lists, event);
    if (!list) missing.push(event);
    else if (list.type !== "array") throw new SettingsError(`line ${lineOf(text, list.offset)}: "${container}.${event}" is not a list`);
    else insertions.push(into(text, list, layout, [{ value: item }]));
  }
  if (missing.length > 0) {
    insertions.push(
      into(
        text,
        lists,
        layout,
        missing.map((event) => ({ name: event, value: [items.get(event)] })),
      ),
    );
  }
  insertions.sort((one, other) => one.at - other.at);
  return { insertions, containers: { hooks: false, events: missing, beside: absent } };
}

/** The text with the insertions in place. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = "";
  let from = 0;
  for (const { at, text: piece } of insertions) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** Takes insertions out again; undefined when they do not stand where they were put. */
export function undoInsertions(text: string, insertions: readonly Insertion[]): string | undefined {
  let result = "";
  let from = 0;
  let shift = 0;
  for (const { at, text: piece } of insertions) {
    const start = at + shift;
    if (start < from || !text.startsWith(piece, start)) return undefined;
    result += text.slice(from, start);
    from = start + piece.length;
    shift += piece.length;
  }
  return result + text.slice(from);
}

/**
 * Cuts exactly our entries out of a text that changed since they were put in, with the containers that are then
 * empty and were made by setup. Throws `SettingsError` when that cannot be done without touching anything else.
 */
export function removeEntries(text: string, containers: Containers, shape: Shape = SHAPES.claude): string {
  const root = tree(text);
  const cuts: Cut[] = [];
  const emptied: Node[] = [];
  for (const lists of members(root, shape.container)) {
    const events = properties(lists);
    const gone = new Set<Node>();
    for (const { property, name, value } of events) {
      if (containers.hooks && isInside(shape, name, valueOf(value))) gone.add(property);
      const { all, gone: ours } = cutGroups(text, value, cuts, shape);
      if (!all || !ours) continue;
      if (containers.events.includes(name)) gone.add(property);
      else cutChildren(text, value, new Set(value.children), cuts);
    }
    if (containers.hooks && events.length > 0 && gone.size === events.length) emptied.push(lists);
    else
      cutChildren(
        text,
        lists,
        new Set(events.filter(({ property, name }) => gone.has(property) && !(name in shape.inside)).map(({ property }) => property)),
        cuts,
      );
  }
  const gone = emptied.flatMap((lists) => (lists.parent ? [lists.parent] : []));
  if (emptied.length > 0) {
    for (const { property, name, value } of properties(root)) if (isBeside(shape, containers, name, valueOf(value))) gone.push(property);
  }
  cutChildren(text, root, new Set(gone), cuts);
  const result = applyCuts(text, cuts);
  if (!Bun.deepEquals(readSettings(result), withoutOurs(readSettings(text), containers, shape))) {
    throw new SettingsError("PoisonZero's entries cannot be cut out without touching others");
  }
  return result;
}

/** A member of the container that setup put there with it. */
function isInside(shape: Shape, name: string, value: unknown): boolean {
  return Object.hasOwn(shape.inside, name) && Bun.deepEquals(shape.inside[name], value);
}

/** A member beside the container that setup put there: it goes with the container. */
function isBeside(shape: Shape, { beside = [] }: Containers, name: string, value: unknown): boolean {
  return beside.includes(name) && Bun.deepEquals(shape.beside[name], value);
}

/** Sets or drops `onFailure` in our entries, nothing else. */
export function setFailRule(text: string, enforced: boolean): string {
  const layout = layoutOf(text);
  const edits: (Cut & { readonly text: string })[] = [];
  for (const { event, handler } of ourHandlers(tree(text))) {
    if (!CLAUDE_EVENTS.some((row) => row.event === event && row.failClosed)) continue;
    const value = member(handler, "onFailure");
    if (!enforced && value?.parent) {
      const cuts: Cut[] = [];
      cutChildren(text, handler, new Set([value.parent]), cuts);
      edits.push(...cuts.map((cut) => ({ ...cut, text: "" })));
    } else if (enforced && !value) {
      const { at, text: piece } = into(text, handler, layout, [{ name: "onFailure", value: "block" }]);
      edits.push({ start: at, end: at, text: piece });
    } else if (enforced && value && value.value !== "block") {
      edits.push({ start: value.offset, end: value.offset + value.length, text: '"block"' });
    }
  }
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

/** The settings in a text, comments and trailing commas read over; {} for a blank one. Throws like `insertEntries`. */
export function readSettings(text: string): JsonObject {
  return text.trim() === "" ? {} : (valueOf(tree(text)) as JsonObject);
}

/** True when nothing is left in a file that setup made: an empty object without a comment. */
export function isBare(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

interface Layout {
  readonly eol: string;
  readonly unit: string;
  /** The text has lines at all. */
  readonly lines: boolean;
}

interface Item {
  readonly name?: string;
  readonly value: unknown;
}

function layoutOf(text: string): Layout {
  const unit = /\n([ \t]{1,8})\S/.exec(text)?.[1] ?? "  ";
  const lines = text.trim().includes("\n") || isBare(text);
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: unit.startsWith("\t") ? "\t" : unit, lines };
}

/** The root object's tree; throws with the line of the first error. */
function tree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error) throw new SettingsError(`line ${lineOf(text, error.offset)}: not valid JSON (${printParseErrorCode(error.error)})`);
  if (root?.type !== "object") throw new SettingsError("line 1: not a JSON object");
  return root;
}

/** Of two members of one name the last counts; `__proto__` is a name like any other. */
function valueOf(node: Node): unknown {
  if (node.type === "array") return elements(node).map(valueOf);
  if (node.type === "object") return Object.fromEntries(properties(node).map(({ name, value }) => [name, valueOf(value)]));
  return node.value;
}

/** Values of every member of this name: duplicates are legal, and the last one counts. */
function members(node: Node, name: string): readonly Node[] {
  return properties(node)
    .filter((property) => property.name === name)
    .map(({ value }) => value);
}

function member(node: Node, name: string): Node | undefined {
  return members(node, name).at(-1);
}

function properties(node: Node): readonly { readonly property: Node; readonly name: string; readonly value: Node }[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    return name && value ? [{ property, name: String(name.value), value }] : [];
  });
}

/** One insertion that adds items at the end of an object or list, in the layout that is already there. */
function into(text: string, container: Node, layout: Layout, items: readonly Item[]): Insertion {
  const children = container.children ?? [];
  const first = children[0];
  const last = children.at(-1);
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const multiLine = first ? text.slice(open, first.offset).includes("\n") : layout.lines;
  const outer = indentAt(text, container.offset);
  const indent = (last && multiLine ? ownIndent(text, last.offset) : undefined) ?? outer + layout.unit;
  const written = items.map(({ name, value }) => {
    const label = name === undefined ? "" : `${JSON.stringify(name)}:${multiLine ? " " : ""}`;
    return label + (multiLine ? pretty(value, indent, layout) : JSON.stringify(value));
  });
  const body = multiLine ? written.map((item) => layout.eol + indent + item).join(",") : written.join(",");
  if (!last) {
    const closing = multiLine && !text.slice(open, close).includes("\n") ? layout.eol + outer : "";
    return { at: open, text: body + closing };
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  return comma === undefined ? { at: end, text: `,${body}` } : { at: comma + 1, text: `${body},` };
}

function pretty(value: unknown, indent: string, layout: Layout): string {
  return JSON.stringify(value, null, layout.unit).replaceAll("\n", layout.eol + indent);
}

/** Leading blanks of the line an offset stands in. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The same, when nothing else stands before it on its line. */
function ownIndent(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*$/.test(line) ? line : undefined;
}

/** Offset of the comma that follows, comments and blanks between; undefined when another token follows. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined;
}

/** Every handler of ours in the tree. */
function ourHandlers(root: Node): readonly { readonly event: string; readonly handler: Node }[] {
  return members(root, "hooks").flatMap((hooks) =>
    properties(hooks).flatMap(({ name, value }) =>
      elements(value).flatMap((group) =>
        members(group, "hooks")
          .flatMap(elements)
          .filter((node) => isOurs(node, SHAPES.claude))
          .map((handler) => ({ event: name, handler })),
      ),
    ),
  );
}

function elements(node: Node): readonly Node[] {
  return node.type === "array" ? (node.children ?? []) : [];
}

function isOurs(handler: Node, shape: Shape): boolean {
  const args = member(handler, "args");
  const fields = { type: member(handler, "type")?.value, command: member(handler, "command")?.value };
  return shape.isOurs(args ? { ...fields, args: elements(args).map((arg) => arg.value) } : fields);
}

/** Cuts our handlers out of one event's list. `gone`: something was ours; `all`: nothing else is in the list (not cut then). */
function cutGroups(text: string, list: Node, cuts: Cut[], shape: Shape): { readonly all: boolean; readonly gone: boolean } {
  const whole = new Set<Node>();
  const parts: [Node, Set<Node>][] = [];
  for (const group of elements(list)) {
    if (shape.flat) {
      if (isOurs(group, shape)) whole.add(group);
      continue;
    }
    const handlers = members(group, "hooks");
    const inside = handlers.flatMap(elements);
    const ours = new Set(inside.filter((node) => isOurs(node, shape)));
    if (ours.size === 0) continue;
    if (ours.size === inside.length) whole.add(group);
    else for (const holder of handlers) parts.push([holder, new Set(elements(holder).filter((node) => ours.has(node)))]);
  }
  const all = whole.size > 0 && whole.size === elements(list).length;
  if (!all) {
    cutChildren(text, list, whole, cuts);
    for (const [holder, nodes] of parts) cutChildren(text, holder, nodes, cuts);
  }
  return { all, gone: whole.size > 0 || parts.length > 0 };
}

/** Cuts some children out of a container, each with the one comma that goes with it; comments between stay. */
function cutChildren(text: string, container: Node, gone: ReadonlySet<Node>, cuts: Cut[]): void {
  const children = container.children ?? [];
  const kept = children.findLast((child) => !gone.has(child));
  for (const child of children) {
    if (!gone.has(child)) continue;
    const end = child.offset + child.length;
    const comma = commaAfter(text, end);
    cuts.push(withBlanks(text, child.offset, comma === end ? end + 1 : end));
    if (comma !== undefined && comma !== end) cuts.push({ start: comma, end: comma + 1 });
    if (comma !== undefined || child !== children.at(-1) || !kept) continue;
    // The last one goes without a comma of its own: the one before it would be left over.
    const before = commaAfter(text, kept.offset + kept.length);
    if (before !== undefined) cuts.push({ start: before, end: before + 1 });
  }
}

/** Takes the line break and blanks before along when nothing else is left on the line. */
function withBlanks(text: string, start: number, end: number): Cut {
  if (!/^[ \t]*(?:\r?\n|$)/.test(text.slice(end))) return { start, end };
  let from = start;
  while (text[from - 1] === " " || text[from - 1] === "\t") from--;
  if (text[from - 1] !== "\n") return { start, end };
  return { start: text[from - 2] === "\r" ? from - 2 : from - 1, end };
}

function applyCuts(text: string, cuts: readonly Cut[]): string {
  return [...cuts].sort((a, b) => b.start - a.start).reduce((rest, cut) => rest.slice(0, cut.start) + rest.slice(cut.end), text);
}

/** What must be left after the removal, worked out on the values: the check on the cuts. */
function withoutOurs(settings: JsonObject, containers: Containers, shape: Shape): JsonObject {
  const { [shape.container]: lists, ...rest } = settings;
  if (!isObject(lists)) return settings;
  const events = Object.entries(lists);
  const left = events.flatMap(([event, list]) => {
    if (!Array.isArray(list)) return [[event, list]];
    const others = list.flatMap((item) => withoutOurHandlers(item, shape));
    const emptied = others.length === 0 && list.length > 0;
    return emptied && containers.events.includes(event) ? [] : [[event, others]];
  });
  if (containers.hooks && events.length > 0 && left.every(([name, value]) => isInside(shape, String(name), value))) {
    return Object.fromEntries(Object.entries(rest).filter(([name, value]) => !isBeside(shape, containers, name, value)));
  }
  return { ...rest, [shape.container]: Object.fromEntries(left) };
}

function withoutOurHandlers(group: unknown, shape: Shape): unknown[] {
  if (shape.flat) return shape.isOurs(group) ? [] : [group];
  if (!isObject(group) || !Array.isArray(group.hooks)) return [group];
  const others = group.hooks.filter((handler) => !shape.isOurs(handler));
  if (others.length === group.hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}
