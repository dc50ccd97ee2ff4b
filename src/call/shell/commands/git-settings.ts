/** Git's settings that a command line gives: `-c`, `--config-env`, `clone -c`, and those in variables. Each reads `key=value`. */
import type { Argument, Source } from "../../effect.ts";
import type { Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";

/** The setting that a global option gives. */
export function settingOf(invocation: Invocation, option: string, value: Argument): readonly Argument[] {
  if (option === "-c") return [value];
  if (option !== "--config-env") return [];
  const equals = value.text.lastIndexOf("=");
  const variable = equals < 0 ? undefined : invocation.variable(value.text.slice(equals + 1));
  return variable === undefined ? [] : [keyed(value.text.slice(0, equals), variable)];
}

/** Settings of a repository that the subcommand makes: `git clone -c key=value`. */
export function ownSettings(subcommand: string, rest: readonly Argument[]): readonly Argument[] {
  if (subcommand !== "clone") return [];
  return readOptions(rest, { short: "bcjou", long: "config" }).values("c", "config");
}

/** Settings in variables: `GIT_CONFIG_KEY_0` with its value, and those with names of their own. */
export function givenSettings(invocation: Invocation): readonly Argument[] {
  const found: Argument[] = [];
  for (const [name, key] of OWN_VARIABLES) {
    const value = invocation.variable(name);
    if (value !== undefined) found.push(keyed(key, value));
  }
  const count = Math.min(Number(invocation.variable("GIT_CONFIG_COUNT")?.text ?? 0) || 0, SETTINGS_MAX);
  for (let at = 0; at < count; at++) {
    const key = invocation.variable(`GIT_CONFIG_KEY_${at}`);
    const value = invocation.variable(`GIT_CONFIG_VALUE_${at}`);
    if (key !== undefined && value !== undefined) found.push(keyed(key.text, value));
  }
  const listed = invocation.variable("GIT_CONFIG_PARAMETERS");
  for (const [, key, text] of (listed?.text ?? "").matchAll(/'([\w.-]{1,300})'?='?([^'\n]{1,4000})'/g))
    found.push({ ...(listed as Argument), text: `${key}=${text}` });
  return found;
}

/** Subcommands that write the committer's or the author's name into an object. */
const NAMING = /^(?:commit|tag|merge|cherry-pick|revert|rebase|am|pull|stash|notes)$/;

/** What substitutions bring into the names and addresses that a command writes into a commit: they stand there for everyone to read. */
export function identities(invocation: Invocation, subcommand: string, settings: readonly Argument[]): readonly Source[] {
  if (!NAMING.test(subcommand)) return [];
  const given = settings.filter(({ text }) => /^(?:user|author|committer)\.(?:name|email)=/i.test(text));
  const set = ["AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"].flatMap(
    (name) => invocation.variable(`GIT_${name}`) ?? [],
  );
  return [...given, ...set].flatMap(({ sources }) => sources.filter(({ from }) => from === "file" || from === "credential command"));
}

const OWN_VARIABLES: readonly (readonly [string, string])[] = [["GIT_HTTP_USER_AGENT", "http.useragent"]];
const SETTINGS_MAX = 100;

function keyed(key: string, value: Argument): Argument {
  return { ...value, text: `${key}=${value.text}` };
}
