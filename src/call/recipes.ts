/**
 * Which commands of a justfile, Taskfile or manifest a given target runs: read as text, as far as it is written out.
 * Trust: the files are repository content; a target that cannot be found runs nothing here.
 */
import { CHOSEN } from "../limits.ts";

/** What a call gives a justfile: recipes by their names, each followed by the arguments it takes. */
export function justRecipes(content: string, words: readonly string[] | "all"): string {
  const variables = new Map<string, string>();
  const recipes = new Map<string, JustRecipe>();
  let current: string[] | undefined;
  for (const line of content.split("\n")) {
    if (/^(?:\t| {2,8})\s{0,64}\S/.test(line)) {
      current?.push(line.trim());
      continue;
    }
    const setting = /^(?:export\s{1,8})?([\w-]{1,100})\s{0,16}:=\s{0,16}(.{1,4096})$/.exec(line);
    if (setting !== null) {
      variables.set(setting[1] ?? "", justValue(setting[2] ?? "", variables));
      continue;
    }
    const head = /^@?([\w-]{1,100})((?:\s{1,8}[^\s:]{1,300}){0,30})\s{0,16}:(?!=)(.{0,2000})$/.exec(line);
    if (head === null) continue;
    current = [];
    recipes.set(head[1] ?? "", {
      parameters: (head[2] ?? "").split(/\s+/).filter((one) => one !== ""),
      needs: (head[3] ?? "").split(/[\s()&]+/).filter((one) => one !== ""),
      lines: current,
    });
  }
  const [first] = recipes.keys();
  const wanted = words === "all" ? [...recipes.keys()] : words.length > 0 ? [...words] : first === undefined ? [] : [first];
  const done = new Set<string>();
  const lines: string[] = [];
  for (let name = wanted.shift(); name !== undefined && done.size < CHOSEN.recipe_targets; name = wanted.shift()) {
    const recipe = done.has(name) ? undefined : recipes.get(name);
    if (recipe === undefined) continue;
    done.add(name);
    const known = new Map(variables);
    for (const parameter of recipe.parameters) {
      const [left = "", otherwise] = parameter.replace(/^[*+$]{1,2}/, "").split("=", 2);
      const value =
        (words === "all" ? undefined : wanted.shift()) ?? (otherwise === undefined ? undefined : justValue(otherwise, variables));
      if (value !== undefined) known.set(left, value);
    }
    const text = recipe.lines.map((line) => line.replace(/\{\{([^{}]{1,500})\}\}/g, (_, inner: string) => justValue(inner, known)));
    lines.push(text[0]?.startsWith("#!") === true ? text.join("\n") : ownShells(text.join("\n")));
    if (words !== "all") wanted.push(...recipe.needs);
  }
  return lines.join("\n");
}

interface JustRecipe {
  readonly parameters: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** What an expression comes to, as far as it is made of texts, names and variables of the environment. */
function justValue(expression: string, known: ReadonlyMap<string, string>): string {
  let value = "";
  for (const [, text, quote, environment, name, sign] of expression.matchAll(
    /"([^"]{0,2000})"|'([^']{0,2000})'|\benv(?:_var|_var_or_default)?\(\s{0,8}["'](\w{1,100})["'][^)]{0,200}\)|([A-Za-z_][\w-]{0,100})|([/])/g,
  ))
    value += text ?? quote ?? sign ?? (environment === undefined ? (known.get(name ?? "") ?? "$JUST_VALUE") : `\${${environment}}`);
  return value;
}

/** Recipe lines, each of which a shell of its own runs; a line that ends with a backslash goes on in the next. */
export function ownShells(recipe: string): string {
  const lines: string[] = [];
  let line = "";
  for (const part of recipe.split("\n")) {
    line += line === "" ? part.replace(/^[@+-]{1,3}[ \t]{0,16}/, "") : `\n${part}`;
    if (part.endsWith("\\")) continue;
    if (line.trim() !== "" && !line.startsWith("#")) lines.push(`(${line}\n)`);
    line = "";
  }
  return lines.join("\n");
}

/** The commands of a Taskfile's task and of those it needs. */
export function taskOf(content: string, name: string): string {
  const file = parsed(() => Bun.YAML.parse(content));
  const tasks = field(file, "tasks");
  const values = field(file, "vars");
  const lines: string[] = [];
  const wanted: unknown[] = [name];
  const done = new Set<unknown>();
  for (let next = wanted.shift(); next !== undefined && done.size < CHOSEN.recipe_targets; next = wanted.shift()) {
    if (done.has(next) || typeof next !== "string") continue;
    done.add(next);
    const task = field(tasks, next);
    const listed = typeof task === "string" || Array.isArray(task) ? task : (field(task, "cmds") ?? field(task, "cmd"));
    const needs = field(task, "deps");
    for (const one of Array.isArray(needs) ? needs : []) wanted.push(typeof one === "string" ? one : field(one, "task"));
    for (const one of Array.isArray(listed) ? listed : [listed]) {
      const command = typeof one === "string" ? one : field(one, "cmd");
      if (typeof command === "string") lines.push(command);
      else wanted.push(field(one, "task"));
    }
  }
  return lines.join("\n").replace(/\{\{\s{0,8}\.(\w{1,100})\s{0,8}\}\}/g, (_, key: string) => {
    const value = field(values, key);
    return typeof value === "string" || typeof value === "number" ? String(value) : `\${${key}}`;
  });
}

/** The scripts of a package.json that `run <name>` starts, with those before and after it. `words`: what is handed to the script itself. */
export function packageScript(content: string, name: string, words = ""): string {
  const scripts = scriptsIn(content);
  return [`pre${name}`, name, `post${name}`]
    .flatMap((one) => {
      const script = field(scripts, one);
      return typeof script !== "string" ? [] : one === name && words !== "" ? `${script} ${words}` : script;
    })
    .join("\n");
}

/** The names of a package.json's scripts. */
export function scriptNames(content: string): readonly string[] {
  const scripts = scriptsIn(content);
  return typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [];
}

/** A task of Deno's configuration. */
export function denoTask(content: string, name: string): string {
  const task = field(
    field(
      parsed(() => Bun.JSONC.parse(content)),
      "tasks",
    ),
    name,
  );
  const command = typeof task === "string" ? task : field(task, "command");
  return typeof command === "string" ? command : "";
}

/** All scripts of a package.json or composer.json. */
export function packageScripts(content: string): readonly string[] {
  const scripts = scriptsIn(content);
  return typeof scripts === "object" && scripts !== null ? Object.values(scripts).filter((script) => typeof script === "string") : [];
}

function scriptsIn(content: string): unknown {
  return field(
    parsed(() => JSON.parse(content)),
    "scripts",
  );
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined; // The tool refuses it as well.
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The commands of a crontab, one a line. */
export function scheduledCommands(table: string): string {
  return table
    .split("\n")
    .flatMap((line) => {
      // Five fields of times, or one name of a time, stand in front of the command.
      const words = line.trim().split(/[ \t]+/);
      const command = words.slice(words[0]?.startsWith("@") === true ? 1 : 5).join(" ");
      return command === "" || line.trim().startsWith("#") ? [] : [command];
    })
    .join("\n");
}
