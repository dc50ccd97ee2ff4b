/** Commands that are public by their own meaning, and registries and deployments (third-party-destinations.md §6). */
import type { Argument, Destination, Part, Source } from "../../effect.ts";
import { argumentSources } from "../../source.ts";
import { targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { type Options, readOptions } from "../options.ts";
import { contact } from "./contact.ts";

const PYPI = "upload.pypi.org";

/** The handler of a publishing command. */
export function publishCommand(name: string): Handler | undefined {
  switch (name) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "cnpm":
      return nodePackages;
    case "jsr":
    case "deno":
      return folderPublish("publish", "jsr.io", ".");
    case "cargo":
      return folderPublish("publish", "crates.io", ".");
    case "poetry":
    case "uv":
    case "flit":
    case "hatch":
    case "pdm":
    case "rye":
      return folderPublish("publish", PYPI, "dist");
    case "mvn":
    case "mvnw":
      return folderPublish("deploy", undefined, undefined);
    case "gradle":
    case "gradlew":
      return gradle;
    case "pod":
      return folderPublish("push", "trunk.cocoapods.org", undefined);
    case "dart":
    case "flutter":
    case "pub":
      return folderPublish("publish", "pub.dev", ".");
    case "mix":
      return folderPublish("hex.publish", "hex.pm", undefined);
    case "vsce":
    case "ovsx":
      return folderPublish("publish", "marketplace.visualstudio.com", ".");
    case "twine":
      return fileUpload("upload", PYPI);
    case "gem":
      return fileUpload("push", "rubygems.org");
    case "dotnet":
    case "nuget":
      return fileUpload("push", "nuget.org");
    case "luarocks":
    case "cpan-upload":
    case "anaconda":
      return fileUpload("upload", undefined);
    case "hf":
    case "huggingface-cli":
    case "modelscope":
      return hub;
    case "kaggle":
      return kaggle;
    case "wandb":
      return folderPublish("push", undefined, undefined);
    case "vercel":
    case "vc":
    case "now":
      return deploy("vercel.com", /^(?:deploy$|$)/, ".");
    case "netlify":
    case "ntl":
      return deploy("netlify.com", /^deploy$/, undefined);
    case "wrangler":
      return deploy("cloudflare.com", /^(?:deploy|publish|pages)$/, undefined);
    case "firebase":
      return deploy("firebase.google.com", /^deploy$/, undefined);
    case "surge":
      return deploy("surge.sh", /^(?!login|logout|list|whoami|token|teardown)/, ".");
    case "gh-pages":
      return deploy("github.io", /^/, undefined);
    case "railway":
      return deploy("railway.app", /^up$/, undefined);
    case "flyctl":
    case "fly":
      return deploy("fly.io", /^deploy$/, undefined);
    case "ipfs":
    case "w3":
    case "arweave":
    case "arkb":
      return fileUpload(/^(?:add|up|deploy|deploy-dir)$/, "ipfs.io");
    case "pastebinit":
    case "nopaste":
      return paste("pastebin.com");
    case "fpaste":
      return paste("paste.centos.org");
    case "termbin":
      return paste("termbin.com");
    case "wgetpaste":
      return paste("paste.gentoo.zip");
    case "hastebin":
    case "haste":
      return paste("hastebin.com");
    case "ix":
      return paste("ix.io");
    case "sprunge":
      return paste("sprunge.us");
    case "gist":
    case "gist-paste":
      return paste("gist.github.com");
    case "transfer":
      return paste("transfer.sh");
    case "asciinema":
      return fileUpload("upload", "asciinema.org");
    case "croc":
      return fileUpload("send", undefined);
    case "wormhole":
    case "magic-wormhole":
    case "wormhole-william":
      return fileUpload("send", undefined);
    case "portal":
    case "ffsend":
      return fileUpload(/^(?:send|upload|u)$/, undefined);
    case "slackcat":
    case "discord.sh":
    case "telegram-send":
    case "ntfy":
    case "apprise":
      return chat;
    case "ngrok":
    case "cloudflared":
    case "lt":
    case "localtunnel":
    case "bore":
    case "tmate":
    case "sshx":
    case "upterm":
    case "zrok":
    case "pinggy":
    case "devtunnel":
      return tunnel;
    case "tailscale":
      return (invocation) => {
        const [verb, ...rest] = invocation.options({ short: "p", long: "bg https http tcp set-path" }).operands;
        if (verb?.text !== "funnel") return;
        open(
          invocation,
          rest.find((place) => /^[~./]|\//.test(place.text) && !place.text.includes("://")),
        );
      };
    case "serve":
    case "http-server":
    case "live-server":
      return (invocation) => serve(invocation, invocation.options({ short: "lpSTca" }).operands[0], false);
    case "miniserve":
    case "simple-http-server":
    case "darkhttpd":
      return (invocation) => serve(invocation, invocation.options({ short: "ipa" }).operands[0], true);
    default:
      return undefined;
  }
}

function web(host: string | undefined): Destination {
  return { kind: "web", host, url: undefined };
}

function dry(options: Options): boolean {
  return options.has("dry-run", "n", "dryRun", "help", "h");
}

/** Publishes a package; `packed` is the folder that is packed as it stands, undefined where only built results go. */
function folderPublish(verb: string, host: string | undefined, packed: string | undefined): Handler {
  return (invocation) => {
    const options = invocation.options({
      short: "p",
      long: "registry index repository publish-url manifest-path token package username password pat repository-url",
    });
    const at = options.operands.findIndex((operand) => operand.text === verb);
    if (at < 0 || at > 2 || dry(options)) return;
    const index = options.value("registry", "publish-url", "repository-url");
    const manifest = options.value("manifest-path");
    const place = manifest === undefined ? packed : manifest.text.slice(0, Math.max(0, manifest.text.lastIndexOf("/"))) || ".";
    const folder = place === undefined ? undefined : invocation.file({ text: place, exact: manifest?.exact ?? true, sources: [] });
    invocation.publish(`${invocation.name} ${verb}`, login(options), registry(index, host), folder);
  };
}

/** What signs the publisher in, in the spellings these tools have for it; what else `-p`, `-k` and `-t` can be is no secret. */
function login(options: Options): Part[] {
  return options
    .values("token", "password", "pat", "api-key", "p", "k", "t")
    .map((value) => ({ sources: argumentSources(value), position: "credential" }));
}

/** Where it goes: the address that is named, otherwise the tool's own host. */
function registry(named: Argument | undefined, host: string | undefined): Destination {
  return named === undefined ? web(host) : targetOf(named.text, "https").destination;
}

/** Publishes the files it names. */
function fileUpload(verb: string | RegExp, host: string | undefined): Handler {
  return (invocation) => {
    const options = invocation.options({
      short: "rupskictm",
      long: "repository repository-url username password sign-with identity comment skip-existing key host source api-key config-file code text token",
    });
    const at = options.operands.findIndex((operand) => (typeof verb === "string" ? operand.text === verb : verb.test(operand.text)));
    if (at < 0 || at > 2) return;
    const files = options.operands.slice(at + 1);
    const text = options.value("text");
    const sources: Source[] = [
      ...files.flatMap((file) => [...invocation.read(file)]),
      ...(text === undefined ? [] : argumentSources(text)),
      ...(files.length === 0 ? invocation.stdin : []),
    ];
    const index = options.value("repository-url", "host", "source");
    invocation.publish(
      `${invocation.name} ${options.operands[at]?.text}`,
      [{ sources, position: "data" }, ...login(options)],
      registry(index, host),
    );
    invocation.print([{ from: "unknown" }]);
  };
}

function nodePackages(invocation: Invocation): void {
  const options = readOptions(invocation.args, {
    short: "Cw",
    long: "registry access tag otp workspace prefix cwd dir filter userconfig location",
  });
  const words = options.operands.map((operand) => operand.text);
  const [verb = "", second = ""] = words;
  if ((verb === "config" && second === "get") || verb === "get" || (verb === "c" && second === "get")) {
    const key = words[verb === "get" ? 1 : 2] ?? "";
    if (/_auth|_password|token/i.test(key))
      return invocation.print([{ from: "credential command", command: "npm config get", plain: true }]);
    return invocation.print([{ from: "unknown" }]);
  }
  const publishes =
    verb === "publish" ||
    (verb === "npm" && second === "publish") ||
    (verb === "pm" && second === "publish") ||
    (verb === "workspaces" && words.includes("publish")) ||
    (verb === "stage" && second === "publish");
  if (publishes) {
    if (options.has("dry-run", "dryRun", "help")) return;
    const operand = options.operands[words.indexOf("publish") + 1];
    const place = operand ?? options.value("prefix", "C", "cwd", "dir");
    const tarball = place !== undefined && /\.(?:tgz|tar\.gz)$/.test(place.text);
    const parts: Part[] = tarball ? [{ sources: invocation.read(place), position: "data" }] : [];
    invocation.publish(
      `${invocation.name} publish`,
      parts,
      registry(options.value("registry"), "npmjs.org"),
      tarball ? undefined : invocation.file(place ?? { text: ".", exact: true, sources: [] }),
    );
    return;
  }
  if (verb === "exec" || verb === "x" || verb === "dlx") {
    const at = invocation.args.findIndex((argument) => argument.text === verb);
    const dashes = invocation.args.findIndex((argument) => argument.text === "--");
    const call = readOptions(invocation.args.slice(at + 1), { short: "cp", long: "call package", stop: true });
    const script = call.value("c", "call");
    if (script !== undefined) return invocation.script(script);
    const rest = dashes > at ? invocation.args.slice(dashes + 1) : call.operands;
    if (rest.length > 0) return invocation.start(rest);
  }
  if (invocation.args.some((argument) => argument.text.includes("://"))) contact(invocation);
  invocation.print([{ from: "unknown" }]);
}

function gradle(invocation: Invocation): void {
  if (!invocation.args.some((argument) => /^:?(?:[\w-]{1,60}:){0,6}publish(?!ToMavenLocal)/.test(argument.text))) return;
  invocation.publish(`${invocation.name} publish`, [], web(undefined));
}

/** `kaggle datasets create -p folder`, `kaggle kernels push -p folder`. */
function kaggle(invocation: Invocation): void {
  const options = invocation.options({ short: "pmr", long: "path message dir-mode" });
  if (!options.operands.some(({ text }) => /^(?:create|version|push)$/.test(text))) return;
  const folder = options.value("p", "path") ?? { text: ".", exact: true, sources: [] };
  invocation.publish("kaggle", [], web("kaggle.com"), invocation.file(folder));
}

function hub(invocation: Invocation): void {
  const options = invocation.options({ long: "repo-type revision commit-message include exclude token", short: "" });
  const at = options.operands.findIndex((operand) => operand.text === "upload" || operand.text === "upload-large-folder");
  if (at < 0) return;
  const files = options.operands.slice(at + 2, at + 3);
  const parts: Part[] = [{ sources: files.length === 0 ? [] : files.flatMap((file) => [...invocation.read(file)]), position: "data" }];
  const folder = files.length === 0 ? invocation.file({ text: ".", exact: true, sources: [] }) : undefined;
  if (options.has("private")) invocation.send(`${invocation.name} upload`, parts, web("huggingface.co"));
  else invocation.publish(`${invocation.name} upload`, parts, web("huggingface.co"), folder);
}

/** Puts a site in front of everyone; `packed` is what goes when no folder is named. */
function deploy(host: string, verb: RegExp, packed: string | undefined): Handler {
  return (invocation) => {
    const options = invocation.options({
      short: "tdA",
      long: "token scope dir site config name env build-env project message cwd functions project-name branch only except alias service environment assets public app image region compatibility-date var",
    });
    const first = options.operands[0]?.text ?? "";
    const printed = printedLogin(invocation.name, first, options.operands[1]?.text ?? "");
    if (printed !== undefined) return invocation.print([{ from: "credential command", command: printed, plain: true }]);
    if (!verb.test(first) || options.has("help", "dry-run", "dryRun", "version")) return;
    if (/^(?:pages|w)$/.test(first) && options.operands[1]?.text !== "deploy" && options.operands[1]?.text !== "publish") return;
    const named =
      options.value("dir", "d", "cwd", "assets", "public") ??
      options.operands
        .slice(invocation.name === "surge" ? 0 : 1)
        .find((operand) => operand.text !== "deploy" && operand.text !== "publish");
    const place = named ?? (packed === undefined ? undefined : { text: packed, exact: true, sources: [] });
    invocation.publish(
      `${invocation.name} ${first}`.trim(),
      login(options),
      web(host),
      place === undefined ? undefined : invocation.file(place),
    );
  };
}

/** Commands of deploying tools that print a stored credential or the values of variables. */
function printedLogin(name: string, verb: string, next: string): string | undefined {
  if (/^fly/.test(name)) return verb === "auth" && next === "token" ? "fly auth token" : undefined;
  if (name === "firebase") return verb === "login:ci" ? "firebase login:ci" : undefined;
  if (name === "railway") return /^(?:variables|vars)$/.test(verb) && next === "" ? "railway variables" : undefined;
  if (/^(?:netlify|ntl)$/.test(name)) return verb === "env:get" ? "netlify env:get" : undefined;
  return undefined;
}

/** Pastes standard input or the files it names. */
function paste(host: string): Handler {
  return (invocation) => {
    const options = invocation.options({ short: "abfiltjdsu", long: "" });
    const files = [...options.values("i"), ...options.operands];
    const address = options.value("b");
    invocation.publish(invocation.name, [{ sources: invocation.readAll(files), position: "data" }], registry(address, host));
    invocation.print([{ from: "unknown" }]);
  };
}

function chat(invocation: Invocation): void {
  const options = invocation.options({ short: "cnfg", long: "channel filename file image text webhook-url title message" });
  const files = options.values("f", "file", "image").flatMap((file) => [...invocation.read(file)]);
  const words = options.operands.filter((operand) => operand.text !== "publish" && operand.text !== "send");
  const sources: Source[] = [
    ...files,
    ...words.flatMap(argumentSources),
    ...options.values("text", "title", "message").flatMap(argumentSources),
    ...invocation.stdin,
  ];
  if (invocation.name === "slackcat") sources.push(...words.flatMap((word) => [...invocation.read(word)]));
  const host =
    invocation.name === "ntfy"
      ? "ntfy.sh"
      : invocation.name === "slackcat"
        ? "slack.com"
        : invocation.name === "discord.sh"
          ? "discord.com"
          : "api.telegram.org";
  invocation.publish(invocation.name, [{ sources, position: "data" }], web(host));
}

/** A web server over a folder, the current one without any. */
export function serve(invocation: Invocation, folder: Argument | undefined, open: boolean): void {
  const place = folder ?? { text: ".", exact: true, sources: [] };
  invocation.emit({
    kind: "serve",
    via: invocation.name,
    folder: invocation.file(place),
    open,
  });
}

/** A tunnel, and what it hands out itself. */
function open(invocation: Invocation, folder: Argument | undefined): void {
  const place = folder === undefined ? undefined : { ...folder, text: folder.text.replace(/^file:\/\//, "") };
  const parts: Part[] = place === undefined ? [] : [{ sources: invocation.read(place), position: "data" }];
  invocation.publish(invocation.name, parts, { kind: "tunnel", host: undefined, url: undefined });
}

/** Opens this machine to the public; no file is named. */
function tunnel(invocation: Invocation): void {
  if (/^(?:version|help|config|authtoken|login|access|update|service)$/.test(invocation.text(0)) || invocation.args.length === 0) return;
  const served = invocation.args.find((argument) => /^file:\/\//.test(argument.text));
  open(invocation, served ?? invocation.options({ long: "file-server" }).value("file-server"));
}
