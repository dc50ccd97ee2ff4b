/**
 * Git's settings whose value is a command that Git starts (git-config(1)): given for one call with `-c`, kept by `git config`, or
 * written into a configuration file.
 *
 * Trust: keys and values are hostile text; nothing of them is started.
 */
import { CHOSEN } from "../../limits.ts";
import { quoted } from "../shell/quoting.ts";

/** Keys whose value is a command line, or a program; in lower case. */
const COMMAND =
  /^(?:core\.(?:pager|sshcommand|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook|diff\.(?:external|.{1,100}\.(?:textconv|command))|pager\..{1,100}|gpg\.(?:.{1,100}\.)?program|gpg\.ssh\.defaultkeycommand|filter\..{1,100}\.(?:clean|smudge|process)|(?:difftool|mergetool|browser|man)\..{1,100}\.cmd|merge\..{1,100}\.driver|trailer\..{1,100}\.(?:command|cmd)|tar\..{1,100}\.command|remote\..{1,200}\.(?:uploadpack|receivepack)|sendemail\.(?:.{1,100}\.)?(?:tocmd|cccmd|headercmd|sendmailcmd))$/;
/** Keys whose value is one behind an exclamation mark only. */
const MARKED = /^(?:alias\..{1,100}|credential\.(?:.{1,300}\.)?helper|sendemail\.aliasesfile|submodule\..{1,200}\.update)$/;
/** Keys whose value is an address. */
const ADDRESS = /^(?:remote\..{1,200}\.(?:push)?url|submodule\..{1,200}\.url)$/;

/** The command a setting holds, for a shell; undefined where it holds none. A program's bare name is none. */
export function settingCommand(key: string, value: string): string | undefined {
  const name = key.toLowerCase();
  if (MARKED.test(name)) return value.startsWith("!") ? value.slice(1) : undefined;
  if (ADDRESS.test(name)) return addressCommand(value);
  // `url.ext::command.insteadOf`: every address that begins with the value becomes that one.
  if (name.startsWith("url.ext::")) return addressCommand(/^url\.(.{1,4000})\.(?:push)?insteadof$/is.exec(key)?.[1] ?? "");
  return COMMAND.test(name) && isCommand(value) ? value.replace(/^!/, "") : undefined;
}

/** Whether a text is a command line, or a program by its path; its bare name tells nothing. */
export function isCommand(value: string): boolean {
  return /[\s;|&$<>`(/]/.test(value);
}

/** The command that stands in an address: `ext::command words`, a blank in a word written `% ` (git-remote-ext(1)). */
export function addressCommand(address: string): string | undefined {
  const written = /^ext::(?=\S)(.{1,4000})$/s.exec(address)?.[1];
  if (written === undefined || !written.includes("% ")) return written;
  return written
    .split(/(?<!%) /)
    .map((word) => quoted(word.replace(/%([ %])/g, "$1")))
    .join(" ");
}

/** The commands in a configuration file. */
export function settingCommands(content: string): readonly string[] {
  let section = "";
  return content.split("\n", CHOSEN.ignore_lines).flatMap((line) => {
    const head = /^\s{0,16}\[\s{0,8}([\w.-]{1,100})(?:\s{1,8}"([^"]{0,300})")?\s{0,8}\]/.exec(line);
    if (head !== null) {
      section = head[2] === undefined ? (head[1] ?? "") : `${head[1]}.${head[2]}`;
      return [];
    }
    const [, name, written] = /^\s{0,64}([A-Za-z][\w-]{0,100})\s{0,16}=\s{0,16}(\S.{0,4000})$/.exec(line) ?? [];
    if (name === undefined || written === undefined) return [];
    const value = written
      .trim()
      .replace(/^"(.{0,4000})"$/, "$1")
      .replaceAll('\\"', '"');
    return settingCommand(`${section}.${name}`, value) ?? [];
  });
}
