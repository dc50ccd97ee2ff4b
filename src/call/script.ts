/**
 * What a file would do once something runs it (L-111): shell scripts, git hooks, Makefiles, package scripts,
 * CI steps and programs. Only what it sends and publishes counts; it reads and writes at its own time.
 *
 * Trust: the content is hostile and only read as text; sizes and depths are bounded.
 */
import { CHOSEN } from "../limits.ts";
import type { Call, Effect } from "./effect.ts";
import { effectsOf } from "./effects.ts";
import { settingCommands } from "./git/settings.ts";
import { withProgram } from "./here.ts";
import { Allowance } from "./shell/budget.ts";
import { type World, baseName } from "./path.ts";
import { clientFile, commandsInto } from "./prompt-file.ts";
import { makeRecipes } from "./makefile.ts";
import { justRecipes, packageScripts } from "./recipes.ts";
import { quoted } from "./shell/quoting.ts";
import { upTo } from "./text.ts";

/**
 * What running a file of this name and content would send or publish, and `uncertain` where the allowance did not reach;
 * empty for a file nothing runs. `cwd`: the folder it would run in, "" when unknown.
 */
export function scriptEffects(
  path: string,
  content: string,
  cwd: string,
  world: World,
  allowance: Allowance = new Allowance(),
): readonly Effect[] {
  if (content.length > CHOSEN.script_chars) return [];
  const effects: Effect[] = [];
  for (const { dialect, text } of commandsOf(path, content)) {
    const call: Call = { agent: "claude", stage: "before", session: "", cwd, tool: "", action: { kind: "shell", dialect, command: text } };
    const read = allowance.read(text.length, (budget) => effectsOf(call, world, budget));
    if (read === undefined) return [...effects, { kind: "uncertain", why: "it holds more scripts than can be read", partial: true }];
    for (const effect of read) if (effect.kind === "send" || effect.kind === "publish") effects.push(effect);
  }
  return effects;
}

interface Command {
  readonly dialect: "bash" | "powershell";
  readonly text: string;
}

const bash = (text: string): Command => ({ dialect: "bash", text });

function commandsOf(path: string, content: string): Command[] {
  const name = baseName(path).toLowerCase();
  const folder = path.replaceAll("\\", "/").toLowerCase();
  const first = upTo(content, "\n");
  const interpreter = first.startsWith("#!")
    ? /\b(sh|bash|zsh|dash|ksh|python|node|ruby|perl|php|pwsh|deno|bun)[\d.]{0,6}\b/.exec(first.slice(0, 200))?.[1]
    : undefined;
  if (name === ".mcp.json" || name === ".claude.json" || /\/\.(?:claude|cursor|gemini|codex|vscode)\/[\w.-]{1,40}\.json$/.test(folder))
    return agentCommands(content);
  if (clientFile(folder)?.text === true) return commandsInto(path, content).map(bash);
  if (name === "package.json" || name === "composer.json") return packageScripts(content).map(bash);
  if (/^(?:gnu)?makefile(?:[\w.-]{0,40})$|\.mk$/.test(name))
    return [bash(makeRecipes(content, { targets: "all", given: new Map(), include: () => undefined }))];
  if (/^\.?justfile$/.test(name)) return [bash(justRecipes(content, "all"))];
  if (/\.ya?ml$/.test(name)) return steps(content);
  if (/^\.git(?:config|modules)$/.test(name) || /\/\.?git\/config$/.test(folder)) return settingCommands(content).map(bash);
  if (/\.(?:service|desktop)$/.test(name)) return unitCommands(content).map(bash);
  if (/\.ps[md]?1$/.test(name) || interpreter === "pwsh") return [{ dialect: "powershell", text: content }];
  const language = interpreter !== undefined && !/sh$/.test(interpreter) ? interpreter : LANGUAGES[name.slice(name.lastIndexOf(".") + 1)];
  if (language !== undefined) return [bash(withProgram(language, content))];
  if (
    /\.(?:ba|z|k)?sh$|\.command$/.test(name) ||
    interpreter !== undefined ||
    /\/(?:hooks|\.husky)\/[a-z-]{1,40}$/.test(folder) ||
    name === ".envrc"
  )
    return [bash(content)];
  if (/^\.?(?:bash|zsh)?(?:rc|_profile|_login|_logout|_aliases|env|profile)$|^\.profile$|^\.aliases$/.test(name))
    return [bash(withNames(content))];
  return [];
}

/** A start-up file, and behind it every alias and function it defines: a person will type them. */
function withNames(content: string): string {
  const names = [
    ...content.matchAll(
      /^[ \t]{0,40}(?:alias[ \t]{1,8}(?:-g[ \t]{1,8})?([\w.-]{1,40})=|(?:function[ \t]{1,8})?([\w-]{1,40})[ \t]{0,8}\(\))/gm,
    ),
  ];
  const called = names.slice(0, CHOSEN.commands).map(([, alias, name]) => alias ?? name);
  return called.length === 0 ? content : `${content}\n${called.join("\n")}\n`;
}

/** What a systemd unit or an autostart entry starts. */
function unitCommands(content: string): readonly string[] {
  const lines = [
    ...content.matchAll(/^[ \t]{0,8}(?:Exec(?:Start|Stop|Reload)?(?:Pre|Post)?)[ \t]{0,8}=[ \t]{0,8}[-@:+!]{0,4}(\S.{0,4000})$/gm),
  ];
  return lines.slice(0, CHOSEN.commands).map(([, line = ""]) => line.replaceAll("%h", "~"));
}

const LANGUAGES: Readonly<Record<string, string>> = {
  py: "python3 -",
  js: "node -",
  mjs: "node -",
  cjs: "node -",
  ts: "node -",
  mts: "node -",
  rb: "ruby -",
  pl: "perl -",
  php: "php",
  lua: "lua -",
};

/** What an agent's own settings have it start: hooks and MCP servers, a command line or a program with its arguments. */
function agentCommands(content: string): Command[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return [];
  }
  const found: Command[] = [];
  const stack: unknown[] = [parsed];
  for (let value = stack.pop(), seen = 0; value !== undefined && seen < CHOSEN.commands; value = stack.pop(), seen++) {
    if (typeof value !== "object" || value === null) continue;
    const { command, args } = value as { readonly command?: unknown; readonly args?: unknown };
    const words = Array.isArray(args) ? args.filter((word): word is string => typeof word === "string") : [];
    if (typeof command === "string") found.push(bash([command, ...words.map(quoted)].join(" ")));
    stack.push(...Object.values(value));
  }
  return found;
}

/** Shell steps of CI files: the values of `run`, `script` and their kin. */
function steps(content: string): Command[] {
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(content);
  } catch {
    return [];
  }
  const found: Command[] = [];
  const stack: unknown[] = [parsed];
  for (let value = stack.pop(), seen = 0; value !== undefined && seen < CHOSEN.commands; value = stack.pop(), seen++) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (/^(?:run|script|scripts|before_script|after_script|command|commands|cmd|cmds|entry|bash|sh|inline)$/.test(key)) {
        const lines = Array.isArray(child) ? child.filter((line) => typeof line === "string") : typeof child === "string" ? [child] : [];
        if (lines.length > 0) found.push(bash(lines.join("\n").replace(/\$\{\{[^{}]{0,200}\}\}/g, "$CI_VALUE")));
      }
      if (typeof child === "object" && child !== null) stack.push(child);
    }
  }
  return found;
}
