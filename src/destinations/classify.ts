/**
 * Whose a destination is (D-18). A fact about the far end only; whether something may go there is for the rules.
 * Trust: destination, manifest and Git config are hostile text. A listed stranger stays one whatever the project
 * claims, and what cannot be told is "unknown", never own and never third party.
 */
import type { Destination } from "../call/effect.ts";
import { addressScope, rebindingScope } from "./address.ts";
import { hostOf, pathOf, under } from "./host.ts";
import { isOwnable, isPrivateName, isReservedName, type OwnHosts } from "./own.ts";
import { isVendor } from "./sign-in.ts";
import { isShared, type ThirdPartyClass, thirdParty } from "./third-party.ts";

export interface Classified {
  readonly class: "own" | "third party" | "public address" | "reserved" | "unknown";
  /** For people, after "which is": "a paste site", "a private address". Holds no host and no path. */
  readonly why: string;
  /** Own only because the repository's remotes or its manifest say so; the agent or an attacker may have written them. */
  readonly claimed?: true;
  /** A third party's kind. */
  readonly listed?: ThirdPartyClass;
}

const METADATA = new Set([
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata",
]);

/**
 * The class of a destination. A vendor's API is "unknown" here: whether it is the sign-in point of a certain secret is
 * `isSignInPoint`'s answer, asked first; for every other secret it is a public host like any (a Slack channel, a Notion page).
 */
export function classify(destination: Destination, own: OwnHosts): Classified {
  const host = hostOf(destination);
  if (host === undefined) return { class: "unknown", why: "a destination that cannot be worked out" };
  if (METADATA.has(host)) return { class: "unknown", why: "a cloud metadata service" };

  const scope = addressScope(host) ?? rebindingScope(host);
  if (scope !== undefined) return ofAddress(scope, destination);
  if (isReservedName(host)) return { class: "reserved", why: "a reserved name" };
  if (isPrivateName(host)) return { class: "own", why: "a private name" };

  const listed = thirdParty(host, pathOf(destination));
  if (listed !== undefined) return { class: "third party", why: `a ${listed}`, listed };
  if (ownServer(destination)) return { class: "own", why: "a named server" };
  if (!isShared(host) && !isVendor(host)) {
    const holds = (mine: string): boolean => under(host, mine) && isOwnable(mine);
    if (own.remotes().some(holds)) return { class: "own", why: "a host of the project's Git remotes", claimed: true };
    if (own.claimed().some(holds)) return { class: "own", why: "a host the project's manifest names", claimed: true };
  }
  return { class: "unknown", why: "an unknown public host" };
}

function ofAddress(scope: ReturnType<typeof rebindingScope>, destination: Destination): Classified {
  switch (scope) {
    case "loopback":
      return { class: "own", why: "this machine" };
    case "private":
      return { class: "own", why: "a private address" };
    case "public":
      return ownServer(destination)
        ? { class: "own", why: "a server reached by its address" }
        : { class: "public address", why: "a public IP address" };
    default:
      return { class: "unknown", why: scope === "metadata" ? "a cloud metadata service" : "a name that hides its address" };
  }
}

/** Copies to a machine one can log in to, and object storage, count as the user's own (L-032, D-18). */
function ownServer(destination: Destination): boolean {
  return destination.kind === "remote shell" || destination.kind === "storage";
}
