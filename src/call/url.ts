/**
 * Destinations out of URLs and host arguments. The host is always taken from the parsed address, never
 * from a substring (`https://github.com@paste.example/` goes to `paste.example`).
 */
import type { Argument, Destination, Part, Source } from "./effect.ts";
import { argumentSources, textSource, unique } from "./source.ts";

/** Whether an address, with a scheme or without, is reached on this machine alone. */
export function isLoopback(address: string): boolean {
  return /^(?:[a-z]{2,5}:\/\/)?(?:localhost|127(?:\.\d{1,3}){1,3}|\[?::1\]?)(?=[:/?#]|$)/i.test(address);
}

/** A URL taken apart. `login` is the user info as written, "" when there is none. */
export interface Target {
  readonly destination: Destination;
  readonly login: string;
  /** The URL without user info. */
  readonly bare: string;
  readonly scheme: string;
}

const DEFAULT_KIND: Destination["kind"] = "web";

/** Reads a URL as a network client would; a missing scheme is `scheme` (curl: http). */
export function targetOf(written: string, scheme = "http"): Target {
  const text = written.trim();
  const match = /^([A-Za-z][A-Za-z0-9+.-]{0,30}):\/\//.exec(text);
  const protocol = (match?.[1] ?? scheme).toLowerCase();
  const rest = match === null ? text.replace(/^\/\//, "") : text.slice(match[0].length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const tail = end < 0 ? "" : rest.slice(end);
  const at = authority.lastIndexOf("@");
  const login = at < 0 ? "" : authority.slice(0, at);
  const hostPort = at < 0 ? authority : authority.slice(at + 1);
  const bare = `${protocol}://${hostPort}${tail}`;
  // Clients disagree about a backslash in the authority; the answer is "not known".
  const odd = authority.includes("\\");
  return {
    destination: { kind: kindOf(protocol), host: odd ? undefined : hostOf(hostPort), url: odd ? undefined : bare },
    login,
    bare,
    scheme: protocol,
  };
}

function kindOf(scheme: string): Destination["kind"] {
  switch (scheme) {
    case "scp":
    case "sftp":
    case "ssh":
    case "rsync":
      return "remote shell";
    case "smtp":
    case "smtps":
    case "imap":
    case "imaps":
    case "mailto":
      return "mail";
    case "telnet":
    case "gopher":
    case "gophers":
    case "dict":
    case "tftp":
    case "tcp":
    case "udp":
      return "socket";
    case "s3":
    case "gs":
      return "storage";
    default:
      return DEFAULT_KIND;
  }
}

/**
 * Lower-case host of `host[:port]`, numbers in other bases written out, punycode applied. When the left
 * labels are computed (`$x.evil.example`), the certain right part; undefined when nothing is certain.
 */
export function hostOf(hostPort: string): string | undefined {
  let host = hostPort.trim();
  const six = /^\[([0-9A-Fa-f:.%]{2,60})\](?::\d{0,5})?$/.exec(host);
  if (six !== null) return (six[1] ?? "").toLowerCase().split("%")[0];
  host = host.replace(/:\d{0,5}$/, "").replace(/\.$/, "");
  if (/[$`*?{}()<>[\]\s"'\uE000]/.test(host)) {
    const cut = Math.max(host.lastIndexOf("}"), host.lastIndexOf(")"), host.lastIndexOf("`"), host.lastIndexOf("*"));
    const dynamic = cut >= 0 ? cut + 1 : /\$(?:env:)?[A-Za-z_0-9]{0,64}/.exec(host)?.index;
    if (dynamic === undefined) return undefined;
    const right = cut >= 0 ? host.slice(dynamic) : host.slice(dynamic).replace(/^\$(?:env:)?[A-Za-z_0-9]{0,64}/, "");
    return /^\.[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/.test(right) ? right.slice(1).toLowerCase() : undefined;
  }
  if (host === "" || host.length > 2048) return undefined;
  try {
    const parsed = new URL(`http://${host.includes(":") ? `[${host}]` : host}/`).hostname;
    return parsed
      .replace(/^\[|\]$/g, "")
      .replace(/\.$/, "")
      .toLowerCase();
  } catch {
    return undefined;
  }
}

/** A destination that names a host, not a URL. */
export function hostDestination(kind: Destination["kind"], host: string | undefined): Destination {
  return { kind, host: host === undefined ? undefined : hostOf(host), url: undefined };
}

/** The parts a URL itself carries: path and query as data, user info as credential. */
export function urlParts(argument: Argument, target: Target): Part[] {
  const parts: Part[] = [{ sources: unique([...textSource(target.bare), ...argument.sources]), position: "data" }];
  if (target.login !== "") {
    // Which half a substitution stands in is not tracked: inside a login it counts as both.
    parts.push({ sources: [...textSource(target.login), ...loginSources(argument, target.login)], position: "credential" });
    if (loginSources(argument, target.login).length > 0 && !/[$`]/.test(target.bare))
      parts[0] = { sources: textSource(target.bare), position: "data" };
  }
  return parts;
}

function loginSources(argument: Argument, login: string): readonly Source[] {
  return /[$`]/.test(login) ? argument.sources : [];
}

/** Header names that carry a login; everything else is data (D-18). */
export function isCredentialHeader(name: string): boolean {
  const lower = name.trim().toLowerCase();
  if (lower.length > 64) return false;
  return (
    /^(?:proxy-)?authorization$|^authentication$|^(?:private|job|deploy|circle|travis|access|auth|session)-token$|^api-?key$|^apikey$|^token$/.test(
      lower,
    ) || /-(?:token|api-?key|auth-key|access-key|subscription-key|application-key|secret-key|client-secret|auth|apikey)$/.test(lower)
  );
}

/** A header line as one part. */
export function headerPart(header: Argument): Part {
  const colon = header.text.indexOf(":");
  const name = colon < 0 ? header.text : header.text.slice(0, colon);
  return { sources: argumentSources(header), position: isCredentialHeader(name) ? "credential" : "data" };
}
