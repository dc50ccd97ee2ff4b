/** Commands that one Git command starts by its options, addresses and settings. */
import type { Argument, Source } from "../../effect.ts";
import { addressCommand, isCommand, settingCommand } from "../../git/settings.ts";
import { literal, sliceArgument } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { readOptions } from "../options.ts";

/** `-c core.pager=cmd`, `-c alias.x='!cmd'`: settings that name a command. */
export function configuredCommand(invocation: Invocation, setting: Argument, subcommand: string, rest: readonly Argument[]): void {
  const equals = setting.text.indexOf("=");
  if (equals < 0) return;
  const name = setting.text.slice(0, equals);
  const key = name.toLowerCase();
  const value = setting.text.slice(equals + 1);
  const alias = key.startsWith("alias.") ? key.slice(6) : undefined;
  if (alias !== undefined) {
    if (alias !== subcommand.toLowerCase()) return;
    if (value.startsWith("!")) invocation.script({ ...setting, text: `${value.slice(1)} "$@"` }, { positional: rest });
    return;
  }
  const command = settingCommand(name, value);
  if (command !== undefined) invocation.script({ ...setting, text: command });
}

/** Options that name a program for the other end; with an address on this machine it runs here. */
const OTHER_END = /^(?:clone|fetch|pull|push|ls-remote|archive|fetch-pack|send-pack|remote|submodule|subtree)$/;

/** Commands that a subcommand starts: those it is told to, and the programs and helpers it is to reach the other end by. */
export function nested(invocation: Invocation, subcommand: string, rest: readonly Argument[]): void {
  for (const argument of rest) {
    const command = argument.text.includes("ext::") ? addressCommand(argument.text) : undefined;
    if (command !== undefined && OTHER_END.test(subcommand)) invocation.script({ ...argument, text: command });
  }
  for (const program of programs(subcommand, rest))
    if (isCommand(program.text)) invocation.script(program.text.startsWith("!") ? sliceArgument(program, 1) : program);
  if (subcommand === "bisect" && rest[0]?.text === "run") invocation.start(rest.slice(1));
  else if (subcommand === "submodule" && rest.some((word) => word.text === "foreach")) {
    const words = readOptions(rest.slice(rest.findIndex((word) => word.text === "foreach") + 1), { stop: true }).operands;
    const { effects } = invocation.shell.core;
    const before = effects.length;
    if (words.length === 1 && words[0] !== undefined) invocation.script(words[0]);
    else if (words.length > 1) invocation.start(words);
    // Git commands in it work on the submodules, which only the git room can name.
    effects.push(...effects.splice(before).filter(({ kind }) => kind !== "git"));
  } else if (subcommand === "rebase") {
    for (const value of readOptions(rest, { short: "xsXC", long: "exec onto strategy strategy-option" }).values("x", "exec"))
      invocation.script(value);
  } else if (subcommand === "filter-branch") {
    const options = readOptions(rest, {
      long: "env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter setup",
    });
    for (const { name, value } of options.options) {
      if (value === undefined) continue;
      if (name === "msg-filter") writesMessage(invocation, invocation.captureScript(value));
      else if (name === "tree-filter") committedBy(invocation, () => invocation.script(value, { quiet: true }));
      else invocation.script(value, { quiet: true });
    }
  } else if (subcommand === "grep") {
    const value = readOptions(rest, { short: "eABCfmO", long: "threads max-depth max-count" }).value("O", "open-files-in-pager");
    if (value !== undefined && /\s/.test(value.text)) invocation.script(value);
  } else if (subcommand === "difftool" || subcommand === "mergetool") {
    const value = readOptions(rest, { short: "xt", long: "extcmd tool" }).value("x", "extcmd");
    if (value !== undefined) invocation.script(value);
  }
}

/** A text that comes to stand in commits: what a filter of messages prints, a name. Told as a note, which takes a text and nothing else. */
export function writesMessage(invocation: Invocation, message: readonly Source[]): void {
  const args = ["add", "-F", "-"].map((word) => literal(word));
  invocation.emit({
    kind: "git",
    invocation: { cwd: invocation.cwd, globals: [], environment: {}, subcommand: "notes", args, stdin: message },
  });
}

/** Files that a filter fills from others stand in every commit. What it edits was there before. */
function committedBy(invocation: Invocation, run: () => void): void {
  const { effects } = invocation.shell.core;
  const before = effects.length;
  run();
  const { cwd } = invocation;
  if (cwd === undefined) return;
  const paths = effects.slice(before).flatMap((effect): readonly string[] => {
    const target = effect.kind === "copy" ? effect.to.path : effect.kind === "write" ? effect.file.path : undefined;
    const filled = effect.kind === "copy" || (effect.kind === "write" && effect.sources.some((source) => isOther(source, target)));
    return filled && target?.startsWith(`${cwd}/`) ? [target] : [];
  });
  if (paths.length === 0) return;
  const args = [literal("-f"), literal("--"), ...paths.map((path) => literal(path))];
  invocation.emit({ kind: "git", invocation: { cwd, globals: [], environment: {}, subcommand: "add", args, stdin: [] } });
}

function isOther(source: Source, target: string | undefined): boolean {
  return source.from !== "text" && source.from !== "unknown" && (source.from !== "file" || source.file.path !== target);
}

/** Values of options that are a program. */
function programs(subcommand: string, rest: readonly Argument[]): readonly Argument[] {
  if (subcommand === "send-email") return readOptions(rest, { long: `${MAILING} to cc bcc from subject` }).values(...MAILING.split(" "));
  const own =
    subcommand === "svn" ? "authors-prog" : subcommand === "daemon" ? "access-hook" : subcommand === "instaweb" ? "httpd" : undefined;
  if (own !== undefined) return readOptions(rest, { long: own }).values(own);
  if (subcommand === "remote-ext") return rest.slice(1, 2);
  if (!OTHER_END.test(subcommand)) return [];
  const names = ["upload-pack", "receive-pack", "exec", ...(subcommand === "clone" ? ["u"] : [])];
  return readOptions(rest, { short: subcommand === "clone" ? "bcjou" : "", long: "upload-pack receive-pack exec" }).values(...names);
}

const MAILING = "to-cmd cc-cmd header-cmd sendmail-cmd smtp-server";
