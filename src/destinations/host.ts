/**
 * Host and path of a destination, spelled one way only.
 * Trust: both come out of a command or a tool's input; every spelling that a resolver takes for the same name must
 * come out the same, and nothing in front of an `@` may pass as the host.
 */
import type { Destination } from "../call/effect.ts";

/** Longest host looked at, in characters: a DNS name has at most 253, an address in brackets less. */
const HOST_CHARS = 300;

/**
 * The host in its one spelling: lower case, no user, port, brackets or trailing dots, percent-decoded, punycode for
 * what is not ASCII. Undefined when nothing usable remains.
 */
export function plainHost(written: string): string | undefined {
  let host = written.trim();
  const at = host.lastIndexOf("@");
  if (at !== -1) host = host.slice(at + 1);
  if (host.includes("%") && !host.startsWith("[")) host = percentDecoded(host);
  if (host.startsWith("[")) {
    const close = host.indexOf("]");
    if (close === -1) return undefined;
    host = host.slice(1, close);
  } else if (host.indexOf(":") === host.lastIndexOf(":")) {
    const colon = host.indexOf(":");
    if (colon !== -1) host = host.slice(0, colon);
  }
  if (host.length > HOST_CHARS) return undefined;
  if (/[^\x21-\x7e]/.test(host)) {
    const ascii = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined;
    if (ascii === undefined) return undefined;
    host = ascii;
  }
  host = host.toLowerCase().replace(/\.{1,8}$/, "");
  // Anything else is no name a resolver takes: `$HOST`, `<host>`, `{{ host }}`.
  return /^[a-z0-9_.-]+$|^[0-9a-f:.]+(?:%[a-z0-9_.-]+)?$/.test(host) ? host : undefined;
}

/** The host of a destination; taken from its URL when the host itself is not given. */
export function hostOf(destination: Destination): string | undefined {
  if (destination.host !== undefined) return plainHost(destination.host);
  const authority = destination.url === undefined ? null : /^[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#\\]{1,2000})/i.exec(destination.url);
  return authority === null ? undefined : plainHost(authority[1] ?? "");
}

/** The path of a destination's URL: percent-decoded, lower case, without empty and dot segments; "/" without any. */
export function pathOf(destination: Destination): string {
  const rest =
    destination.url === undefined ? null : /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?[^/?#\\]{0,2000}([/\\][^?#]{0,4000})/i.exec(destination.url);
  if (rest === null) return "/";
  const segments: string[] = [];
  for (const segment of percentDecoded(rest[1] ?? "")
    .toLowerCase()
    .split(/[/\\]/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Whether `host` is `suffix` or a name below it. */
export function under(host: string, suffix: string): boolean {
  return host === suffix || (host.length > suffix.length && host.endsWith(suffix) && host[host.length - suffix.length - 1] === ".");
}

/** `%41` to `A`, byte by byte; anything else stays. */
export function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
