/** Raw connections, name lookups and mail. */
import type { Argument, Part, Source } from "../../effect.ts";
import { argumentSources, sliceArgument, unique } from "../../source.ts";
import { hostDestination, hostOf } from "../../url.ts";
import { upTo } from "../../text.ts";
import type { Handler, Invocation } from "../invocation.ts";

/** The handler of a command that opens a connection, looks a name up or mails. */
export function socketCommand(name: string): Handler | undefined {
  switch (name) {
    case "nc":
    case "ncat":
    case "netcat":
    case "nc.openbsd":
    case "nc.traditional":
    case "pwncat":
      return netcat;
    case "socat":
      return socat;
    case "telnet":
      return telnet;
    case "dig":
    case "kdig":
    case "drill":
    case "delv":
    case "doggo":
    case "dog":
    case "q":
    case "nslookup":
    case "host":
    case "ping":
    case "ping6":
    case "fping":
    case "traceroute":
    case "tracepath":
    case "mtr":
    case "whois":
    case "getent":
    case "resolvectl":
    case "systemd-resolve":
    case "dscacheutil":
    case "arping":
      return lookup;
    case "hping3":
    case "nping":
      return probe;
    case "mail":
    case "mailx":
    case "Mail":
    case "s-nail":
    case "mutt":
    case "neomutt":
    case "sendmail":
    case "msmtp":
    case "ssmtp":
    case "exim":
    case "swaks":
    case "sendemail":
    case "mpack":
      return mail;
    default:
      return undefined;
  }
}

function netcat(invocation: Invocation): void {
  const options = invocation.options({
    short: "eciIopPqsTVwWXxgGmMO",
    long: "exec sh-exec lua-exec source source-port wait idle-timeout output hex-dump proxy proxy-type proxy-auth ssl-cert ssl-key max-conns allow deny",
  });
  for (const value of options.values("e", "exec", "c", "sh-exec")) {
    invocation.doubt("a connection is given to a program");
    invocation.script(value, { quiet: true });
  }
  const [host] = options.operands;
  const proxy = options.value("x", "proxy");
  const listens = options.has("l", "listen");
  if (options.has("z") && invocation.stdin.length === 0) return;
  const sources: readonly Source[] = invocation.stdin;
  const named: Part[] = host === undefined ? [] : [{ sources: argumentSources(host), position: "data" }];
  if (sources.length > 0 || (host !== undefined && !listens)) {
    invocation.send(
      invocation.name,
      [...named, { sources, position: "data" }],
      hostDestination("socket", listens ? undefined : (proxy ?? host)?.text),
    );
  }
  invocation.print([{ from: "unknown" }]);
}

function socat(invocation: Invocation): void {
  const options = invocation.options({ short: "bdlmstTxrR" });
  const ends = options.operands.slice(0, 2);
  const far = ends.find(
    (end) => /^(?:tcp|udp|openssl|ssl|sctp|socks|proxy|quic|dtls)[a-z0-9-]*:/i.test(end.text) && !/listen|-l:/i.test(end.text.slice(0, 40)),
  );
  const listens = ends.some((end) => /^[a-z0-9-]*(?:listen|-l):/i.test(end.text.slice(0, 40)));
  const sources: Source[] = [];
  for (const end of ends) {
    if (end === far) continue;
    const match = /^(!!)?([A-Za-z0-9-]{1,30})(?::(.*))?$/s.exec(end.text);
    const kind = (match?.[2] ?? "").toLowerCase();
    const value = sliceArgument(end, end.text.indexOf(":") + 1);
    if (end.text === "-" || kind === "stdio" || kind === "stdin") sources.push(...invocation.stdin);
    else if (/^(?:file|open|gopen)$/.test(kind)) sources.push(...invocation.read({ ...value, text: upTo(value.text, ",") }));
    else if (/^(?:exec|system)$/.test(kind)) {
      const command = {
        ...value,
        text: value.text.replace(/,(?:pty|stderr|setsid|sigint|sane|nofork|pipes|fdin|fdout|ctty).{0,200}$/s, ""),
      };
      invocation.doubt("a connection is given to a program");
      sources.push(
        ...invocation.capture([{ text: "sh", exact: true, sources: [] }, { text: "-c", exact: true, sources: [] }, command], []),
      );
    } else if (end.text.startsWith("/") || end.text.startsWith("./")) sources.push(...invocation.read(end));
  }
  if (far !== undefined) {
    const address = far.text.slice(far.text.indexOf(":") + 1);
    invocation.send(
      "socat",
      [{ sources: unique([...sources, ...far.sources]), position: "data" }],
      hostDestination("socket", /^[a-z0-9-]{0,20}proxy/i.test(far.text) ? address.split(":")[1] : socketHost(address)),
    );
  } else if (listens) {
    if (sources.length > 0) invocation.send("socat", [{ sources, position: "data" }], hostDestination("socket", undefined));
  } else invocation.print(sources);
  if (far !== undefined) invocation.print([{ from: "unknown" }]);
}

function socketHost(address: string): string {
  const six = /^\[[^\]]{1,60}\]/.exec(address);
  return six === null ? (address.split(":")[0] ?? "") : six[0];
}

function telnet(invocation: Invocation): void {
  const [host] = invocation.options({ short: "lnXbe" }).operands;
  if (host !== undefined)
    invocation.send(
      "telnet",
      [{ sources: unique([...argumentSources(host), ...invocation.stdin]), position: "data" }],
      hostDestination("socket", host.text),
    );
  invocation.print([{ from: "unknown" }]);
}

/** `openssl s_client -connect host:port`. */
export function tlsClient(invocation: Invocation, args: readonly Argument[]): void {
  const at = args.findIndex((argument) => /^--?(?:connect|host)$/.test(argument.text));
  const host = at >= 0 ? args[at + 1] : args.slice(1).find((argument) => /^[\w.-]{1,255}:\d{1,5}$/.test(argument.text));
  if (host !== undefined)
    invocation.send(
      "openssl s_client",
      [{ sources: unique([...argumentSources(host), ...invocation.stdin]), position: "data" }],
      hostDestination("socket", host.text),
    );
  invocation.print([{ from: "unknown" }]);
}

/** Every name looked up travels to somebody's name server, label by label. */
function lookup(invocation: Invocation): void {
  const options = invocation.options({
    short: invocation.name === "dig" || invocation.name === "kdig" ? "bcfkpqtxy" : "cCiIlLmMpQsStTwWNRVf",
    long: "",
  });
  const words = [...options.operands, ...options.values("q", "x")].filter(
    (word) => !word.text.startsWith("+") && !word.text.startsWith("@"),
  );
  const names = words.filter((word) => /[.$`:]/.test(word.text) || word.sources.length > 0 || !word.exact);
  for (const name of names)
    invocation.send(invocation.name, [{ sources: argumentSources(name), position: "data" }], {
      kind: "dns",
      host: hostOf(name.text),
      url: undefined,
    });
  // The bytes that fill the packets.
  const pattern = /^ping6?$/.test(invocation.name) ? options.value("p") : undefined;
  const target = words.at(-1);
  if (pattern !== undefined && target !== undefined)
    invocation.send(invocation.name, [{ sources: argumentSources(pattern), position: "data" }], hostDestination("socket", target.text));
  const list = options.value("f");
  if (list !== undefined && (invocation.name === "dig" || invocation.name === "host")) {
    invocation.send(invocation.name, [{ sources: invocation.read(list), position: "data" }], {
      kind: "dns",
      host: undefined,
      url: undefined,
    });
  }
  if (invocation.stdin.length > 0 && (invocation.name === "nslookup" || list?.text === "-")) {
    invocation.send(invocation.name, [{ sources: invocation.stdin, position: "data" }], { kind: "dns", host: undefined, url: undefined });
  }
  invocation.print([{ from: "unknown" }]);
}

/** Packets with a content of the caller's own. */
function probe(invocation: Invocation): void {
  const options = invocation.options({
    short: invocation.name === "hping3" ? "ciIapsdEekMLtNmowWV" : "pgce",
    long: "file sign data data-string data-length dest-port count delay interface",
  });
  const target = options.operands.at(-1);
  if (target === undefined) return;
  const texts = options.values("sign", "data", "data-string", ...(invocation.name === "hping3" ? ["e"] : []));
  const files = options.values("file", ...(invocation.name === "hping3" ? ["E"] : []));
  const read = files.flatMap((file) => [...invocation.read(file)]);
  const sources = unique([...argumentSources(target), ...texts.flatMap(argumentSources), ...read]);
  invocation.send(invocation.name, [{ sources, position: "data" }], hostDestination("socket", target.text));
  invocation.print([{ from: "unknown" }]);
}

function mail(invocation: Invocation): void {
  const swaks = invocation.name === "swaks" || invocation.name === "sendemail";
  const options = invocation.options(
    swaks
      ? {
          short: "tfspaumxo",
          long: `to from server port body attach header h-Subject auth auth-user auth-password data attach-body add-header helo timeout cc bcc${invocation.name === "sendemail" ? " a f m o s t u" : ""}`,
          single: invocation.name === "sendemail",
        }
      : { short: "sabcArfqSFHiEe", long: "subject attach account from file" },
  );
  const parts: Part[] = [];
  if (!swaks || invocation.stdin.length > 0) parts.push({ sources: invocation.stdin, position: "data" });
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    const file = /^(?:a|A|attach|i|H)$/.test(name) && !swaks;
    if (file) parts.push({ sources: invocation.read(value), position: "data" });
    else if (/^auth-password$/.test(name)) parts.push({ sources: argumentSources(value), position: "credential" });
    else if (/^(?:attach|attach-body|body|data|add-header|header|h-Subject)$/.test(name) || (name === "a" && swaks)) {
      parts.push({
        sources:
          value.text.startsWith("@") || name === "attach" || name === "a"
            ? invocation.read(value.text.startsWith("@") ? sliceArgument(value, 1) : value)
            : argumentSources(value),
        position: "data",
      });
    } else if (/^(?:s|subject)$/.test(name)) parts.push({ sources: argumentSources(value), position: "data" });
  }
  const people = [...options.operands, ...options.values("t", "to", "c", "b", "cc", "bcc")];
  const attached =
    (invocation.name.endsWith("mutt") && options.has("a")) || invocation.name === "mpack"
      ? options.operands.filter((operand) => !operand.text.includes("@"))
      : [];
  for (const file of attached) parts.push({ sources: invocation.read(file), position: "data" });
  if (parts.every((part) => part.sources.length === 0) && people.length === 0) return;
  const recipient = people.find((person) => person.text.includes("@"));
  invocation.send(
    invocation.name,
    parts,
    hostDestination("mail", recipient?.text.slice(recipient.text.lastIndexOf("@") + 1).replace(/[>,;].*$/s, "")),
  );
}
