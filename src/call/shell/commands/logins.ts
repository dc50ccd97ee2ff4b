/**
 * Logins: which host a tool gives a token to. A token is used and not leaked only at the host that it belongs to
 * (D-18), so whose host that is must be asked of every login, also where the tool is known to be an honest one.
 */
import type { Argument, Destination, Source } from "../../effect.ts";
import { argumentSources, sliceArgument, unique } from "../../source.ts";
import { targetOf } from "../../url.ts";
import type { Invocation } from "../invocation.ts";
import { type Options, readOptions } from "../options.ts";

/** Tells that a tool signs in at a host (a name or an address) with what the sources hold. */
export function signIn(invocation: Invocation, via: string, host: string | undefined, sources: readonly Source[]): void {
  if (sources.length === 0) return;
  const destination: Destination =
    host === undefined ? { kind: "web", host: undefined, url: undefined } : targetOf(host, "https").destination;
  invocation.send(via, [{ sources, position: "credential" }], destination);
}

/** What options with a secret in them hold, standard input when the tool is told to take it from there. */
export function secretsOf(invocation: Invocation, options: Options, names: readonly string[], fromInput: readonly string[]): Source[] {
  const given = options.values(...names).flatMap(argumentSources);
  return unique([...given, ...(options.has(...fromInput) ? invocation.stdin : [])]);
}

/** `docker login [HOST] -u U -p P`, and its kin among the registry clients. */
export function registryLogin(invocation: Invocation, args: readonly Argument[], home: string | undefined): void {
  const options = readOptions(args, {
    short: "up",
    long: "username password authfile cert-dir tls-verify config registry-config ca-file cert-file key-file identity-token",
  });
  const sources = secretsOf(
    invocation,
    options,
    ["p", "password", "u", "username", "identity-token"],
    ["password-stdin", "identity-token-stdin"],
  );
  const registry = options.operands[0]?.text ?? home;
  // Google's registries take the whole key of a service account as the password.
  const isKey = /^_json_key(?:_base64)?$/.test(options.value("u", "username")?.text ?? "");
  if (isKey && /^(?:https:\/\/)?(?:[a-z0-9-]{1,40}\.)?(?:gcr\.io|[a-z0-9-]{1,40}-docker\.pkg\.dev)(?:\/|$)/.test(registry ?? "")) return;
  signIn(invocation, `${invocation.name} login`, registry, sources);
}

/** A whole argument that is an address: bare, as an option's value, behind a package's name, with a version control's prefix. */
const ADDRESS =
  /^(?:--?[\w-]{1,60}=|[\w.-]{1,100}(?:\[[\w,.-]{1,100}\])?\s?@\s?)?((?:(?:git|hg|svn|bzr)\+)?(?:https?|ssh|git|ftp):\/\/\S{1,4000})$/i;

/** Tells of the logins that stand in addresses among the arguments, but for hosts the command was already told to talk to. */
export function addressLogins(invocation: Invocation, since: number): void {
  for (const argument of invocation.args) {
    if (!argument.text.includes("://") || !argument.text.includes("@")) continue;
    const address = ADDRESS.exec(argument.text)?.[1];
    if (address === undefined) continue;
    const target = targetOf(address);
    if (target.login === "") continue;
    const told = invocation.shell.core.effects
      .slice(since)
      .some((effect) => (effect.kind === "send" || effect.kind === "publish") && effect.destination.host === target.destination.host);
    if (told) continue;
    const login = sliceArgument(argument, argument.text.length - address.length);
    signIn(invocation, invocation.name, target.bare, argumentSources({ ...login, text: target.login }));
  }
}
