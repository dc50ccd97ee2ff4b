/** `claude mcp add` and its kin: a server that the agent will talk to from now on, with the login kept for it. */
import type { Argument, Part } from "../../effect.ts";
import { argumentSources, literal, unique } from "../../source.ts";
import { headerPart, targetOf, urlParts } from "../../url.ts";
import type { Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";

/** Tells what adding a server sends later, and which file keeps it; false when the call adds none. */
export function addsServer(invocation: Invocation): boolean {
  const [group, action, ...args] = invocation.args;
  if (group?.text !== "mcp" || !/^add(?:-json)?$/.test(action?.text ?? "")) return false;
  const headers = args.filter(({ text }) => /^[A-Za-z-]{1,64}:(?!\/\/)./.test(text)).map(headerPart);
  for (const address of args.filter(({ text }) => /^https?:\/\//i.test(text))) {
    const target = targetOf(address.text);
    invocation.send(`${invocation.name} mcp add`, [...urlParts(address, target), ...headers], target.destination);
  }
  for (const json of action?.text === "add-json" ? args : []) ofJson(invocation, json);
  const file = settingsFile(invocation, args);
  const sources = unique(args.flatMap(argumentSources));
  if (file !== undefined && sources.length > 0) {
    invocation.emit({ kind: "write", file: invocation.file(literal(file)), sources, append: true, merges: true });
  }
  invocation.print([{ from: "unknown" }]);
  return true;
}

/** `{"type":"http","url":"…","headers":{"Authorization":"…"}}`. */
function ofJson(invocation: Invocation, json: Argument): void {
  const url = /"(?:url|httpUrl)"\s{0,8}:\s{0,8}"(https?:\/\/[^"\s]{1,4000})"/.exec(json.text)?.[1];
  if (url === undefined) return;
  const target = targetOf(url);
  const headers = [...json.text.matchAll(/"([A-Za-z-]{1,64})"\s{0,8}:\s{0,8}"([^"]{1,8000})"/g)].map(([, name, value]): Part => {
    return headerPart({ ...json, text: `${name}: ${value}` });
  });
  invocation.send(
    `${invocation.name} mcp add-json`,
    [...urlParts(literal(url), target), ...headers.filter(({ position }) => position === "credential")],
    target.destination,
  );
}

/** Where the agent keeps the server. */
function settingsFile(invocation: Invocation, args: readonly Argument[]): string | undefined {
  const { home } = invocation.world;
  const scope = readOptions(args, { short: "steH", long: "scope transport env header" }).value("s", "scope")?.text;
  switch (invocation.name) {
    case "claude":
      return scope === "project" ? ".mcp.json" : `${home}/.claude.json`;
    case "gemini":
      return scope === "user" ? `${home}/.gemini/settings.json` : ".gemini/settings.json";
    case "codex":
      return `${home}/.codex/config.toml`;
    default:
      return undefined;
  }
}
