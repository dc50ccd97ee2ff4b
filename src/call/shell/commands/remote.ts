/** Other machines: ssh and the copies over it. What runs there cannot read files here. */
import { CHOSEN } from "../../../limits.ts";
import type { Argument, Part, SelectionRule, Source } from "../../effect.ts";
import { baseName, below } from "../../path.ts";
import { argumentSources, literal, selected, staticText, textSource, unique } from "../../source.ts";
import { upTo } from "../../text.ts";
import { hostDestination, targetOf } from "../../url.ts";
import type { Handler, Invocation, Landing } from "../invocation.ts";
import { type Option, type Options, readOptions } from "../options.ts";
import { withStdin } from "../sink.ts";

const SSH = "BbcDEeFIiJLlmOoPpQRSWw";

/** The handler of a command that works on another machine. */
export function remoteCommand(name: string): Handler | undefined {
  switch (name) {
    case "ssh":
    case "autossh":
    case "mosh":
    case "sshpass":
    case "tsh":
      return ssh;
    case "scp":
    case "pscp":
      return scp;
    case "rsync":
      return rsync;
    case "sftp":
    case "ftp":
    case "lftp":
    case "ncftp":
    case "ncftpput":
    case "tftp":
    case "smbclient":
    case "psftp":
      return ftp;
    case "ssh-copy-id":
      return sshCopyId;
    default:
      return undefined;
  }
}

/** `user@host`, `ssh://user@host:port`, `[::1]`, `host:`. */
function shellHost(text: string): string | undefined {
  if (/^[a-z]{2,8}:\/\//i.test(text)) return targetOf(text).destination.host;
  const bare = text.slice(text.lastIndexOf("@") + 1);
  return hostDestination("remote shell", bare).host;
}

function ssh(invocation: Invocation): void {
  if (invocation.name === "sshpass") {
    const options = invocation.options({ short: "fdpP", stop: true });
    return invocation.start(options.operands);
  }
  const table = { short: SSH, long: "ssh port", stop: true };
  const leading = invocation.options(table);
  const [host, ...rest] = leading.operands;
  // Options may stand behind the host as well; the command begins at the first word that is none.
  const command = readOptions(rest, table).operands;
  const others = new Set([host, ...command]);
  const options = readOptions(
    invocation.args.filter((argument) => !others.has(argument)),
    { ...table, stop: false },
  );
  // What ssh does not understand in its configuration is quoted.
  for (const file of options.values("F")) invocation.complain(file);
  localCommands(invocation, options);
  if (host === undefined) return;
  if (options.has("R")) invocation.publish("ssh -R", [], { kind: "tunnel", host: shellHost(host.text), url: undefined });
  const sources: Source[] = unique([
    ...host.sources,
    ...command.flatMap(argumentSources),
    ...options.values("o").flatMap((option) => variablesSent(invocation, option)),
    ...(options.has("n", "f") ? [] : invocation.stdin),
  ]);
  // The name to log in with travels as well.
  const user = /^(?:ssh:\/\/)?([^@/]{16,1000})@/.exec(host.text)?.[1] ?? options.value("l")?.text ?? "";
  if (sources.length > 0 || user !== "")
    invocation.send(
      "ssh",
      [
        { sources, position: "data" },
        { sources: textSource(user), position: "credential" },
      ],
      { kind: "remote shell", host: shellHost(host.text), url: undefined },
    );
  const typed = command.length === 0 ? staticText(invocation.stdin) : undefined;
  const text = typed ?? command.map((word) => word.text).join(" ");
  if (isThisMachine(host, options)) {
    if (command.length === 0 && typed === undefined) return invocation.scriptFlow(options.has("n", "f") ? [] : invocation.stdin);
    const name = /^(?:ssh:\/\/)?([^@/]{1,255})@/.exec(host.text)?.[1] ?? options.value("l")?.text;
    invocation.shell.login(text, name, typed === undefined ? invocation.io : withStdin(invocation.io, []));
  } else if (command.length > 0 || (typed !== undefined && typed !== "")) {
    const brought = unique(command.flatMap((word) => [...word.sources]));
    invocation.elsewhere(
      text,
      brought.filter(({ from }) => from !== "text"),
    );
  }
  invocation.print([{ from: "unknown" }]);
}

const HERE = /^(?:localhost|ip6-localhost|127(?:\.\d{1,3}){1,3}|\[?::1\]?|0(?:\.0\.0\.0)?)$/;

/** The names every machine has for itself. Behind another port stands a container or a tunnel more often than this machine. */
function isThisMachine(host: Argument, options: Options): boolean {
  // `$(hostname)` is this machine by its own word for itself.
  const known = host.exact || staticText(host.sources) !== undefined;
  const name = host.text.trim();
  if (!known || !(HERE.test(name.slice(name.lastIndexOf("@") + 1)) || HERE.test(shellHost(name) ?? ""))) return false;
  if (options.has("J", "p", "port", "F") || /^ssh:\/\/.{0,300}:\d{1,5}\/?$/i.test(host.text)) return false;
  return !options.values("o").some(({ text }) => /^\s{0,8}(?:Port|HostName|ProxyJump|ProxyCommand)\b/i.test(text));
}

/** Whether an operand names a place on another machine (`host:path`, not `C:\path`, not `./a:b`). */
function isRemote(text: string): boolean {
  if (/^(?:scp|sftp|rsync|ssh):\/\//i.test(text)) return true;
  if (/^[A-Za-z]:[\\/]/.test(text)) return false;
  const colon = text.indexOf(":");
  if (colon <= 0) return false;
  const slash = text.indexOf("/");
  return slash < 0 || colon < slash;
}

function remoteHost(text: string): string | undefined {
  if (/^[a-z]{2,8}:\/\//i.test(text)) return targetOf(text).destination.host;
  const six = /^(?:[^@]{0,255}@)?(\[[^\]]{1,60}\])/.exec(text);
  return shellHost(six?.[1] ?? text.slice(0, text.indexOf(":")));
}

/** Variables that an option of ssh gives to the other machine: `SetEnv=A=b`, `SendEnv=A`. */
function variablesSent(invocation: Invocation, option: Argument): readonly Source[] {
  const [, how, names = ""] = /^\s{0,4}(Set|Send)Env\s{0,4}[=\s]\s{0,4}(.{0,4000})$/is.exec(option.text) ?? [];
  if (how === undefined) return [];
  if (/set/i.test(how)) return argumentSources(option);
  return names.split(/\s/).flatMap((name) => [...(invocation.variable(name)?.sources ?? [])]);
}

/** Options of ssh that start a command here. */
function localCommands(invocation: Invocation, options: Options): void {
  for (const option of options.values("o")) {
    const local = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s{0,4}[= ]\s{0,4}(.+)$/is.exec(option.text);
    if (local !== null) invocation.script({ ...option, text: local[1] ?? "" }, { quiet: true });
  }
}

function scp(invocation: Invocation): void {
  const options = invocation.options({ short: "cDFiJloPSX" });
  localCommands(invocation, options);
  transfer(invocation, {
    operands: options.operands,
    rules: [],
    plain: !options.has("c", "F", "J", "o", "P", "S"),
    landing: (_from, to) => (to.text.endsWith("/") ? "inside" : "either"),
  });
}

function rsync(invocation: Invocation): void {
  const options = invocation.options({
    short: "eBfMT@",
    long: "rsh exclude include exclude-from include-from files-from filter password-file log-file partial-dir backup-dir suffix temp-dir compare-dest copy-dest link-dest chmod chown max-size min-size bwlimit port rsync-path out-format timeout info debug usermap groupmap",
  });
  const list = options.value("files-from");
  const shells = options.values("e", "rsh");
  for (const value of shells) if (/[\s;|&$]/.test(value.text)) invocation.script(value);
  if (options.has("remove-source-files"))
    for (const one of options.operands.slice(0, -1)) if (!isRemote(one.text)) invocation.change(one, "remove");
  const deletes = options.options.some(({ name }) => /^del(?:ete)?(?:-|$)/.test(name));
  transfer(invocation, {
    operands: options.operands,
    ...(list === undefined ? {} : { list: invocation.read(list) }),
    rules: rsyncRules(invocation, options.options),
    plain: shells.length === 0 && !options.has("port"),
    landing: (from, to) => {
      // `dir/` is everything in dir.
      if (from.text.endsWith("/")) return deletes ? "mirror" : "at";
      return to.text.endsWith("/") ? "inside" : "either";
    },
  });
}

/** The first rule that fits decides. */
function rsyncRules(invocation: Invocation, options: readonly Option[]): readonly SelectionRule[] {
  const rule = (takes: boolean, pattern: SelectionRule["pattern"]): SelectionRule => ({
    takes,
    pattern,
    how: typeof pattern === "string" && pattern.includes("**") ? "crossing anywhere" : "anywhere",
  });
  return options.flatMap(({ name, value }): readonly SelectionRule[] => {
    if (name === "C" || name === "cvs-exclude") return [rule(false, ".git")];
    if (value === undefined || !value.exact) return [];
    // `folder/***` stands for the folder and for what lies in it.
    if (name === "exclude" || name === "include")
      return (value.text.endsWith("/***") ? [value.text.slice(0, -4), value.text.slice(0, -1)] : [value.text]).map((text) =>
        rule(name === "include", text),
      );
    if (name === "exclude-from" || name === "include-from") return [rule(name === "include-from", invocation.file(value))];
    if (name !== "filter" && name !== "f") return [];
    const signed = /^([+-]|exclude|include)[ ,_](.{1,4000})$/.exec(value.text);
    if (signed !== null) return [rule(signed[1] === "+" || signed[1] === "include", signed[2] ?? "")];
    // `:- .gitignore`: the file of that name in each folder; the uppermost is read.
    const merged = /^(?:[.:],?-|dir-merge,-|merge,-) (.{1,1000})$/.exec(value.text);
    return merged === null ? [] : [rule(false, invocation.file(literal(merged[1] ?? "")))];
  });
}

interface Transfer {
  /** What is copied, the target last. */
  readonly operands: readonly Argument[];
  /** A list of the only files below what is copied that travel. */
  readonly list?: readonly Source[];
  /** What is left out; the first rule that fits decides. */
  readonly rules: readonly SelectionRule[];
  /** No option leads to another port or another way: `localhost` is this machine. */
  readonly plain: boolean;
  readonly landing: (from: Argument, to: Argument) => Landing;
}

function transfer(invocation: Invocation, { operands, list, rules, plain, landing }: Transfer): void {
  const named = operands[operands.length - 1];
  if (named === undefined || operands.length < 2) return;
  const from = operands.slice(0, -1);
  const to = from.length > 1 && !/[:/]$/.test(named.text) ? { ...named, text: `${named.text}/` } : named;
  const here = plain ? onThisMachine(to) : undefined;
  if (here !== undefined) for (const one of from) if (!isRemote(one.text)) invocation.copy(one, here, landing(one, here));
  if (isRemote(named.text)) {
    const sources = unique([
      ...from
        .filter((one) => !isRemote(one.text))
        .flatMap((one): readonly Source[] => {
          if (list !== undefined) return listed(invocation, one, list);
          const name = one.text.slice(one.text.lastIndexOf("/") + 1);
          return selected(invocation.read(one), {
            rules,
            first: true,
            prunes: true,
            prefix: name === "" || name === "." ? "" : `${name}/`,
          });
        }),
      ...named.sources,
    ]);
    if (sources.length > 0)
      invocation.send(invocation.name, [{ sources, position: "data" }], {
        kind: "remote shell",
        host: remoteHost(named.text),
        url: undefined,
      });
    return;
  }
  for (const one of from) {
    if (isRemote(one.text)) arrive(invocation, one, to, landing(one, to));
    else invocation.copy(one, to, landing(one, to));
  }
}

/** The files below a folder that a list names. */
function listed(invocation: Invocation, folder: Argument, list: readonly Source[]): readonly Source[] {
  const names = (staticText(list) ?? "").split(/[\0\n]/, CHOSEN.word_fields).filter((name) => name !== "" && !/^[#;]/.test(name));
  const root = folder.text.replace(/\/$/, "");
  const named = names.flatMap((name) => [...invocation.read({ ...folder, text: `${root}/${name.replace(/^\/+/, "")}` })]);
  const known = staticText(list) !== undefined;
  return [...named, ...invocation.readListed(list, folder), ...(known ? [] : [{ from: "unknown" } as const])];
}

/** A file of another machine comes to lie here: what is in it is not known, what it is called is. */
function arrive(invocation: Invocation, from: Argument, to: Argument, landing: Landing): void {
  const path = from.text.slice(from.text.indexOf(":") + 1);
  const named = from.exact && !/[*?[{]|\/$/.test(path) ? baseName(path) : "";
  const target = invocation.file(to);
  const file = landing === "inside" && named !== "" ? below(target, named) : target;
  invocation.emit({ kind: "write", file, sources: [{ from: "unknown" }], append: false });
  if (landing === "either" && named !== "")
    invocation.emit({ kind: "copy", file: { written: named, path: undefined }, to: target, either: true });
}

/** `localhost:path` by its path here. */
function onThisMachine(to: Argument): Argument | undefined {
  const colon = to.text.indexOf(":");
  if (!to.exact || !isRemote(to.text) || !HERE.test(to.text.slice(0, colon))) return undefined;
  const path = to.text.slice(colon + 1);
  return { ...to, text: /^[/~]/.test(path) ? path : `~/${path}` };
}

/** Batch transfer clients: `put` lines in what they are fed, `-e`/`-c` texts, `-b` files. */
function ftp(invocation: Invocation): void {
  const sftp = invocation.name === "sftp" || invocation.name === "psftp";
  const options = invocation.options({ short: sftp ? "BbcDFiJloPRSs" : "ecufpUPm", long: "" });
  if (sftp) localCommands(invocation, options);
  const host = options.operands[0];
  const texts: Argument[] = [...options.values("e", "c")];
  const batch = options.value("b", "f");
  const flows: Source[] = [...invocation.stdin, ...(batch === undefined ? [] : invocation.read(batch))];
  for (const source of flows) if (source.from === "text") texts.push(literal(source.text));
  const sources: Source[] = flows.filter((source) => source.from !== "text");
  for (const text of texts) {
    for (const line of text.text.split(/[\n;]/)) {
      const match =
        /^\s{0,16}(?:put|mput|reput|send|append|mirror\s+(?:-R|--reverse))\s+(?:-\S{1,20}\s+){0,4}("[^"]{1,1024}"|'[^']{1,1024}'|\S{1,1024})/.exec(
          line,
        );
      if (match !== null) sources.push(...invocation.read({ ...text, text: (match[1] ?? "").replace(/^["']|["']$/g, "") }));
      const local = /^\s{0,16}!(.{1,2000})$/.exec(line);
      if (local !== null) invocation.script(literal(local[1] ?? ""));
    }
  }
  if (invocation.name === "tftp")
    sources.push(...options.operands.slice(1).flatMap((file) => (/^(?:put|\d+)$/.test(file.text) ? [] : [...invocation.read(file)])));
  if (invocation.name === "ncftpput") sources.push(...options.operands.slice(2).flatMap((file) => [...invocation.read(file)]));
  const parts: Part[] = [{ sources: unique(sources), position: "data" }];
  const login = options.value("u");
  if (login !== undefined) parts.push({ sources: argumentSources(login), position: "credential" });
  if (sources.length > 0) {
    const opened = openedHost(texts.map((text) => text.text).join("\n"));
    const far =
      host === undefined || texts.includes(host) ? opened : (opened ?? (host.text.includes("://") ? host.text : upTo(host.text, ":")));
    const kind = sftp ? "remote shell" : "socket";
    invocation.send(invocation.name, parts, {
      kind,
      host: far === undefined ? undefined : far.includes("://") ? targetOf(far).destination.host : shellHost(far),
      url: undefined,
    });
  }
  invocation.print([{ from: "unknown" }]);
}

/** The host of an `open` line in a batch. */
function openedHost(text: string): string | undefined {
  for (const line of text.split(/[\n;]/, 200)) {
    const words = line.trim().split(/\s+/, 8);
    if (words[0] === "open") return words[1]?.startsWith("-") === true ? words[3] : words[1];
  }
  return undefined;
}

/** Sends the public half only. */
function sshCopyId(): void {}
