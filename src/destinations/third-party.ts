/**
 * Services that publish or hand to strangers what they are sent, by class (L-021, L-022).
 * The lists are text until the first question, which only follows a send that was seen: nothing is built at import.
 */
import { under } from "./host.ts";
import { LIST as BEACON } from "./lists/beacon.ts";
import { LIST as COLLECTOR } from "./lists/collector.ts";
import { LIST as CONVERTER } from "./lists/converter.ts";
import { LIST as DNS_LOG } from "./lists/dns-log.ts";
import { LIST as FILE_DROP } from "./lists/file-drop.ts";
import { LIST as MESSAGE_HOOK } from "./lists/message-hook.ts";
import { LIST as PASTE } from "./lists/paste.ts";
import { LIST as SHARED } from "./lists/shared.ts";
import { LIST as TUNNEL } from "./lists/tunnel.ts";

/** What kind of stranger a listed host is, as messages name it. */
export type ThirdPartyClass =
  | "paste site"
  | "file drop"
  | "request collector"
  | "DNS log service"
  | "tunnel"
  | "chat or mail hook"
  | "online converter"
  | "link or image service";

interface Entry {
  readonly class: ThirdPartyClass;
  /** Lower-case path prefix that alone counts, "" for the whole host. */
  readonly path: string;
}

let index: Map<string, Entry[]> | undefined;

function build(): Map<string, Entry[]> {
  const lists: readonly (readonly [ThirdPartyClass, string])[] = [
    ["paste site", PASTE],
    ["file drop", FILE_DROP],
    ["request collector", COLLECTOR],
    ["DNS log service", DNS_LOG],
    ["tunnel", TUNNEL],
    ["chat or mail hook", MESSAGE_HOOK],
    ["online converter", CONVERTER],
    ["link or image service", BEACON],
  ];
  const map = new Map<string, Entry[]>();
  for (const [name, list] of lists) {
    for (const line of list.trim().split("\n")) {
      const slash = line.indexOf("/");
      const host = slash === -1 ? line : line.slice(0, slash);
      const entry = { class: name, path: slash === -1 ? "" : line.slice(slash) };
      const there = map.get(host);
      if (there === undefined) map.set(host, [entry]);
      else there.push(entry);
    }
  }
  return map;
}

/** The class of a listed host and path (both plain, see `plainHost` and `pathOf`), undefined when it is not listed. */
export function thirdParty(host: string, path: string): ThirdPartyClass | undefined {
  index ??= build();
  for (let rest = host; ; ) {
    const hit = index.get(rest)?.find((entry) => path.startsWith(entry.path));
    if (hit !== undefined) return hit.class;
    const dot = rest.indexOf(".");
    if (dot === -1) return undefined;
    rest = rest.slice(dot + 1);
  }
}

let shared: Set<string> | undefined;

/** Whether strangers share this very host (`github.com`, `pages.dev`); names below it belong to somebody. */
export function isShared(host: string): boolean {
  shared ??= new Set(SHARED.trim().split("\n"));
  return shared.has(host) || (host.startsWith("www.") && shared.has(host.slice(4))) || under(host, "githubusercontent.com");
}
