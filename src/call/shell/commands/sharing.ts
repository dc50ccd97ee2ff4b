/** Commands that hand text, files or this machine itself to strangers (third-party-destinations.md §6). */
import type { Argument, Destination, Part, Source } from "../../effect.ts";
import { argumentSources, unique } from "../../source.ts";
import { targetOf } from "../../url.ts";
import type { Handler, Invocation } from "../invocation.ts";
import type { OptionTable } from "../options.ts";

/** The handler of a command that shares. */
export function sharingCommand(name: string): Handler | undefined {
  switch (name) {
    case "ipfs":
      return files(/^add$/, "ipfs.io", { long: "chunker hash to-files inline-limit cid-version raw-leaves" });
    case "w3":
    case "storacha":
    case "arweave":
    case "arkb":
      return files(/^(?:up|upload|deploy|deploy-dir)$/, "ipfs.io", { short: "w", long: "wallet tag-name tag-value" });
    case "pastebinit":
    case "nopaste":
      return paste("pastebin.com");
    case "fpaste":
      return paste("paste.centos.org");
    case "termbin":
      return paste("termbin.com");
    case "wgetpaste":
      return paste("paste.gentoo.zip");
    case "hastebin":
    case "haste":
      return paste("hastebin.com");
    case "ix":
      return paste("ix.io");
    case "sprunge":
      return paste("sprunge.us");
    case "gist":
    case "gist-paste":
      return paste("gist.github.com");
    case "transfer":
      return paste("transfer.sh");
    case "asciinema":
      return files(/^upload$/, "asciinema.org", { long: "server-url" });
    case "croc":
      return files(/^send$/, undefined, { short: "ct", long: "code text relay pass socks5" });
    case "wormhole":
    case "magic-wormhole":
    case "wormhole-william":
      return files(/^(?:send|tx)$/, undefined, { short: "c", long: "text code code-length relay-url transit-helper" });
    case "webwormhole":
    case "ww":
      return files(/^send$/, undefined, {});
    case "onionshare-cli":
      return (invocation) => {
        const { operands } = invocation.options({
          long: "title auto-start-timer auto-stop-timer log-filenames persistent connect-timeout",
        });
        const sources = operands.flatMap((file) => [...invocation.read(file)]);
        if (sources.length > 0) invocation.publish(invocation.name, [{ sources, position: "data" }], web(undefined));
      };
    case "portal":
    case "ffsend":
      return files(/^(?:send|upload|u)$/, undefined, { short: "h", long: "host password downloads expiry-time name" });
    case "slackcat":
    case "discord.sh":
    case "telegram-send":
    case "ntfy":
    case "apprise":
    case "signal-cli":
      return chat;
    case "ngrok":
    case "cloudflared":
    case "lt":
    case "localtunnel":
    case "bore":
    case "tmate":
    case "sshx":
    case "upterm":
    case "zrok":
    case "pinggy":
    case "devtunnel":
      return tunnel;
    case "tailscale":
      return (invocation) => {
        const [verb, ...rest] = invocation.options({ short: "p", long: "bg https http tcp set-path" }).operands;
        if (verb?.text !== "funnel") return;
        open(
          invocation,
          rest.find((place) => /^[~./]|\//.test(place.text) && !place.text.includes("://")),
        );
      };
    default:
      return undefined;
  }
}

function web(host: string | undefined): Destination {
  return { kind: "web", host, url: undefined };
}

/** Hands over the files and folders it names, a text, or standard input. */
function files(verb: RegExp, host: string | undefined, table: OptionTable): Handler {
  return (invocation) => {
    const options = invocation.options(table);
    const at = options.operands.findIndex((operand) => verb.test(operand.text));
    if (at < 0 || at > 2 || options.has("only-hash", "help")) return;
    const named = options.operands.slice(at + 1);
    const sources: Source[] = unique([
      ...named.flatMap((file) => [...invocation.read(file)]),
      ...options.values("text").flatMap(argumentSources),
      ...(named.length === 0 ? invocation.stdin : []),
    ]);
    const far = options.value("host", "server-url");
    invocation.publish(
      `${invocation.name} ${options.operands[at]?.text}`,
      [{ sources, position: "data" }],
      far === undefined ? web(host) : targetOf(far.text, "https").destination,
    );
    invocation.print([{ from: "unknown" }]);
  };
}

/** Pastes standard input or the files it names. */
function paste(host: string): Handler {
  return (invocation) => {
    const options = invocation.options({ short: "abfiltjdsu", long: "" });
    const files = [...options.values("i"), ...options.operands];
    const address = options.value("b");
    invocation.publish(
      invocation.name,
      [{ sources: invocation.readAll(files), position: "data" }],
      address === undefined ? web(host) : targetOf(address.text, "https").destination,
    );
    invocation.print([{ from: "unknown" }]);
  };
}

function chat(invocation: Invocation): void {
  const options = invocation.options({
    short: "cnfgam",
    long: "channel filename file image text webhook-url title message attachment attach",
  });
  const files = options.values("f", "file", "image", "a", "attachment", "attach").flatMap((file) => [...invocation.read(file)]);
  const words = options.operands.filter((operand) => operand.text !== "publish" && operand.text !== "send");
  const sources: Source[] = [
    ...files,
    ...words.flatMap(argumentSources),
    ...options.values("text", "title", "message").flatMap(argumentSources),
    ...invocation.stdin,
  ];
  if (invocation.name === "slackcat") sources.push(...words.flatMap((word) => [...invocation.read(word)]));
  const host =
    invocation.name === "ntfy"
      ? "ntfy.sh"
      : invocation.name === "slackcat"
        ? "slack.com"
        : invocation.name === "discord.sh"
          ? "discord.com"
          : "api.telegram.org";
  invocation.publish(invocation.name, [{ sources, position: "data" }], web(host));
}

/** A tunnel, and what it hands out itself. */
function open(invocation: Invocation, folder: Argument | undefined): void {
  const place = folder === undefined ? undefined : { ...folder, text: folder.text.replace(/^file:\/\//, "") };
  const parts: Part[] = place === undefined ? [] : [{ sources: invocation.read(place), position: "data" }];
  invocation.publish(invocation.name, parts, { kind: "tunnel", host: undefined, url: undefined });
}

/** Opens this machine to the public; no file is named. */
function tunnel(invocation: Invocation): void {
  if (/^(?:version|help|config|authtoken|login|access|update|service)$/.test(invocation.text(0)) || invocation.args.length === 0) return;
  const served = invocation.args.find((argument) => /^file:\/\//.test(argument.text));
  open(invocation, served ?? invocation.options({ long: "file-server" }).value("file-server"));
}
