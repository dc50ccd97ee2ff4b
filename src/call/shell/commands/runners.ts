/** Tools that run a program of a project or of a version: `poetry run`, `npx`, `nvm exec`, `nodemon`. */
import { literal } from "../../source.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { toolCommand } from "./tools.ts";
import { type OptionTable, readOptions } from "../options.ts";
import { begin } from "./wrap.ts";

/** `nvm exec 20 cmd`, `n run 20 s.js`: a version may stand in front of the command. */
export function versioned(invocation: Invocation): void {
  const verb = invocation.text(0);
  if (!/^(?:exec|run|use|as)$/.test(verb)) return;
  const { operands } = invocation.options({ long: "using", stop: true }, 1);
  const isVersion = /^v?\d[\w.-]{0,40}$|^(?:node|stable|unstable|system|default|latest|current|lts(?:[/*]\S{0,40})?|iojs)$/.test(
    operands[0]?.text ?? "",
  );
  const words = isVersion ? operands.slice(1) : operands;
  if (words.length > 0) begin(invocation, verb === "exec" ? words : [literal("node"), ...words], false);
}

/** How `concurrently` starts a script of the package by the manager in front of its name. */
const RUNS: Readonly<Record<string, string>> = {
  npm: "npm run",
  pnpm: "pnpm run",
  yarn: "yarn run",
  bun: "bun run",
  node: "node --run",
  deno: "deno task",
};

/** `hyperfine 'cmd' 'cmd'`, `nodemon --exec 'cmd'`. */
export function commandTexts(invocation: Invocation): void {
  const options = invocation.options({
    short: "wrmMpcnSLxe",
    long: "warmup runs min-runs max-runs prepare cleanup setup shell parameter-list export-json export-markdown export-csv names exec watch ext command-name",
  });
  const named = options.values("p", "prepare", "c", "cleanup", "setup", "x", "exec");
  const texts = /^(?:hyperfine|concurrently)$/.test(invocation.name) ? options.operands : [];
  if (invocation.name === "watchexec" && options.operands.length > 0) invocation.start(options.operands);
  for (const text of [...named, ...texts]) {
    // `concurrently npm:build`
    const colon = text.text.indexOf(":");
    const runs = RUNS[text.text.slice(0, colon)];
    if (runs !== undefined) invocation.script(literal(`${runs} ${text.text.slice(colon + 1)}`));
    else if (/[\s;|&$/]/.test(text.text)) invocation.script(text);
  }
  invocation.print([{ from: "unknown" }]);
}

/** `nix-shell --run text`, `nix develop -c cmd`. */
export function nix(invocation: Invocation): void {
  // `nix run nixpkgs#curl -- args`: the program by the last part of its name.
  const dashes = invocation.args.findIndex(({ text }) => text === "--");
  const from = invocation.text(0) === "run" ? /#([\w.-]{1,100})$/.exec(invocation.text(1))?.[1] : undefined;
  if (from !== undefined && dashes > 0) return begin(invocation, [literal(from), ...invocation.args.slice(dashes + 1)], false);
  const at = invocation.args.findIndex((argument) => /^(?:--run|--command|-c)$/.test(argument.text));
  const text = invocation.args[at + 1];
  if (at < 0 || text === undefined) return;
  if (invocation.name === "nix-shell") invocation.script(text);
  else begin(invocation, invocation.args.slice(at + 1), false);
}

/** A subcommand, some operands, then the command: `direnv exec . cmd`. */
export function after(word: string, skip: number): Handler {
  return (invocation) => {
    const at = invocation.args.findIndex((argument) => argument.text === word);
    if (at < 0) return;
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const options = readOptions(invocation.args.slice(at + 1), { stop: true });
    begin(invocation, dashes > at ? invocation.args.slice(dashes + 1) : options.operands.slice(skip), false);
  };
}

/** `poetry run cmd`, `mise exec -- cmd`; other subcommands belong to the tool's own handler. */
export function invokeAfter(...words: readonly string[]): Handler {
  return (invocation) => {
    const at = invocation.args.findIndex((argument) => words.includes(argument.text));
    if (at < 0 || at > 8) {
      toolCommand(invocation.name)?.(invocation);
      return;
    }
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const options = readOptions(invocation.args.slice(at + 1), {
      short: "npeCm",
      long: "name env-file project config account with with-requirements with-editable python extra group module directory index-url",
      stop: true,
    });
    const module = invocation.name === "uv" ? options.value("m", "module") : undefined;
    if (module !== undefined) return invocation.start([literal("python3"), literal("-m"), module, ...options.operands]);
    // uv runs a Python file by its name.
    if (invocation.name === "uv" && options.operands[0]?.text.endsWith(".py") === true)
      return invocation.start([literal("python3"), ...options.operands]);
    begin(invocation, dashes > at ? invocation.args.slice(dashes + 1) : options.operands, true);
  };
}

/** `npx wrangler deploy`, `dotenv -- cmd`. */
export function runner(invocation: Invocation): void {
  const table: OptionTable = { short: "pcfe", long: "package call file env-file from with python", stop: true };
  const options = invocation.options(table);
  const call = options.value("c", "call");
  if (call !== undefined && invocation.name === "npx") return invocation.script(call);
  let words = options.operands;
  if (invocation.name === "pipx" && words[0]?.text === "run") words = words.slice(1);
  if (invocation.name === "dotenvx" && words[0]?.text === "run") words = words.slice(1).filter((word) => word.text !== "--");
  const [first, ...rest] = words;
  if (first === undefined) return;
  // `wrangler@3` names a version.
  const name = first.text.lastIndexOf("@") > 0 ? first.text.slice(0, first.text.lastIndexOf("@")) : first.text;
  begin(invocation, [{ ...first, text: name }, ...rest], true);
}
