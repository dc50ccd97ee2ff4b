/** A short notation for effects, so that a table of commands stays readable. */
import type { Argument, Destination, Effect, Packing, Part, PathRef, Source } from "../../src/call/effect.ts";
import { effectsOf } from "../../src/call/effects.ts";
import type { World } from "../../src/call/path.ts";

export const WORLD: World = {
  home: "/home/u",
  environment: {
    HOME: "/home/u",
    USER: "u",
    PATH: "/usr/bin",
    TMPDIR: "/tmp",
    XDG_CONFIG_HOME: "/home/u/.config",
    BOTO_CONFIG: "/home/u/.boto",
    VAULT_TOKEN_FILE: "/home/u/.vault-token",
    SIGNING_FILE: "not/a-path: but a value",
  },
  platform: "linux",
};

/** Paths in the home folder as `~`, in the project as they are named there; a hidden one as `?written`. */
export function path(file: PathRef): string {
  if (file.path === undefined) return `?${file.written}`;
  if (file.path === "/home/u/p") return ".";
  if (file.path.startsWith("/home/u/p/")) return file.path.slice("/home/u/p/".length);
  return file.path.replace(/^\/home\/u(?=\/|$)/, "~");
}

/** `~/.x`, `~/.x*` (transformed), `"text"`, `$NAME`, `$*` (whole environment), `!gh auth token`, `git:path`, `there:path` and `there:$NAME` (another machine), `sealed(…)`, `…`. */
export function source(one: Source): string {
  const star = "plain" in one && !one.plain ? "*" : "";
  switch (one.from) {
    case "file":
      return path(one.file) + star;
    case "text":
      return JSON.stringify(one.text) + star;
    case "environment":
      return `$${one.name ?? "*"}${star}`;
    case "elsewhere":
      return `there:${one.file ?? `$${one.variable ?? "*"}`}${star}`;
    case "credential command":
      return `!${one.command}${star}`;
    case "git content":
      return `git:${one.path ?? ""}${star}`;
    case "ciphertext":
      return `sealed(${list(one.of)})`;
    case "unknown":
      return "…";
  }
}

const list = (sources: readonly Source[]): string => sources.map(source).join(" ");
const part = (one: Part): string => `${one.position === "credential" ? "login:" : ""}${list(one.sources)}`;
const far = (to: Destination): string => `${to.kind === "web" ? "" : `${to.kind}:`}${to.tool ?? to.host ?? "?"}`;
const argument = (one: Argument): string => (one.exact ? one.text : `?${one.text}`);

function packing(one: Packing | undefined): string {
  if (one === undefined) return "";
  const members = one.members === undefined ? "" : one.members === "all" ? "/all" : `/${one.members.join("+")}`;
  return ` ${one.tool}${members}${one.guessed === true ? "?" : ""} of ${path(one.folder)}`;
}

export function effect(one: Effect): string {
  switch (one.kind) {
    case "show":
      return `show ${list(one.sources)}`;
    case "send":
      return `send ${far(one.destination)} ${one.parts.map(part).join(" | ")}${packing(one.packing)}`
        .replace(/ {2}(?=\S+ of )/, " ")
        .trim();
    case "publish":
      return `publish ${far(one.destination)} ${one.parts.map(part).join(" | ")}${packing(one.packing)}`
        .replace(/ {2}(?=\S+ of )/, " ")
        .trim();
    case "pack":
      return `pack${packing(one.packing)}`;
    case "image":
      return `image ${one.name} =${packing(one.packing)}`;
    case "write":
      return `${one.append ? "append" : "write"} ${path(one.file)} = ${list(one.sources)}`.trim();
    case "serve":
      return `serve ${path(one.folder)}${one.open ? " openly" : ""}`;
    case "change":
      return `${one.how} ${path(one.file)}`;
    case "copy":
      return `copy ${path(one.file)} -> ${path(one.to)}`;
    case "unpack":
      return `unpack ${one.archive === undefined ? "?" : path(one.archive)} -> ${path(one.folder)}${one.strip === 0 ? "" : ` strip ${one.strip}`}${one.members.map((member) => ` ${member}`).join("")}`;
    case "git":
      return `git ${one.invocation.cwd === "/home/u/p" ? "" : `(${one.invocation.cwd ?? "?"}) `}${[...one.invocation.globals, one.invocation.subcommand, ...one.invocation.args.map(argument)].join(" ")}`;
    case "run":
      return `run ${[one.name, ...one.args.map(argument)].join(" ")}`;
    case "uncertain":
      return `uncertain ${one.why}`;
  }
}

/** All effects of a bash command run in `/home/u/p`. */
export function bash(command: string, world: World = WORLD, cwd = "/home/u/p"): readonly Effect[] {
  return effectsOf(
    { agent: "claude", stage: "before", session: "s", cwd, tool: "Bash", action: { kind: "shell", dialect: "bash", command } },
    world,
  );
}

/** The notation of a command's effects, without the `run` and `write … = …`-free lines that every command has. */
export function tell(command: string): string[] {
  return bash(command)
    .filter((one) => one.kind !== "run")
    .map(effect);
}
