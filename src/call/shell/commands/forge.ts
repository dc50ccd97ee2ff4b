/** Command lines of code hosts: gh, glab and their kin. */
import type { Argument, Destination, Packing, Part } from "../../effect.ts";
import { argumentSources, literal, sliceArgument, unique } from "../../source.ts";
import { upTo } from "../../text.ts";
import { headerPart } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { type Options, readOptions } from "../options.ts";
import { secretsOf, signIn } from "./logins.ts";
import { pushes } from "./pushes.ts";

/** The handler of a code host's command line. */
export function forgeCommand(name: string): Handler | undefined {
  switch (name) {
    case "gh":
      return gh;
    case "hub":
      return hub;
    case "tea":
      return tea;
    case "glab":
    case "bb":
    case "jira":
    case "linear":
    case "sentry-cli":
      return glab;
    default:
      return undefined;
  }
}

const GH_LONG =
  "body body-file title repo hostname description desc filename add notes notes-file target template reviewer assignee label milestone project base head input field raw-field header method jq json template subject message name env org app visibility source remote limit state search comment reason ref env-file file key body-text preview cache tag";

/** Where `gh` talks to: `--hostname`, GH_HOST, a host in `--repo`, else github.com. */
function host(invocation: Invocation, options: Options, fallback: string, variable: string): string {
  const named = options.value("hostname")?.text ?? invocation.variable(variable)?.text;
  if (named !== undefined && named !== "") return named.toLowerCase();
  const repo = options.value("repo", "R")?.text ?? "";
  const match = /^(?:https?:\/\/)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6})\/[^/]{1,100}\/[^/]{1,100}/i.exec(repo);
  return (match?.[1] ?? fallback).toLowerCase();
}

/** What a client signs in with, by the variable that names its server. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  GH_HOST: ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"],
  GITLAB_HOST: ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"],
};

function web(hostname: string, path = ""): Destination {
  return { kind: "web", host: hostname, url: `https://${hostname}/${path}` };
}

function gh(invocation: Invocation): void {
  const [group = "", action = ""] = readOptions(invocation.args, { short: "R", long: "repo hostname" }).operands.map(
    (operand) => operand.text,
  );
  if (group === "auth") {
    const shows =
      action === "token" || (action === "status" && invocation.args.some((argument) => /^(?:-t|--show-token)$/.test(argument.text)));
    if (shows) invocation.print([{ from: "credential command", command: `gh auth ${action}`, plain: true }]);
    if (action === "login") {
      const options = invocation.options({ short: "hps", long: "hostname git-protocol scopes" });
      const server = options.value("h")?.text ?? host(invocation, options, "github.com", "GH_HOST");
      signIn(invocation, "gh auth login", server, options.has("with-token") ? invocation.stdin : []);
    }
    return;
  }
  if (group === "api") return api(invocation, "gh api", "github.com", "GH_HOST");
  const options = invocation.options({
    short: group === "gist" ? "dfa" : action === "review" ? "bFR" : "bFtRnaclmprBHTdeofs",
    long: GH_LONG,
  });
  const server = host(invocation, options, "github.com", "GH_HOST");
  const operands = options.operands.slice(2);
  if (group === "gist") {
    if (action === "create" || action === "new") {
      const sources = operands.length === 0 ? invocation.stdin : operands.flatMap((file) => [...invocation.read(file)]);
      invocation.publish(
        "gh gist create",
        [{ sources, position: "data" }, ...texts(invocation, options)],
        web("gist.github.com"),
        globbed(invocation, operands),
      );
    } else if (action === "edit") {
      const sources = [...options.values("a", "add"), ...operands.slice(1)].flatMap((file) => [...invocation.read(file)]);
      invocation.publish("gh gist edit", [{ sources, position: "data" }], web("gist.github.com"));
    }
    return invocation.print([{ from: "unknown" }]);
  }
  if (group === "secret") return;
  // A variable is no secret: whoever may read the repository's settings reads it, and so does every log.
  if (group === "variable") {
    const given = [
      ...options.values("b", "body").flatMap(argumentSources),
      ...options.values("f", "env-file").flatMap((file) => [...invocation.read(file)]),
    ];
    const sources = unique(given.length > 0 ? given : invocation.stdin);
    if (action === "set" && sources.length > 0)
      invocation.send("gh variable set", [{ sources, position: "data" }], web(server, "variable"));
    return invocation.print([{ from: "unknown" }]);
  }
  if (group === "repo" && (action === "create" || action === "edit" || action === "new")) {
    const open = options.has("public") || options.value("visibility")?.text === "public";
    const source = options.value("source", "s") ?? (action === "edit" ? literal(".") : undefined);
    const packing = source === undefined ? undefined : { tool: "repository", folder: invocation.file(source) };
    if (open) invocation.publish(`gh repo ${action}`, texts(invocation, options), web(server), packing);
    else invocation.send(`gh repo ${action}`, texts(invocation, options), web(server, group));
    return;
  }
  if (group === "codespace" || group === "cs") {
    if (action === "cp")
      invocation.send(
        "gh codespace cp",
        [
          {
            sources: operands.filter(({ text }) => !text.startsWith("remote:")).flatMap((file) => [...invocation.read(file)]),
            position: "data",
          },
        ],
        {
          kind: "remote shell",
          host: "github.dev",
          url: undefined,
        },
      );
    return invocation.print([{ from: "unknown" }]);
  }
  if (group === "ssh-key" || group === "gpg-key") {
    const sources = operands[0] === undefined ? invocation.stdin : invocation.read(operands[0]);
    if (action === "add") invocation.send(`gh ${group} add`, [{ sources, position: "data" }], web(server, group));
    return;
  }
  if (group === "alias" && action === "set") {
    // An expansion with an exclamation mark is a shell's.
    const [, text] = operands;
    if (text !== undefined && (options.has("shell", "s") || text.text.startsWith("!")))
      invocation.script({ ...text, text: text.text.replace(/^!/, "") }, { quiet: true });
    return;
  }
  const parts = texts(invocation, options);
  if (group === "release" && (action === "create" || action === "upload")) {
    parts.push({
      sources: operands.slice(1).flatMap((file) => [...invocation.read({ ...file, text: upTo(file.text, "#") })]),
      position: "data",
    });
  }
  const writes = /^(?:create|comment|edit|review|close|reopen|merge|upload|new|note|update|run|set|label)$/.test(action);
  const files = group === "release" ? globbed(invocation, operands.slice(1)) : undefined;
  if (writes) invocation.send(`gh ${group} ${action}`, parts, web(server, group), files);
  invocation.print([{ from: "unknown" }]);
}

/** What patterns among the files of an upload stand for (`dist/*`). */
function globbed(invocation: Invocation, files: readonly Argument[]): Packing | undefined {
  const members = files.filter(({ text, exact }) => !exact && /[*?[]/.test(text) && !/[$`]/.test(text)).map(({ text }) => text);
  return members.length === 0 ? undefined : { tool: "built", folder: invocation.file(literal(".")), members };
}

/** Text options of a post: title, body, notes, and the files that hold them. */
function texts(invocation: Invocation, options: Options): Part[] {
  const parts: Part[] = [];
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    if (/^(?:F|body-file|notes-file)$/.test(name)) parts.push({ sources: invocation.read(value), position: "data" });
    else if (
      /^(?:b|body|t|title|n|notes|d|desc|description|m|message|c|comment|subject|f|field|raw-field|s|l|label|tag|filename)$/.test(name)
    )
      parts.push({ sources: argumentSources(value), position: "data" });
  }
  return parts;
}

/** `gh api`, `glab api`. */
function api(invocation: Invocation, via: string, fallback: string, variable: string): void {
  const options = invocation.options({
    short: "fFHXqtp",
    long: "field raw-field form header input method jq template hostname preview cache",
  });
  const endpoint = options.operands[1];
  const parts: Part[] = endpoint === undefined ? [] : [{ sources: argumentSources(endpoint), position: "data" }];
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    if (name === "H" || name === "header") parts.push(headerPart(value));
    else if (name === "input") parts.push({ sources: invocation.read(value), position: "data" });
    else if (/^(?:f|F|field|raw-field|form)$/.test(name)) {
      const equals = value.text.indexOf("=");
      const reads = (name === "F" || name === "field" || name === "form") && value.text[equals + 1] === "@";
      parts.push({ sources: reads ? invocation.read(sliceArgument(value, equals + 2)) : argumentSources(value), position: "data" });
    }
  }
  const token = TOKENS[variable]?.flatMap((name) => invocation.variable(name) ?? [])[0];
  if (token !== undefined) parts.push({ sources: argumentSources(token), position: "credential" });
  const server = host(invocation, options, fallback, variable);
  const path = endpoint?.text.replace(/^\//, "") ?? "";
  if (/^gists(?:\/|$)|^snippets(?:\/|$)/.test(path) && (parts.length > 1 || invocation.stdin.length > 0))
    invocation.publish(via, parts, web(fallback === "github.com" ? "gist.github.com" : server));
  else invocation.send(via, parts, web(fallback === "github.com" ? `api.${server}` : server, path));
  invocation.print([{ from: "unknown" }]);
}

function glab(invocation: Invocation): void {
  const [group = "", action = ""] = readOptions(invocation.args, { short: "R", long: "repo" }).operands.map((operand) => operand.text);
  const fallback = invocation.name === "glab" ? "gitlab.com" : invocation.name === "sentry-cli" ? "sentry.io" : "";
  if (group === "auth") {
    if (action === "status" && invocation.args.some((argument) => /^(?:-t|--show-token)$/.test(argument.text)))
      invocation.print([{ from: "credential command", command: "glab auth status", plain: true }]);
    if (action === "login") {
      const options = invocation.options({ short: "htjga", long: "hostname token job-token api-host api-protocol git-protocol" });
      const server = options.value("h")?.text ?? host(invocation, options, "gitlab.com", "GITLAB_HOST");
      signIn(invocation, "glab auth login", server, secretsOf(invocation, options, ["t", "token", "j", "job-token"], ["stdin"]));
    }
    return;
  }
  if (group === "config" && action === "get" && invocation.args.some((argument) => argument.text === "token"))
    return invocation.print([{ from: "credential command", command: "glab config get token", plain: true }]);
  if (group === "api") return api(invocation, "glab api", fallback, "GITLAB_HOST");
  const options = invocation.options({
    short: "mtdfRFblavNn",
    long: "message title description file filename repo visibility label assignee milestone value key body notes notes-file name ref assets-links group reviewer source-branch target-branch",
  });
  const server = host(invocation, options, fallback, "GITLAB_HOST");
  if (
    group === "mr" &&
    /^(?:create|new)$/.test(action) &&
    invocation.args.some(({ text }) => /^(?:--fill|--push|-f|-\w{1,4}f)$/.test(text))
  )
    pushes(invocation);
  const parts: Part[] = [];
  for (const { name, value } of options.options) {
    if (value === undefined || /^(?:R|repo|visibility)$/.test(name)) continue;
    // `release create -F notes.md`; in the other groups the letter names a format.
    const file = name === "notes-file" || (name === "F" && group === "release");
    parts.push({ sources: file ? invocation.read(value) : argumentSources(value), position: "data" });
  }
  const destination: Destination = server === "" ? { kind: "web", host: undefined, url: undefined } : web(server, group);
  if (group === "snippet" && /^(?:create|new)$/.test(action)) {
    const files: readonly Argument[] = options.operands.slice(2);
    parts.push({ sources: files.length === 0 ? invocation.stdin : files.flatMap((file) => [...invocation.read(file)]), position: "data" });
    if (options.value("visibility", "v")?.text === "public") invocation.publish("glab snippet create", parts, destination);
    else invocation.send("glab snippet create", parts, destination);
  } else if (group === "release" && /^(?:create|upload)$/.test(action)) {
    parts.push({
      sources: options.operands.slice(3).flatMap((file) => [...invocation.read({ ...file, text: upTo(file.text, "#") })]),
      position: "data",
    });
    invocation.send(`${invocation.name} release ${action}`, parts, destination, globbed(invocation, options.operands.slice(3)));
  } else if (/^(?:create|new|note|comment|update|edit|close|add|upload)$/.test(action) || /^send-(?:event|envelope)$/.test(group)) {
    parts.push({ sources: [...options.operands.slice(2).flatMap(argumentSources), ...invocation.stdin], position: "data" });
    invocation.send(`${invocation.name} ${group} ${action}`, parts, destination);
  }
  invocation.print([{ from: "unknown" }]);
}

/** The older GitHub client. */
function hub(invocation: Invocation): void {
  const options = invocation.options({
    short: "mFdfatbhlrMo",
    long: "message file description filename attach base head labels reviewer milestone header field raw-field",
  });
  const [group = "", action = ""] = options.operands.map(({ text }) => text);
  if (group === "api") return api(invocation, "hub api", "github.com", "GITHUB_HOST");
  const parts: Part[] = [];
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    if (name === "F" || name === "file" || name === "a" || name === "attach")
      parts.push({ sources: invocation.read(value), position: "data" });
    else if (/^(?:m|message|d|description)$/.test(name)) parts.push({ sources: argumentSources(value), position: "data" });
  }
  if (group === "gist" && action === "create") {
    const files = options.operands.slice(2);
    parts.push({ sources: files.length === 0 ? invocation.stdin : files.flatMap((file) => [...invocation.read(file)]), position: "data" });
    return invocation.publish("hub gist create", parts, web("gist.github.com"));
  }
  if (group === "pull-request" && options.has("p", "push")) pushes(invocation);
  if (group === "pull-request" || (/^(?:issue|release|pr)$/.test(group) && /^(?:create|edit|update|comment)$/.test(action)))
    return invocation.send(`hub ${group}`, parts, web("github.com", group));
  // Every other word is Git's own.
  if (!/^(?:browse|compare|ci-status|fork|create|delete|sync|alias)$/.test(group)) invocation.start([literal("git"), ...invocation.args]);
}

/** Gitea and Forgejo. */
function tea(invocation: Invocation): void {
  const options = invocation.options({
    short: "tdLamRrlon",
    long: "title description labels assignees milestone repo remote login note note-file asset target tag state",
  });
  const [group = "", action = ""] = options.operands.map(({ text }) => text);
  if (/^logins?$/.test(group) && action === "add") {
    const own = invocation.options({ short: "nutips", long: "name url token user password otp scopes ssh-key" });
    return signIn(invocation, "tea login add", own.value("u", "url")?.text, secretsOf(invocation, own, ["t", "token", "password"], []));
  }
  if (!/^(?:create|c|edit|e|comment|upload)$/.test(action) && group !== "comment") return invocation.print([{ from: "unknown" }]);
  const files = options.values("a", "asset", "note-file").flatMap((file) => [...invocation.read(file)]);
  const words = [...options.values("t", "title", "d", "description", "n", "note"), ...options.operands.slice(group === "comment" ? 1 : 2)];
  const sources = unique([...files, ...words.flatMap(argumentSources), ...(group === "comment" ? invocation.stdin : [])]);
  invocation.send(`tea ${group} ${action}`.trim(), [{ sources, position: "data" }], { kind: "web", host: undefined, url: undefined });
  invocation.print([{ from: "unknown" }]);
}
