/**
 * Each credential's own sign-in point: the service that issued it, or takes it by design (D-18, L-031).
 * A token that goes there in credential position is used, not leaked. Private keys have no such place.
 */
import type { Destination } from "../call/effect.ts";
import { hostOf, pathOf, percentDecoded, under } from "./host.ts";
import { HOMES } from "./lists/homes.ts";
import type { OwnHosts } from "./own.ts";

/** Families of software that people host themselves: the host in the Git remote is their home as well. */
const FORGES = /^(?:github|gitlab|bitbucket|gitea|forgejo|gogs|codeberg|atlassian|azure-devops|review-?board)(?:-|$)/;

let homes: Map<string, readonly string[]> | undefined;

function homesOf(family: string): readonly string[] {
  homes ??= new Map(
    HOMES.trim()
      .split("\n")
      .map((line) => {
        const [name = "", ...hosts] = line.split(" ");
        return [name, hosts];
      }),
  );
  // `github-app`, `aws-session`: a family's kinds share its home.
  for (let name = family; ; ) {
    const hosts = homes.get(name);
    if (hosts !== undefined) return hosts;
    const dash = name.lastIndexOf("-");
    if (dash === -1) return [];
    name = name.slice(0, dash);
  }
}

/**
 * Whether a secret of this family belongs at this destination when it travels in credential position. Says nothing
 * about data: a token in the body of a request to its own vendor is still data (gists and issues are hosted there).
 */
export function isSignInPoint(family: string, destination: Destination, own: OwnHosts): boolean {
  const host = hostOf(destination);
  if (host === undefined) return false;
  if (atHome(host, homesOf(family))) return true;
  return FORGES.test(family) && own.remotes().includes(host) && !isVendor(host);
}

/** Whether this host is the sign-in point of any known service. */
export function isVendor(host: string): boolean {
  homesOf("");
  for (const hosts of homes?.values() ?? []) if (atHome(host, hosts)) return true;
  return false;
}

function atHome(host: string, hosts: readonly string[]): boolean {
  const label = host.split(".");
  // Code of customers runs behind these labels of a vendor's own domain.
  if (label.includes("execute-api") || label.includes("lambda-url")) return false;
  return (
    hosts.some((suffix) => !suffix.startsWith("-") && under(host, suffix)) &&
    !hosts.some((suffix) => suffix.startsWith("-") && under(host, suffix.slice(1)))
  );
}

/**
 * Whether this secret stands where its own service takes it: inside the URL (a Slack or Discord webhook, a Telegram bot, a
 * Google key, a signed storage address). The address is then the credential, and calling it is use. The same family's
 * secret in the body of such a request is not: somebody else may read that channel.
 */
export function takesSecretInUrl(family: string, destination: Destination, value: string): boolean {
  const host = hostOf(destination);
  const url = destination.url;
  if (host === undefined || url === undefined || value === "" || !(url.includes(value) || percentDecoded(url).includes(value)))
    return false;
  const path = pathOf(destination);
  if (/^slack(?:-|$)/.test(family)) return host === "hooks.slack.com" && /^\/(?:services|workflows|triggers)\//.test(path);
  if (/^discord(?:-|$)/.test(family))
    return (under(host, "discord.com") || under(host, "discordapp.com")) && /^\/api\/(?:v\d{1,2}\/)?webhooks\//.test(path);
  if (/^telegram(?:-|$)/.test(family)) return host === "api.telegram.org" && /^\/(?:file\/)?bot/.test(path);
  if (/^(?:teams|office)(?:-|$)/.test(family)) return under(host, "webhook.office.com") || host === "outlook.office.com";
  if (/^(?:google|gcp|gemini|firebase)(?:-|$)/.test(family)) return under(host, "googleapis.com");
  if (/^azure(?:-|$)/.test(family)) return under(host, "core.windows.net") || under(host, "servicebus.windows.net");
  return false;
}
