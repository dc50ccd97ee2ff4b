/** The command an MCP tool starts here: a command line, a program of code, what is typed into a terminal, what a Git tool does. */
import { CHOSEN } from "../../limits.ts";
import { withProgram } from "../here.ts";
import { quoted } from "../shell/quoting.ts";

/** The command an MCP tool starts here: `execute_command {command: "…"}`. */
export function startedBy(action: { readonly server: string; readonly tool: string }, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { tool } = action;
  const program = programOf(action, input) ?? gitCommandOf(tool, input);
  if (program !== undefined) return program;
  const fields = input as Readonly<Record<string, unknown>>;
  const command = commandIn(action, fields);
  const folder = fields["cwd"] ?? fields["working_directory"] ?? fields["workingDirectory"] ?? fields["workdir"];
  return command === undefined || typeof folder !== "string" || folder === "" ? command : `cd ${quoted(folder)}\n${command}`;
}

/** Fields that hold a command line whatever the tool is called. */
const COMMAND_LINES = ["cli_command", "command_line", "commandLine", "shell_command", "shellCommand"];

/** Fields that hold what is typed into a terminal. */
const TYPED = ["input", "keys", "text", "data"];

function commandIn(
  { server, tool }: { readonly server: string; readonly tool: string },
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const line = COMMAND_LINES.map((name) => fields[name]).find((value) => typeof value === "string");
  if (typeof line === "string") return line;
  if (!/exec|run|shell|command|terminal|bash|process|call|cli/i.test(tool)) return undefined;
  const { command, cmd, program, executable, args, arguments: given, argv, commands } = fields;
  const first = command ?? cmd ?? program ?? executable;
  const words = (list: unknown): readonly string[] =>
    typeof list === "string"
      ? [list]
      : Array.isArray(list)
        ? list.filter((word): word is string => typeof word === "string").map(quoted)
        : [];
  if (typeof first === "string") return [first, ...words(args ?? given)].join(" ");
  if (Array.isArray(first) || Array.isArray(argv)) return words(first ?? argv).join(" ");
  if (Array.isArray(commands)) return commands.filter((one) => typeof one === "string").join("\n");
  // What is typed into a terminal that is open already; another program's own language is left to it.
  const typed = /process|terminal|shell/i.test(tool)
    ? TYPED.map((name) => fields[name]).find((value) => typeof value === "string")
    : undefined;
  if (typeof typed === "string" && typed.split(/[\n;&|]/, CHOSEN.single_texts).some((part) => COMMAND_LINE.test(part))) return typed;
  // The program is the server's own name: `gh/run {args}`.
  const own = /^(?:mcp-)?([a-z][a-z0-9]{1,20})(?:-(?:mcp|cli|server))?$/.exec(server)?.[1];
  const rest = words(args ?? given);
  return own !== undefined && rest.length > 0 && /^(?:run|exec|execute|call|command|cli)$/i.test(tool)
    ? [own, ...rest].join(" ")
    : undefined;
}

/** What a Git tool does here: `git_add {repo_path, files}`, `git_commit {path, message}`, `git_push {…}`. */
function gitCommandOf(tool: string, input: object): string | undefined {
  const verb = /^git[_-](add|stage|commit|push)$/i.exec(tool)?.[1]?.toLowerCase();
  if (verb === undefined) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === "string" && value !== "");
  const words = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => [fields[name]].flat()).filter((value): value is string => typeof value === "string" && value !== "");
  const folder = text("repo_path", "repoPath", "repository", "repo", "path", "directory", "cwd");
  const git = ["git", ...(folder === undefined ? [] : ["-C", quoted(folder)])].join(" ");
  const files = words("files", "filesToStage", "paths", "pathspec");
  const whole = files.length === 0 || files.includes(".") || fields["all"] === true;
  // Such tools put files into the index by name, whatever the ignore files say.
  const adds = whole ? `${git} add .` : `${git} add -f -- ${files.map(quoted).join(" ")}`;
  if (verb === "push")
    return [git, "push", ...words("remote", "branch", "refspec").map(quoted), ...(fields["tags"] === true ? ["--tags"] : [])].join(" ");
  if (verb !== "commit") return adds;
  const commits = `${git} commit -m ${quoted(text("message", "commit_message") ?? "")}`;
  return files.length === 0 ? commits : `${adds} && ${commits}`;
}

/** Fields that hold what such a tool runs; `command` holds a command line whatever the tool is called. */
const PROGRAM_FIELDS = ["code", "script", "source", "source_code", "python_code", "js_code", "bash_code", "expression", "input", "text"];

/** Tools whose name says that they run what they are given. */
const RUNNING_TOOL =
  /(?:exec|run|eval)\w{0,12}(?:code|python|script|cell|node|javascript|bash|shell|sh|command|cmd|terminal|process)(?![a-z])|(?:command|shell|terminal|bash)_?(?:exec|run|eval)|^(?:python|node|javascript|bash|sh|shell|terminal|repl|ipython)(?:_|$)|^(?:execute|exec|eval|evaluate|run)$/i;

/** A program an MCP tool runs here: `executeCode {code: "…"}`. Its language is told by a field, by the names or by how it reads. */
function programOf({ server, tool }: { readonly server: string; readonly tool: string }, input: object): string | undefined {
  if (!RUNNING_TOOL.test(tool)) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  // What such a tool starts has a command line of its own: the other texts are its input.
  if (["command", "cmd", "program", "executable"].some((name) => fields[name] !== undefined)) return undefined;
  const field = PROGRAM_FIELDS.find((name) => typeof fields[name] === "string");
  const program = field === undefined ? undefined : fields[field];
  if (field === undefined || typeof program !== "string") return undefined;
  const language = fields["language"] ?? fields["lang"] ?? fields["runtime"];
  const told = [language, field, tool, server].flatMap((name) => (typeof name === "string" ? (interpreterOf(name) ?? []) : []))[0];
  return withProgram(
    told ?? (looksLikePython(program) ? "python3 -" : BARE_TOOL.test(tool) || COMMAND_LINE.test(program) ? "bash" : "python3 -"),
    program,
  );
}

/** Tools that say of what they run only that they run it: without a sign of Python it is a command line. */
const BARE_TOOL = /^(?:execute|exec|eval|evaluate|run)$|script|command|cmd|terminal|process/i;

/** A program that begins like this is a command line, whatever the tool calls it. */
const COMMAND_LINE =
  /^\s{0,16}(?:sudo )?(?:curl|wget|nc|ncat|scp|sftp|rsync|ssh|cat|base64|sh|bash|env|printenv|git|gh|aws|tar|gpg|openssl)[ \t]+[-\w~./$"']/;

function interpreterOf(name: string): string | undefined {
  if (/javascript|typescript|(?:^|[\W_])(?:node|js|ts)(?:$|[\W_])/i.test(name)) return "node -";
  if (/bash|shell|terminal|(?:^|[\W_])(?:zsh|sh)(?:$|[\W_])/i.test(name)) return "bash";
  return /python|jupyter|(?:^|[\W_])py(?:$|[\W_])/i.test(name) ? "python3 -" : undefined;
}

function looksLikePython(program: string): boolean {
  return (
    /^[ \t]{0,100}(?:import \w|from [\w.]{1,100} import |def \w|print\(|with open\()/m.test(program.slice(0, 100_000)) ||
    /\bopen\(/.test(program)
  );
}
