/** Commands that put a package into a registry (third-party-destinations.md §6). Which files that is, `call/packing` says. */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, Destination, Packing, Part, Source } from "../../effect.ts";
import { argumentSources, literal } from "../../source.ts";
import { upTo } from "../../text.ts";
import { targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { Options, OptionTable } from "../options.ts";
import { quoted } from "../quoting.ts";
import { signIn } from "./logins.ts";
import { pushes } from "./pushes.ts";

const PYPI = "upload.pypi.org";

/** The handler of a publishing command. */
export function publishCommand(name: string): Handler | undefined {
  switch (name) {
    case "jsr":
    case "deno":
      return source("publish", "jsr.io", name);
    case "cargo":
      return cargo;
    case "poetry":
    case "uv":
    case "flit":
    case "hatch":
    case "pdm":
    case "rye":
    case "maturin":
      return python;
    case "pyproject-build":
      return (invocation) => {
        const [folder] = invocation.options({ short: "oC", long: "outdir config-setting config-json installer" }).operands;
        invocation.shell.core.made.push({ what: "package", name: "python", packing: { tool: "python", folder: here(invocation, folder) } });
      };
    case "mvn":
    case "mvnw":
      return bare("deploy");
    case "sbt":
      return bare("publish");
    case "gradle":
    case "gradlew":
      return gradle;
    case "pod":
      return bare("push", "trunk.cocoapods.org");
    case "dart":
    case "flutter":
    case "pub":
      return source("publish", "pub.dev", "pub");
    case "mix":
      return bare("hex.publish", "hex.pm");
    case "vsce":
      return extension("marketplace.visualstudio.com");
    case "ovsx":
      return extension("open-vsx.org");
    case "twine":
      return files("upload", PYPI, TWINE);
    case "gem":
      return gem;
    case "dotnet":
    case "nuget":
      return files("push", "nuget.org", { short: "ksn", long: "api-key source symbol-api-key symbol-source timeout configfile" });
    case "luarocks":
      return files("upload", "luarocks.org", { long: "api-key temp-key server" });
    case "cpan-upload":
      return files(undefined, "pause.perl.org", { short: "u", long: "user password directory" });
    case "anaconda":
      return files("upload", "anaconda.org", { short: "tucl", long: "token user channel label" });
    case "composer":
      return undefined;
    case "hf":
    case "huggingface-cli":
    case "modelscope":
      return hub;
    case "kaggle":
      return kaggle;
    case "wandb":
      return bare("put", "wandb.ai");
    default:
      return undefined;
  }
}

const TWINE: OptionTable = {
  short: "rupsic",
  long: "repository repository-url username password sign-with identity comment config-file cert client-cert",
};

function web(host: string | undefined): Destination {
  return { kind: "web", host, url: undefined };
}

/** What signs the publisher in, in the spellings these tools have for it; what else `-p`, `-k` and `-t` can be is no secret. */
export function login(options: Options): Part[] {
  return options
    .values("token", "password", "pat", "api-key", "otp", "p", "k", "t")
    .map((value) => ({ sources: argumentSources(value), position: "credential" }));
}

const PUBLIC =
  /^(?:(?:registry\.|www\.)?(?:npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com)|(?:npm\.)?jsr\.io|(?:upload\.|test\.|files\.)?(?:pypi|pythonhosted)\.org|(?:www\.|static\.|index\.)?crates\.io|(?:www\.)?rubygems\.org|(?:www\.|api\.)?nuget\.org|luarocks\.org|anaconda\.org|pub\.dev)$/;

/** Puts a package where the command says: into the tool's own registry for everybody, or into a named one, which is somebody's own. */
export function toRegistry(
  invocation: Invocation,
  via: string,
  parts: readonly Part[],
  host: string | undefined,
  named: Argument | undefined,
  packing: Packing | undefined,
): void {
  const far = named === undefined ? undefined : targetOf(named.text, "https").destination;
  if (far === undefined || far.host === undefined || PUBLIC.test(far.host))
    return invocation.publish(via, parts, far ?? web(host), packing);
  // The registry is somebody's own; whether the login belongs there is not said by that.
  const logins = parts.filter(({ position }) => position === "credential");
  invocation.send(
    via,
    parts.filter(({ position }) => position === "data"),
    { ...far, kind: "storage" },
    packing,
  );
  if (logins.length > 0) invocation.send(via, logins, far);
}

/** A registry by its short name in the tool's own settings: an own one. */
function byName(name: string): Argument {
  return literal(`https://${name.replace(/[^\w-]/g, "-")}.internal`);
}

export function here(invocation: Invocation, place: Argument = literal(".")): Packing["folder"] {
  return invocation.file(place);
}

/** Publishes the folder it stands in, or one that it names, from its sources. */
function source(verb: string, host: string, tool: string): Handler {
  return (invocation) => {
    const options = invocation.options({ short: "C", long: "token config directory registry server" });
    const at = options.operands.findIndex((operand) => operand.text === verb);
    if (at < 0 || at > 2 || options.has("dry-run", "n", "help", "h")) return;
    const folder = options.value("C", "directory");
    toRegistry(invocation, `${invocation.name} ${verb}`, login(options), host, options.value("server", "registry"), {
      tool,
      folder: here(invocation, folder),
    });
  };
}

/** Publishes what a build made elsewhere; no file is known. */
function bare(verb: string, host?: string): Handler {
  return (invocation) => {
    const options = invocation.options({});
    const at = options.operands.findIndex((operand) => operand.text === verb);
    if (at < 0 || at > 2 || options.has("dry-run", "help", "h")) return;
    invocation.publish(`${invocation.name} ${verb}`, [], web(host));
  };
}

function gradle(invocation: Invocation): void {
  if (!invocation.args.some((argument) => /^:?(?:[\w-]{1,60}:){0,6}publish(?!ToMavenLocal)/.test(argument.text))) return;
  invocation.publish(`${invocation.name} publish`, [], web(undefined));
}

/** Commands of a setting on cargo's command line: `target.x.runner="cmd"`, `build.rustc-wrapper="cmd"`. */
function cargoCommands(setting: string): readonly string[] {
  if (!setting.includes("=")) return [];
  const commands: string[] = [];
  const stack: (readonly [string, unknown])[] = [];
  try {
    stack.push(["", Bun.TOML.parse(setting)]);
  } catch {
    return []; // Cargo refuses it as well.
  }
  for (let next = stack.pop(); next !== undefined && commands.length < CHOSEN.code_commands; next = stack.pop()) {
    const [name, value] = next;
    const isCommand = /^(?:runner|linker|rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper|credential-provider)$/.test(name);
    if (isCommand && typeof value === "string") commands.push(value);
    else if (isCommand && Array.isArray(value)) commands.push(value.map((word) => quoted(String(word))).join(" "));
    else if (typeof value === "object" && value !== null) stack.push(...Object.entries(value));
  }
  return commands;
}

function cargo(invocation: Invocation): void {
  const words = invocation.args[0]?.text.startsWith("+") === true ? invocation.args.slice(1) : invocation.args;
  const options = invocation.options(
    {
      short: "pjFZC",
      long: "registry index token manifest-path package target target-dir features jobs config color exclude lockfile-path",
    },
    invocation.args.length - words.length,
  );
  const verb = options.operands[0]?.text ?? "";
  for (const setting of options.values("config")) for (const command of cargoCommands(setting.text)) invocation.script(literal(command));
  if (verb === "login") {
    // Which host a registry's short name stands for is its configuration's.
    const own = options.has("registry") && options.value("registry")?.text !== "crates-io";
    const token = options.operands[1];
    return signIn(
      invocation,
      "cargo login",
      own ? undefined : "crates.io",
      token === undefined ? invocation.stdin : argumentSources(token),
    );
  }
  if (!/^(?:publish|package|release|workspaces|smart-release)$/.test(verb) || options.has("dry-run", "n", "list", "l", "help", "h")) return;
  if (verb === "workspaces" && options.operands[1]?.text !== "publish") return;
  // `cargo release` only tells what it would do until it is asked to.
  if (/release$/.test(verb) && !options.has("execute", "x")) return;
  if (/release$/.test(verb) && !options.has("no-push")) pushes(invocation);
  const manifest = options.value("manifest-path");
  const folder =
    manifest === undefined
      ? literal(".")
      : { ...manifest, text: manifest.text.slice(0, Math.max(0, manifest.text.lastIndexOf("/"))) || "." };
  const named = options.values("p", "package").map(({ text }) => upTo(text, "@"));
  const packing: Packing = {
    tool: "cargo",
    folder: here(invocation, folder),
    ...(options.has("workspace", "all") || verb === "workspaces" ? { members: "all" } : named.length > 0 ? { members: named } : {}),
  };
  if (verb === "package") return invocation.emit({ kind: "pack", via: "cargo package", packing });
  const registry = options.value("registry");
  const index = options.value("index") ?? (registry === undefined || registry.text === "crates-io" ? undefined : byName(registry.text));
  toRegistry(invocation, `cargo ${verb}`, login(options), "crates.io", index, packing);
}

/** `uv publish`, `poetry publish --build` …: what lies in `dist`, and what this call builds into it. */
function python(invocation: Invocation): void {
  const options = invocation.options({
    short: "rupCt",
    long: "publish-url index repository url username password token trusted-publishing keyring check-url cert client-cert dist-dir project directory repo user config-setting",
  });
  const at = options.operands.findIndex(({ text }) => text === "publish" || text === "build" || text === "upload");
  const verb = options.operands[at]?.text;
  if (verb === undefined || at > 1 || options.has("dry-run", "help", "h")) return;
  const folder = here(invocation, options.value("C", "directory", "project"));
  const built: Packing = { tool: "python", folder };
  if (verb === "build") return void invocation.shell.core.made.push({ what: "package", name: "python", packing: built });
  const name = options.value("index", "repository", "r", "repo")?.text;
  const registry =
    options.value("publish-url", "url") ??
    (name === undefined || /^(?:test)?pypi$/.test(name) || name.includes("://") ? options.value("repository") : byName(name));
  const address = registry !== undefined && /^(?:test)?pypi$/.test(registry.text) ? undefined : registry;
  const patterns = options.operands.slice(at + 1).map(({ text }) => text);
  const via = `${invocation.name} ${verb}`;
  toRegistry(invocation, via, login(options), PYPI, address, {
    tool: "built",
    folder,
    members: patterns.length > 0 ? patterns : ["dist"],
  });
  // These build before they publish.
  if (options.has("build") || /^(?:flit|pdm|hatch|maturin)$/.test(invocation.name) || madeHere(invocation, "python"))
    toRegistry(invocation, via, [], PYPI, address, built);
}

function madeHere(invocation: Invocation, name: string): boolean {
  return invocation.shell.core.made.some((one) => one.what === "package" && one.name === name);
}

function gem(invocation: Invocation): void {
  const [verb, spec] = invocation.options({ short: "koC", long: "key host otp output" }).operands;
  if (verb?.text === "build" && spec !== undefined)
    return void invocation.shell.core.made.push({
      what: "package",
      name: "gem",
      packing: { tool: "gem", folder: here(invocation), file: invocation.file(spec) },
    });
  return files("push", "rubygems.org", { short: "kp", long: "key host otp http-proxy" })(invocation);
}

/** Publishes the files it names, archives with what lies in them. */
function files(verb: string | undefined, host: string, table: OptionTable): Handler {
  return (invocation) => {
    const options = invocation.options(table);
    const at = verb === undefined ? -1 : options.operands.findIndex((operand) => operand.text === verb);
    if ((verb !== undefined && at < 0) || at > 2 || options.has("help", "h", "dry-run")) return;
    const named = options.operands.slice(at + 1);
    const sources: Source[] = named.length === 0 ? [...invocation.stdin] : named.flatMap((file) => [...invocation.read(file)]);
    const repository = options.value("repository", "r")?.text;
    const registry =
      options.value("repository-url", "host", "source", "s", "server") ??
      (repository === undefined || /^(?:test)?pypi$/.test(repository) ? undefined : byName(repository));
    const via = `${invocation.name} ${verb ?? ""}`.trim();
    const packing: Packing | undefined =
      named.length === 0 ? undefined : { tool: "built", folder: here(invocation), members: named.map(({ text }) => text) };
    toRegistry(invocation, via, [{ sources, position: "data" }, ...login(options)], host, registry, packing);
    for (const made of invocation.shell.core.made)
      if (
        made.packing !== undefined &&
        made.what === "package" &&
        /^(?:python|gem)$/.test(made.name) === /^(?:twine|gem)$/.test(invocation.name)
      )
        toRegistry(invocation, via, [], host, registry, made.packing);
    invocation.print([{ from: "unknown" }]);
  };
}

/** Editor extensions, from their sources or packed before (`-i x.vsix`). */
function extension(host: string): Handler {
  return (invocation) => {
    const options = invocation.options({
      short: "poimt",
      long: "pat packagePath packageVersion target message out githubBranch gitlabBranch baseContentUrl baseImagesUrl ignoreFile readme-path changelog-path registryUrl",
    });
    const verb = options.operands[0]?.text;
    const packing: Packing = { tool: "vsce", folder: here(invocation) };
    if (verb === "package" && !options.has("help", "h"))
      return invocation.emit({ kind: "pack", via: `${invocation.name} package`, packing });
    if (verb !== "publish" || options.has("dry-run", "help", "h")) return;
    const packed = [...options.values("i", "packagePath"), ...options.operands.slice(1).filter(({ text }) => text.endsWith(".vsix"))];
    const signs = login(options).filter(({ sources }) => sources.length > 0);
    toRegistry(
      invocation,
      `${invocation.name} publish`,
      signs,
      host,
      options.value("registryUrl"),
      packed.length === 0 ? packing : { tool: "built", folder: here(invocation), members: packed.map(({ text }) => text) },
    );
  };
}

function hub(invocation: Invocation): void {
  const options = invocation.options({
    long: "repo-type revision commit-message commit-description include exclude token num-workers every delete",
    short: "",
  });
  const at = options.operands.findIndex((operand) => operand.text === "upload" || operand.text === "upload-large-folder");
  if (at < 0) return;
  const file = options.operands[at + 2];
  const parts: Part[] = [{ sources: file === undefined ? [] : invocation.read(file), position: "data" }, ...login(options)];
  const folder = file === undefined ? { tool: "dotted", folder: here(invocation) } : undefined;
  if (options.has("private")) invocation.send(`${invocation.name} upload`, parts, { ...web("huggingface.co"), kind: "storage" }, folder);
  else invocation.publish(`${invocation.name} upload`, parts, web("huggingface.co"), folder);
}

/** Data sets and notebooks; a data set is private unless it is told otherwise. */
function kaggle(invocation: Invocation): void {
  const options = invocation.options({ short: "pmrt", long: "path message dir-mode" });
  const verb = options.operands[1]?.text ?? "";
  if (!/^(?:create|version|push)$/.test(verb)) return;
  const packing: Packing = { tool: "dotted", folder: here(invocation, options.value("p", "path")) };
  if (options.has("u", "public")) invocation.publish(`kaggle ${verb}`, [], web("kaggle.com"), packing);
  else invocation.send(`kaggle ${verb}`, [], { ...web("kaggle.com"), kind: "storage" }, packing);
}
