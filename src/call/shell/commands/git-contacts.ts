/** What a Git command gives to the addresses it contacts, besides what is pushed: logins, and what its HTTP settings carry. */
import type { Argument, Part } from "../../effect.ts";
import { argumentSources, sliceArgument, textSource, unique } from "../../source.ts";
import { headerPart, targetOf, urlParts } from "../../url.ts";
import type { Invocation } from "../invocation.ts";

/** Subcommands that talk to a remote. */
const CONTACTING =
  /^(?:clone|push|fetch|pull|ls-remote|submodule|archive|remote|remote-https|remote-http|send-pack|fetch-pack|http-push|http-fetch|lfs)$/;

/** Addresses written out in the command: their user info is a login, their text travels. */
export function contacts(invocation: Invocation, subcommand: string, rest: readonly Argument[], settings: readonly Argument[]): void {
  const addresses = rest.filter(({ text }) => text.includes("://"));
  if ((addresses.length === 0 && settings.length === 0) || !CONTACTING.test(subcommand)) return;
  if (subcommand === "remote" && !rest.some(({ text }) => /^(?:update|prune|show|-f)$/.test(text))) return;
  const via = `git ${subcommand}`;
  const carried = settings.flatMap((setting): readonly Part[] => {
    const value = sliceArgument(setting, setting.text.indexOf("=") + 1);
    const what = /^http\.(?:.{1,400}\.)?(extraheader|useragent|cookiefile|proxy)=/i.exec(setting.text)?.[1]?.toLowerCase();
    if (what === "extraheader") return [headerPart(value)];
    if (what === "useragent") return [{ sources: argumentSources(value), position: "data" }];
    if (what === "cookiefile") return [{ sources: invocation.read(value), position: "data" }];
    if (what !== "proxy") return [];
    const target = targetOf(value.text);
    if (target.login !== "" || value.sources.length > 0) invocation.send(via, urlParts(value, target), target.destination);
    return [];
  });
  // Without an address they go to the repository's own remotes.
  if (addresses.length === 0) {
    const data = carried.filter(({ position }) => position === "data");
    if (data.length > 0) invocation.send(via, data, { kind: "web", host: undefined, url: undefined });
    return;
  }
  for (const argument of rest) {
    if (!/^(?:https?|ssh|git|ftp):\/\//i.test(argument.text)) continue;
    const target = targetOf(argument.text, "https");
    const parts: Part[] = [{ sources: textSource(target.bare), position: "data" }];
    if (target.login !== "") parts.push({ sources: unique([...textSource(target.login), ...argument.sources]), position: "credential" });
    else if (argument.sources.length > 0) parts[0] = { sources: argumentSources(argument), position: "data" };
    invocation.send(via, [...parts, ...carried], target.destination);
  }
}
