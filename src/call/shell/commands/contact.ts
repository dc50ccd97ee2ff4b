/**
 * Programs that are given an address: whatever else they are given may travel there. A rule instead of a list,
 * since any program may be a sender; programs with a handler of their own never come here.
 */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, Destination, Part } from "../../effect.ts";
import { argumentSources, sliceArgument, staticText } from "../../source.ts";
import { isLoopback, headerPart, hostDestination, targetOf, urlParts } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import { addsServer } from "./mcp-servers.ts";

/** The handler of a program that is known to send and has no reader of its own. */
export function contactCommand(name: string): Handler | undefined {
  switch (name) {
    case "mosquitto_pub":
    case "kcat":
    case "kafkacat":
    case "nats":
    case "ldapsearch":
    case "ldapmodify":
    case "ldapadd":
    case "finger":
    case "logger":
    case "grpcurl":
    case "evans":
    case "ghz":
    case "ab":
    case "hey":
    case "wrk":
    case "siege":
    case "vegeta":
    case "cqlsh":
    case "clickhouse-client":
    case "influx":
    case "snmpget":
    case "amqp-publish":
      return contact;
    case "claude":
    case "codex":
    case "gemini":
    case "llm":
    case "ollama":
    case "aichat":
    case "sgpt":
    case "mods":
    case "fabric":
    case "opencode":
    case "aider":
    case "goose":
    case "cursor-agent":
    case "chatgpt":
    case "tgpt":
      return prompt;
    default:
      return undefined;
  }
}

const SCHEME =
  /(?:^|[=,]|@\s?)((?:(?:git|hg|svn|bzr)\+)?(?:https?|wss?|ftps?|tcp|udp|mqtts?|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|amqps?|nats|ldaps?|smtps?|grpcs?|socks\dh?|git|ssh|tls|clickhouse):\/\/.*)$/is;
/** Options whose value is the program's own login. */
const LOGIN = /^(?:--?[\w-]{0,40}(?:token|password|passwd|passphrase|secret|api-?key|auth|credential|login|user(?:name)?)|-[uUPw])$/;
const HOST = /^(?:-h|--(?:host(?:name)?|server|endpoint|broker|address|remote))$/;
/** Options whose value is a file that is sent. */
const FILE = /^(?:-f|-p|-D|-T|-u|--(?:file|data-file|input|body-file|postfile|put|attach(?:ment)?|message-file))$/;
/** Options of one program alone that name such a file, and operands of one. */
const BODY: Readonly<Record<string, RegExp>> = { vegeta: /^-body$/, hey: /^-D$/, ab: /^-[pu]$/, oha: /^-D$/ };
const PRODUCES = /^k(?:afka)?cat$/;
const DATABASE = /^(?:psql|pg_dump|pg_restore|mysql|mysqldump|mariadb|mongosh|mongo|redis-cli|sqlite3|cqlsh|clickhouse-client|influx)$/;

/** Tells what a program that is given an address may send there; nothing without one. Its output is not known. */
export function contact(invocation: Invocation): void {
  const { args, name } = invocation;
  const database = DATABASE.test(name);
  const destinations: Destination[] = [];
  const parts: Part[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] as Argument;
    const { text } = argument;
    const previous = args[at - 1]?.text ?? "";
    const url = text.includes("://") ? SCHEME.exec(text) : null;
    if (url !== null) {
      const written = sliceArgument(argument, text.length - (url[1] ?? "").length);
      const target = targetOf(written.text);
      if (isLoopback(target.destination.host ?? "")) continue;
      destinations.push(database ? { kind: "storage", host: target.destination.host, url: undefined } : target.destination);
      // A database's address carries the login to it.
      if (!database) parts.push(...urlParts(written, target));
    } else if ((HOST.test(previous) || hostLetter(name) === previous) && isHost(argument)) {
      destinations.push(far(database, argument));
      if (!argument.exact) parts.push({ sources: argumentSources(argument), position: "data" });
    } else if (/^--(?:host(?:name)?|server|endpoint|broker)=/.test(text))
      destinations.push(far(database, sliceArgument(argument, text.indexOf("=") + 1)));
    else if (isPeer(name, argument)) {
      destinations.push(far(database, sliceArgument(argument, text.lastIndexOf("@") + 1)));
      parts.push({ sources: argumentSources(argument), position: "data" });
    } else if (LOGIN.test(previous) && !/^-/.test(text)) parts.push({ sources: argumentSources(argument), position: "credential" });
    else if (/^--?[\w-]{1,60}=/.test(text) && LOGIN.test(text.slice(0, text.indexOf("="))))
      parts.push({ sources: argumentSources(argument), position: "credential" });
    else if (text.startsWith("@") && text.length > 1)
      parts.push({ sources: invocation.read(sliceArgument(argument, 1)), position: "data" });
    else if (/^[A-Za-z-]{1,64}:\s/.test(text)) parts.push(headerPart(argument));
    else if (BODY[name]?.test(previous.replace(/=.{0,4096}$/s, "")) || (FILE.test(previous) && contactCommand(name) !== undefined))
      parts.push({ sources: invocation.read(argument), position: "data" });
    else if (/^-\w$/.test(text) || text === "") continue;
    else {
      // `-body=f` is the option and its value in one.
      const body = BODY[name]?.test(text.replace(/=.{0,4096}$/s, "")) === true && text.includes("=");
      const file = body ? sliceArgument(argument, text.indexOf("=") + 1) : argument;
      const reads = body || (PRODUCES.test(name) && !/^-/.test(previous) && !/^-/.test(text));
      parts.push({ sources: reads ? invocation.read(file) : argumentSources(argument), position: "data" });
      if (database) for (const file of filesIn(argument)) parts.push({ sources: invocation.read(file), position: "data" });
    }
  }
  // `echo "GET http://a" | vegeta attack`: the addresses come in.
  if (name === "vegeta")
    for (const match of (staticText(invocation.stdin) ?? "").matchAll(/^[A-Z]{3,8} (\S{1,2048})/gm))
      destinations.push(targetOf(match[1] ?? "").destination);
  if (destinations.length > 0) {
    if (invocation.stdin.length > 0) parts.push({ sources: invocation.stdin, position: "data" });
    if (destinations.length > CHOSEN.command_addresses) invocation.unreadPart("a command names too many addresses");
    for (const destination of destinations.slice(0, CHOSEN.command_addresses)) invocation.send(name, parts, destination);
  }
}

/** Words in front of a quoted file of this machine that a statement loads. */
const LOADS =
  "infile|lo_import(|lo_import|readfilesync(|readfile(|cat(|load_file(|pg_read_file(|pg_read_binary_file(|read_text(|read_blob(|read_csv(|read_csv_auto(|read_json(".split(
    "|",
  );

/** `load data local infile 'f'`, `\\copy t from 'f'`, `readFileSync('f')`. */
export function filesIn(argument: Argument): Argument[] {
  const { text } = argument;
  const copies = text.includes("\\copy");
  return [...text.matchAll(/"([^"]{1,4096})"|'([^']{1,4096})'/g)].flatMap((match) => {
    const before = text
      .slice(Math.max(0, match.index - 64), match.index)
      .trimEnd()
      .toLowerCase();
    const loads = LOADS.some((word) => before.endsWith(word)) || (copies && before.endsWith("from"));
    return loads ? [{ ...argument, text: match[1] ?? match[2] ?? "" }] : [];
  });
}

/** The letter before a host where it is another one than `-h`. */
function hostLetter(name: string): string {
  return name === "logger" ? "-n" : /^k(?:afka)?cat$/.test(name) ? "-b" : /^ldap/.test(name) ? "-H" : "-h";
}

function isHost({ text, exact }: Argument): boolean {
  return !exact || /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?$|^\[/.test(text);
}

/** `host:443` of a gRPC client, `user@host` of finger. */
function isPeer(name: string, { text }: Argument): boolean {
  return /^(?:grpcurl|evans|ghz|kcat|kafkacat)$/.test(name)
    ? /^[\w.-]{1,253}:\d{1,5}$/.test(text)
    : name === "finger" && text.includes("@");
}

function far(database: boolean, host: Argument): Destination {
  return hostDestination(database ? "storage" : "socket", host.text);
}

const QUIET_PROMPT =
  /^(?:mcp|config|auth|login|logout|update|install|doctor|list|ls|ps|pull|serve|stop|show|models|keys|logs|--version|-v|--help|-h|setup-token|plugin)$/;

/** A prompt for a model: it leaves for whoever serves the model. */
function prompt(invocation: Invocation): void {
  const { args, name } = invocation;
  if (addsServer(invocation)) return;
  if (QUIET_PROMPT.test(args[0]?.text ?? "")) return invocation.print([{ from: "unknown" }]);
  const parts: Part[] = [];
  for (const [index, argument] of args.entries()) {
    const previous = args[index - 1]?.text ?? "";
    if (/^(?:-f|-a|--(?:file|attachment|read|fragment|message-file))$/.test(previous))
      parts.push({ sources: invocation.read(argument), position: "data" });
    else if (argument.text.startsWith("@")) parts.push({ sources: invocation.read(sliceArgument(argument, 1)), position: "data" });
    else if (!/^-/.test(argument.text) || argument.sources.length > 0) {
      // A file that aider is given is read to the model with the first message.
      const file = name === "aider" && !previous.startsWith("-");
      parts.push({ sources: file ? invocation.read(argument) : argumentSources(argument), position: "data" });
    }
  }
  if (invocation.stdin.length > 0) parts.push({ sources: invocation.stdin, position: "data" });
  if (parts.length > 0) invocation.send(name, parts, { kind: "web", host: undefined, url: undefined });
  invocation.print([{ from: "unknown" }]);
}

const ADDRESS_NAME = /(?:PROXY|URL|REGISTRY|INDEX|ENDPOINT|HOST|MIRROR)$/i;

/** `GOPROXY=https://$(…).example go get`: an address in front of a program that holds a login or content of a file. */
export function contactByEnvironment(invocation: Invocation): void {
  for (const [name, value] of invocation.environment) {
    if (!ADDRESS_NAME.test(name) || !/^https?:\/\//i.test(value.text)) continue;
    const target = targetOf(value.text);
    if (target.login === "" && !value.sources.some(({ from }) => from === "file" || from === "credential command")) continue;
    invocation.send(invocation.name, urlParts(value, target), target.destination);
  }
}
