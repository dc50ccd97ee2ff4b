/** Effects of an agent's own tools: file tools, web tools, MCP. */
import { filesIn } from "./shell/commands/contact.ts";
import { CHOSEN } from "../limits.ts";
import type { PathRef, Call, Effect, Part, Source } from "./effect.ts";
import { type World, resolvePath } from "./path.ts";
import { withProgram } from "./here.ts";
import { patchEffects } from "./patch.ts";
import { quoted } from "./shell/quoting.ts";
import { excerpted, literal, textSource, unique } from "./source.ts";
import { targetOf, urlParts } from "./url.ts";

/** Effects of every action but a shell command. `shell` tells what a command does that a tool of another server starts. */
export function toolEffects(call: Call, world: World, shell: (command: string) => readonly Effect[]): readonly Effect[] {
  const action = call.action;
  switch (action.kind) {
    case "read":
      return [
        {
          kind: "show",
          sources: [action.path, ...(action.more ?? [])].map((path) => ({
            from: "file",
            file: resolvePath(path, call.cwd, world),
            plain: true,
          })),
        },
      ];
    case "search": {
      if (!action.showsContent) return [];
      const file = resolvePath(action.path === "" ? "." : action.path, call.cwd, world);
      const { only } = action;
      return [
        {
          kind: "show",
          sources: excerpted([{ from: "file", file, plain: true }], only && { kind: "lines with", start: false, ...only }),
        },
      ];
    }
    case "write":
      return [{ kind: "write", file: resolvePath(action.path, call.cwd, world), sources: textSource(action.content), append: false }];
    case "edit": {
      // The result depends on the file; the new texts are what this call adds to it.
      const file = resolvePath(action.path, call.cwd, world);
      const added = action.edits.flatMap((edit) => textSource(edit.new));
      const creates = action.edits.length === 1 && action.edits[0]?.old === "" && !action.loose;
      const write: Effect = { kind: "write", file, sources: added, append: !creates };
      return creates ? [write] : [{ kind: "change", file, how: "edit" }, write];
    }
    case "patch":
      return patchEffects(action.files, (path) => resolvePath(path, call.cwd, world));
    case "remove":
      return [{ kind: "change", file: resolvePath(action.path, call.cwd, world), how: "remove" }];
    case "fetch": {
      const text = textSource(action.text);
      return [action.url, ...(action.more ?? [])].map((url): Effect => {
        const target = targetOf(url, "https");
        const parts = urlParts(literal(url), target);
        const all = text.length === 0 ? parts : [...parts, { sources: text, position: "data" as const }];
        // A file's address is opened here.
        const opened = fileAt(url, call.cwd, world);
        return opened === undefined
          ? { kind: "send", via: call.tool, parts: all, destination: target.destination }
          : { kind: "show", sources: [{ from: "file", file: opened, plain: true }] };
      });
    }
    case "search web":
      return [
        {
          kind: "send",
          via: call.tool,
          parts: [{ sources: textSource(action.text), position: "data" }],
          destination: { kind: "search engine", host: undefined, url: undefined },
        },
      ];
    case "mcp": {
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
    case "other":
      return [];
    case "shell":
      return [];
  }
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

/** The file at a `file:` address. */
function fileAt(address: string, cwd: string, world: World): PathRef | undefined {
  const bare = address.replace(/^view-source:/i, "");
  if (!/^file:\//i.test(bare) || address.length > 4_096) return undefined;
  const file = resolvePath(bare, cwd, world);
  return file.path === undefined ? undefined : file;
}

/** Tools that answer with a named file's content. */
const READING_TOOL = /^(?:read|get|open|view|cat|show|head|tail|load)(?![a-z])/i;
/** Tools that carry a named file away; for all others (`write_file`, `move_file`) a path is only a path. */
const SENDING_TOOL =
  /upload|send|attach|post|publish|share|submit|import|mail|message|comment|create|deploy|transfer|sync|backup|put_?object|put_?file|push_?file|chat|(?:^|[_-])ask(?:$|[_-])|prompt|transcribe|translate|summari[sz]e/i;
/** Tools that make the file they name. */
const MAKING_TOOL = /(?:create|make|new)_?(?:or_?update_?)?(?:new_?)?(?:file|dir|folder|branch|project|workspace)/i;
/** Tools that answer with something about a file. */
const TELLING_TOOL = /info|metadata|stat(?:us|s)?(?:$|_)|size|exists|permissions/i;
/** Tools that run statements which may read a file themselves. */
const QUERY_TOOL = /sql|query|duckdb/i;

/** Keys whose value is a file or a folder the tool reads, by their last word (`attachment_paths`, `deployDirectory`). */
const FILE_KEY =
  /^(?:[A-Za-z]{1,40}[_-]){0,4}(?:file|files|path|paths|file_?paths?|file_?names?|attachments?|upload|image|images|document|documents|directory|dir|folder|folders)$|[a-z](?:Files?|Paths?|FileNames?|Attachments?|Directory|Dir|Folders?)$/i;
/** Keys that hold a file among other things: what stands there says itself that it is one. */
const MAYBE_FILE_KEY = /^(?:source|src|input|data|media|resource|content|body|(?:file_?)?ur[il]s?|local)$/i;
/** Keys of what a tool makes, and of the place it works in. */
const MADE_KEY =
  /^(?:out|output|save|saved|dest|destination|target|download|to|new|result|report|log|repo|repository|project|workspace|working|work|root|base|git)(?:[_-]|[A-Z]|$)/;
/** Keys of folders: only what carries whole folders away takes one. */
const FOLDER_KEY = /(?:^|_)(?:directory|dir|folders?)$|[a-z](?:Directory|Dir|Folders?)$/i;
const FOLDER_TOOL = /upload|deploy|sync|backup|transfer|publish|share|import|attach/i;
/** A path that says it is one. */
const PATH = /^(?:~?\/|~\w{0,32}\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:\/\/)/;

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

/** The command an MCP tool starts here: `execute_command {command: "…"}`. */
function startedBy(action: { readonly server: string; readonly tool: string }, input: unknown): string | undefined {
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

/** The files that stand under a key: one, or several with commas between them. */
function filesUnder(tool: string, key: string | undefined, value: string): readonly string[] {
  if (key === undefined || value.length > 4_096 || MADE_KEY.test(key)) return [];
  if (FOLDER_KEY.test(key) && !FOLDER_TOOL.test(tool)) return [];
  const sure = FILE_KEY.test(key);
  if (!sure && !MAYBE_FILE_KEY.test(key)) return [];
  return value.split(/[,\n]\s{0,4}(?=[~/.\w])/, CHOSEN.single_texts).flatMap((one) => {
    const name = one.trim().replace(/^@/, "");
    return PATH.test(name) || (sure && /^[^\s:]{1,255}$/.test(name)) ? [name] : [];
  });
}

/** Files that a prompt brings along by their paths: `explain @~/notes.md`. */
function mentioned(text: string): readonly string[] {
  if (!text.includes("@")) return [];
  return [...text.slice(0, 100_000).matchAll(/(?:^|\s)@((?:~|\.{0,2})\/[^\s"'`,;]{1,1024})/g)]
    .slice(0, CHOSEN.single_texts)
    .map(([, path = ""]) => path);
}

/** The value of a text that is JSON itself. */
function jsonIn(text: string): unknown {
  if (!/^\s{0,64}[[{]/.test(text) || text.length > JSON_CHARS) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longest text that is read as JSON inside JSON. */
const JSON_CHARS = 64 * 1024;

/** Every string in a JSON value, keys included, without recursion; paths under a file's key apart. */
function stringsOf(input: unknown, tool: string): { texts: string[]; files: string[]; complete: boolean } {
  const sends = SENDING_TOOL.test(tool);
  const texts: string[] = [];
  const files: string[] = [];
  const stack: { value: unknown; depth: number; key?: string }[] = [{ value: input, depth: 0 }];
  let complete = true;
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { value, depth, key } = entry;
    if (typeof value === "string") {
      texts.push(value);
      files.push(...filesUnder(tool, key, value), ...(sends ? mentioned(value) : []));
      const inner = jsonIn(value);
      if (inner !== undefined) stack.push({ value: inner, depth: depth + 1, ...(key === undefined ? {} : { key }) });
    } else if (typeof value === "object" && value !== null) {
      if (depth >= CHOSEN.json_depth) {
        complete = false;
        continue;
      }
      // An array's values stand under the array's own key.
      const children: [string | undefined, unknown][] = Array.isArray(value) ? value.map((one) => [key, one]) : Object.entries(value);
      for (let index = children.length - 1; index >= 0; index--) {
        const [name, child] = children[index] as [string | undefined, unknown];
        stack.push({ value: child, depth: depth + 1, ...(name === undefined ? {} : { key: name }) });
        if (!Array.isArray(value) && name !== undefined) stack.push({ value: name, depth: depth + 1 });
      }
    }
  }
  return { texts, files, complete };
}
