/** git's own stores: the credential file, and URLs and headers with a secret in a configuration. */
import { field, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { isPassword, isToken, secretOfPair } from "./literal.ts";

/** `https://user:secret@host`, one whole line each. */
export function credentialUrls(text: string): readonly Field[] {
  const found: Field[] = [];
  const address = /[ \t]{0,256}(https?:\/\/[^\s:@/]{0,256}:)([^\s@/]{4,2048})@[\w.:%[\]-]{1,256}\/?[\w./%-]{0,512}[ \t\r]*$/my;
  for (let at = text.indexOf("://"); at >= 0; ) {
    const start = lineOf(text, at);
    address.lastIndex = start ?? 0;
    const line = start === undefined ? null : address.exec(text);
    if (line !== null) {
      const secret = line[2] ?? "";
      const from = line.index + line[0].indexOf(line[1] ?? "") + (line[1] ?? "").length;
      if (isPassword(decoded(secret))) found.push(span(text, from, from + secret.length, !isToken(secret, 20)));
    }
    at = text.indexOf("://", line === null ? at + 3 : address.lastIndex);
  }
  return found;
}

/** Where the line begins on which an address of the web stands at `at` with nothing but blanks before; undefined for any other. */
function lineOf(text: string, at: number): number | undefined {
  let start = text.endsWith("http", at) ? at - 4 : text.endsWith("https", at) ? at - 5 : -1;
  if (start < 0) return undefined;
  while (start > 0 && (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9)) start--;
  return start === 0 || /[\n\r\u2028\u2029]/.test(text.charAt(start - 1)) ? start : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const gitCredentials: CredentialKind = {
  id: "git-credentials",
  title: "git credential store",
  class: "PROVEN",
  places: ["**/.git-credentials", "$XDG/git/credentials"],
  confirm: credentialUrls,
};

export const gitConfig: CredentialKind = {
  id: "git-config",
  title: "git configuration with a secret",
  class: "QUESTION",
  places: ["**/.git/config", "**/.gitconfig", "$XDG/git/config", "**/.gitmodules"],
  confirm: (text) =>
    iniLeaves(text, { fold: true }).flatMap((leaf) => {
      const section = leaf.path[0] ?? "";
      if (leaf.path[1] === "extraheader") {
        const header = /^authorization:[ \t]*(?:basic|bearer)[ \t]+(\S+)$/i.exec(leaf.value);
        const value = header?.[1] ?? "";
        return secretOfPair(value) === undefined && !isToken(value, 20)
          ? []
          : [field({ value, start: leaf.end - value.length, end: leaf.end })];
      }
      if (!/(?:^|[^a-z])(?:remote|url|submodule)\b/.test(section) || !/^(?:push)?url$/.test(leaf.path[1] ?? "")) return [];
      const url = /^(https?:\/\/[^\s:@/]{0,256}:)([^\s@/]{4,2048})@/.exec(leaf.value);
      const secret = url?.[2] ?? "";
      const start = leaf.start + (url?.[1] ?? "").length;
      return isPassword(secret) ? [field({ value: secret, start, end: start + secret.length }, !isToken(secret, 20))] : [];
    }),
};

/** `machine host login user password secret`, in any order of lines, tokens parted by white space. */
export const netrc: CredentialKind = {
  id: "netrc",
  title: "netrc file",
  class: "PROVEN",
  places: ["**/.netrc", "**/_netrc", "**/.authinfo"],
  confirm(text) {
    const found: Field[] = [];
    let machine = false;
    let login = false;
    let keyword = "";
    for (const word of wordsWithQuotes(text)) {
      if (keyword === "password") {
        if (machine && login && isPassword(word.value)) found.push(field(word, true));
        keyword = "";
      } else if (keyword !== "") {
        if (keyword === "login") login = true;
        keyword = "";
      } else if (word.value === "default") [machine, login] = [true, false];
      else if (word.value === "machine") [machine, login, keyword] = [true, false, "machine"];
      else if (word.value === "login" || word.value === "user") keyword = "login";
      else if (word.value === "password" || word.value === "account" || word.value === "port") keyword = word.value;
    }
    return found;
  },
};

function* wordsWithQuotes(text: string): Generator<{ readonly value: string; readonly start: number; readonly end: number }> {
  for (const hit of text.matchAll(/#[^\n]*|"([^"\n]*)"|[^\s#"][^\s]*/g)) {
    if (hit[0].startsWith("#")) continue;
    const quoted = hit[1] !== undefined;
    const start = hit.index + (quoted ? 1 : 0);
    const value = hit[1] ?? hit[0];
    yield { value, start, end: start + value.length };
  }
}
