/** Passwords in addresses: `postgres://app:secret@db`, `https://user:secret@host` (token-families.md §11). */
import { isPlaceholder } from "../placeholders.ts";
import type { Secret } from "../secret.ts";

/** Passwords that stand in every tutorial. */
const DEFAULTS = new Set([
  "postgres",
  "mysql",
  "mongo",
  "redis",
  "guest",
  "root",
  "admin",
  "minio",
  "minioadmin",
  "rabbitmq",
  "neo4j",
  "sa",
  // What stands there when the user's name is the token.
  "x-oauth-basic",
]);

/**
 * The password part of every address in the text. Asked for by the scan itself: a filter that stops at each `://` would
 * stop everywhere. Linear: user and password are bounded, and each ends at the next slash, blank or quote.
 */
export function uriPasswords(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  const userinfo = /[^\s/:@"'`<>\\]{0,128}:(?<value>[^\s/:@"'`<>\\]{4,512})@[\w[.{$-]/y;
  // `https://TOKEN@github.com/…`: a forge takes a token for the user's name.
  const token =
    /([\w-]{32,128})@(?:[\w-]{1,63}\.){0,4}(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure|visualstudio)\.[\w.-]{2,60}[/:]/y;
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    userinfo.lastIndex = at + 3;
    const found = userinfo.exec(text);
    if (found === null) {
      token.lastIndex = at + 3;
      const value = token.exec(text)?.[1];
      if (value !== undefined && isLetter(text.charCodeAt(at - 1)) && isDrawn(value))
        secrets.push({ ...PASSWORD, title: "token in an address", value, start: at + 3, end: at + 3 + value.length });
      continue;
    }
    const value = found.groups?.["value"] as string;
    const end = at + 3 + found[0].length - 2;
    const start = end - value.length;
    const user = text.slice(at + 3, start - 1);
    if (
      !isLetter(text.charCodeAt(at - 1)) ||
      value === user ||
      DEFAULTS.has(value) ||
      isPlaceholder(value.replace(/[[\](){}]/g, "")) ||
      isComputed(value)
    )
      continue;
    secrets.push({ ...PASSWORD, value, start, end });
  }
  return secrets;
}

const PASSWORD = { family: "uri-password", title: "password in an address", grade: "vendor", kind: "pattern" } as const;

/** No person's or group's name: letters with four digits among them. */
function isDrawn(value: string): boolean {
  return (value.match(/\d/g)?.length ?? 0) >= 4 && /[A-Za-z]/.test(value) && !isPlaceholder(value);
}

/** Put together at run time: `${password}`, `{password}`, `%s`, `$(…)`. */
function isComputed(value: string): boolean {
  return value.includes("{") || /\$[(A-Za-z]|^%[sdv]|^[*•x.]{1,64}$/.test(value);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
