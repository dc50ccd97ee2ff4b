/**
 * Which commands of a Makefile, justfile, Taskfile or manifest a given target runs: read as text, as far as it is written out.
 * Trust: the files are repository content; a target that cannot be found runs nothing here.
 */
import { CHOSEN } from "../limits.ts";

/** The recipe lines of a Makefile's or justfile's targets and what they depend on; of the first target when none is named. */
export function recipesOf(content: string, targets: readonly string[]): string {
  const rules = new Map<string, { readonly needs: readonly string[]; readonly lines: string[] }>();
  let current: string[] = [];
  let first: string | undefined;
  for (const line of content.split("\n")) {
    if (RECIPE.test(line)) {
      current.push(commandOf(line));
      continue;
    }
    const rule = /^([\w./%-][\w./% -]{0,200})::?(?!=)\s*([^#;=]{0,2000})(?:;(.{0,2000}))?/.exec(line);
    if (rule === null) continue;
    current = rule[3] === undefined ? [] : [commandOf(rule[3])];
    const needs = (rule[2] ?? "").split(/\s+/).filter((name) => name !== "");
    // A justfile's parameters stand behind the name; the recipe goes by the first word.
    for (const name of (rule[1] ?? "").split(/\s+/)) {
      rules.set(name, { needs, lines: current });
      if (first === undefined && !name.startsWith(".")) first = name;
    }
  }
  const wanted = targets.length > 0 ? [...targets] : first === undefined ? [] : [first];
  const done = new Set<string>();
  const lines: string[] = [];
  for (let name = wanted.shift(); name !== undefined && done.size < CHOSEN.recipe_targets; name = wanted.shift()) {
    const rule = done.has(name) ? undefined : rules.get(name);
    if (rule === undefined) continue;
    done.add(name);
    lines.push(...rule.lines);
    wanted.push(...rule.needs);
  }
  return lines.join("\n");
}

/** A line of a recipe, and no rule or setting. */
const RECIPE = /^(?:\t| {2,8})\S/;

/** The recipe lines of all targets. */
export function allRecipes(content: string): string {
  return content
    .split("\n")
    .filter((line) => RECIPE.test(line))
    .map(commandOf)
    .join("\n");
}

/** One recipe line for a shell: `$$` is a shell's `$`, make's own variables are not known. */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^[@+-]{1,3}/, "")
    .replaceAll("$$", "$");
}

/** The commands of a Taskfile's task. */
export function taskOf(content: string, name: string): string {
  const tasks = field(
    parsed(() => Bun.YAML.parse(content)),
    "tasks",
  );
  const task = field(tasks, name);
  const listed = typeof task === "string" || Array.isArray(task) ? task : (field(task, "cmds") ?? field(task, "cmd"));
  return (Array.isArray(listed) ? listed : [listed])
    .map((command) => (typeof command === "string" ? command : field(command, "cmd")))
    .filter((command) => typeof command === "string")
    .join("\n");
}

/** The scripts of a package.json that `run <name>` starts, with those before and after it. */
export function packageScript(content: string, name: string): string {
  const scripts = scriptsIn(content);
  return [`pre${name}`, name, `post${name}`]
    .map((one) => field(scripts, one))
    .filter((script) => typeof script === "string")
    .join("\n");
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
