/** Logins on command lines, as a shell's history keeps them: passwords in options, user and password in one word, headers. */
import { isSecretValue, passwordInUrl } from "./entry-value.ts";
import { isSecretName } from "./name.ts";

interface Value {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Programs whose `-p` takes a password, attached or as the next word. */
const ATTACHED = /^(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mycli|mariadb|mariadb-dump|mariadb-admin)$/;
const SEPARATE: Readonly<Record<string, RegExp>> = {
  sshpass: /^-p$/,
  "redis-cli": /^(?:-a|--pass)$/,
  docker: /^-p$/,
  podman: /^-p$/,
  helm: /^-p$/,
  mongosh: /^-p$/,
  mongo: /^-p$/,
  mongodump: /^-p$/,
  ldapsearch: /^-w$/,
  sqlcmd: /^-P$/,
};
/** Programs whose `-u` takes a user and a password. */
const WITH_USER = /^(?:curl|wget|http|https|xh)$/;

const PIECE = /"[^"\n]{0,4096}"|'[^'\n]{0,4096}'|[^\s"']{1,4096}/g;

/** Words with where each ends, quotes taken off; a name in front of a quoted value stays with it. */
function* wordsOf(line: string): Generator<{ readonly word: string; readonly end: number }> {
  let name = "";
  let nameEnd = -1;
  for (const { 0: written, index } of line.matchAll(PIECE)) {
    const quoted = /^["']/.test(written);
    const end = index + written.length;
    if (!quoted && /^[A-Za-z-][\w-]{0,127}[=:]$/.test(written)) {
      name = written;
      nameEnd = end;
      continue;
    }
    const word = quoted ? written.slice(1, -1) : written;
    yield { word: index === nameEnd ? `${name}${word}` : word, end: quoted ? end - 1 : end };
  }
}

const JOINT = /^(?:[|;&(){]{1,2}|sudo|time|env|nohup|then|do|else|!)$/;

/** The logins of one command line that starts at `base`. */
export function* loginsIn(line: string, base: number): Generator<Value> {
  let program: string | undefined;
  let before = "";
  for (const { word, end } of wordsOf(line)) {
    const at = base + end - word.length;
    const found = program === undefined ? undefined : valueIn(program, before, word);
    if (found !== undefined && isSecretValue(found)) yield { value: found, start: at + word.length - found.length, end: at + word.length };
    const url = passwordInUrl(word);
    if (url !== undefined) yield { value: word.slice(url.start, url.end), start: at + url.start, end: at + url.end };
    const [, name, value] = /^([A-Za-z_]\w{0,127})=(.{1,4096})$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && isSecretName(name) && isSecretValue(value))
      yield { value, start: at + word.length - value.length, end: at + word.length };
    if (JOINT.test(word) || /[|;&(]$/.test(word)) program = undefined;
    else if (program === undefined && name === undefined) program = word.slice(word.lastIndexOf("/") + 1);
    before = word;
  }
}

function valueIn(program: string, before: string, word: string): string | undefined {
  const option = /^--?([A-Za-z][\w-]{0,60})=(.{1,4096})$/s.exec(word);
  if (option !== null && isSecretName(option[1] ?? "")) return option[2];
  if (/^--?[A-Za-z][\w-]{1,60}$/.test(before) && isSecretName(before) && !word.startsWith("-")) return word;
  if (SEPARATE[program]?.test(before) === true) return word;
  const user = WITH_USER.test(program) ? (/^(?:-u|--user)$/.test(before) ? word : /^-u(.+)$/s.exec(word)?.[1]) : undefined;
  if (user?.includes(":") === true) return user.slice(user.indexOf(":") + 1);
  if (ATTACHED.test(program)) return /^-p(.+)$/s.exec(word)?.[1];
  return /^[A-Za-z-]{0,60}Authorization: (?:Bearer|Basic|token) (\S{1,4096})$/i.exec(word)?.[1];
}
