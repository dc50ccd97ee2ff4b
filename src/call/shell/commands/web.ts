/** Web clients besides curl: wget, HTTPie and its kin, browsers' command-line openers. */
import type { Argument, Part, Source } from "../../effect.ts";
import { argumentSources, sliceArgument, transformed } from "../../source.ts";
import { upTo } from "../../text.ts";
import { headerPart, isCredentialHeader, targetOf, urlParts } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { Options } from "../options.ts";
import { curl, lastName } from "./curl.ts";

/** The handler of a web client. */
export function webCommand(name: string): Handler | undefined {
  switch (name) {
    case "curl":
    case "curl-impersonate":
    case "gcurl":
    case "curlie":
      return curl;
    case "wget":
    case "wget2":
      return wget;
    case "http":
    case "https":
    case "httpie":
    case "xh":
    case "xhs":
      return httpie;
    case "aria2c":
    case "axel":
    case "lynx":
    case "w3m":
    case "links":
    case "elinks":
    case "hurl":
    case "websocat":
    case "wscat":
    case "lwp-request":
    case "GET":
    case "POST":
    case "xdg-open":
    case "open":
    case "start":
    case "sensible-browser":
      return opener;
    default:
      return undefined;
  }
}

function wget(invocation: Invocation): void {
  const options = invocation.options({
    short: "aAbBDeiIlOopPQRtTUwX",
    abbreviated: "help version",
    long: "append-output output-file output-document directory-prefix input-file base config header post-data post-file body-data body-file method user password http-user http-password ftp-user ftp-password proxy-user proxy-password referer user-agent load-cookies save-cookies execute tries timeout wait limit-rate quota bind-address certificate private-key ca-certificate ca-directory secure-protocol accept reject domains exclude-domains level prefer-family rejected-log warc-file",
  });
  const parts: Part[] = [];
  // What is there already is continued.
  const append = options.has("c", "continue", "start-pos");
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    switch (name) {
      case "post-file":
      case "body-file":
        parts.push({ sources: invocation.read(value), position: "data" });
        break;
      case "post-data":
      case "body-data":
      case "referer":
      case "U":
      case "user-agent":
      case "method":
        parts.push({ sources: argumentSources(value), position: "data" });
        break;
      case "header":
        parts.push(headerPart(value));
        break;
      case "user":
      case "password":
      case "http-user":
      case "http-password":
      case "ftp-user":
      case "ftp-password":
      case "proxy-password":
        parts.push({ sources: argumentSources(value), position: "credential" });
        break;
    }
  }
  const output = options.value("O", "output-document");
  const prefix = options.value("P", "directory-prefix");
  const urls = [...options.operands];
  const list = options.value("i", "input-file");
  if (list !== undefined) {
    for (const source of invocation.read(list))
      if (source.from === "text")
        urls.push(
          ...source.text
            .split(/\s+/)
            .filter((line) => line !== "")
            .map((text): Argument => ({ text, exact: true, sources: [] })),
        );
  }
  const proxy = options.values("e", "execute").find((value) => /^https?_proxy\s{0,4}=/.test(value.text));
  for (const url of urls) {
    const target = targetOf(url.text);
    invocation.send(invocation.name, [...urlParts(url, target), ...parts], target.destination);
    if (proxy !== undefined && target.scheme === "http")
      invocation.send(
        invocation.name,
        [...urlParts(url, target), ...parts],
        targetOf(proxy.text.slice(proxy.text.indexOf("=") + 1)).destination,
      );
    if (output === undefined && !options.has("spider"))
      invocation.emit({
        kind: "write",
        file: invocation.file({
          text: prefix === undefined ? lastName(url.text) : `${prefix.text}/${lastName(url.text)}`,
          exact: url.exact && prefix?.exact !== false,
          sources: [],
        }),
        sources: [{ from: "unknown" }],
        append,
      });
  }
  if (urls.length === 0 && parts.length > 0) invocation.send(invocation.name, parts, { kind: "web", host: undefined, url: undefined });
  listed(invocation, options);
  if (output !== undefined) invocation.write(output, [{ from: "unknown" }], append);
}

/** `wget -i f -B url`: each line of a file is an address, or the rest of one: what is no address is asked for there. */
function listed(invocation: Invocation, options: Options): void {
  const list = options.value("i", "input-file");
  if (list === undefined) return;
  const sources = transformed(invocation.read(list).filter(({ from }) => from !== "text"));
  if (sources.length === 0) return;
  const base = options.value("B", "base");
  const destination = base === undefined ? undefined : targetOf(base.text).destination;
  invocation.send(invocation.name, [{ sources, position: "data" }], destination ?? { kind: "web", host: undefined, url: undefined });
}

function httpie(invocation: Invocation): void {
  const options = invocation.options({
    short: "aAopsP",
    long: "auth auth-type bearer output print style pretty session session-read-only proxy verify cert cert-key timeout max-redirects follow raw boundary format-options response-charset response-mime ssl ciphers default-scheme",
  });
  let operands = [...options.operands];
  if (invocation.name === "httpie" && /^https?$/.test(operands[0]?.text ?? "")) operands = operands.slice(1);
  const method = operands[0];
  if (method !== undefined && /^(?:[A-Z]{3,10}|get|post|put|patch|delete|head|options)$/.test(method.text)) operands = operands.slice(1);
  const [url, ...items] = operands;
  const parts: Part[] = [];
  for (const value of options.values("a", "auth", "bearer")) parts.push({ sources: argumentSources(value), position: "credential" });
  for (const value of options.values("raw")) parts.push({ sources: argumentSources(value), position: "data" });
  for (const item of items) parts.push(requestItem(invocation, item));
  if (invocation.stdin.length > 0 && !options.has("ignore-stdin", "I")) parts.push({ sources: invocation.stdin, position: "data" });
  if (url !== undefined) {
    const written: Argument = url.text.startsWith(":")
      ? { ...url, text: `localhost${url.text.startsWith(":/") ? url.text.slice(1) : url.text}` }
      : url;
    const target = targetOf(written.text, invocation.name === "https" || invocation.name === "xhs" ? "https" : "http");
    invocation.send(invocation.name, [...urlParts(written, target), ...parts], target.destination);
    for (const proxy of options.values("proxy")) {
      const address = proxy.text.replace(/^https?:(?=https?:|[^/])/, "");
      if (target.scheme === "http")
        invocation.send(invocation.name, [...urlParts(written, target), ...parts], targetOf(address).destination);
    }
  }
  const output = options.value("o", "output");
  if (output !== undefined) invocation.write(output, [{ from: "unknown" }]);
  else invocation.print([{ from: "unknown" }]);
}

/** `Header:value`, `Header:@file`, `name==query`, `name=@file`, `name:=@file`, `name@file`, `@file`, `name=value`. */
function requestItem(invocation: Invocation, item: Argument): Part {
  const match = /^((?:[^:=@\\]|\\.){0,256})(:=@|==@|=@|:@|:=|==|[:=@])/.exec(item.text);
  if (match === null) return { sources: argumentSources(item), position: "data" };
  const separator = match[2] ?? "";
  const value = sliceArgument(item, match[0].length);
  const sources: readonly Source[] = separator.endsWith("@")
    ? invocation.read({ ...value, text: upTo(value.text, ";type=") })
    : argumentSources(item);
  const header = separator === ":" || separator === ":@";
  return { sources, position: header && isCredentialHeader(match[1] ?? "") ? "credential" : "data" };
}

/** Programs that show a file of this machine as well as a page. */
const READS_FILES = /^(?:lynx|w3m|e?links)$/;

/** Any other client: addresses among its arguments, the rest as data; a text browser's own files come out of it. */
function opener(invocation: Invocation): void {
  const urls = invocation.args.filter((argument) => /^(?:https?|wss?|ftp|mailto):/i.test(argument.text));
  const rest = invocation.args.filter((argument) => !urls.includes(argument));
  const reads = READS_FILES.test(invocation.name);
  const posted = reads ? rest[rest.findIndex(({ text }) => text === "-post") + 1] : undefined;
  for (const url of urls) {
    const target = targetOf(url.text);
    const parts: Part[] = [...urlParts(url, target)];
    for (const argument of rest) {
      const value = argument.text.startsWith("-") ? sliceArgument(argument, argument.text.indexOf("=") + 1) : argument;
      if (argument === posted && rest.some(({ text }) => text === "-post"))
        parts.push({ sources: invocation.read(argument), position: "data" });
      else if (value.text.startsWith("@")) parts.push({ sources: invocation.read(sliceArgument(value, 1)), position: "data" });
      else if (/^[A-Za-z-]{1,64}:\s/.test(value.text)) parts.push(headerPart(value));
      else if (value !== argument && /^-{1,2}(?:user-agent|referer|useragent|ua)=/.test(argument.text))
        parts.push({ sources: argumentSources(value), position: "data" });
      else if (!argument.text.startsWith("-")) parts.push({ sources: argumentSources(argument), position: "data" });
    }
    if (invocation.stdin.length > 0) parts.push({ sources: invocation.stdin, position: "data" });
    invocation.send(invocation.name, parts, target.destination);
  }
  const files = reads && urls.length === 0 ? rest.filter(({ text }) => !text.startsWith("-")).map(withoutScheme) : [];
  invocation.print(files.length > 0 || (reads && urls.length === 0) ? invocation.readAll(files) : [{ from: "unknown" }]);
}

/** `file:///etc/hosts` is that file. */
function withoutScheme(argument: Argument): Argument {
  const scheme = /^file:\/\/(?:localhost)?(?=\/)/i.exec(argument.text);
  return scheme === null ? argument : sliceArgument(argument, scheme[0].length);
}
