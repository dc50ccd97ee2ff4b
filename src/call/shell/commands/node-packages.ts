/** npm, pnpm, yarn and bun, and the release tools that publish through them. */
import type { Argument, Packing, Part } from "../../effect.ts";
import { argumentSources, literal, sliceArgument, textSource } from "../../source.ts";
import { nodeOptions } from "./hooks.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { type Options, readOptions } from "../options.ts";
import { contact } from "./contact.ts";
import { signIn } from "./logins.ts";
import { pushes } from "./pushes.ts";
import { here, login, toRegistry } from "./publish.ts";

const REGISTRY = "npmjs.org";

/** The handler of a Node package manager or a release tool. */
export function nodePackageCommand(name: string): Handler | undefined {
  switch (name) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "cnpm":
      return manager;
    case "corepack":
      return (invocation) => invocation.start(invocation.args);
    case "lerna":
      return release(/^publish$/, "all");
    case "changeset":
      return release(/^publish$/, "all");
    case "nx":
      return release(/^release$/, "all");
    case "np":
    case "release-it":
    case "semantic-release":
      return release(/^/, undefined);
    default:
      return undefined;
  }
}

const LONG =
  "registry access tag otp workspace prefix cwd dir filter filter-prod userconfig globalconfig location pack-destination provenance-file cache loglevel new-version new-version publish-branch report-summary-file out filename destination gzip-level auth-type json-path node-options script-shell from jobs include exclude";

/** The options of a package manager and the words between them. */
export function managerOptions(name: string, args: readonly Argument[]): Options {
  return readOptions(args, { short: name === "npm" ? "Cw" : "CwFo", long: LONG });
}

function manager(invocation: Invocation): void {
  const { name, args } = invocation;
  // `npm test`, `npm run build`: what the script does is read where it stands. Most calls are of this kind.
  const runs = args[0]?.text === "test" || (args[0]?.text === "run" && args[1]?.text.startsWith("-") === false);
  if (runs && args.length <= 2 && args[1]?.text.includes("://") !== true) return invocation.print([{ from: "unknown" }]);
  const options = managerOptions(name, args);
  const shell = options.value("script-shell");
  if (shell?.text.includes("/") === true) invocation.start([shell]);
  const node = options.value("node-options");
  if (node !== undefined) nodeOptions(invocation, node);
  const words = options.operands.map((operand) => operand.text);
  const [verb = "", second = ""] = words;
  if ((verb === "config" && second === "get") || verb === "get" || (verb === "c" && second === "get")) {
    const key = words[verb === "get" ? 1 : 2] ?? "";
    if (/_auth|_password|token/i.test(key))
      return invocation.print([{ from: "credential command", command: "npm config get", plain: true }]);
    return invocation.print([{ from: "unknown" }]);
  }
  if (verb === "set" || ((verb === "config" || verb === "c") && second === "set")) {
    for (const [index, word] of options.operands.entries()) storedLogin(invocation, word, options.operands[index + 1]);
    return invocation.print([{ from: "unknown" }]);
  }
  if (verb === "pkg" && second === "set") return manifest(invocation, options.operands.slice(2));
  const at = verbAt(name, words);
  if (at !== undefined) return act(invocation, options, at);
  if (verb === "exec" || verb === "x" || verb === "dlx") return execute(invocation, verb);
  // `yarn lerna publish`, `pnpm changeset publish`: a program of the project's own, or one of its scripts.
  if (name !== "npm" && nodePackageCommand(verb) !== undefined)
    return invocation.start(invocation.args.slice(invocation.args.findIndex(({ text }) => text === verb)));
  if (invocation.args.some((argument) => argument.text.includes("://"))) contact(invocation);
  invocation.print([{ from: "unknown" }]);
}

/** `//registry.example/:_authToken=…`: the login every later call takes there. */
function storedLogin(invocation: Invocation, word: Argument, next: Argument | undefined): void {
  const match = /^\/\/([^/=]{1,253})(?:\/[^=]{0,500})?:_(?:authToken|auth|password)(=?)/.exec(word.text);
  if (match === null) return;
  const value = match[2] === "=" ? sliceArgument(word, match[0].length) : next;
  if (value !== undefined) signIn(invocation, `${invocation.name} config set`, match[1], argumentSources(value));
}

/** `npm pkg set scripts.test=cmd`: what it writes into the manifest. */
function manifest(invocation: Invocation, settings: readonly Argument[]): void {
  const scripts = settings.flatMap(({ text }) => {
    const [, name, script] = /^scripts\.([^=]{1,100})=(.{1,4000})$/s.exec(text) ?? [];
    return name === undefined || script === undefined ? [] : [[name, script]];
  });
  const file = invocation.file(literal("package.json"));
  if (scripts.length > 0)
    invocation.emit({ kind: "write", file, sources: textSource(JSON.stringify({ scripts: Object.fromEntries(scripts) })), append: true });
  invocation.print([{ from: "unknown" }]);
}

/** Where `publish` or `pack` stands among the words: behind `npm`, `pm`, `stage`, `workspace NAME`, `workspaces foreach`, `-r`. */
function verbAt(name: string, words: readonly string[]): number | undefined {
  const [verb = "", second = ""] = words;
  const is = (word: string | undefined): boolean =>
    word === "publish" || word === "pack" || (name === "npm" && " pub publ publi publis ".includes(` ${word} `));
  if (is(verb)) return 0;
  if (" npm pm stage recursive multi m ".includes(` ${verb} `) && is(second)) return 1;
  if (verb === "workspace") return is(words[2]) ? 2 : words[2] === "npm" && is(words[3]) ? 3 : undefined;
  if (verb === "workspaces") {
    const found = words.findIndex((word, at) => at > 0 && is(word));
    return found < 0 ? undefined : found;
  }
  return undefined;
}

function act(invocation: Invocation, options: Options, at: number): void {
  const { name } = invocation;
  const words = options.operands.map(({ text }) => text);
  const berry = name === "yarn" && words.includes("npm");
  if (options.has("dry-run", "dryRun", "help", "h") || (words[at] === "pack" && berry)) return;
  const packs = words[at] === "pack";
  const operand = options.operands[at + 1];
  const via = `${name} ${packs ? "pack" : "publish"}`;
  const tool = berry ? "berry" : name;
  const base = options.value("prefix", "C", "cwd", "dir");
  const members = membersOf(options, words, at);
  // A package by its name, or from an address, is nothing of this machine.
  const elsewhere =
    operand !== undefined &&
    operand.exact &&
    !/^[./~]|\.(?:tgz|tar(?:\.gz)?)$/.test(operand.text) &&
    (packs || /^(?:@|[a-z+]{2,8}:)/.test(operand.text));
  if (elsewhere) return invocation.print([{ from: "unknown" }]);
  const tarball = operand !== undefined && (!operand.exact || /\.(?:tgz|tar\.gz)$/.test(operand.text)) ? operand : undefined;
  const folder = here(invocation, tarball === undefined ? below(base, operand) : base);
  const open = options.value("access")?.text === "public";
  const packing: Packing = {
    tool,
    folder,
    ...(members === undefined ? {} : { members }),
    ...(open ? { open } : {}),
    ...(operand === undefined ? { here: true } : {}),
  };
  if (packs) {
    invocation.shell.core.made.push({ what: "package", name: "node", packing });
    invocation.emit({ kind: "pack", via, packing });
    return invocation.print([{ from: "unknown" }]);
  }
  const registry = options.value("registry") ?? variable(invocation, /^(?:npm|pnpm|yarn|bun)_config_registry$/i);
  const publish = (parts: readonly Part[], what: Packing): void =>
    toRegistry(invocation, via, [...parts, ...login(options)], REGISTRY, registry, what);
  if (tarball === undefined) return publish([], packing);
  publish([{ sources: invocation.read(tarball), position: "data" }], {
    tool: "built",
    folder: here(invocation),
    members: [tarball.text],
    ...(open ? { open } : {}),
  });
  // What this call packed may be what it now names.
  for (const made of invocation.shell.core.made) if (made.name === "node" && made.packing !== undefined) publish([], made.packing);
}

function below(base: Argument | undefined, operand: Argument | undefined): Argument {
  if (operand === undefined) return base ?? literal(".");
  return base === undefined || /^[/~]/.test(operand.text)
    ? operand
    : { text: `${base.text}/${operand.text}`, exact: base.exact && operand.exact, sources: [] };
}

function membersOf(options: Options, words: readonly string[], at: number): readonly string[] | "all" | undefined {
  if (words[0] === "workspace") return [words[1] ?? ""];
  const named = options.values("w", "workspace", "filter", "F", "filter-prod").map(({ text }) => text);
  if (named.length > 0) return named;
  if (
    words[0] === "workspaces" ||
    /^(?:recursive|multi|m)$/.test(words[0] ?? "") ||
    (at === 0 && options.has("r", "recursive", "workspaces", "ws"))
  )
    return "all";
  return undefined;
}

/** A variable in front of the command, or exported before. */
function variable(invocation: Invocation, name: RegExp): Argument | undefined {
  for (const [key, value] of invocation.environment) if (name.test(key)) return value;
  for (const [key, { exported, values }] of invocation.shell.state.variables) if (exported && name.test(key)) return values[0];
  return undefined;
}

function execute(invocation: Invocation, verb: string): void {
  const at = invocation.args.findIndex((argument) => argument.text === verb);
  const dashes = invocation.args.findIndex((argument) => argument.text === "--");
  const call = readOptions(invocation.args.slice(at + 1), { short: "cp", long: "call package", stop: true });
  const script = call.value("c", "call");
  if (script !== undefined) return invocation.script(script);
  const rest = dashes > at ? invocation.args.slice(dashes + 1) : call.operands;
  if (rest.length > 0) return invocation.start(rest);
  invocation.print([{ from: "unknown" }]);
}

/** Whether a release tool pushes the commit and the tag that it makes. */
function pushesRelease({ name, world }: Invocation, verb: string, options: Options): boolean {
  if (options.has("d", "preview", "help", "version", "h", "v")) return false;
  if (name === "lerna") return /^(?:version|publish)$/.test(verb) && !options.has("no-push", "no-git-tag-version");
  if (name === "release-it") return !options.has("no-git", "no-git.push");
  // Outside a build server it only tells what it would do.
  if (name === "semantic-release") return options.has("no-ci") || (world.environment["CI"] ?? "") !== "";
  return name === "np";
}

/** A tool that publishes the project's packages by itself. */
function release(verb: RegExp, members: "all" | undefined): Handler {
  return (invocation) => {
    const options = invocation.options({
      short: "dbpte",
      long: "registry contents tag branches branch repository-url tag-format plugins extends config dist-tag projects groups",
    });
    const said = options.operands.map(({ text }) => text);
    if (pushesRelease(invocation, said[0] ?? "", options)) pushes(invocation);
    if (!verb.test(said[0] ?? "") || (invocation.name === "nx" && said[1] !== undefined && said[1] !== "publish")) return;
    if (options.has("dry-run", "d", "preview", "no-npm", "no-npm.publish", "no-publish", "skip-publish", "help", "version", "h", "v"))
      return;
    const folder = here(invocation);
    toRegistry(invocation, `${invocation.name} publish`, [], REGISTRY, options.value("registry"), {
      tool: members === undefined ? "npm" : "lerna",
      folder,
      ...(members === undefined ? {} : { members }),
    });
  };
}
