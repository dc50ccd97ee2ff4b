/** Variables that make a program start commands or read settings: their texts run like `sh -c`. */
import { literal, staticText } from "../../source.ts";
import type { Invocation } from "../invocation.ts";
import { contactByEnvironment } from "./contact.ts";

const COMMANDS =
  /^(?:PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|AWS_PAGER|GH_PAGER|BAT_PAGER|DELTA_PAGER|PSQL_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|SUDO_EDITOR|KUBE_EDITOR|FCEDIT|BROWSER|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|MAKEFLAGS|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUSTC_WRAPPER|BASH_ENV|ENV|ZDOTDIR|PS4)$/;

/** Runs what the variables in front of a program would start, and tells what they contact. */
export function environmentHooks(invocation: Invocation): void {
  for (const [name, value] of invocation.environment) {
    if (!COMMANDS.test(name) || value.text === "") continue;
    switch (name) {
      case "BASH_ENV":
      case "ENV":
        // The value is expanded, then the file it names is sourced.
        if (/[$`]/.test(value.text) && value.exact) invocation.script({ ...value, text: `: "${value.text.replaceAll('"', "")}"` });
        else {
          const text = staticText(invocation.readScript(value));
          if (text !== undefined && text !== "") invocation.script(literal(text));
        }
        break;
      case "PS4":
        if (/\$\(|`/.test(value.text)) invocation.script({ ...value, text: `: "${value.text.replaceAll('"', "")}"` });
        break;
      case "TAR_OPTIONS":
      case "MAKEFLAGS":
      case "NODE_OPTIONS":
      case "PYTHONSTARTUP":
      case "PERL5OPT":
      case "RUSTC_WRAPPER":
      case "ZDOTDIR":
        if (/exec=|--eval|\$\(shell|to-command=/.test(value.text)) {
          const command = /(?:exec=|to-command=)(.{1,2000})$/s.exec(value.text)?.[1];
          if (command === undefined) invocation.doubt("a variable starts a command");
          else invocation.script({ ...value, text: command });
        }
        break;
      default:
        // A plain name of a program (`less`, `vim`, `cat`) shows nothing of its own.
        if (/[\s;|&$<>`(/]/.test(value.text)) invocation.script({ ...value, text: value.text.replace(/^\|-?/, "") });
    }
  }
  contactByEnvironment(invocation);
}
