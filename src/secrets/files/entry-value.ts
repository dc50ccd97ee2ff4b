/** Whether the value of a field with a secret's name is one (L-009, D-20). */
import { isLiteral } from "./literal.ts";

/** Where the password of `scheme://user:password@host` stands; undefined without one, or when it is a placeholder. */
export function passwordInUrl(value: string): { readonly start: number; readonly end: number } | undefined {
  const head = /^[a-z][a-z\d+.-]{1,30}:\/\/[^\s/:@?#]{0,256}:/i.exec(value)?.[0];
  if (head === undefined) return undefined;
  // The last `@` before the path: passwords may hold one.
  const path = value.slice(head.length).search(/[/?#\s]/);
  const authority = path < 0 ? value.slice(head.length) : value.slice(head.length, head.length + path);
  const sign = authority.lastIndexOf("@");
  if (sign < 1) return undefined;
  const password = authority.slice(0, sign);
  return isLiteral(password) && !isStockPassword(password, head) ? { start: head.length, end: head.length + sign } : undefined;
}

/** `postgres://postgres:postgres@…`: the user's name again, or the word itself, is everybody's development setting. */
function isStockPassword(password: string, head: string): boolean {
  const user = head.slice(head.indexOf("//") + 2, -1);
  return (
    password === user ||
    /^(?:password|passwd|pass|secret|postgres|root|admin|guest|user|test|example|redis|mysql|mongo|rabbitmq|minio)$/i.test(password)
  );
}

/**
 * A value of at least 8 characters that is written out and is neither a word, a number, a boolean, a path nor
 * a plain URL. Multi-line values count when they are a private key.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < 8 || value.length > 65_536) return false;
  if (/^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(value)) return !value.includes("ENCRYPTED");
  if (!isLiteral(value)) return false;
  // Words, with or without joints: `production`, `my-service-name`, `Some plain words`.
  if (/^[A-Za-z]+(?:[ ._-][A-Za-z]+)*[.!?]?$/.test(value) && !isRandomLetters(value)) return false;
  if (/^[-+]?[\d.,_ :%-]+[a-z]{0,3}$/i.test(value)) return false;
  if (/^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/])[\w.@ +\-/\\]*$/.test(value) && !/[+=]/.test(value)) return false;
  if (/^[a-z][a-z\d+.-]{1,30}:\/\//i.test(value)) return false;
  // An e-mail address, a host name, a resource name, an image reference.
  return !/^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|arn:aws:\S+|projects\/\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}(?::\d{2,5})?)$/i.test(value);
}

/** Letters alone, but no words: in drawn letters about half are capitals, in camel case about a fifth. */
function isRandomLetters(value: string): boolean {
  if (value.length < 16 || /[ ._-]/.test(value)) return false;
  const capitals = value.match(/[A-Z]/g)?.length ?? 0;
  return capitals >= value.length * 0.3 && capitals <= value.length * 0.7;
}
