/** curl: every place a request can carry text or a file, and where it really goes. */
import type { Argument, Part, Source } from "../../effect.ts";
import { argumentSources, literal, sliceArgument, staticText, unique } from "../../source.ts";
import { upTo } from "../../text.ts";
import { headerPart, hostOf, type Target, targetOf, urlParts } from "../../url.ts";
import type { Invocation } from "../invocation.ts";
import { type Option, readOptions } from "../options.ts";

const SHORT = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";
/** Flags that are a beginning of an option with a value. */
const FLAGS =
  "head fail form-escape get location mail-rcpt-allowfails netrc post301 proxy-basic remote-name retry-connrefused socks5-basic ssl trace-time http1.0 http2";

const LONG =
  "abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey postquote preproxy prequote proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out expand-data expand-data-binary expand-header expand-json expand-url expand-user expand-form expand-url-query expand-data-urlencode";

/** Effects of one curl command line. */
export function curl(invocation: Invocation): void {
  let from = 0;
  for (let at = 0; at <= invocation.args.length; at++) {
    const text = invocation.args[at]?.text;
    if (at < invocation.args.length && text !== "--next" && text !== "-:") continue;
    request(invocation, invocation.args.slice(from, at));
    from = at + 1;
  }
}

function request(invocation: Invocation, args: readonly Argument[]): void {
  const { options, operands } = readOptions(args, { short: SHORT, long: LONG, abbreviated: FLAGS });
  const all: Option[] = [...options];
  for (const option of options)
    if ((option.name === "K" || option.name === "config") && option.value !== undefined)
      all.push(...configOptions(invocation, option.value));
  const urls: Argument[] = [...operands];
  const parts: Part[] = [];
  const uploads: Part[] = [];
  /** What only the proxy gets. */
  const logins: Part[] = [];
  const resolvers: Argument[] = [];
  const outputs: Argument[] = [];
  const data = (sources: readonly Source[]): void => void parts.push({ sources, position: "data" });
  for (const { name, value } of all) {
    if (value === undefined) continue;
    switch (name.replace(/^expand-/, "")) {
      case "url":
        urls.push(value);
        break;
      case "d":
      case "data":
      case "data-ascii":
      case "data-binary":
      case "json":
        data(atFile(invocation, value));
        break;
      case "data-raw":
      case "form-string":
        data(argumentSources(value));
        break;
      case "data-urlencode":
      case "url-query":
        data(namedFile(invocation, value));
        break;
      case "F":
      case "form":
        data(formField(invocation, value));
        break;
      case "T":
      case "upload-file":
        uploads.push({ sources: value.text === "." && value.exact ? invocation.stdin : uploaded(invocation, value), position: "data" });
        break;
      case "H":
      case "header":
        parts.push(
          value.text.startsWith("@") ? { sources: invocation.read(sliceArgument(value, 1)), position: "credential" } : headerPart(value),
        );
        break;
      case "u":
      case "user":
      case "oauth2-bearer":
      case "tlspassword":
        parts.push({ sources: argumentSources(value), position: "credential" });
        break;
      case "U":
      case "proxy-user":
      case "proxy-tlspassword":
        logins.push({ sources: argumentSources(value), position: "credential" });
        break;
      case "proxy-header":
        logins.push(
          value.text.startsWith("@") ? { sources: invocation.read(sliceArgument(value, 1)), position: "credential" } : headerPart(value),
        );
        break;
      case "doh-url":
        resolvers.push(value);
        break;
      case "b":
      case "cookie":
        data(value.exact && !value.text.includes("=") && value.text !== "" ? invocation.read(value) : argumentSources(value));
        break;
      case "A":
      case "user-agent":
      case "e":
      case "referer":
      case "X":
      case "request":
      case "Q":
      case "quote":
      case "request-target":
      case "mail-from":
      case "t":
      case "telnet-option":
        data(argumentSources(value));
        break;
      case "variable": {
        const at = value.text.indexOf("@");
        const equals = value.text.indexOf("=");
        if (at > 0 && (equals < 0 || at < equals)) data(invocation.read(sliceArgument(value, at + 1)));
        else if (value.text.startsWith("%")) data([{ from: "environment", name: /^%(\w{1,128})/.exec(value.text)?.[1], plain: true }]);
        else data(argumentSources(value));
        break;
      }
      case "o":
      case "output":
      case "D":
      case "dump-header":
      case "c":
      case "cookie-jar":
      case "stderr":
      case "trace":
      case "trace-ascii":
        if (name === "o" || name === "output") outputs.push(value);
        else if (value.text !== "-") invocation.write(value, [{ from: "unknown" }]);
        break;
    }
  }
  parts.push(...uploads);
  const overrides = realHosts(all);
  const proxy =
    all.findLast(({ name, value }) => value !== undefined && /^(?:x|proxy|preproxy|proxy1\.0|socks4a?|socks5|socks5-hostname)$/.test(name))
      ?.value ?? environmentProxy(invocation);
  if (proxy !== undefined && proxy.text !== "") {
    const target = targetOf(proxy.text);
    const signs = [...urlParts(proxy, target), ...logins];
    if (target.login !== "" || logins.length > 0 || proxy.sources.length > 0) invocation.send(invocation.name, signs, target.destination);
  }
  for (const resolver of resolvers) {
    const target = targetOf(resolver.text, "https");
    invocation.send(invocation.name, urlParts(resolver, target), target.destination);
  }
  const insecure = all.some(({ name }) => name === "k" || name === "insecure" || name === "proxy-insecure");
  const local: Source[] = [];
  for (const url of urls) {
    const target = targetOf(url.text);
    if (target.scheme === "file") {
      local.push(...invocation.read({ ...url, text: url.text }));
      continue;
    }
    // What a talk with a terminal is fed with is sent.
    const said: Part[] = target.scheme === "telnet" && invocation.stdin.length > 0 ? [{ sources: invocation.stdin, position: "data" }] : [];
    send(invocation, url, target, [...parts, ...said], overrides);
    // A proxy reads plain HTTP, and anything once certificates are not checked.
    if (proxy !== undefined && proxy.text !== "" && (target.scheme === "http" || insecure))
      send(invocation, url, { ...target, destination: targetOf(proxy.text).destination }, parts, []);
  }
  if (urls.length === 0 && parts.length > 0) {
    invocation.doubt("the address of a request cannot be read");
    invocation.send("curl", parts, { kind: "web", host: undefined, url: undefined });
  }
  const remoteName = all.some(({ name }) => name === "O" || name === "remote-name" || name === "remote-name-all");
  const output: Source[] = local.length > 0 ? local : [{ from: "unknown" }];
  const folder = all.findLast(({ name }) => name === "output-dir")?.value;
  const inFolder = (target: Argument): Argument =>
    folder === undefined ? target : { text: `${folder.text}/${target.text}`, exact: target.exact && folder.exact, sources: [] };
  // What is there already is continued.
  const append = all.some(({ name }) => name === "C" || name === "continue-at");
  if (outputs.length > 0) for (const target of outputs) invocation.write(inFolder(target), output, append);
  else if (remoteName)
    for (const url of urls)
      invocation.emit({
        kind: "write",
        file: invocation.file(inFolder({ text: lastName(url.text), exact: url.exact, sources: [] })),
        sources: output,
        append,
      });
  else invocation.print(output);
}

function send(invocation: Invocation, url: Argument, target: Target, parts: readonly Part[], overrides: readonly Override[]): void {
  const address = urlParts(url, target);
  const { destination } = target;
  const real = overrides.filter(({ host }) => host === undefined || host === destination.host);
  for (const host of real.length === 0 ? [destination.host] : real.map((one) => one.real))
    invocation.send(invocation.name, [...address, ...parts], { ...destination, host });
}

/** The file name curl -O takes from a URL. */
export function lastName(url: string): string {
  const path = upTo(upTo(url, "?"), "#").replace(/^[A-Za-z]{1,10}:\/\/[^/]{0,300}/, "");
  return path.slice(path.lastIndexOf("/") + 1) || "index.html";
}

/** `text` or `@file`. */
function atFile(invocation: Invocation, value: Argument): readonly Source[] {
  return value.text.startsWith("@") ? invocation.read(sliceArgument(value, 1)) : argumentSources(value);
}

/** `name@file`, `@file`, `name=content`, `=content` or content. */
function namedFile(invocation: Invocation, value: Argument): readonly Source[] {
  const at = value.text.indexOf("@");
  const equals = value.text.indexOf("=");
  return at >= 0 && (equals < 0 || at < equals) ? invocation.read(sliceArgument(value, at + 1)) : argumentSources(value);
}

/** `name=content`, `name=@file;type=…`, `name=<file`, several files with commas. */
function formField(invocation: Invocation, value: Argument): Source[] {
  const equals = value.text.indexOf("=");
  const mark = value.text[equals + 1];
  if (equals < 0 || (mark !== "@" && mark !== "<")) return argumentSources(value);
  const field = sliceArgument(value, equals + 2);
  const name = field.text.replace(/^"([^"]{1,4096})"/, "$1").replace(/;(?:type|filename|headers|encoder)=.{0,1024}$/s, "");
  return unique([...name.split(",").flatMap((file) => [...invocation.read({ ...field, text: file })]), ...value.sources]);
}

function uploaded(invocation: Invocation, value: Argument): readonly Source[] {
  const many = /^\{([^{}]{1,4096})\}$/.exec(value.text);
  return many === null
    ? invocation.read(value)
    : (many[1] ?? "").split(",").flatMap((file) => [...invocation.read({ ...value, text: file })]);
}

interface Override {
  /** Only for this host; undefined: for every host. */
  readonly host: string | undefined;
  readonly real: string | undefined;
}

/** `--resolve host:port:address` and `--connect-to host:port:host:port` change where a request goes. */
function realHosts(options: readonly Option[]): readonly Override[] {
  return options.flatMap(({ name, value }): readonly Override[] => {
    if (value === undefined) return [];
    if (name === "resolve") {
      const match = /^[+-]?(\*|[^:]{1,255}):\d{1,5}:(.{1,255})$/.exec(value.text);
      return match === null ? [] : [override(match[1] === "*" ? "" : match[1], (match[2] ?? "").split(",")[0])];
    }
    // What stands behind the last colons may be left out.
    const match = name === "connect-to" ? /^([^:]{0,255}):\d{0,5}:([^:]{1,255}|\[[^\]]{1,60}\])(?::\d{0,5})?$/.exec(value.text) : null;
    return match === null ? [] : [override(match[1], match[2])];
  });
}

function override(host: string | undefined, real: string | undefined): Override {
  return { host: host === undefined || host === "" ? undefined : hostOf(host), real: hostOf(real ?? "") };
}

function environmentProxy(invocation: Invocation): Argument | undefined {
  for (const name of ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) {
    const value = invocation.variable(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Options of a config file whose text this call itself holds (`-K -`). */
function configOptions(invocation: Invocation, file: Argument): Option[] {
  const text = staticText(file.text === "-" ? invocation.stdin : invocation.readScript(file));
  if (text === undefined) return [];
  const found: Option[] = [];
  for (const line of text.split("\n")) {
    const match = /^\s{0,64}-{0,2}([A-Za-z][A-Za-z0-9-]{0,40})(?:\s{0,8}[=:]\s{0,8}|\s{1,8}|$)(.*)$/.exec(line);
    if (match === null) continue;
    const value = (match[2] ?? "").trim().replace(/^"((?:[^"\\]|\\.)*)".*$/, "$1");
    found.push({ name: match[1] ?? "", value: value === "" ? undefined : literal(value), separate: false });
  }
  return found;
}
