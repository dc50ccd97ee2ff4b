/**
 * What a Makefile's targets run, with its variables, included files and conditions: read as text, never run. Both branches of
 * a condition count; what only make or a shell can work out stays a variable whose value is not known.
 *
 * Trust: repository content. Expansion is bounded in depth and characters, included files in number.
 */
import { CHOSEN } from "../limits.ts";
import { baseName } from "./path.ts";
import { quoted } from "./shell/quoting.ts";
import { ownShells } from "./recipes.ts";

/** How make is called. */
export interface Making {
  /** Targets by name; the first one of the file when there is none. */
  readonly targets: readonly string[] | "all";
  /** `NAME=value` of the command line, and what the call set in the environment. */
  readonly given: ReadonlyMap<string, string>;
  /** The text of an included file; undefined when there is none. */
  readonly include: (path: string) => string | undefined;
}

interface Rule {
  readonly needs: string;
  readonly lines: string[];
}

/** Shell text of the recipes that run, each line in a shell of its own. */
export function makeRecipes(content: string, { targets, given, include }: Making): string {
  const file = new Makefile(given, include);
  file.read(content, 0);
  return file.recipes(targets);
}

class Makefile {
  readonly #variables = new Map<string, string>();
  readonly #rules = new Map<string, Rule>();
  readonly #exported = new Set<string>();
  #first: string | undefined;
  #files = 0;
  #chars: number = CHOSEN.word_chars;

  constructor(
    readonly given: ReadonlyMap<string, string>,
    readonly include: (path: string) => string | undefined,
  ) {}

  read(content: string, depth: number): void {
    let current: string[] = [];
    /** The text a `define` holds so far. */
    let defined: { readonly name: string; text: string } | undefined;
    for (const { line, recipe } of logicalLines(content)) {
      if (defined !== undefined) {
        if (/^\s{0,64}endef\b/.test(line)) {
          this.#variables.set(defined.name, defined.text);
          defined = undefined;
        } else defined.text += `${line.trim()}\n`;
        continue;
      }
      if (recipe) {
        current.push(line.trim());
        continue;
      }
      const text = withoutComment(line).trim();
      const block = /^(?:override\s{1,16})?define\s{1,16}([\w.-]{1,200})/.exec(text);
      const included = /^[-s]?include\s{1,16}(\S.{0,1999})$/.exec(text);
      if (block !== null) defined = { name: block[1] ?? "", text: "" };
      else if (included !== null) this.#includes(included[1] ?? "", depth);
      else if (!this.#assigns(text)) current = this.#ruleIn(text) ?? (/^\s/.test(line) ? pushed(current, line) : current);
    }
  }

  #includes(names: string, depth: number): void {
    for (const name of this.expanded(names, NO_LOCALS).split(/\s+/)) {
      // Settings of an environment file are told by their names, as where a shell reads it.
      if (name === "" || baseName(name).split(".").includes("env") || depth >= CHOSEN.recipe_includes) continue;
      const text = this.#files++ < CHOSEN.recipe_includes ? this.include(name) : undefined;
      if (text !== undefined) this.read(text, depth + 1);
    }
  }

  /** Whether a line sets a variable. */
  #assigns(text: string): boolean {
    const found =
      /^((?:(?:export|override|private|unexport)\s{1,16}){0,3})(?:[\w./%-]{1,200}\s{0,16}:\s{1,16})?([\w.-]{1,200})\s{0,64}(:{1,3}=|\?=|\+=|!=|=)\s{0,64}(.{0,16384})$/s.exec(
        text,
      );
    if (found === null) {
      if (text.startsWith("export ")) for (const name of text.split(/\s+/).slice(1)) this.#exported.add(name);
      return /^(?:(?:un)?export|ifn?eq|ifn?def|else|endif|vpath|undefine)\b/.test(text);
    }
    const [, words = "", name = "", sign = "", value = ""] = found;
    if (words.includes("export")) this.#exported.add(name);
    const before = this.#variables.get(name);
    if (sign === "?=" && (before !== undefined || this.given.has(name))) return true;
    if (sign === "+=") this.#variables.set(name, before === undefined ? value : `${before} ${value}`);
    else if (sign === "!=") this.#variables.set(name, `$(shell ${value})`);
    else this.#variables.set(name, sign.startsWith(":") ? this.expanded(value, NO_LOCALS).replaceAll("$", "$$$$") : value);
    return true;
  }

  /** The recipe lines that follow a rule's head; undefined for a line that is none. */
  #ruleIn(text: string): string[] | undefined {
    const rule = /^([\w$(){}./%-][\w$(){}./% -]{0,1000}?)\s{0,16}&?::?(?!=)([^;=]{0,4096})(?:;(.{0,4096}))?$/s.exec(text);
    if (rule === null) return undefined;
    const lines = rule[3] === undefined ? [] : [rule[3].trim()];
    for (const name of this.expanded(rule[1] ?? "", NO_LOCALS).split(/\s+/)) {
      if (name === "") continue;
      const before = this.#rules.get(name);
      // Another head without a recipe only adds what the target needs.
      const needs = `${before?.needs ?? ""} ${(rule[2] ?? "").replace("|", " ")}`;
      this.#rules.set(name, { needs, lines: before === undefined || before.lines.length === 0 ? lines : before.lines });
      if (this.#first === undefined && !/^\.|%/.test(name)) this.#first = name;
    }
    return lines;
  }

  recipes(targets: readonly string[] | "all"): string {
    const goal = this.#variables.get(".DEFAULT_GOAL") ?? this.#first;
    const wanted = targets === "all" ? [...this.#rules.keys()] : targets.length > 0 ? [...targets] : goal === undefined ? [] : [goal];
    const done = new Set<string>();
    const lines: string[] = [];
    for (let name = wanted.shift(); name !== undefined && done.size < CHOSEN.recipe_targets; name = wanted.shift()) {
      if (done.has(name)) continue;
      const found = this.#ruleOf(name);
      if (found === undefined) continue;
      done.add(name);
      const needs = this.expanded(found.rule.needs, NO_LOCALS).replaceAll("%", found.stem).split(/\s+/).filter(Boolean);
      const locals = new Map([
        ["@", name],
        ["<", needs[0] ?? ""],
        ["^", needs.join(" ")],
        ["*", found.stem],
      ]);
      if (found.rule.lines.length > 0) lines.push(ownShells(this.expanded(found.rule.lines.join("\n"), locals)));
      if (targets !== "all") wanted.push(...needs);
    }
    const text = lines.join("\n");
    return `${this.#exports(text)}${text}`;
  }

  #ruleOf(name: string): { readonly rule: Rule; readonly stem: string } | undefined {
    const own = this.#rules.get(name);
    if (own !== undefined) return { rule: own, stem: "" };
    for (const [pattern, rule] of this.#rules) {
      const at = pattern.indexOf("%");
      if (at < 0 || !name.startsWith(pattern.slice(0, at)) || !name.endsWith(pattern.slice(at + 1))) continue;
      return { rule, stem: name.slice(at, name.length - (pattern.length - at - 1)) };
    }
    return undefined;
  }

  /** Variables that the recipes' shells get, of those that they name. */
  #exports(text: string): string {
    let lines = "";
    for (const name of [...this.given.keys(), ...this.#exported].slice(0, CHOSEN.started_variables)) {
      const value = this.given.get(name) ?? this.#variables.get(name);
      if (value === undefined || !text.includes(name) || !/^\w{1,200}$/.test(name)) continue;
      const known = this.expanded(value, NO_LOCALS);
      lines += `export ${name}=${/["`\\]/.test(known) ? quoted(known) : `"${known}"`}\n`;
    }
    return lines;
  }

  /** A text with make's variables and functions worked out; what is left of them is a shell's. */
  expanded(text: string, locals: ReadonlyMap<string, string>, depth = 0): string {
    if (!text.includes("$")) return text;
    if (--this.#chars < 0 || depth > CHOSEN.recipe_includes) return UNKNOWN;
    let result = "";
    let at = 0;
    for (let sign = text.indexOf("$"); sign >= 0; sign = text.indexOf("$", at)) {
      result += text.slice(at, sign);
      const next = text[sign + 1] ?? "";
      const close = next === "(" ? ")" : next === "{" ? "}" : "";
      if (close === "") {
        at = sign + 2;
        result += next === "$" ? "$" : this.#value(next, locals, depth);
      } else {
        const end = closing(text, sign + 2, next, close);
        at = end + 1;
        result += this.#reference(text.slice(sign + 2, end), locals, depth);
      }
      if (result.length > this.#chars) return UNKNOWN;
    }
    result += text.slice(at);
    this.#chars -= result.length;
    return this.#chars < 0 ? UNKNOWN : result;
  }

  #reference(inner: string, locals: ReadonlyMap<string, string>, depth: number): string {
    const call = /^([a-z-]{2,16})\s{1,64}(.{0,16384})$/s.exec(inner);
    const name = call?.[1] ?? "";
    const rest = call?.[2] ?? "";
    const all = (): string => this.expanded(rest, locals, depth + 1);
    switch (name) {
      case "":
        // `$(NAME:.a=.b)` changes the ends of words.
        return this.#value(this.expanded(inner, locals, depth + 1).split(":", 1)[0] ?? "", locals, depth);
      case "shell":
        return `$(${all()})`;
      case "strip":
      case "sort":
      case "firstword":
      case "lastword":
      case "abspath":
      case "realpath":
      case "wildcard":
        return all();
      case "or":
        return (
          parts(rest)
            .map((part) => this.expanded(part, locals, depth + 1).trim())
            .find((part) => part !== "") ?? ""
        );
      case "if":
        return this.expanded(parts(rest)[1] ?? "", locals, depth + 1).trim();
      case "call": {
        const [called = "", ...words] = parts(rest).map((part) => this.expanded(part, locals, depth + 1).trim());
        return this.#value(called, new Map([...locals, ...words.map((word, index) => [String(index + 1), word] as const)]), depth);
      }
      case "info":
      case "warning":
      case "error":
      case "eval":
        return "";
      default:
        return UNKNOWN;
    }
  }

  #value(name: string, locals: ReadonlyMap<string, string>, depth: number): string {
    if (name === "MAKE") return "make";
    const value = locals.get(name) ?? this.given.get(name) ?? this.#variables.get(name);
    if (value === undefined) return /^[A-Za-z_]\w{0,200}$/.test(name) ? `\${${name}}` : "";
    return locals.has(name) ? value : this.expanded(value, locals, depth + 1);
  }
}

const NO_LOCALS: ReadonlyMap<string, string> = new Map();
/** Stands for what only make can tell. */
const UNKNOWN = "$MAKE_VALUE";

/** The words of a function, divided at commas outside parentheses. */
function parts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(" || text[at] === "{") depth++;
    else if (text[at] === ")" || text[at] === "}") depth--;
    else if (text[at] === "," && depth === 0) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)];
}

/** Where a reference ends that began before `from`; the text's end when it never does. */
function closing(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && depth-- === 0) return at;
  }
  return text.length;
}

/** Lines with those that a backslash joins to them; in a recipe the shell joins them itself. */
function logicalLines(content: string): { readonly line: string; readonly recipe: boolean }[] {
  const found: { readonly parts: string[]; readonly recipe: boolean }[] = [];
  let open = false;
  for (const line of content.split("\n")) {
    const last = open ? found[found.length - 1] : undefined;
    open = line.endsWith("\\");
    const recipe = last?.recipe ?? line.startsWith("\t");
    const part = recipe || !open ? line : line.slice(0, -1);
    if (last === undefined) found.push({ parts: [part], recipe });
    else last.parts.push(part.trim());
  }
  return found.map(({ parts, recipe }) => ({ line: parts.join(recipe ? "\n" : " "), recipe }));
}

function withoutComment(line: string): string {
  const at = line.indexOf("#");
  return at < 0 || line[at - 1] === "\\" ? line : line.slice(0, at);
}

/** Recipe lines are indented by spaces in files for other makes. */
function pushed(lines: string[], line: string): string[] {
  if (line.trim() !== "") lines.push(line.trim());
  return lines;
}
